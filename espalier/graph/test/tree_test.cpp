#include "espalier/graph/graph.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/graph/test/random_graph.hpp"

namespace espalier::graph {
namespace {

using Ints = std::vector<int>;
using Reals = std::vector<double>;

bool is_spanning_tree(const Graph& graph, const Ints& edges) {
  DisjointSets joined(to_index(graph.vertices));
  for (const int e : edges) {
    if (!joined.join(graph.edges[e].a, graph.edges[e].b)) return false;
  }
  return static_cast<int>(edges.size()) == graph.vertices - 1;
}

double sum(const Ints& edges, const Reals& value) {
  return std::accumulate(edges.begin(), edges.end(), 0.0, [&](double so_far, int e) { return so_far + value[e]; });
}

// Every tree among the subsets of n - 1 edges that holds all of `must`; infinite where there is none.
double lightest_by_enumeration(const Graph& graph, const Reals& weight, const Ints& must = {}) {
  double best = std::numeric_limits<double>::infinity();
  const auto edges = static_cast<int>(graph.edges.size());
  for (unsigned subset = 0; subset < 1u << edges; ++subset) {
    if (std::popcount(subset) != graph.vertices - 1) continue;
    Ints chosen;
    for (int e = 0; e < edges; ++e) {
      if (subset >> e & 1u) chosen.push_back(e);
    }
    if (!std::includes(chosen.begin(), chosen.end(), must.begin(), must.end())) continue;
    if (is_spanning_tree(graph, chosen)) best = std::min(best, sum(chosen, weight));
  }
  return best;
}

// Root, parents, edges and order say the same, and every vertex is there.
void expect_well_hung(const Graph& graph, const Tree& tree, int root) {
  ASSERT_EQ(tree.order.size(), to_index(graph.vertices));
  EXPECT_EQ(tree.root, root);
  EXPECT_EQ(tree.order.front(), root);
  EXPECT_EQ(tree.parent[root], -1);
  EXPECT_EQ(tree.parent_edge[root], -1);
  EXPECT_TRUE(is_spanning_tree(graph, tree_edges(tree)));
  std::vector<char> seen(tree.order.size(), 0);
  for (const int v : tree.order) {
    EXPECT_FALSE(seen[v]);
    seen[v] = 1;
    if (v == root) continue;
    EXPECT_TRUE(seen[tree.parent[v]]);
    const Edge& edge = graph.edges[tree.parent_edge[v]];
    EXPECT_TRUE((edge.a == v && edge.b == tree.parent[v]) || (edge.b == v && edge.a == tree.parent[v]));
  }
}

bool is_ancestor(const Tree& tree, int above, int below) {
  while (below >= 0 && below != above) below = tree.parent[below];
  return below == above;
}

// Distance between two vertices along the tree: climb from both to the root and leave out what they share.
double tree_distance(const Tree& tree, const Reals& length, int a, int b) {
  std::set<int> edges;
  for (const int start : {a, b}) {
    for (int v = start; tree.parent[v] >= 0; v = tree.parent[v]) {
      if (!edges.insert(tree.parent_edge[v]).second) edges.erase(tree.parent_edge[v]);
    }
  }
  return sum({edges.begin(), edges.end()}, length);
}

//      0        edges  0: 0-1  1: 1-2  2: 2-0  3: 2-3  4: 3-4  5: 3-5  6: 4-5
//     / \       .
//    1---2---3---4
//             \ /
//              5
const Graph kTwoTriangles = {6, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {3, 5}, {4, 5}}};

TEST(BreadthFirstTree, OfTwoTrianglesIsTheDrawnOne) {
  const Tree tree = breadth_first_tree(Adjacency(kTwoTriangles), 6, 0);
  EXPECT_EQ(tree.parent, (Ints{-1, 0, 0, 2, 3, 3}));
  EXPECT_EQ(tree.parent_edge, (Ints{-1, 0, 2, 3, 4, 5}));
  EXPECT_EQ(tree.order, (Ints{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(tree_edges(tree), (Ints{0, 2, 3, 4, 5}));
  EXPECT_EQ(chords(tree, 7), (Ints{1, 6}));
}

TEST(DepthFirstTree, OfTwoTrianglesIsOneChain) {
  const Tree tree = depth_first_tree(Adjacency(kTwoTriangles), 6, 0);
  EXPECT_EQ(tree.parent, (Ints{-1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(tree.order, (Ints{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(chords(tree, 7), (Ints{2, 5}));
}

TEST(BreadthFirstTree, SpansFromAnyRootAndNoEdgeSkipsALevel) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const Reals one(graph.edges.size(), 1);
    for (int root = 0; root < graph.vertices; ++root) {
      const Tree tree = breadth_first_tree(Adjacency(graph), graph.vertices, root);
      expect_well_hung(graph, tree, root);
      const Reals depth = depths(tree, one);
      for (const Edge& edge : graph.edges) EXPECT_LE(std::abs(depth[edge.a] - depth[edge.b]), 1);
      EXPECT_TRUE(
          std::is_sorted(tree.order.begin(), tree.order.end(), [&](int a, int b) { return depth[a] < depth[b]; }));
    }
  }
}

TEST(DepthFirstTree, SpansFromAnyRootAndEveryEdgeRunsUpABranch) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    for (int root = 0; root < graph.vertices; ++root) {
      const Tree tree = depth_first_tree(Adjacency(graph), graph.vertices, root);
      expect_well_hung(graph, tree, root);
      for (const Edge& edge : graph.edges)
        EXPECT_TRUE(is_ancestor(tree, edge.a, edge.b) || is_ancestor(tree, edge.b, edge.a));
    }
  }
}

TEST(DepthFirstTree, OfALongChainNeedsNoStack) {
  const int n = 200'000;
  Graph chain{n, {}};
  for (int v = 1; v < n; ++v) chain.edges.push_back({v - 1, v});
  EXPECT_EQ(depth_first_tree(Adjacency(chain), n, 0).order.back(), n - 1);
}

TEST(Kruskal, OfTwoTrianglesLeavesTheHeaviestOfEach) {
  EXPECT_EQ(kruskal(kTwoTriangles, Reals{3, 1, 2, 9, 4, 6, 5}), (Ints{1, 2, 3, 4, 6}));
  EXPECT_EQ(prim(Adjacency(kTwoTriangles), 6, Reals{3, 1, 2, 9, 4, 6, 5}, 5), (Ints{1, 2, 3, 4, 6}));
}

TEST(Kruskal, GivesEqualWeightsToTheLowerEdge) {
  EXPECT_EQ(kruskal(kTwoTriangles, Reals(7, 1)), (Ints{0, 1, 3, 4, 5}));
  const Graph parallel = {2, {{0, 1}, {1, 0}, {0, 0}}};
  EXPECT_EQ(kruskal(parallel, Reals{2, 2, 1}), (Ints{0}));
  EXPECT_EQ(prim(Adjacency(parallel), 2, Reals{2, 2, 1}, 1), (Ints{0}));
}

TEST(Kruskal, WeighsWhatPrimAndEnumerationDo) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 6, 7);
    const Reals weight = random_values(key, graph.edges.size(), 5);
    const Ints edges = kruskal(graph, weight);
    EXPECT_TRUE(is_spanning_tree(graph, edges));
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_EQ(sum(edges, weight), lightest_by_enumeration(graph, weight)) << "graph " << key;
    for (int root = 0; root < graph.vertices; ++root) {
      const Ints from_root = prim(Adjacency(graph), graph.vertices, weight, root);
      EXPECT_TRUE(is_spanning_tree(graph, from_root));
      EXPECT_TRUE(std::is_sorted(from_root.begin(), from_root.end()));
      EXPECT_EQ(sum(from_root, weight), sum(edges, weight)) << "graph " << key << ", root " << root;
    }
  }
}

TEST(Kruskal, TakesTheFirstOnesThenTheLightestThatFit) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 6, 7);
    const Reals weight = random_values(key, graph.edges.size(), 5);
    // Edges of another spanning tree close no loop, so that all of them must be taken.
    const Ints other = tree_edges(depth_first_tree(Adjacency(graph), graph.vertices, 0));
    Random random(14, key);
    std::vector<char> first(graph.edges.size(), 0);
    Ints must;
    for (const int e : other) {
      if (random.below(3) > 0) continue;
      first[e] = 1;
      must.push_back(e);
    }
    const Ints edges = kruskal(graph, weight, first);
    EXPECT_TRUE(std::includes(edges.begin(), edges.end(), must.begin(), must.end()));
    EXPECT_EQ(sum(edges, weight), lightest_by_enumeration(graph, weight, must)) << "graph " << key;
  }
}

