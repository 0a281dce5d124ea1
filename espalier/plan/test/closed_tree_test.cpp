#include "espalier/plan/closed_tree.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "espalier/base/random.hpp"
#include "espalier/graph/elimination.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::plan {
namespace {

using Ints = std::vector<int>;
using Pairs = std::set<std::pair<int, int>>;

Pairs pairs_of(const graph::Graph& pattern) {
  Pairs pairs;
  for (const graph::Edge& edge : pattern.edges) EXPECT_TRUE(pairs.insert(std::minmax(edge.a, edge.b)).second);
  return pairs;
}

//  ground 0 --R e0-- 1 --S e2-- 3
//         |                     :        A four-bar with a tail; e3 is cut.
//       R e1                   C e3      Blocks 0 .. 3 are the joints above 1 .. 4, block 4 is the equations of e3.
//         |                     :
//         2 . . . . . . . . . . .
//         |
//       U e4
//         |
//         4
Network four_bar_with_tail() {
  Network network;
  network.graph = {5, {{0, 1}, {2, 0}, {1, 3}, {3, 2}, {2, 4}}};
  network.freedom = {1, 1, 3, 2, 2};
  network.weight = network.length = {1, 1, 3, 2, 2};
  network.ground = 0;
  return network;
}

TEST(CloseTree, OfAFourBarHasTheDrawnPattern) {
  const Network network = four_bar_with_tail();
  const ClosedTree closed = close_tree(network, graph::hang_tree(network.graph, Ints{0, 1, 2, 4}, 0));
  EXPECT_EQ(closed.coordinates, (Ints{0, 1, 1, 3, 2}));
  ASSERT_EQ(closed.closures.size(), 1u);
  EXPECT_EQ(closed.closures[0].equations, 4);
  EXPECT_EQ(count_equations(closed), 1 + 1 + 3 + 2 + 4);
  const KktPattern kkt = make_kkt_pattern(closed);
  EXPECT_EQ(kkt.size, (Ints{1, 1, 3, 2, 4}));
  EXPECT_EQ(kkt.block_of, (Ints{-1, 0, 1, 2, 3}));
  EXPECT_EQ(kkt.first_closure, 4);
  EXPECT_EQ(pairs_of(kkt.pattern), (Pairs{{0, 2}, {1, 3}, {2, 4}, {0, 4}, {1, 4}}));
}

// Joints from the leaves: above 4, 3, 2, 1. The loop's first is 3, its last is 1.
TEST(EliminationOrder, PutsTheEquationsBeforeOrBehindTheJointsOfTheirLoop) {
  const Network network = four_bar_with_tail();
  const ClosedTree closed = close_tree(network, graph::hang_tree(network.graph, Ints{0, 1, 2, 4}, 0));
  const KktPattern kkt = make_kkt_pattern(closed);
  ASSERT_EQ(closed.tree.order, (Ints{0, 1, 2, 3, 4}));
  EXPECT_EQ(elimination_order(closed, kkt, EliminationOrder::kEquationsFirst), (Ints{3, 4, 2, 1, 0}));
  EXPECT_EQ(elimination_order(closed, kkt, EliminationOrder::kEquationsLast), (Ints{3, 2, 1, 0, 4}));
}

TEST(CloseTree, OnAnotherRootThanTheGroundAddsTwelve) {
  const Network network = four_bar_with_tail();
  const graph::Tree tree = graph::hang_tree(network.graph, Ints{0, 1, 2, 4}, 2);
  const ClosedTree closed = close_tree(network, tree);
  EXPECT_EQ(count_equations(closed), 1 + 1 + 3 + 2 + 4 + 12);
  ASSERT_EQ(closed.closures.size(), 2u);
  // The world's equations at the ground reach the joint above it and the floating root.
  const KktPattern kkt = make_kkt_pattern(closed);
  const int held = kkt.first_closure + 1;
  const Pairs pairs = pairs_of(kkt.pattern);
  Ints coupled;
  for (int k = 0; k < kkt.first_closure; ++k) {
    if (pairs.contains({k, held})) coupled.push_back(k);
  }
  EXPECT_EQ(coupled, (Ints{kkt.block_of[0], kkt.block_of[2]}));
  EXPECT_EQ(kkt.size[kkt.block_of[2]], 6);
}

TEST(CloseTree, WithoutAGroundFloatsInEveryPiece) {
  Network network;
  network.graph = {4, {{0, 1}, {2, 3}}};
  network.freedom = {1, 3};
  const graph::Tree forest = {0, {-1, 0, -1, 2}, {-1, 0, -1, 1}, {0, 1, 2, 3}};
  const ClosedTree closed = close_tree(network, forest);
  EXPECT_EQ(closed.coordinates, (Ints{6, 1, 6, 3}));
  EXPECT_TRUE(closed.closures.empty());
  EXPECT_EQ(pairs_of(make_kkt_pattern(closed).pattern), (Pairs{{0, 1}, {2, 3}}));
}

// The joints above both ends, without those above both: the two ways cancel above the lowest common ancestor.
std::set<int> loop_by_sets(const ClosedTree& closed, const Closure& closure) {
  std::set<int> joints;
  for (const int end : {closure.a, closure.b}) {
    for (int v = end; v >= 0; v = closed.tree.parent[v]) {
      if (!joints.insert(v).second) joints.erase(v);
    }
  }
  return joints;
}

Network random_network(std::uint32_t key) {
  Random random(31, key);
  const int bodies = 4 + random.below(12);
  const Result<model::ModelSpec> spec = model::generate_random(bodies, bodies + random.below(6), key);
  EXPECT_TRUE(spec);
  const Result<model::Model> model = model::compile(*spec);
  EXPECT_TRUE(model);
  return make_network(*model, make_mechanism(*model), Weights::kLiu);
}

TEST(MakeKktPattern, CouplesAncestorsAndLoops) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Network network = random_network(key);
    const graph::Adjacency adjacency(network.graph);
    const int root = static_cast<int>(key) % network.graph.vertices;
    const ClosedTree closed = close_tree(network, graph::depth_first_tree(adjacency, network.graph.vertices, root));
    const KktPattern kkt = make_kkt_pattern(closed);
    Pairs expected;
    for (int v = 0; v < network.graph.vertices; ++v) {
      for (int up = closed.tree.parent[v]; up >= 0 && kkt.block_of[v] >= 0; up = closed.tree.parent[up]) {
        if (kkt.block_of[up] >= 0) expected.insert(std::minmax(kkt.block_of[v], kkt.block_of[up]));
      }
    }
    for (std::size_t c = 0; c < closed.closures.size(); ++c) {
      for (const int v : loop_by_sets(closed, closed.closures[c])) {
        if (kkt.block_of[v] >= 0) expected.insert({kkt.block_of[v], kkt.first_closure + static_cast<int>(c)});
      }
    }
    EXPECT_EQ(pairs_of(kkt.pattern), expected) << "network " << key;
    EXPECT_EQ(std::accumulate(kkt.size.begin(), kkt.size.end(), 0), count_equations(closed));
  }
}

