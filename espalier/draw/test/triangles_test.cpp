#include "espalier/draw/detail/triangles.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

namespace espalier::draw::detail {
namespace {

using std::numbers::pi;

// Six times the volume that triangles enclose, by the divergence theorem; positive where they look outward.
double volume(const SceneMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    sum += at(a).dot(at(b).cross(at(c)));
  }
  return sum / 6;
}

double relative_error(PieceKind kind, const Eigen::Vector3d& size, double exact) {
  Piece piece;
  piece.kind = kind;
  piece.size = size;
  // Away from the origin and turned: the volume does not depend on it.
  piece.pose.position = {0.3, -0.2, 0.7};
  piece.pose.rotation = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized());
  return volume(piece_triangles({}, piece)) / exact - 1;
}

TEST(PieceTriangles, EncloseTheVolumeOfTheShape) {
  EXPECT_NEAR(relative_error(PieceKind::kBox, {1, 2, 3}, 6), 0, 1e-12);
  // Inscribed: a prism of 20 sides lacks 1.6 % of its circle, a ball of 10 rows as much again for each way across.
  const double prism = 20 * std::sin(2 * pi / 20) / (2 * pi) - 1;
  EXPECT_NEAR(relative_error(PieceKind::kCylinder, {0.5, 2, 0}, pi * 0.25 * 2), prism, 1e-12);
  EXPECT_NEAR(relative_error(PieceKind::kSphere, {0.5, 0, 0}, pi / 6), -0.04, 0.002);
  EXPECT_NEAR(relative_error(PieceKind::kEllipsoid, {0.5, 1, 2}, 4 * pi / 3), -0.04, 0.002);
  EXPECT_NEAR(relative_error(PieceKind::kCapsule, {0.5, 2, 0}, pi / 6 + pi * 0.25 * 2), -0.02, 0.01);
  EXPECT_NEAR(relative_error(PieceKind::kRing, {1, 0, 0}, 2 * pi * pi * 0.16 * 0.16), -0.11, 0.02);
  Piece plane;
  plane.kind = PieceKind::kPlane;
  EXPECT_TRUE(piece_triangles({}, plane).triangles.empty());
}

TEST(PieceTriangles, AMeshIsTakenAsItIs) {
  Scene scene;
  scene.meshes.push_back({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  Piece piece;
  piece.kind = PieceKind::kMesh;
  piece.mesh = 0;
  piece.pose.position = {0, 0, 2};
  const SceneMesh mesh = piece_triangles(scene, piece);
  EXPECT_EQ(mesh.triangles, scene.meshes[0].triangles);
  EXPECT_EQ(mesh.points[1], Eigen::Vector3d(1, 0, 2));
}

}  // namespace
}  // namespace espalier::draw::detail
