#include "espalier/study/tune.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/comm/comm.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/study/test/tune_support.hpp"
#include "tests/support/folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using comm::Comm;

Tuned tuned_of(const DesignSpace& space, const DesignSearch& options = {}) {
  Result<Tuned> tuned = find_design(Comm::serial(), space, options);
  EXPECT_TRUE(tuned.has_value()) << to_string(tuned.error());
  return tuned.value_or(Tuned());
}

TEST(Judge, FrequenciesAreThoseOfTheClosedForm) {
  const DesignSpace space = space_of(kMasses, kTwoFrequencies);
  const double k1 = 300, k2 = 150, m1 = 2, m2 = 1;
  const Judgement judgement = judge(space, std::vector{k1, k2});
  EXPECT_EQ(judgement.problem, "");
  EXPECT_EQ(judgement.certainty, modes::Certainty::kProved);
  EXPECT_EQ(judgement.mass, 3);
  // m1 m2 x^2 - (m1 k2 + m2 (k1 + k2)) x + k1 k2 = 0
  const double b = m1 * k2 + m2 * (k1 + k2), root = std::sqrt(b * b - 4 * m1 * m2 * k1 * k2);
  ASSERT_EQ(judgement.frequencies.size(), 2u);
  EXPECT_NEAR(judgement.frequencies[0], std::sqrt((b - root) / (2 * m1 * m2)) / kTurn, 1e-10);
  EXPECT_NEAR(judgement.frequencies[1], std::sqrt((b + root) / (2 * m1 * m2)) / kTurn, 1e-10);
  const double first = judgement.frequencies[0] - 1, second = judgement.frequencies[1] / 3 - 1;
  EXPECT_NEAR(judgement.goals[0], (first * first + second * second) / 2, 1e-15);
}

TEST(Judge, ABandIsDeepestInItsMiddle) {
  const std::string vary = "vary: {k: {path: joints.spring.stiffness, range: [1, 1000]}}\ngoals: [{avoid: [1, 2]}]";
  // One mass: the other moves with it.
  std::string one = kMasses;
  one.replace(one.find("prismatic, between: [first"), 9, "fixed    ");
  one.replace(one.find(", stiffness: 500"), 16, "                ");
  const DesignSpace space = space_of(one, vary);
  const auto depth = [&](double hertz) { return judge(space, std::vector{3 * std::pow(kTurn * hertz, 2)}).goals[0]; };
  EXPECT_NEAR(depth(1.5), 1, 1e-9);
  EXPECT_NEAR(depth(1.25), 0.5, 1e-9);
  EXPECT_NEAR(depth(1.9), 0.2, 1e-9);
  EXPECT_EQ(depth(0.99), 0);
  EXPECT_EQ(depth(2.01), 0);
}

TEST(Tune, FindsTheStiffnessesOfTwoFrequencies) {
  DesignSpace space = space_of(kMasses, kTwoFrequencies);
  space.tuning.population = 16;
  space.tuning.generations = 60;
  const Tuned tuned = tuned_of(space);
  ASSERT_EQ(tuned.best.frequencies.size(), 2u);
  EXPECT_NEAR(tuned.best.frequencies[0], 1, 1e-6);
  EXPECT_NEAR(tuned.best.frequencies[1], 3, 1e-6);
  // Sum and product of the two squares in the equation above.
  const double a = std::pow(kTurn, 2), b = std::pow(3 * kTurn, 2);
  EXPECT_NEAR(tuned.parameters[0] * tuned.parameters[1] / (2 * a * b), 1, 1e-5);
  EXPECT_NEAR((3 * tuned.parameters[1] + tuned.parameters[0]) / (2 * (a + b)), 1, 1e-5);
  EXPECT_EQ(tuned.state.search.without_number, 0);
  EXPECT_EQ(tuned.state.search.evaluations, 16 * 60);
}

