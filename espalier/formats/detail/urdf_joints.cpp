#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/urdf.hpp"
#include "espalier/formats/detail/urdf_zero.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;

struct TypeWord {
  const char* word;
  JointType type;
};

// URDF's own words, Drake's ball, and our words for what URDF lacks.
constexpr std::array<TypeWord, 12> kWords = {{{"revolute", JointType::kRevolute},
                                              {"continuous", JointType::kRevolute},
                                              {"prismatic", JointType::kPrismatic},
                                              {"fixed", JointType::kFixed},
                                              {"floating", JointType::kFree},
                                              {"planar", JointType::kPlanar},
                                              {"spherical", JointType::kSpherical},
                                              {"ball", JointType::kSpherical},
                                              {"universal", JointType::kUniversal},
                                              {"cylindrical", JointType::kCylindrical},
                                              {"screw", JointType::kScrew},
                                              {"free", JointType::kFree}}};

JointType read_type(UrdfRobot& robot, const XMLElement* element, const std::string& word) {
  const auto* found = std::find_if(kWords.begin(), kWords.end(), [&](const TypeWord& w) { return word == w.word; });
  if (found != kWords.end()) return found->type;
  std::vector<std::string> known;
  std::string list;
  for (const TypeWord& w : kWords) {
    known.emplace_back(w.word);
    list += (list.empty() ? "" : ", ") + known.back();
  }
  robot.xml.fail(
      ErrorCode::kName, element,
      fmt::format("joint {} has the unknown type {}; I read {}{}", in_quotes(robot.xml.text(element, "name")),
                  in_quotes(word), list, did_you_mean(word, known)));
  return JointType::kFixed;
}

// A direction, scaled so that neither its square overflows nor vanishes; nothing where the element is missing.
std::optional<Vector3d> read_axis(UrdfRobot& robot, const XMLElement* joint, const char* name) {
  const XMLElement* element = joint->FirstChildElement(name);
  if (element == nullptr) return std::nullopt;
  // x is URDF's default, also where <axis> has no xyz.
  const Vector3d axis = robot.xml.vector(element, "xyz", Vector3d::UnitX());
  const double largest = axis.cwiseAbs().maxCoeff();
  if (largest == 0) {
    robot.xml.fail(ErrorCode::kValue, element,
                   fmt::format("joint {} has a zero <{}>; give it a direction, e.g. xyz=\"0 0 1\"",
                               in_quotes(robot.xml.text(joint, "name")), name));
    return std::nullopt;
  }
  return (axis / largest).normalized();
}

Quaterniond universal_frame(UrdfRobot& robot, const XMLElement* joint) {
  const std::optional<Vector3d> x = read_axis(robot, joint, "axis");
  const std::optional<Vector3d> y = read_axis(robot, joint, "axis2");
  if (!x && !y) return Quaterniond::Identity();
  // Looser than rounding: files have six digits.
  if (!x || !y || std::abs(x->dot(*y)) > 1e-6) {
    robot.xml.fail(ErrorCode::kValue, joint,
                   fmt::format("universal joint {} needs two perpendicular directions, <axis> (held by the parent) and "
                               "<axis2> (held by the child), or neither for x and y",
                               in_quotes(robot.xml.text(joint, "name"))));
    return Quaterniond::Identity();
  }
  return math::rotation_with_xy(*x, *y);
}

// The joint frame in URDF's frame of the joint: our joints turn about z, URDF's about <axis>.
Quaterniond joint_frame(UrdfRobot& robot, const XMLElement* joint, JointType type) {
  // Balls, free and fixed joints have no axis: their frame is that of the joint.
  const int axes = model::joint_kind(type).axes;
  if (axes == 0) return Quaterniond::Identity();
  if (axes == 2) return universal_frame(robot, joint);
  // URDF's axis is x where it is not said; Drake's planar joint always moves in the x-y plane of its frame.
  const bool drake_planar = type == JointType::kPlanar && std::string_view(joint->Name()) == "drake:joint";
  const Vector3d otherwise = drake_planar ? Vector3d::UnitZ() : Vector3d::UnitX();
  return math::rotation_with_z(read_axis(robot, joint, "axis").value_or(otherwise));
}

