#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/tuning.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {
namespace {

using Kind = TuningGoal::Kind;

const char* const kStudy = R"(vary:
  tyres: {path: joints.tyre_*.stiffness.1, factor: [0.1, 10], scale: log}
  mass: {path: [bodies.a.mass, bodies.b.mass], range: [-1, 5]}
goals:
  - {near: [3, 4], weights: [1, 2], reference: {experiment: [3.1, 4.2]}, weight: 2, name: Table 9}
  - {avoid: [1.5, 1.9]}
  - {maximise: {frequency: 3}}
  - {minimise: mass}
  - {minimise: {parameters: [mass, tyres]}}
  - {damping: 0.05, modes: 4}
pareto: yes
algorithm: nsga2
population: 16
generations: 50
seed: 7
enough: 1e-6
patience: 9
)";

TEST(TuningReader, ReadsEveryField) {
  const Result<Tuning> tuning = read_tuning_text(kStudy, "s.yaml");
  ASSERT_TRUE(tuning.has_value()) << to_string(tuning.error());
  ASSERT_EQ(tuning->parameters.size(), 2u);
  EXPECT_EQ(tuning->parameters[0].name, "tyres");
  EXPECT_TRUE(tuning->parameters[0].factor);
  EXPECT_TRUE(tuning->parameters[0].logarithmic);
  EXPECT_EQ(tuning->parameters[0].where.line, 2);
  EXPECT_EQ(tuning->parameters[1].paths.size(), 2u);
  EXPECT_EQ(tuning->parameters[1].low, -1);
  ASSERT_EQ(tuning->goals.size(), 6u);
  const TuningGoal& near = tuning->goals[0];
  EXPECT_EQ(near.kind, Kind::kNear);
  EXPECT_EQ(near.name, "Table 9");
  EXPECT_EQ(near.weight, 2);
  EXPECT_EQ(near.target_weights, (std::vector<double>{1, 2}));
  EXPECT_EQ(near.reference_name, "experiment");
  EXPECT_EQ(near.reference_values, (std::vector<double>{3.1, 4.2}));
  EXPECT_EQ(tuning->goals[1].low, 1.5);
  EXPECT_TRUE(tuning->goals[1].is_limit());
  EXPECT_EQ(tuning->goals[2].mode, 3);
  EXPECT_TRUE(tuning->goals[2].maximise);
  EXPECT_EQ(tuning->goals[3].kind, Kind::kMass);
  EXPECT_EQ(tuning->goals[4].names.size(), 2u);
  EXPECT_EQ(tuning->goals[5].mode, 4);
  EXPECT_TRUE(tuning->pareto);
  EXPECT_EQ(tuning->algorithm, "nsga2");
  EXPECT_EQ(tuning->population, 16);
  EXPECT_EQ(tuning->generations, 50);
  EXPECT_EQ(tuning->seed, 7u);
  EXPECT_EQ(tuning->enough, 1e-6);
  EXPECT_EQ(tuning->patience, 9);
}

// What is wrong with a study in which one line is replaced.
std::string error_of(const std::string& from, const std::string& to) {
  std::string text = kStudy;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const Result<Tuning> tuning = read_tuning_text(text, "s.yaml");
  EXPECT_FALSE(tuning.has_value()) << to;
  return tuning ? "" : to_string(tuning.error());
}

TEST(TuningReader, RefusesWithTheLineAndTheWayOut) {
  EXPECT_MENTIONS(error_of("[-1, 5]", "[5, -1]"), "s.yaml:3: parameter 'mass': `range` is [5, -1]; the lower number");
  EXPECT_MENTIONS(error_of("[-1, 5]", "[-1, .nan]"), "s.yaml:3: ");
  EXPECT_MENTIONS(error_of("[0.1, 10]", "[0, 10]"), "above 0, not 0");
  EXPECT_MENTIONS(error_of("scale: log", "scale: logg"), "'logg'; it must be log or linear");
  EXPECT_MENTIONS(error_of("factor: [0.1, 10], ", ""), "needs either `range: [low, high]` or `factor");
  EXPECT_MENTIONS(error_of("near: [3, 4]", "near: [4, 3]"), "s.yaml:5: `near`: the frequencies must ascend");
  EXPECT_MENTIONS(error_of("near: [3, 4]", "near: []"), "is empty");
  EXPECT_MENTIONS(error_of("near: [3, 4]", "near: [0, 4]"), "0 Hz; a frequency must be above 0");
  EXPECT_MENTIONS(error_of("weights: [1, 2]", "weights: [1]"), "has 1 number, but there are 2 frequencies");
  EXPECT_MENTIONS(error_of("experiment: [3.1, 4.2]", "experiment: [3.1]"), "`reference` has 1 number");
  EXPECT_MENTIONS(error_of("[1.5, 1.9]", "[1.9, 1.5]"), "s.yaml:6: `avoid` is [1.9, 1.5]");
  EXPECT_MENTIONS(error_of("frequency: 3", "frequency: 0"), "whole number from 1 to 100000");
  EXPECT_MENTIONS(error_of("[mass, tyres]", "[mas]"), "no parameter in `vary` is called 'mas'; did you mean 'mass'?");
  EXPECT_MENTIONS(error_of("{minimise: mass}", "{minimise: cost}"), "`minimise` must be `mass`");
  EXPECT_MENTIONS(error_of("damping: 0.05", "damping: 5"), "between 0 and 1");
  EXPECT_MENTIONS(error_of("weight: 2", "weight: -2"), "`weight` is -2; it must be above 0");
  EXPECT_MENTIONS(error_of("population: 16", "population: 3"), "from 4 to 100000");
  EXPECT_MENTIONS(error_of("  - {minimise: mass}", "  - {minimize: mass}"), "a goal is one of");
  EXPECT_MENTIONS(error_of("patience: 9", "patience: 0"), "whole number from 1");
  EXPECT_MENTIONS(error_of("seed: 7", "sed: 7"), "did you mean 'seed'");
}

TEST(TuningReader, GoalsAndParametersMustBeThere) {
  EXPECT_MENTIONS(to_string(read_tuning_text("vary: {k: {path: a.b, range: [1, 2]}}\ngoals: []\n", "s.yaml").error()),
                  "s.yaml:2: `goals` is empty; each goal is one of");
  EXPECT_MENTIONS(to_string(read_tuning_text("vary: {}\ngoals: [{near: [1]}]\n", "s.yaml").error()),
                  "`vary` must be a map of parameters");
  EXPECT_MENTIONS(to_string(read_tuning_text("goals: [{near: [1]}]\n", "s.yaml").error()), "needs `vary`");
  const std::string one = "vary: {k: {path: a.b, range: [1, 2]}}\npareto: true\ngoals: [{near: [1]}, {avoid: [1, 2]}]";
  EXPECT_MENTIONS(to_string(read_tuning_text(one, "s.yaml").error()), "`pareto` needs two goals");
}

}  // namespace
}  // namespace espalier::formats
