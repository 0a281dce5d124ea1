#include "espalier/dynamics/detail/laws.hpp"

#include <algorithm>

#include "espalier/base/numbers.hpp"

namespace espalier::dynamics::detail {
namespace {

// How far a coordinate is past a limit, after the onset; its integral; and how far the damper is in, 0 to 1. All have a
// continuous slope, so that an adaptive integrator meets no corner.
struct Onset {
  double depth, integral, share;
};
Onset onset(double past, double width) {
  if (past >= width) return {past - width / 2, past * past / 2 - past * width / 2 + width * width / 6, 1};
  const double x = past / width;
  return {past * x / 2, past * past * x / 6, x * x * (3 - 2 * x)};
}

// `past` grows into the limit at `rate`; the effort pushes back out and never pulls.
LawValue limit_value(const CoordinateLaw& law, double past, double rate) {
  if (past <= 0) return {};
  const Onset in = onset(past, law.limit_onset);
  const double spring = law.limit_stiffness * in.depth;
  const double effort = std::max(0.0, spring + law.limit_damping * in.share * rate);
  return {effort, law.limit_stiffness * in.integral, (spring - effort) * rate};
}

}  // namespace

LawValue evaluate_law(const CoordinateLaw& law, double q, double velocity) {
  const double stretch = q - law.rest;
  LawValue value;
  const double lost = law.damping * velocity + law.friction * elementary::tanh(velocity / kFrictionSpeed);
  value.effort = -law.stiffness * stretch - lost;
  value.energy = law.stiffness * stretch * stretch / 2;
  value.power = -lost * velocity;
  if (!law.limited) return value;
  const LawValue low = limit_value(law, law.low - q, -velocity);
  const LawValue high = limit_value(law, q - law.high, velocity);
  value.effort += low.effort - high.effort;
  value.energy += low.energy + high.energy;
  value.power += low.power + high.power;
  return value;
}

}  // namespace espalier::dynamics::detail
