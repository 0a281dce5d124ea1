#pragma once

// Solvers of the local dynamics. Gauss-Seidel is the one that always goes on; where it stalls, Newton's method on all
// rows at once takes over.
//   gauss_seidel.hpp, extrapolation.hpp   sweeps, also in parts for ranks
//   newton.hpp                            all rows at once
//   solve_row.hpp                         one row

#include <span>

#include "espalier/base/words.hpp"
#include "espalier/contact/gauss_seidel.hpp"
#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

enum class Solver {
  kAuto,         // Gauss-Seidel, and Newton where the rate of convergence says that max_sweeps will not do
  kGaussSeidel,  // block by block, each row solved exactly
  kNewton,       // a few sweeps, then all rows at once
};
constexpr Words<Solver, 3> words(Solver) {
  return {{{"auto", Solver::kAuto}, {"gauss_seidel", Solver::kGaussSeidel}, {"newton", Solver::kNewton}}};
}

struct SolveOptions {
  Solver solver = Solver::kAuto;
  double tolerance = 1e-6;  // of Accuracy::natural
  int max_sweeps = 1000;
  int max_iterations = 200;  // of Newton
  int check_every = 5;       // sweeps between two measures; fewer at first, twice as many far from the end
  bool extrapolate = true;   // between sweeps: a fifth to a tenth of them where they converge slowly
};

struct Solved {
  bool converged = false;
  int sweeps = 0;      // of Gauss-Seidel
  int iterations = 0;  // of Newton
  Accuracy accuracy;   // of R
};

// R: where to start, and the answer; that of columns beyond the rows is given and stays. Rows are swept colour by
// colour. The same bits for the same problem and colours.
Solved solve(const LocalProblem& problem, const ColourOrder& order, const SolveOptions& options,
             std::span<Eigen::Vector3d> R);

// A measure costs nearly a sweep: far from the end it can wait, but a warm start may be there after one or two.
int sweeps_to_next_check(const SolveOptions& options, int sweeps, double natural);

// Looks at the accuracy as sweeps go on, and says when they will not reach the tolerance in time.
struct Forecast {
  double tolerance = 0;
  int max_sweeps = 0;
  int since = 0;        // sweeps at the last look back
  double then = 0;      // best accuracy at that time
  double best = 1e300;  // so far
};
// To be called after each measure: true where the best accuracy, if it goes on to fall as it did over the last 50
// sweeps, would not be enough at max_sweeps.
bool will_not_do(Forecast& forecast, int sweeps, double natural);

}  // namespace espalier::contact
