#include "espalier/formats/detail/sdf_joint.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/sdf_axis.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;

// Two axes of four written digits are at right angles within this cosine.
constexpr double kSquare = 1e-3;

struct TypeName {
  const char* name;
  JointType type;
};
constexpr std::array<TypeName, 12> kTypes = {{
    {"revolute", JointType::kRevolute},
    {"continuous", JointType::kRevolute},
    {"prismatic", JointType::kPrismatic},
    {"screw", JointType::kScrew},
    {"universal", JointType::kUniversal},
    {"revolute2", JointType::kUniversal},
    {"ball", JointType::kSpherical},
    {"fixed", JointType::kFixed},
    {"piston", JointType::kCylindrical},  // SDF 1.4
    {"cylindrical", JointType::kCylindrical},
    {"planar", JointType::kPlanar},
    {"free", JointType::kFree},
}};

JointType read_type(XmlReader& xml, const XMLElement* joint) {
  const std::string type = sdf_joint_type(xml, joint);
  std::vector<std::string> names;
  for (const TypeName& entry : kTypes) {
    if (type == entry.name) return entry.type;
    names.push_back(entry.name);
  }
  xml.fail(ErrorCode::kValue, joint,
           fmt::format("joint {} has an unknown type {}{}", in_quotes(xml.text(joint, "name")), in_quotes(type),
                       did_you_mean(type, names)));
  return JointType::kFixed;
}

// Rows of SDF's own that each type brings.
std::vector<const XMLElement*> required_axes(XmlReader& xml, const XMLElement* joint, JointType type) {
  // The first axis is x of a universal joint, or z of any other; the second is its y.
  std::vector<const char*> names = {"axis", "axis2"};
  names.resize(to_index(model::joint_kind(type).axes));
  // Drake's planar joint lies in its own frame.
  if (std::string_view(joint->Name()) == "drake:joint") names.clear();
  std::vector<const XMLElement*> axes;
  for (const char* name : names) {
    const XMLElement* axis = joint->FirstChildElement(name);
    if (axis == nullptr) {
      xml.fail(ErrorCode::kName, joint,
               fmt::format("joint {} of type {} needs <{}><xyz>...</xyz></{}>", in_quotes(xml.text(joint, "name")),
                           in_quotes(xml.text(joint, "type")), name, name));
      return {};
    }
    axes.push_back(axis);
  }
  return axes;
}

// The joint frame turned so that our axes (z; x and y of a universal joint) lie along SDF's.
Quaterniond joint_rotation(SdfJointReader& reader, const XMLElement* joint, const std::vector<const XMLElement*>& axes,
                           int scope, int frame) {
  std::vector<Vector3d> xyz;
  // Each axis may be given in another frame; read_sdf_axis turns it into the frame of the joint.
  for (const XMLElement* axis : axes) xyz.push_back(read_sdf_axis(reader, axis, scope, frame));
  if (xyz.empty() || reader.xml.failed()) return Quaterniond::Identity();
  if (xyz.size() == 1) return math::rotation_with_z(xyz[0]);
  const double cosine = xyz[0].dot(xyz[1]);
  if (std::abs(cosine) > kSquare) {
    reader.xml.fail(ErrorCode::kUnsupported, joint,
                    fmt::format("the two axes of joint {} stand at {:.4g} degrees; only 90 is read: make them square, "
                                "or write two revolute joints with a link between",
                                in_quotes(reader.xml.text(joint, "name")),
                                elementary::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi));
    return Quaterniond::Identity();
  }
  return math::rotation_with_xy(xyz[0], xyz[1]);
}

