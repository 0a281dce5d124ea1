#include "espalier/dynamics/detail/run_failures.hpp"

#include <fmt/format.h>

#include "espalier/dynamics/detail/implicit.hpp"

namespace espalier::dynamics::detail {

std::string open_failure(double gap, double time) {
  return fmt::format("the loops are open by {:.3g} m or rad at the start, t = {} s: assemble the mechanism first", gap,
                     time);
}

std::string number_failure(double time, const Ode& ode) {
  const std::string formula = broken_formula(ode);
  // A formula is named with its own time: that of a stage, before the end of the step.
  if (!formula.empty()) {
    return fmt::format("at t = {} s {}: change the formula, or end the run before that time", ode.time, formula);
  }
  const std::string broken = what_broke(ode);
  return fmt::format(
      "at t = {} s {}: give it inertia where it has none, look for a force that divides by zero, or "
      "take shorter steps",
      time, broken.empty() ? "the loops could not be closed" : broken);
}

std::string step_failure(double time, double h, double tolerance) {
  // Either the motion has no smooth continuation here, or a law has a jump that no step can cross within the tolerance.
  return fmt::format(
      "at t = {} s the step fell to {:.3g} s: the motion passes a singular position, or a force jumps; "
      "ask for a tolerance above {} or for fixed steps",
      time, h, tolerance);
}

std::string size_failure(int coordinates) {
  // Four matrices of n x n numbers: the Jacobian's two halves, the motions' and the factors.
  const auto n = static_cast<double>(coordinates);
  return fmt::format(
      "the implicit integrator is for at most {} coordinates: with {} its matrices take {:.2g} GB; ask "
      "for the integrator runge or fixed",
      kMostImplicit, coordinates, 32e-9 * n * n);
}

std::string count_failure(std::int64_t steps, double time, double h, double tolerance) {
  return fmt::format(
      "{} steps reached only t = {} s, the last of {:.3g} s: allow more, or ask for a tolerance above {} "
      "or for the implicit integrator",
      steps, time, h, tolerance);
}

}  // namespace espalier::dynamics::detail
