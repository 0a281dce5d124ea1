#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using model::JointType;
using model::ModelSpec;

TEST(MjcfNames, ASlideTiedToItsHingeIsAScrew) {
  const ModelSpec spec = read(in_world(body("a", "<joint name='s' type='slide'/><joint name='h'/>"),
                                       "<equality><joint joint1='s' joint2='h' polycoef='0 0.01 0 0 0'/></equality>"));
  ASSERT_EQ(spec.joints.size(), 1u);
  EXPECT_EQ(spec.joints[0].type, JointType::kScrew);
  EXPECT_NEAR(spec.joints[0].pitch, 0.01 * 2 * kPi, 1e-15);
  EXPECT_TRUE(spec.couplings.empty());
}

TEST(MjcfNames, CoupledJointsOfOneBodyStayApart) {
  const std::string bodies =
      body("a", "<joint name='s' type='slide'/><joint name='h'/>") + body("b", "<joint name='x'/>", "pos='1 0 0'");
  const ModelSpec spec = read(in_world(bodies, "<equality><joint joint1='x' joint2='h'/></equality>"));
  EXPECT_EQ(spec.joints.size(), 3u);
  compiled(spec);
}

TEST(MjcfNames, MadeUpNamesTakeNoneOfTheFile) {
  const ModelSpec spec =
      read(in_world("<body>" + kMass + "</body>" + body("body_1", "") + "<body>" + kMass + "</body>"));
  ASSERT_EQ(spec.bodies.size(), 3u);
  EXPECT_EQ(spec.bodies[0].name, "body_1_2") << "the file has a body_1 of its own further down";
  EXPECT_EQ(spec.bodies[1].name, "body_1");
  EXPECT_EQ(spec.bodies[2].name, "body_3");
}

// A slide that two equalities name must stay a coordinate: the second would not find it in a screw.
TEST(MjcfNames, ASlideOfTwoEqualitiesIsNoThread) {
  const ModelSpec spec = read(in_world(
      body("a", "<joint name='s' type='slide'/><joint name='h'/>") + body("b", "<joint name='x'/>", "pos='1 0 0'"),
      "<equality><joint joint1='s' joint2='h' polycoef='0 0.01 0 0 0'/>"
      "<joint joint1='x' joint2='s'/></equality>"));
  EXPECT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.couplings.size(), 2u);
}

}  // namespace
}  // namespace espalier::formats
