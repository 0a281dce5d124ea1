#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using model::ModelSpec;

TEST(MjcfSections, AMotorLimitsTheEffortOfItsJointByGearAndRange) {
  const auto effort = [](const std::string& motor) {
    const ModelSpec spec = read(in_world(kTwo, "<actuator>" + motor + "</actuator>"));
    EXPECT_TRUE(spec.joints[0].actuated) << motor;
    EXPECT_FALSE(spec.joints[1].actuated) << motor;
    return spec.joints[0].effort_limit;
  };
  EXPECT_EQ(effort("<motor joint='i' gear='-5' ctrlrange='-2 2'/>"), 10);
  EXPECT_EQ(effort("<motor joint='i' gear='5' ctrlrange='-2 2' forcerange='-3 3'/>"), 15);
  EXPECT_EQ(effort("<motor joint='i' ctrlrange='-2 2' ctrllimited='false'/>"), std::nullopt);
  // The control of a servo is a position: its range is no force.
  EXPECT_EQ(effort("<position joint='i' ctrlrange='-2 2'/>"), std::nullopt);
  EXPECT_EQ(effort("<motor joint='i' forcerange='-3 3'/><motor joint='i' forcerange='-8 8'/>"), 8);
}

// The effort at q = 0.2 and v = 3 of the actuator of joint i.
double effort_of(const std::string& actuator) {
  const ModelSpec spec = read(in_world(kTwo, "<actuator>" + actuator + "</actuator>"));
  EXPECT_EQ(spec.forces.size(), 1u) << actuator;
  if (spec.forces.empty()) return 0;
  const auto& load = std::get<model::LoadSpec>(spec.forces[0].law);
  EXPECT_EQ(load.joint, spec.joints[0].name);
  std::vector<double> inputs;
  for (const model::Expression::Input& input : load.value[0].inputs) inputs.push_back(input.is_rate ? 3 : 0.2);
  return model::evaluate(load.value[0], 0, inputs);
}

// MuJoCo: gear (gain control + bias_0 + bias_1 gear q + bias_2 gear v), each force held to its range, by hand.
TEST(MjcfSections, ServosAreDrivesWithoutControl) {
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='100' kv='5'/>"), -100 * 0.2 - 5 * 3);
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='10' gear='-2'/>"), -4 * 10 * 0.2);
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='10' ctrlrange='0.5 1'/>"), 10 * (0.5 - 0.2));
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='100' forcerange='-1 7'/>"), -1);
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='100' gear='-1' forcerange='-7 1'/>"), -1 * std::min(1.0, 20.0));
  EXPECT_DOUBLE_EQ(effort_of("<velocity joint='i' kv='4'/>"), -12);
  EXPECT_DOUBLE_EQ(effort_of("<general joint='i' gainprm='2' biastype='affine' biasprm='7 -10 -1'/>"), 7 - 2 - 3);
}

TEST(MjcfSections, WhatHasNoControlOrAnotherLawIsNoDrive) {
  for (const char* actuator : {"<motor joint='i'/>", "<general joint='i' gainprm='5'/>", "<muscle joint='i'/>",
                               "<position joint='i' kp='5' timeconst='0.1'/>",
                               "<general joint='i' dyntype='filter' biastype='affine' biasprm='0 -1 0'/>"}) {
    EXPECT_TRUE(read(in_world(kTwo, std::string("<actuator>") + actuator + "</actuator>")).forces.empty()) << actuator;
  }
}

TEST(MjcfSections, WhatMustNotTouchIsKeptWithoutAskingForContact) {
  const ModelSpec spec = read(in_world(kTwo, "<contact><exclude body1='b' body2='world'/></contact>"));
  ASSERT_TRUE(spec.contact.has_value());
  EXPECT_FALSE(spec.contact->on);
  ASSERT_EQ(spec.contact->exclude.size(), 1u);
  EXPECT_EQ(spec.contact->exclude[0], (std::pair<std::string, std::string>{"b", "ground"}));
}

// MuJoCo's rule for a quaternion of zeros, which files of many keyframes have where nobody cared.
TEST(MjcfKeyframes, AZeroQuaternionIsNoRotation) {
  const ModelSpec spec = read(in_world(body("a", "<joint type='ball' name='ball'/>"),
                                       "<keyframe><key name='home' qpos='0 0 0 0'/></keyframe>"));
  ASSERT_EQ(spec.keyframes.size(), 1u);
  EXPECT_EQ(spec.keyframes[0].positions[0].second, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_TRUE(model::compile(spec).has_value());
}

// qpos in the order of the file: seven numbers of the free joint, four of the ball, one of the hinge in degrees'
// radians.
TEST(MjcfSections, KeyframesShareQposOutInTheOrderOfTheFile) {
  const std::string bodies = body("f", "<freejoint name='fly'/>") + body("b", "<joint name='ball' type='ball'/>") +
                             body("h", "<joint name='h'/>");
  const ModelSpec spec =
      read(in_world(bodies, "<keyframe><key qpos='1 2 3 0 0 0 2 2 0 0 0 0.5'/><key name='bare'/></keyframe>"));
  ASSERT_EQ(spec.keyframes.size(), 2u);
  EXPECT_EQ(spec.keyframes[0].name, "key_1");
  ASSERT_EQ(spec.keyframes[0].positions.size(), 3u);
  EXPECT_EQ(spec.keyframes[0].positions[0].second, (std::vector<double>{1, 2, 3, 0, 0, 0, 1}));
  EXPECT_EQ(spec.keyframes[0].positions[1].second, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(spec.keyframes[0].positions[2].second, std::vector<double>{0.5});
  EXPECT_TRUE(spec.keyframes[1].positions.empty());
}

}  // namespace
}  // namespace espalier::formats
