#include "espalier/graph/paths.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/graph/test/random_graph.hpp"

namespace espalier::graph {
namespace {

using Ints = std::vector<int>;
using Reals = std::vector<double>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Reals distances(const ShortestPaths& paths) { return {paths.distance().begin(), paths.distance().end()}; }
Ints order(const ShortestPaths& paths) { return {paths.order().begin(), paths.order().end()}; }

// All pairs by Floyd and Warshall's method: a second, slower way.
std::vector<Reals> all_distances(const Graph& graph, const Reals& length) {
  const auto n = to_index(graph.vertices);
  std::vector<Reals> distance(n, Reals(n, kInfinite));
  for (std::size_t v = 0; v < n; ++v) distance[v][v] = 0;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b] = graph.edges[e];
    if (a == b) continue;
    distance[a][b] = distance[b][a] = std::min(distance[a][b], length[e]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) distance[i][j] = std::min(distance[i][j], distance[i][k] + distance[k][j]);
    }
  }
  return distance;
}

//      1
//    2/ \2        The way over 1 or over 2 is as long as the other; 3 - 4 is drawn twice.
//    0   3 ==1,5== 4
//    1\ /3
//      2
const Graph kDiamond = {5, {{0, 1}, {0, 2}, {2, 3}, {1, 3}, {3, 4}, {3, 4}}};
const Reals kDiamondLength = {2, 1, 3, 2, 5, 1};

TEST(ShortestPaths, OfADiamondAreTheDrawnOnes) {
  ShortestPaths paths(kDiamond);
  paths.run(kDiamondLength, 0);
  EXPECT_EQ(distances(paths), (Reals{0, 2, 1, 4, 5}));
  EXPECT_EQ(order(paths), (Ints{0, 2, 1, 3, 4}));
  EXPECT_EQ(paths.eccentricity(), 5);
  // 2 is settled before 1, so that the way over 2 is found first and stays.
  EXPECT_EQ(paths.tree(), (Tree{0, {-1, 0, 0, 2, 3}, {-1, 0, 1, 2, 5}, {0, 2, 1, 3, 4}}));
}

TEST(ShortestPaths, SettlesVerticesOfEqualDistanceInIncreasingOrder) {
  // A star whose rays are listed backwards.
  const Graph star = {5, {{0, 4}, {0, 3}, {0, 2}, {0, 1}}};
  ShortestPaths paths(star);
  paths.run(Reals(4, 1), 0);
  EXPECT_EQ(order(paths), (Ints{0, 1, 2, 3, 4}));
}

TEST(ShortestPaths, LeaveOutWhatCannotBeReached) {
  ShortestPaths paths({4, {{0, 1}, {2, 3}}});
  paths.run(Reals{3, 4}, 1);
  EXPECT_EQ(distances(paths), (Reals{3, 0, kInfinite, kInfinite}));
  EXPECT_EQ(order(paths), (Ints{1, 0}));
  EXPECT_EQ(paths.eccentricity(), 3);
  EXPECT_EQ(paths.tree(), (Tree{1, {1, -1, -1, -1}, {0, -1, -1, -1}, {1, 0}}));
}

TEST(ShortestPaths, OfALoneVertexAreEmpty) {
  ShortestPaths paths({1, {{0, 0}}});
  paths.run(Reals{1}, 0);
  EXPECT_EQ(paths.eccentricity(), 0);
  EXPECT_EQ(paths.tree(), (Tree{0, {-1}, {-1}, {0}}));
}

TEST(ShortestPaths, AgreeWithFloydAndWarshall) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_graph(key);
    ShortestPaths paths(graph);
    // Two lengths with one object: nothing of a run is left for the next.
    for (const int most : {9, 2}) {
      const Reals length = random_values(key, graph.edges.size(), most);
      const std::vector<Reals> expected = all_distances(graph, length);
      for (int source = 0; source < graph.vertices; ++source) {
        paths.run(length, source);
        EXPECT_EQ(distances(paths), expected[source]) << "graph " << key << ", source " << source;
        double farthest = 0;
        for (const double distance : expected[source]) {
          if (distance < kInfinite) farthest = std::max(farthest, distance);
        }
        EXPECT_EQ(paths.eccentricity(), farthest);
      }
    }
  }
}

TEST(ShortestPaths, TakeEdgesOfNoLength) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 10, 8);
    Reals length = random_values(key, graph.edges.size(), 3);
    for (double& value : length) value -= 1;
    const std::vector<Reals> expected = all_distances(graph, length);
    ShortestPaths paths(graph);
    for (int source = 0; source < graph.vertices; ++source) {
      paths.run(length, source);
      EXPECT_EQ(distances(paths), expected[source]) << "graph " << key << ", source " << source;
      EXPECT_EQ(depths(paths.tree(), length), expected[source]);
    }
  }
}

TEST(ShortestPaths, TreeHasTheDistancesAsDepthsAndTheNearestFirst) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const Reals length = random_values(key, graph.edges.size(), 4);
    ShortestPaths paths(graph);
    for (int source = 0; source < graph.vertices; ++source) {
      paths.run(length, source);
      const Tree tree = paths.tree();
      EXPECT_EQ(tree.root, source);
      EXPECT_EQ(static_cast<int>(tree_edges(tree).size()), graph.vertices - 1);
      EXPECT_EQ(depths(tree, length), distances(paths));
      const auto nearer = [&](int a, int b) {
        const double difference = paths.distance()[a] - paths.distance()[b];
        return difference != 0 ? difference < 0 : a < b;
      };
      EXPECT_TRUE(std::is_sorted(tree.order.begin(), tree.order.end(), nearer));
      // Of equal ways the one found first stays: the parent is the first settled of all possible ones.
      for (const int v : tree.order) {
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
          const auto [a, b] = graph.edges[e];
          if ((a != v && b != v) || a == b) continue;
          const int other = a == v ? b : a;
          const bool as_short = paths.distance()[other] + length[e] == paths.distance()[v];
          EXPECT_FALSE(as_short && nearer(other, tree.parent[v])) << "graph " << key << ", vertex " << v;
        }
      }
    }
  }
}

}  // namespace
}  // namespace espalier::graph
