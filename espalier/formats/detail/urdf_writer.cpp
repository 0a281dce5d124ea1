#include "espalier/formats/detail/urdf_writer.hpp"

#include <set>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/formats.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using model::BodyId;
using model::ShapeKind;
using model::ShapeRole;
using model::ShapeSpec;

bool is_massless(const model::Body& body) { return body.inertia.mass == 0 && body.inertia.about_com.isZero(0); }

// Pieces that float beside others, and obstacles, are held by a joint of their own: a URDF file has one root.
bool needs_holder(const UrdfOutput& out, BodyId root) {
  return out.frames.roots.size() > 1 || out.frames.grounded || out.model.body(root).kind == model::BodyKind::kObstacle;
}

bool writes_world(const UrdfOutput& out) {
  // A world is written only where something stands on it, or a piece needs it as its root.
  const std::vector<BodyId>& roots = out.frames.roots;
  return out.frames.grounded || !out.model.body(model::kGroundId).shapes.empty() ||
         (!roots.empty() && needs_holder(out, roots[0]));
}

// A reader takes a link 'world' without inertial for the ground.
void name_links(UrdfOutput& out) {
  std::set<std::string> taken;
  // All names first: a new one must not meet a body that comes later.
  for (const model::Body& body : out.model.bodies) taken.insert(body.name);
  for (const model::Body& body : out.model.bodies) {
    std::string name = body.name;
    // Beside a written world there would be two of the name; without mass our reader takes such a link for the ground.
    if (name == "world" && (writes_world(out) || is_massless(body))) {
      while (taken.contains(name) || name == "world") name += "_link";
      out.remark("renamed, as 'world' means the ground in URDF", in_quotes(name));
    }
    out.link_names.push_back(name);
  }
  // The ground of the model is the world of URDF, whether it is written or not.
  out.link_names[0] = "world";
}

void write_inertial(UrdfOutput& out, const model::Body& body, const math::Pose& X_LB) {
  // Without <inertial> a reader takes the link for massless, as it is.
  if (is_massless(body)) return;
  // Moments about the axes of the link, which need not be the body's.
  const math::Inertia inertia = math::transformed(X_LB, body.inertia);
  out.xml.open("inertial").origin({inertia.com, Eigen::Quaterniond::Identity()});
  // URDF asks for mass and moments together.
  out.xml.open("mass").attribute("value", inertia.mass).close();
  const Eigen::Matrix<double, 6, 1> m = math::moments_from_matrix(inertia.about_com);
  out.xml.open("inertia");
  const char* names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  for (int k = 0; k < 6; ++k) out.xml.attribute(names[k], m[k]);
  out.xml.close().close();
}

// The element for a shape and whether URDF's own readers know it; null for shapes URDF cannot hold.
const char* shape_element(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return "sphere";
    case ShapeKind::kBox:
      return "box";
    case ShapeKind::kCapsule:
      return "capsule";
    case ShapeKind::kCylinder:
      return "cylinder";
    case ShapeKind::kEllipsoid:
      return "drake:ellipsoid";
    case ShapeKind::kMesh:
      return "mesh";
    case ShapeKind::kPlane:
    case ShapeKind::kHull:
      break;
  }
  return nullptr;
}

void write_geometry(UrdfOutput& out, const ShapeSpec& shape) {
  out.xml.open("geometry").open(shape_element(shape.kind));
  switch (shape.kind) {
    case ShapeKind::kBox:
      out.xml.attribute("size", shape.size);
      break;
    case ShapeKind::kSphere:
      out.xml.attribute("radius", shape.size[0]);
      break;
    case ShapeKind::kEllipsoid:
      out.xml.attribute("a", shape.size[0]).attribute("b", shape.size[1]).attribute("c", shape.size[2]);
      break;
    case ShapeKind::kMesh:
      out.xml.attribute("filename", shape.file);
      if (shape.scale != Eigen::Vector3d::Ones()) out.xml.attribute("scale", shape.scale);
      break;
    default:
      out.xml.attribute("radius", shape.size[0]).attribute("length", shape.size[1]);
  }
  out.xml.close().close();
}

void write_shape(UrdfOutput& out, const ShapeSpec& shape, const model::Body& body, const math::Pose& X_LB) {
  const std::string example = fmt::format("body {}", in_quotes(body.name));
  // Left out with a remark: no other shape would stand for an endless plane or a hull.
  if (shape_element(shape.kind) == nullptr) {
    out.remark("URDF has no planes and hulls: left out", example);
    return;
  }
  if (shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kEllipsoid) {
    out.remark("capsules and ellipsoids are unknown to many readers of URDF", example);
  }
  // In the link frame, which stands on the joint and not where the body has its own.
  const math::Pose pose = X_LB * shape.pose;
  // A shape for both is written twice: URDF has no common form.
  for (const ShapeRole role : {ShapeRole::kVisual, ShapeRole::kCollision}) {
    if (shape.role != ShapeRole::kBoth && shape.role != role) continue;
    out.xml.open(role == ShapeRole::kVisual ? "visual" : "collision");
    // Names of shapes are optional in URDF.
    if (!shape.name.empty()) out.xml.attribute("name", shape.name);
    out.xml.origin(pose);
    write_geometry(out, shape);
    out.xml.close();
  }
}