TEST(Tune, TheDrawnDesignIsAmongTheFirst) {
  DesignSpace space = space_of(kMasses, kTwoFrequencies);
  space.tuning.generations = 1;
  const Tuned tuned = tuned_of(space);
  EXPECT_EQ(tuned.state.search.population.front().parameters, (std::vector<double>{200, 500}));
  EXPECT_EQ(tuned.state.search.population.front().goals, tuned.drawn.goals);
}

// However much another goal pulls into it, where the band is not weighed by hand.
TEST(Tune, LeavesABand) {
  for (const auto& [band, pull] : {std::pair("weight: 3", "1"), {"name: band", "1"}, {"name: band", "1.0e+6"}}) {
    const DesignSpace space =
        space_of(kMasses, fmt::format(R"(vary: {{k: {{path: joints.spring.stiffness, range: [50, 400]}}}}
goals: [{{avoid: [1, 1.5], {}}}, {{near: [1.3], weight: {}}}]
population: 8
generations: 30
)",
                                      band, pull));
    const Tuned tuned = tuned_of(space);
    EXPECT_GT(tuned.drawn.goals[0], 0);
    EXPECT_EQ(tuned.best.goals[0], 0);
    EXPECT_NEAR(std::abs(tuned.best.frequencies[0] - 1.25), 0.25, 0.01) << "as near to the target as the band allows";
    const std::vector<LimitState> drawn = limit_states(space, tuned.drawn), best = limit_states(space, tuned.best);
    ASSERT_EQ(drawn.size(), 1U);
    EXPECT_FALSE(drawn[0].held);
    EXPECT_EQ(drawn[0].frequencies, std::vector<double>{tuned.drawn.frequencies[0]});
    EXPECT_TRUE(best[0].held);
  }
}

// The least damper whose ratio c / (2 sqrt(k m)) is a tenth.
TEST(Tune, TheLeastDampingThatIsEnough) {
  std::string one = kMasses;
  one.replace(one.find("prismatic, between: [first"), 9, "fixed    ");
  one.replace(one.find(", stiffness: 500"), 16, "                ");
  const DesignSpace space = space_of(one, R"(vary: {c: {path: joints.spring.damping, range: [0.1, 20]}}
goals: [{minimise: {parameters: c}, weight: 0.001}, {damping: 0.1}]
population: 8
generations: 40
)");
  EXPECT_NEAR(tuned_of(space).parameters[0], 0.2 * std::sqrt(200.0 * 3), 0.01);
}

// Of a beam that bends, the frequency grows with the height alone and the mass with both: the best are as narrow as can
// be, and on a line.
TEST(Tune, TheFrontOfABeamIsALine) {
  const DesignSpace space = space_of(kBeam, R"(vary:
  width: {path: bodies.rod.section.b, range: [0.01, 0.05]}
  height: {path: bodies.rod.section.h, range: [0.01, 0.04]}
goals: [{maximise: {frequency: 1}}, {minimise: mass}]
pareto: true
population: 24
generations: 40
)");
  const Tuned tuned = tuned_of(space);
  const double slope = std::pow(1.8751040687119611, 2) * std::sqrt(2.1e11 / (12 * 7850)) / kTurn;  // f / height
  ASSERT_GT(tuned.front.size(), 10u);
  double lightest = 1e9, fastest = 0;
  for (const FrontDesign& design : tuned.front) {
    const double f = -design.goals[0], mass = design.goals[1];
    EXPECT_NEAR(f, slope * design.parameters[1], 1e-8 * f) << "bending of a slender beam";
    EXPECT_NEAR(f, slope * mass / (7850 * 0.01), 0.02 * f) << "as light as the frequency allows";
    lightest = std::min(lightest, mass);
    fastest = std::max(fastest, f);
  }
  EXPECT_NEAR(lightest, 7850 * 0.01 * 0.01, 0.01 * lightest);
  EXPECT_NEAR(fastest, slope * 0.04, 0.01 * fastest);
}

