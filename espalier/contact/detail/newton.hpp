#pragma once

// Newton's method on all rows at once, where sweeps stall: along a path of smooth problems (smooth_law.hpp) that starts
// where there is one answer and ends at the law, around its folds too. The linear systems are solved by sparse
// elimination. Serial. Source: section 4 of docs/theory/contact.md.

#include <span>

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact::detail {

struct NewtonOptions {
  double tolerance = 1e-6;  // of Accuracy::natural
  int max_iterations = 600;
  // Smoothing at the beginning of the path, of what is wrong there. From another beginning it is another path.
  double start = 1e4;
};

struct NewtonResult {
  bool converged = false;
  int iterations = 0;  // factorisations
  int folds = 0;       // of the path, where its smoothing grew for a while
  Accuracy accuracy;   // change is 0
};

// R: where to start, and the answer: the best that was met. R beyond the rows is given and stays. Each iteration costs
// one factorisation of a matrix with the pattern of W and its fill; memory is made once.
NewtonResult solve_newton(const LocalProblem& problem, const NewtonOptions& options, std::span<Eigen::Vector3d> R);

}  // namespace espalier::contact::detail
