#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "espalier/graph/paths.hpp"
#include "espalier/graph/test/random_graph.hpp"

namespace espalier::graph {
namespace {

int ways(const Graph& graph, int a, int b, int most = 1000) {
  return disjoint_ways(graph, Adjacency(graph), a, b, most);
}

// The fewest edges between a set that holds a and its complement that holds b: all sets are tried.
int fewest_parting(const Graph& graph, int a, int b) {
  int fewest = 1000;
  for (std::uint32_t set = 0; set < (1u << graph.vertices); ++set) {
    if ((set >> a & 1) == 0 || (set >> b & 1) != 0) continue;
    const auto parts = [&](const Edge& edge) { return (set >> edge.a & 1) != (set >> edge.b & 1); };
    fewest = std::min(fewest, static_cast<int>(std::count_if(graph.edges.begin(), graph.edges.end(), parts)));
  }
  return fewest;
}

// Menger's theorem, on all pairs of small graphs with parallel edges.
TEST(DisjointWays, AreAsManyAsTheFewestEdgesThatPartTheTwo) {
  for (std::uint32_t key = 0; key < 40; ++key) {
    const Graph graph = random_connected_graph(key, 7, 10);
    for (int a = 0; a < graph.vertices; ++a) {
      for (int b = a + 1; b < graph.vertices; ++b) {
        EXPECT_EQ(ways(graph, a, b), fewest_parting(graph, a, b)) << key << ": " << a << " " << b;
        EXPECT_EQ(ways(graph, b, a), ways(graph, a, b)) << key;
      }
    }
  }
}

// The shortest way 0-1-4-5 blocks both others until a later one gives its middle edge back.
//
//   0 - 1 - 2 - 5
//    \   \     /
//     3 - 4 --
TEST(DisjointWays, AWayMayGiveAnEdgeBack) {
  EXPECT_EQ(ways({6, {{0, 1}, {1, 4}, {4, 5}, {1, 2}, {2, 5}, {0, 3}, {3, 4}}}, 0, 5), 2);
}

TEST(DisjointWays, EndWhereAskedTo) {
  const Graph theta = {2, {{0, 1}, {0, 1}, {0, 1}, {1, 0}}};
  EXPECT_EQ(ways(theta, 0, 1), 4);
  EXPECT_EQ(ways(theta, 0, 1, 3), 3);
  EXPECT_EQ(ways({3, {{0, 1}}}, 0, 2), 0);
}

}  // namespace
}  // namespace espalier::graph