TEST(Tune, DesignsThatMakeNoModelAreCountedAndLose) {
  const DesignSpace space = space_of(kMasses, R"(vary: {m: {path: bodies.second.mass, range: [-2, 2]}}
goals: [{maximise: {frequency: 1}}]
population: 8
generations: 6
)");
  EXPECT_NE(judge(space, std::vector{-1.0}).problem.find("mass"), std::string::npos);
  EXPECT_TRUE(std::isnan(judge(space, std::vector{-1.0}).goals[0]));
  const Tuned tuned = tuned_of(space);
  EXPECT_GT(tuned.state.search.without_number, 0);
  EXPECT_LT(tuned.state.search.without_number, 8 * 6);
  EXPECT_GE(tuned.parameters[0], 0);
}

TEST(Tune, WhereNoDesignHasAValueItSaysWhy) {
  const DesignSpace space = space_of(kMasses,
                                     "vary: {m: {path: bodies.second.mass, range: [-2, -1]}}\n"
                                     "goals: [{maximise: {frequency: 1}}]\npopulation: 4\ngenerations: 2\n");
  // The drawn mass is cut to the range.
  const Result<Tuned> tuned = find_design(Comm::serial(), space);
  ASSERT_FALSE(tuned.has_value());
  EXPECT_NE(to_string(tuned.error()).find("none of 8 designs"), std::string::npos) << to_string(tuned.error());
}

TEST(Tune, ThreadsDoNotChangeABit) {
  const DesignSpace space = space_of(kMasses, kTwoFrequencies);
  DesignSearch three;
  three.threads = 3;
  expect_same_state(tuned_of(space, three).state, tuned_of(space).state);
}

class TuneFolder : public TestFolder {};

// Stopped after the fifth generation, through a file.
void expect_restart_goes_on(const DesignSpace& space, const fs::path& folder) {
  ASSERT_TRUE(make_tune_folder(folder).has_value());
  std::atomic<bool> stop = false;
  DesignSearch options;
  options.stop = &stop;
  options.on_generation = [&](const TuneState& state) {
    TuneRecord record;
    record.model = "model.yaml";
    record.enough = 0.25;
    record.state = state;
    EXPECT_TRUE(write_tune_checkpoint(folder, record).has_value());
    stop = state.search.generation >= 4;
  };
  const Tuned first = tuned_of(space, options);
  EXPECT_TRUE(first.stopped);
  EXPECT_LT(first.state.search.generation, space.tuning.generations);
  std::vector<std::string> notes;
  const Result<TuneRecord> record = read_tune_checkpoint(folder, notes);
  ASSERT_TRUE(record.has_value()) << to_string(record.error());
  EXPECT_EQ(record->model, "model.yaml");
  EXPECT_EQ(record->enough, 0.25);
  expect_same_state(record->state, first.state);
  DesignSearch again;
  again.start = &record->state;
  expect_same_state(tuned_of(space, again).state, tuned_of(space).state);
}

TEST_F(TuneFolder, AStoppedSearchGoesOnToTheSameBits) {
  DesignSpace space = space_of(kMasses, kTwoFrequencies);
  expect_restart_goes_on(space, folder_ / "genetic");
  space.tuning.algorithm = "de";
  expect_restart_goes_on(space, folder_ / "de");
  expect_restart_goes_on(space_of(kMasses, R"(vary:
  m: {path: bodies.second.mass, range: [-1, 2]}
  k: {path: joints.spring.stiffness, range: [10, 1000], scale: log}
goals: [{maximise: {frequency: 1}}, {minimise: mass}]
pareto: true
population: 8
generations: 8
)"),
                         folder_ / "pareto");
}

