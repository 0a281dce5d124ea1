// This program starts itself on several ranks, to run the tests of Launched alone.

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "espalier/comm/processes.hpp"

namespace espalier::comm {
namespace {

struct Launched {
  int code = -1;
  std::string printed;
};

Launched launch_tests(const std::vector<std::string>& command, int ranks) {
  Launched launched;
  const Result<int> code = launch(command, ranks, [&](std::string_view text) { launched.printed += text; });
  EXPECT_TRUE(code) << to_string(code.error());
  launched.code = code.value_or(-1);
  return launched;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Launched, IsOneOfTwo) {
  const char* ranks = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (ranks == nullptr) GTEST_SKIP() << "for the tests below, which start it";
  EXPECT_STREQ(ranks, "2");
}

TEST(Launched, DISABLED_Fails) { FAIL() << "on purpose"; }

class Launch : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_mpi()) GTEST_SKIP() << "built without MPI";
  }
};

TEST_F(Launch, RunsEveryRankAndPassesOnWhatTheyPrint) {
  for (const std::vector<std::string>& asked : {std::vector<std::string>{"--ranks", "7"}, {"--ranks=7"}}) {
    std::vector<std::string> command = {"--gtest_color=no", "--gtest_filter=Launched.*"};
    command.insert(command.begin(), asked.begin(), asked.end());
    const Launched launched = launch_tests(command, 2);
    EXPECT_EQ(launched.code, 0) << launched.printed;
    EXPECT_EQ(count(launched.printed, "[  PASSED  ] 1 test."), 2) << launched.printed;
  }
}

TEST_F(Launch, ReturnsTheExitCodeOfTheRanks) {
  const Launched launched = launch_tests({"--gtest_also_run_disabled_tests", "--gtest_filter=Launched.DISABLED_*"}, 2);
  EXPECT_EQ(launched.code, 1) << launched.printed;
}

TEST_F(Launch, RefusesNumbersOfRanksThatMakeNoSense) {
  for (const int ranks : {-1, 0, 1'000'000}) {
    const Result<int> code = launch({"--gtest_filter=Launched.*"}, ranks, [](std::string_view) { FAIL(); });
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().option, "ranks");
    EXPECT_EQ(code.error().message, "`ranks` is " + std::to_string(ranks));
    EXPECT_NE(code.error().hint.find("give a number from 1 to "), std::string::npos) << code.error().hint;
  }
}

}  // namespace
}  // namespace espalier::comm
