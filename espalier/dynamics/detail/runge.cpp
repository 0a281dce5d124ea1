#include "espalier/dynamics/detail/runge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/system_data.hpp"

namespace espalier::dynamics::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNextToNothing = 1e-6;  // [rad] or [m]

// Weights of [Dormand80] minus those of 4th order.
constexpr std::array<double, 7> kError = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// The continuous extension of [Hairer93] II.6.
constexpr std::array<double, 7> kDense = {-12715105075.0 / 11282082432,  0,
                                          87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                          701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                          69997945.0 / 29380423};

void set_stage(const Tableau& method, const Step& step, std::size_t i) {
  RungeStages& s = *step.stages;
  s.stage = step.from->y;
  for (std::size_t j = 0; j < i; ++j) {
    if (method.stage[i][j] != 0) s.stage += step.h * method.stage[i][j] * s.k[j];
  }
}
SlopeAt stage_slope(const Tableau& method, const Step& step, std::size_t i) {
  return {step.from->time + method.time[i] * step.h, &step.stages->stage, &step.stages->k[i]};
}

// The end of a step: closed.
bool set_end(const Tableau& method, const Step& step) {
  Point& to = *step.to;
  to.y = step.from->y;
  for (std::size_t i = 0; i < method.stages; ++i) to.y += step.h * method.weight[i] * step.stages->k[i];
  to.time = step.from->time + step.h;
  return close_loops(*step.ode, to.time, to.y);
}
SlopeAt end_slope(const Step& step) { return {step.to->time, &step.to->y, &step.to->f}; }

double end_error(const Tableau& method, const Step& step) {
  if (!method.has_error) return 0;
  Ode& ode = *step.ode;
  Point& to = *step.to;
  RungeStages& s = *step.stages;
  // The slope at the closed end is the seventh stage, and the first of the next step.
  s.error = step.h * kError[6] * to.f;
  for (std::size_t i = 0; i < 6; ++i) s.error += step.h * kError[i] * s.k[i];
  const double error = error_norm(ode, s.error, step.from->y, to.y, step.tolerance);
  // Refused: only the part that loops leave free may refuse it, see "Explicit steps" in docs/theory/dynamics.md.
  if (error <= 1 || ode.system->rows == 0) return error;
  const double free = free_error_norm(ode, to, s.error, step.tolerance);
  // The projections have used the memory of the evaluation.
  return free <= 1 && !derivative(ode, to.time, to.y, to.f) ? kInfinity : free;
}

bool slope(const Step& step, const SlopeAt& asked) { return derivative(*step.ode, asked.time, *asked.y, *asked.f); }

// Steps on their way through the stages, those that are still good.
class Together {
 public:
  Together(std::span<const Step> steps, OdeBatch& batch) : steps_(steps), batch_(batch) {
    for (std::size_t k = 0; k < steps.size(); ++k) good_[k] = true;
  }
  bool is_good(std::size_t k) const { return good_[k]; }
  int lane(std::size_t k) const { return lane_[k]; }  // of the last evaluation

  // Keeps those for which `act` holds.
  template <class Act>
  void each(const Act& act) {
    for (std::size_t k = 0; k < steps_.size(); ++k) good_[k] = good_[k] && act(steps_[k]);
  }
  // One slope of each, in lanes.
  template <class Ask>
  void evaluate(const Ask& ask) {
    // Only steps that are still good take a lane.
    std::array<SlopeAt, kBatch> asked;
    int lanes = 0;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      if (!good_[k]) continue;
      lane_[k] = lanes;
      asked[to_index(lanes++)] = ask(steps_[k]);
      ++steps_[k].ode->evaluations;
      // As a single evaluation would leave it, for messages about formulas of time.
      steps_[k].ode->time = ask(steps_[k]).time;
    }
    if (lanes == 0) return;
    const auto finite = derivatives_of(*steps_.front().ode, {asked.data(), to_index(lanes)}, batch_);
    for (std::size_t k = 0; k < steps_.size(); ++k) good_[k] = good_[k] && finite[to_index(lane_[k])];
  }

 private:
  std::span<const Step> steps_;
  OdeBatch& batch_;
  std::bitset<kBatch> good_;
  std::array<int, kBatch> lane_{};
};

}  // namespace

