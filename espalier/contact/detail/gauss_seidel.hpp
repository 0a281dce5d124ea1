#pragma once

// Block Gauss-Seidel: each row is solved exactly with all others held, colour by colour. Rows of one colour share no
// block, so that within a colour the order does not matter: ranks that each solve their own rows of a colour and then
// exchange impulses do the same arithmetic as one rank that solves all.
// One driver for two ways to hold the rows: BlockRows of block_rows.hpp, where W is given block by block, and BodyRows
// in solve_together.cpp, which go without W and over ranks. So what is timed on problems of others is what runs.

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/index.hpp"
#include "espalier/contact/detail/block_rows.hpp"
#include "espalier/contact/detail/extrapolation.hpp"
#include "espalier/contact/detail/newton.hpp"
#include "espalier/contact/solve.hpp"

namespace espalier::contact::detail {

// `colours` of them, some perhaps without a row here.
ColourOrder order_by_colour(std::span<const int> colour, int colours);

// A measure costs nearly an iteration: far from the end it can wait, but a warm start may be there after one or two.
int iterations_to_next_check(const SolveOptions& options, int iterations, double natural);

// Follows the accuracy as iterations go by, and says when they will not reach the tolerance in time.
struct Forecast {
  double tolerance = 0;
  int max_sweeps = 0;
  int since = 0;        // iterations at the time of the last comparison
  double then = 0;      // best accuracy at that time
  double best = 1e300;  // so far
};
// To be called after each measure: true where the best accuracy, if it falls further as it did over the last 50
// iterations, would not be enough at max_sweeps.
bool is_too_slow(Forecast& forecast, int iterations, double natural);

// |B| of all rows of all ranks, the measure of (C6).
template <class Rows>
double size_of_given(const Rows& rows) {
  ExactSum squares;
  for (int i = 0; i < rows.size(); ++i) squares.add(rows.free_velocity(i).squaredNorm());
  ExactSum* const all[] = {&squares};
  rows.add_up(all);
  return root_of(squares);
}

// (C6): all that decides, and half the cost of a whole measure.
template <class Rows>
double natural_residual(const Rows& rows, std::span<const Eigen::Vector3d> R, double given) {
  ExactSum left;
  for (int i = 0; i < rows.size(); ++i) {
    const Eigen::Vector3d U = rows.velocity(i, R);
    left.add(law_residual(rows.law(i), U, R[to_index(i)], rows.step()).squaredNorm());
  }
  ExactSum* const all[] = {&left};
  rows.add_up(all);
  return left.value() == 0 ? 0 : root_of(left) / given;
}

// (C5) to (C7) of all rows of all ranks. `sums` has the change of the last iteration.
template <class Rows>
Accuracy measure_all(const Rows& rows, std::span<const Eigen::Vector3d> R, AccuracySums& sums) {
  for (int i = 0; i < rows.size(); ++i) {
    measure_row(rows.law(i), rows.own_block(i), rows.free_velocity(i), rows.velocity(i, R), R[to_index(i)], rows.step(),
                sums);
  }
  ExactSum* const all[] = {&sums.spurious, &sums.available, &sums.left, &sums.given, &sums.change, &sums.size};
  rows.add_up(all);
  return accuracy_of(sums);
}

// Until the tolerance, `most` iterations, or, with Solver::kAuto, until they turn out to be too slow.
//   1. Solve row after row, colour by colour; ranks exchange what they have found after each colour.
//   2. Now and then measure what is left, and stop where it is little or will not become little.
//   3. Combine the last iterations to one that would have changed least (extrapolation.hpp).
//   4. Report all measures of the answer.
template <class Rows>
Solved iterate(Rows& rows, const ColourOrder& order, const SolveOptions& options, int most,
               std::span<Eigen::Vector3d> R) {
  Solved solved;
  Forecast forecast = {.tolerance = options.tolerance, .max_sweeps = options.max_sweeps};
  std::vector<double> weights;
  for (int i = 0; i < rows.size(); ++i) weights.push_back(rows.own_block(i).trace());
  Extrapolation memory = make_extrapolation(std::move(weights));
  std::vector<ExactSum*> memory_sums;
  for (ExactSum& sum : memory.sums) memory_sums.push_back(&sum);
  const std::span<Eigen::Vector3d> own = R.first(to_index(rows.size()));
  std::vector<Eigen::Vector3d> before(own.size());
  const double given = size_of_given(rows);
  AccuracySums sums;
  for (int next_check = 1; solved.sweeps < most;) {
    // 1. One iteration.
    std::copy(own.begin(), own.end(), before.begin());
    sums.change = sums.size = {};
    ++solved.sweeps;
    const bool checks = solved.sweeps >= next_check || solved.sweeps == most;
    for (int c = 0; c < order.colours(); ++c) {
      solve_rows(rows, order.of(c), R, checks ? &sums : nullptr);
      rows.exchange_colour(c, R);
    }
    // 2. Enough?
    if (checks) {
      rows.refresh(R);
      const double natural = natural_residual(rows, R, given);
      solved.converged = natural <= options.tolerance;
      const bool hopeless = is_too_slow(forecast, solved.sweeps, natural);
      if (solved.converged || (hopeless && options.solver == Solver::kAuto)) break;
      next_check = solved.sweeps + iterations_to_next_check(options, solved.sweeps, natural);
    }
    // 3. Not after the last iteration: its R obeys every law except for rows solved earlier, an extrapolated one none.
    if (!options.extrapolate || solved.sweeps == most) continue;
    record(memory, before, own);
    rows.add_up(memory_sums);
    extrapolate(memory, own);
    rows.exchange_all(R);
  }
  // 4. The answer.
  solved.accuracy = measure_all(rows, R, sums);
  return solved;
}

// Gauss-Seidel, and where it is too slow Newton's method along a path (newton.hpp). A path that leads nowhere, or too
// far, is left; after some iterations of Gauss-Seidel another one is tried.

inline constexpr int kSweepsPerTurn = 300;
inline constexpr int kIterationsPerTurn = 600;

// Newton's method in this turn: along another path each time.
inline NewtonOptions newton_in_turn(const SolveOptions& options, int turn, int iterations) {
  constexpr std::array<double, 3> starts = {1e4, 1e2, 1e6};
  return {options.tolerance, std::min(kIterationsPerTurn, options.max_iterations - iterations),
          starts[to_index(turn) % starts.size()]};
}

// The best impulses so far.
class BestSoFar {
 public:
  explicit BestSoFar(std::span<const Eigen::Vector3d> R) : R_(R.begin(), R.end()) {}

