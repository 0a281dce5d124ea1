#include "espalier/plan/explain.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/plan/detail/plan_cost.hpp"
#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

// A ring of n bodies with joints of one coordinate; body 0 is the ground, joint k lies behind body k.
Network ring(int n) {
  Network network;
  network.graph.vertices = n;
  for (int v = 0; v < n; ++v) network.graph.edges.push_back({v, (v + 1) % n});
  network.freedom.assign(to_index(n), 1);
  network.weight.assign(to_index(n), 1);
  network.length = network.weight;
  network.ground = 0;
  return network;
}

Plan ring_without(const Network& network, int cut) {
  std::vector<int> edges;
  for (int e = 0; e < network.graph.vertices; ++e) {
    if (e != cut) edges.push_back(e);
  }
  return hand_plan(network, edges, network.ground);
}

CutExplanation explain_one(const Plan& plan, const PlanOptions& options = {}) {
  const std::vector<CutExplanation> all = explain_cuts(plan, options);
  EXPECT_EQ(all.size(), 1u);
  return all.front();
}

//  0 -0- 1 -1- 2     Joint 1 is a ball. Cutting it costs 3 coordinates and 3 equations; cutting another keeps it, with
//  |           |     5 equations: two more in the tree and two more for the loop.
//  +-3-- 3 -2--+
TEST(ExplainCuts, CutsTheHeaviestJointOfAFourBar) {
  Network network = ring(4);
  network.freedom[1] = 3;
  network.weight[1] = network.length[1] = 3;
  const Plan plan = ring_without(network, 1);
  const CutExplanation why = explain_one(plan);
  EXPECT_EQ(why.edge, 1);
  EXPECT_EQ(why.loop, (std::vector<int>{1, 2, 3, 0}));
  EXPECT_EQ(why.reason, CutReason::kHeaviest);
  EXPECT_EQ(reason_text(plan, why), "it is the heaviest of its loop");
  ASSERT_EQ(why.alternatives.size(), 3u);
  // Without joint 2: the ways are 0 - 1 - 2, of 1 + 3, and 0 - 3; L goes from 2 to 4.
  EXPECT_EQ(why.alternatives[0].edge, 2);
  EXPECT_EQ(why.alternatives[0].length, 2);
  EXPECT_EQ(why.alternatives[0].weight, 2);
  EXPECT_EQ(why.alternatives[0].cost, 4);
  EXPECT_EQ(why.alternatives[0].equations, 4);
}

// Five equal joints: only the one across from the ground leaves two branches of two.
TEST(ExplainCuts, CutsAcrossFromTheGroundForAShortBranch) {
  const Plan plan = ring_without(ring(5), 2);
  const CutExplanation why = explain_one(plan);
  EXPECT_EQ(why.reason, CutReason::kShorterBranch);
  EXPECT_EQ(reason_text(plan, why), "cutting one as heavy or heavier would lengthen the critical branch");
  for (const Alternative& other : why.alternatives) {
    const bool next = other.edge == 1 || other.edge == 3;
    EXPECT_EQ(other.length, next ? 1 : 2);
    EXPECT_EQ(other.equations, 0);
  }
}

TEST(ExplainCuts, SaysWhereAnotherCutIsAsGoodOrBetter) {
  const Plan tie = ring_without(ring(4), 1);
  EXPECT_EQ(explain_one(tie).reason, CutReason::kTie);
  Network named = ring(4);
  named.edge_names = {"A", "B", "C", "D"};
  const Plan bad = ring_without(named, 0);
  const CutExplanation why = explain_one(bad);
  EXPECT_EQ(why.reason, CutReason::kNotBest);
  EXPECT_EQ(reason_text(bad, why), "cutting 'B' instead would be cheaper by 1");
}

TEST(ExplainCuts, KnowsWhatWasAskedFor) {
  const Plan plan = ring_without(ring(4), 0);
  PlanOptions forced;
  forced.cut = {0};
  EXPECT_EQ(explain_one(plan, forced).reason, CutReason::kForced);
  PlanOptions pinned;
  pinned.pin = {1, 2, 3};
  const CutExplanation why = explain_one(plan, pinned);
  EXPECT_EQ(why.reason, CutReason::kNoOther);
  for (const Alternative& other : why.alternatives) EXPECT_TRUE(other.pinned);
}

