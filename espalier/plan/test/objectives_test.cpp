// Every objective and method against all forests of hundreds of small networks.

#include "espalier/plan/detail/objectives.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/test/all_forests.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kCases = 300;
constexpr double kRounding = 1e-12;  // of limits that were computed
constexpr Method kMethods[] = {Method::kAuto, Method::kExact, Method::kSearch,   Method::kA1,
                               Method::kA2,   Method::kA3,    Method::kExchange, Method::kDfs,
                               Method::kBfs,  Method::kPrim,  Method::kKruskal};

bool is_own(Method method) { return method == Method::kAuto || method == Method::kExact || method == Method::kSearch; }

double least_length(const std::vector<Outcome>& all, double most_weight = kInfinity) {
  double least = kInfinity;
  for (const Outcome& one : all) {
    if (one.weight <= most_weight * (1 + kRounding)) least = std::min(least, one.length);
  }
  return least;
}

double least_weight(const std::vector<Outcome>& all, double most_length = kInfinity) {
  double least = kInfinity;
  for (const Outcome& one : all) {
    if (one.length <= most_length * (1 + kRounding)) least = std::min(least, one.weight);
  }
  return least;
}

double least_equations(const std::vector<Outcome>& all) {
  double least = kInfinity;
  for (const Outcome& one : all) least = std::min<double>(least, one.equations);
  return least;
}

// What the objective asks for, by enumeration; infinite where no forest keeps its limits. Not for the decision.
double optimum(const PlanOptions& options, const std::vector<Outcome>& all) {
  const Meaning meaning = meaning_of(options.objective, options.beta);
  if (meaning.unit == Meaning::Unit::kEquations) return least_equations(all);
  EXPECT_EQ(meaning.unit, Meaning::Unit::kLengthAndWeight) << "time_search_test.cpp";
  const auto most = [](Limit limit, double smallest, const std::optional<double>& asked) {
    return limit == Limit::kNone ? kInfinity : limit == Limit::kSmallest ? smallest : *asked;
  };
  const double most_length = most(meaning.length_limit, least_length(all), options.max_length);
  const double most_weight = most(meaning.weight_limit, least_weight(all), options.max_weight);
  double least = kInfinity;
  for (const Outcome& one : all) {
    if (one.length > most_length * (1 + kRounding) || one.weight > most_weight * (1 + kRounding)) continue;
    least = std::min(least, meaning.length_factor * one.length + meaning.weight_factor * one.weight);
  }
  return least;
}

double cost_of(const Plan& plan) {
  const Meaning meaning = meaning_of(plan.objective, plan.beta);
  switch (meaning.unit) {
    case Meaning::Unit::kLengthAndWeight:
      return meaning.length_factor * plan.measure.length + meaning.weight_factor * plan.measure.weight;
    case Meaning::Unit::kYesOrNo:
      return plan.measure.weight;
    case Meaning::Unit::kEquations:
      return plan.equations.value_or(-1);
    case Meaning::Unit::kSeconds:
      break;
  }
  return plan.cost;
}

// The plan's own tree, measured by the oracle, with the plan's roots.
Outcome remeasured(const Plan& plan, const PlanOptions& options) {
  const std::vector<int> edges = graph::tree_edges(plan.tree);
  DisjointSets joined(to_index(plan.network.graph.vertices));
  for (const int e : edges) {
    EXPECT_TRUE(joined.join(plan.network.graph.edges[e].a, plan.network.graph.edges[e].b)) << "a loop in the tree";
  }
  Outcome outcome = outcome_of(plan.network, options, edges, joined);
  double longest = 0;
  for (const int root : plan.roots) longest = std::max(longest, eccentricity(plan.network, edges, root));
  outcome.length = longest;
  return outcome;
}

