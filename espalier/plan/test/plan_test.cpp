#include "espalier/plan/plan.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/plan/detail/bounds.hpp"
#include "espalier/plan/detail/exchange.hpp"
#include "espalier/plan/generate.hpp"
#include "espalier/plan/test/topology_files.hpp"

namespace espalier::plan::detail {
namespace {

constexpr Method kMethods[] = {Method::kAuto, Method::kExact, Method::kSearch,   Method::kA1,
                               Method::kA2,   Method::kA3,    Method::kExchange, Method::kDfs,
                               Method::kBfs,  Method::kPrim,  Method::kKruskal};

// Joints with f = w = l; vertex 0 is the ground.
Network mechanism(int vertices, const std::vector<graph::Edge>& edges, const std::vector<int>& freedom) {
  Network network;
  network.graph = {vertices, edges};
  network.freedom = freedom;
  network.weight.assign(freedom.begin(), freedom.end());
  network.length = network.weight;
  network.ground = 0;
  return network;
}

//   0 --- 1
//   |     |     ground, crank, coupler, rocker; four revolute joints
//   3 --- 2
Network four_bar() { return mechanism(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {1, 1, 1, 1}); }

Plan planned(const Network& network, const PlanOptions& options = {}) {
  Result<Plan> plan = make_plan(network, options);
  EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
  return plan ? *std::move(plan) : Plan{};
}

std::string refusal(const Network& network, const PlanOptions& options) {
  const Result<Plan> plan = make_plan(network, options);
  return plan ? "a plan" : full_message(plan.error());
}

TEST(MakePlan, FourBarCutsOneJointAwayFromTheGround) {
  const Plan plan = planned(four_bar());
  ASSERT_EQ(plan.cut.size(), 1u);
  EXPECT_TRUE(plan.cut.front() == 1 || plan.cut.front() == 2);
  EXPECT_EQ(plan.measure, (Measure{2, 3}));
  EXPECT_EQ(plan.cost, 5);
  EXPECT_EQ(plan.equations, 3 * 1 + 5);
  EXPECT_TRUE(plan.optimal);
  EXPECT_EQ(gap(plan), 0);
}

TEST(MakePlan, SingleVertexHasNothingToCut) {
  Network network;
  network.graph.vertices = 1;
  for (const Method method : kMethods) {
    PlanOptions options;
    options.method = method;
    options.front = true;
    const Plan plan = planned(network, options);
    EXPECT_TRUE(plan.cut.empty());
    EXPECT_EQ(plan.cost, 0);
    EXPECT_TRUE(plan.optimal) << to_string(method);
    EXPECT_EQ(gap(plan), 0);
    EXPECT_EQ(plan.front, std::vector{Measure{}});
  }
}

TEST(MakePlan, TreeIsItsOwnPlanForEveryMethodAndObjective) {
  const Network network = mechanism(4, {{0, 1}, {1, 2}, {1, 3}}, {1, 2, 3});
  for (const Method method : kMethods) {
    for (const Objective objective : {Objective::kMccst, Objective::kMwst, Objective::kScbst, Objective::kScbmwst,
                                      Objective::kMwscbst, Objective::kSequential}) {
      PlanOptions options;
      options.method = method;
      options.objective = objective;
      const Plan plan = planned(network, options);
      EXPECT_TRUE(plan.cut.empty());
      EXPECT_EQ(plan.measure, (Measure{4, 6}));
      EXPECT_TRUE(plan.optimal) << to_string(method) << ' ' << to_string(objective);
    }
  }
}

TEST(MakePlan, SelfLoopsAreCutByEveryMethod) {
  Network network = mechanism(2, {{1, 1}, {0, 1}, {0, 0}}, {1, 3, 1});
  for (const Method method : kMethods) {
    PlanOptions options;
    options.method = method;
    EXPECT_EQ(planned(network, options).cut, (std::vector{0, 2})) << to_string(method);
  }
}

TEST(MakePlan, OfParallelEdgesTheDearerIsCut) {
  Network network = mechanism(2, {{0, 1}, {0, 1}, {1, 0}}, {3, 1, 2});
  EXPECT_EQ(planned(network).cut, (std::vector{0, 2}));
}

// The fourth joint stays: its coupler is cut, and the half is a leaf.
TEST(MakePlan, CutBodyKeepsTheCoordinateForSixEquations) {
  PlanOptions options;
  options.cut_body = {1};
  const Plan plan = planned(four_bar(), options);
  EXPECT_TRUE(plan.cut.empty());
  ASSERT_EQ(plan.half_bodies.size(), 1u);
  const HalfBody half = plan.half_bodies.front();
  EXPECT_EQ(half.edge, 1);
  EXPECT_EQ(half.other, 2);
  EXPECT_EQ(half.vertex, 4);
  EXPECT_EQ(plan.tree.parent[half.vertex], 1);
  EXPECT_EQ(plan.measure, (Measure{2, 4}));
  EXPECT_EQ(plan.equations, 4 * 1 + 6);
}

TEST(MakePlan, BodyCutOfASelfLoopKeepsIt) {
  Network network = mechanism(2, {{0, 1}, {1, 1}}, {1, 2});
  PlanOptions options;
  options.cut_body = {1};
  const Plan plan = planned(network, options);
  EXPECT_TRUE(plan.cut.empty());
  EXPECT_EQ(plan.measure, (Measure{3, 3}));
  EXPECT_EQ(plan.equations, 1 + 2 + 6);
}

TEST(MakePlan, NamingAJointTwiceIsNamingItOnce) {
  PlanOptions once;
  once.cut_body = {1};
  PlanOptions twice = once;
  twice.cut_body = {1, 1};
  const Plan a = planned(four_bar(), once);
  const Plan b = planned(four_bar(), twice);
  EXPECT_EQ(a.tree, b.tree);
  EXPECT_EQ(b.half_bodies.size(), 1u);
  PlanOptions pins;
  pins.pin = {0, 0};
  EXPECT_EQ(planned(four_bar(), pins).measure.weight, 3);
  PlanOptions cuts;
  cuts.cut = {3, 3};
  EXPECT_EQ(planned(four_bar(), cuts).cut, std::vector{3});
}

// A loop on the ground and a loop in the air: 3 - 4 - 5 with joints of 1, 2 and 3.
Network two_loops() { return mechanism(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}, {1, 1, 3, 1, 2, 3}); }

TEST(MakePlan, OfTwoPiecesTheLongerBranchAndTheSumOfWeightsCount) {
  const Plan plan = planned(two_loops());
  EXPECT_EQ(plan.cut, (std::vector{2, 5}));
  EXPECT_EQ(plan.measure, (Measure{2, 5}));
  EXPECT_EQ(plan.cost, 7);
  EXPECT_TRUE(plan.optimal);
  EXPECT_EQ(plan.roots, (std::vector{0, 4}));
  EXPECT_EQ(plan.equations, (1 + 1 + 3) + (1 + 2 + 3) + 6);
}

TEST(MakePlan, RootInTheAirLeavesTheGroundWhereItStands) {
  PlanOptions options;
  options.root = 5;
  const Plan plan = planned(two_loops(), options);
  EXPECT_EQ(plan.roots, (std::vector{0, 5}));
  options.free_root = true;
  EXPECT_EQ(planned(two_loops(), options).roots, (std::vector{1, 5}));
}

TEST(MakePlan, LoneGroundBesideLoopsInTheAir) {
  const Network network = mechanism(7, {{1, 2}, {2, 3}, {3, 1}, {4, 5}, {5, 6}, {6, 4}}, {1, 1, 1, 2, 2, 2});
  PlanOptions options;
  options.front = true;
  const Plan plan = planned(network, options);
  EXPECT_EQ(plan.measure, (Measure{2, 6}));
  EXPECT_TRUE(plan.optimal);
  EXPECT_EQ(plan.front, (std::vector{Measure{2, 6}}));
  EXPECT_EQ(plan.roots.front(), 0);
}

// Each piece weighs less than the limit, both together more: the limit is on the whole.
TEST(MakePlan, WeightLimitHoldsForTheSumOfPieces) {
  Network network = two_loops();
  network.length = {5, 5, 1, 5, 5, 1};
  for (const Method method : kMethods) {
    PlanOptions options;
    options.method = method;
    options.objective = Objective::kBwscbst;
    options.max_weight = 6;
    const Result<Plan> plan = make_plan(network, options);
    if (plan) {
      EXPECT_LE(plan->measure.weight, 6) << to_string(method);
    }
  }
}

// A long arm on the ground, and a triangle in the air whose best tree alone is not its best beside the arm.
//   0 =10= 1     2 -1- 3     lengths; weights 1; 3 (2-3), 2 (2-4), 2 (3-4)
//                 1\  /3
//                   4
Network arm_and_triangle() {
  Network network = mechanism(5, {{0, 1}, {2, 3}, {2, 4}, {3, 4}}, {1, 3, 2, 2});
  network.length = {10, 1, 1, 3};
  return network;
}

TEST(MakePlan, ShortPieceSavesWeightBesideALongOne) {
  const Plan plan = planned(arm_and_triangle());
  EXPECT_EQ(plan.measure, (Measure{10, 1 + 4}));
  EXPECT_TRUE(plan.optimal);
}

TEST(MakePlan, PiecesThatAreBestAloneAreNotCalledBestTogether) {
  PlanOptions options;
  options.method = Method::kA1;
  const Plan plan = planned(arm_and_triangle(), options);
  EXPECT_EQ(plan.cost, 10 + 1 + 5);
  EXPECT_EQ(plan.lower_bound, 10 + 1 + 4);
  EXPECT_FALSE(plan.optimal);
}

// Two triangles in the air; depth first goes over the joint of three.
Network two_triangles() { return mechanism(7, {{1, 2}, {2, 3}, {3, 1}, {4, 5}, {5, 6}, {6, 4}}, {3, 1, 1, 3, 1, 1}); }

TEST(MakePlan, BoundOnTheBranchIsThatOfTheLongestPiece) {
  PlanOptions options;
  options.method = Method::kDfs;
  options.objective = Objective::kScbst;
  const Plan plan = planned(two_triangles(), options);
  EXPECT_EQ(plan.cost, 3);
  EXPECT_EQ(plan.lower_bound, 1);
  EXPECT_FALSE(plan.optimal);
}

TEST(MakePlan, MethodThatMissesALimitDecidesNothing) {
  PlanOptions options;
  options.objective = Objective::kBcbbwst;
  options.max_length = 10;
  options.max_weight = 5;
  EXPECT_EQ(planned(two_triangles(), options).feasible, true);
  options.method = Method::kDfs;
  const Plan plan = planned(two_triangles(), options);
  EXPECT_EQ(plan.feasible, std::nullopt);
  EXPECT_FALSE(plan.optimal);
  EXPECT_FALSE(plan.proof.empty());
}

TEST(MakePlan, LimitsAreFactsOfTheGraphWhateverTheMethod) {
  PlanOptions options;
  options.method = Method::kDfs;
  options.objective = Objective::kScbmwst;
  EXPECT_EQ(refusal(two_triangles(), options),
            "the tree of method dfs has length 3, above the limit 1; `method` auto keeps limits");
}

// A ring of five: breadth first from the root reaches all within two joints, from elsewhere it does not.
TEST(MakePlan, SearchesOfTheGraphStartAtTheRoot) {
  Network network = mechanism(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, {1, 1, 1, 1, 1});
  PlanOptions options;
  options.method = Method::kBfs;
  for (int root = 0; root < 5; ++root) {
    options.root = root;
    EXPECT_EQ(planned(network, options).measure.length, 2) << root;
  }
}

TEST(MakePlan, ExchangeTakesItsStartItsSweepAndBeta) {
  const Problem problem = read_problem(read_data("liu1999_fig2a"));
  for (const Start start : {Start::kScbst, Start::kMwst}) {
    for (const Sweep sweep : {Sweep::kNear, Sweep::kFar, Sweep::kCentreOut}) {
      PlanOptions options;
      options.method = Method::kExchange;
      options.start = start;
      options.sweep = sweep;
      options.beta = 0.2;
      EXPECT_EQ(planned(plain_network(problem), options).tree, exchange_edges(problem, 0.2, start, sweep).tree);
    }
  }
}

TEST(MakePlan, FewestEquationsWantTheGroundAsRootEvenWhereItIsFree) {
  PlanOptions options;
  options.objective = Objective::kSequential;
  options.free_root = true;
  const Plan plan = planned(four_bar(), options);
  EXPECT_EQ(plan.cost, 8);
  EXPECT_EQ(plan.tree.root, 0);
}

TEST(MakePlan, BoundOnEquationsIsNotTheCostOfABadTree) {
  // The breadth-first tree keeps the joint of three coordinates.
  const Network network = mechanism(3, {{0, 1}, {0, 2}, {1, 2}}, {3, 1, 1});
  PlanOptions options;
  options.objective = Objective::kSequential;
  options.method = Method::kBfs;
  const Plan plan = planned(network, options);
  EXPECT_EQ(plan.cost, 4 + 5);
  EXPECT_EQ(plan.lower_bound, 2 + 3);
  EXPECT_FALSE(plan.optimal);
  EXPECT_NEAR(gap(plan), 9.0 / 5 - 1, 1e-12);
}

TEST(MakePlan, SamePlanTwiceBitForBit) {
  const Network network = plain_network(read_problem(read_data("h23_rand_n28")));
  for (const Method method : kMethods) {
    PlanOptions options;
    options.method = method;
    const Plan a = planned(network, options);
    const Plan b = planned(network, options);
    EXPECT_EQ(a.tree, b.tree) << to_string(method);
    EXPECT_EQ(a.cut, b.cut);
    EXPECT_EQ(a.cost, b.cost);
    EXPECT_EQ(a.lower_bound, b.lower_bound);
    EXPECT_EQ(a.proof, b.proof);
    EXPECT_EQ(a.nodes, b.nodes);
  }
}

class PlannedInstance : public testing::TestWithParam<const char*> {};

TEST_P(PlannedInstance, IsProvedForEveryBetaAndObjective) {
  const nlohmann::json data = read_data(GetParam());
  const Network network = plain_network(read_problem(data));
  const nlohmann::json& exact = data["exact"];
  PlanOptions options;
  for (const auto& [beta, record] : exact["mccst"].items()) {
    options.beta = std::stod(beta);
    const Plan plan = planned(network, options);
    EXPECT_TRUE(plan.optimal) << plan.proof;
    EXPECT_NEAR(plan.cost, record["cost"].get<double>(), 1e-9) << "beta " << beta;
  }
  options.objective = Objective::kScbmwst;
  EXPECT_EQ(planned(network, options).measure, (Measure{exact["scbmwst"]["radius"], exact["scbmwst"]["weight"]}));
  options.objective = Objective::kMwscbst;
  options.front = true;
  const Plan plan = planned(network, options);
  EXPECT_EQ(plan.measure, (Measure{exact["mwscbst"]["radius"], exact["mwscbst"]["weight"]}));
  std::vector<Measure> front;
  for (const nlohmann::json& point : exact["pareto_front"]) front.push_back({point[0], point[1]});
  EXPECT_EQ(plan.front, front);
  EXPECT_TRUE(plan.front_proved);
}

INSTANTIATE_TEST_SUITE_P(All, PlannedInstance,
                         testing::Values("h01_tree_n8", "h04_tree_n30", "h08_ladder_n20", "h11_grid_4x6", "h14_stewart",
                                         "h16_3rrr", "h21_rand_n15", "h23_rand_n28"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(MakePlan, PapersMethodsOnTheReconstructedFigure2a) {
  const Network network = plain_network(read_problem(read_data("liu1999_fig2a")));
  for (const auto& [method, expected] : {std::pair(Method::kA2, 202.0), std::pair(Method::kA3, 196.0),
                                         std::pair(Method::kExact, 196.0), std::pair(Method::kAuto, 196.0)}) {
    PlanOptions options;
    options.method = method;
    EXPECT_EQ(planned(network, options).cost, expected) << to_string(method);
  }
}

TEST(MakePlan, DecidesFormulasAsTryingAllAssignmentsDoes) {
  int satisfied = 0;
  constexpr int kFormulas = 12;
  for (int seed = 0; seed < kFormulas; ++seed) {
    const Result<SatProblem> sat = generate_3sat(5, 21, static_cast<std::uint64_t>(seed));
    ASSERT_TRUE(sat.has_value());
    PlanOptions options;
    options.objective = Objective::kBcbbwst;
    options.max_length = sat->max_length;
    options.max_weight = sat->max_weight;
    const Plan plan = planned(sat->network, options);
    EXPECT_EQ(plan.feasible, satisfiable(sat->formula)) << seed;
    satisfied += satisfiable(sat->formula) ? 1 : 0;
  }
  EXPECT_GT(satisfied, 0);
  EXPECT_LT(satisfied, kFormulas);
}

TEST(MakePlan, TimeLimitThatStrikesGivesATreeAndAnHonestGap) {
  GenerateOptions made;
  made.own_length = true;
  const Network network = generate_random(200, 400, made);
  PlanOptions options;
  options.beta = 0.1;
  options.method = Method::kExact;
  options.time_limit = 0.2;
  const Plan plan = planned(network, options);
  EXPECT_EQ(plan.tree.order.size(), 200u);
  EXPECT_FALSE(plan.optimal);
  EXPECT_GT(plan.lower_bound, 0);
  EXPECT_GT(gap(plan), 0);
  EXPECT_NE(plan.proof.find("time limit"), std::string::npos) << plan.proof;
  // Branch and bound that hardly began does not lose the bound that was there before it.
  EXPECT_GE(plan.lower_bound, find_bounds({network.graph, network.weight, network.length, {}, -1}, {1, 0.1}).lb10);
}

// Two hard pieces: their fronts are not known in time, each is planned alone and the limits still hold for both.
TEST(MakePlan, TimeLimitThatStrikesAmongPiecesKeepsTheLimits) {
  Network network = generate_random(120, 260);
  const Network other = generate_random(120, 260, {.seed = 2});
  for (const graph::Edge& edge : other.graph.edges) network.graph.edges.push_back({edge.a + 120, edge.b + 120});
  network.graph.vertices = 240;
  network.weight.insert(network.weight.end(), other.weight.begin(), other.weight.end());
  network.length = network.weight;
  network.freedom.assign(network.weight.size(), 1);
  PlanOptions options;
  options.beta = 0.1;
  options.time_limit = 0.05;
  const Plan plan = planned(network, options);
  EXPECT_EQ(plan.roots.size(), 2u);
  EXPECT_FALSE(plan.optimal);
  EXPECT_LT(plan.lower_bound, plan.cost);
  options.objective = Objective::kMwst;
  const double lightest = planned(network, options).cost;
  options.objective = Objective::kBwscbst;
  options.max_weight = 1.01 * lightest;
  const Plan limited = planned(network, options);
  EXPECT_LE(limited.measure.weight, 1.01 * lightest);
  EXPECT_LE(limited.lower_bound, limited.cost);
  EXPECT_FALSE(limited.optimal);
}

TEST(MakePlan, DecisionThatIsNotReachedSaysWhy) {
  const Result<SatProblem> sat = generate_3sat(40, 170, 1);
  ASSERT_TRUE(sat.has_value());
  PlanOptions options;
  options.objective = Objective::kBcbbwst;
  options.max_length = sat->max_length;
  options.max_weight = sat->max_weight;
  options.method = Method::kSearch;
  const Plan plan = planned(sat->network, options);
  if (plan.feasible) {
    EXPECT_TRUE(*plan.feasible);
  } else {
    EXPECT_EQ(plan.proof, "no tree within both limits was found; search looks for no proof");
    EXPECT_FALSE(plan.optimal);
  }
}

// A heavy edge that no good tree holds must not blur the weights of the others.
//   0 ==1e12== 1       and the loop 0 - 2 - 3 - 1 with weights far below it
TEST(MakePlan, PinsBesideAHugeWeightAreProvedRight) {
  Network network;
  network.graph = {4, {{0, 1}, {0, 2}, {2, 3}, {3, 1}, {0, 3}, {2, 1}}};
  network.weight = {1e12, 0.3, 0.1, 0.2, 0.31, 0.22};
  network.length = {1, 1, 1, 1, 1, 1};
  PlanOptions options;
  options.pin = {1};
  options.root = 0;
  const Plan plan = planned(network, options);
  EXPECT_TRUE(plan.optimal);
  // 0-2, 2-3, 2-1: L 2, W 0.62; 0-2, 2-3, 3-1: L 3.
  EXPECT_NEAR(plan.cost, 2.62, 1e-9);
  EXPECT_NEAR(plan.lower_bound, 2.62, 1e-9);
}

TEST(MakePlan, RefusesWhatContradictsItself) {
  const Network network = four_bar();
  PlanOptions options;
  options.pin = {0};
  options.cut = {0};
  EXPECT_EQ(refusal(network, options), "`pin` and `cut` both name 'e1'; leave one of them out");
  options = {};
  options.pin = {0, 1, 2, 3};
  EXPECT_EQ(refusal(network, options),
            "`pin` keeps a whole loop: 'e4', 'e1', 'e2', 'e3'; one of its joints must be cut, so pin one less");
  options = {};
  options.cut = {0, 2};
  EXPECT_EQ(refusal(network, options), "the forced cuts separate '2' from '1': no tree is left; leave one of them out");
  options = {};
  options.pin = {7};
  EXPECT_EQ(refusal(network, options), "`pin` names edge number 7; there are 4");
  options = {};
  options.root = 4;
  EXPECT_EQ(refusal(network, options), "the root is vertex number 4; there are 4");
}

TEST(MakePlan, RefusesNumbersOutsideTheirRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double beta : {0.0, -1.0, nan, infinity, 1e13}) {
    PlanOptions options;
    options.beta = beta;
    EXPECT_EQ(refusal(four_bar(), options).rfind("`beta` is ", 0), 0u) << beta;
  }
  for (const double exponent : {2.0, 3.0, 5.0, nan, -2.5}) {
    PlanOptions options;
    options.exponent = exponent;
    EXPECT_EQ(refusal(four_bar(), options).rfind("`exponent` is ", 0), 0u) << exponent;
  }
  for (const double seconds : {-1.0, nan, infinity}) {
    PlanOptions options;
    options.time_limit = seconds;
    EXPECT_EQ(refusal(four_bar(), options).rfind("`time_limit` is ", 0), 0u) << seconds;
  }
}

TEST(MakePlan, LimitsThatCannotBeKeptSayByHowMuch) {
  PlanOptions options;
  options.objective = Objective::kBcbmwst;
  options.max_length = 1.5;
  EXPECT_EQ(refusal(four_bar(), options),
            "no tree has a critical branch of 1.5 or less; the shortest is 2, 0.5 more: raise `max_length`");
  options = {};
  options.objective = Objective::kBwscbst;
  options.max_weight = 2;
  EXPECT_EQ(refusal(four_bar(), options),
            "no tree weighs 2 or less; the lightest weighs 3, 1 more: raise `max_weight`");
}

}  // namespace
}  // namespace espalier::plan::detail
