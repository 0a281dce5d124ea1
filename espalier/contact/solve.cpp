#include "espalier/contact/solve.hpp"

#include <algorithm>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/contact/detail/gauss_seidel.hpp"
#include "espalier/contact/detail/newton.hpp"

namespace espalier::contact {
namespace {

constexpr int kBeforeNewton = 20;  // iterations of Gauss-Seidel that find most of the contacts' states

}  // namespace

std::vector<int> colour_rows(const LocalProblem& problem) {
  const int rows = static_cast<int>(problem.rows.size());
  std::vector<int> colour(to_index(rows), -1);
  std::vector<int> taken_by;  // the last row that found this colour at a neighbour
  for (int i = 0; i < rows; ++i) {
    for (int k = problem.begin[to_index(i)]; k < problem.begin[to_index(i) + 1]; ++k) {
      // Rows behind this one have no colour yet, and will look at this one's.
      if (const int j = problem.column[to_index(k)]; j < i) taken_by[to_index(colour[to_index(j)])] = i;
    }
    int free = 0;
    while (free < std::ssize(taken_by) && taken_by[to_index(free)] == i) ++free;
    if (free == std::ssize(taken_by)) taken_by.push_back(-1);
    colour[to_index(i)] = free;
  }
  return colour;
}

ColourOrder order_by_colour(std::span<const int> colour) {
  int colours = 0;
  for (const int c : colour) colours = std::max(colours, c + 1);
  return detail::order_by_colour(colour, colours);
}

Solved solve(const LocalProblem& problem, const ColourOrder& order, const SolveOptions& options,
             std::span<Eigen::Vector3d> R) {
  detail::BlockRows rows(problem);
  if (options.solver == Solver::kAuto) {
    return detail::solve_by_turns(
        options, R, [&](const SolveOptions& turn) { return detail::iterate(rows, order, turn, turn.max_sweeps, R); },
        [&](const detail::NewtonOptions& turn) { return detail::solve_newton(problem, turn, R); });
  }
  // 1. Gauss-Seidel.
  const bool newton_first = options.solver == Solver::kNewton;
  const int most = newton_first ? std::min(kBeforeNewton, options.max_sweeps) : options.max_sweeps;
  Solved solved = detail::iterate(rows, order, options, most, R);
  if (solved.converged || options.solver == Solver::kGaussSeidel) return solved;
  // 2. Newton's method, from where that has come to.
  const detail::NewtonResult newton =
      detail::solve_newton(problem, {.tolerance = options.tolerance, .max_iterations = options.max_iterations}, R);
  // Sweeps and the change stay those of Gauss-Seidel: Newton's method has none.
  solved.iterations = newton.iterations;
  solved.converged = newton.converged;
  solved.accuracy.natural = newton.accuracy.natural;
  solved.accuracy.energy = newton.accuracy.energy;
  return solved;
}

}  // namespace espalier::contact