TEST(Kruskal, LeavesAFirstEdgeThatClosesALoopOfFirstEdges) {
  EXPECT_EQ(kruskal(kTwoTriangles, Reals{1, 7, 8, 1, 1, 1, 1}, std::vector<char>{1, 1, 1, 0, 0, 0, 0}),
            (Ints{0, 1, 3, 4, 5}));
}

TEST(HangTree, RerootKeepsTheEdges) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const Ints edges = kruskal(graph, random_values(key, graph.edges.size(), 5));
    const Tree tree = hang_tree(graph, edges, 0);
    expect_well_hung(graph, tree, 0);
    EXPECT_EQ(tree_edges(tree), edges);
    for (int root = 0; root < graph.vertices; ++root) {
      const Tree moved = reroot(graph, tree, root);
      expect_well_hung(graph, moved, root);
      EXPECT_EQ(tree_edges(moved), edges);
      EXPECT_EQ(reroot(graph, moved, 0), tree);
    }
  }
}

TEST(Chords, AreTheOtherEdges) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const Tree tree = depth_first_tree(Adjacency(graph), graph.vertices, 0);
    Ints all = tree_edges(tree);
    const Ints rest = chords(tree, graph.edges.size());
    EXPECT_TRUE(std::is_sorted(rest.begin(), rest.end()));
    all.insert(all.end(), rest.begin(), rest.end());
    std::sort(all.begin(), all.end());
    Ints expected(graph.edges.size());
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
  }
}

