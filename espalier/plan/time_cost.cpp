#include "espalier/plan/time_cost.hpp"

#include <algorithm>
#include <numeric>

#include "espalier/graph/elimination.hpp"

namespace espalier::plan {
namespace {

// Work and longest dependent path of one stage [s].
struct Stage {
  double work = 0;
  double path = 0;
};

double time_of(const Stage& stage, int workers) {
  return workers == 1 ? stage.work : std::min(stage.work, std::max(stage.path, stage.work / workers));
}

// By node of a forest: 0, or one synchronisation where several branches meet.
std::vector<double> meeting_times(const std::vector<int>& parent, double synchronisation) {
  std::vector<int> children(parent.size(), 0);
  for (const int up : parent) {
    if (up >= 0) ++children[up];
  }
  std::vector<double> result(parent.size());
  std::transform(children.begin(), children.end(), result.begin(),
                 [&](int count) { return count > 1 ? synchronisation : 0.0; });
  return result;
}

// The joint's step down needs its parent's, its step up its own and its children's; the walk up for H needs its own.
Stage recursion(const ClosedTree& closed, const MachineConstants& machine) {
  const graph::Tree& tree = closed.tree;
  const std::vector<double> meeting = meeting_times(tree.parent, machine.synchronisation);
  const std::size_t n = tree.parent.size();
  std::vector<double> down(n, 0);  // when the step down is done
  std::vector<double> walk(n, 0);  // what the walk takes
  std::vector<int> joints(n, 0);   // on the way up, with its own
  std::vector<int> coordinates(n, 0);
  Stage stage;
  for (const int v : tree.order) {
    const int f = closed.coordinates[v];
    const int up = tree.parent[v];
    const double step = f > 0 ? machine.forward_step + machine.forward_coordinate * f : 0;
    const int joints_above = up >= 0 ? joints[up] : 0;
    const int coordinates_above = up >= 0 ? coordinates[up] : 0;
    if (f > 0) walk[v] = machine.pair * joints_above + machine.pair_entry * f * coordinates_above;
    joints[v] = joints_above + (f > 0 ? 1 : 0);
    coordinates[v] = coordinates_above + f;
    down[v] = step + (up >= 0 ? down[up] + meeting[up] : 0);
    stage.work += step + walk[v];
  }
  std::vector<double> ready = down;  // when the step up may begin
  for (auto v = tree.order.rbegin(); v != tree.order.rend(); ++v) {
    const int f = closed.coordinates[*v];
    const double step = f > 0 ? machine.backward_step + machine.backward_coordinate * f : 0;
    const double done = ready[*v] + meeting[*v] + step;
    const int up = tree.parent[*v];
    if (up >= 0) ready[up] = std::max(ready[up], done);
    stage.work += step;
    stage.path = std::max(stage.path, done + walk[*v]);
  }
  return stage;
}

// Factorisation and forward solution run up the elimination tree, the backward solution, half of the solve, down.
Stage elimination(const ClosedTree& closed, const MachineConstants& machine, EliminationOrder order) {
  const KktPattern kkt = make_kkt_pattern(closed);
  const graph::Elimination result = graph::eliminate(kkt.pattern, kkt.size, elimination_order(closed, kkt, order));
  const std::vector<double> meeting = meeting_times(result.parent, machine.synchronisation);
  std::vector<double> up(kkt.size.size());
  std::vector<double> down(kkt.size.size());
  Stage stage;
  for (std::size_t k = 0; k < up.size(); ++k) {
    down[k] = machine.flop * result.solve_flops[k] / 2;
    up[k] = machine.equation * kkt.size[k] + machine.flop * result.factor_flops[k] + down[k];
    stage.work += up[k] + down[k];
    up[k] += meeting[k];
    down[k] += meeting[k];
  }
  stage.path = graph::critical_path(result, up) + graph::critical_path(result, down);
  return stage;
}

}  // namespace

PredictedTime predicted_time(const ClosedTree& closed, const MachineConstants& machine, int workers,
                             EliminationOrder order) {
  const int coordinates = std::accumulate(closed.coordinates.begin(), closed.coordinates.end(), 0);
  return {time_of(recursion(closed, machine), workers), time_of(elimination(closed, machine, order), workers),
          machine.integration * coordinates / workers};
}

}  // namespace espalier::plan
