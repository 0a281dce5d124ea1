// Joints that are of another type than URDF can say.

#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/urdf.hpp"

namespace espalier::formats::detail {

void retype_urdf_joint(UrdfJoint& joint, model::JointType type) {
  // Only what a joint of another type has too is kept: limits and springs of a hinge mean nothing to a ball.
  model::JointSpec spec;
  spec.name = joint.spec.name;
  spec.type = type;
  spec.in_a = joint.spec.in_a;
  spec.in_b = joint.spec.in_b;
  spec.actuated = joint.spec.actuated;
  spec.closure = joint.spec.closure;
  spec.where = joint.spec.where;
  joint.spec = std::move(spec);
  joint.zero.clear();
}

void make_urdf_balls(UrdfRobot& robot, const std::string& word) {
  const UrdfJoint* first = nullptr;
  std::vector<std::string> hinges;
  int count = 0;
  for (UrdfJoint& joint : robot.joints) {
    // Only hinges: files that mean a ball write it as one, since URDF has no word for it.
    if (joint.spec.type != model::JointType::kRevolute) continue;
    hinges.push_back(in_quotes(joint.spec.name));
    if (joint.spec.name.find(word) == std::string::npos) continue;
    retype_urdf_joint(joint, model::JointType::kSpherical);
    if (count++ == 0) first = &joint;
  }
  // A word that fits nothing is a typing error and must not pass in silence.
  if (first == nullptr) {
    const bool many = hinges.size() > 4;
    // A humanoid has fifty; four show what names look like.
    if (many) hinges.resize(4);
    robot.xml.fail(
        Error{ErrorCode::kOption,
              fmt::format("`spherical` {}: no hinge has this in its name; hinges here: {}{}", in_quotes(word),
                          hinges.empty() ? "none" : fmt::format("{}", fmt::join(hinges, ", ")), many ? ", ..." : ""),
              {robot.file, 0, 0},
              "spherical"});
    return;
  }
  const std::string more = count > 1 ? fmt::format(" and {} more", count - 1) : "";
  robot.notes.push_back({fmt::format("hinges with {} in their names are read as ball joints ({}{})", in_quotes(word),
                                     in_quotes(first->spec.name), more),
                         first->spec.where});
}

}  // namespace espalier::formats::detail
