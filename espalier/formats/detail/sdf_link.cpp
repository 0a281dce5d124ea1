#include "espalier/formats/detail/sdf_link.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/sdf_frames.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::BodySpec;
using model::ShapeKind;
using model::ShapeRole;
using model::ShapeSpec;

// SDF's defaults where a file says nothing: 1 kg and the identity, which is seldom what its author meant.
Matrix3d read_moments(XmlReader& xml, const XMLElement* inertial, const std::string& link) {
  const XMLElement* inertia = inertial->FirstChildElement("inertia");
  if (inertia == nullptr) {
    xml.note(inertial,
             fmt::format("link {} has no <inertia>: SDF's default, 1 kg m^2 about each axis", in_quotes(link)));
    return Matrix3d::Identity();
  }
  Eigen::Matrix<double, 6, 1> moments;
  constexpr std::array kNames = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  // SDF gives each entry a default of its own: moments of 1, products of 0.
  for (int k = 0; k < 6; ++k) moments[k] = sdf_number(xml, inertia, kNames[k], k < 3 ? 1.0 : 0.0);
  xml.only_children(inertia, {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"});
  return math::matrix_from_moments(moments);
}

void read_inertial(XmlReader& xml, const XMLElement* inertial, BodySpec& body) {
  // Since 1.11 SDF can compute moments from the shapes of a link.
  const std::string automatic = xml.text(inertial, "auto", "false");
  // An automatic inertia needs the volume of meshes, which are not opened here.
  if (automatic == "true" || automatic == "1") {
    xml.fail(ErrorCode::kUnsupported, inertial,
             fmt::format("link {}: <inertial auto=\"true\"> is not read; write its <mass> and <inertia>",
                         in_quotes(body.name)));
  }
  const math::Pose X_BI = read_sdf_pose(xml, inertial);
  if (inertial->FirstChildElement("mass") == nullptr) {
    xml.note(inertial, fmt::format("link {} has no <mass>: SDF's default, 1 kg", in_quotes(body.name)));
  }
  body.mass = sdf_number(xml, inertial, "mass", 1.0);
  // The pose of <inertial> has its origin in the centre of mass.
  body.com = X_BI.position;
  const Matrix3d moments = read_moments(xml, inertial, body.name);
  // A turned inertial frame has its moments about its own axes; ours are about the body's.
  const bool turned = X_BI.rotation.vec().norm() > 0;
  // Left alone where the axes agree, so that what was written comes back to the last bit.
  body.inertia =
      turned ? math::transformed({Vector3d::Zero(), X_BI.rotation}, {*body.mass, Vector3d::Zero(), moments}).about_com
             : moments;
  xml.only_children(inertial, {"pose", "mass", "inertia"});
}

void read_plane(XmlReader& xml, const XMLElement* plane, ShapeSpec& shape) {
  // Its <size> is for drawing alone; a plane that collides has no end.
  shape.kind = ShapeKind::kPlane;
  const Vector3d normal = sdf_vector(xml, plane, "normal", Vector3d::UnitZ());
  if (normal.stableNorm() == 0) return xml.fail(ErrorCode::kValue, plane, "the <normal> of a plane must not be zero");
  // Our plane looks along its own z.
  shape.pose.rotation = shape.pose.rotation * math::rotation_with_z(normal.stableNormalized());
}

void read_mesh(XmlReader& xml, const XMLElement* mesh, ShapeSpec& shape) {
  shape.kind = ShapeKind::kMesh;
  const XMLElement* uri = mesh->FirstChildElement("uri");
  shape.file = uri == nullptr ? "" : std::string(XmlReader::content(uri));
  // A mesh has no size in SDF, only a factor.
  shape.scale = sdf_vector(xml, mesh, "scale", Vector3d::Ones());
  xml.only_children(mesh, {"uri", "scale"});
  if (shape.file.empty()) xml.fail(ErrorCode::kName, mesh, "<mesh> needs a <uri> with its file");
}

// The geometry as a shape of the right size; nothing (with a note) where we have no such shape.
bool read_geometry(XmlReader& xml, const XMLElement* geometry, ShapeSpec& shape) {
  const XMLElement* kind = geometry->FirstChildElement();
  if (kind == nullptr) {
    xml.fail(ErrorCode::kName, geometry, "<geometry> is empty; put a <box>, <sphere>, <cylinder>, ... into it");
    return false;
  }
  const std::string_view name = kind->Name();
  // Cylinder and capsule have the same two measures; of the capsule the length is without its caps.
  const auto round = [&](ShapeKind round_kind) {
    shape.kind = round_kind;
    shape.size = {sdf_number(xml, kind, "radius", 1), sdf_number(xml, kind, "length", 1), 0};
  };
  if (name == "box") {
    shape.kind = ShapeKind::kBox;
    shape.size = sdf_vector(xml, kind, "size", Vector3d::Ones());
  } else if (name == "sphere") {
    shape.kind = ShapeKind::kSphere;
    shape.size = {sdf_number(xml, kind, "radius", 1), 0, 0};
  } else if (name == "cylinder") {
    round(ShapeKind::kCylinder);
  } else if (name == "capsule") {
    round(ShapeKind::kCapsule);
  } else if (name == "ellipsoid") {
    shape.kind = ShapeKind::kEllipsoid;
    shape.size = sdf_vector(xml, kind, "radii", Vector3d::Ones());
  } else if (name == "plane") {
    read_plane(xml, kind, shape);
  } else if (name == "mesh") {
    read_mesh(xml, kind, shape);
  } else {
    // <empty/> is SDF's own word for nothing.
    if (name != "empty") xml.not_read(kind);
    return false;
  }
  return true;
}

bool same_geometry(const ShapeSpec& a, const ShapeSpec& b) {
  // Bit for bit: a visual that is a hair larger than its collision is another shape.
  return a.kind == b.kind && a.size == b.size && a.file == b.file && a.scale == b.scale &&
         a.pose.position == b.pose.position && a.pose.rotation.coeffs() == b.pose.rotation.coeffs();
}

// The shapes of one link, in file order.
class ShapeList {
 public:
  ShapeList(XmlReader& xml, BodySpec& body) : xml_(xml), body_(body) {}

  void read(const XMLElement* element, ShapeRole role) {
    ShapeSpec shape;
    shape.role = role;
    shape.name = xml_.text(element, "name");
    // <material> of SDF is colour; ours, with a density, has a word of its own.
    shape.material = xml_.text(element, "espalier:material");
    shape.where = xml_.where(element);
    shape.pose = read_sdf_pose(xml_, element);
    const XMLElement* geometry = element->FirstChildElement("geometry");
    if (geometry == nullptr) {
      xml_.fail(ErrorCode::kName, element, fmt::format("<{}> needs a <geometry>", element->Name()));
    } else if (read_geometry(xml_, geometry, shape)) {
      // SDF wants a name for each; our writer marks those it made up.
      add(std::move(shape), xml_.text(element, "espalier:unnamed") == "true");
    }
    // How a visual looks is nobody's physics; how a collision feels is.
    if (role == ShapeRole::kCollision) xml_.only_children(element, {"pose", "geometry"});
  }

 private:
  void add(ShapeSpec shape, bool unnamed) {
    const std::string name = shape.name;
    // Kept until here: a made-up name still tells twins apart.
    if (unnamed) shape.name.clear();
    auto& mine = shape.role == ShapeRole::kVisual ? visuals_ : collisions_;
    const auto& others = shape.role == ShapeRole::kVisual ? collisions_ : visuals_;
    if (!name.empty() && mine.contains(name)) {
      return xml_.fail(
          Error{ErrorCode::kName,
                fmt::format("two shapes of link {} are named {}; rename one", in_quotes(body_.name), in_quotes(name)),
                shape.where});
    }
    // A shape for both roles is written twice under one name; here the two become one again.
    const auto twin = others.find(name);
    if (twin != others.end() && same_geometry(body_.shapes[twin->second], shape)) {
      mine.emplace(name, twin->second);
      // Which of the two came first does not matter: only now is it both.
      body_.shapes[twin->second].role = ShapeRole::kBoth;
      return;
    }
    if (!name.empty()) mine.emplace(name, body_.shapes.size());
    body_.shapes.push_back(std::move(shape));
  }

  XmlReader& xml_;
  BodySpec& body_;
  std::unordered_map<std::string, std::size_t> visuals_, collisions_;
};

}  // namespace

model::BodySpec read_sdf_link(XmlReader& xml, const XMLElement* link) {
  BodySpec body;
  body.name = xml.text(link, "name");
  body.where = xml.where(link);
  // A second <inertial> is not SDF; the first one counts.
  const XMLElement* inertial = link->FirstChildElement("inertial");
  if (inertial != nullptr) {
    read_inertial(xml, inertial, body);
  } else {
    // Without <inertial> SDF still weighs a link.
    xml.note(link, fmt::format("link {} has no <inertial>: SDF's default, 1 kg and 1 kg m^2 about each axis",
                               in_quotes(body.name)));
    body.mass = 1.0;
    body.inertia = Matrix3d::Identity();
  }
  ShapeList shapes(xml, body);
  for (const XMLElement* child : children(link)) {
    const std::string_view name = child->Name();
    if (name == "visual") shapes.read(child, ShapeRole::kVisual);
    if (name == "collision") shapes.read(child, ShapeRole::kCollision);
  }
  // SDF switches gravity off link by link, and our gravity is one vector for the model.
  if (!sdf_flag(xml, link, "gravity", true)) {
    xml.note(link,
             fmt::format("link {} asks for no gravity: not read; gravity acts on all bodies", in_quotes(body.name)),
             "gravity", model::Effect::kForces);
  }
  xml.only_children(link, {"pose", "inertial", "visual", "collision", "gravity"});
  return body;
}

}  // namespace espalier::formats::detail
