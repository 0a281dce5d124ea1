#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "espalier/study/check.hpp"
#include "espalier/study/test/shipped.hpp"

namespace espalier::study {
namespace {

std::string line_of(const CheckAnswer& answer, const std::string& word) {
  for (const auto& [name, sentence] : check_lines(answer)) {
    if (name == word) return sentence;
  }
  return "(no such line)";
}

// 12 coordinates, a loop in space that takes 6, a planar one that takes 3, and a coupling: 12 - 6 - 3 - 1 = 2.
TEST(CheckLines, ShowHowDegreesOfFreedomAreCounted) {
  CheckAnswer answer;
  answer.count = {.bodies = 5, .groups = 4, .movable_joints = 6, .loops = 2, .coordinates = 12, .planar_loops = 1};
  answer.count.freedom = 2;
  answer.count.floating = 1;
  answer.couplings = 1;
  answer.joint_types = {{"revolute", 5}, {"screw", 1}};
  EXPECT_EQ(line_of(answer, "bodies"), "5 (4 links after welding); one piece not joined to the ground");
  EXPECT_EQ(line_of(answer, "joints"), "6 movable (5 revolute, 1 screw)");
  EXPECT_EQ(line_of(answer, "freedom"), "2 by count = 12 coordinates - 6 x 1 loop - 3 x 1 planar loop - 1 coupling");
  answer.count.freedom = -1;
  answer.elastic = 2;
  EXPECT_EQ(line_of(answer, "freedom"),
            "-1 by count = 12 coordinates - 6 x 1 loop - 3 x 1 planar loop - 1 coupling, as if 2 elastic bodies were "
            "rigid; fewer than none: constraints are redundant, or the mechanism is locked");
}

TEST(CheckLines, TellHowASceneBegins) {
  CheckAnswer answer;
  answer.scene = {.shapes = {{"sphere", 2}, {"plane", 1}},
                  .moving = 2,
                  .lightest = 1,
                  .heaviest = 3,
                  .mass = 4,
                  .friction = {0.3, 0.5},
                  .restitution = {0, 0},
                  .overlaps = 1,
                  .deepest = 0.01,
                  .deepest_pair = {"a", "b"}};
  EXPECT_EQ(line_of(answer, "shapes"), "3 that can touch (2 sphere, 1 plane)");
  EXPECT_EQ(line_of(answer, "masses"), "1 to 3 kg; 2 bodies moving, 4 kg in all");
  EXPECT_EQ(line_of(answer, "friction"), "0.3 to 0.5; restitution 0");
  EXPECT_EQ(line_of(answer, "overlaps"),
            "2 bodies reach into each other at the start; the deepest, 'a' and 'b', by 0.01 m. A run moves them "
            "apart, without speed");
  answer.scene->overlaps = 0;
  EXPECT_EQ(line_of(answer, "overlaps"), "none at the start");
  answer.scene.reset();
  answer.scene_why_not = "no beams";
  EXPECT_EQ(line_of(answer, "contact"), "refused: no beams");
  EXPECT_EQ(line_of(answer, "shapes"), "(no such line)");
}

TEST(CheckLines, SayWhyTheRankIsNotKnown) {
  CheckAnswer answer;
  answer.closing.why_not = "too large";
  EXPECT_EQ(line_of(answer, "by rank"), "too large");
  EXPECT_EQ(line_of(answer, "assembly"), "(no such line)");
}

// Made up on a closed four-bar; joint 2 of it is called C.
class Lines : public ::testing::Test {
 protected:
  CheckAnswer answer_ = check(shipped("four_bar")).value();
  Closing& closing_ = answer_.closing;
  const model::JointId c_ = model::JointId(2);
};

TEST_F(Lines, SayWhatMovedMostToCloseTheLoops) {
  closing_.start.gaps = {{c_, 0.002, 0, -1}};
  closing_.start.assembly.iterations = 3;
  closing_.start.assembly.moved = {{model::JointId(1), 0, 0.01, -1}};
  EXPECT_EQ(line_of(answer_, "assembly"),
            "closed in 3 steps: joint 'C' was open by 2 mm as drawn; joint 'B' moved most, by 0.573 deg");
}

TEST_F(Lines, SayWhatStaysOpen) {
  closing_.start.assembly.outcome = dynamics::Assembly::Outcome::kOpen;
  closing_.start.assembly.after = {{c_, 0.25, 0, -1}};
  EXPECT_EQ(line_of(answer_, "assembly"), "open: 0.25 m of joint 'C' cannot be closed");
  EXPECT_EQ(line_of(answer_, "redundant"), "(no such line)") << "there is no pose in which to count";
}

TEST_F(Lines, CompareVelocitiesGivenWithThoseTaken) {
  closing_.start.velocity.given = 2;
  EXPECT_EQ(line_of(answer_, "velocity"), "2 numbers given, consistent");
  dynamics::VelocityChange change;
  change.joint = c_;
  change.given = 3;
  change.taken = -0.5;
  closing_.start.velocity.changed = {change};
  EXPECT_EQ(line_of(answer_, "velocity"), "1 of 2 given cannot be: joint 'C' says 3, nearest is -0.5");
}

TEST_F(Lines, SayThatAPoseIsSingular) {
  EXPECT_EQ(line_of(answer_, "singular"), "(no such line)");
  closing_.constraints.rank_here = closing_.constraints.rank - 1;
  EXPECT_EQ(line_of(answer_, "singular"),
            "1 of the equations no longer counts in this pose: the mechanism may leave it on several ways");
}

TEST_F(Lines, GroupRedundantEquationsByJointAndDirection) {
  using model::Direction;
  closing_.constraints.redundant.clear();
  for (const Direction direction : {Direction::kAboutX, Direction::kZ, Direction::kAboutY})
    closing_.constraints.redundant.push_back({c_, direction, -1});
  EXPECT_EQ(redundant_items(answer_), std::vector<std::string>{"C: sliding along z; turning about x, y"});
}

TEST_F(Lines, SayWhichTypeWouldLeaveFewer) {
  closing_.constraints.remedies = {{c_, model::JointType::kUniversal, 'x', 1}, {c_, model::JointType::kPlanar, 'y', 2}};
  const std::vector<std::string> items = remedy_items(answer_);
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0], "make C universal (second axis along x of its frame): 1 fewer");
  EXPECT_EQ(items[1], "make C planar (normal along y of its frame): 2 fewer");
}

}  // namespace
}  // namespace espalier::study
