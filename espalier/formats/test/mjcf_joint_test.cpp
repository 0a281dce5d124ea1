#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;
using model::Model;
using model::ModelSpec;

TEST(MjcfJoint, JointsThatMatchNoTypeAreChained) {
  const ModelSpec spec = read(in_world(body("a", "<joint name='i' axis='1 0 0'/><joint name='k' axis='1 1 0'/>")));
  ASSERT_EQ(spec.joints.size(), 2u);
  EXPECT_EQ(spec.joints[0].b, "a__1");
  EXPECT_EQ(spec.joints[1].a, "a__1");
  EXPECT_EQ(spec.joints[1].b, "a");
  EXPECT_TRUE(has_note(spec, "chained through bodies without mass"));
}

// A ref of a whole turn and more: our angles lie within half a turn, so all numbers of the joint move together.
TEST(MjcfJoint, LargeRefsMoveLimitsAndKeyframesAlong) {
  const ModelSpec spec =
      read(in_world(body("a", "<joint name='j' ref='370' range='350 400' stiffness='1' springref='380'/>"),
                    "<keyframe><key qpos='365'/></keyframe>"));
  const Model model = compiled(spec);
  EXPECT_NEAR(model.joints[0].position[0], kPi / 18, 1e-12);
  EXPECT_NEAR(model.joints[0].spec.limits[0][0], -kPi / 18, 1e-12);
  EXPECT_NEAR(model.joints[0].spec.rest[0], kPi / 9, 1e-12);
  EXPECT_NEAR(model.keyframes[0].positions[0].second[0], 365 - 2 * kPi, 1e-9);
}

}  // namespace
}  // namespace espalier::formats
