#include "espalier/formats/detail/sdf_coupling.hpp"

#include <cmath>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/sdf_axis.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::CouplingSpec;
using model::JointSpec;
using model::JointType;

// theta = sign * q, where q is a joint's coordinate and theta the gearbox's angle.
struct GearSide {
  const JointSpec* joint = nullptr;
  double sign = 1;
};

// The revolute joint from the reference body to the body of `side`, and how its angle counts about `axis_W`.
GearSide find_side(const SdfJointReader& reader, const std::vector<JointSpec>& joints, int reference, int side,
                   const Vector3d& axis_W) {
  const std::string& from = reader.body(reference);
  const std::string& to = reader.body(side);
  for (const JointSpec& joint : joints) {
    const bool forward = joint.a == from && joint.b == to;
    // A gear of SDF hangs on the reference body by a revolute joint, in either direction.
    if (joint.type != JointType::kRevolute || !(forward || (joint.a == to && joint.b == from))) continue;
    // in_a stands in the body that the joint calls a; its z is the axis.
    const int holder = reader.frames.link(forward ? reference : side);
    const Vector3d z_W = reader.frames.pose(holder).rotation * (joint.in_a.rotation * Vector3d::UnitZ());
    const double cosine = z_W.dot(axis_W);
    // Two or three degrees: what a file of few digits can be off, and far from the square angles between gears.
    if (std::abs(cosine) < 0.999) continue;
    // Two signs in one: which way the axis points, and from which body the angle counts.
    return {&joint, (cosine > 0) == forward ? 1.0 : -1.0};
  }
  return {};
}

Vector3d gear_axis(SdfJointReader& reader, const XMLElement* joint, const char* name, int scope, int frame) {
  const XMLElement* axis = joint->FirstChildElement(name);
  // Without an axis, SDF takes z.
  const Vector3d axis_J = axis == nullptr ? Vector3d::UnitZ() : read_sdf_axis(reader, axis, scope, frame);
  return reader.frames.pose(frame).rotation * axis_J;
}

}  // namespace

void read_sdf_mimics(XmlReader& xml, const XMLElement* joint, const std::string& prefix,
                     std::vector<SdfCoupling>& into) {
  // SDF puts a mimic into each axis, but a coupling of ours names joints: this is one of one coordinate each.
  for (const char* axis_name : {"axis", "axis2"}) {
    const XMLElement* axis = joint->FirstChildElement(axis_name);
    const XMLElement* mimic = axis == nullptr ? nullptr : axis->FirstChildElement("mimic");
    if (mimic == nullptr) continue;
    const double multiplier = sdf_number(xml, mimic, "multiplier", 1);
    CouplingSpec coupling;
    coupling.joints = {prefix + xml.text(joint, "name"), prefix + xml.required_text(mimic, "joint")};
    coupling.ratio = {1, -multiplier};
    // q = multiplier (q' - reference) + offset, multiplied out.
    coupling.offset = sdf_number(xml, mimic, "offset", 0) - multiplier * sdf_number(xml, mimic, "reference", 0);
    coupling.where = xml.where(mimic);
    xml.only_children(mimic, {"multiplier", "offset", "reference"});
    into.push_back({std::move(coupling), xml.number(mimic, "espalier:order", 0)});
  }
}

void read_sdf_coupling(XmlReader& xml, const XMLElement* element, const std::string& prefix,
                       std::vector<SdfCoupling>& into) {
  CouplingSpec coupling;
  coupling.name = xml.text(element, "name");
  coupling.offset = xml.number(element, "offset", 0);
  coupling.polynomial = xml.optional_numbers(element, "polynomial").value_or(std::vector<double>());
  coupling.where = xml.where(element);
  for (const XMLElement* joint : children(element, "joint")) {
    coupling.joints.push_back(prefix + xml.required_text(joint, "name"));
    // Either ratios or a polynomial, as the native format has it.
    if (coupling.polynomial.empty()) coupling.ratio.push_back(xml.required_number(joint, "ratio"));
  }
  into.push_back({std::move(coupling), xml.number(element, "espalier:order", 0)});
}

void read_sdf_gearbox(SdfJointReader& reader, const XMLElement* joint, int scope, int frame,
                      const std::vector<JointSpec>& joints, std::vector<SdfCoupling>& into) {
  XmlReader& xml = reader.xml;
  const std::string what = fmt::format("gearbox {}", in_quotes(xml.text(joint, "name")));
  const XMLElement* body = joint->FirstChildElement("gearbox_reference_body");
  if (body == nullptr) {
    return xml.fail(ErrorCode::kName, joint, what + " needs <gearbox_reference_body>: the link that holds both gears");
  }
  const int reference = reader.frames.require(scope, XmlReader::content(body), body, what);
  const int parent = reader.frames.require(scope, sdf_joint_end(xml, joint, "parent"), joint, what);
  const Vector3d axis = gear_axis(reader, joint, "axis", scope, frame);
  const Vector3d axis2 = gear_axis(reader, joint, "axis2", scope, frame);
  const double ratio = sdf_number(xml, joint, "gearbox_ratio", 1);
  // The ends must be known before the joints between them can be searched.
  if (xml.failed()) return;
  const GearSide first = find_side(reader, joints, reference, parent, axis);
  const GearSide second = find_side(reader, joints, reference, frame, axis2);
  if (first.joint == nullptr || second.joint == nullptr) {
    return xml.fail(ErrorCode::kUnsupported, joint,
                    fmt::format("{}: no revolute joint along its axis joins the reference body {} to {}; only gears "
                                "that such joints hold are read",
                                what, in_quotes(reader.body(reference)),
                                in_quotes(reader.body(first.joint == nullptr ? parent : frame))));
  }
  // SDF: theta2 = -ratio theta1.
  CouplingSpec coupling;
  coupling.name = xml.text(joint, "name");
  coupling.joints = {first.joint->name, second.joint->name};
  coupling.ratio = {ratio * first.sign, second.sign};
  coupling.where = xml.where(joint);
  into.push_back({std::move(coupling), 0});
}

}  // namespace espalier::formats::detail
