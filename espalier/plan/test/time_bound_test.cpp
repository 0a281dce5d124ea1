#include "espalier/plan/detail/time_bound.hpp"

#include <gtest/gtest.h>

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
