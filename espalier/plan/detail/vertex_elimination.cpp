#include "espalier/plan/detail/vertex_elimination.hpp"

#include <algorithm>
#include <climits>

#include "espalier/graph/elimination.hpp"

namespace espalier::plan {

void VertexElimination::clear() {
  for (const Present& entry : present_) local_[entry.loop] = -1;
  present_.clear();
  cliques_.clear();
}

void VertexElimination::add_branch(std::span<const int> open) {
  if (open.empty()) return;
  cliques_.emplace_back();
  cliques_.back().members.assign(open.begin(), open.end());
  for (const int loop : open) present_.push_back({loop, 1});
}

void VertexElimination::add_end(int loop) { present_.push_back({loop, 1}); }

std::span<const VertexElimination::Present> VertexElimination::present() {
  std::sort(present_.begin(), present_.end(), [](const Present& a, const Present& b) { return a.loop < b.loop; });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < present_.size(); ++k) {
    if (kept > 0 && present_[kept - 1].loop == present_[k].loop) {
      ++present_[kept - 1].ends;
    } else {
      present_[kept++] = present_[k];
    }
  }
  present_.resize(kept);
  return present_;
}

std::span<const VertexElimination::Closed> VertexElimination::close(std::span<const int> closing,
                                                                    std::span<const int> equations,
                                                                    std::vector<std::vector<int>>* coupled) {
  closed_.clear();
  if (coupled != nullptr) coupled->clear();
  if (closing.empty()) return closed_;
  for (std::size_t k = 0; k < present_.size(); ++k) local_[present_[k].loop] = static_cast<int>(k);
  cliques_of_.resize(std::max(cliques_of_.size(), present_.size()));
  for (std::size_t k = 0; k < present_.size(); ++k) cliques_of_[k].clear();
  gone_.assign(present_.size(), 0);
  stamp_.assign(present_.size(), -1);
  rank_.assign(present_.size(), INT_MAX);
  for (std::size_t c = 0; c < cliques_.size(); ++c) {
    Clique& clique = cliques_[c];
    clique.left = static_cast<int>(clique.members.size());
    for (int& member : clique.members) {
      clique.rows += equations[member];
      member = local_[member];
      cliques_of_[member].push_back(static_cast<int>(c));
    }
  }
  const std::vector<int> order = order_of(closing, equations);
  for (std::size_t k = 0; k < order.size(); ++k)
    rank_[static_cast<std::size_t>(local_[order[k]])] = static_cast<int>(k);
  for (const int loop : order) {
    closed_.push_back(eliminate(loop, equations));
    if (coupled != nullptr) coupled->push_back(list_coupled(loop));
  }
  return closed_;
}

std::vector<int> VertexElimination::order_of(std::span<const int> closing, std::span<const int> equations) const {
  std::vector<int> place(present_.size(), -1);
  for (std::size_t k = 0; k < closing.size(); ++k)
    place[static_cast<std::size_t>(local_[closing[k]])] = static_cast<int>(k);
  graph::Graph pattern;
  pattern.vertices = static_cast<int>(closing.size());
  std::vector<int> inside;
  for (const Clique& clique : cliques_) {
    inside.clear();
    for (const int member : clique.members) {
      if (place[member] >= 0) inside.push_back(place[member]);
    }
    // All coupled to all: every order gives the same.
    if (inside.size() == closing.size()) return {closing.begin(), closing.end()};
    for (std::size_t a = 0; a < inside.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) pattern.edges.push_back({inside[a], inside[b]});
    }
  }
  std::vector<int> size;
  for (const int loop : closing) size.push_back(equations[loop]);
  std::vector<int> order = graph::minimum_degree_order(pattern, size);
  for (int& k : order) k = closing[k];
  return order;
}

// The last clique in cliques_of_[local] is the only one that is left, if there is any.
VertexElimination::Closed VertexElimination::eliminate(int loop, std::span<const int> equations) {
  const auto local = static_cast<std::size_t>(local_[loop]);
  std::vector<int>& own = cliques_of_[local];
  std::erase_if(own, [&](int c) { return cliques_[c].absorbed; });
  if (own.size() > 1) own = {merge(static_cast<int>(local), equations)};
  gone_[local] = 1;
  if (own.empty()) return {loop, 0, 0};
  Clique& clique = cliques_[static_cast<std::size_t>(own.front())];
  clique.rows -= equations[loop];
  --clique.left;
  return {loop, clique.rows, clique.left};
}

int VertexElimination::merge(int local, std::span<const int> equations) {
  const auto number = static_cast<int>(cliques_.size());
  Clique merged;
  for (const int c : cliques_of_[local]) {
    Clique& old = cliques_[c];
    for (const int member : old.members) {
      const auto m = static_cast<std::size_t>(member);
      if (gone_[m] != 0 || stamp_[m] == number) continue;
      stamp_[m] = number;
      merged.members.push_back(member);
      merged.rows += equations[present_[m].loop];
    }
    old.absorbed = true;
    old.members = {};
  }
  merged.left = static_cast<int>(merged.members.size());
  for (const int member : merged.members) {
    if (member != local) cliques_of_[member].push_back(number);
  }
  cliques_.push_back(std::move(merged));
  return number;
}

std::vector<int> VertexElimination::list_coupled(int loop) const {
  std::vector<int> found;
  for (const int c : cliques_of_[local_[loop]]) {
    for (const int member : cliques_[c].members) {
      if (gone_[member] == 0) found.push_back(member);
    }
  }
  std::sort(found.begin(), found.end(), [&](int a, int b) {
    const auto rank = [&](int m) { return std::pair(rank_[m], m); };
    return rank(a) < rank(b);
  });
  for (int& member : found) member = present_[member].loop;
  return found;
}

}  // namespace espalier::plan