//  0 --2-- 1 --3-- 2
//           \5
//            3 --1-- 4
const Graph kFork = {5, {{0, 1}, {1, 2}, {1, 3}, {3, 4}}};
const Reals kForkLength = {2, 3, 5, 1};

TEST(Depths, AndHeightsOfAForkAreTheDrawnOnes) {
  const Tree tree = hang_tree(kFork, Ints{0, 1, 2, 3}, 0);
  EXPECT_EQ(depths(tree, kForkLength), (Reals{0, 2, 5, 7, 8}));
  EXPECT_EQ(heights(tree, kForkLength), (Reals{8, 6, 0, 1, 0}));
}

TEST(Heights, AreTheFarthestDepthsBelow) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const Reals length = random_values(key, graph.edges.size(), 9);
    const Tree tree = depth_first_tree(Adjacency(graph), graph.vertices, 0);
    const Reals depth = depths(tree, length);
    const Reals height = heights(tree, length);
    for (int v = 0; v < graph.vertices; ++v) {
      EXPECT_EQ(depth[v], tree_distance(tree, length, 0, v));
      double farthest = 0;
      for (int w = 0; w < graph.vertices; ++w) {
        if (is_ancestor(tree, v, w)) farthest = std::max(farthest, depth[w] - depth[v]);
      }
      EXPECT_EQ(height[v], farthest);
    }
  }
}

TEST(FindCentres, OfAForkIsItsMiddleAndOfABarBothEnds) {
  const Centres fork = find_centres(hang_tree(kFork, Ints{0, 1, 2, 3}, 4), kForkLength);
  EXPECT_EQ(fork.radius, 6);
  EXPECT_EQ(fork.vertices, (Ints{1}));
  const Centres bar = find_centres(Tree{0, {-1, 0}, {-1, 0}, {0, 1}}, Reals{4});
  EXPECT_EQ(bar.radius, 4);
  EXPECT_EQ(bar.vertices, (Ints{0, 1}));
  const Centres point = find_centres(Tree{0, {-1}, {-1}, {0}}, Reals{});
  EXPECT_EQ(point.radius, 0);
  EXPECT_EQ(point.vertices, (Ints{0}));
}

TEST(FindCentres, HaveTheSmallestEccentricityOfAllPairs) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Graph graph = random_connected_graph(key, 12, 12);
    const Reals length = random_values(key, graph.edges.size(), 3);
    const Tree tree = breadth_first_tree(Adjacency(graph), graph.vertices, graph.vertices - 1);
    Reals eccentricity(to_index(graph.vertices), 0);
    for (int a = 0; a < graph.vertices; ++a) {
      for (int b = 0; b < graph.vertices; ++b)
        eccentricity[a] = std::max(eccentricity[a], tree_distance(tree, length, a, b));
    }
    const double radius = *std::min_element(eccentricity.begin(), eccentricity.end());
    Ints vertices;
    for (int v = 0; v < graph.vertices; ++v) {
      if (eccentricity[v] == radius) vertices.push_back(v);
    }
    const Centres centres = find_centres(tree, length);
    EXPECT_EQ(centres.radius, radius) << "graph " << key;
    EXPECT_EQ(centres.vertices, vertices) << "graph " << key;
  }
}

//  0 -0.1- 1 -0.2- 2 -0.3- 3 -0.3- 4: 0.6 to the right of 2, and 0.1 + 0.2 + 0.3 > 0.6 in doubles to the left of 3
TEST(FindCentres, TakesTwoCentresThatDifferByRoundingAlone) {
  const Graph path = {5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}};
  const Centres centres = find_centres(hang_tree(path, Ints{0, 1, 2, 3}, 0), Reals{0.1, 0.2, 0.3, 0.3});
  EXPECT_EQ(centres.vertices, (Ints{2, 3}));
}

}  // namespace
}  // namespace espalier::graph
