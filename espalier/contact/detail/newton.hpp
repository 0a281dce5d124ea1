#pragma once

// Newton's method on all rows at once, where sweeps stall: each law is rounded off by a parameter that goes to zero as
// the iterates come near (smooth_law.hpp), and the linear systems are solved by sparse elimination. Serial.

#include <span>

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact::detail {

struct NewtonOptions {
  double tolerance = 1e-6;  // of Accuracy::natural
  int max_iterations = 200;
  // Neither changes what is solved, but both decide by which way: where one stalls another often does not.
  double stiffness = 30;  // weight of velocities against impulses, of the inverse of W_ii's mean eigenvalue
  double roundness = 1;   // of the first smooth problem, of what is wrong at the start
};

struct NewtonResult {
  bool converged = false;
  int iterations = 0;  // factorisations
  Accuracy accuracy;   // change is 0
};

// R: where to start, and the answer: the best that was met. R beyond the rows is given and stays. Each iteration costs
// one factorisation of a matrix with the pattern of W and its fill; memory is made once.
NewtonResult solve_newton(const LocalProblem& problem, const NewtonOptions& options, std::span<Eigen::Vector3d> R);

}  // namespace espalier::contact::detail
