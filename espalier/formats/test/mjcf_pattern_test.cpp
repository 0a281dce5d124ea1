#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using Eigen::Vector3d;
using model::JointType;
using model::Model;
using model::ModelSpec;

JointType type_of(const std::string& joints) {
  const ModelSpec spec = read(in_world(body("a", joints)));
  EXPECT_EQ(spec.joints.size(), 1u);
  compiled(spec);
  return spec.joints[0].type;
}

TEST(MjcfPattern, SeveralJointsOfOneBodyBecomeOneJoint) {
  EXPECT_EQ(type_of("<joint axis='1 0 0' pos='2 0 0'/><joint axis='0 1 0' pos='0 3 0'/>"), JointType::kUniversal);
  EXPECT_EQ(type_of("<joint type='slide' axis='1 0 0'/><joint axis='1 0 0'/>"), JointType::kCylindrical);
  EXPECT_EQ(type_of("<joint axis='1 0 0'/><joint type='slide' axis='1 0 0'/>"), JointType::kCylindrical);
  EXPECT_EQ(type_of("<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint axis='0 0 1'/>"),
            JointType::kPlanar);
  EXPECT_EQ(type_of("<joint type='slide' axis='0 1 0'/><joint type='slide' axis='1 0 0'/><joint axis='0 0 1'/>"),
            JointType::kPlanar);
  EXPECT_EQ(type_of("<joint axis='0 0 1'/><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"),
            JointType::kPlanar);
  EXPECT_EQ(type_of("<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                    "<joint type='slide' axis='0 0 1'/><joint type='ball'/>"),
            JointType::kFree);
}

// MuJoCo's own rule for the joints of one body, step by step, against joint_pose() of what was read.
math::Pose mujoco_pose(const math::Pose& drawn, const std::vector<std::array<double, 9>>& joints) {
  math::Pose pose = drawn;
  // type (0 hinge, 1 slide), axis, pos, ref, q
  for (const auto& j : joints) {
    const Vector3d axis(j[1], j[2], j[3]);
    const Vector3d pos(j[4], j[5], j[6]);
    if (j[0] == 1) {
      pose.position += pose.rotation * axis * (j[8] - j[7]);
    } else {
      const Vector3d anchor = pose * pos;
      pose.rotation = pose.rotation * Eigen::AngleAxisd(j[8] - j[7], axis);
      pose.position = anchor - pose.rotation * pos;
    }
  }
  return pose;
}

void expect_same_motion(const std::vector<std::array<double, 9>>& joints) {
  std::string elements, qpos;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const auto& j = joints[k];
    elements += "<joint name='j" + std::to_string(k) + "' type='" + (j[0] == 1 ? "slide" : "hinge") + "' axis='" +
                std::to_string(j[1]) + " " + std::to_string(j[2]) + " " + std::to_string(j[3]) + "' pos='" +
                std::to_string(j[4]) + " " + std::to_string(j[5]) + " " + std::to_string(j[6]) + "' ref='" +
                std::to_string(j[7]) + "'/>";
    qpos += std::to_string(j[8]) + " ";
  }
  const ModelSpec spec =
      read(in_world(body("a", elements, "pos='1 2 3' quat='1 2 3 4'"),
                    "<keyframe><key name='k' qpos='" + qpos + "'/></keyframe>", "<compiler angle='radian'/>"));
  ASSERT_EQ(spec.joints.size(), 1u);
  const Model model = compiled(spec);
  const model::Joint& joint = model.joints[0];
  const std::vector<double>& q = model.keyframes[0].positions[0].second;
  const math::Pose X_AB = joint.X_AF * model::joint_pose(joint.type, joint.pitch, q) * joint.X_BM.inverse();
  const math::Pose found = model.body(joint.a).name == "a" ? X_AB.inverse() : X_AB;
  const math::Pose expected = mujoco_pose(spec.bodies[0].pose, joints);
  EXPECT_LT(math::gap_between(found, expected).distance, 1e-12);
  EXPECT_LT(math::gap_between(found, expected).angle, 1e-12);
  // As drawn, each coordinate reads its ref.
  std::vector<double> refs, positions = joint.position;
  for (const auto& j : joints) refs.push_back(j[7]);
  std::sort(refs.begin(), refs.end());
  std::sort(positions.begin(), positions.end());
  for (std::size_t k = 0; k < refs.size(); ++k) EXPECT_NEAR(positions[k], refs[k], 1e-12);
  EXPECT_LT(model::drawn_gap(model, joint).distance, 1e-12);
}

TEST(MjcfPattern, JointsMoveAsMujocoMovesThem) {
  expect_same_motion({{0, 1, 0, 0, 0.1, 0.2, 0.3, 0.4, 1.1}});
  expect_same_motion({{1, 0, 1, 0, 0.1, 0.2, 0.3, 0.4, 1.1}});
  // Two hinges, crossing at (0.5, 0.2, 0.3).
  expect_same_motion({{0, 1, 0, 0, 0.1, 0.2, 0.3, 0.4, 1.1}, {0, 0, 0, 1, 0.5, 0.2, 0.7, -0.3, 0.8}});
  expect_same_motion({{1, 0, 1, 0, 0, 0, 0, 0.2, 0.9}, {0, 0, 1, 0, 0.1, 0.2, 0.3, 0.4, 1.1}});
  expect_same_motion({{0, 0, 1, 0, 0.1, 0.2, 0.3, 0.4, 1.1}, {1, 0, 1, 0, 0, 0, 0, 0.2, 0.9}});
  const std::array<double, 9> x = {1, 1, 0, 0, 0, 0, 0, 0.2, 0.9};
  const std::array<double, 9> y = {1, 0, 1, 0, 0, 0, 0, -0.3, 0.7};
  const std::array<double, 9> z = {0, 0, 0, 1, 0.1, 0.2, 0.3, 0.5, 1.4};
  expect_same_motion({x, y, z});
  expect_same_motion({y, x, z});
  expect_same_motion({z, x, y});
  expect_same_motion({z, y, x});
}

}  // namespace
}  // namespace espalier::formats
