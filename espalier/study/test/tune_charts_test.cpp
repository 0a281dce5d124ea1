#include "espalier/study/detail/tune_charts.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

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
            (Names{"fitness.svg", "frequencies.svg", "index.html"}));
  tuned.front = {{{1, 2}, {3, -4}}};
  EXPECT_EQ(names_of(space_of(kMasses, kTwoGoals), tuned),
            (Names{"fitness.svg", "frequencies.svg", "front.svg", "index.html"}));
}

// What is made large was searched with its sign turned; a chart shows it as it was asked for.
TEST(DrawTuneCharts, ShowsAGoalThatIsMadeLargeInItsOwnSign) {
  Tuned tuned = two_generations();
  tuned.front = {{{1, 2}, {3, -1234.5}}, {{1, 2}, {4, -1678.5}}};
  const auto files = detail::draw_tune_charts(space_of(kMasses, kTwoGoals), tuned, {});
  const std::string& front = files[2].second;
  EXPECT_MENTIONS(front, "1234.5");
  EXPECT_EQ(front.find("-1234.5"), std::string::npos);
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
