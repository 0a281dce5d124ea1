#include "espalier/plan/schedule.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

using Turns = std::vector<std::vector<Turn>>;

// A random tree of up to 40 bodies with lengths 1 .. `longest`, or with steps of equal cost.
Plan random_tree(std::uint32_t key, int most, int longest) {
  Random random(41, key);
  Network network;
  network.graph.vertices = 1 + random.below(most);
  std::vector<int> edges;
  for (int v = 1; v < network.graph.vertices; ++v) {
    network.graph.edges.push_back({random.below(v), v});
    network.length.push_back(1 + random.below(longest));
    edges.push_back(v - 1);
  }
  network.weight = network.length;
  return hand_plan(network, edges, 0);
}

// Everybody has one turn of the right length, one at a time for each worker; `earlier` of each vertex end before it.
void expect_valid(const Plan& plan, const Turns& sweep, const std::function<std::vector<int>(int)>& earlier) {
  std::map<int, Turn> turn_of;
  for (const std::vector<Turn>& turns : sweep) {
    double free = 0;
    for (const Turn& turn : turns) {
      EXPECT_GE(turn.start, free);
      EXPECT_NEAR(turn.end - turn.start, plan.network.length[plan.tree.parent_edge[turn.vertex]], 1e-12);
      free = turn.end;
      EXPECT_TRUE(turn_of.emplace(turn.vertex, turn).second);
    }
  }
  EXPECT_EQ(turn_of.size() + 1, plan.tree.parent.size());
  for (const auto& [vertex, turn] : turn_of) {
    for (const int other : earlier(vertex)) EXPECT_LE(turn_of.at(other).end, turn.start);
  }
}

void expect_valid(const Plan& plan, const Schedule& schedule) {
  const graph::Tree& tree = plan.tree;
  expect_valid(plan, schedule.forward, [&](int v) {
    return tree.parent[v] == tree.root ? std::vector<int>() : std::vector<int>{tree.parent[v]};
  });
  expect_valid(plan, schedule.backward, [&](int v) {
    std::vector<int> children;
    for (int c = 0; c < static_cast<int>(tree.parent.size()); ++c) {
      if (tree.parent[c] == v) children.push_back(c);
    }
    return children;
  });
}

TEST(MakeSchedule, IsValidAndWithinTheBoundsOfEveryListSchedule) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    SCOPED_TRACE(key);
    const Plan plan = random_tree(key, 40, 9);
    for (const int workers : {1, 2, 3, 7}) {
      const Schedule schedule = make_schedule(plan, workers);
      expect_valid(plan, schedule);
      EXPECT_GE(schedule.makespan, schedule.lower_bound - 1e-9);
      const double share = 1.0 / workers;
      EXPECT_LE(schedule.makespan, share * schedule.total + (1 - share) * plan.measure.length + 1e-9);
      EXPECT_LE(schedule.makespan, (2 - share) * schedule.lower_bound + 1e-9);
    }
  }
}

TEST(MakeSchedule, OfOneWorkerTakesTheTotalAndOfManyTheCriticalBranch) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Plan plan = random_tree(key, 40, 9);
    EXPECT_DOUBLE_EQ(make_schedule(plan, 1).makespan, plan.measure.weight);
    EXPECT_DOUBLE_EQ(make_schedule(plan, 1'000'000'000).makespan, plan.measure.length);
  }
}

// Unit steps: by trying all sets of ready bodies, step by step.
int shortest_of_all(const std::vector<int>& parent, unsigned done, int workers, std::map<unsigned, int>& known) {
  const int n = static_cast<int>(parent.size());
  if (done + 1 == 1u << n) return 0;
  if (const auto found = known.find(done); found != known.end()) return found->second;
  unsigned ready = 0;
  for (int v = 1; v < n; ++v) {
    if (!(done >> v & 1u) && (done >> parent[v] & 1u)) ready |= 1u << v;
  }
  const int many = std::min(workers, __builtin_popcount(ready));
  int best = std::numeric_limits<int>::max();
  for (unsigned taken = ready; taken != 0; taken = (taken - 1) & ready) {
    if (__builtin_popcount(taken) == many)
      best = std::min(best, 1 + shortest_of_all(parent, done | taken, workers, known));
  }
  return known[done] = best;
}

TEST(MakeSchedule, IsTheShortestWhereAllStepsCostTheSame) {
  for (std::uint32_t key = 0; key < 150; ++key) {
    const Plan plan = random_tree(key, 11, 1);
    for (const int workers : {2, 3}) {
      std::map<unsigned, int> known;
      EXPECT_EQ(make_schedule(plan, workers).makespan, shortest_of_all(plan.tree.parent, 1u, workers, known)) << key;
    }
  }
}

// Root 0; a chain 1 - 2 - 3 of steps 2, 2, 2 and two tips 4 and 5 of 3. The chain goes first: 6 on two workers, which
// is the critical branch and half of the total.
TEST(MakeSchedule, LetsTheLongestBranchGoFirst) {
  Network network;
  network.graph = {6, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {0, 5}}};
  network.weight = network.length = {2, 2, 2, 3, 3};
  const Schedule schedule = make_schedule(hand_plan(network, {0, 1, 2, 3, 4}, 0), 2);
  EXPECT_EQ(schedule.makespan, 6);
  EXPECT_EQ(schedule.lower_bound, 6);
  ASSERT_EQ(schedule.forward.size(), 2u);
  ASSERT_EQ(schedule.forward[0].size(), 3u);
  EXPECT_EQ(schedule.forward[0][1].vertex, 2);
  EXPECT_EQ(schedule.forward[0][1].start, 2);
  EXPECT_EQ(schedule.forward[1][0].vertex, 4);
  EXPECT_EQ(schedule.backward[0][0].vertex, 3);
}

}  // namespace
}  // namespace espalier::plan::detail
