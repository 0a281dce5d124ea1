#include "espalier/graph/spanning_trees.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::graph {
namespace {

std::string digits_of(const Graph& graph) {
  const std::optional<TreeCount> count = count_spanning_trees(graph);
  return count ? count->digits : "none";
}

Graph complete(int vertices) {
  Graph graph{vertices, {}};
  for (int a = 0; a < vertices; ++a) {
    for (int b = a + 1; b < vertices; ++b) graph.edges.push_back({a, b});
  }
  return graph;
}

Graph complete_bipartite(int m, int n) {
  Graph graph{m + n, {}};
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < n; ++b) graph.edges.push_back({a, m + b});
  }
  return graph;
}

//  0 -- 2 -- 4 --
//  |    |    |     ...
//  1 -- 3 -- 5 --
Graph ladder(int rungs) {
  Graph graph{2 * rungs, {}};
  for (int k = 0; k < rungs; ++k) {
    graph.edges.push_back({2 * k, 2 * k + 1});
    if (k == 0) continue;
    graph.edges.push_back({2 * k - 2, 2 * k});
    graph.edges.push_back({2 * k - 1, 2 * k + 1});
  }
  return graph;
}

// base^exponent, digit by digit as on paper.
std::string power(int base, int exponent) {
  std::string number = "1";
  for (int k = 0; k < exponent; ++k) {
    int carry = 0;
    for (std::size_t place = number.size(); place-- > 0;) {
      carry += (number[place] - '0') * base;
      number[place] = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    if (carry > 0) number = std::to_string(carry) + number;
  }
  return number;
}

// Over all sets of edges.
int enumerated(const Graph& graph) {
  const auto edges = static_cast<int>(graph.edges.size());
  int count = 0;
  for (std::uint32_t set = 0; set < (std::uint32_t{1} << edges); ++set) {
    DisjointSets joined(to_index(graph.vertices));
    int taken = 0;
    bool fits = true;
    for (int e = 0; e < edges && fits; ++e) {
      if ((set >> e & 1) == 0) continue;
      fits = joined.join(graph.edges[to_index(e)].a, graph.edges[to_index(e)].b);
      ++taken;
    }
    count += fits && taken == graph.vertices - 1 ? 1 : 0;
  }
  return count;
}

TEST(CountSpanningTrees, IsWhatEnumerationFinds) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    Random random(12, key);
    Graph graph{1 + random.below(6), {}};
    // Self loops, parallel edges and graphs that are not connected among them.
    for (int e = random.below(11); e > 0; --e) {
      graph.edges.push_back({random.below(graph.vertices), random.below(graph.vertices)});
    }
    const int expected = enumerated(graph);
    EXPECT_EQ(digits_of(graph), std::to_string(expected)) << key;
    if (expected > 0) {
      EXPECT_NEAR(count_spanning_trees(graph)->log10, std::log10(expected), 1e-13) << key;
    }
  }
}

// Cayley's n^(n-2).
TEST(CountSpanningTrees, OfCompleteGraphsAreCayleys) {
  for (const int n : {2, 3, 7, 12, 20, 36, 50, 80}) EXPECT_EQ(digits_of(complete(n)), power(n, n - 2)) << n;
  EXPECT_EQ(power(50, 48).size(), 82U);
}

// m^(n-1) n^(m-1), with m = 10 so that it can be written down.
TEST(CountSpanningTrees, OfCompleteBipartiteGraphsIsTheClosedForm) {
  for (const int n : {1, 4, 9, 30}) {
    EXPECT_EQ(digits_of(complete_bipartite(10, n)), power(n, 9) + std::string(to_index(n - 1), '0')) << n;
  }
}

// t(k) = 4 t(k-1) - t(k-2): 1, 4, 15, 56, ...
TEST(CountSpanningTrees, OfLaddersFollowTheirRecurrence) {
  std::uint64_t last = 0, count = 1;
  for (int rungs = 1; rungs <= 32; ++rungs) {
    EXPECT_EQ(digits_of(ladder(rungs)), std::to_string(count)) << rungs;
    const std::uint64_t next = 4 * count - last;
    last = count;
    count = next;
  }
}

// Square grids of n x n vertices, published for 2 to 5 and 10.
TEST(CountSpanningTrees, OfGridsAreThePublishedNumbers) {
  const auto grid = [](int n) {
    Graph graph{n * n, {}};
    for (int v = 0; v < n * n; ++v) {
      if (v % n > 0) graph.edges.push_back({v - 1, v});
      if (v >= n) graph.edges.push_back({v - n, v});
    }
    return graph;
  };
  EXPECT_EQ(digits_of(grid(2)), "4");
  EXPECT_EQ(digits_of(grid(3)), "192");
  EXPECT_EQ(digits_of(grid(4)), "100352");
  EXPECT_EQ(digits_of(grid(5)), "557568000");
  EXPECT_EQ(digits_of(grid(10)), "5694319004079097795957215725765328371712000");
}

// ((2 + sqrt 3)^k - (2 - sqrt 3)^k) / (2 sqrt 3), of which the second power is nothing here.
TEST(CountSpanningTrees, BeyondExactDigitsIsALogarithm) {
  const int rungs = 20'000;
  const TreeCount count = count_spanning_trees(ladder(rungs)).value();
  EXPECT_EQ(count.digits, "");
  const double expected = rungs * std::log10(2 + std::sqrt(3.0)) - std::log10(2 * std::sqrt(3.0));
  EXPECT_NEAR(count.log10, expected, 1e-12 * expected);
  EXPECT_EQ(to_text(count).substr(3), "e11438");
}

TEST(CountSpanningTrees, OfATreeIsOneAndOfTwoPiecesNone) {
  EXPECT_EQ(digits_of({0, {}}), "1");
  EXPECT_EQ(digits_of({1, {{0, 0}}}), "1");
  Graph chain{100'000, {}};
  for (int v = 1; v < chain.vertices; ++v) chain.edges.push_back({v, v - 1});
  EXPECT_EQ(digits_of(chain), "1");
  chain.edges.pop_back();
  EXPECT_EQ(digits_of(chain), "0");
  EXPECT_EQ(count_spanning_trees(chain)->log10, -std::numeric_limits<double>::infinity());
}

TEST(CountSpanningTrees, GivesUpWhereTheEliminationFillsIn) { EXPECT_FALSE(count_spanning_trees(complete(900))); }

TEST(TreeCountText, IsShort) {
  EXPECT_EQ(to_text({"999999999", std::log10(999999999.0)}), "999999999");
  EXPECT_EQ(to_text({"1200000000", std::log10(1.2e9)}), "1.2e9");
  EXPECT_EQ(to_text({"", 456.2}), "1.6e456");
  EXPECT_EQ(to_text({"", std::log10(9.96) + 20}), "1.0e21");
  EXPECT_EQ(to_text({"0", -std::numeric_limits<double>::infinity()}), "0");
}

}  // namespace
}  // namespace espalier::graph
