#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/study/test/run_goals_support.hpp"
#include "espalier/study/test/tune_support.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/tune.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

// Springs of 300 and 150 N/m hold the masses at frequencies that need no search: the report is of one design.
TuneAnswer one_design() {
  TuneAnswer answer{TuneJob{{}, space_of(kMasses, kTwoFrequencies), {}, false, {}, "", 1, {}}, 1, {}, {}, {}};
  answer.job.record.model = "masses.yaml";
  answer.job.record.algorithm = "genetic";
  answer.job.record.generations = 12;
  answer.tuned.parameters = {300, 10};
  answer.tuned.best = judge(answer.job.space, answer.tuned.parameters);
  answer.tuned.drawn = judge_drawn(answer.job.space);
  answer.tuned.state.search.generation = 12;
  answer.tuned.state.search.evaluations = 144;
  answer.tuned.state.search.without_number = 2;
  answer.tuned.evaluations = 100;
  answer.tuned.seconds = 50;
  return answer;
}

TEST(TuneText, NumbersStandBesideThoseDrawnAndTheirTargets) {
  const TuneAnswer answer = one_design();
  const std::string text = to_text(answer, {120});
  EXPECT_MENTIONS(text, "masses.yaml: 2 parameters, 1 goal\n");
  EXPECT_MENTIONS(text, fmt::format("{:.4f}", answer.tuned.best.frequencies[1]));
  EXPECT_MENTIONS(text, "spring     200    300   \n");
  EXPECT_MENTIONS(text, "link       500    10    at its lower bound\n");
  EXPECT_MENTIONS(text, "note    2 designs made no model");
  EXPECT_MENTIONS(text,
                  "genetic, generation 12 of 12, 144 designs in all; now 100 in 50 s, 2 a second, on 1 rank of 1 "
                  "thread\n");
  EXPECT_EQ(text.find("next"), std::string::npos) << "no folder, nothing to look at";
}

TEST(TuneText, AdvisesWhatContinuesTheSearchOrShowsItsBestDesign) {
  TuneAnswer answer = one_design();
  answer.job.folder = "out";
  EXPECT_MENTIONS(to_text(answer, {120}), "Next: modes(out/best.yaml)\n");
  EXPECT_EQ(next_command(answer), "espalier modes out/best.yaml");
  answer.tuned.stopped = true;
  EXPECT_MENTIONS(to_text(answer, {120}), "Next: tune(restart = out)\n");
}

// With k = 2 and without a damper it swings to 1 / sqrt(2) = 0.70711 m and is at sin(2 sqrt(2)) / sqrt(2) = 0.21784 m
// after 2 s; with k = 4 to half a metre and -0.3784 m.
TEST(TuneText, WhatRunsCameToStandsBesideWhatWasWanted) {
  TuneAnswer answer = one_design();
  answer.job.space = space_of(kOscillator, R"(vary: {k: {path: joints.slide.stiffness, range: [1, 8]}}
goals:
  - {end: slide.position, target: 0.25, name: parked}
  - {maximum: slide.position, at_most: 0.4, at_least: 0}
  - {minimise: {maximum: slide.position}}
simulate: {end: 2, output_step: 0.001, integrator: runge}
)");
  answer.job.folder = "out";
  answer.tuned.parameters = {4};
  answer.tuned.best = judge(answer.job.space, answer.tuned.parameters);
  answer.tuned.drawn = judge_drawn(answer.job.space);
  const std::string text = to_text(answer, {120});
  EXPECT_MENTIONS(text, "end slide.position      0.21784 m  -0.3784 m  0.25\n");
  EXPECT_MENTIONS(text, "maximum slide.position  0.70711 m  0.5 m      at least 0, at most 0.4\n");
  EXPECT_MENTIONS(text, "0.5 m      small\n");
  EXPECT_MENTIONS(text, "NOT HELD maximum slide.position: 0.5 m is not at least 0, at most 0.4; no design");
  EXPECT_MENTIONS(text, "note    2 designs made no model, or one whose modes are not certain or whose run has no end");
  EXPECT_MENTIONS(text, "Next: simulate(out/best.yaml, end_time = 2, output_step = 0.001, integrator = runge)\n");
  EXPECT_EQ(next_command(answer), "espalier simulate out/best.yaml --end 2 --output-step 0.001 --integrator runge");
  EXPECT_EQ(text.find("Hz"), std::string::npos) << "no goal looks at modes";
}

// 12 of 20 generations took 30 s: eight more take 20.
TEST(TuneProgress, TellsTheTimeLeft) {
  TuneState state;
  state.search.generation = 12;
  state.search.evaluations = 832;
  state.search.best.goals = {3.2e-5};
  EXPECT_EQ(progress_text(state, 20, 30), "generation 12 of 20  best 3.2e-05  832 designs  ETA 0:20");
  EXPECT_EQ(generation_text(13, 20, 17, 64), "generation 13 of 20  17 of 64 designs of it");
}

}  // namespace
}  // namespace espalier::study
