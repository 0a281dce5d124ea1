#include "espalier/model/spec.hpp"

#include <numbers>

#include "espalier/math/inertia.hpp"

namespace espalier::model {

std::optional<math::Inertia> solid_inertia(const ShapeSpec& shape) {
  // Of density 1: mass is volume here.
  constexpr double kPi = std::numbers::pi;
  const Eigen::Vector3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return math::sphere_inertia(4.0 / 3.0 * kPi * s[0] * s[0] * s[0], s[0]);
    case ShapeKind::kBox:
      return math::box_inertia(s.prod(), s);
    case ShapeKind::kCylinder:
      return math::cylinder_inertia(kPi * s[0] * s[0] * s[1], s[0], s[1]);
    case ShapeKind::kCapsule:
      // The cylinder between, and the two half spheres as one sphere.
      return math::capsule_inertia(kPi * s[0] * s[0] * (s[1] + 4.0 / 3.0 * s[0]), s[0], s[1]);
    case ShapeKind::kEllipsoid:
      return math::ellipsoid_inertia(4.0 / 3.0 * kPi * s.prod(), s);
    // (G2) in hull_inertia(); points in one plane span no hull.
    case ShapeKind::kHull: {
      const std::optional<math::Hull> hull = math::convex_hull(shape.points);
      return hull ? std::optional(math::hull_inertia(*hull, 1.0)) : std::nullopt;
    }
    // A half space has no end, and a mesh is not opened here.
    case ShapeKind::kPlane:
    case ShapeKind::kMesh:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace espalier::model
