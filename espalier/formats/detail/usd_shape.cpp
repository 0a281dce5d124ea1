#include "espalier/formats/detail/usd_shape.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/detail/unique_names.hpp"
#include "espalier/formats/detail/usd_joint.hpp"

namespace espalier::formats::detail {
namespace {

using Eigen::Vector3d;
using model::Effect;
using model::ShapeKind;
using model::ShapeSpec;

// Scales of seven digits that are meant to be equal.
bool about_equal(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)); }

bool is_gprim(std::string_view type) {
  return type == "Cube" || type == "Sphere" || type == "Capsule" || type == "Cylinder" || type == "Plane" ||
         type == "Mesh" || type == "Cone" || type == "Capsule_1" || type == "Cylinder_1" || type == "Points";
}

class ShapeReader {
 public:
  ShapeReader(UsdStage& stage, const UsdPrim& prim) : stage_(stage), prim_(prim) {}

  // False, with a note, where there is no such shape here. `scale` is along the axes of the prim.
  bool read(const Vector3d& scale, bool collides, ShapeSpec& shape) {
    const std::string_view type = prim_.type;
    if (type == "Cube") {
      shape.kind = ShapeKind::kBox;
      // A mirrored box, sphere or cylinder is the same shape: signs of scales do not count.
      shape.size = stage_.finite(prim_, "size", 2) * scale.cwiseAbs();
    } else if (type == "Sphere") {
      read_sphere(scale.cwiseAbs(), shape);
    } else if (type == "Capsule" || type == "Cylinder") {
      read_round(type == "Capsule", scale.cwiseAbs(), shape);
    } else if (type == "Plane") {
      shape.kind = ShapeKind::kPlane;
      turn_axis(stage_.axis(prim_, "axis", 'Z'), shape);
    } else if (type == "Mesh" && collides) {
      return read_hull(scale, shape);
    } else {
      // What is only seen changes no motion.
      stage_.note_once(prim_.line, fmt::format("shapes of type {}: not read", type), std::string(type),
                       collides ? Effect::kContact : Effect::kNone);
      return false;
    }
    return true;
  }

 private:
  void read_sphere(const Vector3d& scale, ShapeSpec& shape) {
    const Vector3d radii = stage_.finite(prim_, "radius", 1) * scale;
    // Radii that differ by the rounding of the file are one sphere.
    const bool round = about_equal(radii[0], radii[1]) && about_equal(radii[0], radii[2]);
    shape.kind = round ? ShapeKind::kSphere : ShapeKind::kEllipsoid;
    shape.size = round ? Vector3d(radii[0], 0, 0) : radii;
  }

  void read_round(bool capsule, const Vector3d& scale, ShapeSpec& shape) {
    const int axis = stage_.axis(prim_, "axis", 'Z');
    const double across = scale[(axis + 1) % 3];
    const bool round = about_equal(across, scale[(axis + 2) % 3]);
    // A capsule's ends stay round only where all three scales agree.
    if (!round || (capsule && !about_equal(across, scale[axis]))) {
      return stage_.fail(ErrorCode::kUnsupported, prim_.line,
                         fmt::format("{} {} is scaled by {:.4g}, {:.4g}, {:.4g}, which makes it another shape; scale "
                                     "{}, or write the size",
                                     prim_.type, in_quotes(prim_.name), scale[0], scale[1], scale[2],
                                     capsule ? "all axes alike" : "both axes across alike"));
    }
    shape.kind = capsule ? ShapeKind::kCapsule : ShapeKind::kCylinder;
    const double radius = stage_.finite(prim_, "radius", capsule ? 0.5 : 1);
    const double height = stage_.finite(prim_, "height", capsule ? 1 : 2);
    shape.size = {radius * across, height * scale[axis], 0};
    turn_axis(axis, shape);
  }

  static void turn_axis(int axis, ShapeSpec& shape) {
    if (axis != 2) shape.pose.rotation = shape.pose.rotation * usd_axis_turn(axis);
  }

  bool read_hull(const Vector3d& scale, ShapeSpec& shape) {
    const std::string approximation = stage_.token(prim_, "physics:approximation", "none");
    // Any other approximation is another shape; the mesh itself would be its hull here, which may close a hole in it.
    if (approximation != "convexHull" || !usd_applied(prim_, "PhysicsMeshCollisionAPI")) {
      stage_.note_once(prim_.line, fmt::format("a mesh that collides by {}: not read", in_quotes(approximation)),
                       "Mesh", Effect::kContact);
      return false;
    }
    const std::vector<double> numbers = stage_.list(prim_, "points");
    if (numbers.empty() || numbers.size() % 3 != 0) {
      stage_.fail(ErrorCode::kType, stage_.line_of(prim_, "points"),
                  fmt::format("mesh {} needs `points`, three numbers each", in_quotes(prim_.name)));
      return false;
    }
    shape.kind = ShapeKind::kHull;
    for (std::size_t k = 0; k + 2 < numbers.size(); k += 3) {
      // Points may be mirrored, so that scales keep their signs.
      shape.points.emplace_back(scale.cwiseProduct(Vector3d(numbers[k], numbers[k + 1], numbers[k + 2])));
    }
    return true;
  }

  UsdStage& stage_;
  const UsdPrim& prim_;
};

