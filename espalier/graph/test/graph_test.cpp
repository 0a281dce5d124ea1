#include "espalier/graph/graph.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/graph/test/random_graph.hpp"

namespace espalier::graph {
namespace {

// Components by repeated relabelling: a second, slower way.
int count_components(const Graph& graph) {
  std::vector<int> label(to_index(graph.vertices));
  for (int v = 0; v < graph.vertices; ++v) label[v] = v;
  for (int round = 0; round < graph.vertices; ++round) {
    for (const Edge& edge : graph.edges) label[edge.a] = label[edge.b] = std::min(label[edge.a], label[edge.b]);
  }
  return static_cast<int>(std::set<int>(label.begin(), label.end()).size());
}

// A closed walk passes through every vertex it touches an even number of times; a single loop exactly twice.
bool is_single_closed_walk(const Graph& graph, const std::vector<int>& loop) {
  if (std::set<int>(loop.begin(), loop.end()).size() != loop.size()) return false;
  if (loop.size() == 1) return graph.edges[loop[0]].a == graph.edges[loop[0]].b;
  std::map<int, int> ends;
  for (const int e : loop) {
    ++ends[graph.edges[e].a];
    ++ends[graph.edges[e].b];
  }
  for (const auto& [vertex, times] : ends) {
    if (times != 2) return false;
  }
  // Cyclic order: neighbours share a vertex.
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Edge& one = graph.edges[loop[k]];
    const Edge& two = graph.edges[loop[(k + 1) % loop.size()]];
    if (one.a != two.a && one.a != two.b && one.b != two.a && one.b != two.b) return false;
  }
  return ends.size() == loop.size();
}

TEST(BreadthFirstForest, HasAsManyChordsAsIndependentLoops) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Graph graph = random_graph(key);
    const Forest forest = breadth_first_forest(graph);
    EXPECT_EQ(forest.components, count_components(graph));
    EXPECT_EQ(static_cast<int>(forest.chords.size()),
              static_cast<int>(graph.edges.size()) - graph.vertices + forest.components);
  }
}

TEST(BreadthFirstForest, PutsParentsBeforeChildrenAndCountsDepth) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Graph graph = random_graph(key);
    const Forest forest = breadth_first_forest(graph);
    ASSERT_EQ(forest.tree.order.size(), to_index(graph.vertices));
    std::vector<int> place(forest.tree.order.size());
    for (std::size_t k = 0; k < forest.tree.order.size(); ++k) place[forest.tree.order[k]] = static_cast<int>(k);
    for (int v = 0; v < graph.vertices; ++v) {
      const int p = forest.tree.parent[v];
      if (p < 0) {
        EXPECT_EQ(forest.level[v], 0);
        EXPECT_EQ(forest.tree.parent_edge[v], -1);
        continue;
      }
      EXPECT_LT(place[p], place[v]);
      EXPECT_EQ(forest.level[v], forest.level[p] + 1);
      EXPECT_EQ(forest.component[v], forest.component[p]);
      const Edge& edge = graph.edges[forest.tree.parent_edge[v]];
      EXPECT_TRUE((edge.a == v && edge.b == p) || (edge.a == p && edge.b == v));
    }
  }
}

// Breadth first: no edge spans more than one level.
TEST(BreadthFirstForest, GivesShortestDepths) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Graph graph = random_graph(key);
    const Forest forest = breadth_first_forest(graph);
    for (const Edge& edge : graph.edges) EXPECT_LE(std::abs(forest.level[edge.a] - forest.level[edge.b]), 1);
  }
}

TEST(FundamentalLoop, IsAClosedWalkThroughItsChordAndTreeEdges) {
  int loops = 0;
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Graph graph = random_graph(key);
    const Forest forest = breadth_first_forest(graph);
    const std::set<int> chords(forest.chords.begin(), forest.chords.end());
    for (const int chord : forest.chords) {
      const std::vector<int> loop = fundamental_loop(graph, forest.tree, forest.level, chord);
      EXPECT_EQ(loop.front(), chord);
      for (std::size_t k = 1; k < loop.size(); ++k) EXPECT_FALSE(chords.contains(loop[k]));
      EXPECT_TRUE(is_single_closed_walk(graph, loop)) << "graph " << key << ", chord " << chord;
      ++loops;
    }
  }
  EXPECT_GT(loops, 300);
}

TEST(FundamentalLoop, OfASelfLoopIsItselfAndOfParallelEdgesIsBoth) {
  const Graph graph = {2, {{0, 1}, {1, 0}, {1, 1}}};
  const Forest forest = breadth_first_forest(graph);
  EXPECT_EQ(forest.chords, (std::vector<int>{1, 2}));
  EXPECT_EQ(fundamental_loop(graph, forest.tree, forest.level, 1), (std::vector<int>{1, 0}));
  EXPECT_EQ(fundamental_loop(graph, forest.tree, forest.level, 2), (std::vector<int>{2}));
}

TEST(Adjacency, ListsEachEdgeAtBothEndsInEdgeOrder) {
  const Graph graph = {3, {{0, 1}, {2, 1}, {1, 1}, {0, 1}}};
  const Adjacency adjacency(graph);
  std::vector<std::pair<int, int>> at_one;
  for (const Adjacency::Step& step : adjacency.incident(1)) at_one.emplace_back(step.edge, step.to);
  EXPECT_EQ(at_one, (std::vector<std::pair<int, int>>{{0, 0}, {1, 2}, {2, 1}, {3, 0}}));
  EXPECT_EQ(adjacency.incident(2).size(), 1u);
}

TEST(BreadthFirstForest, TakesAnEmptyGraphAndLoneVertices) {
  EXPECT_EQ(breadth_first_forest({0, {}}).components, 0);
  const Forest forest = breadth_first_forest({3, {}});
  EXPECT_EQ(forest.components, 3);
  EXPECT_EQ(forest.component, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace espalier::graph
