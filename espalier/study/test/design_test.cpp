#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/study/test/tune_support.hpp"

namespace espalier::study {
namespace {

using Kind = formats::TuningGoal::Kind;

formats::TuningGoal goal(Kind kind, double weight, bool weighed = true) {
  formats::TuningGoal goal;
  goal.kind = kind;
  goal.weight = weight;
  goal.weighed = weighed;
  return goal;
}

std::vector<double> weighed(const formats::Tuning& tuning, const std::vector<double>& goals, std::size_t searched) {
  std::vector<double> numbers(searched);
  weigh(tuning, goals, numbers);
  return numbers;
}

// 2 x 3 + 5 x 7 + 0.5 x 4 = 43.
TEST(Weigh, AddsAllGoalsByTheirWeights) {
  formats::Tuning tuning;
  tuning.goals = {goal(Kind::kMass, 2), goal(Kind::kFrequency, 5), goal(Kind::kAvoid, 0.5)};
  EXPECT_EQ(search_goals(tuning), 1);
  EXPECT_EQ(weighed(tuning, {3, 7, 4}, 1), std::vector<double>{43});
}

// Of a front: 2 x 3 and 5 x 7, each with the 0.5 x 4 of the limit.
TEST(Weigh, OfAFrontAddsLimitsToEachGoal) {
  formats::Tuning tuning;
  tuning.pareto = true;
  tuning.goals = {goal(Kind::kMass, 2), goal(Kind::kAvoid, 0.5), goal(Kind::kFrequency, 5)};
  EXPECT_EQ(search_goals(tuning), 2);
  EXPECT_EQ(weighed(tuning, {3, 4, 7}, 2), (std::vector<double>{8, 37}));
}

TEST(Weigh, KeepsLimitsWithoutAWeightBehindTheGoals) {
  formats::Tuning tuning;
  tuning.goals = {goal(Kind::kAvoid, 1, false), goal(Kind::kMass, 2), goal(Kind::kDamping, 1, false)};
  EXPECT_TRUE(has_constraints(tuning));
  EXPECT_EQ(weighed(tuning, {0.25, 3, 0.5}, 2), (std::vector<double>{6, 0.75}));
  tuning.goals = {goal(Kind::kMass, 1, false)};
  EXPECT_FALSE(has_constraints(tuning)) << "a mass has no best value that could be held";
}

// Frequencies of 1, 2 and 3 Hz, ratios of 0.1, 0.02 and 0.01: the band (1.5, 3) holds the second alone, and of the two
// lowest one has less than 0.05.
TEST(LimitStates, NameTheFrequenciesThatBreakALimit) {
  DesignSpace space = space_of(kMasses, kTwoFrequencies);
  formats::TuningGoal band = goal(Kind::kAvoid, 1), damping = goal(Kind::kDamping, 1);
  band.low = 1.5;
  band.high = 3;
  damping.low = 0.05;
  damping.mode = 2;
  space.tuning.goals = {goal(Kind::kMass, 1), band, damping};
  Judgement judgement;
  judgement.frequencies = {1, 2, 3};
  judgement.damping = {0.1, 0.02, 0.01};
  judgement.goals = {5, 0.5, 0};
  const std::vector<LimitState> states = limit_states(space, judgement);
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].goal, 1u);
  EXPECT_FALSE(states[0].held);
  EXPECT_EQ(states[0].frequencies, std::vector<double>{2});
  EXPECT_TRUE(states[1].held);
  EXPECT_EQ(states[1].frequencies, std::vector<double>{2});
}

// Two masses of 2 and 1 kg, and a beam of 1 m with a section of 20 x 10 mm of steel: 7850 x 0.02 x 0.01 = 1.57 kg.
TEST(JudgeDrawn, CountsTheMassOfBodiesAndBeams) {
  EXPECT_EQ(judge_drawn(space_of(kMasses, kTwoFrequencies)).mass, 3);
  const DesignSpace beam =
      space_of(kBeam, "vary: {h: {path: bodies.rod.section.h, range: [0.005, 0.02]}}\ngoals: [{minimise: mass}]\n");
  EXPECT_NEAR(judge_drawn(beam).mass, 1.57, 1e-12);
}

}  // namespace
}  // namespace espalier::study
