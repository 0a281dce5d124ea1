#include "espalier/graph/elimination.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace espalier::graph {
namespace {

// The graph that is left, in the form of [George89]: a block that is not eliminated is joined to other blocks by edges
// of the pattern (`near`), and to all members of the elements it belongs to. An element is named after the eliminated
// block that made it; elements that a new one covers are dropped, so that the whole never grows.
class QuotientGraph {
 public:
  QuotientGraph(const Graph& pattern, std::span<const int> size);
  std::vector<int> eliminate_all();

 private:
  void join_neighbours(int pivot);
  void attach(int block, int element);
  int count_rows(int block);
  bool first_visit(int block);
  void push(int block) { queue_.push({rows_[block], block}); }

  std::span<const int> size_;
  std::vector<std::vector<int>> near_;      // by block
  std::vector<std::vector<int>> elements_;  // by block: those it belongs to
  std::vector<std::vector<int>> members_;   // by element, in increasing order; empty where it is dropped
  std::vector<int> rows_;                   // by block: its degree in scalar rows
  std::vector<char> gone_;                  // by block: eliminated
  std::vector<int> visited_;                // by block: the visit that saw it last
  int visit_ = 0;
  // The fewest rows first, then the lowest block. An entry whose rows are no longer true is passed over.
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>> queue_;
};

QuotientGraph::QuotientGraph(const Graph& pattern, std::span<const int> size) : size_(size) {
  const auto n = static_cast<std::size_t>(pattern.vertices);
  near_.resize(n);
  elements_.resize(n);
  members_.resize(n);
  rows_.assign(n, 0);
  gone_.assign(n, 0);
  visited_.assign(n, 0);
  const Adjacency adjacency(pattern);
  for (int k = 0; k < pattern.vertices; ++k) {
    ++visit_;
    first_visit(k);
    for (const Adjacency::Step& step : adjacency.incident(k)) {
      if (first_visit(step.to)) near_[k].push_back(step.to);
    }
    rows_[k] = count_rows(k);
    push(k);
  }
}

bool QuotientGraph::first_visit(int block) {
  if (visited_[block] == visit_) return false;
  visited_[block] = visit_;
  return true;
}

int QuotientGraph::count_rows(int block) {
  ++visit_;
  first_visit(block);
  int rows = 0;
  for (const int other : near_[block]) rows += first_visit(other) ? size_[other] : 0;
  for (const int element : elements_[block]) {
    for (const int other : members_[element]) rows += first_visit(other) ? size_[other] : 0;
  }
  return rows;
}

// Makes the element of all neighbours of the pivot.
void QuotientGraph::join_neighbours(int pivot) {
  ++visit_;
  first_visit(pivot);
  std::vector<int> joined;
  const auto take = [&](int block) {
    if (first_visit(block)) joined.push_back(block);
  };
  for (const int block : near_[pivot]) take(block);
  for (const int element : elements_[pivot]) {
    for (const int block : members_[element]) take(block);
    members_[element].clear();
  }
  std::sort(joined.begin(), joined.end());
  members_[pivot] = std::move(joined);
}

// Visits of join_neighbours are still marked: what the element joins needs no edge and no element of its own.
void QuotientGraph::attach(int block, int element) {
  const auto is_covered = [&](int other) { return visited_[other] == visit_; };
  std::erase_if(near_[block], is_covered);
  std::erase_if(elements_[block], [&](int other) {
    std::vector<int>& members = members_[other];
    if (std::all_of(members.begin(), members.end(), is_covered)) members.clear();
    return members.empty();
  });
  elements_[block].push_back(element);
}

std::vector<int> QuotientGraph::eliminate_all() {
  std::vector<int> order;
  order.reserve(rows_.size());
  while (!queue_.empty()) {
    const auto [rows, pivot] = queue_.top();
    queue_.pop();
    if (gone_[pivot] || rows != rows_[pivot]) continue;
    order.push_back(pivot);
    gone_[pivot] = 1;
    join_neighbours(pivot);
    std::vector<int>& members = members_[pivot];
    for (const int block : members) attach(block, pivot);
    std::erase_if(members, [&](int block) {
      if (!near_[block].empty() || elements_[block].size() > 1) return false;
      order.push_back(block);
      gone_[block] = 1;
      return true;
    });
    for (const int block : members) {
      rows_[block] = count_rows(block);
      push(block);
    }
  }
  return order;
}

}  // namespace

std::vector<int> minimum_degree_order(const Graph& pattern, std::span<const int> size) {
  return QuotientGraph(pattern, size).eliminate_all();
}

}  // namespace espalier::graph
