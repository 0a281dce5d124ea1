#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

TEST(MjcfBody, InertialStandsInTheFramesAroundIt) {
  const ModelSpec spec =
      read(in_world("<body name='a' pos='5 0 0'><frame pos='0 1 0' euler='0 0 90'>"
                    "<inertial pos='2 0 0' mass='3' diaginertia='2 3 4'/></frame></body>"));
  // A quarter turn about z: x becomes y, so that the centre lies 1 + 2 m along y and the first two moments change
  // places.
  EXPECT_TRUE(spec.bodies[0].com->isApprox(Vector3d(0, 3, 0), 1e-12));
  EXPECT_TRUE(spec.bodies[0].inertia->diagonal().isApprox(Vector3d(3, 2, 4), 1e-12));
}

TEST(MjcfBody, BodiesInBodiesAreDrawnByTheirParents) {
  const ModelSpec spec =
      read(in_world(body("a", body("b", "", "pos='0 0 2'"), "pos='1 0 0' euler='0 90 0'") + body("c", "")));
  EXPECT_EQ(spec.bodies[1].name, "b");
  EXPECT_TRUE(spec.bodies[1].pose.position.isApprox(Vector3d(3, 0, 0), 1e-12));
  ASSERT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.joints[1].a, "a");
  EXPECT_EQ(spec.joints[1].type, JointType::kFixed) << "a body without a joint is welded to its parent";
  EXPECT_EQ(spec.joints[2].a, "ground");
}

TEST(MjcfBody, TheCompilerMayBoundBalanceAndScaleWhatBodiesWeigh) {
  const auto weighed = [](const std::string& compiler, const std::string& inertial) {
    return read(in_world("<body name='a'><inertial pos='0 0 0' " + inertial + "/></body>", "",
                         "<compiler " + compiler + "/>"))
        .bodies[0];
  };
  EXPECT_EQ(*weighed("boundmass='0.5'", "mass='0.1' diaginertia='1 1 1'").mass, 0.5);
  // 1 + 2 < 9 is no inertia of any body: all three become the mean.
  EXPECT_TRUE(
      weighed("balanceinertia='true'", "mass='1' diaginertia='1 2 9'").inertia->diagonal().isApprox(Vector3d(4, 4, 4)));
  // The principal moments of [[2, 1], [1, 2]] are 1 and 3: 1 is raised to 2, 3 stays.
  const model::BodySpec bounded = weighed("boundinertia='2'", "mass='1' fullinertia='2 2 3 1 0 0'");
  EXPECT_NEAR((*bounded.inertia)(0, 0), 2.5, 1e-12);
  EXPECT_NEAR((*bounded.inertia)(0, 1), 0.5, 1e-12);
  const model::BodySpec scaled = weighed("settotalmass='10'", "mass='4' diaginertia='1 1 1'");
  EXPECT_EQ(*scaled.mass, 10);
  EXPECT_NEAR((*scaled.inertia)(2, 2), 2.5, 1e-12);
}

TEST(MjcfBody, InertiaOfGeomsIsTakenWhereTheCompilerAsksForIt) {
  const std::string both = "<body name='a'>" + kMass + "<geom size='1' mass='7'/></body>";
  EXPECT_EQ(*read(in_world(both)).bodies[0].mass, 1);
  EXPECT_EQ(*read(in_world(both, "", "<compiler inertiafromgeom='true'/>")).bodies[0].mass, 7);
  const std::string geom = "<body name='a'><geom size='1' mass='7'/></body>";
  EXPECT_EQ(*read(in_world(geom, "", "<compiler inertiafromgeom='false'/>")).bodies[0].mass, 0);
}

}  // namespace
}  // namespace espalier::formats
