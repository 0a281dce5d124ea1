#pragma once

// Shapes for tests, and a second way to tell how far polyhedra are apart.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "espalier/base/numbers.hpp"
#include "espalier/geometry/geometry.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::geometry::test {

using Eigen::Vector3d;

inline Geometry shape(model::ShapeKind kind, const Vector3d& size, std::vector<Vector3d> points = {}) {
  model::ShapeSpec spec;
  spec.kind = kind;
  spec.size = size;
  spec.points = std::move(points);
  return make_geometry(spec).value();
}
inline Geometry sphere(double radius) { return shape(model::ShapeKind::kSphere, {radius, 0, 0}); }
inline Geometry plane() { return shape(model::ShapeKind::kPlane, Vector3d::Zero()); }
inline Geometry box(const Vector3d& lengths) { return shape(model::ShapeKind::kBox, lengths); }
inline Geometry capsule(double radius, double length) { return shape(model::ShapeKind::kCapsule, {radius, length, 0}); }
inline Geometry hull(std::vector<Vector3d> points) {
  return shape(model::ShapeKind::kHull, Vector3d::Zero(), std::move(points));
}

inline math::Pose at(double x, double y, double z) { return {{x, y, z}, Eigen::Quaterniond::Identity()}; }

inline Vector3d random_vector(Random& random, double range) {
  return {random.uniform(-range, range), random.uniform(-range, range), random.uniform(-range, range)};
}
inline Eigen::Quaterniond random_rotation(Random& random) {
  return Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
}
inline math::Pose random_pose(Random& random, double range) {
  return {random_vector(random, range), random_rotation(random)};
}
inline Geometry random_hull(Random& random, int points, double radius) {
  std::vector<Vector3d> corners;
  for (int k = 0; k < points; ++k) corners.push_back(radius * random_vector(random, 1));
  return hull(corners);
}

// A polyhedron in the world, and what is said of it by trying everything.
struct Solid {
  Solid(const Polyhedron& polyhedron, const math::Pose& pose) {
    for (const Vector3d& v : polyhedron.vertices) vertices.push_back(pose * v);
    for (std::size_t f = 0; f < polyhedron.normals.size(); ++f) {
      normals.push_back(pose.rotation * polyhedron.normals[f]);
      std::vector<Vector3d> face;
      for (int k = polyhedron.rim_begin[f]; k < polyhedron.rim_begin[f + 1]; ++k) {
        face.push_back(vertices[polyhedron.rim[k]]);
      }
      faces.push_back(face);
    }
    for (const auto& edge : polyhedron.edges) edges.push_back({vertices[edge.vertex[0]], vertices[edge.vertex[1]]});
  }
  std::vector<Vector3d> vertices, normals;
  std::vector<std::vector<Vector3d>> faces;
  std::vector<std::array<Vector3d, 2>> edges;
};

// The largest gap between the shadows of both on any axis that may separate them.
inline double axis_separation(const Solid& a, const Solid& b) {
  double best = -1e300;
  const auto offer = [&](const Vector3d& n) {
    const auto shadow = [&](const Solid& solid) {
      double low = 1e300;
      double high = -1e300;
      for (const Vector3d& v : solid.vertices) {
        low = std::min(low, n.dot(v));
        high = std::max(high, n.dot(v));
      }
      return std::array<double, 2>{low, high};
    };
    const auto [low_a, high_a] = shadow(a);
    const auto [low_b, high_b] = shadow(b);
    best = std::max({best, low_b - high_a, low_a - high_b});
  };
  for (const Vector3d& n : a.normals) offer(n);
  for (const Vector3d& n : b.normals) offer(n);
  for (const auto& [p, q] : a.edges) {
    for (const auto& [r, s] : b.edges) {
      const Vector3d n = (q - p).cross(s - r);
      if (n.norm() > 1e-7 * (q - p).norm() * (s - r).norm()) offer(n.normalized());
    }
  }
  return best;
}

inline double point_line(const Vector3d& p, const Vector3d& from, const Vector3d& to) {
  const Vector3d along = to - from;
  return (p - from - std::clamp((p - from).dot(along) / along.squaredNorm(), 0.0, 1.0) * along).norm();
}

// Distance of a point from a face that is convex, by its triangles.
inline double point_face(const Vector3d& p, const std::vector<Vector3d>& face, const Vector3d& normal) {
  bool inside = true;
  double least = 1e300;
  for (std::size_t k = 0; k < face.size(); ++k) {
    const Vector3d& from = face[k];
    const Vector3d& to = face[(k + 1) % face.size()];
    inside = inside && (to - from).cross(p - from).dot(normal) >= 0;
    least = std::min(least, point_line(p, from, to));
  }
  return inside ? std::abs(normal.dot(p - face[0])) : least;
}

inline double line_line(const std::array<Vector3d, 2>& a, const std::array<Vector3d, 2>& b) {
  double least = std::min({point_line(a[0], b[0], b[1]), point_line(a[1], b[0], b[1]), point_line(b[0], a[0], a[1]),
                           point_line(b[1], a[0], a[1])});
  const Vector3d u = a[1] - a[0];
  const Vector3d v = b[1] - b[0];
  Eigen::Matrix<double, 3, 2> M;
  M << u, -v;
  const Eigen::Vector2d st = M.colPivHouseholderQr().solve(b[0] - a[0]);
  if (st.minCoeff() > 0 && st.maxCoeff() < 1) least = std::min(least, (M * st - (b[0] - a[0])).norm());
  return least;
}

// Distance of two polyhedra that do not overlap.
inline double distance(const Solid& a, const Solid& b) {
  double least = 1e300;
  for (const auto& e : a.edges) {
    for (const auto& f : b.edges) least = std::min(least, line_line(e, f));
  }
  for (std::size_t f = 0; f < a.faces.size(); ++f) {
    for (const Vector3d& v : b.vertices) least = std::min(least, point_face(v, a.faces[f], a.normals[f]));
  }
  for (std::size_t f = 0; f < b.faces.size(); ++f) {
    for (const Vector3d& v : a.vertices) least = std::min(least, point_face(v, b.faces[f], b.normals[f]));
  }
  return least;
}

// How far a point lies outside of the solid; negative inside.
inline double height(const Solid& solid, const Vector3d& p) {
  double highest = -1e300;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    highest = std::max(highest, solid.normals[f].dot(p - solid.faces[f][0]));
  }
  if (highest <= 0) return highest;
  double least = 1e300;
  for (std::size_t f = 0; f < solid.faces.size(); ++f) {
    least = std::min(least, point_face(p, solid.faces[f], solid.normals[f]));
  }
  return least;
}

}  // namespace espalier::geometry::test
