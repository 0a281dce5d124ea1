#include "espalier/formats/detail/mjcf_write_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/written.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::ShapeKind;
using model::ShapeSpec;
using Type = MjcfWrittenJoint::Type;

std::string list_text(std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    // MJCF separates the numbers of a list by blanks.
    if (!text.empty()) text += ' ';
    text += number_text(value);
  }
  return text;
}

std::vector<double> flat(const std::vector<Vector3d>& points) {
  std::vector<double> all;
  for (const Vector3d& p : points) all.insert(all.end(), {p.x(), p.y(), p.z()});
  return all;
}

// Two shapes with the same key share one asset; scale belongs to the asset in MJCF, so that it is in the key.
std::string mesh_key(const ShapeSpec& shape) {
  // Equal points are one mesh, whatever bodies they belong to.
  if (shape.kind == ShapeKind::kHull) return "hull " + list_text(flat(shape.points));
  return fmt::format("file {} {}", list_text(std::span(shape.scale.data(), 3)), shape.file);
}

bool is_mesh(const ShapeSpec& shape) { return shape.kind == ShapeKind::kMesh || shape.kind == ShapeKind::kHull; }

// Said even for a hinge, which is the default: defaults of a file that includes this one may differ.
const char* type_word(Type type) {
  switch (type) {
    case Type::kHinge:
      return "hinge";
    case Type::kSlide:
      return "slide";
    case Type::kBall:
      return "ball";
    case Type::kFree:
      return "free";
  }
  return "";
}

// The reader has the same table in shape_size(); what one halves the other doubles.
// MJCF counts half lengths.
void write_size(MjcfText& xml, const ShapeSpec& shape) {
  const Vector3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return xml.number("size", s[0]);
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      return xml.list("size", std::array{s[0], s[1] / 2});
    case ShapeKind::kBox:
      return xml.numbers("size", s / 2);
    case ShapeKind::kEllipsoid:
      return xml.numbers("size", s);
    case ShapeKind::kPlane:
      // Without end; the third number is the spacing of its grid.
      return xml.numbers("size", Vector3d(0, 0, 1));
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
      return;
  }
}

void write_role(MjcfText& xml, model::ShapeRole role) {
  switch (role) {
    // A geom of MJCF that can touch nothing is visual; groups 2 and 3 are what MuJoCo's robot models use for the two.
    case model::ShapeRole::kVisual:
      xml.text("contype", "0");
      xml.text("conaffinity", "0");
      xml.text("group", "2");
      break;
    case model::ShapeRole::kCollision:
      xml.text("group", "3");
      break;
    case model::ShapeRole::kBoth:
      break;
  }
}

// sum_k c_k x^k in powers of (x - x0): repeated division by (x - x0).
// Synthetic division by (x - x0), once for each degree, gives the Taylor coefficients about x0.
std::vector<double> about(std::vector<double> c, double x0) {
  for (std::size_t low = 0; low + 1 < c.size(); ++low) {
    for (std::size_t k = c.size() - 1; k > low; --k) c[k - 1] += x0 * c[k];
  }
  return c;
}

}  // namespace

void MjcfText::number(const char* attribute, double value) { text(attribute, number_text(value)); }
void MjcfText::list(const char* attribute, std::span<const double> values) { text(attribute, list_text(values)); }
void MjcfText::numbers(const char* attribute, const Vector3d& values) { list(attribute, std::span(values.data(), 3)); }

void MjcfText::pose(const math::Pose& pose) {
  const Vector3d position = tidy(pose.position);
  // What rounding left near zero is cleared, so that a pose that was never turned stays without a quaternion.
  if (!position.isZero(0)) numbers("pos", position);
  Eigen::Quaterniond q = math::canonical(pose.rotation);
  for (double& component : q.coeffs()) component = tidy_direction(component);
  if (!q.vec().isZero(0)) list("quat", std::array{q.w(), q.x(), q.y(), q.z()});
}

void write_assets(MjcfText& xml, const model::Model& model, MjcfMeshNames& names) {
  MjcfSection section(xml, "asset");
  // A set: materials that no shape uses would be dead weight, and their order must not depend on the bodies.
  std::set<std::string> materials;
  for (const model::Body& body : model.bodies) {
    for (const model::Shape& shape : body.shapes) {
      if (shape.material.valid()) materials.insert(model.materials[shape.material.index()].name);
      if (!is_mesh(shape.spec)) continue;
      // Numbered, since files of the same name may lie in different folders.
      const auto [entry, is_new] = names.try_emplace(mesh_key(shape.spec), fmt::format("mesh_{}", names.size() + 1));
      if (!is_new) continue;
      section.get().open("mesh");
      xml.text("name", entry->second);
      // MuJoCo builds the convex hull of points that have no faces, which is what our hull is.
      if (shape.spec.kind == ShapeKind::kHull) {
        xml.list("vertex", flat(shape.spec.points));
      } else {
        xml.text("file", shape.spec.file);
        if (shape.spec.scale != Vector3d::Ones()) xml.numbers("scale", shape.spec.scale);
      }
      xml.close();
    }
  }
  for (const std::string& material : materials) {
    section.get().open("material");
    xml.text("name", material);
    xml.close();
  }
}

