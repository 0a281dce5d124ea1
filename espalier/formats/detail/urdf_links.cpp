#include <optional>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/urdf.hpp"
#include "espalier/math/inertia.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::ShapeKind;
using model::ShapeRole;
using model::ShapeSpec;

Eigen::Matrix3d read_moments(XmlReader& xml, const XMLElement* inertia) {
  Eigen::Matrix<double, 6, 1> moments;
  // Products of inertia may be left out and are zero then; moments may not.
  moments << xml.required_number(inertia, "ixx"), xml.required_number(inertia, "iyy"),
      xml.required_number(inertia, "izz"), xml.number(inertia, "ixy", 0), xml.number(inertia, "ixz", 0),
      xml.number(inertia, "iyz", 0);
  return math::matrix_from_moments(moments);
}

// Mass, centre and moments, turned from the inertial frame into the link frame.
void read_inertial(UrdfRobot& robot, UrdfLink& link) {
  XmlReader& xml = robot.xml;
  // A link without <inertial> has no mass in URDF: it is a frame.
  link.body.mass = 0;
  link.body.com = Vector3d::Zero();
  link.body.inertia = Eigen::Matrix3d::Zero();
  const XMLElement* inertial = link.element->FirstChildElement("inertial");
  if (inertial == nullptr) return;
  link.has_inertial = true;
  xml.only_children(inertial, {"origin", "mass", "inertia"});
  const XMLElement* mass = inertial->FirstChildElement("mass");
  if (mass == nullptr) {
    xml.fail(ErrorCode::kName, inertial,
             fmt::format("<inertial> of link {} needs <mass value=\"...\"/>", in_quotes(link.body.name)));
    return;
  }
  math::Inertia given;
  given.mass = xml.required_number(mass, "value");
  // Only the mass is required here; a point mass is what is left without moments.
  if (const XMLElement* inertia = inertial->FirstChildElement("inertia")) {
    given.about_com = read_moments(xml, inertia);
  } else if (given.mass != 0) {
    robot.remark(inertial, fmt::format("link {}", in_quotes(link.body.name)),
                 "a mass without <inertia>: read as a point mass");
  }
  // URDF gives the moments about the axes of its <origin>, ours are about those of the link.
  const math::Inertia turned = math::transformed(read_urdf_origin(xml, inertial), given);
  link.body.mass = turned.mass;
  link.body.com = turned.com;
  link.body.inertia = turned.about_com;
}

void read_mesh(XmlReader& xml, const XMLElement* element, ShapeSpec& shape) {
  shape.kind = ShapeKind::kMesh;
  shape.file = xml.required_text(element, "filename");
  const std::optional<std::vector<double>> scale = xml.optional_numbers(element, "scale");
  if (!scale) return;
  // Files also give one factor for all directions.
  if (scale->size() == 1) {
    shape.scale = Vector3d::Constant((*scale)[0]);
  } else {
    shape.scale = xml.vector(element, "scale", Vector3d::Ones());
  }
}

// The shape in a <geometry>; false where it is none we know.
bool read_geometry(XmlReader& xml, const XMLElement* element, ShapeSpec& shape) {
  std::string_view kind = element->Name();
  // Drake's shapes have its prefix and the same attributes.
  if (kind.starts_with("drake:")) kind.remove_prefix(6);
  if (kind == "box") {
    shape.kind = ShapeKind::kBox;
    xml.required_text(element, "size");
    shape.size = xml.vector(element, "size", Vector3d::Zero());
  } else if (kind == "sphere") {
    shape.kind = ShapeKind::kSphere;
    shape.size = {xml.required_number(element, "radius"), 0, 0};
  } else if (kind == "cylinder" || kind == "capsule") {
    shape.kind = kind == "capsule" ? ShapeKind::kCapsule : ShapeKind::kCylinder;
    shape.size = {xml.required_number(element, "radius"), xml.required_number(element, "length"), 0};
  } else if (kind == "ellipsoid") {
    // Drake's names of the three half axes.
    shape.kind = ShapeKind::kEllipsoid;
    shape.size = {xml.required_number(element, "a"), xml.required_number(element, "b"),
                  xml.required_number(element, "c")};
  } else if (kind == "mesh") {
    read_mesh(xml, element, shape);
  } else {
    return false;
  }
  return true;
}

