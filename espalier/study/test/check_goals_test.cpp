#include <string>

#include <gtest/gtest.h>

#include "espalier/study/test/tune_support.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

// Two masses that know nothing of each other: 2 kg on 200 N/m with a damper, 1.5911 Hz, and 1 kg on 500 N/m, 3.5588 Hz.
const std::string kApart = R"(espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: first, mass: 2, inertia: [1, 1, 1]}
  - {name: second, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  - {name: slow, type: prismatic, between: [ground, first], at: {axis: [1, 0, 0]}, stiffness: 200, damping: 1}
  - {name: fast, type: prismatic, between: [ground, second], at: {axis: [1, 0, 0]}, stiffness: 500, damping: 0}
)";

std::string problem(const std::string& goals, const std::string& path = "joints.fast.stiffness",
                    const std::string& range = "[300, 900]") {
  const DesignSpace space =
      space_of(kApart, "vary: {k: {path: " + path + ", range: " + range + "}}\ngoals:\n  - " + goals + "\n");
  const Result<void> checked = check_goals(space);
  return checked ? "" : to_string(checked.error());
}

TEST(CheckGoals, RefusesAFrequencyThatNoParameterTouches) {
  const std::string message = problem("{near: [2]}");
  EXPECT_MENTIONS(message,
                  "study.yaml:3: goal 'near': no parameter changes it; it is at 1.5911 Hz in all of 9 designs "
                  "across their ranges; vary a number that it depends on, or leave it out");
  EXPECT_MENTIONS(problem("{maximise: {frequency: 1}}"), "'maximise frequency 1'");
  EXPECT_EQ(problem("{near: [2]}", "joints.slow.stiffness"), "");
  EXPECT_EQ(problem("{near: [2, 3]}"), "") << "the second frequency moves";
  EXPECT_EQ(problem("{near: [2]}", "joints.fast.stiffness", "[10, 900]"), "") << "it may become the lowest";
}

TEST(CheckGoals, RefusesTheSecondOfTwo) {
  EXPECT_MENTIONS(problem("{maximise: {frequency: 2}}\n  - {minimise: mass}"),
                  "study.yaml:4: goal 'minimise mass': no parameter changes it; it is at 3 kg");
  EXPECT_EQ(problem("{maximise: {frequency: 2}}\n  - {minimise: mass}", "bodies.second.mass", "[0.5, 2]"), "");
  EXPECT_EQ(problem("{maximise: {frequency: 2}}\n  - {minimise: {parameters: k}}"), "");
}

TEST(CheckGoals, RefusesALimitThatIsMissedAndStays) {
  EXPECT_MENTIONS(problem("{avoid: [1, 2]}"), "goal 'avoid 1 to 2 Hz': no parameter changes it; it is at 1.5911 Hz");
  EXPECT_EQ(problem("{avoid: [0.5, 1.2]}"), "") << "held by all, and it stays held";
  EXPECT_EQ(problem("{avoid: [1, 5]}"), "") << "one of the two moves";
  EXPECT_MENTIONS(problem("{damping: 0.9}"), "it is at a damping ratio of 0.025");
  EXPECT_EQ(problem("{damping: 0.9, modes: 2}", "joints.fast.damping", "[0, 9]"), "");
}

// Where stiffness and mass have ranges of one form, all parameters at one end give the same frequency as at the other.
TEST(CheckGoals, IsNotMisledByParametersThatCancel) {
  const DesignSpace space = space_of(kApart, R"(vary:
  k: {path: joints.slow.stiffness, range: [100, 400], scale: log}
  m: {path: bodies.first.mass, range: [1, 4], scale: log}
goals: [{near: [2]}]
)");
  EXPECT_TRUE(check_goals(space).has_value());
}

TEST(CheckGoals, DesignsThatMakeNoModelTellNothing) {
  EXPECT_EQ(problem("{minimise: mass}", "bodies.second.mass", "[-2, -1]"), "") << "the drawn one alone";
}

}  // namespace
}  // namespace espalier::study
