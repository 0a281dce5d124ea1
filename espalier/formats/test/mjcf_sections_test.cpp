#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using model::ModelSpec;

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
