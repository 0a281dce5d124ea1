#include "espalier/graph/paths.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/graph/test/random_graph.hpp"

namespace espalier::graph {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Every third edge that closes no loop with the others marked.
std::vector<char> some_marked(const Graph& graph, std::uint32_t key) {
  Random random(14, key);
  DisjointSets joined(to_index(graph.vertices));
  std::vector<char> marked(graph.edges.size(), 0);
  for (std::size_t e = 0; e < marked.size(); ++e) {
    if (random.below(3) == 0) marked[e] = joined.join(graph.edges[e].a, graph.edges[e].b) ? 1 : 0;
  }
  return marked;
}

// The heaviest unmarked edge on the tree's path between two vertices, by walking up from both.
double heaviest_on_path(const Tree& tree, const std::vector<double>& weight, const std::vector<char>& marked, int a,
                        int b) {
  std::vector<int> place(tree.order.size());
  for (std::size_t k = 0; k < tree.order.size(); ++k) place[tree.order[k]] = static_cast<int>(k);
  double heaviest = -kInfinite;
  while (a != b) {
    if (place[a] < place[b]) std::swap(a, b);
    if (!marked[tree.parent_edge[a]]) heaviest = std::max(heaviest, weight[tree.parent_edge[a]]);
    a = tree.parent[a];
  }
  return heaviest;
}

TEST(FindLightest, IsKruskalsTree) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const std::vector<double> weight = random_values(key, graph.edges.size(), 5);
    const std::vector<char> marked = some_marked(graph, key);
    EXPECT_EQ(find_lightest(graph, weight).edges, kruskal(graph, weight));
    EXPECT_EQ(find_lightest(graph, weight, marked).edges, kruskal(graph, weight, marked));
  }
}

TEST(FindLightest, ExcessIsWhatTheHeaviestEdgeOfThePathLeaves) {
  int chords = 0;
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const std::vector<double> weight = random_values(key, graph.edges.size(), 9);
    const std::vector<char> marked = some_marked(graph, key);
    const Lightest lightest = find_lightest(graph, weight, marked);
    const Tree tree = hang_tree(graph, lightest.edges, 0);
    for (int e = 0; e < static_cast<int>(graph.edges.size()); ++e) {
      if (std::binary_search(lightest.edges.begin(), lightest.edges.end(), e)) {
        EXPECT_EQ(lightest.excess[e], 0);
        continue;
      }
      const double heaviest = heaviest_on_path(tree, weight, marked, graph.edges[e].a, graph.edges[e].b);
      EXPECT_EQ(lightest.excess[e], weight[e] - heaviest);
      EXPECT_GE(lightest.excess[e], 0);
      ++chords;
    }
  }
  EXPECT_GT(chords, 300);
}

//   0 --2-- 1     The pinned path 0 - 1 - 2 makes its chord impossible; without pins the chord costs 7 - 3 more.
//    \7    /3
//      2 -
TEST(FindLightest, AChordOfMarkedEdgesIsInNoTree) {
  const Graph triangle = {3, {{0, 1}, {1, 2}, {0, 2}}};
  const std::vector<double> weight = {2, 3, 7};
  EXPECT_EQ(find_lightest(triangle, weight).excess, (std::vector<double>{0, 0, 4}));
  EXPECT_EQ(find_lightest(triangle, weight, std::vector<char>{1, 1, 0}).excess, (std::vector<double>{0, 0, kInfinite}));
  EXPECT_EQ(find_lightest(triangle, weight, std::vector<char>{0, 1, 0}).excess, (std::vector<double>{0, 0, 5}));
  EXPECT_EQ(find_lightest(triangle, weight).weight, 5);
}

TEST(FindLightest, ASelfLoopIsInNoTree) {
  EXPECT_EQ(find_lightest({1, {{0, 0}}}, std::vector<double>{4}).excess, (std::vector<double>{kInfinite}));
}

}  // namespace
}  // namespace espalier::graph