// thread_pitch is in rad/m and positive for a left-handed thread (Gazebo classic); screw_thread_pitch, from SDF 1.10,
// in m/rev and positive for a right-handed one, as ours. Their defaults contradict each other, so we ask for one.
double read_pitch(XmlReader& xml, const XMLElement* joint) {
  if (joint->FirstChildElement("screw_thread_pitch") != nullptr) return sdf_number(xml, joint, "screw_thread_pitch", 1);
  const XMLElement* old = joint->FirstChildElement("thread_pitch");
  const double pitch = sdf_number(xml, joint, "thread_pitch", 0);
  if (pitch == 0) {
    xml.fail(ErrorCode::kValue, old == nullptr ? joint : old,
             fmt::format("screw {} needs <screw_thread_pitch> in metres per turn (or <thread_pitch> in -rad/m), not "
                         "zero",
                         in_quotes(xml.text(joint, "name"))));
    return 1;
  }
  // The old rule counts radians per metre: 2 pi over it is metres per turn, and its sign is the other way round.
  return -2 * std::numbers::pi / pitch;
}

std::vector<double> own_list(XmlReader& xml, const XMLElement* joint, const char* child) {
  // Absent and empty are the same: an element of ours that a file leaves out changes nothing.
  const XMLElement* element = joint->FirstChildElement(child);
  if (element == nullptr) return {};
  return xml.numbers(element, "the text", XmlReader::content(element));
}

// What SDF has no word for stands in elements of our own namespace, one number a coordinate.
void read_own_elements(XmlReader& xml, const XMLElement* element, JointSpec& joint) {
  const auto take = [&](const char* child, std::vector<double>& into) {
    std::vector<double> values = own_list(xml, element, child);
    if (!values.empty()) into = std::move(values);
  };
  take("espalier:velocity", joint.velocity);
  take("espalier:stiffness", joint.stiffness);
  take("espalier:damping", joint.damping);
  take("drake:damping", joint.damping);
  take("espalier:rest", joint.rest);
  take("espalier:friction", joint.friction);
  take("espalier:armature", joint.armature);
  const std::vector<double> limits = own_list(xml, element, "espalier:limits");
  // Pairs written in one row, as SDF has no lists of lists.
  if (limits.size() % 2 != 0) {
    xml.fail(ErrorCode::kType, element->FirstChildElement("espalier:limits"),
             "<espalier:limits> holds a lower and an upper limit for each coordinate");
  }
  for (std::size_t k = 0; k + 1 < limits.size(); k += 2) joint.limits.push_back({limits[k], limits[k + 1]});
  if (element->FirstChildElement("espalier:effort_limit") != nullptr)
    joint.effort_limit = sdf_number(xml, element, "espalier:effort_limit", 0);
  if (element->FirstChildElement("espalier:velocity_limit") != nullptr)
    joint.velocity_limit = sdf_number(xml, element, "espalier:velocity_limit", 0);
  joint.actuated = sdf_flag(xml, element, "espalier:actuated", false);
}

// Drake's rotor: its inertia counts with the square of the gear ratio.
void read_rotor(XmlReader& xml, const XMLElement* element, JointSpec& joint) {
  if (element->FirstChildElement("drake:rotor_inertia") == nullptr) return;
  if (model::joint_kind(joint.type).freedom != 1)
    return xml.not_read(element->FirstChildElement("drake:rotor_inertia"));
  // Drake takes 1 where no gear is given.
  const double gear = sdf_number(xml, element, "drake:gear_ratio", 1);
  joint.armature = {gear * gear * sdf_number(xml, element, "drake:rotor_inertia", 0)};
}

// Two words meant for physics engines that say what our hints say.
void read_hints(XmlReader& xml, const XMLElement* element, JointSpec& joint) {
  // What only concerns an engine stands here, by the rules of SDF.
  const XMLElement* physics = element->FirstChildElement("physics");
  if (physics == nullptr) return;
  joint.reaction_wanted = sdf_flag(xml, physics, "provide_feedback", false);
  const XMLElement* simbody = physics->FirstChildElement("simbody");
  if (simbody != nullptr) joint.closure = sdf_flag(xml, simbody, "must_be_loop_joint", false);
  xml.only_children(physics, {"provide_feedback", "simbody"});
}

