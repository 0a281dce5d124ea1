#include <gtest/gtest.h>

#include "espalier/study/plan.hpp"
#include "espalier/study/test/shipped.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

//   A --crank-- B --coupler-- C --rocker-- D     hinges; A and D on the ground
// One cut leaves three hinges; cut in the middle, at B or C, the longer branch has two: 2 + 0.5 x 3 = 3.5.
TEST(PlanText, CostOfAFourBarIsItsBranchAndItsWeight) {
  const Result<PlanAnswer> answer = plan(shipped("four_bar"), {.beta = 0.5});
  ASSERT_TRUE(answer) << to_string(answer.error());
  const std::string text = to_text(*answer, {100});
  EXPECT_MENTIONS(text, ": 3 bodies, 4 joints, 1 loop\n");
  EXPECT_MENTIONS(text, "  cost      3.5 = critical branch L 2 + beta 0.5 x weight W 3\n");
  EXPECT_MENTIONS(text, "  proof     optimal, proved: ");
  EXPECT_MENTIONS(text, "  root      ground\n");
}

TEST(PlanText, AsksForAMeasurementOnlyWhereTimeIsTheObjective) {
  const Result<PlanAnswer> time = plan(shipped("four_bar"), {.objective = plan::Objective::kTime, .workers = 2});
  ASSERT_TRUE(time) << to_string(time.error());
  EXPECT_MENTIONS(to_text(*time, {100}),
                  "  machine   2 workers, constants built in; calibrate() measures those of this machine\n");
  const Result<PlanAnswer> usual = plan(shipped("four_bar"));
  ASSERT_TRUE(usual) << to_string(usual.error());
  EXPECT_EQ(to_text(*usual).find("calibrate"), std::string::npos);
}

}  // namespace
}  // namespace espalier::study
