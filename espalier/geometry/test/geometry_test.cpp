#include "espalier/geometry/geometry.hpp"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/geometry/test/shapes.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::geometry {
namespace {

namespace fs = std::filesystem;
using Eigen::Vector3d;
using math::Pose;
using model::ShapeKind;

Error error_of(const model::ShapeSpec& spec) {
  const Result<Geometry> geometry = make_geometry(spec);
  EXPECT_FALSE(geometry);
  return geometry ? Error{} : geometry.error();
}

TEST(MakeGeometry, NamesTheShapeThatCannotBe) {
  model::ShapeSpec spec;
  spec.where = {"pile.yaml", 12, 3};
  spec.kind = ShapeKind::kBox;
  spec.size = {1, 0, 1};
  EXPECT_EQ(to_string(error_of(spec)),
            "pile.yaml:12: a box of size 0 cannot touch anything; lengths are above 0 m and finite");
  spec.kind = ShapeKind::kSphere;
  for (const double bad :
       {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    spec.size = {bad, 0, 0};
    EXPECT_EQ(error_of(spec).code, ErrorCode::kValue);
  }
  spec.kind = ShapeKind::kHull;
  spec.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  EXPECT_EQ(to_string(error_of(spec)),
            "pile.yaml:12: the 4 points of the hull lie in one plane; add points above or below it, or use a thin box");
  spec.points.push_back({0, 0, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(error_of(spec).where.line, 12);
  spec.points.assign(5000, Vector3d(1, 2, 3));
  EXPECT_EQ(error_of(spec).code, ErrorCode::kLimit);
}

TEST(Bounds, AreTheSmallestBoxAroundTheShape) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    Random random(62, key);
    const Pose pose = test::random_pose(random, 3);
    for (const Geometry& geometry : {test::box({1, 2, 3}), test::random_hull(random, 12, 1)}) {
      Vector3d low = Vector3d::Constant(1e300);
      Vector3d high = -low;
      for (const Vector3d& v : geometry.polyhedron->vertices) {
        low = low.cwiseMin(pose * v);
        high = high.cwiseMax(pose * v);
      }
      EXPECT_LT((bounds(geometry, pose).low - low).norm(), 1e-14);
      EXPECT_LT((bounds(geometry, pose).high - high).norm(), 1e-14);
    }
    const Box box = bounds(test::capsule(0.5, 2), pose);
    const Vector3d top = pose * Vector3d(0, 0, 1);
    const Vector3d bottom = pose * Vector3d(0, 0, -1);
    EXPECT_LT((box.high - (top.cwiseMax(bottom).array() + 0.5).matrix()).norm(), 1e-14);
    EXPECT_LT((box.low - (top.cwiseMin(bottom).array() - 0.5).matrix()).norm(), 1e-14);
    EXPECT_EQ(bounds(test::sphere(2), pose).low, (pose.position.array() - 2).matrix());
  }
}

TEST(Bounds, OfAPlaneEndWhereItStandsAcrossAnAxis) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Box floor = bounds(test::plane(), test::at(1, 2, 3));
  EXPECT_EQ(floor.high, Vector3d(infinity, infinity, 3));
  EXPECT_EQ(floor.low, Vector3d::Constant(-infinity));
  const Box tilted = bounds(test::plane(), {{0, 0, 0}, math::rotation_exp({0.1, 0, 0})});
  EXPECT_EQ(tilted.high, Vector3d::Constant(infinity));
  EXPECT_EQ(tilted.low, Vector3d::Constant(-infinity));
}

TEST(MakeGeometry, ReadsAMeshBesideTheModelFile) {
  const fs::path folder = fs::path(testing::TempDir()) / "espalier_mesh_test";
  fs::create_directories(folder / "shapes");
  std::ofstream(folder / "shapes" / "corner.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder / "shapes" / "empty.obj") << "v 0 0 0\nf 1 1 1\n";
  model::ShapeSpec spec;
  spec.kind = ShapeKind::kMesh;
  spec.where = {(folder / "scene.yaml").string(), 7, 1};
  spec.file = "shapes/corner.obj";
  spec.scale = {1, 2, 3};
  const Result<Geometry> geometry = make_geometry(spec);
  ASSERT_TRUE(geometry) << to_string(geometry.error());
  EXPECT_EQ(bounds(*geometry, test::at(1, 0, 0)).high, Vector3d(2, 2, 3));
  spec.file = (folder / "shapes" / "corner.obj").string();
  EXPECT_TRUE(make_geometry(spec));
  spec.file = "corner.obj";
  EXPECT_EQ(error_of(spec).where.line, 7);
  EXPECT_NE(error_of(spec).message.find("paths start at the folder of the model file"), std::string::npos);
  spec.file = "shapes";
  EXPECT_EQ(error_of(spec).code, ErrorCode::kFile);
  spec.file = "shapes/empty.obj";
  EXPECT_EQ(error_of(spec).message, "the mesh holds no triangle that has an area");
  spec.scale[1] = 0;
  EXPECT_EQ(error_of(spec).where.line, 7);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace espalier::geometry
