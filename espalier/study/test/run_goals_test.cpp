#include <atomic>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/test/run_goals_support.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

TEST(RunGoals, AJudgementHasTheNumbersOfTheClosedForm) {
  const DesignSpace space = space_of(kOscillator, R"(vary: {k: {path: joints.slide.stiffness, range: [1, 8]}}
goals:
  - {end: slide.position, target: 0.5}
  - {maximum: slide.position, at_most: 0.4}
  - {minimum: slide.velocity, at_least: -2}
  - {minimise: {end: energy.total}}
simulate: {end: 2, output_step: 0.001, tolerance: 1e-10}
)");
  EXPECT_EQ(space.units, (std::vector<std::string>{"m", "m", "m/s", "J"}));
  EXPECT_EQ(space.run_end, 2);
  EXPECT_FALSE(space.vibrates);
  const Judgement judgement = judge(space, std::vector{4.0});
  EXPECT_EQ(judgement.problem, "");
  EXPECT_EQ(judgement.mass, 1);
  EXPECT_NEAR(judgement.quantities[0], std::sin(4.0) / 2, 1e-8);
  EXPECT_NEAR(judgement.quantities[1], 0.5, 1e-6);
  EXPECT_NEAR(judgement.quantities[2], -1, 1e-6);
  EXPECT_NEAR(judgement.quantities[3], 0.5, 1e-8) << "what it was pushed off with";
  EXPECT_NEAR(judgement.goals[0], std::pow((std::sin(4.0) / 2 - 0.5) / 0.5, 2), 1e-7);
  EXPECT_NEAR(judgement.goals[1], 0.25, 1e-5) << "0.1 m beyond 0.4 m";
  EXPECT_EQ(judgement.goals[2], 0);
  const std::vector<LimitState> limits = limit_states(space, judgement);
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_FALSE(limits[0].held);
  EXPECT_TRUE(limits[1].held);
}

// sin(w) / w falls from w = 1 to sqrt(8): one k has this end.
TEST(RunGoals, FindTheStiffnessOfAnEnd) {
  DesignSpace space = space_of(kOscillator, kEndOfOscillator);
  space.tuning.generations = 40;
  EXPECT_NEAR(find(space).parameters[0], 4, 1e-4);
}

// After 1 s, which is half a period, it hangs straight down.
TEST(RunGoals, FindTheLengthOfAPendulumOfTwoSeconds) {
  const DesignSpace space = space_of(kSlowPendulum, R"(vary: {L: {path: bodies.bob.com.2, range: [-1.6, -0.7]}}
goals: [{end: pin.position, target: 0, scale: 0.003}]
simulate: {end: 1, tolerance: 1e-9}
population: 8
generations: 40
)");
  EXPECT_NEAR(find(space).parameters[0], -9.81 / std::pow(std::numbers::pi, 2), 1e-4);
}

// The least damper that keeps the first swing below 0.6 m. With w = 1 and v = 1 it is
// exp(-z / sqrt(1 - z^2) atan(sqrt(1 - z^2) / z)).
TEST(RunGoals, FindTheDamperOfALargestSwing) {
  const auto swing = [](double z) {
    const double root = std::sqrt(1 - z * z);
    return std::exp(-z / root * std::atan2(root, z));
  };
  double low = 0, high = 0.99;
  for (int k = 0; k < 60; ++k) (swing((low + high) / 2) > 0.6 ? low : high) = (low + high) / 2;
  std::string one = kOscillator;
  one.replace(one.find("stiffness: 2"), 12, "stiffness: 1");
  const DesignSpace space = space_of(one, R"(vary: {c: {path: joints.slide.damping, range: [0, 2]}}
goals: [{maximum: slide.position, at_most: 0.6}, {minimise: {parameters: c}}]
simulate: {end: 2, output_step: 0.01, tolerance: 1e-8}
population: 6
generations: 30
)");
  const Tuned tuned = find(space);
  EXPECT_NEAR(tuned.parameters[0], 2 * low, 1e-3);
  EXPECT_TRUE(limit_states(space, tuned.best)[0].held);
  EXPECT_GT(tuned.drawn.quantities[0], 0.99) << "without a damper";
}

