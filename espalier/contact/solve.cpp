#include "espalier/contact/solve.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/contact/extrapolation.hpp"
#include "espalier/contact/newton.hpp"

namespace espalier::contact {
namespace {

constexpr int kLookBack = 50;      // sweeps
constexpr int kBeforeNewton = 20;  // sweeps that find most of the contacts' states

// Until the tolerance, max_sweeps, or no hope.
Solved solve_by_sweeps(const LocalProblem& problem, const ColourOrder& order, const SolveOptions& options,
                       int max_sweeps, std::span<Eigen::Vector3d> R) {
  Solved solved;
  Forecast forecast = {.tolerance = options.tolerance, .max_sweeps = options.max_sweeps};
  Extrapolation memory = make_extrapolation(problem);
  std::vector<Eigen::Vector3d> before(problem.rows.size());
  int next_check = options.check_every;
  while (solved.sweeps < max_sweeps) {
    std::copy_n(R.begin(), before.size(), before.begin());
    AccuracySums sums;
    sweep(problem, order, R, sums);
    ++solved.sweeps;
    if (solved.sweeps >= next_check || solved.sweeps == max_sweeps) {
      measure_rows(problem, order.rows, R, sums);
      solved.accuracy = accuracy_of(sums);
      solved.converged = solved.accuracy.natural <= options.tolerance;
      // A measure costs as much as a sweep: far from the end it can wait.
      const bool far = solved.accuracy.natural > 100 * options.tolerance;
      next_check = solved.sweeps + (far ? 2 : 1) * options.check_every;
      const bool hopeless = will_not_do(forecast, solved.sweeps, solved.accuracy.natural);
      if (solved.converged || (hopeless && options.solver == Solver::kAuto)) break;
    }
    // Not after the last sweep: its R obeys every law but that of rows swept earlier, an extrapolated one none.
    if (options.extrapolate && solved.sweeps < max_sweeps) {
      record(memory, before, R);
      extrapolate(memory, R);
    }
  }
  return solved;
}

}  // namespace

bool will_not_do(Forecast& forecast, int sweeps, double natural) {
  forecast.best = std::min(forecast.best, natural);
  if (forecast.then == 0) {
    forecast.then = forecast.best;
    forecast.since = sweeps;
  }
  const int passed = sweeps - forecast.since;
  if (passed < kLookBack || forecast.best <= forecast.tolerance) return false;
  const double fallen = std::log(forecast.then / forecast.best) / passed;
  const double needed = std::log(forecast.best / forecast.tolerance);
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
