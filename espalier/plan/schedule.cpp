#include "espalier/plan/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

#include "espalier/base/check.hpp"

namespace espalier::plan {
namespace {

// What is to be done: a step costs time, waits for `before` others and then frees `after`.
struct Tasks {
  std::vector<double> cost;             // by vertex; roots are no tasks
  std::vector<double> ahead;            // the way from the start of this step to the end of the last one after it
  std::vector<int> before;              // how many steps must be done first
  std::vector<std::vector<int>> after;  // the steps that wait for this one
  std::vector<int> first;               // those that wait for none
};

struct Ready {
  double ahead;
  int vertex;
  bool operator<(const Ready& other) const {
    return ahead != other.ahead ? ahead < other.ahead : vertex > other.vertex;
  }
};

struct Running {
  double end;
  int worker;
  int vertex;
  bool operator>(const Running& other) const { return end != other.end ? end > other.end : worker > other.worker; }
};

std::vector<double> step_costs(const Plan& plan) {
  std::vector<double> cost(plan.tree.parent.size(), 0);
  for (std::size_t v = 0; v < cost.size(); ++v) {
    if (plan.tree.parent[v] >= 0) cost[v] = plan.network.length[plan.tree.parent_edge[v]];
  }
  return cost;
}

Tasks empty_tasks(const Plan& plan) {
  const std::size_t n = plan.tree.parent.size();
  return {step_costs(plan), std::vector<double>(n, 0), std::vector<int>(n, 0), std::vector<std::vector<int>>(n), {}};
}

bool is_root(const graph::Tree& tree, int v) { return tree.parent[v] < 0; }

Tasks forward_tasks(const Plan& plan) {
  const graph::Tree& tree = plan.tree;
  Tasks tasks = empty_tasks(plan);
  tasks.ahead = graph::heights(tree, plan.network.length);
  for (const int v : tree.order) {
    if (is_root(tree, v)) continue;
    tasks.ahead[v] += tasks.cost[v];
    if (is_root(tree, tree.parent[v])) {
      tasks.first.push_back(v);
    } else {
      tasks.before[v] = 1;
      tasks.after[tree.parent[v]].push_back(v);
    }
  }
  return tasks;
}

Tasks backward_tasks(const Plan& plan) {
  const graph::Tree& tree = plan.tree;
  Tasks tasks = empty_tasks(plan);
  tasks.ahead = graph::depths(tree, plan.network.length);
  for (const int v : tree.order) {
    if (is_root(tree, v) || is_root(tree, tree.parent[v])) continue;
    ++tasks.before[tree.parent[v]];
    tasks.after[v].push_back(tree.parent[v]);
  }
  for (const int v : tree.order) {
    if (!is_root(tree, v) && tasks.before[v] == 0) tasks.first.push_back(v);
  }
  return tasks;
}

using Turns = std::vector<std::vector<Turn>>;

Turns list_schedule(Tasks tasks, int workers) {
  Turns turns(static_cast<std::size_t>(workers));
  std::priority_queue<Ready> ready;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  std::priority_queue<int, std::vector<int>, std::greater<>> idle;
  for (int worker = 0; worker < workers; ++worker) idle.push(worker);
  for (const int v : tasks.first) ready.push({tasks.ahead[v], v});
  double now = 0;
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && !idle.empty()) {
      const int v = ready.top().vertex;
      const int worker = idle.top();
      ready.pop();
      idle.pop();
      turns[worker].push_back({v, now, now + tasks.cost[v]});
      running.push({now + tasks.cost[v], worker, v});
    }
    // All that end now, before anybody chooses again.
    now = running.top().end;
    while (!running.empty() && running.top().end == now) {
      const Running done = running.top();
      running.pop();
      idle.push(done.worker);
      for (const int next : tasks.after[done.vertex]) {
        if (--tasks.before[next] == 0) ready.push({tasks.ahead[next], next});
      }
    }
  }
  return turns;
}

double end_of(const Turns& sweep) {
  double end = 0;
  for (const std::vector<Turn>& turns : sweep) end = turns.empty() ? end : std::max(end, turns.back().end);
  return end;
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
  const int useful = std::min(workers, std::max(1, plan.network.graph.vertices));
  Turns from_roots = list_schedule(forward_tasks(plan), useful);
  Turns from_tips = list_schedule(backward_tasks(plan), useful);
  Schedule schedule;
  const bool roots_win = end_of(from_roots) <= end_of(from_tips);
  schedule.forward = roots_win ? from_roots : reversed(from_tips);
  schedule.backward = roots_win ? reversed(from_roots) : from_tips;
  schedule.makespan = end_of(schedule.forward);
  const std::vector<double> cost = step_costs(plan);
  schedule.total = std::accumulate(cost.begin(), cost.end(), 0.0);
  const std::vector<double> depth = graph::depths(plan.tree, plan.network.length);
  schedule.lower_bound = std::max(*std::max_element(depth.begin(), depth.end()), schedule.total / workers);
  return schedule;
}

}  // namespace espalier::plan
