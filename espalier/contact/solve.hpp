#pragma once

// Solvers of the local dynamics. Gauss-Seidel is the one that always goes on; where it stalls, a second one that works
// on all rows at once takes over.

#include <atomic>
#include <span>
#include <vector>

#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

enum class Solver {
  kAuto,         // Gauss-Seidel, and the other where it stalls
  kGaussSeidel,  // block by block, each row solved exactly
  kNewton,       // all rows at once
};

struct SolveOptions {
  Solver solver = Solver::kAuto;
  double tolerance = 1e-6;  // of Accuracy::natural
  int max_sweeps = 1000;
  int check_every = 5;  // sweeps between two measures
};

struct Solved {
  bool converged = false;
  int sweeps = 0;      // of Gauss-Seidel
  int iterations = 0;  // of the other
  Accuracy accuracy;
};

// R: where to start, and the answer. Rows are swept colour by colour: colours are given by `order` (one number a row,
// rows of one colour share no body and so no block), rows of one colour in ascending order.
Solved solve(const LocalProblem& problem, const SolveOptions& options, std::span<Eigen::Vector3d> R);

// One row: R with its law satisfied at U = b + W R. Exact to rounding, never fails on a positive definite W; the start
// is R. Contact rows by semismooth Newton from several starts and the closed forms of sticking and parting.
Eigen::Vector3d solve_row(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double step,
                          const Eigen::Vector3d& start);

}  // namespace espalier::contact
