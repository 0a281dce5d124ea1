#include "espalier/plan/schedule.hpp"

#include <gtest/gtest.h>

#include "espalier/model/generate.hpp"
#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

constexpr Meeting kAtWorld = Meeting::kAtWorld;

using model::LadderKind;
using Ints = std::vector<int>;
using Reals = std::vector<double>;

Network network_of(const Result<model::ModelSpec>& spec) {
  EXPECT_TRUE(spec);
  const Result<model::Model> model = model::compile(*spec);
  EXPECT_TRUE(model);
  return make_network(*model, make_mechanism(*model), Weights::kLiu);
}

WorkCount counts(const std::array<double, kWorkKinds>& amount) { return {amount}; }

//  ground 0 --R e0-- 1 --S e2-- 3 . C e3 . 2 --R e1-- ground        2 --U e4-- 4
Network four_bar_with_tail() {
  Network network;
  network.graph = {5, {{0, 1}, {2, 0}, {1, 3}, {3, 2}, {2, 4}}};
  network.freedom = {1, 1, 3, 2, 2};
  network.weight = network.length = {1, 1, 3, 2, 2};
  network.ground = 0;
  return network;
}

// The four equations of e3 pass the joints above 3 (f = 3), 1 and 2 (f = 1), and close at the ground.
TEST(CountWork, OfAFourBarCutAtItsCylinder) {
  const WorkCount work = count_work(hand_plan(four_bar_with_tail(), {0, 1, 2, 4}, 0));
  const double flops = 4.0 * 4 * 4 / 3 + 4 * 4 * 1;
  EXPECT_EQ(work, counts({4, 1 + 3 + 1 + 2, 1, 4, 4 * 3, 4 * (3 + 1 + 1), 10 * (3 + 1 + 1), flops, 0}));
}

// The three equations of e2 (spherical) between 1 and 3: ways 1 - 0 and 3 - 2 - 0.
TEST(CountWork, OfAFourBarCutAtItsBall) {
  const WorkCount work = count_work(hand_plan(four_bar_with_tail(), {0, 1, 3, 4}, 0));
  EXPECT_EQ(work, counts({4, 1 + 2 + 1 + 2, 1, 3, 3 * 3, 3 * (1 + 2 + 1), 6 * (1 + 2 + 1), 9 + 9, 0}));
}

// On body 2 as root the root floats (6), the loop closes at 2, and six equations hold the ground: they pass the joints
// above the ground and above 2.
//   2 - 0 - 1 - 3, 2 - 4
TEST(CountWork, OnAnotherRootThanTheGroundHasAFloatingJointAndSixEquations) {
  const WorkCount work = count_work(hand_plan(four_bar_with_tail(), {0, 1, 2, 4}, 2));
  // e3 is open above 3, 1 and 0; the ground's equations above 0 and 2.
  const double rows = 4 + 4 + (4 + 6) + 6;
  const double with_f = 4 * 3 + 4 * 1 + 10 * 1 + 6 * 6;
  const double couplings = 10 * 3 + 10 * 1 + 55 * 1 + 21 * 6;
  // e3 closes at 2, coupled to the six; the six close at the world.
  const double flops = elimination_flops(4, 6, Meeting::kOnBody) + elimination_flops(6, 0, kAtWorld);
  EXPECT_EQ(work, counts({5, 1 + 1 + 3 + 2 + 6, 2, 10, rows, with_f, couplings, flops, 1}));
}

//  ground ------------------          Cranks hang from the ground, couplers join their tips.
//    |     |     |     |
//    +-----+-----+-----+   ...
enum class Cuts {
  kFarEnd,   // every coupler keeps the joint to its first crank: depth 2
  kFromEnd,  // one chain from the first crank: depth 2 loops + 1
};

// Heavy edges are cut; of each coupler's two joints the model lists the one to its first crank first.
Plan cut_ladder(const Network& network, Cuts cuts) {
  Reals weight(network.graph.edges.size(), 1);
  int crank = 0;
  for (std::size_t e = 0; e < weight.size(); ++e) {
    const graph::Edge& edge = network.graph.edges[e];
    const bool at_ground = edge.a == 0 || edge.b == 0;
    if (cuts == Cuts::kFarEnd) {
      weight[e] = at_ground ? 0 : 1.0 + static_cast<double>(e);
    } else if (at_ground) {
      weight[e] = crank++ == 0 ? 1 : 2;
    }
  }
  return hand_plan(network, graph::kruskal(network.graph, weight), 0);
}

// Depth 2, N loops of two independent equations. Each passes its coupler's joint and two cranks; all close at the
// ground, coupled in a row.
TEST(CountWork, OfALadderCutNextToTheGroundIsLinear) {
  for (const int n : {1, 2, 5}) {
    const WorkCount work = count_work(cut_ladder(network_of(model::generate_ladder(n)), Cuts::kFarEnd));
    const double joints = 2 * n + 1;
    EXPECT_EQ(work[Work::kJoint], joints);
    EXPECT_EQ(work[Work::kCoordinate], joints);
    EXPECT_EQ(work[Work::kLoop], n);
    EXPECT_EQ(work[Work::kRow], 2 * n);
    EXPECT_EQ(work[Work::kCarriedRow], 3 * 2 * n);
    EXPECT_EQ(work[Work::kCarriedCoordinate], 3 * 2 * n);
    // A coupler and the two outer cranks carry 2 rows each, the inner cranks 4.
    EXPECT_EQ(work[Work::kCoupling], 3 * n + 2 * 3 + (n - 1) * 10);
    EXPECT_EQ(work[Work::kPair], n - 1);
    const double last = elimination_flops(2, 0, kAtWorld);
    EXPECT_DOUBLE_EQ(work[Work::kFlop], (n - 1) * elimination_flops(2, 2, kAtWorld) + last);
  }
}