void note_unread(XmlReader& xml, const XMLElement* joint) {
  constexpr std::array<std::string_view, 25> kRead = {
      "parent", "child", "pose", "axis", "axis2", "physics", "thread_pitch", "screw_thread_pitch",
      // Drake's
      "drake:parent", "drake:child", "drake:damping", "drake:rotor_inertia", "drake:gear_ratio",
      // ours
      "espalier:velocity", "espalier:stiffness", "espalier:damping", "espalier:rest", "espalier:friction",
      "espalier:armature", "espalier:limits", "espalier:effort_limit", "espalier:velocity_limit", "espalier:actuated",
      "espalier:parent_pose", "espalier:position"};
  for (const XMLElement* child : children(joint)) {
    if (std::find(kRead.begin(), kRead.end(), child->Name()) == kRead.end()) xml.not_read(child);
  }
}

// X_AF and X_BM, by the rule at the top of the header.
void place(SdfJointReader& reader, const XMLElement* element, int scope, int frame, const Quaterniond& turn,
           JointSpec& joint) {
  XmlReader& xml = reader.xml;
  const SdfFrames& frames = reader.frames;
  const int parent = *frames.find(scope, sdf_joint_end(xml, element, "parent"));
  const int child_link = frames.link(frame);
  // Our z lies along SDF's axis: both frames of the joint are turned together, so that angles keep their zero.
  const math::Pose X_JM{Vector3d::Zero(), turn};
  joint.in_b = math::relative_pose(frames.pose(child_link), frames.pose(frame)) * X_JM;
  const math::Pose& X_WA = frames.pose(frames.link(parent));
  joint.in_a = math::relative_pose(X_WA, frames.pose(frame)) * X_JM;
  if (element->FirstChildElement("espalier:parent_pose") != nullptr) {
    // Ours writes where the joint would stand at zero; other files have the drawn pose as their zero.
    joint.in_a = read_sdf_pose(xml, element, "espalier:parent_pose") * X_JM;
    return;
  }
  if (frames.kind(parent) != SdfFrameKind::kFrame) return;
  // Undrawn: the file gave the child no <pose>, so that its place comes from the joint and the parent frame counts.
  const bool undrawn =
      child_link != SdfFrames::kWorld && frames.element(child_link)->FirstChildElement("pose") == nullptr;
  if (undrawn) {
    joint.in_a = math::relative_pose(X_WA, frames.pose(parent)) * X_JM;
    return;
  }
  // A parent frame that is drawn elsewhere is read by SDF's rule; the note tells of the file that meant otherwise.
  const math::PoseGap gap = math::gap_between(frames.pose(parent), frames.pose(frame));
  if (gap.distance > 1e-9 || gap.angle > 1e-9) {
    xml.note(element, fmt::format("joint {}: its frame is drawn {:.3g} m and {:.3g} rad away from the parent frame {}; "
                                  "as SDF defines, the drawn pose is its zero",
                                  in_quotes(xml.text(element, "name")), gap.distance, gap.angle,
                                  in_quotes(frames.name(parent))));
  }
}

// One number for each of `count` axes, zero where the file does not say.
std::vector<double> drawn_position(XmlReader& xml, const XMLElement* element, std::size_t count) {
  std::vector<double> position = read_sdf_drawn_position(xml, element);
  if (!position.empty() && position.size() != count) {
    xml.fail(ErrorCode::kType, element->FirstChildElement("espalier:position"),
             fmt::format("<espalier:position> holds {}, joint {} has {}; give one number for each axis",
                         counted(position.size(), "number"), in_quotes(xml.text(element, "name")),
                         counted(count, "axis", "axes")));
  }
  position.resize(count);
  return position;
}

// From the other side: what stands in the file as parent is our b.
void reverse(JointSpec& joint) {
  // Seen from the other side both frames swap and their axes turn over, so that the coordinate keeps its value.
  const math::Pose turn{Vector3d::Zero(), sdf_reversing_turn(joint.type)};
  const math::Pose in_a = joint.in_b * turn;
  joint.in_b = joint.in_a * turn;
  joint.in_a = in_a;
  std::swap(joint.a, joint.b);
  if (joint.type == JointType::kUniversal) sdf_reverse_lists(joint);
}

}  // namespace

