#include "espalier/plan/detail/landscape.hpp"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "espalier/plan/test/all_trees.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A triangle with weights 1, 2, 5: the lightest tree leaves the last edge out, which costs 5 - 2 more than the heavier
// edge of its path.
Problem triangle() {
  Problem problem;
  problem.graph = {3, {{0, 1}, {1, 2}, {2, 0}}};
  problem.weight = {1, 2, 5};
  problem.length = {10, 20, 40};
  return problem;
}

std::vector<double> mixed(Landscape& land, double a, double b) {
  const std::span<const double> mixture = land.mix(a, b);
  return {mixture.begin(), mixture.end()};
}

TEST(Landscape, MixesLengthAndExcess) {
  const Problem problem = triangle();
  Landscape land(problem);
  EXPECT_EQ(land.lightest.excess, (std::vector<double>{0, 0, 3}));
  EXPECT_EQ(mixed(land, 1, 0), problem.length);
  EXPECT_EQ(mixed(land, 0.5, 2), (std::vector<double>{5, 10, 26}));
}

// Where a pinned path closes a loop with an edge no tree holds that edge, whatever it costs.
TEST(Landscape, AnEdgeThatNoTreeHoldsIsInfinitelyLong) {
  Problem problem = triangle();
  problem.pinned = {1, 0, 1};
  Landscape land(problem);
  EXPECT_EQ(mixed(land, 1, 0), (std::vector<double>{10, kInfinity, 40}));
  EXPECT_EQ(mixed(land, 0, 0)[1], kInfinity);
}

// (P6) The weight of a tree is at least that of the lightest one and the excesses of its edges.
TEST(Landscape, ExcessesBoundTheWeightOfEveryTree) {
  for (std::uint32_t key = 0; key < 60; ++key) {
    const Problem problem = random_problem(key);
    Landscape land(problem);
    const std::vector<double> excess = mixed(land, 0, 1);
    for_each_tree(problem, [&](const std::vector<int>& edges) {
      const auto sum = [&](const std::vector<double>& of) {
        return std::accumulate(edges.begin(), edges.end(), 0.0, [&](double s, int e) { return s + of[to_index(e)]; });
      };
      EXPECT_GE(sum(problem.weight) + 1e-9, land.lightest.weight + sum(excess)) << key;
    });
  }
}

}  // namespace
}  // namespace espalier::plan::detail
