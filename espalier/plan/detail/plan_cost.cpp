#include "espalier/plan/detail/plan_cost.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/numbers.hpp"
#include "espalier/base/result.hpp"

namespace espalier::plan::detail {
namespace {

constexpr int kBodyFreedom = 6;

int root_of(const graph::Tree& tree, int vertex) {
  while (tree.parent[vertex] >= 0) vertex = tree.parent[vertex];
  return vertex;
}

}  // namespace

int count_equations(const Network& network, std::span<const int> tree_edges) {
  ESPALIER_CHECK(network.freedom.size() == network.graph.edges.size(), "equations are counted of joints with a type");
  // (P2) All joints as if they were cut, then what each tree joint changes: f instead of 6 - f.
  int equations = 0;
  for (const int f : network.freedom) equations += kBodyFreedom - f;
  for (const int e : tree_edges) equations += 2 * network.freedom[e] - kBodyFreedom;
  return equations;
}

int count_root_equations(const Network& network, int root, bool with_ground) {
  if (network.ground < 0 || root == network.ground) return 0;
  return with_ground ? 2 * kBodyFreedom : kBodyFreedom;
}

int count_equations(const Plan& plan) {
  int equations = count_equations(plan.network, graph::tree_edges(plan.tree));
  equations += kBodyFreedom * static_cast<int>(plan.half_bodies.size());
  const int ground = plan.network.ground;
  // Only the tree that the ground hangs in pays for holding it.
  const int ground_root = ground < 0 ? -1 : root_of(plan.tree, ground);
  for (const int root : plan.roots) equations += count_root_equations(plan.network, root, root == ground_root);
  return equations;
}

double sequential_cost(const Plan& plan, double exponent) {
  const double equations = count_equations(plan);
  const auto tree_edges = static_cast<double>(graph::tree_edges(plan.tree).size());
  // (P3)
  return tree_edges + elementary::pow(equations, exponent) + equations;
}

double parallel_cost(const Plan& plan, double exponent) {
  // (P4)
  return plan.measure.length + elementary::pow(count_equations(plan), exponent) + 1;
}

}  // namespace espalier::plan::detail
