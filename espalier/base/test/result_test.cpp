#include "espalier/base/result.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return make_error(ErrorCode::kValue, {"n.yaml", 3, 1}, "odd");
  return n / 2;
}

Result<int> quarter(int n) {
  const Result<int> first = half(n);
  ESPALIER_TRY(first);
  return half(*first);
}

TEST(Result, TryLeavesWithTheFirstError) {
  EXPECT_EQ(*quarter(8), 2);
  ASSERT_FALSE(quarter(6));
  ASSERT_FALSE(quarter(5));
  EXPECT_EQ(quarter(5).error().message, "odd");
}

TEST(Error, PrintsPlaceThenMessage) {
  EXPECT_EQ(to_string(Error{ErrorCode::kName, "unknown", {"a.yaml", 12, 4}}), "a.yaml:12: unknown");
  EXPECT_EQ(to_string(Error{ErrorCode::kName, "unknown", {"a.yaml", 0, 0}}), "a.yaml: unknown");
  EXPECT_EQ(to_string(Error{ErrorCode::kName, "unknown", {}}), "unknown");
}

TEST(Error, PrintsItsHintBehindTheMessage) {
  EXPECT_EQ(to_string(Error{ErrorCode::kName, "no body 'rockr'", {"a.yaml", 12, 4}, {}, "did you mean 'rocker'?"}),
            "a.yaml:12: no body 'rockr'; did you mean 'rocker'?");
}

TEST(Error, OfAnOptionNamesItsField) {
  const Result<int> refused = make_option_error("beta", "`beta` is -1", "it must be above 0");
  EXPECT_EQ(refused.error().code, ErrorCode::kOption);
  EXPECT_EQ(refused.error().option, "beta");
  EXPECT_EQ(to_string(refused.error()), "`beta` is -1; it must be above 0");
}

TEST(ErrorCode, HasAWordEach) {
  EXPECT_EQ(to_string(ErrorCode::kTopology), "topology");
  EXPECT_EQ(to_string(ErrorCode::kLimit), "limit");
  for (int code = 0; code <= static_cast<int>(ErrorCode::kLimit); ++code) {
    EXPECT_NE(to_string(static_cast<ErrorCode>(code)), "unknown") << code;
  }
}

}  // namespace
}  // namespace espalier
