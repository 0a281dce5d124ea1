#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/test/documents_support.hpp"
#include "espalier/study/test/run_goals_support.hpp"
#include "espalier/study/test/tune_support.hpp"

namespace espalier::study {
namespace {

// A search of kMasses that came to 300 and 400 N/m.
TuneAnswer made_up(const std::string& tuning) {
  TuneAnswer answer{TuneJob{{}, space_of(kMasses, tuning), {}, false, {}, "out", 2, std::nullopt}, 1, {}, {}, {}};
  answer.job.record.model = "masses.yaml";
  answer.job.record.algorithm = "de";
  Tuned& tuned = answer.tuned;
  tuned.parameters = {300, 400};
  tuned.state.search.best.goals = {0.5};
  tuned.state.search.generation = 4;
  tuned.best.frequencies = {1.25, 3.5};
  tuned.best.damping = {0.25, 0};
  tuned.best.goals.assign(answer.job.space.tuning.goals.size(), 0.125);
  tuned.drawn.goals.assign(answer.job.space.tuning.goals.size(), std::numeric_limits<double>::quiet_NaN());
  return answer;
}

TEST(TuneDocument, ShowsTheBestDesignBesideTheDrawnOne) {
  const std::string document = to_json(made_up(kTwoFrequencies));
  expect_parts(document, {R"("model": "masses.yaml","study": null,"outcome": "done","algorithm": "de")",
                          R"("generation": 4)", R"("value": 0.5)", R"("parameters": {"spring": 300.0,"link": 400.0})",
                          R"("drawn_parameters": {"spring": 200.0,"link": 500.0})",
                          R"("best": {"frequencies": [1.25,3.5],"damping": [0.25,0.0])", R"("targets": [1.0,3.0])"});
}

TEST(TuneDocument, HasNullForAGoalWithoutANumber) {
  const std::string document = to_json(made_up(kTwoFrequencies));
  const std::size_t drawn = document.find("\"drawn\":");
  EXPECT_NE(document.find("\"value\": null", drawn), std::string::npos);
  EXPECT_EQ(document.rfind("\"value\": null", drawn), std::string::npos) << "the best design has its numbers";
}

TEST(TuneDocument, NamesTheFrequenciesThatBreakALimit) {
  const std::string tuning = kTwoFrequencies.substr(0, kTwoFrequencies.find("goals")) +
                             "goals: [{near: [1, 3]}, {avoid: [3, 4], name: quiet}]\npopulation: 12\n";
  TuneAnswer answer = made_up(tuning);
  expect_parts(to_json(answer), {R"("limits_held": false)",
                                 R"({"name": "quiet","held": false,"constraint": true,"frequencies": [3.5]})"});
  answer.tuned.best.frequencies = {1.25, 4.5};
  answer.tuned.best.goals[1] = 0;
  expect_parts(to_json(answer), {R"("limits_held": true)"});
}

TEST(TuneDocument, NamesQuantitiesWithTheirUnits) {
  TuneAnswer answer = made_up(kTwoFrequencies);
  EXPECT_EQ(to_json(answer).find("\"quantities\""), std::string::npos) << "no goal looks at a run";
  answer.job.space = space_of(kOscillator, kEndOfOscillator);
  answer.tuned.parameters = {4};
  answer.tuned.best.goals = {0.125};
  answer.tuned.best.quantities = {0.375};
  answer.tuned.drawn.goals = answer.tuned.drawn.quantities = {std::numeric_limits<double>::quiet_NaN()};
  expect_parts(to_json(answer),
               {R"("quantities": [{"name": "end slide.position","statistic": "end","quantity": "slide.position",)"
                R"("unit": "m","value": 0.375}])",
                R"("unit": "m","value": null}])", R"("run_end": 1.0)",
                R"("patience": null,"last_gain": 0,"end": "generations")"});
}

}  // namespace
}  // namespace espalier::study