void expect_consistent(const Plan& plan, const PlanOptions& options) {
  const auto n = to_index(plan.network.graph.vertices);
  ASSERT_EQ(plan.tree.order.size(), n);
  EXPECT_EQ(graph::tree_edges(plan.tree).size() + plan.roots.size(), n);
  std::vector<int> all = graph::tree_edges(plan.tree);
  all.insert(all.end(), plan.cut.begin(), plan.cut.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), plan.network.graph.edges.size());
  for (std::size_t e = 0; e < all.size(); ++e) EXPECT_EQ(all[e], static_cast<int>(e));
  const auto is_cut = [&](int e) { return std::binary_search(plan.cut.begin(), plan.cut.end(), e); };
  EXPECT_TRUE(std::none_of(options.pin.begin(), options.pin.end(), is_cut));
  EXPECT_TRUE(std::all_of(options.cut.begin(), options.cut.end(), is_cut));
  const auto is_root = [&](int v) { return std::count(plan.roots.begin(), plan.roots.end(), v) == 1; };
  EXPECT_TRUE(is_root(plan.tree.root));
  EXPECT_TRUE(options.root < 0 || is_root(options.root));
  for (const int root : plan.roots) EXPECT_EQ(plan.tree.parent[root], -1);

  const Outcome again = remeasured(plan, options);
  EXPECT_NEAR(plan.measure.length, again.length, 1e-9);
  EXPECT_NEAR(plan.measure.weight, again.weight, 1e-9);
  EXPECT_NEAR(plan.cost, cost_of(plan), 1e-9);
  EXPECT_LE(plan.lower_bound, plan.cost);
}

void expect_honest(const Plan& plan, double best) {
  EXPECT_LE(plan.lower_bound, best * (1 + 1e-9)) << plan.proof;
  EXPECT_GE(plan.cost, best * (1 - 1e-9)) << plan.proof;
  if (plan.optimal) {
    EXPECT_NEAR(plan.cost, best, 1e-9 * best) << plan.proof;
  }
  if (!plan.optimal) {
    EXPECT_LT(plan.lower_bound, plan.cost) << "bound and cost meet: that is a proof";
  }
  EXPECT_EQ(plan.proof.starts_with("not proved"), !plan.optimal) << plan.proof;
}

std::string words(const PlanOptions& options) {
  return std::string(to_string(options.objective)) + " by " + to_string(options.method);
}

void expect_best(const Network& network, const PlanOptions& options, const std::vector<Outcome>& all) {
  SCOPED_TRACE(words(options));
  const double best = optimum(options, all);
  const Result<Plan> plan = make_plan(network, options);
  if (best == kInfinity) {
    EXPECT_FALSE(plan.has_value());
    return;
  }
  if (is_own(options.method)) {
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
  }
  // A method of the papers may miss a limit or a pin, and says so.
  if (!plan) return;
  expect_consistent(*plan, options);
  expect_honest(*plan, best);
  if (options.method == Method::kAuto || options.method == Method::kExact) {
    EXPECT_TRUE(plan->optimal) << plan->proof;
  }
  if (options.max_length) {
    EXPECT_LE(plan->measure.length, *options.max_length * (1 + 1e-9));
  }
  if (options.max_weight) {
    EXPECT_LE(plan->measure.weight, *options.max_weight * (1 + 1e-9));
  }
}

void expect_decided(const Network& network, PlanOptions options, const std::vector<Outcome>& all) {
  SCOPED_TRACE(words(options));
  const bool possible = least_weight(all, *options.max_length) <= *options.max_weight * (1 + kRounding);
  const Result<Plan> plan = make_plan(network, options);
  if (!plan) {
    EXPECT_FALSE(is_own(options.method)) << plan.error().message;
    return;
  }
  expect_consistent(*plan, options);
  EXPECT_FALSE(plan->proof.empty());
  EXPECT_EQ(plan->optimal, plan->feasible.has_value());
  if (options.method == Method::kAuto || options.method == Method::kExact) {
    ASSERT_TRUE(plan->feasible.has_value()) << plan->proof;
  }
  if (!plan->feasible) return;
  EXPECT_EQ(*plan->feasible, possible) << plan->proof;
  if (*plan->feasible) {
    EXPECT_LE(plan->measure.length, *options.max_length * (1 + 1e-9));
    EXPECT_LE(plan->measure.weight, *options.max_weight * (1 + 1e-9));
  }
}

// Limits that none, one, some or all forests keep.
std::vector<double> limits_between(double least, double most) {
  return {0.9 * least, least, 0.7 * least + 0.3 * most, most};
}

