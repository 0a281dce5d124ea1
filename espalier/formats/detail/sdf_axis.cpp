#include "espalier/formats/detail/sdf_axis.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointSpec;

// One <axis>: what it says of its coordinate.
struct Axis {
  std::optional<double> lower, upper;
  double damping = 0, friction = 0, stiffness = 0, rest = 0;
  std::optional<double> effort, velocity;
};

// A number that may be inf; nothing where it means "none".
std::optional<double> read_bound(XmlReader& xml, const XMLElement* limit, const char* child) {
  const XMLElement* element = limit == nullptr ? nullptr : limit->FirstChildElement(child);
  if (element == nullptr) return std::nullopt;
  std::string text(XmlReader::content(element));
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.erase(0, 1);
  // Newer files write `inf` where older ones write 1e16; both mean no limit.
  if (text == "inf" || text == "infinity") return std::nullopt;
  const double value = sdf_number(xml, limit, child, kSdfNoLimit);
  return std::abs(value) < kSdfNoLimit ? std::optional(value) : std::nullopt;
}

// `drawn` is what the coordinate reads where SDF's is zero.
Axis read_axis_values(XmlReader& xml, const XMLElement* element, double drawn) {
  Axis axis;
  const XMLElement* limit = element->FirstChildElement("limit");
  axis.lower = read_bound(xml, limit, "lower");
  axis.upper = read_bound(xml, limit, "upper");
  if (axis.lower) *axis.lower += drawn;
  if (axis.upper) *axis.upper += drawn;
  axis.effort = read_bound(xml, limit, "effort");
  axis.velocity = read_bound(xml, limit, "velocity");
  // Both are "not enforced if negative".
  if (axis.effort && *axis.effort < 0) axis.effort.reset();
  if (axis.velocity && *axis.velocity < 0) axis.velocity.reset();
  if (limit != nullptr) xml.only_children(limit, {"lower", "upper", "effort", "velocity"});
  const XMLElement* dynamics = element->FirstChildElement("dynamics");
  if (dynamics != nullptr) {
    axis.damping = sdf_number(xml, dynamics, "damping", 0);
    axis.friction = sdf_number(xml, dynamics, "friction", 0);
    axis.stiffness = sdf_number(xml, dynamics, "spring_stiffness", 0);
    axis.rest = sdf_number(xml, dynamics, "spring_reference", 0);
    // Without a spring nothing rests anywhere.
    const bool sprung = axis.stiffness != 0 || dynamics->FirstChildElement("spring_reference") != nullptr;
    if (sprung) axis.rest += drawn;
    xml.only_children(dynamics, {"damping", "friction", "spring_stiffness", "spring_reference"});
  }
  xml.only_children(element, {"xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"});
  return axis;
}

// The field of all axes as a list, empty where all are zero.
std::vector<double> field(const std::vector<Axis>& axes, double Axis::*member) {
  // All zero is an empty list, so that a written model says nothing of what is not there.
  std::vector<double> values;
  for (const Axis& axis : axes) values.push_back(axis.*member);
  const bool zero = std::all_of(values.begin(), values.end(), [](double x) { return x == 0; });
  return zero ? std::vector<double>() : values;
}

// Ours has both sides on every coordinate or no limits at all.
void take_limits(XmlReader& xml, const XMLElement* element, const std::vector<Axis>& axes, JointSpec& joint) {
  const auto limited = [](const Axis& axis) { return axis.lower || axis.upper; };
  // A limit on one axis of two asks for numbers on the other as well: the largest that SDF knows.
  if (std::none_of(axes.begin(), axes.end(), limited)) return;
  for (const Axis& axis : axes) {
    joint.limits.push_back({axis.lower.value_or(-kSdfNoLimit), axis.upper.value_or(kSdfNoLimit)});
    if (axis.lower && axis.upper) continue;
    xml.note(element, fmt::format("joint {}: a limit on one {} only: the other {} is set to 1e16",
                                  in_quotes(xml.text(element, "name")), limited(axis) ? "side" : "axis",
                                  limited(axis) ? "side" : "axis"));
  }
}

}  // namespace

Vector3d read_sdf_axis(SdfJointReader& reader, const XMLElement* axis, int scope, int frame) {
  XmlReader& xml = reader.xml;
  Vector3d xyz = sdf_vector(xml, axis, "xyz", Vector3d::UnitZ());
  const XMLElement* element = axis->FirstChildElement("xyz");
  if (xyz.stableNorm() == 0) {
    xml.fail(ErrorCode::kValue, element, "the axis must not be zero; give its direction, as 0 0 1");
    return Vector3d::UnitZ();
  }
  // The length means nothing in SDF, only the direction.
  xyz = xyz.stableNormalized();
  std::string expressed_in = element == nullptr ? "" : xml.text(element, "expressed_in");
  // Up to 1.4 axes stand in the model frame; 1.5 and 1.6 have a switch for it.
  if (sdf_flag(xml, axis, "use_parent_model_frame", reader.version_minor <= 4) && reader.version_minor <= 6) {
    expressed_in = "__model__";
  }
  if (expressed_in.empty()) return xyz;
  const int base = reader.frames.require(scope, expressed_in, axis, "the axis (expressed_in)");
  // R_WE turns from the named frame to the world, R_JE on into the joint frame.
  const Quaterniond R_WE = reader.frames.pose(base).rotation;
  const Quaterniond R_JE = reader.frames.pose(frame).rotation.conjugate() * R_WE;
  return R_JE * xyz;
}

void take_sdf_axes(XmlReader& xml, const XMLElement* element, const std::vector<const XMLElement*>& elements,
                   const std::vector<double>& drawn, JointSpec& joint) {
  std::vector<Axis> axes;
  for (const XMLElement* axis : elements) axes.push_back(read_axis_values(xml, axis, drawn[axes.size()]));
  joint.damping = field(axes, &Axis::damping);
  joint.friction = field(axes, &Axis::friction);
  joint.stiffness = field(axes, &Axis::stiffness);
  joint.rest = field(axes, &Axis::rest);
  // A continuous joint has no limits by its type, whatever numbers stand beside it.
  if (sdf_joint_type(xml, element) != "continuous") take_limits(xml, element, axes, joint);
  // Ours has one effort and one velocity limit for the joint; the first axis gives them.
  for (const Axis& axis : axes) {
    if (!joint.effort_limit) joint.effort_limit = axis.effort;
    if (!joint.velocity_limit) joint.velocity_limit = axis.velocity;
    if ((axis.effort && axis.effort != joint.effort_limit) ||
        (axis.velocity && axis.velocity != joint.velocity_limit)) {
      xml.note(element, fmt::format("joint {}: effort and velocity limits of the second axis are not read",
                                    in_quotes(xml.text(element, "name"))));
    }
  }
}

void take_sdf_ball(XmlReader& xml, const XMLElement* element, JointSpec& joint) {
  const XMLElement* axis = element->FirstChildElement("axis");
  if (axis == nullptr) return;
  const XMLElement* dynamics = axis->FirstChildElement("dynamics");
  const double damping = dynamics == nullptr ? 0 : sdf_number(xml, dynamics, "damping", 0);
  // A ball of SDF has one damping for its three turns.
  if (damping != 0) joint.damping.assign(3, damping);
  if (dynamics != nullptr) xml.only_children(dynamics, {"damping"});
  xml.only_children(axis, {"xyz", "dynamics", "use_parent_model_frame"});
}

}  // namespace espalier::formats::detail