void write_links(UrdfOutput& out) {
  // Body 0 is the ground.
  for (std::size_t b = writes_world(out) ? 0 : 1; b < out.model.bodies.size(); ++b) {
    const model::Body& body = out.model.bodies[b];
    const math::Pose X_LB = out.frames.X_BL[b].inverse();
    out.xml.open("link").attribute("name", out.link_names[b]);
    if (b > 0) write_inertial(out, body, X_LB);
    for (const model::Shape& shape : body.shapes) write_shape(out, shape.spec, body, X_LB);
    out.xml.close();
  }
}

void write_holders(UrdfOutput& out) {
  std::set<std::string> taken;
  for (const model::Joint& joint : out.model.joints) taken.insert(joint.name);
  // URDF is one tree with one root.
  for (const BodyId root : out.frames.roots) {
    if (!needs_holder(out, root)) continue;
    // An obstacle stands where it is drawn; all else may fly.
    const bool fixed = out.model.body(root).kind == model::BodyKind::kObstacle;
    std::string name = out.link_names[root.index()] + (fixed ? "_stands" : "_floats");
    while (!taken.insert(name).second) name += "_";
    out.xml.open("joint").attribute("name", name).attribute("type", fixed ? "fixed" : "floating");
    out.xml.open("parent").attribute("link", out.link_names[0]).close();
    out.xml.open("child").attribute("link", out.link_names[root.index()]).close();
    out.xml.close();
    out.remark("a body that no joint holds got a floating or fixed joint to the world", in_quotes(name));
  }
}

const char* interface_word(model::MotorInterface interface) {
  switch (interface) {
    case model::MotorInterface::kEffort:
      return "hardware_interface/EffortJointInterface";
    case model::MotorInterface::kPosition:
      return "hardware_interface/PositionJointInterface";
    case model::MotorInterface::kVelocity:
      return "hardware_interface/VelocityJointInterface";
  }
  return "";
}

// In the words that ros_control asks for.
void write_transmissions(UrdfOutput& out) {
  for (const model::Joint& joint : out.model.joints) {
    if (!joint.spec.actuated) continue;
    // An effort interface where nothing is said: our drives give forces and moments.
    const model::TransmissionSpec transmission =
        joint.spec.transmission.value_or(model::TransmissionSpec{joint.name + "_transmission"});
    out.xml.open("transmission").attribute("name", transmission.name);
    out.xml.content("type", "transmission_interface/SimpleTransmission");
    out.xml.open("joint").attribute("name", joint.name);
    out.xml.content("hardwareInterface", interface_word(transmission.interface)).close();
    out.xml.open("actuator").attribute("name", joint.name + "_actuator");
    out.xml.content("mechanicalReduction", number_text(transmission.reduction).c_str()).close();
    out.xml.close();
  }
}

}  // namespace

UrdfPrinter& UrdfPrinter::open(const char* element) {
  printer_.OpenElement(element);
  return *this;
}

UrdfPrinter& UrdfPrinter::close() {
  printer_.CloseElement();
  return *this;
}

UrdfPrinter& UrdfPrinter::attribute(const char* name, const std::string& value) {
  printer_.PushAttribute(name, value.c_str());
  return *this;
}

UrdfPrinter& UrdfPrinter::attribute(const char* name, double value) {
  return attribute(name, std::span<const double>(&value, 1));
}

UrdfPrinter& UrdfPrinter::attribute(const char* name, std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += ' ';
    text += number_text(value);
  }
  return attribute(name, text);
}

UrdfPrinter& UrdfPrinter::attribute(const char* name, const Eigen::Vector3d& value) {
  return attribute(name, std::span<const double>(value.data(), 3));
}

UrdfPrinter& UrdfPrinter::content(const char* element, const char* words) {
  printer_.OpenElement(element);
  printer_.PushText(words);
  return close();
}

UrdfPrinter& UrdfPrinter::origin(const math::Pose& pose) {
  const Eigen::Vector3d rpy = tidy(math::rpy_from_rotation(pose.rotation));
  const Eigen::Vector3d xyz = tidy(pose.position);
  // An origin that is the identity is left out: it is URDF's default.
  if (rpy.isZero(0) && xyz.isZero(0)) return *this;
  open("origin").attribute("xyz", xyz);
  if (!rpy.isZero(0)) attribute("rpy", rpy);
  return close();
}

WrittenModel write_urdf(const model::Model& model) {
  UrdfOutput out{model, make_urdf_frames(model), {}, {}, {}, {}, {}};
  // Looked up by joint: mimics and loops ask whether a joint is in the tree.
  for (const UrdfTreeJoint& joint : out.frames.joints) out.in_tree[joint.joint] = &joint;
  // In the order of what refers to what: links, then mimics, then the joints that carry them.
  name_links(out);
  choose_urdf_mimics(out);
  out.xml.open("robot").attribute("name", model.name);
  write_links(out);
  write_urdf_joints(out);
  // After the joints of the model, which keep their order so.
  write_holders(out);
  write_urdf_couplings(out);
  write_transmissions(out);
  out.xml.close();
  return {out.xml.text(), out.remarks.notes()};
}

}  // namespace espalier::formats::detail
