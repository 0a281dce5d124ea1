#include "espalier/study/modes.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/test/modes_support.hpp"

namespace espalier::study {
namespace {

LoadedVariants masses() {
  return {"model.yaml", {}, *formats::ModelVariants::read_text(kMasses, "model.yaml")};
}

ModeSweepOptions over_the_first_spring(std::vector<double> values) {
  ModeSweepOptions options;
  options.path = "joints.spring.stiffness";
  options.values = std::move(values);
  options.modes.count = 2;
  return options;
}

TEST(SweepModes, FollowsBothModesOverAStiffness) {
  const std::vector<double> values = {100, 200, 400};
  int searches = 0;
  ModeSweepOptions options = over_the_first_spring(values);
  options.watch = [&](int search, double) { searches = search; };
  const Result<ModeSweepAnswer> answer = sweep_modes(comm::Comm::serial(), masses(), options);
  ASSERT_TRUE(answer) << to_string(answer.error());
  ASSERT_EQ(answer->set.tracks.size(), 2u);
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_NEAR(hertz(answer->set.tracks[t].s[k]), closed_frequencies(values[k])[t] / kTurn, 1e-9);
      EXPECT_EQ(damping_ratio(answer->set.tracks[t].s[k]), 0);
    }
  }
  EXPECT_EQ(searches, answer->set.steps);
}

TEST(SweepModes, OfAnUndampedModelDrawsFrequenciesAlone) {
  const Result<ModeSweepAnswer> answer =
      sweep_modes(comm::Comm::serial(), masses(), over_the_first_spring({100, 200}));
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(make_page(*answer, "command").charts.size(), 1u);
  EXPECT_EQ(to_csv(*answer).substr(0, 44), "joints.spring.stiffness,mode 1 [Hz],mode 1 d");
  EXPECT_NE(to_json(*answer).find("\"parameter\": \"joints.spring.stiffness\""), std::string::npos);
}

TEST(SweepModes, RefusesValuesThatCannotBeFollowed) {
  const auto error_of = [](const ModeSweepOptions& options) {
    const Result<ModeSweepAnswer> answer = sweep_modes(comm::Comm::serial(), masses(), options);
    EXPECT_FALSE(answer);
    return answer ? Error{} : answer.error();
  };
  EXPECT_NE(error_of(over_the_first_spring({100})).hint.find("two values"), std::string::npos);
  EXPECT_NE(error_of(over_the_first_spring({100, 300, 200})).hint.find("in order"), std::string::npos);
  ModeSweepOptions elsewhere = over_the_first_spring({100, 200});
  elsewhere.path = "joints.sprig.stiffness";
  EXPECT_NE(to_string(error_of(elsewhere)).find("did you mean 'spring'"), std::string::npos);
  // A value that makes no model is named.
  EXPECT_NE(error_of(over_the_first_spring({100, -100})).message.find("(with joints.spring.stiffness = -100)"),
            std::string::npos);
}

}  // namespace
}  // namespace espalier::study
