#include "espalier/record/selection.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/model/model.hpp"
#include "espalier/record/test/run_support.hpp"
#include "tests/support/expect.hpp"

namespace espalier::record {
namespace {

// A crank with a joint that slides on it, and one of each kind of force.
ResultLayout crank_layout() {
  ResultLayout layout;
  layout.bodies = {"ground", "crank", "pin"};
  layout.joints = {"pin", "ball"};
  layout.joint_types = {"revolute", "spherical"};
  layout.joint_position = {{"pin", "rad"}, {"ball.qw", "1"}, {"ball.qx", "1"}, {"ball.qy", "1"}, {"ball.qz", "1"}};
  layout.joint_velocity = {{"pin", "rad/s"}, {"ball.rx", "rad/s"}, {"ball.ry", "rad/s"}, {"ball.rz", "rad/s"}};
  layout.joint_acceleration = {
      {"pin", "rad/s^2"}, {"ball.rx", "rad/s^2"}, {"ball.ry", "rad/s^2"}, {"ball.rz", "rad/s^2"}};
  layout.joint_effort = {{"pin", "N m"}, {"ball.rx", "N m"}, {"ball.ry", "N m"}, {"ball.rz", "N m"}};
  layout.forces = {"spring", "1", "motor"};
  layout.force = {{"spring", "N"}, {"1.x", "N"}, {"1.y", "N"}, {"1.z", "N"}, {"motor", "N m"}};
  return layout;
}

std::vector<std::string> chosen(std::string_view words) {
  const Result<Selection> selection = Selection::choose(crank_layout(), words);
  EXPECT_TRUE(selection.has_value()) << to_string(selection.error());
  std::vector<std::string> heads;
  if (!selection) return heads;
  for (const Column& column : selection->columns()) heads.push_back(column_head(column));
  return heads;
}

using Heads = std::vector<std::string>;

TEST(Selection, NamesNumbersWithTheirUnits) {
  EXPECT_EQ(chosen("pin.torque, spring.force,energy.total"),
            (Heads{"pin.torque [N m]", "spring.force [N]", "energy.total [J]"}));
  EXPECT_EQ(chosen("motor.torque"), Heads{"motor.torque [N m]"});
  EXPECT_EQ(chosen("forces.1"), (Heads{"1.force.x [N]", "1.force.y [N]", "1.force.z [N]"}));
  EXPECT_EQ(chosen("crank.acceleration.rz"), Heads{"crank.acceleration.rz [rad/s^2]"});
}

TEST(Selection, ANameStandsForAllThatBeginWithItAndADot) {
  EXPECT_EQ(chosen("ball.velocity"),
            (Heads{"ball.velocity.rx [rad/s]", "ball.velocity.ry [rad/s]", "ball.velocity.rz [rad/s]"}));
  EXPECT_EQ(chosen("loop"), (Heads{"loop.distance [m]", "loop.angle [rad]"}));
  // "ball" is no beginning of "balls".
  EXPECT_FALSE(Selection::choose(crank_layout(), "bal").has_value());
}

// The joint and the body are both called pin: what both have is told apart by the list that they stand in.
TEST(Selection, TellsAJointFromABodyOfItsName) {
  EXPECT_EQ(chosen("joints.pin.velocity"), Heads{"pin.velocity [rad/s]"});
  EXPECT_EQ(chosen("bodies.pin.velocity.x"), Heads{"pin.velocity.x [m/s]"});
  // A number that is called so is meant, and not those whose names begin so.
  EXPECT_EQ(chosen("pin.velocity"), Heads{"pin.velocity [rad/s]"});
  EXPECT_EQ(chosen("pin.velocity.*").size(), 6u);
  ResultLayout twins = crank_layout();
  twins.joints[0] = twins.joint_position[0].name = twins.joint_velocity[0].name = "motor";
  twins.joint_acceleration[0].name = twins.joint_effort[0].name = "motor";
  const Result<Selection> both = Selection::choose(twins, "motor.torque");
  ASSERT_TRUE(both.has_value());
  ASSERT_EQ(both->columns().size(), 2u);
  EXPECT_EQ(both->columns()[0].name, "joints.motor.torque");
  EXPECT_EQ(both->columns()[1].name, "forces.motor.torque");
}

TEST(Selection, AStarStandsForAnyText) {
  const std::vector<Column> all = named_numbers(crank_layout());
  EXPECT_EQ(chosen("*").size(), all.size());
  EXPECT_EQ(chosen("*.velocity.r*").size(), 3u + 2 * 3);
  EXPECT_EQ(chosen("joints.*.acceleration").size(), 4u);
  EXPECT_EQ(chosen("b*l.position.q*"),
            (Heads{"ball.position.qw [1]", "ball.position.qx [1]", "ball.position.qy [1]", "ball.position.qz [1]"}));
  // Each once, in the order of the words.
  const Heads heads = chosen("energy.total, energy");
  EXPECT_EQ(heads[0], "energy.total [J]");
  EXPECT_EQ(heads.size(), 4u);
}

TEST(Selection, AllNamesAreDifferentAndChooseThemselves) {
  const ResultLayout layout = crank_layout();
  for (const Column& column : named_numbers(layout)) {
    const Result<Selection> selection = Selection::choose(layout, column.name);
    ASSERT_TRUE(selection.has_value());
    ASSERT_EQ(selection->columns().size(), 1u) << column.name;
    EXPECT_EQ(selection->columns()[0], column);
  }
}

TEST(Selection, SaysWhatIsNearAndWhatThereIs) {
  const Result<Selection> selection = Selection::choose(crank_layout(), "pin.velocity, pin.torqe");
  ASSERT_FALSE(selection.has_value());
  EXPECT_EQ(selection.error().code, ErrorCode::kName);
  EXPECT_MENTIONS(selection.error().message, "no quantity is called 'pin.torqe'; did you mean 'pin.torque'?");
  EXPECT_MENTIONS(selection.error().hint,
                  "position, velocity, acceleration, torque, passive, reaction of joints (pin,");
  EXPECT_MENTIONS(selection.error().hint, "force, torque of forces (spring, 1, motor)");
  EXPECT_MENTIONS(selection.error().hint, "energy.kinetic");
  EXPECT_MENTIONS(Selection::choose(crank_layout(), "crnk").error().message, "did you mean 'crank'");
}

// Numbers of a frame are those that result.h5 holds under the same name.
TEST(Selection, TakesWhatTheFileHolds) {
  const ResultLayout layout = small_layout();
  const Rows rows = random_rows(layout, 3);
  const Result<Selection> selection = Selection::choose(layout, "spring.force, crank.velocity.ry, energy.kinetic");
  ASSERT_TRUE(selection.has_value()) << to_string(selection.error());
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<double> numbers = {7};
    selection->take(frame_at(rows, layout, row), numbers);
    EXPECT_EQ(numbers, (std::vector<double>{7, rows.at("force")[4 * row], rows.at("body_velocity")[18 * row + 6 + 4],
                                            rows.at("energy/kinetic")[row]}));
  }
}

TEST(Selection, OfNothingTakesNothing) {
  std::vector<double> numbers;
  Selection().take({}, numbers);
  EXPECT_TRUE(numbers.empty());
  EXPECT_TRUE(chosen(" , ").empty());
}

TEST(Summary, KeepsLeastLargestAndEnd) {
  const ResultLayout layout = small_layout();
  Summary summary(*Selection::choose(layout, "energy.kinetic, energy.exchanged"));
  EXPECT_TRUE(summary.end().empty());
  for (const double x : {2.0, -5.0, 3.0, 1.0}) {
    model::Frame frame;
    frame.kinetic = x;
    frame.exchanged = -x;
    summary.see(frame);
  }
  EXPECT_EQ(summary.least(), (std::vector<double>{-5, -3}));
  EXPECT_EQ(summary.largest(), (std::vector<double>{3, 5}));
  EXPECT_EQ(summary.end(), (std::vector<double>{1, -1}));
}

}  // namespace
}  // namespace espalier::record
