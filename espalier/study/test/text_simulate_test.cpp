#include <gtest/gtest.h>

#include "espalier/study/simulate.hpp"
#include "espalier/study/sweep.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

SimulateAnswer pile() {
  SimulateAnswer answer;
  answer.engine = Engine::kContact;
  answer.outcome = model::Outcome::kDone;
  answer.end_time = answer.time = 0.3;
  answer.tolerance = 1e-6;
  answer.steps = 100;
  answer.frames = 31;
  answer.scene.emplace();
  answer.scene->contacts = 12;
  answer.scene->most_contacts = 15;
  answer.scene->penetration = 2e-4;
  answer.scene->status.steps = 100;
  answer.scene->status.sweeps = 450;
  return answer;
}

TEST(SimulateText, CountsTheContactsAndTheIterationsOfAStep) {
  const std::string text = to_text(pile(), {100});
  EXPECT_MENTIONS(text, "Run       0 to 0.3 s\n");
  EXPECT_MENTIONS(text, "Steps     100, 31 frames\n");
  EXPECT_MENTIONS(text, "Contacts  12 at the end, 15 at most; overlaps at most 0.0002 m\n");
  EXPECT_MENTIONS(text, "4.5 iterations per step");
  EXPECT_EQ(text.find("WARNING"), std::string::npos);
  EXPECT_EQ(text.find("Next"), std::string::npos) << "no files, nothing to continue";
}

TEST(SimulateText, WarnsOfStepsThatDidNotConverge) {
  SimulateAnswer answer = pile();
  answer.scene->unconverged = 3;
  answer.scene->worst_residual = 2e-5;
  EXPECT_MENTIONS(to_text(answer, {120}),
                  "WARNING   3 of 100 steps did not reach the tolerance 1e-06; the worst is at 2e-05; a smaller `step` "
                  "may help\n");
}

// A run that is done is to be seen, one that was stopped to be continued.
TEST(SimulateText, AdvisesToSeeOrToContinueTheRun) {
  SimulateAnswer answer = pile();
  answer.folder = "pile-1";
  EXPECT_MENTIONS(to_text(answer, {100}), "Next: view(pile-1)\n");
  EXPECT_EQ(next_command(answer), "espalier simulate --restart pile-1 --end 0.6");
  answer.outcome = model::Outcome::kStopped;
  EXPECT_MENTIONS(to_text(answer, {100}), "Next: simulate(restart = pile-1)\n");
}

TEST(SweepText, CountsRunsThatFailedAndThatWereRefused) {
  SweepAnswer answer;
  answer.runs = 6;
  answer.computed = 4;
  answer.complete = true;
  answer.failed = 1;
  answer.refused = 2;
  answer.ranks = 2;
  answer.seconds = 0.5;
  answer.folder = "bars-1";
  EXPECT_EQ(to_text(answer),
            "All of 6 runs, 4 computed now in 0.5 s on 2 ranks\n1 run failed; runs.csv says why\n"
            "2 runs refused: their numbers make no model\nWrote bars-1/runs.csv\n");
  answer.complete = false;
  EXPECT_MENTIONS(to_text(answer), "Next: the same command with `folder` bars-1\n");
}

// A quarter is done in 10 s: 30 s are left.
TEST(ProgressText, TellsShareAndTimeLeft) {
  RunProgress progress;
  progress.time = 0.25;
  progress.end_time = 1;
  progress.loop_distance = 2e-13;
  progress.energy_error = 3e-9;
  EXPECT_EQ(progress_text(progress, 10), "t 0.25 s  25 %  x 0.025  ETA 0:30  loop 2e-13 m  energy 3e-09 J");
  progress.engine = Engine::kContact;
  progress.contacts = 312;
  progress.iterations = 40;
  progress.residual = 3e-7;
  progress.imbalance = 1.1;
  EXPECT_EQ(progress_text(progress, 10),
            "t 0.25 s  25 %  ETA 0:30  312 contacts  40 iterations  residual 3e-07  imbalance 1.1");
}

}  // namespace
}  // namespace espalier::study
