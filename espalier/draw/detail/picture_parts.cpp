#include "espalier/draw/detail/picture_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::draw::detail {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Over the left shoulder, as draughtsmen have it.
const Vector3d kSun = Vector3d(-0.35, 0.75, 0.56).normalized();

double light_of(const Vector3d& normal) { return 0.28 + 0.4 * std::max(0.0, normal.dot(kSun)); }

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

Face face_of(const std::vector<Vector3d>& corners, const Vector3d& normal) {
  Face face;
  for (const Vector3d& p : corners) {
    face.outline.push_back(p.head<2>());
    // By its middle: faces of bodies that do not cut each other are sorted rightly by it nearly always.
    face.depth += p.z() / static_cast<double>(corners.size());
  }
  face.light = light_of(normal);
  return face;
}

void box_faces(const Vector3d& half, const math::Pose& X_EP, std::vector<Face>& faces) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const Vector3d normal = X_EP.rotation * (side * Vector3d::Unit(axis));
      // Faces that look away are behind the others.
      if (normal.z() < 1e-9) continue;
      std::vector<Vector3d> corners;
      // Around the face, so that the path closes without crossing itself.
      for (const auto& [u, v] : {std::array{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        Vector3d corner;
        corner[axis] = side * half[axis];
        corner[(axis + 1) % 3] = u * half[(axis + 1) % 3];
        corner[(axis + 2) % 3] = v * half[(axis + 2) % 3];
        corners.push_back(X_EP * corner);
      }
      faces.push_back(face_of(corners, normal));
    }
  }
}

std::vector<Vector3d> circle(double radius, double height, const math::Pose& X_EP) {
  std::vector<Vector3d> points;
  constexpr int kSides = 20;
  for (int k = 0; k < kSides; ++k) {
    const double angle = math::kTurn * k / kSides;
    points.push_back(X_EP * Vector3d(radius * elementary::cos(angle), radius * elementary::sin(angle), height));
  }
  return points;
}

// The outline of a cylinder, and the end that faces the eye above it.
void cylinder_faces(double radius, double length, const math::Pose& X_EP, std::vector<Face>& faces) {
  const Vector3d axis = X_EP.rotation * Vector3d::UnitZ();
  std::vector<Vector2d> points;
  std::array<std::vector<Vector3d>, 2> ends = {circle(radius, -length / 2, X_EP), circle(radius, length / 2, X_EP)};
  for (const std::vector<Vector3d>& end : ends) {
    for (const Vector3d& p : end) points.push_back(p.head<2>());
  }
  // The side is lit as its strip towards the eye.
  const Vector3d side = (Vector3d::UnitZ() - axis * axis.z()).normalized();
  if (std::abs(axis.z()) < 0.999) faces.push_back({convex_outline(points), X_EP.position.z(), light_of(side), 0});
  // From the side the ends are lines.
  if (std::abs(axis.z()) < 0.02) return;
  const bool upper = axis.z() > 0;
  Face end = face_of(ends[upper ? 1 : 0], upper ? axis : Vector3d(-axis));
  // A little before the side: of two that are equal the end is drawn later.
  end.depth = X_EP.position.z() + 1e-9 * length;
  faces.push_back(std::move(end));
}

void capsule_face(double radius, double length, const math::Pose& X_EP, std::vector<Face>& faces) {
  std::vector<Vector2d> points;
  constexpr int kSides = 24;
  for (const double end : {-0.5, 0.5}) {
    const Vector3d centre = X_EP * Vector3d(0, 0, end * length);
    for (int k = 0; k < kSides; ++k) {
      const double angle = math::kTurn * k / kSides;
      // Both ends are balls, and circles from everywhere; the hull around them is the whole.
      points.emplace_back(centre.x() + radius * elementary::cos(angle), centre.y() + radius * elementary::sin(angle));
    }
  }
  const Vector3d axis = X_EP.rotation * Vector3d::UnitZ();
  const Vector3d side = (Vector3d::UnitZ() - axis * axis.z() + 1e-6 * Vector3d::UnitY()).normalized();
  faces.push_back({convex_outline(points), X_EP.position.z(), light_of(side), 0});
}

