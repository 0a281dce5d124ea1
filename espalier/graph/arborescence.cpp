#include "espalier/graph/arborescence.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "espalier/base/index.hpp"

namespace espalier::graph {

MinimumArborescence::MinimumArborescence(int vertices, std::span<const Arc> arcs)
    : vertices_(to_index(vertices)),
      arcs_(arcs.begin(), arcs.end()),
      first_in_(vertices_ + 1, 0),
      in_(arcs.size()),
      group_of_(vertices_),
      outer_(2 * vertices_),
      chosen_(2 * vertices_),
      first_(2 * vertices_),
      last_(2 * vertices_),
      next_(vertices_),
      reached_(2 * vertices_),
      place_(2 * vertices_),
      reduced_(arcs.size()) {
  for (const Arc& arc : arcs_) ++first_in_[arc.to + 1];
  std::partial_sum(first_in_.begin(), first_in_.end(), first_in_.begin());
  std::vector<int> next(first_in_.begin(), first_in_.end() - 1);
  for (int a = 0; a < static_cast<int>(arcs_.size()); ++a) in_[next[arcs_[a].to]++] = a;
  path_.reserve(vertices_);
}

// One vertex after the other is connected to what the root reaches:
// 1. Walk backwards over the cheapest arc into each group, lowering all arcs into it by that arc's weight: the dual
//    variable y of (P15) in docs/theory/plan.md, whose sum is the weight of the arborescence.
// 2. A walk that comes back to itself has closed a cycle of arcs that are 0 now; it is contracted and acts as one
//    group.
// 3. Once the walk meets what the root reaches, all of it is reached.
// 4. At the end the cycles are opened again, from the last to the first: the arc that enters a cycle replaces one of
//    its own.
// The reduced weights that are left prove that no other choice is lighter.
double MinimumArborescence::run(std::span<const double> weight, std::span<const char> usable, int root) {
  std::copy(weight.begin(), weight.end(), reduced_.begin());
  groups_ = static_cast<int>(vertices_);
  for (int v = 0; v < groups_; ++v) {
    group_of_[v] = first_[v] = last_[v] = v;
    next_[v] = -1;
  }
  std::fill(outer_.begin(), outer_.end(), -1);
  std::fill(chosen_.begin(), chosen_.end(), -1);
  std::fill(reached_.begin(), reached_.end(), 0);
  std::fill(place_.begin(), place_.end(), -1);
  reached_[root] = 1;
  // A vertex outside a cycle takes part once; one that was on a walk before is reached already.
  double total = 0;
  for (int v = 0; v < static_cast<int>(vertices_); ++v) {
    path_.clear();
    for (int group = group_of_[v]; !reached_[group];) {
      if (place_[group] < 0) {
        place_[group] = static_cast<int>(path_.size());
        path_.push_back(group);
      } else {
        // 2. The path came back to itself: a cycle, which acts as one vertex from now on.
        const auto start = to_index(place_[group]);
        group = contract(std::span(path_).subspan(start));
        path_.resize(start);
        place_[group] = static_cast<int>(start);
        path_.push_back(group);
      }
      // 1.
      const Cheapest cheapest = find_cheapest(group, usable);
      if (cheapest.arc < 0) return std::numeric_limits<double>::infinity();
      total += cheapest.reduced;
      lower_entering(group, cheapest.reduced, usable);
      chosen_[group] = cheapest.arc;
      group = group_of_[arcs_[cheapest.arc].from];
    }
    // 3.
    for (const int group : path_) reached_[group] = 1;
  }
  // 4.
  expand();
  return total;
}

MinimumArborescence::Cheapest MinimumArborescence::find_cheapest(int group, std::span<const char> usable) const {
  Cheapest best;
  for (int v = first_[group]; v >= 0; v = next_[v]) {
    for (int i = first_in_[v]; i < first_in_[v + 1]; ++i) {
      const int a = in_[i];
      // Arcs within a group are no way in.
      if (!usable[a] || group_of_[arcs_[a].from] == group) continue;
      const bool better = best.arc < 0 || reduced_[a] < best.reduced || (reduced_[a] == best.reduced && a < best.arc);
      if (better) best = {a, reduced_[a]};
    }
  }
  return best;
}

void MinimumArborescence::lower_entering(int group, double amount, std::span<const char> usable) {
  for (int v = first_[group]; v >= 0; v = next_[v]) {
    for (int i = first_in_[v]; i < first_in_[v + 1]; ++i) {
      const int a = in_[i];
      if (usable[a] && group_of_[arcs_[a].from] != group) reduced_[a] -= amount;
    }
  }
}

int MinimumArborescence::contract(std::span<const int> cycle) {
  const int group = groups_++;
  first_[group] = first_[cycle.front()];
  last_[group] = last_[cycle.front()];
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    outer_[cycle[i]] = group;
    // Vertices of a group are a linked list, and two lists join in one step.
    if (i > 0) {
      next_[last_[group]] = first_[cycle[i]];
      last_[group] = last_[cycle[i]];
    }
  }
  // Every vertex learns its outermost group: looking it up is what all loops do most.
  for (int v = first_[group]; v >= 0; v = next_[v]) group_of_[v] = group;
  return group;
}

void MinimumArborescence::expand() {
  // The arc that enters a contracted cycle replaces the cycle's own arc into the group it hits.
  for (int group = groups_ - 1; group >= static_cast<int>(vertices_); --group) {
    int inner = arcs_[chosen_[group]].to;
    // From the vertex it hits up to the member of this cycle that holds it.
    while (outer_[inner] != group) inner = outer_[inner];
    chosen_[inner] = chosen_[group];
  }
}

}  // namespace espalier::graph
