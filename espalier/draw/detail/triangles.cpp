#include "espalier/draw/detail/triangles.hpp"

#include <array>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::draw::detail {
namespace {

using Eigen::Vector3d;

constexpr int kSides = 20;

// A surface in rows of points around an axis or a ring; neighbours are joined, and the last of a row with its first.
struct Rows {
  std::vector<Vector3d> points;
  int width = kSides;
};

SceneMesh joined(const Rows& rows, bool closed) {
  SceneMesh mesh{rows.points, {}};
  const int count = static_cast<int>(rows.points.size()) / rows.width;
  for (int r = 0; r + (closed ? 0 : 1) < count; ++r) {
    for (int k = 0; k < rows.width; ++k) {
      const int next = (k + 1) % rows.width, above = (r + 1) % count;
      const int a = r * rows.width + k, b = r * rows.width + next;
      const int c = above * rows.width + k, d = above * rows.width + next;
      // Outward, seen counter-clockwise: rows go up and points go around to the left.
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

void add_circle(double radius, double height, Rows& rows) {
  for (int k = 0; k < kSides; ++k) {
    const double angle = math::kTurn * k / kSides;
    rows.points.emplace_back(radius * elementary::cos(angle), radius * elementary::sin(angle), height);
  }
}

// Half a ball or both, moved apart by `length`: a ball, or a capsule along z.
SceneMesh rounded(double radius, double length) {
  constexpr int kRows = 5;  // of each half
  Rows rows;
  for (const int side : {-1, 1}) {
    for (int k = 0; k <= kRows; ++k) {
      const double angle = math::kTurn / 4 * (side < 0 ? k - kRows : k) / kRows;
      add_circle(radius * elementary::cos(angle), radius * elementary::sin(angle) + side * length / 2, rows);
    }
  }
  return joined(rows, false);
}

SceneMesh cylinder(double radius, double length) {
  Rows rows;
  // Circles of no radius close both ends.
  for (const auto& [r, z] : {std::array{0.0, -0.5}, {1.0, -0.5}, {1.0, 0.5}, {0.0, 0.5}}) {
    add_circle(r * radius, z * length, rows);
  }
  return joined(rows, false);
}

SceneMesh ring(double radius) {
  Rows rows;
  constexpr int kAround = 8;
  constexpr double kThick = 0.16;
  for (int k = 0; k < kAround; ++k) {
    const double angle = math::kTurn * k / kAround;
    add_circle(radius * (1 + kThick * elementary::cos(angle)), radius * kThick * elementary::sin(angle), rows);
  }
  return joined(rows, true);
}

SceneMesh box(const Vector3d& half) {
  SceneMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    mesh.points.emplace_back(corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
                             corner & 4 ? half.z() : -half.z());
  }
  // Bits of a corner are its axes; each face has four corners with one bit in common.
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

SceneMesh own_triangles(const Scene& scene, const Piece& piece) {
  const Vector3d& s = piece.size;
  switch (piece.kind) {
    case PieceKind::kSphere:
      return rounded(s.x(), 0);
    case PieceKind::kBox:
      return box(0.5 * s);
    case PieceKind::kCapsule:
      return rounded(s.x(), s.y());
    case PieceKind::kCylinder:
      return cylinder(s.x(), s.y());
    case PieceKind::kEllipsoid: {
      SceneMesh mesh = rounded(1, 0);
      for (Vector3d& p : mesh.points) p = p.cwiseProduct(s);
      return mesh;
    }
    case PieceKind::kRing:
      return ring(s.x());
    case PieceKind::kMesh:
      return scene.meshes[to_index(piece.mesh)];
    case PieceKind::kPlane:
      break;
  }
  return {};
}

}  // namespace

SceneMesh piece_triangles(const Scene& scene, const Piece& piece) {
  SceneMesh mesh = own_triangles(scene, piece);
  for (Vector3d& p : mesh.points) p = piece.pose * p;
  return mesh;
}

}  // namespace espalier::draw::detail
