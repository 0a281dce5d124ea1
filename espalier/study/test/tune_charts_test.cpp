#include "espalier/study/detail/tune_charts.hpp"

#include <map>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/study/test/run_goals_support.hpp"
#include "espalier/study/test/tune_support.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

std::vector<std::string> names_of(const DesignSpace& space, const Tuned& tuned) {
  std::vector<std::string> names;
  for (const auto& [name, text] : detail::draw_tune_charts(space, tuned, {"title", "command", "said", "{}"}))
    names.push_back(name);
  return names;
}

Tuned two_generations() {
  Tuned tuned;
  tuned.state.history = {{1, 0.5, 0.75, {}, {1.5, 2.5}}, {2, 0.25, 0.5, {}, {}}};
  return tuned;
}

// Two goals that are no limits: mass, which is made small, and a frequency, which is made large.
const std::string kTwoGoals = kTwoFrequencies.substr(0, kTwoFrequencies.find("goals")) +
                              "goals: [{minimise: mass}, {maximise: {frequency: 1}}]\npareto: true\npopulation: 12\n";
const std::string kMassAlone =
    kTwoFrequencies.substr(0, kTwoFrequencies.find("goals")) + "goals: [{minimise: mass}]\npopulation: 12\n";

TEST(DrawTuneCharts, DrawsWhatTheGoalsNeed) {
  using Names = std::vector<std::string>;
  Tuned tuned = two_generations();
  EXPECT_EQ(names_of(space_of(kMasses, kMassAlone), tuned), (Names{"fitness.svg", "index.html"}));
  EXPECT_EQ(names_of(space_of(kMasses, kTwoFrequencies), tuned),
            (Names{"fitness.svg", "frequencies.svg", "bands.svg", "index.html"}));
  tuned.front = {{{1, 2}, {3, -4}}};
  EXPECT_EQ(names_of(space_of(kMasses, kTwoGoals), tuned),
            (Names{"fitness.svg", "frequencies.svg", "bands.svg", "front.svg", "index.html"}));
}

// What is made large was searched with its sign turned; a chart shows it as it was asked for.
TEST(DrawTuneCharts, ShowsAGoalThatIsMadeLargeInItsOwnSign) {
  Tuned tuned = two_generations();
  tuned.front = {{{1, 2}, {3, -1234.5}}, {{1, 2}, {4, -1678.5}}};
  const auto files = detail::draw_tune_charts(space_of(kMasses, kTwoGoals), tuned, {});
  const std::string front = std::map(files.begin(), files.end()).at("front.svg");
  EXPECT_MENTIONS(front, "1234.5");
  EXPECT_EQ(front.find("-1234.5"), std::string::npos);
}

// 4096 frames at most are kept of a run of 10 001.
TEST(DrawTuneCharts, DrawsARunBesideWhatIsWanted) {
  const DesignSpace space = space_of(kOscillator, R"(vary: {k: {path: joints.slide.stiffness, range: [1, 8]}}
goals: [{end: slide.position, target: 0.25}, {maximum: slide.velocity, at_most: 0.5}]
simulate: {end: 2, output_step: 0.0002}
)");
  Tuned tuned = two_generations();
  tuned.best = judge(space, std::vector{4.0});
  tuned.drawn = judge_drawn(space);
  const RunCurves& curves = tuned.best.curves;
  EXPECT_LE(curves.times.size(), 4096u);
  EXPECT_GE(curves.times.size(), 2048u);
  EXPECT_EQ(curves.values.size(), 2 * curves.times.size());
  EXPECT_NEAR(curves.times[100], 0.08, 1e-12) << "every fourth";
  EXPECT_NEAR(curves.values[200], std::sin(0.16) / 2, 1e-6);
  EXPECT_EQ(names_of(space, tuned), (std::vector<std::string>{"fitness.svg", "run-1.svg", "run-2.svg", "index.html"}));
  const auto files = detail::draw_tune_charts(space, tuned, {});
  EXPECT_MENTIONS(files[1].second, "slide.position [m]");
  EXPECT_MENTIONS(files[1].second, "target");
  EXPECT_MENTIONS(files[2].second, "at most");
}

TEST(DrawTuneCharts, PutsEveryChartOnThePage) {
  const auto files =
      detail::draw_tune_charts(space_of(kMasses, kTwoFrequencies), two_generations(), {"title", "command", "said", ""});
  const std::string& page = files.back().second;
  EXPECT_MENTIONS(page, "said");
  EXPECT_MENTIONS(page, "Best design over generations");
  EXPECT_MENTIONS(page, "Frequencies of the best design over generations");
}

}  // namespace
}  // namespace espalier::study
