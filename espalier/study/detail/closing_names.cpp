#include "espalier/study/detail/closing_names.hpp"

#include <algorithm>
#include <numbers>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::study::detail {
namespace {

// Millimetres are what a drawing is measured in; below a thousandth of one, powers of ten say that it is rounding.
std::string length_text(double length) {
  return length > 1e-6 && length < 0.01 ? fmt::format("{:.3g} mm", 1000 * length) : fmt::format("{:.3g} m", length);
}
// The same for degrees, in which nobody thinks of 1e-9.
std::string angle_text(double angle) {
  return angle > 1e-6 ? fmt::format("{:.3g} deg", angle * 180 / std::numbers::pi) : fmt::format("{:.3g} rad", angle);
}

}  // namespace

std::string joint_name(const Closing& closing, model::JointId joint) {
  // The equations that weld a cut body again belong to no joint of the user.
  return joint.valid() ? closing.system.model().joint(joint).name : "(weld of a cut body)";
}

bool is_motion(const Closing& closing, int drive) {
  const std::vector<model::Force>& forces = closing.system.model().forces;
  // Drives are numbered with all motions first, and couplings behind them.
  return drive < std::count_if(
                     forces.begin(), forces.end(),
                     [](const model::Force& force) { return std::holds_alternative<model::Motion>(force.law); });
}

std::string equation_name(const Closing& closing, model::JointId joint, int drive) {
  // An equation without a drive is the joint's own, and the joint says all.
  const std::string name = fmt::format("joint {}", in_quotes(joint_name(closing, joint)));
  if (drive < 0) return name;
  return fmt::format("the {} of {}", is_motion(closing, drive) ? "motion" : "coupling", name);
}
std::string gap_name(const Closing& closing, const dynamics::JointGap& gap) {
  return equation_name(closing, gap.joint, gap.drive);
}

std::string gap_text(const dynamics::JointGap& gap) {
  // What is a thousandth of the other is not worth a word.
  const double least = std::max({gap.distance, gap.angle}) * 1e-3;
  if (gap.angle <= least) return length_text(gap.distance);
  return gap.distance <= least ? angle_text(gap.angle)
                               : fmt::format("{} and {}", length_text(gap.distance), angle_text(gap.angle));
}

// Radians and metres weigh alike: the answer is only compared with kNothing, which is far below both.
double size_of(const dynamics::JointGap& gap) { return std::max(gap.distance, gap.angle); }

// Documents keep these words although reports speak of sliding and turning.
const char* word(model::Direction direction) {
  // Without a default, so that the compiler asks for the word of a new direction.
  switch (direction) {
    case model::Direction::kX:
      return "slide_x";
    case model::Direction::kY:
      return "slide_y";
    case model::Direction::kZ:
      return "slide_z";
    case model::Direction::kAboutX:
      return "turn_x";
    case model::Direction::kAboutY:
      return "turn_y";
    case model::Direction::kAboutZ:
      return "turn_z";
    case model::Direction::kAboutNormal:
      return "turn_normal";
    case model::Direction::kThread:
      return "thread";
  }
  return "";
}

}  // namespace espalier::study::detail
