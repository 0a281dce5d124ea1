// URDF with its loop dialects: URDF+ <loop>, links with several parents, a YAML sidecar with closed_loop.

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/detail/unread.hpp"
#include "espalier/formats/detail/urdf.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

int find_in(const std::unordered_map<std::string, int>& index, const std::string& name) {
  const auto entry = index.find(name);
  return entry == index.end() ? -1 : entry->second;
}

void check_robot(UrdfRobot& robot) {
  XmlReader& xml = robot.xml;
  // A file may be named .urdf and hold something else.
  if (std::string_view(robot.element->Name()) != "robot") {
    xml.fail(ErrorCode::kFormat, robot.element,
             fmt::format("a URDF file starts with <robot>, not with <{}>", robot.element->Name()));
  }
  for (const XMLElement* child : children(robot.element)) {
    // A xacro file is a program that writes URDF; its macros would read as unknown elements.
    if (!std::string_view(child->Name()).starts_with("xacro:")) continue;
    xml.fail(ErrorCode::kUnsupported, child,
             fmt::format("<{}>: this is a xacro file; expand it first: xacro {} > robot.urdf", child->Name(),
                         xml.where(child).file));
  }
  xml.only_children(robot.element, {"link", "joint", "drake:joint", "loop", "coupling", "transmission", "material"});
}

// The links and joints as bodies and joints, in file order.
model::ModelSpec make_spec(UrdfRobot& robot) {
  model::ModelSpec spec;
  spec.name = robot.xml.text(robot.element, "name");
  spec.where = {robot.file, 0, 0};
  for (UrdfJoint& joint : robot.joints) {
    const auto name = [&](int link) { return link < 0 ? std::string(model::kGround) : robot.links[link].body.name; };
    // A reversed joint was written from its other side.
    joint.spec.a = name(joint.reversed ? joint.child : joint.parent);
    joint.spec.b = name(joint.reversed ? joint.parent : joint.child);
    spec.joints.push_back(std::move(joint.spec));
  }
  for (UrdfLink& link : robot.links) {
    // The ground exists anyway; it is listed where it has shapes.
    if (!link.is_ground || !link.body.shapes.empty()) spec.bodies.push_back(std::move(link.body));
  }
  spec.couplings = std::move(robot.couplings);
  spec.notes = robot.all_notes();
  return spec;
}

}  // namespace

void UrdfRobot::remark(const XMLElement* first, const std::string& example, const std::string& message) {
  // One remark for a kind of thing: a robot has fifty of them.
  Remark& remark = remarks_[message];
  if (remark.count++ > 0) return;
  // The first one gives place and example to the note.
  remark.first = first;
  remark.example = example;
}

int UrdfRobot::find_link(const XMLElement* at, const std::string& name, std::string_view what) {
  const int index = find_in(link_index, name);
  if (index < 0 && !xml.failed()) {
    xml.fail(ErrorCode::kName, at,
             fmt::format("{} names an unknown link {}{}", what, in_quotes(name), did_you_mean(name, link_names())));
  }
  return index;
}

int UrdfRobot::find_joint(const XMLElement* at, const std::string& name, std::string_view what) {
  const int index = find_in(joint_index, name);
  if (index < 0 && !xml.failed()) {
    xml.fail(ErrorCode::kName, at,
             fmt::format("{} names an unknown joint {}{}", what, in_quotes(name), did_you_mean(name, joint_names())));
  }
  return index;
}

void UrdfRobot::add_joint(UrdfJoint joint) {
  // Mimics, transmissions and sidecars find joints by name, so that each name must be one joint.
  const auto [entry, is_new] = joint_index.emplace(joint.spec.name, static_cast<int>(joints.size()));
  if (!is_new) {
    const int line = joints[entry->second].spec.where.line;
    xml.fail(
        Error{ErrorCode::kName,
              fmt::format("two joints are named {} (first in line {}); rename one", in_quotes(joint.spec.name), line),
              joint.spec.where});
    return;
  }
  joints.push_back(std::move(joint));
}

std::string UrdfRobot::unused_joint_name(std::string name) const {
  // Names that we make up never take one of the file.
  while (joint_index.contains(name)) name += "_";
  return name;
}

std::vector<std::string> UrdfRobot::link_names() const {
  std::vector<std::string> names;
  // As the file has them: bodies may have been renamed, and a hint must name what the user wrote.
  for (const UrdfLink& link : links) names.push_back(xml.text(link.element, "name"));
  return names;
}

std::vector<std::string> UrdfRobot::joint_names() const {
  std::vector<std::string> names;
  for (const UrdfJoint& joint : joints) names.push_back(joint.spec.name);
  return names;
}

std::vector<model::Note> UrdfRobot::all_notes() const {
  std::vector<model::Note> all = xml.notes();
  for (const auto& [message, remark] : remarks_) {
    const std::string more = remark.count > 1 ? fmt::format(" and {} more", remark.count - 1) : "";
    all.push_back({fmt::format("{} ({}{})", message, remark.example, more), xml.where(remark.first)});
  }
  // Notes of the sidecar come last; their lines are of another file.
  all.insert(all.end(), notes.begin(), notes.end());
  return all;
}

math::Pose read_urdf_origin(XmlReader& xml, const XMLElement* parent) {
  const XMLElement* origin = parent->FirstChildElement("origin");
  if (origin == nullptr) return {};
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  math::Pose pose;
  pose.position = xml.vector(origin, "xyz", zero);
  const Eigen::Vector3d rpy = xml.vector(origin, "rpy", zero);
  // URDF counts in radians without exception.
  if (std::any_of(rpy.begin(), rpy.end(), looks_like_degrees)) xml.note_degrees(origin, "rpy");
  // Zeros would still pass through sines and cosines of zero; the identity keeps its bits.
  if (!rpy.isZero(0)) pose.rotation = math::normalised(math::rotation_from_rpy(rpy));
  return pose;
}

Result<model::ModelSpec> read_urdf(std::string_view text, const std::string& name, const ReadOptions& options) {
  UrdfRobot robot;
  robot.file = name;
  // The elements live as long as this reader does.
  robot.element = robot.xml.parse(text, name);
  if (robot.element == nullptr) return tl::unexpected(robot.xml.error());
  const auto place = [&options](UrdfRobot& r) { place_urdf_links(r, options.base.value_or(Base::kFloating)); };
  // The order counts: joints name links, placing needs both, couplings and sidecars name joints.
  using Step = void (*)(UrdfRobot&);
  for (const Step step : std::array<Step, 3>{check_robot, read_urdf_links, read_urdf_joints}) {
    step(robot);
    if (robot.xml.failed()) return tl::unexpected(robot.xml.error());
  }
  place(robot);
  if (robot.xml.failed()) return tl::unexpected(robot.xml.error());
  for (const Step step : std::array<Step, 3>{read_urdf_sidecar, read_urdf_transmissions, read_urdf_couplings}) {
    step(robot);
    if (robot.xml.failed()) return tl::unexpected(robot.xml.error());
  }
  // Last, over what file and sidecar say: the option is the user's own word.
  if (!options.spherical.empty()) make_urdf_balls(robot, options.spherical);
  if (robot.xml.failed()) return tl::unexpected(robot.xml.error());
  return make_spec(robot);
}

}  // namespace espalier::formats::detail