// One number for all coordinates or one for each; empty where the attribute is missing.
std::vector<double> coordinate_values(UrdfRobot& robot, const XMLElement* element, const char* attribute,
                                      const JointSpec& spec) {
  const std::optional<std::vector<double>> values = robot.xml.optional_numbers(element, attribute);
  // A fixed joint has no coordinates to give values to.
  const auto freedom = to_index(model::joint_kind(spec.type).freedom);
  if (!values || freedom == 0) return {};
  if (values->size() == 1) return std::vector<double>(freedom, (*values)[0]);
  if (values->size() == freedom) return *values;
  robot.xml.fail(
      ErrorCode::kType, element,
      fmt::format("{}={} of joint {} must be one number{}", attribute, in_quotes(robot.xml.text(element, attribute)),
                  in_quotes(spec.name), freedom > 1 ? fmt::format(" or {}, one a coordinate", freedom) : ""));
  return {};
}

bool takes_limits(const JointSpec& spec) {
  const model::JointKind& kind = model::joint_kind(spec.type);
  return kind.freedom > 0 && kind.position_size == kind.freedom;
}

void read_limit(UrdfRobot& robot, const XMLElement* joint, const std::string& word, JointSpec& spec) {
  const XMLElement* limit = joint->FirstChildElement("limit");
  const std::string example = fmt::format("joint {}", in_quotes(spec.name));
  const bool has_lower = limit != nullptr && limit->Attribute("lower") != nullptr;
  const bool has_upper = limit != nullptr && limit->Attribute("upper") != nullptr;
  const bool asks = word == "revolute" || word == "prismatic";
  // URDF asks for limits on these two. A <loop> has no such rule.
  if (asks && !has_lower && !has_upper && std::string_view(joint->Name()) != "loop") {
    robot.remark(limit == nullptr ? joint : limit, example,
                 "a revolute or prismatic joint without lower and upper limits: read as unlimited");
  }
  if (limit == nullptr || spec.type == JointType::kFixed) return;
  if (limit->Attribute("effort") != nullptr) spec.effort_limit = robot.xml.required_number(limit, "effort");
  if (limit->Attribute("velocity") != nullptr) spec.velocity_limit = robot.xml.required_number(limit, "velocity");
  if (!has_lower && !has_upper) return;
  // A continuous joint turns without end, and limits of a quaternion's components mean nothing.
  if (word == "continuous" || !takes_limits(spec)) {
    robot.remark(limit, example, "lower and upper limits of a continuous, spherical or floating joint: not read");
    return;
  }
  std::vector<double> lower = coordinate_values(robot, limit, "lower", spec);
  std::vector<double> upper = coordinate_values(robot, limit, "upper", spec);
  // As URDF has it, a limit that is not said is zero where the other one is.
  const auto freedom = to_index(model::joint_kind(spec.type).freedom);
  lower.resize(freedom, 0.0);
  upper.resize(freedom, 0.0);
  for (std::size_t k = 0; k < freedom; ++k) spec.limits.push_back({lower[k], upper[k]});
}

void drop_zeros(std::vector<double>& values) {
  // Zeros are URDF's defaults and are often written out.
  if (std::all_of(values.begin(), values.end(), [](double x) { return x == 0; })) values.clear();
}

// <dynamics>, or <joint_properties> as onshape-to-robot has it. Stiffness, rest and armature are our own words.
void read_dynamics(UrdfRobot& robot, const XMLElement* joint, JointSpec& spec) {
  const XMLElement* dynamics = joint->FirstChildElement("dynamics");
  // Only where there is no <dynamics>: the two say the same.
  if (dynamics == nullptr) dynamics = joint->FirstChildElement("joint_properties");
  if (dynamics == nullptr) return;
  spec.damping = coordinate_values(robot, dynamics, "damping", spec);
  // Friction is read as Coulomb's: constant, against the motion.
  spec.friction = coordinate_values(robot, dynamics, "friction", spec);
  spec.stiffness = coordinate_values(robot, dynamics, "stiffness", spec);
  spec.rest = coordinate_values(robot, dynamics, "rest", spec);
  spec.armature = coordinate_values(robot, dynamics, "armature", spec);
  for (std::vector<double>* values : {&spec.damping, &spec.friction, &spec.stiffness, &spec.rest, &spec.armature}) {
    drop_zeros(*values);
  }
}