TEST(Tune, ASearchOfAnotherStudyIsRefused) {
  DesignSpace space = space_of(kMasses, kTwoFrequencies);
  const TuneState state = tuned_of(space).state;
  space.tuning.goals[0].targets[0] = 1.1;
  DesignSearch options;
  options.start = &state;
  const Result<Tuned> other = find_design(Comm::serial(), space, options);
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().message.find("another study"), std::string::npos);
}

TEST_F(TuneFolder, TheWrittenModelHasTheFrequenciesOfTheBestDesign) {
  const fs::path folder = folder_ / "search";
  const DesignSpace space = space_of(kMasses, kTwoFrequencies);
  const Tuned tuned = tuned_of(space);
  ASSERT_TRUE(make_tune_folder(folder).has_value());
  const auto files = write_tune_results(folder, space, tuned, {"title", "command", "text", "{}"});
  ASSERT_TRUE(files.has_value()) << to_string(files.error());
  for (const std::string& file : *files) EXPECT_TRUE(fs::exists(folder / file)) << file;
  const Result<model::Model> model = formats::read_model(folder / "best.yaml").and_then(model::compile);
  ASSERT_TRUE(model.has_value()) << to_string(model.error());
  const Result<modes::Structure> structure = modes::make_structure(*model);
  modes::ModesOptions options;
  options.count = 2;
  const Result<modes::ModeSet> set =
      modes::find_modes(Comm::serial(), *structure, *modes::plan_tree(*structure), options);
  ASSERT_EQ(set->modes.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(set->modes[k].s.imag() / kTurn, tuned.best.frequencies[k], 1e-12 * tuned.best.frequencies[k]);
  }
}

TEST(DesignSpace, PatternsAndFactorsSetSeveralFields) {
  const DesignSpace space = space_of(kMasses, R"(vary:
  both: {path: joints.*.stiffness, factor: [0.1, 10], scale: log}
  masses: {path: [bodies.first.mass, bodies.second.mass], range: [1, 5]}
goals: [{near: [1]}]
)");
  ASSERT_EQ(space.fields.size(), 4u);
  EXPECT_EQ(space.fields[1].path, "joints.link.stiffness");
  EXPECT_EQ(space.drawn[0], 1);
  EXPECT_TRUE(std::isnan(space.drawn[1])) << "the masses differ";
  const std::vector<formats::FieldValue> values = field_values(space, std::vector{2.0, 3.0});
  EXPECT_EQ(values[0].value, 400);
  EXPECT_EQ(values[1].value, 1000);
  EXPECT_EQ(values[3].value, 3);
  EXPECT_EQ(judge(space, std::vector{1.0, 1.5}).mass, 3);
}

std::string error_of(const std::string& vary) {
  const Result<DesignSpace> space = read_space(kMasses, "vary:\n  k: " + vary + "\ngoals: [{near: [1]}]\n");
  EXPECT_FALSE(space.has_value()) << vary;
  return space ? "" : to_string(space.error());
}

TEST(DesignSpace, RefusesPathsWithTheLine) {
  EXPECT_EQ(error_of("{path: joints.sprig.stiffness, range: [1, 2]}"),
            "study.yaml:2: parameter 'k': 'joints.sprig.stiffness': nothing is called 'sprig' there; did you mean "
            "'spring'?");
  EXPECT_NE(error_of("{path: joints.spring.stifness, range: [1, 2]}").find("did you mean 'stiffness'"),
            std::string::npos);
  EXPECT_NE(error_of("{path: joints.x*.stiffness, range: [1, 2]}").find("nothing fits"), std::string::npos);
  EXPECT_NE(error_of("{path: joints.spring.type, range: [1, 2]}").find("not a number"), std::string::npos);
  EXPECT_NE(error_of("{path: [joints.spring.stiffness, joints.s*.stiffness], range: [1, 2]}").find("twice"),
            std::string::npos);
  EXPECT_NE(error_of("{path: joints.link.damping, factor: [1, 2]}").find("take `range`"), std::string::npos);
}

}  // namespace
}  // namespace espalier::study
