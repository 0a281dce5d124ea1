#include "espalier/study/words.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/plan/words.hpp"

namespace espalier::study {
namespace {

TEST(ReadWord, LeavesTheValueWhereNothingIsTyped) {
  modes::Method method = modes::Method::kBisection;
  EXPECT_TRUE(read_word<modes::Method>("method", std::string(), method));
  EXPECT_EQ(method, modes::Method::kBisection);
  EXPECT_TRUE(read_word<modes::Method>("method", std::string("recursive"), method));
  EXPECT_EQ(method, modes::Method::kRecursive);
}

TEST(ReadWord, NamesTheWordsAndTheNearest) {
  std::optional<modes::Method> method;
  const Result<void> read = read_word<modes::Method>("method", std::string("recursiv"), method);
  ASSERT_FALSE(read);
  EXPECT_FALSE(method);
  EXPECT_EQ(read.error().option, "method");
  EXPECT_EQ(read.error().message,
            "`method` 'recursiv' is unknown; it is one of auto, recursive, bisection; did you mean 'recursive'?");
}

TEST(OptionWords, AreThoseThatAreRead) {
  const std::vector<std::string> words = option_words("plan", "objective");
  EXPECT_EQ(words, word_list<plan::Objective>());
  for (const std::string& word : words) EXPECT_TRUE(find_word<plan::Objective>(word)) << word;
  // Of any verb that has the option, and of no other option.
  EXPECT_EQ(option_words("simulate", "objective"), words);
  EXPECT_EQ(option_words("modes", "weights"), std::vector<std::string>());
  EXPECT_EQ(option_words("simulate", "end"), std::vector<std::string>());
}

TEST(OptionWords, OfKindsHaveRulesAndShippedModelsOnce) {
  const std::vector<std::string> kinds = option_words("generate", "kind");
  for (const char* kind : {"ladder", "four_bar", "3sat"}) EXPECT_EQ(std::count(kinds.begin(), kinds.end(), kind), 1);
}

}  // namespace
}  // namespace espalier::study
