#include "espalier/geometry/geometry.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "espalier/geometry/detail/mesh_file.hpp"
#include "espalier/geometry/detail/mesh_tree.hpp"
#include "espalier/geometry/detail/polyhedron.hpp"

namespace espalier::geometry {
namespace {

using Eigen::Vector3d;
using model::ShapeKind;

// A polygon of 24 sides is nowhere farther from its circle than 0.9 % of the radius.
constexpr int kCylinderSides = 24;
constexpr std::size_t kMostHullPoints = 4096;

// How many of its sizes a shape needs, all lengths above zero but for the straight part of a capsule.
int sizes_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return 1;
    case ShapeKind::kCapsule:
    case ShapeKind::kCylinder:
      return 2;
    case ShapeKind::kBox:
    case ShapeKind::kEllipsoid:
      return 3;
    case ShapeKind::kPlane:
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
      return 0;
  }
  return 0;
}

Result<void> check_sizes(const model::ShapeSpec& spec) {
  for (int i = 0; i < sizes_of(spec.kind); ++i) {
    const bool may_vanish = spec.kind == ShapeKind::kCapsule && i == 1;
    const double size = spec.size[i];
    // Beyond these its square would not be a number, or none of its digits would count.
    if ((size > 1e-100 || (may_vanish && size >= 0)) && size < 1e100) continue;
    return make_error(ErrorCode::kValue, spec.where,
                      fmt::format("a {} of size {} cannot touch anything; lengths are above 0 m and finite",
                                  model::word(spec.kind), size));
  }
  return {};
}

Geometry make_round(Geometry::Kind kind, const Vector3d& size) {
  Geometry geometry;
  geometry.kind = kind;
  geometry.size = size;
  return geometry;
}

Geometry make_flat(Polyhedron polyhedron) {
  Geometry geometry;
  geometry.kind = Geometry::Kind::kPolyhedron;
  Vector3d low = polyhedron.vertices[0];
  Vector3d high = low;
  for (const Vector3d& v : polyhedron.vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  geometry.size = (high - low) / 2;
  geometry.polyhedron = std::make_shared<const Polyhedron>(std::move(polyhedron));
  return geometry;
}

Result<Geometry> make_hull(const std::vector<Vector3d>& points, const Where& where) {
  if (points.size() > kMostHullPoints) {
    return make_error(
        ErrorCode::kLimit, where,
        fmt::format("a hull of {} points; {} are the most, fewer do as well", points.size(), kMostHullPoints));
  }
  for (const Vector3d& p : points) {
    if (p.cwiseAbs().maxCoeff() < 1e100) continue;
    return make_error(ErrorCode::kValue, where,
                      fmt::format("the hull has a point ({}, {}, {}) that is not finite", p[0], p[1], p[2]));
  }
  const std::optional<math::Hull> hull = math::convex_hull(points);
  if (!hull) {
    return make_error(ErrorCode::kValue, where,
                      fmt::format("the {} points of the hull lie in one plane; add points above or below it, or use a "
                                  "thin box",
                                  points.size()));
  }
  return make_flat(detail::make_polyhedron(*hull));
}

Result<Geometry> make_rounded(Geometry::Round round, const Vector3d& size, const std::vector<Vector3d>& points,
                              const Where& where) {
  Result<Geometry> geometry = make_hull(points, where);
  ESPALIER_TRY(geometry);
  geometry->round = round;
  geometry->size = size;
  return geometry;
}

Result<Geometry> make_mesh(const model::ShapeSpec& spec) {
  namespace fs = std::filesystem;
  const auto fits = [](double scale) { return std::abs(scale) > 1e-50 && std::abs(scale) < 1e50; };
  if (!fits(spec.scale[0]) || !fits(spec.scale[1]) || !fits(spec.scale[2])) {
    return make_error(ErrorCode::kValue, spec.where,
                      fmt::format("the mesh has a scale of ({}, {}, {}); none may be 0 or infinite", spec.scale[0],
                                  spec.scale[1], spec.scale[2]));
  }
  const fs::path written = spec.file;
  // Relative to the folder of the model, wherever the program was started.
  const fs::path path = written.is_absolute() ? written : fs::path(spec.where.file).parent_path() / written;
  Result<TriangleMesh> mesh = detail::read_mesh(path.string(), spec.scale, spec.where);
  ESPALIER_TRY(mesh);
  detail::complete_mesh(*mesh);
  if (mesh->triangles.empty()) {
    return make_error(ErrorCode::kValue, {path.string()}, "the mesh holds no triangle that has an area");
  }
  Geometry geometry;
  geometry.kind = Geometry::Kind::kMesh;
  geometry.mesh = std::make_shared<const TriangleMesh>(*std::move(mesh));
  return geometry;
}

// Exact where the plane stands across an axis, else without bounds.
Box plane_bounds(const math::Pose& pose) {
  Box box;
  box.low.setConstant(-std::numeric_limits<double>::infinity());
  box.high.setConstant(std::numeric_limits<double>::infinity());
  const Vector3d up = pose.rotation * Vector3d::UnitZ();
  for (int i = 0; i < 3; ++i) {
    // Tilted by ever so little it reaches everywhere.
    if (up[(i + 1) % 3] != 0 || up[(i + 2) % 3] != 0) continue;
    (up[i] > 0 ? box.high : box.low)[i] = pose.position[i];
  }
  return box;
}

// The box around a box of these half lengths.
Box turned_bounds(const Vector3d& centre, const Vector3d& half, const math::Pose& pose) {
  const Vector3d middle = pose * centre;
  // How far a turned box reaches along each axis of the world.
  const Vector3d reach = pose.rotation.toRotationMatrix().cwiseAbs() * half;
  return {middle - reach, middle + reach};
}

Box polyhedron_bounds(const Polyhedron& polyhedron, const math::Pose& pose) {
  const Eigen::Matrix3d R = pose.rotation.toRotationMatrix();
  Box box{R * polyhedron.vertices[0], R * polyhedron.vertices[0]};
  for (const Vector3d& v : polyhedron.vertices) {
    const Vector3d p = R * v;
    box.low = box.low.cwiseMin(p);
    box.high = box.high.cwiseMax(p);
  }
  return {box.low + pose.position, box.high + pose.position};
}

// Of the round surface, outside its polyhedron.
Box rounded_bounds(const Geometry& geometry, const math::Pose& pose) {
  const Eigen::Matrix3d R = pose.rotation.toRotationMatrix();
  Vector3d reach = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vector3d across = R.row(i).transpose().cwiseProduct(geometry.size);
    // The widest point of an ellipsoid; of a cylinder that of its circle, and half of its length.
    reach[i] =
        geometry.round == Geometry::Round::kEllipsoid ? across.norm() : across.head<2>().norm() + std::abs(across.z());
  }
  return {pose.position - reach, pose.position + reach};
}

}  // namespace

