#include "espalier/plan/detail/time_bound.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/model/generate.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/schedule.hpp"
#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

double bound_of(const Network& network, const PlanOptions& options, int workers) {
  const Result<Pieces> pieces = make_pieces(network, options);
  EXPECT_TRUE(pieces);
  return time_bound(*pieces, options.machine, workers);
}

TEST(TimeBound, IsBelowEveryTreeOfSmallMechanisms) {
  for (std::uint32_t key = 0; key < 80; ++key) {
    const Network network = small_mechanism(key);
    for (const int workers : {1, 2, 5}) {
      const double bound = bound_of(network, {}, workers);
      EXPECT_GT(bound, 0);
      for (const std::vector<int>& tree : all_trees(network.graph)) {
        for (int root = 0; root < network.graph.vertices; ++root) {
          if (network.ground >= 0 && root != network.ground) continue;
          const double time = predicted_time(hand_plan(network, tree, root), {}, workers).total;
          EXPECT_LE(bound, time * (1 + 1e-12)) << key << " on " << workers;
        }
      }
    }
  }
}

//  ground - 1 - 2 (f 1, 3), ground - 3 (f 2): no loops.
Network branches() {
  Network network;
  network.graph = {4, {{0, 1}, {1, 2}, {0, 3}}};
  network.freedom = {1, 3, 2};
  network.weight = network.length = {1, 3, 2};
  network.ground = 0;
  return network;
}

// One worker computes every joint, many wait for the longest way.
TEST(TimeBound, OfATreeIsItsTime) {
  MachineConstants machine;
  machine.seconds.fill(0);
  machine.seconds[to_index(Work::kJoint)] = 10;
  machine.seconds[to_index(Work::kCoordinate)] = 1;
  PlanOptions options;
  options.machine = machine;
  EXPECT_EQ(bound_of(branches(), options, 1), 3 * 10 + 6);
  EXPECT_EQ(bound_of(branches(), options, 9), 2 * 10 + 4);
  EXPECT_EQ(predicted_time(hand_plan(branches(), {0, 1, 2}, 0), machine).total, 3 * 10 + 6);
}

// In the air the root is one joint more, of six coordinates.
TEST(TimeBound, WithoutAGroundHoldsTheFloatingJoint) {
  MachineConstants machine;
  machine.seconds.fill(0);
  machine.seconds[to_index(Work::kJoint)] = 10;
  machine.seconds[to_index(Work::kCoordinate)] = 1;
  PlanOptions options;
  options.machine = machine;
  Network adrift = branches();
  adrift.ground = -1;
  EXPECT_EQ(bound_of(adrift, options, 1), 3 * 10 + 6 + 10 + 6);
}

// Two bodies and four ways between them, over one body each: every tree cuts three hinges, and the three loops pass one
// of the other joints together. Hinges of unknown axes leave m = 5 equations: eliminated alone, m^3/3 + m^2 flops each;
// behind the 5 rows of one more loop 25 x 5 + 5 (5 x 6/2 + 5) = 225 more, behind 10 rows 25 x 10 + 5 (10 x 11/2 + 10).
//
//      1
//   0  2  5
//      3
//      4
TEST(TimeBound, CountsLoopsThatPassOneJointTogether) {
  Network network;
  network.graph = {6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}};
  network.freedom.assign(8, 1);
  network.weight = network.length = std::vector<double>(8, 1);
  network.ground = 0;
  PlanOptions options;
  options.machine.seconds.fill(0);
  options.machine.seconds[to_index(Work::kFlop)] = 1;
  EXPECT_DOUBLE_EQ(bound_of(network, options, 1), 3 * (125.0 / 3 + 25) + 225 + 575);
  options.machine.seconds[to_index(Work::kFlop)] = 0;
  options.machine.seconds[to_index(Work::kPair)] = 1;
  EXPECT_EQ(bound_of(network, options, 1), 3);
  // Over two joints, each pair of loops is coupled 5 x 5 times; alone a loop's 15 couplings are carried over 3 joints.
  options.machine.seconds[to_index(Work::kPair)] = 0;
  options.machine.seconds[to_index(Work::kCoupling)] = 1;
  EXPECT_EQ(bound_of(network, options, 1), 3 * 15 * 3 + 2 * 3 * 25);
  // By the default constants the bound is the time of the best of all trees.
  double best = 1;
  for (const std::vector<int>& tree : all_trees(network.graph))
    best = std::min(best, predicted_time(hand_plan(network, tree, 0)).total);
  EXPECT_NEAR(bound_of(network, {}, 1), best, 1e-12 * best);
}

// Without what its loops do to each other at the crank the bound of this one was a third of its best tree's time.
TEST(TimeBound, OfAStrandbeestIsNearItsTree) {
  const Result<model::ModelSpec> spec = model::generate_strandbeest(6);
  ASSERT_TRUE(spec);
  PlanOptions options;
  options.objective = Objective::kTime;
  const Result<Plan> plan = make_plan(model::compile(*spec).value(), options);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->optimal);
  EXPECT_LT(gap(*plan), 0.06);
}

// Forced cuts and pins only leave fewer trees: the bound never falls.
TEST(TimeBound, RisesWithWishes) {
  for (std::uint32_t key = 0; key < 60; ++key) {
    const Network network = small_mechanism(key);
    PlanOptions options;
    options.pin = {static_cast<int>(network.graph.edges.size()) - 1};
    EXPECT_GE(bound_of(network, options, 1), bound_of(network, {}, 1) * (1 - 1e-12)) << key;
  }
}

}  // namespace
}  // namespace espalier::plan::detail
