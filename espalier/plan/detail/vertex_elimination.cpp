#include "espalier/plan/detail/vertex_elimination.hpp"

#include <algorithm>
#include <climits>

#include "espalier/base/index.hpp"

namespace espalier::plan::detail {

void VertexElimination::clear() {
  for (const Present& entry : present_) local_[entry.loop] = -1;
  present_.clear();
  cliques_.clear();
}

void VertexElimination::add_branch(std::span<const int> open) {
  if (open.empty()) return;
  cliques_.emplace_back();
  cliques_.back().members.assign(open.begin(), open.end());
  // One clique for the whole branch, however many pairs that couples.
  for (const int loop : open) present_.push_back({loop, 1});
}

void VertexElimination::add_end(int loop) { present_.push_back({loop, 1}); }

std::span<const VertexElimination::Present> VertexElimination::present() {
  std::sort(present_.begin(), present_.end(), [](const Present& a, const Present& b) { return a.loop < b.loop; });
  // A loop that came in twice, over two branches or over one and its own end, has both its ends below: it can close.
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
  // 1. Number the loops that are present from 0, and the cliques they lie in.
  // 2. Close, each time, the loop coupled to the fewest rows: minimum degree, which keeps what is left coupled small.
  // 3. Closing one merges its cliques; the degrees of its neighbours change, and are told only where they are few.
  number_loops(equations);
  for (const int loop : closing) {
    const int local = local_[loop];
    closes_[local] = 1;
    push(local, equations);
  }
  while (!heap_.empty()) {
    const auto [degree, local] = heap_.top();
    heap_.pop();
    if (gone_[local] != 0 || degree != degree_[local]) continue;
    // Others have changed it, in a clique too large to be told.
    if (find_degree(local, equations) != degree) {
      push(local, equations);
      continue;
    }
    closed_.push_back(eliminate(present_[local].loop, equations));
    if (coupled != nullptr) coupled->push_back(list_coupled(present_[local].loop));
    update_degrees(local, equations);
  }
  if (coupled != nullptr) sort_coupled(*coupled);
  return closed_;
}

void VertexElimination::number_loops(std::span<const int> equations) {
  // Scratch lists are as long as what is present here, not as the number of all loops: a vertex costs what it holds.
  const std::size_t count = present_.size();
  for (std::size_t k = 0; k < count; ++k) local_[present_[k].loop] = static_cast<int>(k);
  cliques_of_.resize(std::max(cliques_of_.size(), count));
  for (std::size_t k = 0; k < count; ++k) cliques_of_[k].clear();
  gone_.assign(count, 0);
  closes_.assign(count, 0);
  stamp_.assign(count, -1);
  degree_.assign(count, 0);
  for (std::size_t c = 0; c < cliques_.size(); ++c) {
    Clique& clique = cliques_[c];
    clique.left = static_cast<int>(clique.members.size());
    for (int& member : clique.members) {
      clique.rows += equations[member];
      member = local_[member];
      cliques_of_[member].push_back(static_cast<int>(c));
    }
  }
}

// The rows of all its cliques, a loop that is in two of them counted twice: an upper bound of the rows it is coupled to
// that costs no more than a look.
std::int64_t VertexElimination::find_degree(int local, std::span<const int> equations) {
  std::vector<int>& own = cliques_of_[local];
  std::erase_if(own, [&](int c) { return cliques_[c].absorbed; });
  std::int64_t degree = 0;
  for (const int c : own) degree += cliques_[c].rows - equations[present_[local].loop];
  return degree;
}

void VertexElimination::push(int local, std::span<const int> equations) {
  degree_[local] = find_degree(local, equations);
  // An entry that the loop had before stays in the heap: when it comes out it no longer says what `degree_` says.
  heap_.emplace(degree_[local], local);
}

void VertexElimination::update_degrees(int local, std::span<const int> equations) {
  // In a large clique all degrees are nearly the same, and telling everybody would cost its square.
  constexpr int kMostTold = 64;
  for (const int c : cliques_of_[local]) {
    if (cliques_[c].left > kMostTold) continue;
    for (const int member : cliques_[c].members) {
      if (gone_[member] == 0 && closes_[member] != 0) push(member, equations);
    }
  }
}

// The last clique in cliques_of_[local] is the only one that is left, if there is any.
VertexElimination::Closed VertexElimination::eliminate(int loop, std::span<const int> equations) {
  const auto local = to_index(local_[loop]);
  std::vector<int>& own = cliques_of_[local];
  std::erase_if(own, [&](int c) { return cliques_[c].absorbed; });
  // [George89] The quotient graph: what a loop is coupled to stands once, as a list of cliques, and never grows beyond
  // what was there in the beginning.
  // Eliminating a block couples all that it was coupled to: its cliques become one.
  if (own.size() > 1) own = {merge(static_cast<int>(local), equations)};
  gone_[local] = 1;
  if (own.empty()) return {loop, 0, 0};
  Clique& clique = cliques_[to_index(own.front())];
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
      const auto m = to_index(member);
      if (gone_[m] != 0 || stamp_[m] == number) continue;
      stamp_[m] = number;
      merged.members.push_back(member);
      merged.rows += equations[present_[m].loop];
    }
    // Left in its place: the others' lists name cliques by number.
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

// After its elimination: what is left in its one clique.
std::vector<int> VertexElimination::list_coupled(int loop) const {
  std::vector<int> found;
  for (const int c : cliques_of_[local_[loop]]) {
    for (const int member : cliques_[c].members) {
      if (gone_[member] == 0) found.push_back(present_[member].loop);
    }
  }
  return found;
}

void VertexElimination::sort_coupled(std::vector<std::vector<int>>& coupled) {
  // Loops that stay open have no rank: behind all that close, in their own order. The stamps are not needed any more.
  std::vector<int>& rank = stamp_;
  std::fill(rank.begin(), rank.end(), INT_MAX);
  for (std::size_t k = 0; k < closed_.size(); ++k) rank[local_[closed_[k].loop]] = static_cast<int>(k);
  for (std::vector<int>& loops : coupled) {
    std::sort(loops.begin(), loops.end(),
              [&](int a, int b) { return std::pair(rank[local_[a]], a) < std::pair(rank[local_[b]], b); });
  }
}

}  // namespace espalier::plan::detail
