#include "espalier/dynamics/detail/runge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier::dynamics::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// [Dormand80] table 2: times, stages, weights (also the last stage), weights minus those of 4th order.
constexpr std::array<double, 6> kTime = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
constexpr std::array<std::array<double, 5>, 6> kStage = {{
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
}};
constexpr std::array<double, 6> kWeight = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
constexpr std::array<double, 7> kError = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// The continuous extension of [Hairer93] II.6.
constexpr std::array<double, 7> kDense = {-12715105075.0 / 11282082432,  0,
                                          87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                          701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                          69997945.0 / 29380423};

// The end of a step: closed, and its slope.
bool arrive(Ode& ode, double time, Point& to) {
  to.time = time;
  return close_loops(ode, time, to.y) && derivative(ode, time, to.y, to.f);
}

}  // namespace

RungeStages::RungeStages(Eigen::Index size) : stage(Eigen::VectorXd::Zero(size)), error(Eigen::VectorXd::Zero(size)) {
  k.fill(Eigen::VectorXd::Zero(size));
}

double runge_step(Ode& ode, const Point& from, double h, double tolerance, RungeStages& stages, Point& to) {
  stages.k[0] = from.f;
  for (std::size_t i = 1; i < 6; ++i) {
    stages.stage = from.y;
    for (std::size_t j = 0; j < i; ++j) stages.stage += h * kStage[i][j] * stages.k[j];
    if (!derivative(ode, from.time + kTime[i] * h, stages.stage, stages.k[i])) return kInfinity;
  }
  to.y = from.y;
  for (std::size_t i = 0; i < 6; ++i) to.y += h * kWeight[i] * stages.k[i];
  if (!arrive(ode, from.time + h, to)) return kInfinity;
  stages.error = h * kError[6] * to.f;
  for (std::size_t i = 0; i < 6; ++i) stages.error += h * kError[i] * stages.k[i];
  const double error = error_norm(ode, stages.error, from.y, to.y, tolerance);
  if (error <= 1 || ode.system.rows == 0) return error;
  const double free = free_error_norm(ode, to, stages.error, tolerance);
  // The projections have used the memory of the evaluation.
  return free <= 1 && !derivative(ode, to.time, to.y, to.f) ? kInfinity : free;
}

void set_runge_interpolant(const RungeStages& stages, const Point& from, const Point& to, Interpolant& between) {
  const double h = to.time - from.time;
  between.set_ends(from.time, h, from.y, to.y, from.f, to.f);
  between.r4 = h * kDense[6] * to.f;
  for (std::size_t i = 0; i < 6; ++i) between.r4 += h * kDense[i] * stages.k[i];
}

bool fixed_step(Ode& ode, const Point& from, double h, RungeStages& stages, Point& to) {
  constexpr std::array<double, 4> kPart = {0, 0.5, 0.5, 1};
  constexpr std::array<double, 4> kShare = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  stages.k[0] = from.f;
  for (std::size_t i = 1; i < 4; ++i) {
    stages.stage = from.y + h * kPart[i] * stages.k[i - 1];
    if (!derivative(ode, from.time + kPart[i] * h, stages.stage, stages.k[i])) return false;
  }
  to.y = from.y;
  for (std::size_t i = 0; i < 4; ++i) to.y += h * kShare[i] * stages.k[i];
  return arrive(ode, from.time + h, to);
}

double first_step(Ode& ode, const Point& from, double longest, double tolerance, RungeStages& stages) {
  const double size = error_norm(ode, from.y, from.y, from.y, tolerance);
  const double slope = error_norm(ode, from.f, from.y, from.y, tolerance);
  const double guess = std::min(size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope, longest);
  stages.stage = from.y + guess * from.f;
  if (!derivative(ode, from.time + guess, stages.stage, stages.k[1])) return std::min(1e-6, longest);
  stages.error = (stages.k[1] - from.f) / guess;
  const double bend = std::max(slope, error_norm(ode, stages.error, from.y, from.y, tolerance));
  const double order_step = bend <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / bend, 0.2);
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
    if (step >= kPowerSteps / 2) growth += std::log(error_norm(ode, stages.error, at.y, at.y, 1));
  }
  return std::exp(growth / (kPowerSteps - kPowerSteps / 2));
}

}  // namespace espalier::dynamics::detail