// Where the shape stands in its body, and its scale along its own axes [m/unit].
std::optional<Vector3d> place(UsdStage& stage, const UsdNode& node, ShapeSpec& shape) {
  const std::optional<UsdScale> parts = usd_scale(node.X_W.stretch);
  if (!parts || parts->scale.cwiseAbs().minCoeff() == 0) {
    stage.fail(ErrorCode::kUnsupported, node.prim->line,
               fmt::format("the scale above {} {} shears or flattens it; scale it by itself", node.prim->type,
                           in_quotes(node.prim->name)));
    return std::nullopt;
  }
  const math::Pose X_WS{stage.length() * node.X_W.position, node.X_W.rotation * parts->turn};
  if (node.body < 0) {
    shape.pose = X_WS;
  } else {
    const UsdNode& body = stage.node(node.body);
    // Its own body: no product, so that not even rounding moves it.
    shape.pose = body.prim == node.prim ? math::Pose() : math::relative_pose(body.X_WB, X_WS);
  }
  return stage.length() * parts->scale;
}

// What is bound to the prim or to one above it; for physics first. Null: nothing that has a PhysicsMaterialAPI.
const model::MaterialSpec* bound_material(UsdStage& stage, int index, const UsdMaterials& materials) {
  for (int at = index; at >= 0; at = stage.node(at).parent) {
    const UsdPrim& prim = *stage.node(at).prim;
    for (const char* name : {"material:binding:physics", "material:binding"}) {
      const std::vector<std::string> targets = stage.targets(prim, name);
      if (targets.empty()) continue;
      const std::optional<int> target = stage.look_up(prim, targets[0]);
      const auto found = target ? materials.find(*target) : materials.end();
      if (found != materials.end()) return &found->second;
    }
  }
  return nullptr;
}

double said(UsdStage& stage, const UsdPrim& prim, const char* name) {
  return usd_applied(prim, "PhysicsMassAPI") ? stage.finite(prim, name, 0) : 0;
}

// A child's density is stronger than its parent's, any of them than the material's.
double density_of(UsdStage& stage, int index, const model::MaterialSpec* material) {
  const double unit = stage.mass() / (stage.length() * stage.length() * stage.length());
  for (int at = index; at >= 0; at = stage.node(at).parent) {
    const double density = said(stage, *stage.node(at).prim, "physics:density");
    if (density != 0) return density * unit;
    // Densities above the body are those of other bodies.
    if (at == stage.node(index).body) break;
  }
  return material == nullptr ? 0 : material->density.value_or(0);
}

model::ShapeRole role_of(UsdStage& stage, const UsdPrim& prim, bool collides) {
  if (!collides) return model::ShapeRole::kVisual;
  // What collides and is not drawn is told apart, so that it comes back as it was.
  const bool hidden =
      stage.token(prim, "purpose", "default") == "guide" || stage.token(prim, "visibility", "inherited") == "invisible";
  return hidden ? model::ShapeRole::kCollision : model::ShapeRole::kBoth;
}

model::MaterialSpec read_material(UsdStage& stage, const UsdPrim& prim) {
  model::MaterialSpec material;
  material.where = stage.where(prim.line);
  const double density = stage.finite(prim, "physics:density", 0);
  if (density != 0) material.density = density * stage.mass() / (stage.length() * stage.length() * stage.length());
  // What is not written is zero in USD; a value that is blocked stands for a material of ours that does not say.
  const auto coefficient = [&](const char* name) -> std::optional<double> {
    const auto found = prim.properties.find(std::string_view(name));
    if (found != prim.properties.end() && found->second.given && found->second.value.blocked) return std::nullopt;
    return stage.finite(prim, name, 0);
  };
  material.friction = coefficient("physics:dynamicFriction");
  material.restitution = coefficient("physics:restitution");
  const std::optional<double> at_rest = coefficient("physics:staticFriction");
  if (at_rest && material.friction && *at_rest != *material.friction) {
    stage.note_once(prim.line, "materials with another friction at rest: physics:staticFriction is not read",
                    "staticFriction", Effect::kContact);
  }
  return material;
}

}  // namespace

UsdMaterials read_usd_materials(UsdStage& stage) {
  UsdMaterials materials;
  UniqueNames names;
  for (std::size_t k = 0; k < stage.nodes().size(); ++k) {
    const UsdPrim& prim = *stage.nodes()[k].prim;
    if (prim.type != "Material" || !usd_applied(prim, "PhysicsMaterialAPI")) continue;
    model::MaterialSpec material = read_material(stage, prim);
    material.name = names.make(stage.token(prim, "espalier:name", prim.name));
    // By node: bindings name a path, and names may have been changed.
    materials.emplace(static_cast<int>(k), std::move(material));
  }
  return materials;
}

std::optional<UsdShape> read_usd_shape(UsdStage& stage, int index, const UsdMaterials& materials) {
  const UsdNode& node = stage.node(index);
  const UsdPrim& prim = *node.prim;
  if (!is_gprim(prim.type)) return std::nullopt;
  UsdShape read;
  read.node = index;
  read.collides = usd_applied(prim, "PhysicsCollisionAPI");
  ShapeSpec& shape = read.shape;
  shape.where = stage.where(prim.line);
  shape.role = role_of(stage, prim, read.collides);
  if (read.collides) {
    const model::MaterialSpec* material = bound_material(stage, index, materials);
    if (material != nullptr) shape.material = material->name;
    const double mass = said(stage, prim, "physics:mass");
    // Of a body that is its own shape, the mass is the body's.
    read.mass = node.body == index ? 0 : stage.mass() * mass;
    read.density = density_of(stage, index, material);
  }
  const std::optional<Vector3d> scale = place(stage, node, shape);
  if (!scale) return std::nullopt;
  if (!ShapeReader(stage, prim).read(*scale, read.collides, shape)) {
    // What cannot be read as a shape may still have been meant to weigh.
    if (!read.collides || stage.failed()) return std::nullopt;
    return read;
  }
  read.has_volume = true;
  if (!stage.flag(prim, "espalier:unnamed", false)) shape.name = stage.token(prim, "espalier:name", prim.name);
  return stage.failed() ? std::nullopt : std::optional(read);
}

}  // namespace espalier::formats::detail