void write_geoms(MjcfText& xml, const model::Model& model, const model::Body& body, const MjcfMeshNames& names,
                 std::set<std::string>& used) {
  for (const model::Shape& each : body.shapes) {
    const ShapeSpec& shape = each.spec;
    xml.open("geom");
    // Names of geoms are unique in MJCF and not in ours; a second one is left out.
    if (!shape.name.empty() && used.insert(shape.name).second) xml.text("name", shape.name);
    xml.text("type", is_mesh(shape) ? "mesh" : model::word(shape.kind));
    // write_assets() has been through all shapes before.
    if (is_mesh(shape)) xml.text("mesh", names.at(mesh_key(shape)));
    write_size(xml, shape);
    xml.pose(shape.pose);
    write_role(xml, shape.role);
    if (each.material.valid()) {
      const model::MaterialSpec& material = model.materials[each.material.index()];
      xml.text("material", material.name);
      if (material.friction) xml.number("friction", *material.friction);
    }
    xml.close();
  }
}

void write_inertial(MjcfText& xml, const math::Inertia& inertia) {
  xml.open("inertial");
  // MuJoCo asks for the place of the centre of mass, also where it is zero.
  xml.numbers("pos", inertia.com);
  xml.number("mass", inertia.mass);
  const Eigen::Matrix<double, 6, 1> moments = math::moments_from_matrix(inertia.about_com);
  // Numbers on the diagonal alone are written as such: MuJoCo diagonalises a full matrix and turns its axes.
  if (moments.tail<3>().isZero(0)) {
    xml.numbers("diaginertia", moments.head<3>());
  } else {
    xml.list("fullinertia", std::span(moments.data(), 6));
  }
  xml.close();
}

void write_joint(MjcfText& xml, const MjcfWrittenJoint& joint) {
  // A <freejoint> takes no class defaults, no damping and no springs: exactly six free coordinates.
  if (joint.type == Type::kFree) {
    xml.open("freejoint");
    xml.text("name", joint.name);
    return xml.close();
  }
  xml.open("joint");
  xml.text("name", joint.name);
  xml.text("type", type_word(joint.type));
  const Vector3d pos = tidy(joint.pos);
  if (!pos.isZero(0)) xml.numbers("pos", pos);
  if (joint.type != Type::kBall) xml.numbers("axis", tidy_direction(joint.axis));
  const double ref = tidy(joint.ref);
  if (ref != 0) xml.number("ref", ref);
  // Said in words, so that the file means the same under any autolimits.
  if (joint.range) {
    xml.text("limited", "true");
    xml.list("range", *joint.range);
  }
  const auto unless_zero = [&](const char* attribute, double value) {
    if (value != 0) xml.number(attribute, value);
  };
  unless_zero("stiffness", joint.stiffness);
  unless_zero("springref", joint.springref);
  unless_zero("damping", joint.damping);
  unless_zero("frictionloss", joint.friction);
  unless_zero("armature", joint.armature);
  // Symmetric, as our limit is.
  if (joint.effort) xml.list("actuatorfrcrange", std::array{-*joint.effort, *joint.effort});
  xml.close();
}

void write_connect(MjcfText& xml, const std::string& name, const std::string& first, const std::string& second,
                   const Vector3d& anchor) {
  xml.open("connect");
  xml.text("name", name);
  xml.text("body1", first);
  xml.text("body2", second);
  xml.numbers("anchor", tidy(anchor));
  xml.close();
}

