#include "espalier/graph/paths.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/graph/test/random_graph.hpp"

namespace espalier::graph {
namespace {

// One run a vertex.
std::vector<double> all_eccentricities(ShortestPaths& paths) {
  std::vector<double> eccentricity;
  for (int v = 0; v < paths.vertices(); ++v) {
    paths.run(v);
    eccentricity.push_back(paths.eccentricity());
  }
  return eccentricity;
}

TEST(FindRadius, IsTheSmallestEccentricity) {
  for (std::uint32_t key = 0; key < 400; ++key) {
    const Graph graph = random_connected_graph(key, 30, 25);
    ShortestPaths paths(graph);
    paths.set_length(random_values(key, graph.edges.size(), 9));
    const std::vector<double> eccentricity = all_eccentricities(paths);
    const Radius radius = find_radius(paths);
    EXPECT_TRUE(radius.exact);
    EXPECT_EQ(radius.upper, *std::min_element(eccentricity.begin(), eccentricity.end()));
    EXPECT_EQ(radius.lower, radius.upper);
    EXPECT_EQ(eccentricity[radius.centre], radius.upper);
    EXPECT_LE(radius.diameter, *std::max_element(eccentricity.begin(), eccentricity.end()));
    EXPECT_LE(radius.runs, graph.vertices);
    for (std::size_t v = 0; v < eccentricity.size(); ++v) EXPECT_LE(radius.bounds[v], eccentricity[v]);
  }
}

TEST(FindRadius, BoundsFromBelowWhenTheRunsAreUsedUp) {
  int open = 0;
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 30, 25);
    ShortestPaths paths(graph);
    paths.set_length(random_values(key, graph.edges.size(), 9));
    const double exact = find_radius(paths).upper;
    for (int runs = 1; runs < 6; ++runs) {
      const Radius radius = find_radius(paths, runs);
      EXPECT_LE(radius.runs, runs);
      EXPECT_LE(radius.lower, exact);
      EXPECT_GE(radius.upper, exact);
      if (radius.exact) {
        EXPECT_EQ(radius.upper, exact);
      } else {
        ++open;
      }
    }
  }
  EXPECT_GT(open, 50);
}

// 0 - 1 - 2 - ... - 100: the ends are found in two runs, the middle in one more.
TEST(FindRadius, OfAChainTakesAHandfulOfRuns) {
  Graph chain{101, {}};
  for (int v = 0; v < 100; ++v) chain.edges.push_back({v, v + 1});
  ShortestPaths paths(chain);
  paths.set_length(std::vector<double>(100, 2.0));
  const Radius radius = find_radius(paths);
  EXPECT_EQ(radius.upper, 100);
  EXPECT_EQ(radius.centre, 50);
  EXPECT_EQ(radius.diameter, 200);
  EXPECT_EQ(std::max(radius.far_a, radius.far_b), 100);
  EXPECT_EQ(std::min(radius.far_a, radius.far_b), 0);
  EXPECT_LE(radius.runs, 4);
}

TEST(FindRadius, OfOneVertexIsZero) {
  ShortestPaths paths(Graph{1, {}});
  const Radius radius = find_radius(paths);
  EXPECT_EQ(radius.upper, 0);
  EXPECT_EQ(radius.centre, 0);
  EXPECT_TRUE(radius.exact);
}

}  // namespace
}  // namespace espalier::graph
