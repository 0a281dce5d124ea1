#include "espalier/plan/arrays.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

using Rows = std::vector<std::vector<int>>;

//  1 --a 1.1-- 2 --b 1.1-- 3       Vertex 1 is the ground. Cut are c and f; f runs beside b.
//  |           |           |
//  d 1.0     e 2.1       c 3.0     f 2.0 between 2 and 3
//  |           |           |
//  6           5 --------- 4       4 - 5 is g 1.1
Plan example() {
  Network network;
  network.graph = {6, {{0, 1}, {1, 2}, {2, 3}, {0, 5}, {1, 4}, {1, 2}, {4, 3}}};
  network.weight = network.length = {1.1, 1.1, 3.0, 1.0, 2.1, 2.0, 1.1};
  network.freedom = {1, 1, 3, 1, 2, 2, 1};
  network.ground = 0;
  return hand_plan(network, {0, 1, 3, 4, 6}, 0);
}

TEST(MakeArrays, AreThoseOfWangForASmallMechanism) {
  const TopologyArrays arrays = make_arrays(example());
  EXPECT_EQ(arrays.parent, (std::vector<int>{0, 1, 2, 5, 2, 1}));
  EXPECT_EQ(arrays.cut, (std::vector<int>{0, 0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(arrays.forward, (std::vector<int>{1, 2, 6, 3, 5, 4}));
  EXPECT_EQ(arrays.backward, (std::vector<int>{4, 5, 3, 6, 2, 1}));
  EXPECT_EQ(arrays.levels, (Rows{{1}, {2, 6}, {3, 5}, {4}}));
  EXPECT_EQ(arrays.chains, (Rows{{1, 2, 3}, {1, 2, 5, 4}, {1, 6}}));
  EXPECT_EQ(arrays.loops, (Rows{{3, 7, 5, 2}, {6, 2}}));
  EXPECT_EQ(arrays.critical_branch, (std::vector<int>{1, 2, 5, 4}));
  EXPECT_NEAR(arrays.graph_weight, 11.4, 1e-12);
  EXPECT_NEAR(arrays.tree_weight, 6.4, 1e-12);
  EXPECT_TRUE(arrays.whole);
}

// From 2 the farthest are 4 (3.2) and 6 (2.1); no other vertex has all nearer.
TEST(MakeArrays, NamesCentresWhateverTheRoot) { EXPECT_EQ(make_arrays(example()).centres, (Rows{{2}})); }

TEST(MakeArrays, NamesAllCentresOfAllPieces) {
  Plan plan;
  // 1 - 2 - 3 - 4 with equal lengths has two centres; so has 5 - 6; 7 stands alone.
  plan.network.graph = {7, {{0, 1}, {1, 2}, {2, 3}, {4, 5}}};
  plan.network.weight = plan.network.length = {1, 1, 1, 1};
  plan.tree = {0, {-1, 0, 1, 2, -1, 4, -1}, {-1, 0, 1, 2, -1, 3, -1}, {0, 1, 2, 3, 4, 5, 6}};
  plan.roots = {0, 4, 6};
  EXPECT_EQ(make_arrays(plan).centres, (Rows{{2, 3}, {5, 6}, {7}}));
}

TEST(MakeArrays, LeavesChainsAndLoopsOutWhereThereAreTooManyEntries) {
  const TopologyArrays arrays = make_arrays(example(), 9);
  EXPECT_EQ(arrays.chains.size(), 3u);
  EXPECT_TRUE(arrays.loops.empty());
  EXPECT_FALSE(arrays.whole);
  EXPECT_TRUE(make_arrays(example(), 15).whole);
}

TEST(MakeArrays, AgreeWithEachOtherOnRandomTrees) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    SCOPED_TRACE(key);
    const Network network = small_mechanism(key);
    for (const std::vector<int>& tree : all_trees(network.graph)) {
      const Plan plan = hand_plan(network, tree, static_cast<int>(key) % network.graph.vertices);
      const TopologyArrays arrays = make_arrays(plan);
      const graph::Centres centres = graph::find_centres(plan.tree, network.length);
      std::vector<int> expected;
      for (const int v : centres.vertices) expected.push_back(v + 1);
      EXPECT_EQ(arrays.centres, (Rows{expected}));
      // Every vertex lies on a chain, and a chain follows PR.
      std::set<int> reached;
      for (const std::vector<int>& chain : arrays.chains) {
        EXPECT_EQ(chain.front(), plan.tree.root + 1);
        for (std::size_t k = 1; k < chain.size(); ++k) EXPECT_EQ(arrays.parent[chain[k] - 1], chain[k - 1]);
        reached.insert(chain.begin(), chain.end());
      }
      EXPECT_EQ(reached.size(), arrays.parent.size());
      // Each vertex of a loop has two of its edges.
      ASSERT_EQ(arrays.loops.size(), plan.cut.size());
      for (const std::vector<int>& loop : arrays.loops) {
        EXPECT_EQ(arrays.cut[loop.front() - 1], 1);
        std::map<int, int> ends;
        for (const int e : loop) ++ends[network.graph.edges[e - 1].a], ++ends[network.graph.edges[e - 1].b];
        for (const auto& [vertex, times] : ends) EXPECT_EQ(times, 2) << vertex;
      }
    }
  }
}

TEST(MakeMatrices, AreThoseOfWangForASmallMechanism) {
  const Result<TopologyMatrices> matrices = make_matrices(example());
  ASSERT_TRUE(matrices);
  EXPECT_EQ(matrices->incidence.entries, (std::vector<int>{1, 0, 0, 1, 0, 0, 0,  //
                                                           1, 1, 0, 0, 1, 1, 0,  //
                                                           0, 1, 1, 0, 0, 1, 0,  //
                                                           0, 0, 1, 0, 0, 0, 1,  //
                                                           0, 0, 0, 0, 1, 0, 1,  //
                                                           0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(matrices->path.entries, (std::vector<int>{1, 1, 1, 1, 1, 1,  //
                                                      0, 1, 1, 1, 1, 0,  //
                                                      0, 0, 1, 0, 0, 0,  //
                                                      0, 0, 0, 1, 0, 0,  //
                                                      0, 0, 0, 1, 1, 0,  //
                                                      0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(matrices->adjacency.entries, (std::vector<double>{3.0, 1.1, 0,   0,   0,   1.0,  //
                                                              1.1, 3.0, 1.1, 0,   2.1, 0,    //
                                                              0,   1.1, 3.0, 3.0, 0,   0,    //
                                                              0,   0,   3.0, 3.0, 1.1, 0,    //
                                                              0,   2.1, 0,   1.1, 3.0, 0,    //
                                                              1.0, 0,   0,   0,   0,   3.0}));
  EXPECT_EQ(matrices->plain_adjacency.entries, (std::vector<int>{0, 1, 0, 0, 0, 1,  //
                                                                 1, 0, 1, 0, 1, 0,  //
                                                                 0, 1, 0, 1, 0, 0,  //
                                                                 0, 0, 1, 0, 1, 0,  //
                                                                 0, 1, 0, 1, 0, 0,  //
                                                                 1, 0, 0, 0, 0, 0}));
  ASSERT_EQ(matrices->edges.size(), 7u);
  EXPECT_EQ(matrices->edges[6].a, 5);
  EXPECT_EQ(matrices->edges[6].b, 4);
  EXPECT_EQ(matrices->edges[6].weight, 1.1);
}

TEST(MakeMatrices, RefuseAGraphThatIsTooLarge) {
  Network network;
  network.graph.vertices = 2001;
  std::vector<int> edges;
  for (int v = 1; v < 2001; ++v) network.graph.edges.push_back({v - 1, v}), edges.push_back(v - 1);
  network.weight = network.length = std::vector<double>(2000, 1.0);
  const Result<TopologyMatrices> matrices = make_matrices(hand_plan(network, edges));
  ASSERT_FALSE(matrices);
  EXPECT_EQ(matrices.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace espalier::plan::detail
