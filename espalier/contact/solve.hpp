#pragma once

// Solvers of the local dynamics. Gauss-Seidel is the one that always makes progress; where it stalls, Newton's method
// on all rows at once takes over.
//   In:   LocalProblem (local_problem.hpp) and where to start
//   Out:  the impulses R, and how well they solve it
// Source: sections 3 and 4 of docs/theory/contact.md; the code is in detail/gauss_seidel.hpp and detail/newton.hpp.

#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/text.hpp"
#include "espalier/contact/local_problem.hpp"

namespace espalier::contact {

// Rows grouped by colour; ascending within each.
struct ColourOrder {
  std::vector<int> begin = {0};  // rows begin[c] .. begin[c + 1] have colour c
  std::vector<int> rows;

  int colours() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> of(int colour) const {
    return std::span(rows).subspan(begin[colour], begin[colour + 1] - begin[colour]);
  }
};

// One colour per row, 0 or more: the lowest that no lower row with a common block has. O(blocks).
std::vector<int> colour_rows(const LocalProblem& problem);
ColourOrder order_by_colour(std::span<const int> colour);

enum class Solver {
  kAuto,         // Gauss-Seidel; turns of Newton and of it where its rate says that max_sweeps will not do
  kGaussSeidel,  // block by block, each row solved exactly
  kNewton,       // all rows at once, after 20 sweeps in solve() and after max_sweeps in a run
};
constexpr Words<Solver, 3> words(Solver) {
  return {{{"auto", Solver::kAuto}, {"gauss_seidel", Solver::kGaussSeidel}, {"newton", Solver::kNewton}}};
}

struct SolveOptions {
  Solver solver = Solver::kAuto;
  double tolerance = 1e-6;  // of Accuracy::natural
  int max_sweeps = 1000;
  int max_iterations = 600;  // of Newton
  int check_every = 5;       // sweeps between two measures; fewer at first, twice as many far from the end
  bool extrapolate = true;   // between sweeps: a fifth to a tenth of them where they converge slowly
};

struct Solved {
  bool converged = false;
  int sweeps = 0;      // of Gauss-Seidel
  int iterations = 0;  // of Newton
  Accuracy accuracy;   // of R
};

// R: where to start, and the answer; that of columns beyond the rows is given and stays. Rows are solved colour by
// colour. The same bits for the same problem and colours. O(blocks) per iteration of Gauss-Seidel.
Solved solve(const LocalProblem& problem, const ColourOrder& order, const SolveOptions& options,
             std::span<Eigen::Vector3d> R);

}  // namespace espalier::contact