// Pushed off at 1 m/s against a spring between bodies, 1 kg pulls it with sqrt(k) at most: 2 N are k = 4.
TEST(RunGoals, FindTheStiffestSpringOfAForce) {
  const DesignSpace space = space_of(R"(espalier: 1
gravity: [0, 0, 0]
bodies: [{name: block, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}]
joints: [{name: slide, type: prismatic, between: [ground, block], at: {axis: [1, 0, 0]}, velocity: 1}]
forces:
  - {name: spring1, spring: {between: [ground, block], at: [[-9, 0, 0], [1, 0, 0]], stiffness: 2, length: 10}}
)",
                                     R"(vary: {k: {path: forces.spring1.spring.stiffness, range: [1, 9]}}
goals: [{maximum: spring1.force, at_most: 2}, {maximise: {parameters: k}}]
simulate: {end: 1.7, output_step: 0.01, tolerance: 1e-8}
population: 8
generations: 40
)");
  EXPECT_EQ(space.units[0], "N");
  EXPECT_NEAR(judge(space, std::vector{9.0}).quantities[0], 3, 1e-3);
  EXPECT_NEAR(find(space).parameters[0], 4, 5e-3);
}

class RunGoalsFolder : public TestFolder {
 protected:
  // x(t) of the oscillator with k = 5 and c = 0.4, every 0.05 s.
  static std::string measured() {
    const double k = 5, c = 0.4, w = std::sqrt(k - c * c / 4);
    std::string table = "time [s],slide.position [m],remark\n";
    for (int n = 0; n <= 40; ++n) {
      const double t = 0.05 * n;
      table += fmt::format("{},{},7\n", t, std::exp(-c / 2 * t) * std::sin(w * t) / w);
    }
    return table;
  }
  Result<DesignSpace> read(const std::string& goal, const std::string& run) {
    return read_space(folder_, kOscillator,
                      "vary:\n  k: {path: joints.slide.stiffness, range: [1, 9]}\n"
                      "  c: {path: joints.slide.damping, range: [0, 1]}\ngoals: [{" +
                          goal + "}]\nsimulate: {" + run + "}\npopulation: 12\ngenerations: 50\n",
                      measured());
  }
};

TEST_F(RunGoalsFolder, FindTheNumbersThatATableWasMadeWith) {
  const Result<DesignSpace> space =
      read("distance: slide.position, csv: table.csv", "output_step: 0.05, tolerance: 1e-9");
  ASSERT_TRUE(space.has_value()) << to_string(space.error());
  EXPECT_EQ(space->run_end, 2) << "the last time of the table";
  const Tuned tuned = find(*space);
  EXPECT_NEAR(tuned.parameters[0], 5, 1e-3);
  EXPECT_NEAR(tuned.parameters[1], 0.4, 1e-3);
  EXPECT_LT(tuned.best.quantities[0], 1e-4) << "[m], root of the mean square";
  EXPECT_GT(tuned.drawn.quantities[0], 0.1);
}

TEST_F(RunGoalsFolder, ATableMustFitTheRun) {
  EXPECT_MENTIONS(to_string(read("distance: slide.position, csv: table.csv", "end: 1").error()),
                  "study.yaml:4: goal 'distance slide.position': the table lasts until 2 s, but runs end at 1 s");
  EXPECT_MENTIONS(to_string(read("distance: slide.velocity, csv: table.csv, column: slide.position", "end: 2").error()),
                  "the table is in 'm', slide.velocity in m/s; write the table in m/s");
}

TEST(RunGoals, ThreadsDoNotChangeABit) {
  const DesignSpace space = space_of(kOscillator, kEndOfOscillator);
  const Tuned alone = find(space);
  for (const int threads : {2, 4}) {
    DesignSearch how;
    how.threads = threads;
    const Tuned together = find(space, how);
    expect_same_state(together.state, alone.state);
    EXPECT_EQ(together.best.quantities, alone.best.quantities);
  }
}

