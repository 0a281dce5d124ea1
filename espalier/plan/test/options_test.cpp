#include "espalier/plan/options.hpp"

#include <gtest/gtest.h>

#include "espalier/plan/words.hpp"

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

// Every enumerator has one word, and the word leads back to it: the tables are as long as the enumerations.
TEST(PlanOptions, HaveAWordForEveryObjectiveAndMethod) {
  EXPECT_EQ(words(Objective()).size(), static_cast<std::size_t>(Objective::kTime) + 1);
  EXPECT_EQ(words(Method()).size(), static_cast<std::size_t>(Method::kKruskal) + 1);
  for (const Word<Objective>& word : words(Objective())) EXPECT_STREQ(word_of(word.value), word.text);
  for (const Word<Method>& word : words(Method())) EXPECT_STREQ(word_of(word.value), word.text);
  EXPECT_EQ(find_word<Objective>("scbmwst"), Objective::kScbmwst);
  EXPECT_EQ(find_word<Sweep>("centre-out"), Sweep::kCentreOut);
  EXPECT_EQ(find_word<Start>("mwst"), Start::kMwst);
  EXPECT_EQ(find_word<Method>("a4"), std::nullopt);
}

}  // namespace
}  // namespace espalier::plan
