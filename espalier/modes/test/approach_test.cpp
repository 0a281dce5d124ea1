#include "espalier/modes/detail/approach.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

int with_pairs(const std::vector<ComplexRoot>& roots) {
  int count = 0;
  for (const ComplexRoot& root : roots) count += root.multiplicity * (root.s.imag() > 0 ? 2 : 1);
  return count;
}

double distance_to(const std::vector<ComplexRoot>& roots, Complex s) {
  double least = INFINITY;
  for (const ComplexRoot& root : roots) least = std::min(least, std::abs(root.s - s));
  return least;
}

// Pairs and real roots at random, two of them double; the starts stand on the imaginary axis, one for each two roots,
// so that many pairs have to meet on the real axis and to part there.
TEST(ApproachRoots, FindsAllOfAPolynomialFromTheImaginaryAxis) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    Random random(3, seed);
    std::vector<ComplexRoot> all;
    const int pairs = 1 + random.below(6), reals = 2 * random.below(3);
    for (int k = 0; k < pairs; ++k) all.push_back({{-random.uniform(0.01, 3), random.uniform(0.1, 10)}, 1, 0});
    for (int k = 0; k < reals; ++k) all.push_back({-random.uniform(0.05, 8), 1, 0});
    if (seed % 3 == 0) all.front().multiplicity = 2;
    std::vector<ComplexRoot> starts;
    const int half = with_pairs(all) / 2;
    for (int k = 0; k < half; ++k) starts.push_back({{-0.01, 10.0 * (k + 0.5) / half}, 1, 0});
    const SlopesAt slopes = [&](std::span<const Complex> points) {
      std::vector<Complex> values;
      for (const Complex& s : points) values.push_back(known_part(all, s));
      return values;
    };
    const std::vector<ComplexRoot> found = approach_roots(slopes, {}, starts, {-40, 40, 40});
    EXPECT_EQ(with_pairs(found), with_pairs(all)) << seed;
    for (const ComplexRoot& root : all) {
      EXPECT_LT(distance_to(found, root.s), (root.multiplicity > 1 ? 1e-5 : 1e-9) * std::abs(root.s)) << seed;
    }
  }
}

// s^2 + 6 s + 8 from one start above the axis: the pair meets there, and is -2 and -4 from then on.
TEST(ApproachRoots, APairThatMeetsOnTheAxisIsTwo) {
  const SlopesAt slopes = [](std::span<const Complex> points) {
    std::vector<Complex> values;
    for (const Complex& s : points) values.push_back((2.0 * s + 6.0) / (s * s + 6.0 * s + 8.0));
    return values;
  };
  const std::vector<ComplexRoot> starts = {{{-1, 2}, 1, 0}};
  const std::vector<ComplexRoot> found = approach_roots(slopes, {}, starts, {-20, 20, 20});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_LT(distance_to(found, -2), 1e-9);
  EXPECT_LT(distance_to(found, -4), 1e-9);
}

// 2 / (s - i) + 2 / (s + i) of a double pair, and 1 / (s + 3).
TEST(KnownPart, HasTheMirrorImagesToo) {
  const std::vector<ComplexRoot> known = {{{0, 1}, 2, 0}, {-3, 1, 0}};
  EXPECT_LT(std::abs(known_part(known, 2) - (4.0 * 2 / 5 + 0.2)), 1e-15);
}

}  // namespace
}  // namespace espalier::modes::detail
