#include "espalier/math/lanes.hpp"

#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace espalier::math {
namespace {

// In a process of its own: the answer is kept for all that is asked later.
[[noreturn]] void leave_with_best_of(const char* allowed) {
  setenv("ESPALIER_INSTRUCTIONS", allowed, 1);
  std::exit(static_cast<int>(best_instructions()));
}

TEST(BestInstructionsDeathTest, AreAtMostWhatTheEnvironmentAllows) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(leave_with_best_of("plain"), [](int status) { return WEXITSTATUS(status) == 0; }, "");
  EXPECT_EXIT(leave_with_best_of("avx2"), [](int status) { return WEXITSTATUS(status) <= 1; }, "");
}

}  // namespace
}  // namespace espalier::math