Quaterniond sdf_reversing_turn(JointType type) {
  // Half a turn about x turns z over; about x - y it makes -y of x and -x of y.
  constexpr double kHalf = std::numbers::sqrt2 / 2;
  if (type == JointType::kUniversal) return {0, kHalf, -kHalf, 0};
  return {0, 1, 0, 0};
}

void sdf_reverse_lists(JointSpec& joint) {
  for (std::vector<double>* list :
       {&joint.velocity, &joint.stiffness, &joint.damping, &joint.rest, &joint.friction, &joint.armature}) {
    std::reverse(list->begin(), list->end());
  }
  std::reverse(joint.limits.begin(), joint.limits.end());
}

std::string sdf_joint_type(XmlReader& xml, const XMLElement* joint) {
  std::string type = xml.required_text(joint, "type");
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  return type;
}

std::string sdf_joint_end(XmlReader& xml, const XMLElement* joint, const char* end) {
  const XMLElement* element = joint->FirstChildElement(end);
  // Drake repeats the elements of SDF under its own prefix inside its joints.
  if (element == nullptr) element = joint->FirstChildElement(fmt::format("drake:{}", end).c_str());
  const std::string_view name = element == nullptr ? std::string_view() : XmlReader::content(element);
  if (name.empty()) {
    xml.fail(ErrorCode::kName, joint,
             fmt::format("joint {} needs <{}>: the name of a link or frame, or world",
                         in_quotes(xml.text(joint, "name")), end));
  }
  return std::string(name);
}

std::vector<double> read_sdf_drawn_position(XmlReader& xml, const XMLElement* joint) {
  return own_list(xml, joint, "espalier:position");
}

JointSpec read_sdf_joint(SdfJointReader& reader, const XMLElement* element, int scope, int frame) {
  XmlReader& xml = reader.xml;
  JointSpec joint;
  joint.name = xml.text(element, "name");
  joint.where = xml.where(element);
  // The type comes first: it says how many axes and coordinates there are.
  joint.type = read_type(xml, element);
  joint.a = reader.body(*reader.frames.find(scope, sdf_joint_end(xml, element, "parent")));
  // `child` names a link or frame; the body is that of the link the frame is attached to.
  joint.b = reader.body(frame);
  if (joint.a == joint.b) {
    xml.fail(ErrorCode::kTopology, element,
             fmt::format("joint {} joins {} to itself; name two different links", in_quotes(joint.name),
                         in_quotes(joint.a)));
  }
  const std::vector<const XMLElement*> axes = required_axes(xml, element, joint.type);
  const Quaterniond turn = joint_rotation(reader, element, axes, scope, frame);
  if (xml.failed()) return joint;
  place(reader, element, scope, frame, turn, joint);
  if (joint.type == JointType::kScrew) joint.pitch = read_pitch(xml, element);
  // A type whose axes are fewer than its coordinates (planar, cylindrical, ball) has no axis to say limits of.
  const bool one_each = static_cast<int>(axes.size()) == model::joint_kind(joint.type).freedom;
  const std::vector<double> drawn = drawn_position(xml, element, one_each ? axes.size() : 0);
  if (one_each) take_sdf_axes(xml, element, axes, drawn, joint);
  if (joint.type == JointType::kSpherical) take_sdf_ball(xml, element, joint);
  for (const XMLElement* axis : axes) {
    if (!one_each) xml.only_children(axis, {"xyz", "use_parent_model_frame"});
  }
  // Our own elements come last: they say what an <axis> cannot, and win over it.
  read_own_elements(xml, element, joint);
  read_rotor(xml, element, joint);
  read_hints(xml, element, joint);
  // Turned round only now: everything above speaks of the file's own parent and child.
  if (xml.text(element, "espalier:reversed") == "true") reverse(joint);
  note_unread(xml, element);
  return joint;
}

}  // namespace espalier::formats::detail
