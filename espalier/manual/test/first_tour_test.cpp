#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/manual/manual.hpp"

namespace espalier::manual {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A page that no command writes would be a link to nowhere, and a folder that none writes would be lost.
TEST(FirstTour, WritesThePagesAndFoldersThatItNames) {
  for (const Chapter& chapter : first_tour("tour", 2)) {
    ASSERT_FALSE(chapter.commands.empty()) << chapter.title;
    for (const std::string& name : {chapter.page, chapter.remade}) {
      if (name.empty()) continue;
      EXPECT_TRUE(has(chapter.commands.back(), (std::filesystem::path("tour") / name).string())) << name;
    }
  }
}

TEST(FirstTour, AsksForRanksWhereThereAreSome) {
  const auto asks = [](int ranks) {
    bool found = false;
    for (const Chapter& chapter : first_tour("tour", ranks)) {
      for (const std::vector<std::string>& words : chapter.commands) found = found || has(words, "--ranks");
    }
    return found;
  };
  EXPECT_TRUE(asks(2));
  EXPECT_FALSE(asks(1));
}

}  // namespace
}  // namespace espalier::manual
