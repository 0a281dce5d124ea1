#pragma once

// Block Gauss-Seidel: each row is solved exactly with all others held, colour by colour. Rows of one colour share no
// block, so that within a colour the order does not matter: ranks that each solve their own rows of a colour and then
// exchange impulses do the same arithmetic as one rank that solves all.
// One driver for two ways to hold the rows: BlockRows here, where W is given block by block, and BodyRows in
// solve_together.cpp, which go without W and over ranks. So what is timed on problems of others is what runs.

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/index.hpp"
#include "espalier/contact/detail/extrapolation.hpp"
#include "espalier/contact/detail/newton.hpp"
#include "espalier/contact/detail/solve_row.hpp"
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

// What the driver asks of its rows; those of a problem that is here as a whole. Columns beyond the rows stay as they
// are given.
class BlockRows {
 public:
  explicit BlockRows(const LocalProblem& problem) : problem_(problem) {}

  int size() const { return static_cast<int>(problem_.rows.size()); }
  double step() const { return problem_.step; }
  const Row& law(int i) const { return problem_.rows[to_index(i)]; }
  const Eigen::Vector3d& free_velocity(int i) const { return problem_.B[to_index(i)]; }
  const Eigen::Matrix3d& own_block(int i) const { return problem_.block[to_index(problem_.diagonal[to_index(i)])]; }

  // Of row i: B + W R, the same without its own impulse, and what is to be done once R_i has changed.
  Eigen::Vector3d velocity(int i, std::span<const Eigen::Vector3d> R) const { return velocity_of(problem_, i, R); }
  Eigen::Vector3d velocity_of_others(int i, std::span<const Eigen::Vector3d> R) const;
  void add_change(int, const Eigen::Vector3d&) {}

  // Between ranks: impulses of a colour; of all rows; before a measure; sums that decide.
  void exchange_colour(int, std::span<Eigen::Vector3d>) {}
  void exchange_all(std::span<Eigen::Vector3d>) {}
  void refresh(std::span<const Eigen::Vector3d>) {}
  void add_up(std::span<ExactSum* const>) const {}

 private:
  const LocalProblem& problem_;
};

inline Eigen::Vector3d BlockRows::velocity_of_others(int i, std::span<const Eigen::Vector3d> R) const {
  // Written out in numbers: this is where iterations over blocks spend their time.
  double x = problem_.B[to_index(i)].x(), y = problem_.B[to_index(i)].y(), z = problem_.B[to_index(i)].z();
  auto add = [&](int from, int to) {
    for (int k = from; k < to; ++k) {
      const double* w = problem_.block[to_index(k)].data();
      const double* r = R[to_index(problem_.column[to_index(k)])].data();
      x += w[0] * r[0] + w[3] * r[1] + w[6] * r[2];
      y += w[1] * r[0] + w[4] * r[1] + w[7] * r[2];
      z += w[2] * r[0] + w[5] * r[1] + w[8] * r[2];
    }
  };
  add(problem_.begin[to_index(i)], problem_.diagonal[to_index(i)]);
  add(problem_.diagonal[to_index(i)] + 1, problem_.begin[to_index(i) + 1]);
  return {x, y, z};
}

// Solves these rows, one after the other, and writes their R. Adds |dR|^2 and |R|^2 to the sums, where there are any.
// A template, as the driver below, so that what it asks of each row is inlined.
template <class Rows>
void solve_rows(Rows& rows, std::span<const int> which, std::span<Eigen::Vector3d> R, AccuracySums* sums) {
  for (const int i : which) {
    Eigen::Vector3d& r = R[to_index(i)];
    const Eigen::Vector3d of_others = rows.velocity_of_others(i, R);
    const Eigen::Vector3d solved = solve_row(rows.law(i), rows.own_block(i), of_others, rows.step(), r);
    const Eigen::Vector3d change = solved - r;
    if (sums != nullptr) {
      sums->change.add(change.squaredNorm());
      sums->size.add(solved.squaredNorm());
    }
    r = solved;
    rows.add_change(i, change);
  }
}

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

// Gauss-Seidel and Newton's method by turns. In a pile that is about to come to rest either one stalls: the first
// crawls from state to state, the second ends where no step makes its laws smaller. Each leads the other away from
// there. Newton's method goes another way each time (newton.hpp), for what stalls one often does not stall the next.

inline constexpr int kSweepsPerTurn = 300;
inline constexpr int kIterationsPerTurn = 20;

// How Newton's method goes in this turn, and for how long at most.
inline NewtonOptions newton_in_turn(const SolveOptions& options, int turn, int iterations) {
  struct Way {
    double stiffness, roundness;
  };
  // Of 23 problems of settling piles these four by turns leave one unsolved, (30, 1) alone three (docs/decisions.md).
  constexpr std::array<Way, 4> ways = {{{30, 10}, {300, 1}, {100, 100}, {1000, 10}}};
  const Way way = ways[to_index(turn) % ways.size()];
  return {options.tolerance, std::min(kIterationsPerTurn, options.max_iterations - iterations), way.stiffness,
          way.roundness};
}

// The best impulses so far, and whether it is worth to go on.
class BestSoFar {
 public:
  explicit BestSoFar(std::span<const Eigen::Vector3d> R) : R_(R.begin(), R.end()) {}

  void see(const Accuracy& accuracy, std::span<const Eigen::Vector3d> R) {
    if (accuracy.natural >= accuracy_.natural) return;
    accuracy_ = accuracy;
    std::copy(R.begin(), R.end(), R_.begin());
  }
  // To be asked once per turn: true where the last ones have not made it half as large.
  bool is_futile() {
    if (accuracy_.natural <= 0.5 * then_) {
      then_ = accuracy_.natural;
      since_ = 0;
    }
    return since_++ >= kTurnsInVain;
  }
  const Accuracy& accuracy() const { return accuracy_; }
  std::span<const Eigen::Vector3d> impulses() const { return R_; }

 private:
  static constexpr int kTurnsInVain = 20;
  std::vector<Eigen::Vector3d> R_;
  Accuracy accuracy_ = {.energy = 0, .change = 0, .natural = std::numeric_limits<double>::infinity()};
  double then_ = std::numeric_limits<double>::infinity();
  int since_ = 0;
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
  // Here it is to lead away from where it is, and how slow it is does not matter. Extrapolated it stays more often: of
  // twelve problems that plain iterations lead out of, it leaves four unsolved.
  in_turn.solver = Solver::kGaussSeidel;
  in_turn.extrapolate = false;
  for (int turn = 0; !best.is_futile() && solved.iterations < options.max_iterations; ++turn) {
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