TEST(ExplainCuts, KnowsAJointOfABodyWithItself) {
  Network network;
  network.graph = {2, {{0, 1}, {1, 1}}};
  network.freedom = {1, 1};
  network.weight = network.length = {1, 1};
  network.ground = 0;
  const CutExplanation why = explain_one(hand_plan(network, {0}, 0));
  EXPECT_EQ(why.loop, (std::vector<int>{1}));
  EXPECT_EQ(why.reason, CutReason::kSelfJoint);
}

// Two four-bars that hang together nowhere: the long branch of one hides what the other gains.
TEST(ExplainCuts, MeasuresTheLongestOfAllPieces) {
  Network network;
  network.graph = {7, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 4}}};
  network.weight = network.length = {1, 1, 1, 1, 1, 1};
  network.freedom = {1, 1, 1, 1, 1, 1};
  network.ground = 0;
  Plan plan;
  plan.network = network;
  plan.tree = {0, {-1, 0, 1, 2, -1, 4, 4}, {-1, 0, 1, 2, -1, 3, 5}, {0, 1, 2, 3, 4, 5, 6}};
  plan.roots = {0, 4};
  plan.cut = {4};
  plan.measure = {3, 5};
  const CutExplanation why = explain_one(plan);
  ASSERT_EQ(why.alternatives.size(), 2u);
  for (const Alternative& other : why.alternatives) EXPECT_EQ(other.length, 0);
  EXPECT_EQ(why.reason, CutReason::kTie);
}

// The best of all trees by an objective, in a form that sorts.
std::vector<double> rank(Objective objective, const Plan& plan) {
  const Meaning meaning = meaning_of(objective, plan.beta);
  const Measure& m = plan.measure;
  if (meaning.unit == Meaning::Unit::kEquations) {
    return {static_cast<double>(count_equations(plan.network, graph::tree_edges(plan.tree)))};
  }
  const double cost = meaning.length_factor * m.length + meaning.weight_factor * m.weight;
  if (meaning.length_limit == Limit::kSmallest) return {m.length, cost};
  if (meaning.weight_limit == Limit::kSmallest) return {m.weight, cost};
  return {cost};
}

TEST(ExplainCuts, FindsNothingCheaperInAnOptimalPlanAndMeasuresTheTruth) {
  int measured = 0;
  for (std::uint32_t key = 0; key < 60; ++key) {
    const Network network = small_mechanism(key);
    const int root = network.ground;
    std::vector<Plan> plans;
    for (const std::vector<int>& tree : all_trees(network.graph)) plans.push_back(hand_plan(network, tree, root, 0.3));
    for (const Objective objective : {Objective::kMccst, Objective::kMwst, Objective::kScbst, Objective::kScbmwst,
                                      Objective::kMwscbst, Objective::kSequential}) {
      SCOPED_TRACE(fmt::format("mechanism {}, objective {}", key, static_cast<int>(objective)));
      Plan best = *std::min_element(plans.begin(), plans.end(), [&](const Plan& a, const Plan& b) {
        return rank(objective, a) < rank(objective, b);
      });
      best.objective = objective;
      for (const CutExplanation& why : explain_cuts(best, {})) {
        EXPECT_NE(why.reason, CutReason::kNotBest);
        for (const Alternative& other : why.alternatives) {
          ASSERT_TRUE(other.examined);
          EXPECT_TRUE(other.breaks_limit || other.cost >= -1e-9);
          std::vector<int> edges = graph::tree_edges(best.tree);
          std::replace(edges.begin(), edges.end(), other.edge, why.edge);
          const Plan instead = hand_plan(network, edges, root, 0.3);
          EXPECT_NEAR(other.length, instead.measure.length - best.measure.length, 1e-12);
          EXPECT_NEAR(other.weight, instead.measure.weight - best.measure.weight, 1e-12);
          EXPECT_EQ(other.equations, count_equations(instead) - count_equations(best));
          if (objective == Objective::kMccst) {
            EXPECT_NEAR(other.cost, instead.cost - best.cost, 1e-9);
          }
          ++measured;
        }
      }
    }
  }
  EXPECT_GT(measured, 500);
}

TEST(ExplainCuts, LeavesOffInALargeGraph) {
  const Plan plan = ring_without(ring(101), 50);
  const std::vector<CutExplanation> all = explain_cuts(plan, {}, {.vertices = 1000});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].reason, CutReason::kNotExamined);
  EXPECT_TRUE(all[0].alternatives[9].examined);
  EXPECT_FALSE(all[0].alternatives[10].examined);
  EXPECT_TRUE(explain_cuts(plan, {}, {.cuts = 0}).empty());
}

}  // namespace
}  // namespace espalier::plan::detail
