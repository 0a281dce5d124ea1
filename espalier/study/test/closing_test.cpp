#include <string>

#include <gtest/gtest.h>

#include "espalier/study/check.hpp"
#include "espalier/study/test/shipped.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

model::Model with_keyframes() {
  model::Model model;
  model.keyframes.resize(2);
  model.keyframes[0].name = "folded";
  model.keyframes[1].name = "stretched";
  return model;
}

TEST(FindKeyframe, IsTheOneOfThisName) {
  const model::Model model = with_keyframes();
  EXPECT_EQ(*find_keyframe(model, "stretched"), &model.keyframes[1]);
}

TEST(FindKeyframe, ProposesANameThatIsNear) {
  const auto message = [](const model::Model& model, const std::string& name) {
    const auto found = find_keyframe(model, name);
    EXPECT_FALSE(found);
    return found ? "" : found.error().message;
  };
  EXPECT_EQ(message(with_keyframes(), "streched"),
            "`keyframe`: the model has no keyframe 'streched'; did you mean 'stretched'?");
  EXPECT_EQ(message({}, "home"), "`keyframe`: the model has no keyframe 'home', nor any other");
}

TEST(BallHint, CountsHingesThatAreCalledBallJoints) {
  model::Model model;
  model.joints.resize(3);
  model.joints[0].name = "left_spherical";
  model.joints[1].name = "right_spherical";
  model.joints[2].name = "pin";
  for (model::Joint& joint : model.joints) joint.type = model::JointType::kRevolute;
  EXPECT_MENTIONS(ball_hint(model), "2 joints are hinges but called like ball joints ('left_spherical', ...)");
  model.joints[0].type = model::JointType::kSpherical;
  EXPECT_MENTIONS(ball_hint(model), "1 joint is a hinge but called like ball joints ('right_spherical')");
  model.joints[1].type = model::JointType::kSpherical;
  EXPECT_EQ(ball_hint(model), "");
}

// Corrections may reach 1e-4 rad and 1e-5 m, so that 2e-6 m is as much as 2e-5 rad and more than 1e-5 rad.
TEST(CorrectionText, NamesTheJointThatWasCorrectedMost) {
  const model::Model model = shipped("four_bar").model;
  dynamics::Correction correction;
  correction.angle = 1e-5;
  correction.distance = 2e-6;
  correction.joints.resize(2);
  correction.joints[0].joint = model::JointId(0);
  correction.joints[0].angle = 1e-5;
  correction.joints[1].joint = model::JointId(2);
  correction.joints[1].distance = 2e-6;
  EXPECT_EQ(correction_text(model, correction), "") << "nothing was found";
  correction.outcome = dynamics::Correction::Outcome::kFound;
  EXPECT_MENTIONS(correction_text(model, correction), "2 joints were corrected by at most 1e-05 rad and 2e-06 m");
  EXPECT_MENTIONS(correction_text(model, correction), "most at joint 'C'");
}

TEST(LockedByRounding, IsOnlyWhatNoMotionCloses) {
  const model::Model model = shipped("four_bar").model;
  dynamics::Assembly assembly;
  assembly.after = {{model::JointId(2), 3e-6, 0, -1}};
  EXPECT_FALSE(locked_by_rounding(model, {}, assembly));
  assembly.outcome = dynamics::Assembly::Outcome::kRounded;
  const std::optional<Error> error = locked_by_rounding(model, {}, assembly);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kTopology);
  EXPECT_MENTIONS(error->message, "by 0.003 mm at joint 'C'");
  EXPECT_EQ(error->where, model.joints[2].where);
}

TEST(ClosingError, IsNoneWhereNothingWasComputed) {
  Closing closing;
  closing.start.assembly.outcome = dynamics::Assembly::Outcome::kOpen;
  EXPECT_FALSE(closing_error(closing));
}

TEST(Assembled, IsTheDrawnModelWhereNothingWasComputed) {
  const model::Model drawn = shipped("four_bar").model;
  EXPECT_EQ(assembled({}, drawn).joints.size(), drawn.joints.size());
  EXPECT_EQ(assembled({}, drawn).bodies[1].name, drawn.bodies[1].name);
}

}  // namespace
}  // namespace espalier::study
