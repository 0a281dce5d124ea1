#include "espalier/modes/baseline/recursive.hpp"

#include <cmath>
#include <complex>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes {

using namespace baseline;

namespace {

// |f| of a function of s = x + i y.
template <class F>
BatchFunction modulus(const F& f) {
  return [f](std::span<const Point> points, std::span<double> values) {
    for (std::size_t k = 0; k < points.size(); ++k) values[k] = std::abs(f(std::complex(points[k].x, points[k].y)));
  };
}

BatchFunction beam_function() {
  return modulus([segments = *find_bending_chain(stepped_beam())](std::complex<double> s) {
    return plain_determinant(segments, s);
  });
}

std::string printed(const Point& root) {
  char text[64];
  std::snprintf(text, sizeof text, "%.4f %.4f", root.x, root.y);
  return text;
}

// The literature's Table 6, four decimals as printed.
const std::vector<std::string> kTable6 = {"-13.1872 10.4693", "-10.6857 69.8781", "-10.0808 175.8220",
                                          "-9.8454 332.8125", "-9.7312 541.7148", "-9.6679 802.6656",
                                          "-9.6294 1115.7216"};

RecursiveSearch beam_search(int nx, int ny) { return {{-20, 0, nx, 1e-4}, {0, 1200, ny, 1e-4}}; }

TEST(FindMinima, PrintsTheDampedBeamsTable) {
  const SearchResult found = find_minima(beam_function(), beam_search(54, 97));
  ASSERT_EQ(found.roots.size(), kTable6.size());
  for (std::size_t k = 0; k < kTable6.size(); ++k) EXPECT_EQ(printed(found.roots[k]), kTable6[k]);
  EXPECT_EQ(found.evaluations, 86802);
  EXPECT_TRUE(found.complete);
}

TEST(FindMinima, FindsAllSevenWithFewerSamplesOnALuckyGrid) {
  const SearchResult found = find_minima(beam_function(), beam_search(10, 100));
  EXPECT_EQ(found.roots.size(), 7u);
  EXPECT_EQ(found.evaluations, 22777);
}

// On this grid rounding alone decides whether it is two or three.
TEST(FindMinima, LosesRootsOnACoarseGridAndDoesNotSaySo) {
  const SearchResult found = find_minima(beam_function(), beam_search(20, 20));
  EXPECT_GE(found.roots.size(), 2u);
  EXPECT_LE(found.roots.size(), 3u);
  EXPECT_TRUE(found.complete);
}

TEST(FindMinima, SearchesOneDirectionAlone) {
  const SearchResult found =
      find_minima(modulus([](std::complex<double> s) { return std::cos(s.imag()); }), {{}, {0, 10, 20, 1e-9}});
  ASSERT_EQ(found.roots.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.roots[k].y, (k + 0.5) * M_PI, 1e-9);
}

TEST(FindMinima, FindsADoubleRootThatHasNoSignChange) {
  const auto square = [](double y) { return (y - M_SQRT2) * (y - M_SQRT2); };
  const SearchResult found =
      find_minima(modulus([&](std::complex<double> s) { return square(s.imag()); }), {{}, {0, 3, 11, 1e-6}});
  ASSERT_EQ(found.roots.size(), 1u);
  EXPECT_NEAR(found.roots[0].y, M_SQRT2, 1e-6);
  EXPECT_TRUE(find_sign_changes(square, {0, 3, 11, 1e-6}).roots.empty());
}

TEST(FindMinima, NeverKeepsAnEdge) {
  const auto f = modulus([](std::complex<double> s) { return s; });
  EXPECT_TRUE(find_minima(f, {{0, 1, 9, 1e-3}, {-1, 1, 9, 1e-3}}).roots.empty());
  EXPECT_EQ(find_minima(f, {{-1, 1, 9, 1e-3}, {-1, 1, 9, 1e-3}}).roots.size(), 1u);
}

TEST(FindMinima, EvaluatesALevelAtATime) {
  int batches = 0;
  std::int64_t points = 0;
  const BatchFunction f = [&](std::span<const Point> at, std::span<double> values) {
    ++batches;
    points += static_cast<std::int64_t>(at.size());
    for (std::size_t k = 0; k < at.size(); ++k) values[k] = std::abs(std::cos(at[k].y));
  };
  const SearchResult found = find_minima(f, {{}, {0, 100, 200, 1e-6}});
  EXPECT_EQ(found.roots.size(), 32u);
  EXPECT_EQ(batches, found.levels);
  EXPECT_EQ(points, found.evaluations);
}

TEST(FindMinima, StopsAtItsLimits) {
  RecursiveSearch search = beam_search(10, 100);
  search.max_evaluations = 5000;
  const SearchResult found = find_minima(beam_function(), search);
  EXPECT_FALSE(found.complete);
  EXPECT_LE(found.evaluations, 5000);
}

TEST(FindSignChanges, BisectsToTheResolution) {
  const SearchResult found = find_sign_changes([](double y) { return std::cos(y); }, {0, 10, 20, 1e-12});
  ASSERT_EQ(found.roots.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.roots[k].y, (k + 0.5) * M_PI, 1e-12);
}

TEST(FindSignChanges, TakesASampleThatIsARootOnce) {
  const SearchResult found = find_sign_changes([](double y) { return y - 2; }, {0, 4, 5, 1e-9});
  ASSERT_EQ(found.roots.size(), 1u);
  EXPECT_EQ(found.roots[0].y, 2);
}

}  // namespace
}  // namespace espalier::modes
