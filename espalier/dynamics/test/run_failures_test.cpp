#include "espalier/dynamics/detail/run_failures.hpp"

#include <gtest/gtest.h>

#include "espalier/dynamics/detail/implicit.hpp"

namespace espalier::dynamics::detail {
namespace {

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

// Each says when, what and what to do instead.
TEST(RunFailures, HaveTheWayOut) {
  expect_parts(open_failure(0.25, 1.5), {"open by 0.25 m or rad", "t = 1.5 s", "assemble the mechanism first"});
  expect_parts(step_failure(2, 1e-15, 1e-9), {"at t = 2 s", "fell to 1e-15 s", "a tolerance above 1e-09"});
  expect_parts(count_failure(7, 0.5, 1e-3, 1e-6), {"7 steps reached only t = 0.5 s", "the implicit integrator"});
}

TEST(RunFailures, TellWhatTheMatricesWouldTake) {
  EXPECT_GT(20'000, kMostImplicit);
  expect_parts(size_failure(20'000), {"with 20000 its matrices take 13 GB", "runge or fixed"});
}

}  // namespace
}  // namespace espalier::dynamics::detail