TEST(RunGoals, AStoppedSearchContinuesToTheSameBits) {
  const DesignSpace space = space_of(kOscillator, kEndOfOscillator);
  std::atomic<bool> stop = false;
  DesignSearch how;
  how.stop = &stop;
  how.on_generation = [&](const TuneState& state) { stop = state.search.generation >= 5; };
  const Tuned half = find(space, how);
  EXPECT_TRUE(half.stopped);
  DesignSearch again;
  again.start = &half.state;
  expect_same_state(find(space, again).state, find(space).state);
}

TEST(RunGoals, StandBesideGoalsOnModes) {
  const DesignSpace space = space_of(kOscillator, R"(vary: {k: {path: joints.slide.stiffness, range: [1, 8]}}
goals: [{near: [0.3]}, {end: slide.position, target: 0.5}]
simulate: {end: 1}
)");
  const Judgement judgement = judge(space, std::vector{4.0});
  EXPECT_NEAR(judgement.frequencies[0], 2 / kTurn, 1e-9);
  EXPECT_NEAR(judgement.quantities[1], std::sin(2.0) / 2, 1e-5);
  EXPECT_TRUE(std::isnan(judgement.quantities[0]));
  const Judgement modes = judge_modes(space, std::vector{4.0});
  EXPECT_EQ(modes.frequencies, judgement.frequencies);
  EXPECT_TRUE(std::isnan(modes.goals[1]));
}

// Friction stops the block after 1 / (2 mu g).
TEST(RunGoals, OfASceneFindItsFriction) {
  const DesignSpace space = space_of(kSlidingBlock, R"(vary: {mu: {path: contact.friction, range: [0.15, 0.6]}}
goals: [{end: block.position.x, target: 0.2}]
simulate: {end: 0.8, step: 0.001}
population: 8
generations: 20
)");
  EXPECT_NEAR(find(space).parameters[0], 1 / (2 * 9.81 * 0.2), 5e-3);
}

TEST(RunGoals, ARunWithoutAnEndIsABadDesign) {
  // A negative mass makes no model; loops of a design may not close.
  const DesignSpace space = space_of(kOscillator, R"(vary: {m: {path: bodies.block.mass, range: [-1, 2]}}
goals: [{end: slide.position, target: 0.5}]
)");
  const Judgement judgement = judge(space, std::vector{-0.5});
  EXPECT_NE(judgement.problem, "");
  EXPECT_TRUE(std::isnan(judgement.goals[0]) && std::isnan(judgement.quantities[0]));
  EXPECT_EQ(space.run_end, 1) << "as in `simulate`";
}

std::string refused(const std::string& goal, const std::string& run = "end: 1") {
  const Result<DesignSpace> space =
      read_space(kOscillator, "vary: {k: {path: joints.slide.stiffness, range: [1, 8]}}\ngoals:\n  - {" + goal +
                                  ", target: 1}\nsimulate: {" + run + "}\n");
  EXPECT_FALSE(space.has_value()) << goal << run;
  return space ? "" : to_string(space.error());
}

TEST(RunGoals, AreRefusedWithTheLineAndTheWayOut) {
  EXPECT_MENTIONS(refused("end: slid.position"), "study.yaml:3: goal 'end slid.position': no quantity is called");
  EXPECT_MENTIONS(refused("end: slid.position"), "did you mean 'slide.position'");
  EXPECT_MENTIONS(refused("end: block.velocity"), "'block.velocity' stands for 6 numbers: block.velocity.x");
  EXPECT_MENTIONS(refused("end: slide.position", "integrator: euler"),
                  "study.yaml:4: `integrator` 'euler' is unknown; it is one of auto, runge, fixed, implicit");
  EXPECT_MENTIONS(refused("end: slide.position", "engine: contakt"), "it is one of auto, recursive, contact");
  EXPECT_MENTIONS(refused("end: slide.position", "keyframe: up"), "'up'");
  EXPECT_MENTIONS(refused("end: slide.position", "step: 0.1"), "study.yaml:4: `step` is for `integrator` fixed");
  EXPECT_MENTIONS(refused("end: slide.position", "end: 1, output_step: 1e-30"), "study.yaml:4");
}

}  // namespace
}  // namespace espalier::study