// N(T) = 6c - F + 2 W(T) on the ground, [Liu99] eq. (2).
TEST(CountEquations, FollowsTheWeightOfTheTree) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Network network = random_network(key);
    const graph::Tree tree = graph::depth_first_tree(graph::Adjacency(network.graph), network.graph.vertices, 0);
    const int loops = static_cast<int>(network.graph.edges.size()) - network.graph.vertices + 1;
    int all = 0;
    for (const int f : network.freedom) all += f;
    int in_tree = 0;
    for (const int e : graph::tree_edges(tree)) in_tree += network.freedom[e];
    EXPECT_EQ(count_equations(close_tree(network, tree)), 6 * loops - all + 2 * in_tree);
  }
}

TEST(EliminationOrder, ListsEveryBlockOnceAndLeavesFirst) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Network network = random_network(key);
    const int root = static_cast<int>(key) % network.graph.vertices;
    const ClosedTree closed =
        close_tree(network, graph::breadth_first_tree(graph::Adjacency(network.graph), network.graph.vertices, root));
    const KktPattern kkt = make_kkt_pattern(closed);
    Ints all(kkt.size.size());
    std::iota(all.begin(), all.end(), 0);
    for (const EliminationOrder kind :
         {EliminationOrder::kEquationsFirst, EliminationOrder::kEquationsLast, EliminationOrder::kMinimumDegree}) {
      const Ints order = elimination_order(closed, kkt, kind);
      EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), all.begin(), all.end()));
      if (kind == EliminationOrder::kMinimumDegree) continue;
      Ints place(order.size());
      for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
      for (const graph::Edge& pair : kkt.pattern.edges) {
        const bool is_closure = pair.a >= kkt.first_closure;
        // Pairs are (joint, ancestor) and (closure, joint of its loop).
        const bool earlier = !is_closure || kind == EliminationOrder::kEquationsFirst;
        EXPECT_EQ(place[pair.a] < place[pair.b], earlier) << "network " << key;
      }
    }
  }
}

double factor_flops(const ClosedTree& closed, EliminationOrder kind) {
  const KktPattern kkt = make_kkt_pattern(closed);
  const graph::Elimination result = graph::eliminate(kkt.pattern, kkt.size, elimination_order(closed, kkt, kind));
  return std::accumulate(result.factor_flops.begin(), result.factor_flops.end(), 0.0);
}

// Two arms of k hinges from the ground, their tips joined by a cut hinge.
ClosedTree two_arms(int k) {
  Network network;
  network.ground = 0;
  network.graph.vertices = 2 * k + 1;
  for (int v = 1; v <= 2 * k; ++v) network.graph.edges.push_back({v == k + 1 ? 0 : v - 1, v});
  network.graph.edges.push_back({k, 2 * k});
  network.freedom.assign(network.graph.edges.size(), 1);
  Ints tree(static_cast<std::size_t>(2 * k));
  std::iota(tree.begin(), tree.end(), 0);
  return close_tree(network, graph::hang_tree(network.graph, tree, 0));
}

// Eliminated first, the equations join both arms to one full matrix; last, they follow 5 rows along each arm:
// column i of an arm holds i + 5 rows, i = 0 .. k-1, and the equations themselves are a full 5 x 5 block.
TEST(EliminationOrder, EquationsLastKeepsLongArmsApart) {
  const int k = 40;
  const ClosedTree closed = two_arms(k);
  double last = 0;
  for (int i = 0; i < k; ++i) last += 2.0 * (i + 5) * (i + 7);
  for (int r = 0; r < 5; ++r) last += r * (r + 2.0);
  EXPECT_EQ(factor_flops(closed, EliminationOrder::kEquationsLast), last);
  double first = 0;
  for (int r = 0; r < 2 * k + 5; ++r) first += r * (r + 2.0);
  EXPECT_EQ(factor_flops(closed, EliminationOrder::kEquationsFirst), first);
  EXPECT_LE(factor_flops(closed, EliminationOrder::kMinimumDegree), last);
}

}  // namespace
}  // namespace espalier::plan