void ellipsoid_face(const Vector3d& half, const math::Pose& X_EP, std::vector<Face>& faces) {
  // The outline of x^T A x = 1 seen along z is that of the 2x2 part of A^-1.
  const Eigen::Matrix3d turn = X_EP.rotation.toRotationMatrix();
  const Eigen::Matrix3d inverse = turn * half.cwiseAbs2().asDiagonal() * turn.transpose();
  // It takes the unit circle to that outline.
  const Eigen::Matrix2d root = inverse.topLeftCorner<2, 2>().llt().matrixL();
  Face face;
  for (int k = 0; k < 32; ++k) {
    const double angle = math::kTurn * k / 32;
    face.outline.push_back(X_EP.position.head<2>() + root * Vector2d(elementary::cos(angle), elementary::sin(angle)));
  }
  face.depth = X_EP.position.z();
  face.light = 0.5;
  faces.push_back(std::move(face));
}

void mesh_faces(const SceneMesh& mesh, const math::Pose& X_EP, std::vector<Face>& faces) {
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    std::vector<Vector3d> corners;
    for (const int corner : triangle) corners.push_back(X_EP * mesh.points[to_index(corner)]);
    const Vector3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
    // Plates are open: the back of a triangle is drawn nowhere else.
    if (normal.z() > 1e-9) faces.push_back(face_of(corners, normal));
  }
}

}  // namespace

std::vector<Face> visible_faces(const Scene& scene, const Piece& piece, const math::Pose& X_EP) {
  std::vector<Face> faces;
  switch (piece.kind) {
    case PieceKind::kSphere:
      faces.push_back({{X_EP.position.head<2>()}, X_EP.position.z(), 0.5, piece.size.x()});
      break;
    case PieceKind::kRing:
      cylinder_faces(piece.size.x(), 0.5 * piece.size.x(), X_EP, faces);
      break;
    case PieceKind::kBox:
      box_faces(0.5 * piece.size, X_EP, faces);
      break;
    case PieceKind::kCapsule:
      capsule_face(piece.size.x(), piece.size.y(), X_EP, faces);
      break;
    case PieceKind::kCylinder:
      cylinder_faces(piece.size.x(), piece.size.y(), X_EP, faces);
      break;
    case PieceKind::kEllipsoid:
      ellipsoid_face(piece.size, X_EP, faces);
      break;
    case PieceKind::kMesh:
      mesh_faces(scene.meshes[to_index(piece.mesh)], X_EP, faces);
      break;
    case PieceKind::kPlane:
      break;
  }
  return faces;
}

std::vector<Vector2d> convex_outline(std::vector<Vector2d> points) {
  std::sort(points.begin(), points.end(),
            [](const Vector2d& a, const Vector2d& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  // Two points or fewer are their own outline.
  if (points.size() < 3) return points;
  std::vector<Vector2d> hull;
  for (const bool upper : {false, true}) {
    const std::size_t start = hull.size();
    for (const Vector2d& p : points) {
      // A turn that is not to the left would be a dent.
      while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    if (!upper) std::reverse(points.begin(), points.end());
  }
  return hull;
}

std::string lightened(const std::string& colour, double light) {
  std::string text = "#";
  for (std::size_t k = 0; k < 3; ++k) {
    const int part = std::stoi(colour.substr(1 + 2 * k, 2), nullptr, 16);
    const double share = 2 * light - 1;
    // Above a half towards white, below towards black.
    const double to = share > 0 ? part + share * (255 - part) : part * (1 + share);
    text += fmt::format("{:02x}", static_cast<int>(std::clamp(to, 0.0, 255.0)));
  }
  return text;
}

}  // namespace espalier::draw::detail
