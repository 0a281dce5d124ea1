#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/test/sdf_support.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using Eigen::Vector3d;
using model::JointSpec;
using model::JointType;
using model::ModelSpec;

TEST(SdfJoint, JointPoseIsRelativeToTheChildAndClosedAsDrawn) {
  const ModelSpec spec = read(two_links(
      "<joint name='j' type='revolute'><parent>a</parent><child>b</child><pose>0 2 0 0 0 0</pose>"
      "<axis><xyz>0 0 3</xyz><limit><lower>-1</lower><upper>2</upper><effort>5</effort><velocity>6</velocity></limit>"
      "<dynamics><damping>.1</damping><friction>.2</friction><spring_stiffness>3</spring_stiffness>"
      "<spring_reference>.4</spring_reference></dynamics></axis></joint>"));
  const JointSpec& j = joint(spec, "j");
  EXPECT_EQ(j.a, "a");
  EXPECT_EQ(j.b, "b");
  // b is turned a quarter: 2 m along its y is -2 m along x of the world, and a stands at x = 1.
  expect_near(j.in_b, {Vector3d(0, 2, 0), Eigen::Quaterniond::Identity()});
  expect_near(j.in_a, {Vector3d(-2, 1, 0), math::rotation_from_rpy({0, 0, kPi / 2})});
  EXPECT_EQ(j.limits, (std::vector<std::array<double, 2>>{{-1, 2}}));
  EXPECT_EQ(j.effort_limit, 5.0);
  EXPECT_EQ(j.velocity_limit, 6.0);
  EXPECT_EQ(j.damping, std::vector<double>{0.1});
  EXPECT_EQ(j.friction, std::vector<double>{0.2});
  EXPECT_EQ(j.stiffness, std::vector<double>{3});
  EXPECT_EQ(j.rest, std::vector<double>{0.4});
}

TEST(SdfJoint, NamedParentFrameIsZeroOnlyWhereTheChildIsNotDrawn) {
  const std::string frame = "<frame name='p' attached_to='a'><pose>0 0 1 0 0 0</pose></frame>";
  const std::string hinge =
      "<joint name='j' type='revolute'><parent>p</parent><child>{}</child><axis><xyz>0 0 1</xyz></axis></joint>";
  // Drawn: SDF's rule, with a note.
  const ModelSpec drawn = read(two_links(frame + fmt::format(fmt::runtime(hinge), "b")));
  expect_near(joint(drawn, "j").in_a.position, {0, 1, 0});
  EXPECT_TRUE(has_note(drawn, "the drawn pose is its zero"));
  // Not drawn: the frames are to meet.
  const ModelSpec undrawn = read(two_links(frame + "<link name='c'/>" + fmt::format(fmt::runtime(hinge), "c")));
  expect_near(joint(undrawn, "j").in_a.position, {0, 0, 1});
  expect_near(joint(undrawn, "j").in_b.position, {0, 0, 0});
}

TEST(SdfJoint, ThreadPitchIsLeftHandedRadiansPerMetre) {
  const std::string screw =
      "<joint name='j' type='screw'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>{}</joint>";
  const auto pitch = [&](const char* inside) {
    return joint(read(two_links(fmt::format(fmt::runtime(screw), inside))), "j").pitch;
  };
  EXPECT_EQ(pitch("<screw_thread_pitch>0.5</screw_thread_pitch>"), 0.5);
  EXPECT_NEAR(pitch("<thread_pitch>-12.566370614359172</thread_pitch>"), 0.5, 1e-15);
  EXPECT_EQ(pitch("<screw_thread_pitch>0.5</screw_thread_pitch><thread_pitch>1</thread_pitch>"), 0.5);
  EXPECT_EQ(
      error_of(two_links(fmt::format(fmt::runtime(screw), ""))),
      "test.sdf:6: screw 'j' needs <screw_thread_pitch> in metres per turn (or <thread_pitch> in -rad/m), not zero");
}

TEST(SdfJoint, UniversalTakesXFromAxisAndYFromAxis2) {
  const ModelSpec spec =
      read(two_links("<joint name='j' type='universal'><parent>a</parent><child>b</child>"
                     "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower></limit></axis>"
                     "<axis2><xyz>0 0 -1</xyz><dynamics><damping>2</damping></dynamics></axis2></joint>"));
  const JointSpec& j = joint(spec, "j");
  EXPECT_EQ(j.type, JointType::kUniversal);
  expect_near(j.in_b.rotation * Vector3d::UnitX(), {0, 1, 0});
  expect_near(j.in_b.rotation * Vector3d::UnitY(), {0, 0, -1});
  EXPECT_EQ(j.limits, (std::vector<std::array<double, 2>>{{-1, 1e16}, {-1e16, 1e16}}));
  EXPECT_EQ(j.damping, (std::vector<double>{0, 2}));
  EXPECT_TRUE(has_note(spec, "joint 'j': a limit on one side only: the other side is set to 1e16"));
  EXPECT_TRUE(has_note(spec, "joint 'j': a limit on one axis only: the other axis is set to 1e16"));
}

TEST(SdfJoint, DrakePlanarJointLiesInItsFrame) {
  const ModelSpec spec =
      read(two_links("<drake:joint name='j' type='planar'><drake:parent>a</drake:parent>"
                     "<drake:child>b</drake:child><drake:damping>1 2 3</drake:damping></drake:joint>"));
  EXPECT_EQ(joint(spec, "j").type, JointType::kPlanar);
  EXPECT_EQ(joint(spec, "j").damping, (std::vector<double>{1, 2, 3}));
}

TEST(SdfJoint, HintsOfPhysicsEnginesAreOurs) {
  const ModelSpec spec =
      read(two_links("<joint name='j' type='ball'><parent>a</parent><child>b</child><physics>"
                     "<provide_feedback>true</provide_feedback><simbody>"
                     "<must_be_loop_joint>1</must_be_loop_joint></simbody></physics></joint>"));
  EXPECT_TRUE(joint(spec, "j").reaction_wanted);
  EXPECT_TRUE(joint(spec, "j").closure);
}

}  // namespace
}  // namespace espalier::formats
