#include "espalier/plan/time_cost.hpp"

#include <gtest/gtest.h>

#include "espalier/model/generate.hpp"

namespace espalier::plan {
namespace {

using model::LadderKind;
using Ints = std::vector<int>;
using Reals = std::vector<double>;

Network ladder(int loops, LadderKind kind) {
  const Result<model::ModelSpec> spec = model::generate_ladder(loops, kind);
  EXPECT_TRUE(spec);
  const Result<model::Model> model = model::compile(*spec);
  EXPECT_TRUE(model);
  return make_network(*model, make_mechanism(*model), Weights::kLiu);
}

//  ground ------------------          Cranks hang from the ground, couplers join their tips.
//    |     |     |     |
//    +-----+-----+-----+   ...
enum class Cuts {
  kFarEnd,    // every coupler keeps the joint to its first crank: depth 2
  kNearEnd,   // every coupler keeps the joint to its second crank: depth 2 as well
  kFromEnd,   // one chain from the first crank: depth 2 loops + 1
  kFromHalf,  // two chains from the middle crank
};

// Heavy edges are cut; of each coupler's two joints the model lists the one to its first crank first.
ClosedTree cut_ladder(const Network& network, int loops, Cuts cuts) {
  Reals weight(network.graph.edges.size(), 1);
  int crank = 0;
  for (std::size_t e = 0; e < weight.size(); ++e) {
    const graph::Edge& edge = network.graph.edges[e];
    const bool at_ground = edge.a == 0 || edge.b == 0;
    if (cuts == Cuts::kFarEnd || cuts == Cuts::kNearEnd) {
      weight[e] = at_ground ? 0 : cuts == Cuts::kFarEnd ? 1.0 + static_cast<double>(e) : 1e3 - static_cast<double>(e);
    } else if (at_ground) {
      weight[e] = crank++ == (cuts == Cuts::kFromEnd ? 0 : loops / 2) ? 1 : 2;
    }
  }
  return close_tree(network, graph::hang_tree(network.graph, graph::kruskal(network.graph, weight), 0));
}

// Measured with a probe of the sparse solver, one core of a Xeon at 2.8 GHz, g++ -O3 [us]. The defaults of
// MachineConstants were fitted to these rows: eight numbers to eighteen.
struct Measured {
  int loops;
  LadderKind kind;
  Cuts cuts;
  int equations;
  double s1;
  double s2;
};

const std::vector<Measured> kMeasured = {
    {50, LadderKind::kPlanar, Cuts::kFarEnd, 351, 15, 14.9},  {50, LadderKind::kPlanar, Cuts::kFromHalf, 351, 67, 236},
    {50, LadderKind::kPlanar, Cuts::kFromEnd, 351, 114, 784}, {10, LadderKind::kSpatial, Cuts::kFarEnd, 61, 3.5, 2.8},
    {10, LadderKind::kSpatial, Cuts::kNearEnd, 81, 4.0, 4.3}, {10, LadderKind::kSpatial, Cuts::kFromEnd, 101, 12.3, 66},
    {20, LadderKind::kSpatial, Cuts::kFarEnd, 121, 7.1, 5.3}, {20, LadderKind::kSpatial, Cuts::kFromEnd, 201, 38, 419},
    {100, LadderKind::kSpatial, Cuts::kFarEnd, 601, 36, 26},
};

ClosedTree cut(const Measured& row) { return cut_ladder(ladder(row.loops, row.kind), row.loops, row.cuts); }

TEST(PredictedTime, IsWithinAFifthOfTheMeasuredLadders) {
  for (const Measured& row : kMeasured) {
    const ClosedTree closed = cut(row);
    EXPECT_EQ(count_equations(closed), row.equations);
    const PredictedTime time = predicted_time(closed);
    EXPECT_NEAR(time.s1 * 1e6, row.s1, 0.2 * row.s1) << row.loops << " loops, " << row.equations << " equations";
    EXPECT_NEAR(time.s2 * 1e6, row.s2, 0.2 * row.s2) << row.loops << " loops, " << row.equations << " equations";
  }
}

// All three have 351 equations; [Liu99] Theorem 1 would call them equal.
TEST(PredictedTime, RanksTheThreeTreesOfTheLadderAsTheClockDoes) {
  const double shallow = predicted_time(cut(kMeasured[0])).s2;
  const double half = predicted_time(cut(kMeasured[1])).s2;
  const double chain = predicted_time(cut(kMeasured[2])).s2;
  EXPECT_LT(shallow, half);
  EXPECT_LT(half, chain);
  EXPECT_NEAR(half / shallow, 236 / 14.9, 0.2 * 236 / 14.9);
  EXPECT_NEAR(chain / shallow, 784 / 14.9, 0.2 * 784 / 14.9);
}

// Only the constant in question is not zero: each counts what it says.
//  ground - 1 - 2 - 3, f = 1, 2, 3
TEST(PredictedTime, OfAChainCountsJointsPairsAndEntries) {
  Network network;
  network.graph = {4, {{0, 1}, {1, 2}, {2, 3}}};
  network.freedom = {1, 2, 3};
  network.ground = 0;
  const ClosedTree chain = close_tree(network, graph::hang_tree(network.graph, Ints{0, 1, 2}, 0));
  const MachineConstants none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const auto count = [&](double MachineConstants::*constant) {
    MachineConstants machine = none;
    machine.*constant = 1;
    return predicted_time(chain, machine).total();
  };
  EXPECT_EQ(count(&MachineConstants::forward_step), 3);
  EXPECT_EQ(count(&MachineConstants::forward_coordinate), 6);
  EXPECT_EQ(count(&MachineConstants::backward_step), 3);
  EXPECT_EQ(count(&MachineConstants::backward_coordinate), 6);
  EXPECT_EQ(count(&MachineConstants::pair), 3);
  EXPECT_EQ(count(&MachineConstants::pair_entry), 2 * 1 + 3 * 1 + 3 * 2);
  EXPECT_EQ(count(&MachineConstants::equation), 6);
  // A full matrix of 6: sum of r (r+2) + 4r + 1 for r = 0 .. 5.
  EXPECT_EQ(count(&MachineConstants::flop), 85 + 66);
  EXPECT_EQ(count(&MachineConstants::integration), 6);
  EXPECT_EQ(count(&MachineConstants::synchronisation), 0);
}

// A root with two arms of two hinges each.
//   3 - 1 - 0 - 2 - 4
ClosedTree two_arms() {
  Network network;
  network.graph = {5, {{0, 1}, {0, 2}, {1, 3}, {2, 4}}};
  network.freedom = {1, 1, 1, 1};
  network.ground = 0;
  return close_tree(network, graph::hang_tree(network.graph, Ints{0, 1, 2, 3}, 0));
}

TEST(PredictedTime, OfTwoWorkersIsHalfOnTwoEqualArms) {
  MachineConstants machine;
  machine.synchronisation = 0;
  const PredictedTime one = predicted_time(two_arms(), machine, 1);
  const PredictedTime two = predicted_time(two_arms(), machine, 2);
  EXPECT_DOUBLE_EQ(two.s1, one.s1 / 2);
  EXPECT_DOUBLE_EQ(two.s2, one.s2 / 2);
  // A third worker finds nothing to do but the walk for H, which no other step waits for.
  const PredictedTime three = predicted_time(two_arms(), machine, 3);
  const double steps =
      2 * (machine.forward_step + machine.forward_coordinate + machine.backward_step + machine.backward_coordinate);
  EXPECT_DOUBLE_EQ(three.s1, steps);
  EXPECT_DOUBLE_EQ(three.s2, two.s2);
}

TEST(PredictedTime, OfMoreWorkersIsNeverLonger) {
  for (const Cuts cuts : {Cuts::kFarEnd, Cuts::kFromEnd, Cuts::kFromHalf}) {
    const ClosedTree closed = cut_ladder(ladder(20, LadderKind::kPlanar), 20, cuts);
    const double work = predicted_time(closed).total();
    double before = work;
    for (const int workers : {2, 3, 8, 1000}) {
      const double time = predicted_time(closed, {}, workers).total();
      EXPECT_LE(time, before);
      EXPECT_GE(time * workers, work * (1 - 1e-12));
      before = time;
    }
    EXPECT_LT(before, work);
  }
}

TEST(PredictedTime, StaysWithOneWorkerWhereMeetingCostsMoreThanItSaves) {
  MachineConstants machine;
  machine.synchronisation = 1;
  EXPECT_EQ(predicted_time(two_arms(), machine, 2).s1, predicted_time(two_arms(), machine, 1).s1);
}

}  // namespace
}  // namespace espalier::plan