void write_weld(MjcfText& xml, const std::string& name, const std::string& first, const std::string& second,
                const math::Pose& second_in_first) {
  xml.open("weld");
  xml.text("name", name);
  xml.text("body1", first);
  xml.text("body2", second);
  const Vector3d& p = second_in_first.position;
  // The sign of a quaternion means nothing; canonical() picks one, so that equal models write equal files.
  const Eigen::Quaterniond q = math::canonical(second_in_first.rotation);
  // Always written: without it MuJoCo takes the drawn pose, which may be open.
  xml.list("relpose", std::array{p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
  xml.close();
}

void write_equality_joint(MjcfText& xml, const std::string& name, const std::string& first, const std::string& second,
                          const std::vector<double>& polynomial) {
  xml.open("joint");
  if (!name.empty()) xml.text("name", name);
  xml.text("joint1", first);
  // Without a second joint the first is held at c0.
  if (!second.empty()) xml.text("joint2", second);
  xml.list("polycoef", polynomial);
  xml.close();
}

// False where MJCF has no form for it: more than two joints, or a degree above four.
bool write_coupling(MjcfSection& section, const model::Model& model, const model::Coupling& coupling) {
  std::vector<const model::Joint*> joints;
  for (const model::JointId id : coupling.joints) joints.push_back(&model.joint(id));
  std::vector<double> c = coupling.polynomial;
  if (c.empty()) {
    if (joints.size() > 2) return false;
    std::vector<double> ratio = coupling.ratio;
    // MJCF solves for joint1. With ratio 0 on the first joint it is the other one that the equation determines.
    if (ratio[0] == 0 && joints.size() == 2) {
      std::swap(ratio[0], ratio[1]);
      std::swap(joints[0], joints[1]);
    }
    c = {coupling.offset / ratio[0], joints.size() == 2 ? -ratio[1] / ratio[0] : 0};
  }
  // polycoef holds five numbers, degree four at most.
  while (c.size() > 2 && c.back() == 0) c.pop_back();
  if (c.size() > 5) return false;
  // MuJoCo counts both joints from the drawn pose.
  const double y0 = joints[0]->position[0];
  if (joints.size() == 2) c = about(std::move(c), joints[1]->position[0]);
  c[0] -= y0;
  c.resize(5, 0.0);
  write_equality_joint(section.get(), coupling.name, joints[0]->name, joints.size() == 2 ? joints[1]->name : "", c);
  return true;
}

void write_motor(MjcfText& xml, const std::string& name, const std::string& joint,
                 const std::optional<double>& effort) {
  xml.open("motor");
  xml.text("name", name);
  xml.text("joint", joint);
  // A gear of 1 is the default, so that force and effort are one.
  if (effort) xml.list("forcerange", std::array{-*effort, *effort});
  xml.close();
}

std::optional<MjcfServo> make_servo(const model::Force& force, const std::string& joint) {
  const auto* load = std::get_if<model::Load>(&force.law);
  if (load == nullptr || load->value.size() != 1) return std::nullopt;
  const std::optional<model::StraightLoad> law = model::straight_load(load->value[0], joint);
  // A forcerange has two ends.
  if (!law || (law->range && !(std::isfinite((*law->range)[0]) && std::isfinite((*law->range)[1]))))
    return std::nullopt;
  MjcfServo servo{force.name, joint, *law, 1};
  // So that a control is where the servo pulls to, or how fast.
  if (law->position != 0)
    servo.gain = -law->position;
  else if (law->rate != 0)
    servo.gain = -law->rate;
  return servo;
}

std::optional<double> control_of(const MjcfServo& servo, const model::Expression& value, const std::string& joint) {
  const std::optional<model::StraightLoad> law = model::straight_load(value, joint);
  const bool same =
      law && law->position == servo.law.position && law->rate == servo.law.rate && law->range == servo.law.range;
  return same ? std::optional((law->constant - servo.law.constant) / servo.gain) : std::nullopt;
}

void write_servo(MjcfText& xml, const MjcfServo& servo) {
  const model::StraightLoad& law = servo.law;
  const bool pulls = law.constant == 0 && law.position < 0 && law.rate <= 0;
  const bool brakes = law.constant == 0 && law.position == 0 && law.rate < 0;
  xml.open(pulls ? "position" : brakes ? "velocity" : "general");
  if (!servo.name.empty()) xml.text("name", servo.name);
  xml.text("joint", servo.joint);
  if (pulls) {
    xml.number("kp", -law.position);
    if (law.rate != 0) xml.number("kv", -law.rate);
  } else if (brakes) {
    xml.number("kv", -law.rate);
  } else {
    xml.text("biastype", "affine");
    xml.number("gainprm", servo.gain);
    xml.list("biasprm", std::array{law.constant, law.position, law.rate});
  }
  if (law.range) xml.list("forcerange", *law.range);
  xml.close();
}

bool has_uneven_ball(const model::Joint& joint) {
  if (joint.type != model::JointType::kSpherical && joint.type != model::JointType::kFree) return false;
  for (const std::vector<double>* list :
       {&joint.spec.stiffness, &joint.spec.damping, &joint.spec.friction, &joint.spec.armature}) {
    if (list->empty()) continue;
    const auto turns = list->end() - 3;
    // The last three entries are the turns, for a ball and for the free joint alike.
    if (std::any_of(turns, list->end(), [&](double x) { return x != *turns; })) return true;
  }
  return false;
}

}  // namespace espalier::formats::detail
