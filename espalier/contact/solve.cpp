#include "espalier/contact/solve.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/base/elementary.hpp"
#include "espalier/contact/extrapolation.hpp"
#include "espalier/contact/newton.hpp"

namespace espalier::contact {
namespace {

constexpr int kLookBack = 50;      // sweeps
constexpr int kBeforeNewton = 20;  // sweeps that find most of the contacts' states

// Squares of what is left of all laws: all that decides, and half the cost of a whole measure.
double natural_of(const LocalProblem& problem, std::span<const Eigen::Vector3d> R, double given) {
  ExactSum left;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const Eigen::Vector3d U = velocity_of(problem, static_cast<int>(i), R);
    left.add(law_residual(problem.rows[i], U, R[i], problem.step).squaredNorm());
  }
  return left.value() == 0 ? 0 : root_of(left) / given;
}

double size_of(std::span<const Eigen::Vector3d> vectors) {
  ExactSum squares;
  for (const Eigen::Vector3d& vector : vectors) squares.add(vector.squaredNorm());
  return root_of(squares);
}

// Until the tolerance, max_sweeps, or no hope.
Solved solve_by_sweeps(const LocalProblem& problem, const ColourOrder& order, const SolveOptions& options,
                       int max_sweeps, std::span<Eigen::Vector3d> R) {
  Solved solved;
  Forecast forecast = {.tolerance = options.tolerance, .max_sweeps = options.max_sweeps};
  std::vector<double> weight;
  for (const int k : problem.diagonal) weight.push_back(problem.block[k].trace());
  Extrapolation memory = make_extrapolation(std::move(weight));
  std::vector<Eigen::Vector3d> before(problem.rows.size());
  AccuracySums sums;
  const double given = size_of(problem.B);
  for (int next_check = 1; solved.sweeps < max_sweeps;) {
    std::copy_n(R.begin(), before.size(), before.begin());
    sums.change = sums.size = {};
    ++solved.sweeps;
    const bool checks = solved.sweeps >= next_check || solved.sweeps == max_sweeps;
    sweep(problem, order, R, checks ? &sums : nullptr);
    if (checks) {
      const double natural = natural_of(problem, R, given);
      solved.converged = natural <= options.tolerance;
      const bool hopeless = will_not_do(forecast, solved.sweeps, natural);
      if (solved.converged || (hopeless && options.solver == Solver::kAuto)) break;
      next_check = solved.sweeps + sweeps_to_next_check(options, solved.sweeps, natural);
    }
    // Not after the last sweep: its R obeys every law but that of rows swept earlier, an extrapolated one none.
    if (options.extrapolate && solved.sweeps < max_sweeps) {
      record(memory, before, R);
      extrapolate(memory, R);
    }
  }
  measure_rows(problem, order.rows, R, sums);
  solved.accuracy = accuracy_of(sums);
  return solved;
}

}  // namespace

int sweeps_to_next_check(const SolveOptions& options, int sweeps, double natural) {
  if (sweeps < options.check_every) return std::min(sweeps, options.check_every - sweeps);
  return natural > 100 * options.tolerance ? 2 * options.check_every : options.check_every;
}

bool will_not_do(Forecast& forecast, int sweeps, double natural) {
  forecast.best = std::min(forecast.best, natural);
  if (forecast.then == 0) {
    forecast.then = forecast.best;
    forecast.since = sweeps;
  }
  const int passed = sweeps - forecast.since;
  if (passed < kLookBack || forecast.best <= forecast.tolerance) return false;
  const double fallen = elementary::log(forecast.then / forecast.best) / passed;
  const double needed = elementary::log(forecast.best / forecast.tolerance);
  forecast.then = forecast.best;
  forecast.since = sweeps;
  return needed > fallen * (forecast.max_sweeps - sweeps);
}

Solved solve(const LocalProblem& problem, const ColourOrder& order, const SolveOptions& options,
             std::span<Eigen::Vector3d> R) {
  const bool newton_first = options.solver == Solver::kNewton;
  const int max_sweeps = newton_first ? std::min(kBeforeNewton, options.max_sweeps) : options.max_sweeps;
  Solved solved = solve_by_sweeps(problem, order, options, max_sweeps, R);
  if (solved.converged || options.solver == Solver::kGaussSeidel) return solved;
  const NewtonResult newton =
      solve_newton(problem, {.tolerance = options.tolerance, .max_iterations = options.max_iterations}, R);
  solved.iterations = newton.iterations;
  solved.converged = newton.converged;
  solved.accuracy.natural = newton.accuracy.natural;
  solved.accuracy.energy = newton.accuracy.energy;
  return solved;
}

}  // namespace espalier::contact
