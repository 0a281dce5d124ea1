#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::ModelSpec;

// A box of 2 x 4 x 6 cm half sizes at density 1000 and a point-like sphere of given mass beside it.
TEST(MjcfGeom, MassComesFromGeomsWhereThereIsNoInertial) {
  const ModelSpec spec = read(
      in_world("<body name='a'><geom type='box' size='.02 .04 .06'/><geom size='.001' mass='2' pos='1 0 0'/></body>"));
  const double box = 8 * 0.02 * 0.04 * 0.06 * 1000;
  EXPECT_NEAR(*spec.bodies[0].mass, box + 2, 1e-12);
  EXPECT_NEAR(spec.bodies[0].com->x(), 2 / (box + 2), 1e-12);
  const Vector3d half = {0.02, 0.04, 0.06};
  EXPECT_TRUE(spec.bodies[0].shapes[0].size.isApprox(2 * half));
  // Parallel axes: the reduced mass at distance 1 turns about y and z.
  EXPECT_NEAR((*spec.bodies[0].inertia)(2, 2),
              box / 3 * (0.02 * 0.02 + 0.04 * 0.04) + 0.4 * 2 * 1e-6 + box * 2 / (box + 2), 1e-12);
}

TEST(MjcfGeom, FromToPlacesACapsuleOnItsLine) {
  const ModelSpec spec = read(in_world(body("a", "<geom type='capsule' size='.1' fromto='0 0 0 3 0 4'/>")));
  const model::ShapeSpec& shape = spec.bodies[0].shapes[0];
  EXPECT_NEAR(shape.size[1], 5, 1e-12);
  EXPECT_TRUE(shape.pose.position.isApprox(Vector3d(1.5, 0, 2)));
  EXPECT_NEAR(std::abs((shape.pose.rotation * Vector3d::UnitZ()).dot(Vector3d(0.6, 0, 0.8))), 1, 1e-12);
}

TEST(MjcfGeom, GeomsThatTouchNothingAreOnlySeen) {
  const ModelSpec spec = read(
      in_world("<geom type='plane' size='0 0 1'/>" +
               body("a", "<geom size='1' contype='0' conaffinity='0'/><geom size='1'/><geom size='1' group='3'/>")));
  EXPECT_EQ(spec.bodies[0].name, "ground");
  EXPECT_EQ(spec.bodies[0].shapes[0].kind, model::ShapeKind::kPlane);
  EXPECT_EQ(spec.bodies[1].shapes[0].role, model::ShapeRole::kVisual);
  EXPECT_EQ(spec.bodies[1].shapes[1].role, model::ShapeRole::kBoth);
  EXPECT_EQ(spec.bodies[1].shapes[2].role, model::ShapeRole::kCollision);
}

// An L of three unit cubes, in millimetres; its end faces are cut into fans from the inner corner.
constexpr const char* kAngle = R"(v 0 0 0
v 2000 0 0
v 2000 1000 0
v 1000 1000 0
v 1000 2000 0
v 0 2000 0
v 0 0 1000
v 2000 0 1000
v 2000 1000 1000
v 1000 1000 1000
v 1000 2000 1000
v 0 2000 1000
f 1 6 5 4 3 2
f 7 8 9 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
)";
constexpr const char* kLastFace = "f 6 1 7 12\n";

class MjcfMeshMass : public TestFolder {
 protected:
  ModelSpec with_mesh(const std::string& obj, const std::string& geom) const {
    std::filesystem::create_directories(folder_ / "assets");
    std::ofstream(folder_ / "assets" / "angle.obj") << obj;
    return read(in_world("<body name='a' pos='0 0 3'>" + geom + "</body>", "",
                         "<compiler meshdir='" + (folder_ / "assets").string() +
                             "'/><asset><mesh file='angle.obj' scale='.001 .001 .001'/></asset>"));
  }
};

TEST_F(MjcfMeshMass, IsTheVolumeIntegralOfItsFile) {
  const ModelSpec spec = with_mesh(std::string(kAngle) + kLastFace, "<geom type='mesh' mesh='angle' density='100'/>");
  const model::BodySpec& body = spec.bodies[0];
  EXPECT_TRUE(spec.notes.empty()) << spec.notes[0].message;
  EXPECT_NEAR(*body.mass, 300, 1e-9);
  EXPECT_TRUE(body.com->isApprox(Vector3d(2.5 / 3, 2.5 / 3, 0.5), 1e-12));
  // Three cubes, each 1/6 about its own middle, moved to the common one.
  double about_z = 0, product = 0;
  for (const auto& [x, y] : {std::pair(0.5, 0.5), {1.5, 0.5}, {0.5, 1.5}}) {
    const double dx = x - 2.5 / 3, dy = y - 2.5 / 3;
    about_z += 100 * (1.0 / 6 + dx * dx + dy * dy);
    product -= 100 * dx * dy;
  }
  EXPECT_NEAR((*body.inertia)(2, 2), about_z, 1e-9);
  EXPECT_NEAR((*body.inertia)(0, 1), product, 1e-9);
}

TEST_F(MjcfMeshMass, AGivenMassScalesIt) {
  const ModelSpec spec =
      with_mesh(std::string(kAngle) + kLastFace, "<geom type='mesh' mesh='angle' mass='6' pos='1 0 0'/>");
  EXPECT_NEAR(*spec.bodies[0].mass, 6, 1e-12);
  EXPECT_NEAR(spec.bodies[0].com->x(), 1 + 2.5 / 3, 1e-12);
}

// Without a face there is no inside; nor where the file is not there.
TEST_F(MjcfMeshMass, IsMissingWhereTheMeshIsOpen) {
  EXPECT_TRUE(
      has_note(with_mesh(kAngle, "<geom type='mesh' mesh='angle'/>"), "not found, not closed or cannot be read"));
  const ModelSpec none = read(in_world("<body name='a'><geom type='mesh' mesh='m'/></body>", "",
                                       "<asset><mesh name='m' file='no.stl'/></asset>"));
  EXPECT_TRUE(has_note(none, "its mass is 0 here"));
}

// Folders of the compiler are parts of the file; a path of its own is dropped where that is asked for.
TEST(MjcfGeom, MeshesLieInTheFolderOfTheCompiler) {
  const auto file = [](const std::string& compiler, const std::string& path) {
    return read(in_world(body("a", "<geom type='mesh' mesh='m'/>"), "",
                         "<compiler " + compiler + "/><asset><mesh name='m' file='" + path + "'/></asset>"))
        .bodies[0]
        .shapes[0]
        .file;
  };
  EXPECT_EQ(file("meshdir='assets'", "x/m.stl"), "assets/x/m.stl");
  EXPECT_EQ(file("assetdir='all' meshdir='assets/'", "m.stl"), "assets/m.stl");
  EXPECT_EQ(file("assetdir='all' strippath='true'", "x/m.stl"), "all/m.stl");
  EXPECT_EQ(file("meshdir='assets'", "/abs/m.stl"), "/abs/m.stl");
  EXPECT_EQ(file("", "m.stl"), "m.stl");
}

}  // namespace
}  // namespace espalier::formats
