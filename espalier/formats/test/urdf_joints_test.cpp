#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/urdf_support.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

// URDF's pose of the child link at angle q is origin * R(axis, q).
TEST(UrdfJoints, PutsTheAxisOnZOfBothJointFrames) {
  const ModelSpec spec =
      read(two_with("continuous", "<origin xyz=\"1 0 0\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 3 4\"/>"));
  const model::JointSpec& j = joint(spec, "j");
  const double q = 0.7;
  const math::Pose origin{{1, 0, 0}, math::rotation_from_rpy({0.1, 0.2, 0.3})};
  const math::Pose wanted = origin * math::Pose{Vector3d::Zero(), math::rotation_exp(q * Vector3d(0, 0.6, 0.8))};
  const std::array<double, 1> position = {q};
  const math::Pose found = j.in_a * model::joint_pose(j.type, 0, position) * j.in_b.inverse();
  EXPECT_LT(math::gap_between(found, wanted).angle, 1e-14);
  EXPECT_LT(math::gap_between(found, wanted).distance, 1e-14);
  EXPECT_LT(math::gap_between(body(spec, "b").pose, origin).angle, 1e-14);
}

TEST(UrdfJoints, TakesXForAnAxisThatIsNotSaid) {
  const ModelSpec spec = read(two_with("continuous", ""));
  EXPECT_LT((joint(spec, "j").in_a.rotation * Vector3d::UnitZ() - Vector3d::UnitX()).norm(), 1e-15);
}

TEST(UrdfJoints, KnowsTwelveWordsForNineJoints) {
  const std::vector<std::pair<std::string, JointType>> words = {
      {"revolute", JointType::kRevolute},       {"continuous", JointType::kRevolute},
      {"prismatic", JointType::kPrismatic},     {"fixed", JointType::kFixed},
      {"floating", JointType::kFree},           {"free", JointType::kFree},
      {"planar", JointType::kPlanar},           {"spherical", JointType::kSpherical},
      {"ball", JointType::kSpherical},          {"universal", JointType::kUniversal},
      {"cylindrical", JointType::kCylindrical}, {"screw", JointType::kScrew}};
  for (const auto& [word, type] : words) {
    const ModelSpec spec = read(two_with(word, "", "pitch=\"0.01\""));
    EXPECT_EQ(joint(spec, "j").type, type) << word;
    EXPECT_TRUE(model::compile(spec)) << word;
  }
}

TEST(UrdfJoints, ReadsDrakesJoints) {
  const ModelSpec spec = read(kTwo + R"(<link name="c"/><link name="d"/>
    <drake:joint name="ball" type="ball"><parent link="a"/><child link="b"/></drake:joint>
    <drake:joint name="plane" type="planar"><parent link="b"/><child link="c"/>
      <dynamics damping="1 2 3"/></drake:joint>
    <drake:joint name="screw" type="screw"><parent link="c"/><child link="d"/>
      <drake:screw_thread_pitch value="0.02"/></drake:joint>)");
  EXPECT_EQ(joint(spec, "ball").type, JointType::kSpherical);
  EXPECT_TRUE(joint(spec, "plane").in_a.rotation.isApprox(Eigen::Quaterniond::Identity()));
  EXPECT_EQ(joint(spec, "plane").damping, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(joint(spec, "screw").pitch, 0.02);
}

TEST(UrdfJoints, ReadsBothAxesOfAUniversalJoint) {
  const ModelSpec spec = read(two_with("universal", "<axis xyz=\"0 0 2\"/><axis2 xyz=\"1 0 0\"/>"));
  EXPECT_LT((joint(spec, "j").in_a.rotation * Vector3d::UnitX() - Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_LT((joint(spec, "j").in_b.rotation * Vector3d::UnitY() - Vector3d::UnitX()).norm(), 1e-15);
  expect_problem(two_with("universal", "<axis xyz=\"0 0 2\"/>"), "two perpendicular directions");
  expect_problem(two_with("universal", "<axis xyz=\"0 0 2\"/><axis2 xyz=\"1 0 1\"/>"), "two perpendicular directions");
}

TEST(UrdfJoints, ReadsLimitsAndDynamics) {
  const ModelSpec spec = read(two_with(
      "revolute", R"(<limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="5" friction="6"/>)"));
  const model::JointSpec& j = joint(spec, "j");
  ASSERT_EQ(j.limits.size(), 1u);
  EXPECT_EQ(j.limits[0], (std::array<double, 2>{-1, 2}));
  EXPECT_EQ(j.effort_limit, 3);
  EXPECT_EQ(j.velocity_limit, 4);
  EXPECT_EQ(j.damping, std::vector<double>{5});
  EXPECT_EQ(j.friction, std::vector<double>{6});
}

TEST(UrdfJoints, SaysThatAHingeWithoutLimitsIsUnlimited) {
  const ModelSpec spec = read(two_with("revolute", "<limit effort=\"1\" velocity=\"1\"/>"));
  EXPECT_TRUE(joint(spec, "j").limits.empty());
  EXPECT_TRUE(has_note(spec, "read as unlimited (joint 'j')"));
  EXPECT_FALSE(has_note(read(two_with("continuous", "")), "unlimited"));
}

// a -j1- b -j2- c, c -loop- a.
TEST(UrdfJoints, ReadsLoopsOfUrdfPlus) {
  const ModelSpec spec = read(kTwo + R"(<link name="c"/>
    <joint name="j1" type="continuous"><parent link="a"/><child link="b"/></joint>
    <joint name="j2" type="continuous"><parent link="b"/><child link="c"/></joint>
    <loop name="l" type="revolute"><predecessor link="c"><origin xyz="1 0 0" rpy="0 0 1"/></predecessor>
      <successor link="a"><origin xyz="0 2 0"/></successor><axis xyz="0 1 0"/></loop>)");
  const model::JointSpec& l = joint(spec, "l");
  EXPECT_TRUE(l.closure);
  EXPECT_FALSE(joint(spec, "j1").closure);
  EXPECT_EQ(l.a, "c");
  EXPECT_EQ(l.b, "a");
  EXPECT_EQ(l.in_a.position, Vector3d(1, 0, 0));
  EXPECT_EQ(l.in_b.position, Vector3d(0, 2, 0));
  EXPECT_LT((l.in_a.rotation * Vector3d::UnitZ() - Vector3d(-std::sin(1), std::cos(1), 0)).norm(), 1e-15);
  EXPECT_LT((l.in_b.rotation * Vector3d::UnitZ() - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_FALSE(has_note(spec, "unlimited"));
}

}  // namespace
}  // namespace espalier::formats