// One chain: all loops end at the ground, so that joint k from the end carries all loops above it.
TEST(CountWork, OfALadderAsOneChainIsCubic) {
  for (const int n : {1, 2, 5}) {
    const WorkCount work = count_work(cut_ladder(network_of(model::generate_ladder(n)), Cuts::kFromEnd));
    double rows = 0;
    double couplings = 0;
    // Crank k hangs with its coupler on crank k - 1; above it are loops k .. n. Crank 0 carries all.
    for (int k = 0; k <= n; ++k) {
      const double open = 2 * (k == 0 ? n : n - k + 1);
      rows += (k == 0 ? 1 : 2) * open;
      couplings += (k == 0 ? 1 : 2) * open * (open + 1) / 2;
    }
    EXPECT_EQ(work[Work::kCarriedRow], rows);
    EXPECT_EQ(work[Work::kCoupling], couplings);
    EXPECT_EQ(work[Work::kPair], n * (n - 1) / 2);
    double flops = 0;
    for (int k = 0; k < n; ++k) flops += elimination_flops(2, 2 * k, kAtWorld);
    EXPECT_DOUBLE_EQ(work[Work::kFlop], flops);
  }
}

// [Liu99] Theorem 1 would call the two equal: both have 351 equations.
TEST(PredictedTime, OfALadderCutNextToTheGroundIsAFractionOfTheChains) {
  const Network network = network_of(model::generate_ladder(50));
  EXPECT_LT(5 * predicted_time(cut_ladder(network, Cuts::kFarEnd)).total,
            predicted_time(cut_ladder(network, Cuts::kFromEnd)).total);
}

TEST(CountWork, CountsPlanarLoopsWithThreeEquationsLess) {
  Network network = network_of(model::generate_ladder(3));
  EXPECT_EQ(count_work(cut_ladder(network, Cuts::kFarEnd))[Work::kRow], 3 * 2);
  network.axes.clear();
  EXPECT_EQ(count_work(cut_ladder(network, Cuts::kFarEnd))[Work::kRow], 3 * 5);
  // Revolute, universal and spherical joints: no loop is planar. The spherical joints of three equations are cut.
  const Plan spatial = cut_ladder(network_of(model::generate_ladder(3, LadderKind::kSpatial)), Cuts::kFarEnd);
  EXPECT_EQ(count_work(spatial)[Work::kRow], 3 * 3);
}

// A body cut in two: the joint stays, and six equations weld the halves; three of them in a planar loop.
TEST(CountWork, OfACutBodyHasItsWeld) {
  const Network network = network_of(model::generate_ladder(1));
  PlanOptions options;
  options.cut_body = {3};
  const Result<Plan> plan = make_plan(network, options);
  ASSERT_TRUE(plan);
  const WorkCount work = count_work(*plan);
  EXPECT_EQ(work[Work::kJoint], 4);
  EXPECT_EQ(work[Work::kLoop], 1);
  EXPECT_EQ(work[Work::kRow], 3);
  EXPECT_EQ(work[Work::kCarriedRow], 4 * 3);
}

// A root with two arms of two hinges each.
//   3 - 1 - 0 - 2 - 4
Plan two_arms() {
  Network network;
  network.graph = {5, {{0, 1}, {0, 2}, {1, 3}, {2, 4}}};
  network.freedom = {1, 1, 1, 1};
  network.weight = network.length = {1, 1, 1, 1};
  network.ground = 0;
  return hand_plan(network, {0, 1, 2, 3}, 0);
}

TEST(PredictedTime, OfTwoWorkersIsHalfOnTwoEqualArms) {
  MachineConstants machine;
  machine.synchronisation = 0;
  const double one = predicted_time(two_arms(), machine, 1).total;
  EXPECT_DOUBLE_EQ(one, 4 * (machine[Work::kJoint] + machine[Work::kCoordinate]));
  EXPECT_DOUBLE_EQ(predicted_time(two_arms(), machine, 2).total, one / 2);
  EXPECT_DOUBLE_EQ(predicted_time(two_arms(), machine, 3).total, one / 2);
  machine.synchronisation = 1e-9;
  EXPECT_DOUBLE_EQ(predicted_time(two_arms(), machine, 3).total, one / 2 + 1e-9);
}

TEST(PredictedTime, OfMoreWorkersIsNeverLonger) {
  const Network network = network_of(model::generate_ladder(20));
  for (const Cuts cuts : {Cuts::kFarEnd, Cuts::kFromEnd}) {
    const Plan plan = cut_ladder(network, cuts);
    const PredictedTime one = predicted_time(plan);
    EXPECT_DOUBLE_EQ(one.total, one.s1 + one.s2);
    double before = one.total;
    for (const int workers : {2, 3, 8, 1000}) {
      const double time = predicted_time(plan, {}, workers).total;
      EXPECT_LE(time, before);
      EXPECT_GE(time * workers, one.total * (1 - 1e-12));
      before = time;
    }
    EXPECT_DOUBLE_EQ(before, std::min(one.total, one.path));
  }
}

TEST(PredictedTime, StaysWithOneWorkerWhereMeetingCostsMoreThanItSaves) {
  MachineConstants machine;
  machine.synchronisation = 1;
  EXPECT_EQ(predicted_time(two_arms(), machine, 2).total, predicted_time(two_arms(), machine, 1).total);
}

}  // namespace
}  // namespace espalier::plan::detail
