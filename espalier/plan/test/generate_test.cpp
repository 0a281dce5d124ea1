#include "espalier/plan/generate.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/plan/test/topology_files.hpp"

namespace espalier::plan {
namespace {

void expect_connected(const Network& network, int vertices, int edges) {
  EXPECT_TRUE(check_network(network));
  EXPECT_EQ(network.graph.vertices, vertices);
  EXPECT_EQ(static_cast<int>(network.graph.edges.size()), edges);
  EXPECT_EQ(graph::breadth_first_forest(network.graph).components, 1);
  for (const graph::Edge& edge : network.graph.edges) EXPECT_NE(edge.a, edge.b);
}

TEST(Generate, NetworksAreConnectedAndOfTheSizeAskedFor) {
  expect_connected(generate_random(1, 0), 1, 0);
  expect_connected(generate_random(50, 120), 50, 120);
  expect_connected(generate_grid(4, 6), 24, 3 * 6 + 4 * 5);
  expect_connected(generate_ladder(7), 16, 3 * 7 + 1);
  expect_connected(generate_multibody(1000), 1000, 999 + 100);
  expect_connected(generate_multibody(2), 2, 1);
}

TEST(Generate, DrawsWholeWeightsInTheirRange) {
  const Network network = generate_random(200, 2000, {.most_weight = 4, .own_length = true});
  EXPECT_EQ(*std::min_element(network.weight.begin(), network.weight.end()), 1);
  EXPECT_EQ(*std::max_element(network.weight.begin(), network.weight.end()), 4);
  EXPECT_NE(network.weight, network.length);
  EXPECT_EQ(generate_grid(5, 5).weight, generate_grid(5, 5).length);
}

TEST(Generate, TheSeedAloneDecides) {
  EXPECT_EQ(generate_random(30, 60, {.seed = 7}).weight, generate_random(30, 60, {.seed = 7}).weight);
  EXPECT_NE(generate_random(30, 60, {.seed = 7}).weight, generate_random(30, 60, {.seed = 8}).weight);
}

// The file of the tests is what 7.2 of [Liu99] is compared with line by line.
TEST(Generate, Fig2aIsTheGraphThatPrintsTheRunOfThePaper) {
  const Network network = liu99_fig2a();
  const Network kept = detail::plain_network(detail::read_problem(detail::read_data("liu1999_fig2a")));
  ASSERT_EQ(network.graph.edges.size(), kept.graph.edges.size());
  for (std::size_t e = 0; e < kept.graph.edges.size(); ++e) {
    EXPECT_EQ(network.graph.edges[e].a, kept.graph.edges[e].a) << e;
    EXPECT_EQ(network.graph.edges[e].b, kept.graph.edges[e].b) << e;
  }
  EXPECT_EQ(network.graph.vertices, 20);
  EXPECT_EQ(network.weight, kept.weight);
  EXPECT_EQ(network.length, kept.length);
}

TEST(Generate, Table3HasTwoEdgesForEachVertex) {
  expect_connected(liu99_table3(1000, 1), 1000, 2000);
  EXPECT_EQ(liu99_table3(100, 3).weight, liu99_table3(100, 3).weight);
  EXPECT_NE(liu99_table3(100, 3).weight, liu99_table3(100, 4).weight);
  EXPECT_EQ(liu99_table3(100, 3).weight, liu99_table3(100, 3).length);
  const std::vector<double> weights = liu99_table3(1000, 1).weight;
  const auto [lightest, heaviest] = std::minmax_element(weights.begin(), weights.end());
  EXPECT_EQ(*lightest, 1);
  EXPECT_EQ(*heaviest, 10);
}

// One loop for every ten bodies; the cut joint closes a loop of 4 to 9 joints.
TEST(Generate, LoopsOfAMechanismAreShort) {
  const Network network = generate_multibody(2000);
  const graph::Forest forest = graph::breadth_first_forest(network.graph);
  ASSERT_EQ(forest.chords.size(), 200u);
  for (const int chord : forest.chords) {
    EXPECT_LE(graph::fundamental_loop(network.graph, forest.tree, forest.level, chord).size(), 40u);
  }
}

}  // namespace
}  // namespace espalier::plan