void expect_best_for_each_objective(const Network& network, PlanOptions options, const std::vector<Outcome>& all) {
  for (const double beta : {0.1, 1.0, 10.0}) {
    options.beta = beta;
    expect_best(network, options, all);
  }
  options.beta = 1;
  for (const Objective objective :
       {Objective::kMwst, Objective::kScbst, Objective::kScbmwst, Objective::kMwscbst, Objective::kSequential}) {
    if (objective == Objective::kSequential && network.freedom.empty()) continue;
    options.objective = objective;
    expect_best(network, options, all);
  }
  const double shortest = least_length(all);
  const double lightest = least_weight(all);
  // With no edge in any tree there is nothing to limit.
  if (shortest == 0) return;
  const std::vector<double> lengths = limits_between(shortest, least_length(all, lightest));
  const std::vector<double> weights = limits_between(lightest, least_weight(all, shortest));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    options.objective = Objective::kBcbmwst;
    options.max_length = lengths[i];
    expect_best(network, options, all);
    options.objective = Objective::kBwscbst;
    options.max_length.reset();
    options.max_weight = weights[i];
    expect_best(network, options, all);
    options.objective = Objective::kBcbbwst;
    for (const double length : lengths) {
      options.max_length = length;
      expect_decided(network, options, all);
    }
    options.max_length.reset();
    options.max_weight.reset();
  }
}

class MakePlanBy : public testing::TestWithParam<Method> {};

TEST_P(MakePlanBy, IsAsGoodAsItSaysOnAllForests) {
  int planned = 0;
  int refused = 0;
  // The search goes on for long where nothing proves its tree.
  const int step = GetParam() == Method::kSearch ? 29 : is_own(GetParam()) ? 1 : 3;
  for (int key = 0; key < kCases; key += step) {
    SCOPED_TRACE(key);
    SmallCase small = random_case(static_cast<std::uint32_t>(key));
    small.options.method = GetParam();
    PlanOptions wishes = small.options;
    wishes.method = Method::kAuto;
    const Result<Plan> first = make_plan(small.network, wishes);
    if (!first) {
      ++refused;
      continue;
    }
    ++planned;
    expect_best_for_each_objective(small.network, small.options, all_outcomes(first->network, small.options));
    if (HasFailure()) return;
  }
  // The wishes contradict each other in some cases, not in all.
  EXPECT_GT(planned, kCases / step / 3);
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, MakePlanBy, testing::ValuesIn(kMethods),
                         [](const auto& method) { return std::string(to_string(method.param)); });

// What make_plan refuses has no forest at all: the oracle finds none either.
TEST(MakePlan, RefusesWishesOnlyWhereNoForestKeepsThem) {
  int refused = 0;
  for (int key = 0; key < 2000; ++key) {
    SmallCase small = random_case(static_cast<std::uint32_t>(key));
    // A half body changes the network, which the oracle takes from the plan.
    small.options.cut_body.clear();
    const Result<Plan> plan = make_plan(small.network, small.options);
    EXPECT_EQ(plan.has_value(), !all_outcomes(small.network, small.options).empty())
        << key << (plan ? "" : plan.error().message);
    refused += plan.has_value() ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
}

TEST(MakePlan, FrontIsThatOfAllForests) {
  for (int key = 0; key < kCases; ++key) {
    SCOPED_TRACE(key);
    SmallCase small = random_case(static_cast<std::uint32_t>(key));
    small.options.front = true;
    const Result<Plan> plan = make_plan(small.network, small.options);
    if (!plan) continue;
    std::vector<Outcome> all = all_outcomes(plan->network, small.options);
    std::sort(all.begin(), all.end(), [](const Outcome& a, const Outcome& b) {
      return a.length != b.length ? a.length < b.length : a.weight < b.weight;
    });
    std::vector<Measure> expected;
    for (const Outcome& one : all) {
      if (expected.empty() || one.weight < expected.back().weight) expected.push_back({one.length, one.weight});
    }
    EXPECT_TRUE(plan->front_proved);
    EXPECT_EQ(plan->front, expected);
  }
}

}  // namespace
}  // namespace espalier::plan::detail
