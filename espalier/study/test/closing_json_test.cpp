#include "espalier/study/detail/closing_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/study/check.hpp"
#include "espalier/study/test/shipped.hpp"

namespace espalier::study {
namespace {

using nlohmann::ordered_json;

// Made up on a closed four-bar, whose joints are A, B, C, D.
class ClosingJson : public ::testing::Test {
 protected:
  ordered_json json() const { return detail::closing_json(closing_); }

  Closing closing_ = check(shipped("four_bar")).value().closing;
};

TEST_F(ClosingJson, OfNothingComputedHasNoKey) { EXPECT_TRUE(detail::closing_json({}).empty()); }

// One loop of four hinges in a plane: 4 tree coordinates less 1 of the cut joint, 5 equations of which 2 count.
TEST_F(ClosingJson, OfAFourBarHasTheRankOfItsEquations) {
  const ordered_json fields = json();
  EXPECT_EQ(fields["assembly"]["outcome"], "closed");
  EXPECT_EQ(fields["freedom"], 1);
  EXPECT_EQ(fields["tree_coordinates"], 3);
  EXPECT_EQ(fields["equations"], 5);
  EXPECT_EQ(fields["rank"], 2);
  EXPECT_EQ(fields["singular"], false);
  EXPECT_EQ(fields["redundant"].size(), 3u);
  EXPECT_TRUE(fields["keyframe"].is_null());
  EXPECT_TRUE(fields["correction"].is_null());
}

TEST_F(ClosingJson, OfOpenLoopsEndsWithTheGaps) {
  closing_.start.gaps = {{model::JointId(2), 0.25, 0.5, -1}, {model::JointId(0), 1e-12, 0, -1}};
  closing_.start.assembly.outcome = dynamics::Assembly::Outcome::kOpen;
  const ordered_json fields = json();
  EXPECT_EQ(fields["assembly"]["outcome"], "open");
  EXPECT_EQ(fields["assembly"]["gap_before"], 0.5) << "the larger of distance and angle";
  EXPECT_EQ(fields["assembly"]["open_before"],
            ordered_json::array({{{"joint", "C"}, {"distance", 0.25}, {"angle", 0.5}}}));
  EXPECT_FALSE(fields.contains("velocity"));
  EXPECT_FALSE(fields.contains("rank"));
}

TEST_F(ClosingJson, OfAnEliminationThatWasGivenUpHasNoRank) {
  closing_.constraints.complete = false;
  EXPECT_TRUE(json().contains("velocity"));
  EXPECT_FALSE(json().contains("rank"));
}

TEST_F(ClosingJson, TellsVelocitiesOfJointsFromThoseOfBodies) {
  dynamics::VelocityChange joint, body;
  joint.joint = model::JointId(1);
  joint.given = 3;
  joint.taken = 2;
  body.body = model::BodyId(1);
  body.component = 4;
  closing_.start.velocity.given = 5;
  closing_.start.velocity.changed = {joint, body};
  const ordered_json velocity = json()["velocity"];
  EXPECT_EQ(velocity["given"], 5);
  EXPECT_EQ(velocity["consistent"], false);
  EXPECT_EQ(velocity["changed"][0], ordered_json({{"joint", "B"}, {"component", 0}, {"given", 3.0}, {"taken", 2.0}}));
  EXPECT_EQ(velocity["changed"][1]["body"], closing_.system.model().bodies[1].name);
  EXPECT_EQ(velocity["changed"][1]["component"], 4);
}

TEST_F(ClosingJson, NamesTheAxisOfARemedyThatHasOne) {
  closing_.constraints.remedies = {{model::JointId(3), model::JointType::kSpherical, 0, 2},
                                   {model::JointId(2), model::JointType::kUniversal, 'y', 1}};
  const ordered_json remedies = json()["remedies"];
  EXPECT_EQ(remedies[0], ordered_json({{"joint", "D"}, {"type", "spherical"}, {"axis", nullptr}, {"removes", 2}}));
  EXPECT_EQ(remedies[1], ordered_json({{"joint", "C"}, {"type", "universal"}, {"axis", "y"}, {"removes", 1}}));
}

TEST(CorrectionJson, ListsTheJointsThatChanged) {
  const model::Model model = shipped("four_bar").model;
  dynamics::Correction correction;
  correction.angle = 0.5;
  correction.distance = 0.25;
  correction.joints.resize(1);
  correction.joints[0].joint = model::JointId(3);
  correction.joints[0].angle = 0.125;
  EXPECT_TRUE(detail::correction_json(model, correction).is_null());
  correction.outcome = dynamics::Correction::Outcome::kFound;
  EXPECT_EQ(detail::correction_json(model, correction),
            ordered_json({{"angle", 0.5},
                          {"distance", 0.25},
                          {"joints", ordered_json::array({{{"joint", "D"}, {"angle", 0.125}, {"distance", 0.0}}})}}));
}

}  // namespace
}  // namespace espalier::study