void read_pitch(UrdfRobot& robot, const XMLElement* joint, JointSpec& spec) {
  if (spec.type != JointType::kScrew) return;
  const XMLElement* thread = joint->FirstChildElement("drake:screw_thread_pitch");
  if (thread != nullptr) {
    spec.pitch = robot.xml.required_number(thread, "value");
  } else if (joint->Attribute("pitch") != nullptr) {
    spec.pitch = robot.xml.required_number(joint, "pitch");
  }
  if (spec.pitch == 0) {
    robot.xml.fail(ErrorCode::kValue, joint,
                   fmt::format("screw joint {} needs pitch=\"...\" in metres per turn, not "
                               "zero",
                               in_quotes(spec.name)));
  }
}

// What our writer put in to please other readers goes; a number that was changed since then stays.
void drop_stand_ins(const std::string& not_given, JointSpec& spec) {
  for (const std::string_view name : split_words(not_given)) {
    // Compared with the exact number: a limit that somebody has set since is a limit.
    if (name == "effort" && spec.effort_limit == kUrdfStandIn) spec.effort_limit.reset();
    if (name == "velocity" && spec.velocity_limit == kUrdfStandIn) spec.velocity_limit.reset();
    const bool range = name == "lower" || name == "upper";
    if (!range || spec.limits.size() != 1) continue;
    if (spec.limits[0] == std::array{-kUrdfStandIn, kUrdfStandIn}) spec.limits.clear();
  }
}

// <espalier>: what our writer adds so that a model comes back as it was.
void read_extension(UrdfRobot& robot, UrdfJoint& joint) {
  const XMLElement* own = joint.element->FirstChildElement("espalier");
  if (own == nullptr) return;
  joint.spec.velocity = coordinate_values(robot, own, "velocity", joint.spec);
  // Hints for results change no motion.
  joint.spec.reaction_wanted = robot.xml.text(own, "reaction") == "wanted";
  joint.reversed = robot.xml.text(own, "reversed") == "true";
  drop_stand_ins(robot.xml.text(own, "not_given"), joint.spec);
  if (takes_limits(joint.spec)) joint.zero = coordinate_values(robot, own, "zero", joint.spec);
}

// From the joint as URDF has it to the one the file was made from.
void undo_zero_and_reversal(UrdfJoint& joint) {
  JointSpec& spec = joint.spec;
  if (joint.reversed) {
    // The writer exchanged the two frames and turned both: this is the way back.
    const math::Pose back = reversal(spec.type).inverse();
    const math::Pose in_parent = spec.in_a;
    spec.in_a = spec.in_b * back;
    spec.in_b = in_parent * back;
  }
  if (joint.zero.empty()) return;
  const ZeroShift shift = zero_shift(spec.type, spec.pitch, joint.zero);
  spec.in_a = spec.in_a * shift.in_a.inverse();
  spec.in_b = spec.in_b * shift.in_b.inverse();
  // Limits and rest positions were written from the drawn pose; here they count from the joint's own zero again.
  for (std::size_t k = 0; k < spec.limits.size(); ++k) {
    for (double& limit : spec.limits[k]) limit += joint.zero[k];
  }
  if (spec.stiffness.empty() && spec.rest.empty()) return;
  spec.rest.resize(joint.zero.size(), 0.0);
  for (std::size_t k = 0; k < spec.rest.size(); ++k) spec.rest[k] += joint.zero[k];
}

