#include "espalier/plan/options.hpp"

#include <gtest/gtest.h>

namespace espalier::plan {
namespace {

using Unit = Meaning::Unit;

// The table of docs/theory/plan.md, "The problems".
TEST(MeaningOf, IsWhatThePapersAskFor) {
  const struct {
    Objective objective;
    Meaning meaning;
  } rows[] = {
      {Objective::kMccst, {Unit::kLengthAndWeight, 1, 0.3, Limit::kNone, Limit::kNone}},
      {Objective::kMwst, {Unit::kLengthAndWeight, 0, 1, Limit::kNone, Limit::kNone}},
      {Objective::kScbst, {Unit::kLengthAndWeight, 1, 0, Limit::kNone, Limit::kNone}},
      {Objective::kScbmwst, {Unit::kLengthAndWeight, 0, 1, Limit::kSmallest, Limit::kNone}},
      {Objective::kMwscbst, {Unit::kLengthAndWeight, 1, 0, Limit::kNone, Limit::kSmallest}},
      {Objective::kBcbmwst, {Unit::kLengthAndWeight, 0, 1, Limit::kAsked, Limit::kNone}},
      {Objective::kBwscbst, {Unit::kLengthAndWeight, 1, 0, Limit::kNone, Limit::kAsked}},
      {Objective::kBcbbwst, {Unit::kYesOrNo, 0, 0, Limit::kAsked, Limit::kAsked}},
      {Objective::kSequential, {Unit::kEquations, 0, 1, Limit::kNone, Limit::kNone}},
      {Objective::kTime, {Unit::kSeconds, 0, 0, Limit::kNone, Limit::kNone}},
  };
  for (const auto& [objective, meaning] : rows) {
    EXPECT_EQ(meaning_of(objective, 0.3), meaning) << to_string(objective);
  }
}

TEST(PlanOptions, HaveAWordForEveryObjectiveAndMethod) {
  for (int k = 0; k <= static_cast<int>(Objective::kTime); ++k) EXPECT_STRNE(to_string(Objective{k}), "");
  for (int k = 0; k <= static_cast<int>(Method::kKruskal); ++k) EXPECT_STRNE(to_string(Method{k}), "");
}

}  // namespace
}  // namespace espalier::plan
