#include "espalier/optimize/optimize.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace espalier::optimize {
namespace {

TEST(AlgorithmWord, IsTheOneOfTheCommandLineAndNoOthers) {
  EXPECT_STREQ(word_of(Algorithm::kGenetic), "genetic");
  EXPECT_STREQ(word_of(Algorithm::kDe), "de");
  std::set<std::string> words;
  for (int k = 0; k <= static_cast<int>(Algorithm::kDe); ++k) words.insert(word_of(static_cast<Algorithm>(k)));
  EXPECT_EQ(words, (std::set<std::string>{"aco", "cmaes", "de", "genetic", "nsga2", "pso"}));
}

}  // namespace
}  // namespace espalier::optimize