Result<Geometry> make_geometry(const model::ShapeSpec& spec) {
  const Result<void> sizes = check_sizes(spec);
  ESPALIER_TRY(sizes);
  const Vector3d& size = spec.size;
  switch (spec.kind) {
    case ShapeKind::kSphere:
      return make_round(Geometry::Kind::kSphere, {size[0], 0, 0});
    case ShapeKind::kCapsule:
      // A file gives the whole straight part, a Geometry holds half of it: from the middle to an end.
      return make_round(Geometry::Kind::kCapsule, {size[0], size[1] / 2, 0});
    case ShapeKind::kPlane:
      return make_round(Geometry::Kind::kPlane, Vector3d::Zero());
    case ShapeKind::kBox: {
      Geometry geometry = make_flat(detail::make_box(size / 2));
      // A polyhedron as others, with a kind of its own: pairs of boxes have a faster way.
      geometry.kind = Geometry::Kind::kBox;
      geometry.size = size / 2;
      return geometry;
    }
    // Both touch as hulls of points of their surfaces, except for planes.
    case ShapeKind::kCylinder:
      return make_rounded(Geometry::Round::kCylinder, {size[0], size[0], size[1] / 2},
                          detail::cylinder_points(size[0], size[1] / 2, kCylinderSides), spec.where);
    case ShapeKind::kEllipsoid:
      return make_rounded(Geometry::Round::kEllipsoid, size, detail::ellipsoid_points(size), spec.where);
    case ShapeKind::kHull:
      return make_hull(spec.points, spec.where);
    case ShapeKind::kMesh:
      return make_mesh(spec);
  }
  return make_error(ErrorCode::kUnsupported, spec.where, "a shape that nothing can touch");
}

Box bounds(const Geometry& geometry, const math::Pose& pose) {
  switch (geometry.kind) {
    case Geometry::Kind::kSphere:
      return {pose.position - Vector3d::Constant(geometry.size[0]),
              pose.position + Vector3d::Constant(geometry.size[0])};
    case Geometry::Kind::kPlane:
      return plane_bounds(pose);
    case Geometry::Kind::kBox:
      return turned_bounds(Vector3d::Zero(), geometry.size, pose);
    case Geometry::Kind::kCapsule: {
      const Vector3d end = pose.rotation * Vector3d(0, 0, geometry.size[1]);
      const Vector3d reach = end.cwiseAbs() + Vector3d::Constant(geometry.size[0]);
      return {pose.position - reach, pose.position + reach};
    }
    case Geometry::Kind::kPolyhedron:
      return geometry.round == Geometry::Round::kNone ? polyhedron_bounds(*geometry.polyhedron, pose)
                                                      : rounded_bounds(geometry, pose);
    case Geometry::Kind::kMesh: {
      // The root of the tree has all triangles in its box.
      const TriangleMesh::Node& root = geometry.mesh->nodes[0];
      return turned_bounds((root.low + root.high) / 2, (root.high - root.low) / 2, pose);
    }
  }
  return {};
}

}  // namespace espalier::geometry