  void see(const Accuracy& accuracy, std::span<const Eigen::Vector3d> R) {
    if (accuracy.natural >= accuracy_.natural) return;
    accuracy_ = accuracy;
    std::copy(R.begin(), R.end(), R_.begin());
  }
  const Accuracy& accuracy() const { return accuracy_; }
  std::span<const Eigen::Vector3d> impulses() const { return R_; }

 private:
  std::vector<Eigen::Vector3d> R_;
  Accuracy accuracy_ = {.energy = 0, .change = 0, .natural = std::numeric_limits<double>::infinity()};
};

// `sweep` takes the options of a turn and `newton` those of newton_in_turn(); each moves R on from where the other left
// it. In the end R is the answer or, without one, the best there was.
template <class Sweep, class Newton>
Solved solve_by_turns(const SolveOptions& options, std::span<Eigen::Vector3d> R, Sweep&& sweep, Newton&& newton) {
  // Before the first turn Gauss-Seidel has all its iterations, if it is fast enough to need no others.
  SolveOptions in_turn = options;
  Solved solved = sweep(in_turn);
  if (solved.converged) return solved;
  BestSoFar best(R);
  best.see(solved.accuracy, R);
  in_turn.max_sweeps = std::min(kSweepsPerTurn, options.max_sweeps);
  // Here it is to lead away from where it is, and how slow it is does not matter; extrapolated it stays more often.
  in_turn.solver = Solver::kGaussSeidel;
  in_turn.extrapolate = false;
  for (int turn = 0; solved.iterations < options.max_iterations; ++turn) {
    const NewtonResult result = newton(newton_in_turn(options, turn, solved.iterations));
    solved.iterations += result.iterations;
    solved.converged = result.converged;
    // Newton's method has no change per iteration: that of Gauss-Seidel stays.
    best.see({result.accuracy.energy, solved.accuracy.change, result.accuracy.natural}, R);
    if (solved.converged || solved.iterations >= options.max_iterations) break;
    const Solved more = sweep(in_turn);
    solved.sweeps += more.sweeps;
    solved.converged = more.converged;
    solved.accuracy.change = more.accuracy.change;
    best.see(more.accuracy, R);
    if (solved.converged) break;
  }
  solved.accuracy = best.accuracy();
  std::copy(best.impulses().begin(), best.impulses().end(), R.begin());
  return solved;
}

}  // namespace espalier::contact::detail
