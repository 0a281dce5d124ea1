#include "espalier/plan/detail/bounds.hpp"

#include <array>

#include <gtest/gtest.h>

#include "espalier/plan/test/all_trees.hpp"
#include "espalier/plan/test/topology_files.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kRounding = 1e-9;
constexpr std::array<double, 4> kBetas = {0.1, 0.5, 1, 10};

TEST(FindBounds, NeverPassTheOptimumOfSmallGraphs) {
  int optimal = 0;
  int better = 0;
  for (std::uint32_t key = 0; key < 400; ++key) {
    const Problem problem = random_problem(key);
    const Goal goal = {1, kBetas[key % kBetas.size()]};
    const double optimum = find_optimum(problem, goal);
    const Bounds bounds = find_bounds(problem, goal);
    const double most = optimum * (1 + kRounding);
    EXPECT_LE(bounds.theorem7, most) << key;
    EXPECT_LE(bounds.lb8, most) << key;
    EXPECT_LE(bounds.lb9, most) << key;
    EXPECT_LE(bounds.lb10, most) << key;
    optimal += bounds.lb10 >= optimum * (1 - kRounding) ? 1 : 0;
    better += bounds.lb10 > bounds.theorem7 * (1 + kRounding) ? 1 : 0;
  }
  // They are not idle either.
  EXPECT_GT(optimal, 200);
  EXPECT_GT(better, 50);
}

TEST(FindBounds, StandInTheOrderOfTheirProofs) {
  for (std::uint32_t key = 0; key < 400; ++key) {
    const Problem problem = random_problem(key);
    const Bounds bounds = find_bounds(problem, {1, kBetas[key % kBetas.size()]});
    EXPECT_TRUE(bounds.exact);
    EXPECT_GE(bounds.lb8, bounds.theorem7);
    EXPECT_GE(bounds.lb10, bounds.lb8);
    EXPECT_GE(bounds.lb10, bounds.lb9);
  }
}

TEST(FindBounds, LengthAndWeightAloneAreReached) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    Problem problem = random_problem(key);
    EXPECT_DOUBLE_EQ(find_bounds(problem, {0, 1}).lb10, find_optimum(problem, {0, 1}));
    // Pinned edges may force a longer branch than the shortest paths have.
    problem.pinned.clear();
    EXPECT_DOUBLE_EQ(find_bounds(problem, {1, 0}).lb10, find_optimum(problem, {1, 0}));
  }
}

TEST(FindBounds, HoldWithOtherFactorsThanOne) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Problem problem = random_problem(key);
    const Goal goal = {2.5, 0.75};
    EXPECT_LE(find_bounds(problem, goal).lb10, find_optimum(problem, goal) * (1 + kRounding));
  }
}

TEST(FindBounds, HoldWhenTheRunsAreUsedUp) {
  for (std::uint32_t key = 0; key < 200; ++key) {
    const Problem problem = random_problem(key);
    const Goal goal = {1, kBetas[key % kBetas.size()]};
    const double optimum = find_optimum(problem, goal) * (1 + kRounding);
    for (const int pairs : {0, 1, 3}) {
      const Bounds bounds = find_bounds(problem, goal, {.runs = 1, .pairs = pairs});
      EXPECT_LE(bounds.lb10, optimum);
      EXPECT_GE(bounds.lb10, bounds.lb8);
    }
  }
}

// Proved optima of the files.
TEST(FindBounds, StayBelowKnownOptima) {
  for (const char* name : {"h01_tree_n8", "h08_ladder_n20", "h11_grid_4x6", "h21_rand_n15", "h23_rand_n28"}) {
    const nlohmann::json data = read_data(name);
    const Problem problem = read_problem(data);
    for (const auto& [beta, known] : data["exact"]["mccst"].items()) {
      const Goal goal = {1, std::stod(beta)};
      const double optimum = known["cost"];
      const Bounds bounds = find_bounds(problem, goal);
      EXPECT_LE(bounds.lb10, optimum * (1 + kRounding)) << name;
      EXPECT_GE(bounds.lb10, 0.9 * optimum) << name;
      EXPECT_EQ(bounds.length, data["exact"]["radius"].get<double>()) << name;
      EXPECT_EQ(bounds.weight, data["exact"]["mst_weight"].get<double>()) << name;
    }
  }
}

// Two vertices, one edge, and one vertex alone.
TEST(FindBounds, TakeTheSmallestGraphs) {
  const Bounds pair = find_bounds({{2, {{0, 1}}}, {3}, {5}, {}, -1}, {1, 2});
  EXPECT_EQ(pair.lb10, 5 + 2 * 3);
  const Bounds alone = find_bounds({{1, {}}, {}, {}, {}, -1}, {1, 2});
  EXPECT_EQ(alone.lb10, 0);
}

}  // namespace
}  // namespace espalier::plan::detail
