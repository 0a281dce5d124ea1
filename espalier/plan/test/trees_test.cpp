#include "espalier/plan/trees.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "espalier/plan/plan.hpp"
#include "espalier/plan/test/all_forests.hpp"

namespace espalier::plan {
namespace {

// ground 0 - 1 - 2 - 0 and in the air 3 - 4 - 5 - 6 - 3: 3 x 4 choices.
Network two_rings() {
  Network network;
  network.graph = {7, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 6}, {6, 3}}};
  network.freedom = {1, 2, 3, 1, 1, 1, 2};
  network.weight = network.length = {1, 2, 3, 1, 1, 1, 2};
  network.ground = 0;
  return network;
}

std::string digits_of(const Network& network, const PlanOptions& options = {}) {
  return count_trees(network, options).value().value().digits;
}

TEST(CountTrees, OfPiecesMultiply) { EXPECT_EQ(digits_of(two_rings()), "12"); }

TEST(CountTrees, PinsAndCutsNarrowTheChoice) {
  PlanOptions options;
  options.pin = {0};
  EXPECT_EQ(digits_of(two_rings(), options), "8");
  options.cut = {1};
  EXPECT_EQ(digits_of(two_rings(), options), "4");
  options.cut = {1, 6};
  EXPECT_EQ(digits_of(two_rings(), options), "1");
  options.pin = {1};
  EXPECT_FALSE(count_trees(two_rings(), options));
}

TEST(ListTrees, AreAsManyAsAreCountedAndAsMeasuredByEnumeration) {
  for (std::uint32_t key = 0; key < 150; ++key) {
    const SmallCase made = random_case(key);
    const Result<std::vector<ListedTree>> listed = list_trees(made.network, made.options);
    const Result<std::optional<graph::TreeCount>> count = count_trees(made.network, made.options);
    ASSERT_EQ(listed.has_value(), count.has_value()) << key;
    if (!listed) continue;
    EXPECT_EQ(std::to_string(listed->size()), (*count)->digits) << key;
    const Plan plan = make_plan(made.network, made.options).value();
    std::multiset<double> expected, found;
    for (const Outcome& outcome : all_outcomes(plan.network, made.options)) expected.insert(outcome.weight);
    for (const ListedTree& tree : *listed) found.insert(tree.measure.weight);
    EXPECT_EQ(found, expected) << key;
  }
}

// Theorem 2 of [Liu99] against all trees on all roots: T_s is the shortest and T_m the lightest of them, and every
// optimum, whatever beta, lies between.
TEST(FindBracket, HoldsTheOptimumOfEveryBeta) {
  int wide = 0;
  for (std::uint32_t key = 0; key < 150; ++key) {
    const SmallCase made = random_case(key);
    if (!made.options.pin.empty() || !made.options.cut_body.empty()) continue;
    const Result<std::optional<Bracket>> found = find_bracket(made.network, made.options);
    if (!found) continue;
    ASSERT_TRUE(*found) << key;
    const auto& [shortest, lightest] = **found;
    const std::vector<Outcome> all = all_outcomes(make_plan(made.network, made.options).value().network, made.options);
    const auto by = [&](auto value) {
      return *std::min_element(all.begin(), all.end(),
                               [&](const Outcome& a, const Outcome& b) { return value(a) < value(b); });
    };
    EXPECT_NEAR(shortest.length, by([](const Outcome& o) { return o.length; }).length, 1e-9) << key;
    EXPECT_NEAR(lightest.weight, by([](const Outcome& o) { return o.weight; }).weight, 1e-9) << key;
    for (const double beta : {0.1, 1.0, 10.0}) {
      const Outcome best = by([&](const Outcome& o) { return o.length + beta * o.weight; });
      EXPECT_LE(best.length, lightest.length + 1e-9) << key;
      EXPECT_LE(best.weight, shortest.weight + 1e-9) << key;
    }
    wide += shortest.weight > lightest.weight + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(wide, 5) << "a bracket without width would hold anything";
}

TEST(FindBracket, IsNotClaimedWhereEdgesArePinned) {
  PlanOptions options;
  options.pin = {2};
  EXPECT_FALSE(find_bracket(two_rings(), options).value());
  // Of the rings: the ground's is 1 + 2 or, as the shorter tree on the ground, 1 and 3; the other one's 1 + 1 + 1.
  const Bracket bracket = find_bracket(two_rings()).value().value();
  EXPECT_EQ(bracket.lightest.weight, 1 + 2 + 1 + 1 + 1);
  EXPECT_EQ(bracket.shortest.length, 3);
}

TEST(ListTrees, TheFirstIsThePlan) {
  for (std::uint32_t key = 0; key < 60; ++key) {
    SmallCase made = random_case(3 * key + 1);
    const bool mechanism = !made.network.freedom.empty();
    for (const Objective objective : {Objective::kMccst, Objective::kMwst, Objective::kSequential, Objective::kTime}) {
      const bool by_joints = objective == Objective::kSequential || objective == Objective::kTime;
      // On a free root these two choose another one than the centre.
      if (by_joints && (!mechanism || made.network.ground < 0 || made.options.free_root)) continue;
      made.options.objective = objective;
      made.options.workers = 2;
      const Result<std::vector<ListedTree>> listed = list_trees(made.network, made.options);
      const Result<Plan> plan = make_plan(made.network, made.options);
      ASSERT_EQ(listed.has_value(), plan.has_value());
      if (!plan || plan->roots.size() > 1) continue;
      EXPECT_NEAR(listed->front().cost, plan->cost, 1e-9 * plan->cost) << key << " " << to_string(objective);
      EXPECT_TRUE(std::is_sorted(listed->begin(), listed->end(),
                                 [](const ListedTree& a, const ListedTree& b) { return a.cost < b.cost; }));
    }
  }
}

TEST(ListTrees, EachIsAnotherTree) {
  const std::vector<ListedTree> listed = list_trees(two_rings()).value();
  std::set<std::vector<int>> cuts;
  for (const ListedTree& tree : listed) cuts.insert(tree.cut);
  EXPECT_EQ(cuts.size(), 12U);
  // The ground's piece has three bodies, the one in the air four: the larger one names the root.
  for (const ListedTree& tree : listed) EXPECT_GE(tree.root, 3);
}

TEST(ListTrees, TooManySayHowMany) {
  EXPECT_EQ(list_trees(two_rings(), {}, 12)->size(), 12U);
  const Result<std::vector<ListedTree>> refused = list_trees(two_rings(), {}, 11);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_EQ(refused.error().message.rfind("there are 12 spanning trees; at most 11 are listed", 0), 0U);
}

}  // namespace
}  // namespace espalier::plan
