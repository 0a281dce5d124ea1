#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/simulate.hpp"
#include "espalier/study/test/documents_support.hpp"
#include "espalier/study/test/sweep_support.hpp"

namespace espalier::study {
namespace {

TEST(SimulateDocument, OfTheStartAloneHasNoEnergyErrorAndNoZeroForIt) {
  SimulateOptions options;
  options.end_time = 0;
  const LoadedModel loaded = *load_text(kPendulum, "pendulum.yaml");
  const Result<SimulateAnswer> answer = simulate(comm::Comm::serial(), loaded, options);
  ASSERT_TRUE(answer) << to_string(answer.error());
  expect_parts(to_json(*answer), {R"("model": "pendulum")", R"("outcome": "done")", R"("frames": 1,"steps": 0)",
                                  R"("energy_error_relative": null)", R"("plan": {"root": "ground","cut": [])",
                                  R"("folder": "","files": [],"next": "")"});
}

// Doors print this sentence first: whoever reads one note alone must not miss it.
TEST(SimulateDocument, BeginsItsNotesWithAnEnergyBalanceThatIsOff) {
  SimulateOptions options;
  options.end_time = 0;
  SimulateAnswer answer = simulate(comm::Comm::serial(), *load_text(kPendulum, "pendulum.yaml"), options).value();
  answer.notes = {"before"};
  answer.end_notes = {"after"};
  expect_parts(to_json(answer), {R"("notes": ["before","after"])"});
  answer.mechanism->energy_error = 1;
  answer.mechanism->energy_scale = 4;
  expect_parts(to_json(answer),
               {R"("energy_error_relative": 0.25)", R"("notes": ["The energy balance is off by 0.25)"});
}

// Sweeps are passes of Gauss-Seidel, iterations steps of Newton's method. The busiest of two ranks has 3 s, the mean is
// 2 s.
TEST(SimulateDocument, OfASceneKeepsTheWordsOfItsKeys) {
  SimulateAnswer answer;
  answer.engine = Engine::kContact;
  answer.outcome = model::Outcome::kStopped;
  answer.folder = "run-1";
  SceneAnswer& scene = answer.scene.emplace();
  scene.iterations = 7;
  scene.newton_iterations = 3;
  scene.contacts = 2;
  scene.most_contacts = 9;
  scene.status.ranks = {{.busy = 3, .waiting = 0.5, .bodies = 4, .contacts = 5}, {.busy = 1}};
  expect_parts(to_json(answer), {R"("engine": "contact","outcome": "stopped")", R"("sweeps": 7,"iterations": 3)",
                                 R"("contacts": 2,"most_contacts": 9)",
                                 R"("ranks": [{"bodies": 4,"contacts": 5,"busy": 3.0,"waiting": 0.5},)",
                                 R"("imbalance": 1.5)", R"("next": "espalier simulate --restart run-1")"});
}

TEST(SweepDocument, TellsFailedRunsFromRefusedOnes) {
  SweepAnswer answer;
  answer.runs = 12;
  answer.computed = 8;
  answer.complete = true;
  answer.failed = 2;
  answer.refused = 3;
  answer.folder = "out";
  expect_parts(to_json(answer), {R"("runs": 12,"computed": 8,"complete": true,"failed": 2,"refused": 3,"ranks": 1)",
                                 R"("folder": "out","table": "out/runs.csv","files": [])"});
}

}  // namespace
}  // namespace espalier::study
