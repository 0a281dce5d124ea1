#include "espalier/base/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "espalier/base/index.hpp"

namespace espalier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum.value();
}

// A double with an exponent of ten between -300 and 300.
rc::Gen<double> wide() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(-1000000000, 1000000000), rc::gen::inRange(-300, 300)),
                      [](std::pair<int, int> p) { return 1e-9 * p.first * std::pow(10.0, p.second); });
}

TEST(ExactSum, KeepsWhatCancellationLosesInDoubles) {
  EXPECT_EQ(sum_of({1e300, 1.0, -1e300}), 1.0);
  EXPECT_EQ(sum_of({1e300, 1e-300, -1e300, 1.0, -1.0}), 1e-300);
  EXPECT_EQ(sum_of({1e16, 1.0, 1.0, -1e16}), 2.0);
  EXPECT_EQ(sum_of({}), 0.0);
}

TEST(ExactSum, RoundsOnceToNearestAndTiesToEven) {
  const double one = 1.0, half_bit = 0x1p-53;
  EXPECT_EQ(sum_of({one, half_bit}), 1.0);
  EXPECT_EQ(sum_of({one, half_bit, 0x1p-1074}), 1.0 + 0x1p-52);
  EXPECT_EQ(sum_of({one, half_bit, -0x1p-1074}), 1.0);
  EXPECT_EQ(sum_of({one + 0x1p-52, half_bit}), 1.0 + 0x1p-51);
  EXPECT_EQ(sum_of({-one, -half_bit, -0x1p-1000}), -1.0 - 0x1p-52);
}

TEST(ExactSum, KnowsTheEndsOfTheRange) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({0x1p-1074, 0x1p-1074, 0x1p-1074}), 3 * 0x1p-1074);
  EXPECT_EQ(sum_of({0x1p-1022, -0x1p-1074}), 0x1p-1022 - 0x1p-1074);
  EXPECT_EQ(sum_of({kLargest, kLargest, -kLargest}), kLargest);
  EXPECT_EQ(sum_of({kLargest, kLargest}), kInfinity);
  EXPECT_EQ(sum_of({1.0, kInfinity}), kInfinity);
  EXPECT_EQ(sum_of({-kInfinity, kLargest}), -kInfinity);
  EXPECT_TRUE(std::isnan(sum_of({kInfinity, -kInfinity})));
  EXPECT_TRUE(std::isnan(sum_of({std::nan(""), 1.0})));
}

TEST(ExactSum, AgreesWithWholeNumbers) {
  ExactSum sum;
  std::int64_t expected = 0;
  for (std::int64_t i = 0; i < 100000; ++i) {
    const std::int64_t term = (i * i * 7919) % 1000003 - 500000;
    expected += term;
    sum.add(static_cast<double>(term) * 0x1p-40);
  }
  EXPECT_EQ(sum.value(), static_cast<double>(expected) * 0x1p-40);
}

RC_GTEST_PROP(ExactSum, OfTwoTermsIsWhatTheProcessorRounds, ()) {
  const double a = *wide(), b = *wide();
  RC_ASSERT(sum_of({a, b}) == a + b);
}

RC_GTEST_PROP(ExactSum, IsTheSameBitsForEveryOrder, ()) {
  std::vector<double> terms = *rc::gen::container<std::vector<double>>(wide());
  const auto bits = std::bit_cast<std::uint64_t>(sum_of(terms));
  std::sort(terms.begin(), terms.end());
  RC_ASSERT(std::bit_cast<std::uint64_t>(sum_of(terms)) == bits);
  std::rotate(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 3), terms.end());
  RC_ASSERT(std::bit_cast<std::uint64_t>(sum_of(terms)) == bits);
}

RC_GTEST_PROP(ExactSum, IsTheSameBitsForEverySplit, ()) {
  const auto terms = *rc::gen::container<std::vector<double>>(wide());
  const int parts = *rc::gen::inRange(1, 5);
  std::vector<ExactSum> part(to_index(parts));
  for (const double term : terms) part[*rc::gen::inRange(0, parts)].add(term);
  // As one machine joins them, and as ranks do that add word by word.
  ExactSum joined, reduced;
  for (const ExactSum& p : part) joined.add(p);
  for (ExactSum& p : part) {
    p.settle();
    for (std::size_t i = 0; i < p.words().size(); ++i) reduced.words()[i] += p.words()[i];
  }
  RC_ASSERT(std::bit_cast<std::uint64_t>(joined.value()) == std::bit_cast<std::uint64_t>(sum_of(terms)));
  RC_ASSERT(std::bit_cast<std::uint64_t>(reduced.value()) == std::bit_cast<std::uint64_t>(sum_of(terms)));
}

}  // namespace
}  // namespace espalier
