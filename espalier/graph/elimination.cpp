#include "espalier/graph/elimination.hpp"

#include <algorithm>
#include <numeric>

#include "espalier/base/check.hpp"

namespace espalier::graph {
namespace {

std::vector<int> places(std::span<const int> order, int vertices) {
  std::vector<int> place(static_cast<std::size_t>(vertices), -1);
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  ESPALIER_CHECK(order.size() == place.size() && std::find(place.begin(), place.end(), -1) == place.end(),
                 "an elimination order lists every block once");
  return place;
}

// The elimination tree and the column counts, row by row. Row i of L holds every block k < i of the pattern and all
// blocks on the way from k up the elimination tree to i: each step of the climb is one block of L. [Liu90]
void count_columns(const Graph& pattern, std::span<const int> size, Elimination& result) {
  const Adjacency adjacency(pattern);
  const std::vector<int> place = places(result.order, pattern.vertices);
  std::vector<int> reached_by(place.size(), -1);
  std::vector<int> paired_with(place.size(), -1);
  for (const int i : result.order) {
    reached_by[i] = i;
    for (const Adjacency::Step& step : adjacency.incident(i)) {
      if (place[step.to] >= place[i] || paired_with[step.to] == i) continue;
      paired_with[step.to] = i;
      --result.fill;
      for (int k = step.to; reached_by[k] != i; k = result.parent[k]) {
        reached_by[k] = i;
        if (result.parent[k] < 0) result.parent[k] = i;
        ++result.fill;
        ++result.blocks[k];
        result.rows[k] += size[i];
      }
    }
  }
}

}  // namespace

Elimination eliminate(const Graph& pattern, std::span<const int> size, std::span<const int> order) {
  const auto n = static_cast<std::size_t>(pattern.vertices);
  Elimination result;
  result.order.assign(order.begin(), order.end());
  result.parent.assign(n, -1);
  result.blocks.assign(n, 0);
  result.rows.assign(n, 0);
  count_columns(pattern, size, result);
  result.factor_flops.assign(n, 0);
  result.solve_flops.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    for (int column = 0; column < size[k]; ++column) {
      const double r = result.rows[k] + column;
      result.factor_flops[k] += r * (r + 2);
      result.solve_flops[k] += 4 * r + 1;
      result.entries += result.rows[k] + column;
    }
  }
  return result;
}

double critical_path(const Elimination& elimination, std::span<const double> cost) {
  std::vector<double> children_done(cost.size(), 0);
  double last = 0;
  for (const int k : elimination.order) {
    const double done = children_done[k] + cost[k];
    const int parent = elimination.parent[k];
    if (parent >= 0) children_done[parent] = std::max(children_done[parent], done);
    last = std::max(last, done);
  }
  return last;
}

double least_time(const Elimination& elimination, std::span<const double> cost, int workers) {
  const double work = std::accumulate(cost.begin(), cost.end(), 0.0);
  return std::max(critical_path(elimination, cost), work / workers);
}

}  // namespace espalier::graph