// What <joint> and <loop> share; returns the frame that turns z onto the axis.
Quaterniond read_common(UrdfRobot& robot, UrdfJoint& joint) {
  const XMLElement* element = joint.element;
  JointSpec& spec = joint.spec;
  spec.name = robot.xml.required_text(element, "name");
  spec.where = robot.xml.where(element);
  const std::string word = robot.xml.required_text(element, "type");
  if (robot.xml.failed()) return Quaterniond::Identity();
  // The type comes first: it says how many numbers each list has.
  spec.type = read_type(robot, element, word);
  read_pitch(robot, element, spec);
  read_limit(robot, element, word, spec);
  read_dynamics(robot, element, spec);
  read_extension(robot, joint);
  return joint_frame(robot, element, spec.type);
}

// The link named by <parent link="..."/> and its like.
int read_end(UrdfRobot& robot, const UrdfJoint& joint, const char* name) {
  const XMLElement* end = joint.element->FirstChildElement(name);
  if (end == nullptr) {
    robot.xml.fail(ErrorCode::kName, joint.element,
                   fmt::format("joint {} needs <{} link=\"...\"/>", in_quotes(joint.spec.name), name));
    return -1;
  }
  const std::string link = robot.xml.required_text(end, "link");
  if (robot.xml.failed()) return -1;
  return robot.find_link(end, link, fmt::format("joint {}", in_quotes(joint.spec.name)));
}

void check_ends(UrdfRobot& robot, const UrdfJoint& joint) {
  if (joint.parent < 0 || joint.parent != joint.child) return;
  robot.xml.fail(ErrorCode::kTopology, joint.element,
                 fmt::format("joint {} joins link {} to itself; name two different links", in_quotes(joint.spec.name),
                             in_quotes(robot.links[joint.parent].body.name)));
}

UrdfJoint read_joint(UrdfRobot& robot, const XMLElement* element) {
  robot.xml.only_children(element, {"origin", "parent", "child", "axis", "axis2", "limit", "dynamics", "mimic",
                                    "joint_properties", "drake:screw_thread_pitch", "espalier"});
  UrdfJoint joint;
  joint.element = element;
  const Quaterniond frame = read_common(robot, joint);
  // Links have been read before all joints, so that an unknown name is a mistake.
  joint.parent = read_end(robot, joint, "parent");
  joint.child = read_end(robot, joint, "child");
  joint.origin = read_urdf_origin(robot.xml, element);
  // Both frames coincide at zero in URDF: the origin in the parent, the child's own frame.
  joint.spec.in_a = joint.origin * math::Pose{Vector3d::Zero(), frame};
  joint.spec.in_b = {Vector3d::Zero(), frame};
  undo_zero_and_reversal(joint);
  return joint;
}

// URDF+: the two <origin> frames coincide at the loop joint's zero, and <axis> is given in them.
UrdfJoint read_loop(UrdfRobot& robot, const XMLElement* element) {
  robot.xml.only_children(element, {"predecessor", "successor", "axis", "axis2", "limit", "dynamics",
                                    "drake:screw_thread_pitch", "espalier"});
  UrdfJoint joint;
  joint.element = element;
  joint.spec.closure = true;
  const math::Pose frame{Vector3d::Zero(), read_common(robot, joint)};
  // A <loop> is neither reversed nor shifted, whatever <espalier> in it says.
  joint.reversed = false;
  joint.zero.clear();
  joint.parent = read_end(robot, joint, "predecessor");
  joint.child = read_end(robot, joint, "successor");
  if (robot.xml.failed()) return joint;
  joint.spec.in_a = read_urdf_origin(robot.xml, element->FirstChildElement("predecessor")) * frame;
  joint.spec.in_b = read_urdf_origin(robot.xml, element->FirstChildElement("successor")) * frame;
  return joint;
}

}  // namespace

void read_urdf_joints(UrdfRobot& robot) {
  for (const XMLElement* element : children(robot.element)) {
    const std::string_view name = element->Name();
    if (name != "joint" && name != "drake:joint" && name != "loop") continue;
    UrdfJoint joint = name == "loop" ? read_loop(robot, element) : read_joint(robot, element);
    check_ends(robot, joint);
    if (robot.xml.failed()) return;
    robot.add_joint(std::move(joint));
  }
}

}  // namespace espalier::formats::detail