std::optional<ShapeSpec> read_shape(XmlReader& xml, const XMLElement* element, ShapeRole role) {
  xml.only_children(element, {"origin", "geometry", "material"});
  // <material> beside it is colour, and changes nothing that moves.
  const XMLElement* geometry = element->FirstChildElement("geometry");
  const XMLElement* solid = geometry == nullptr ? nullptr : geometry->FirstChildElement();
  if (solid == nullptr) {
    xml.not_read(element);
    return std::nullopt;
  }
  ShapeSpec shape;
  shape.role = role;
  shape.name = xml.text(element, "name");
  shape.where = xml.where(element);
  // In the link frame, from which our bodies take theirs.
  shape.pose = read_urdf_origin(xml, element);
  if (!read_geometry(xml, solid, shape)) {
    xml.not_read(solid);
    return std::nullopt;
  }
  return shape;
}

// Everything that makes two shapes the same but their role.
std::string shape_key(const ShapeSpec& s) {
  // The name is part of the key: two shapes of different names are two.
  const Eigen::Vector4d q = s.pose.rotation.coeffs();
  const Vector3d& p = s.pose.position;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n{}\n{}", static_cast<int>(s.kind), s.size[0],
                     s.size[1], s.size[2], s.scale[0], s.scale[1], s.scale[2], p[0], p[1], p[2], q[0], q[1], q[2], q[3],
                     s.points.size(), s.file, s.name);
}

// A <visual> and a <collision> that say the same are one shape for both.
void read_shapes(UrdfRobot& robot, UrdfLink& link) {
  std::multimap<std::string, std::size_t> lonely;
  for (const XMLElement* element : children(link.element)) {
    const bool visual = std::string_view(element->Name()) == "visual";
    if (!visual && std::string_view(element->Name()) != "collision") continue;
    const ShapeRole role = visual ? ShapeRole::kVisual : ShapeRole::kCollision;
    std::optional<ShapeSpec> shape = read_shape(robot.xml, element, role);
    if (!shape) continue;
    std::string key = shape_key(*shape);
    // The twin must have the other role: two equal collisions are two.
    const std::string other = fmt::format("{}\n{}", visual ? 'c' : 'v', key);
    const auto twin = lonely.find(other);
    if (twin != lonely.end()) {
      link.body.shapes[twin->second].role = ShapeRole::kBoth;
      // A twin is taken once: three equal visuals and one collision stay three shapes.
      lonely.erase(twin);
      continue;
    }
    lonely.emplace(fmt::format("{}\n{}", visual ? 'v' : 'c', key), link.body.shapes.size());
    link.body.shapes.push_back(std::move(*shape));
  }
}

void read_link(UrdfRobot& robot, const XMLElement* element) {
  XmlReader& xml = robot.xml;
  UrdfLink link;
  link.element = element;
  link.body.name = xml.required_text(element, "name");
  link.body.where = xml.where(element);
  xml.only_children(element, {"inertial", "visual", "collision"});
  // By the name in the file; the body may be called otherwise here.
  const auto [entry, is_new] = robot.link_index.emplace(link.body.name, static_cast<int>(robot.links.size()));
  if (!is_new) {
    xml.fail(ErrorCode::kName, element,
             fmt::format("two links are named {} (first in line {}); rename one", in_quotes(link.body.name),
                         robot.links[entry->second].body.where.line));
    return;
  }
  read_inertial(robot, link);
  read_shapes(robot, link);
  robot.links.push_back(std::move(link));
}

}  // namespace

void read_urdf_links(UrdfRobot& robot) {
  for (const XMLElement* element : children(robot.element, "link")) {
    read_link(robot, element);
    if (robot.xml.failed()) return;
  }
  if (robot.links.empty()) {
    robot.xml.fail(ErrorCode::kTopology, robot.element, "the robot has no <link>; a model has at least one body");
  }
}

}  // namespace espalier::formats::detail