const Tableau kDormand = {
    6,
    true,
    {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1},
    {{
        {},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    }},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
const Tableau kClassical = {
    4, false, {0, 0.5, 0.5, 1}, {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
};

RungeStages::RungeStages(Eigen::Index size) : stage(Eigen::VectorXd::Zero(size)), error(Eigen::VectorXd::Zero(size)) {
  k.fill(Eigen::VectorXd::Zero(size));
}

double explicit_step(const Tableau& method, const Step& step) {
  // The slope at the start is known from the step before.
  step.stages->k[0] = step.from->f;
  for (std::size_t i = 1; i < method.stages; ++i) {
    set_stage(method, step, i);
    if (!slope(step, stage_slope(method, step, i))) return kInfinity;
  }
  if (!set_end(method, step) || !slope(step, end_slope(step))) return kInfinity;
  return end_error(method, step);
}

void explicit_steps(const Tableau& method, std::span<const Step> steps, OdeBatch& batch, std::span<double> errors) {
  std::array<std::int64_t, kBatch> evaluations{};
  for (std::size_t k = 0; k < steps.size(); ++k) {
    evaluations[k] = steps[k].ode->evaluations;
    steps[k].stages->k[0] = steps[k].from->f;
  }
  Together all(steps, batch);
  for (std::size_t i = 1; i < method.stages; ++i) {
    all.each([&](const Step& step) { return set_stage(method, step, i), true; });
    all.evaluate([&](const Step& step) { return stage_slope(method, step, i); });
  }
  all.each([&](const Step& step) { return set_end(method, step); });
  all.evaluate([&](const Step& step) { return end_slope(step); });
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (all.is_good(k)) {
      take_motion(batch, all.lane(k), *steps[k].ode);
      errors[k] = end_error(method, steps[k]);
    } else {
      // Once more alone: so the memory of the evaluation shows what broke, or that another lane did.
      steps[k].ode->evaluations = evaluations[k];
      errors[k] = explicit_step(method, steps[k]);
    }
  }
}

void set_runge_interpolant(const RungeStages& stages, const Point& from, const Point& to, Interpolant& between) {
  const double h = to.time - from.time;
  // A cubic through both ends and their slopes, with one term more of 4th order.
  between.set_ends(from.time, h, from.y, to.y, from.f, to.f);
  between.r4 = h * kDense[6] * to.f;
  for (std::size_t i = 0; i < 6; ++i) between.r4 += h * kDense[i] * stages.k[i];
}

double first_step(Ode& ode, const Point& from, double longest, double tolerance, RungeStages& stages) {
  const double size = error_norm(ode, from.y, from.y, from.y, tolerance);
  const double slope = error_norm(ode, from.f, from.y, from.y, tolerance);
  // [Hairer93] takes the time in which y changes by a hundredth of itself. Where y is next to nothing against the unit
  // of 1 rad or 1 m that the errors are measured by, that time says nothing about the motion.
  const bool nothing = size * tolerance < kNextToNothing || slope < 1e-5;
  const double guess = std::min(nothing ? 1e-6 : 0.01 * size / slope, longest);
  // An Euler step tells how fast the slope changes.
  stages.stage = from.y + guess * from.f;
  if (!derivative(ode, from.time + guess, stages.stage, stages.k[1])) return std::min(1e-6, longest);
  stages.error = (stages.k[1] - from.f) / guess;
  // [Hairer93] II.4: the step whose error of 5th order is a hundredth of what is allowed.
  const double bend = std::max(slope, error_norm(ode, stages.error, from.y, from.y, tolerance));
  const double order_step = bend <= 1e-15 ? std::max(1e-6, guess * 1e-3) : elementary::pow(0.01 / bend, 0.2);
  return std::min({100 * guess, order_step, longest});
}

double spectral_radius(Ode& ode, const Point& at, RungeStages& stages) {
  // The first half of the steps turns towards the largest eigenvalues, the second measures them; the mean over several
  // steps evens out how a pair of complex ones turns.
  const double small = std::sqrt(std::numeric_limits<double>::epsilon());
  stages.error = at.y - stages.stage;
  double growth = 0;
  for (int step = 0; step < kPowerSteps; ++step) {
    const double length = error_norm(ode, stages.error, at.y, at.y, 1);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    stages.k[1] = at.y + small / length * stages.error;
    if (!derivative(ode, at.time, stages.k[1], stages.k[2])) return 0;
    stages.error = (stages.k[2] - at.f) / small;
    // The mean of logarithms: a pair of complex eigenvalues makes single lengths rise and fall.
    if (step >= kPowerSteps / 2) growth += elementary::log(error_norm(ode, stages.error, at.y, at.y, 1));
  }
  return elementary::exp(growth / (kPowerSteps - kPowerSteps / 2));
}

}  // namespace espalier::dynamics::detail
