#include "espalier/modes/baseline/spread.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"

namespace espalier::modes {

using namespace baseline;

namespace {

TEST(PublishedShare, IsTheLiteraturesWhereThatMakesSense) {
  // 10 items on 4 processes: 3, 3, 3 and what is left.
  for (int rank = 0; rank < 4; ++rank) {
    const Share share = published_share(10, 4, rank);
    EXPECT_EQ(share.begin, 3 * rank);
    EXPECT_EQ(share.end, rank < 3 ? 3 * (rank + 1) : 10);
  }
}

// 9 items on 8 processes: two each, so that the last would have 9 - 14.
TEST(PublishedShare, NeverIsLessThanNothing) {
  for (std::int64_t items = 0; items < 40; ++items) {
    for (int ranks = 1; ranks < 20; ++ranks) {
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Share share = published_share(items, ranks, rank);
        EXPECT_EQ(share.begin, next);
        EXPECT_GE(share.end, share.begin);
        next = share.end;
      }
      EXPECT_EQ(next, items);
    }
  }
}

// |(s - (-1 + 3i)) (s - (-2 + 7i)) (s - (-2.5 + 7.5i))|
double three_roots(const Point& p) {
  return std::hypot(p.x + 1, p.y - 3) * std::hypot(p.x + 2, p.y - 7) * std::hypot(p.x + 2.5, p.y - 7.5);
}

void all_of_three_roots(std::span<const Point> points, std::span<double> values) {
  for (std::size_t k = 0; k < points.size(); ++k) values[k] = three_roots(points[k]);
}

RecursiveSearch search_of_three() { return {{-4, 0.1, 21, 1e-6}, {0, 10, 31, 1e-6}}; }

void expect_same(const SearchResult& a, const SearchResult& b) {
  ASSERT_EQ(a.roots.size(), b.roots.size());
  for (std::size_t k = 0; k < a.roots.size(); ++k) {
    EXPECT_EQ(a.roots[k].x, b.roots[k].x);
    EXPECT_EQ(a.roots[k].y, b.roots[k].y);
  }
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.levels, b.levels);
  EXPECT_EQ(a.complete, b.complete);
}

TEST(SpreadMinima, DistributionsAndThreadsChangeNothing) {
  const SearchResult reference = find_minima(all_of_three_roots, search_of_three());
  ASSERT_EQ(reference.roots.size(), 3u);
  EXPECT_NEAR(reference.roots[2].y, 7.5, 1e-6);
  for (const Distribution distribution : {Distribution::kDynamic, Distribution::kPaper}) {
    for (const int threads : {1, 3}) {
      SpreadOptions options;
      options.distribution = distribution;
      options.threads = threads;
      expect_same(find_minima(comm::Comm::serial(), all_of_three_roots, search_of_three(), options), reference);
    }
  }
}

// The three factors as parts.
TEST(SpreadMinima, PartsAreJoined) {
  PartedFunction f;
  f.parts = 3;
  f.numbers = 1;
  const std::vector<std::complex<double>> roots = {{-1, 3}, {-2, 7}, {-2.5, 7.5}};
  f.compute = [&](const Point& at, int part, std::span<std::complex<double>> numbers) {
    numbers[0] = std::complex<double>(at.x, at.y) - roots[to_index(part)];
  };
  f.join = [](const Point&, std::span<const std::complex<double>> numbers) {
    return std::abs(numbers[0]) * std::abs(numbers[1]) * std::abs(numbers[2]);
  };
  expect_same(find_minima(comm::Comm::serial(), f, search_of_three()),
              find_minima(all_of_three_roots, search_of_three()));
}

TEST(SpreadMinima, TellsHowFarItIs) {
  SpreadOptions options;
  std::int64_t last = 0, calls = 0;
  options.watch = [&](std::int64_t done, std::int64_t of) {
    ++calls;
    last = done;
    EXPECT_LE(done, of);
  };
  find_minima(comm::Comm::serial(), all_of_three_roots, search_of_three(), options);
  EXPECT_GT(calls, 20);
  EXPECT_GT(last, 0);
}

TEST(SpreadMinima, ALimitBelowTheFirstLevelEndsBoth) {
  RecursiveSearch search = search_of_three();
  search.max_evaluations = 100;
  for (const Distribution distribution : {Distribution::kDynamic, Distribution::kPaper}) {
    SpreadOptions options;
    options.distribution = distribution;
    const SearchResult result = find_minima(comm::Comm::serial(), all_of_three_roots, search, options);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.evaluations, 0);
    EXPECT_EQ(result.open.size(), 1u);
  }
}

}  // namespace
}  // namespace espalier::modes
