#include "espalier/plan/plan.hpp"

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "tests/support/expect.hpp"

namespace espalier::plan {
namespace {

//    1 --e2-- 2
//    |        |
//    e1       e3      0 is the ground
//    |        |
//    0 --e4-- 3
Network square() {
  Network network;
  network.graph = {4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
  network.weight = network.length = {1, 2, 1, 3};
  network.freedom = {1, 2, 1, 3};
  network.ground = 0;
  return network;
}

Error error_of(const GivenTree& given) {
  const Result<Plan> plan = plan_from_tree(square(), given);
  EXPECT_FALSE(plan.has_value());
  return plan ? Error() : plan.error();
}

GivenTree tree_of(const Plan& plan) {
  GivenTree given;
  for (const int v : plan.tree.order) {
    if (plan.tree.parent[v] >= 0) given.edges.push_back(plan.tree.parent_edge[v]);
  }
  given.roots = plan.roots;
  for (const HalfBody& half : plan.half_bodies) given.halves.push_back({half.edge, half.other});
  return given;
}

void expect_same(const Plan& a, const Plan& b) {
  EXPECT_EQ(a.tree, b.tree);
  EXPECT_EQ(a.roots, b.roots);
  EXPECT_EQ(a.cut, b.cut);
  EXPECT_EQ(a.equations, b.equations);
  EXPECT_NEAR(a.cost, b.cost, 1e-12 * a.cost);
  EXPECT_NEAR(a.measure.length, b.measure.length, 1e-12 * a.cost);
  EXPECT_NEAR(a.measure.weight, b.measure.weight, 1e-12 * a.cost);
  EXPECT_EQ(a.network.vertex_names, b.network.vertex_names);
  ASSERT_EQ(a.half_bodies.size(), b.half_bodies.size());
  for (std::size_t k = 0; k < a.half_bodies.size(); ++k) {
    EXPECT_EQ(a.half_bodies[k].vertex, b.half_bodies[k].vertex);
    EXPECT_EQ(a.half_bodies[k].other, b.half_bodies[k].other);
    EXPECT_EQ(a.half_bodies[k].edge, b.half_bodies[k].edge);
  }
  ASSERT_EQ(a.network.graph.edges.size(), b.network.graph.edges.size());
  for (std::size_t e = 0; e < a.network.graph.edges.size(); ++e) {
    const graph::Edge &x = a.network.graph.edges[e], &y = b.network.graph.edges[e];
    EXPECT_TRUE((x.a == y.a && x.b == y.b) || (x.a == y.b && x.b == y.a));
  }
}

TEST(GivenTree, GivesBackThePlanItWasTakenFrom) {
  for (const Objective objective : {Objective::kMccst, Objective::kMwst, Objective::kScbst, Objective::kSequential}) {
    PlanOptions options;
    options.objective = objective;
    options.beta = 0.3;
    const Plan plan = *make_plan(square(), options);
    expect_same(plan, *plan_from_tree(square(), tree_of(plan), objective, 0.3));
  }
}

TEST(GivenTree, GivesBackCutBodiesAndOtherRoots) {
  PlanOptions options;
  options.cut_body = {1};
  const Plan halves = *make_plan(square(), options);
  ASSERT_EQ(halves.half_bodies.size(), 1u);
  expect_same(halves, *plan_from_tree(square(), tree_of(halves)));
  options = {};
  options.root = 2;
  const Plan rooted = *make_plan(square(), options);
  expect_same(rooted, *plan_from_tree(square(), tree_of(rooted)));
}

TEST(GivenTree, PiecesKeepTheirRoots) {
  Network network = square();
  network.graph.edges = {{0, 1}, {2, 3}, {2, 3}, {1, 0}};
  const Plan plan = *make_plan(network);
  ASSERT_EQ(plan.roots.size(), 2u);
  expect_same(plan, *plan_from_tree(network, tree_of(plan)));
}

TEST(GivenTree, AnOrderWithChildrenFirstIsPutRight) {
  const Plan plan = *plan_from_tree(square(), {{2, 1, 0}, {0}, {}});
  EXPECT_EQ(plan.tree.order, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(plan.cut, std::vector{3});
  EXPECT_FALSE(plan.optimal);
}

TEST(GivenTree, RefusesWhatIsNoSpanningTree) {
  EXPECT_MENTIONS(error_of({{0, 1, 2, 3}, {0}, {}}).message, "closes a loop");
  EXPECT_MENTIONS(error_of({{0, 0}, {0}, {}}).message, "stands twice");
  EXPECT_MENTIONS(error_of({{0, 1}, {0}, {}}).message, "does not reach '4' from '1'");
  EXPECT_MENTIONS(error_of({{0, 1, 2}, {}, {}}).message, "no root");
  EXPECT_MENTIONS(error_of({{0, 1, 2}, {0, 3}, {}}).message, "both roots");
  EXPECT_MENTIONS(error_of({{0, 1, 7}, {0}, {}}).message, "not there");
  EXPECT_MENTIONS(error_of({{0, 1, 2}, {4}, {}}).message, "not there");
  EXPECT_MENTIONS(error_of({{0, 1, 2}, {0}, {{0, 2}}}).message, "does not end there");
  EXPECT_MENTIONS(error_of({{0, 1, 2, 3}, {0}, {{1, 2}, {1, 2}}}).message, "cut there already");
  // A half that nothing holds on to.
  EXPECT_MENTIONS(error_of({{0, 2, 3}, {0}, {{1, 2}}}).message, "does not reach");
}

// Keeping a cut joint at a half body is the plan that was given with that half from the start.
TEST(KeepJoints, EqualsThePlanWithTheHalfGiven) {
  for (int cut = 0; cut < 4; ++cut) {
    PlanOptions options;
    options.cut = {cut};
    const Result<Plan> plan = make_plan(square(), options);
    ASSERT_TRUE(plan);
    const graph::Edge ends = square().graph.edges[to_index(cut)];
    for (const int body : {ends.a, ends.b}) {
      SCOPED_TRACE(cut);
      const Plan kept = keep_joints(*plan, {{cut, body}});
      EXPECT_TRUE(kept.cut.empty());
      EXPECT_FALSE(kept.optimal);
      const Result<Plan> given = plan_from_tree(square(), tree_of(kept));
      ASSERT_TRUE(given) << given.error().message;
      expect_same(kept, *given);
      // f coordinates and six equations in place of 6 - f equations: 2 f more.
      EXPECT_EQ(*kept.equations, *plan->equations + 2 * square().freedom[to_index(cut)]);
    }
  }
}

}  // namespace
}  // namespace espalier::plan
