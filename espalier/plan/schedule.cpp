#include "espalier/plan/schedule.hpp"

#include <algorithm>
#include <numeric>

#include "espalier/base/result.hpp"
#include "espalier/plan/detail/list_schedule.hpp"

namespace espalier::plan {
namespace {

using detail::end_of;
using detail::list_schedule;
using detail::Steps;
using detail::Turns;

// A body is done when the recursion has stepped over the joint to its parent; a root has none.
std::vector<double> step_costs(const Plan& plan) {
  std::vector<double> cost(plan.tree.parent.size(), 0);
  for (std::size_t v = 0; v < cost.size(); ++v) {
    if (plan.tree.parent[v] >= 0) cost[v] = plan.network.length[plan.tree.parent_edge[v]];
  }
  return cost;
}

Steps steps_of(const Plan& plan) {
  Steps steps(plan.tree.parent.size());
  steps.cost = step_costs(plan);
  return steps;
}

bool is_root(const graph::Tree& tree, int v) { return tree.parent[v] < 0; }

Steps forward_steps(const Plan& plan) {
  const graph::Tree& tree = plan.tree;
  Steps steps = steps_of(plan);
  // Forwards a body waits for its parent; the way ahead of its step is the step itself and the longest way down.
  steps.ahead = graph::heights(tree, plan.network.length);
  for (const int v : tree.order) {
    if (is_root(tree, v)) continue;
    steps.ahead[v] += steps.cost[v];
    if (is_root(tree, tree.parent[v])) {
      steps.first.push_back(v);
    } else {
      steps.before[v] = 1;
      steps.after[tree.parent[v]].push_back(v);
    }
  }
  return steps;
}

Steps backward_steps(const Plan& plan) {
  const graph::Tree& tree = plan.tree;
  Steps steps = steps_of(plan);
  // Backwards it waits for its children; the way ahead is the one to the root.
  steps.ahead = graph::depths(tree, plan.network.length);
  for (const int v : tree.order) {
    if (is_root(tree, v) || is_root(tree, tree.parent[v])) continue;
    ++steps.before[tree.parent[v]];
    steps.after[v].push_back(tree.parent[v]);
  }
  for (const int v : tree.order) {
    if (!is_root(tree, v) && steps.before[v] == 0) steps.first.push_back(v);
  }
  return steps;
}

// The same sweep with time running backwards.
Turns reversed(const Turns& sweep) {
  const double end = end_of(sweep);
  Turns result(sweep.size());
  for (std::size_t worker = 0; worker < sweep.size(); ++worker) {
    for (auto turn = sweep[worker].rbegin(); turn != sweep[worker].rend(); ++turn)
      result[worker].push_back({turn->vertex, end - turn->end, end - turn->start});
  }
  return result;
}

}  // namespace

Schedule make_schedule(const Plan& plan, int workers) {
  ESPALIER_CHECK(workers >= 1, "a schedule needs a worker");
  // More workers than bodies stay idle, and their lists would take memory.
  const int useful = std::min(workers, std::max(1, plan.network.graph.vertices));
  // List scheduling is no optimum, and from which side it begins makes a difference on uneven trees.
  Turns from_roots = list_schedule(forward_steps(plan), useful);
  Turns from_tips = list_schedule(backward_steps(plan), useful);
  Schedule schedule;
  // A schedule of one sweep, read backwards in time, is one of the other: the better of the two serves both.
  const bool roots_win = end_of(from_roots) <= end_of(from_tips);
  schedule.forward = roots_win ? from_roots : reversed(from_tips);
  schedule.backward = roots_win ? reversed(from_roots) : from_tips;
  schedule.makespan = end_of(schedule.forward);
  const std::vector<double> cost = step_costs(plan);
  schedule.total = std::accumulate(cost.begin(), cost.end(), 0.0);
  const std::vector<double> depth = graph::depths(plan.tree, plan.network.length);
  // (P20)
  schedule.lower_bound = std::max(*std::max_element(depth.begin(), depth.end()), schedule.total / workers);
  return schedule;
}

}  // namespace espalier::plan
