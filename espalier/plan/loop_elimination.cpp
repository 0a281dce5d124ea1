#include "espalier/plan/loop_elimination.hpp"

#include <algorithm>
#include <climits>
#include <set>

#include "espalier/graph/elimination.hpp"

namespace espalier::plan {
namespace {

class Eliminator {
 public:
  Eliminator(std::span<const int> parent, std::span<const LoopEnds> loops)
      : parent_(parent),
        loops_(loops),
        present_(parent.size() + 1),
        left_(loops.size()),
        neighbours_(loops.size()),
        rank_(loops.size(), UINT_MAX) {
    result_.closing.resize(parent.size() + 1);
    result_.open.resize(parent.size() + 1);
    result_.coupled.resize(loops.size());
    for (std::size_t l = 0; l < loops.size(); ++l) {
      left_[l] = static_cast<int>(loops[l].ends.size());
      for (const int end : loops[l].ends) present_[slot(end)].push_back(static_cast<int>(l));
    }
  }

  LoopElimination run(std::span<const int> order) {
    for (std::size_t k = order.size(); k-- > 0;) visit(order[k]);
    visit(-1);
    return std::move(result_);
  }

 private:
  std::size_t slot(int vertex) const { return vertex < 0 ? parent_.size() : static_cast<std::size_t>(vertex); }

  void visit(int vertex) {
    std::vector<int>& present = present_[slot(vertex)];
    std::sort(present.begin(), present.end());
    // A loop is listed once for each of its ends in this branch that has not met another one before.
    std::vector<int> distinct;
    for (std::size_t k = 0; k < present.size(); ++k) {
      if (k > 0 && present[k] == present[k - 1]) {
        --left_[static_cast<std::size_t>(present[k])];
      } else {
        distinct.push_back(present[k]);
      }
    }
    std::vector<int>& open = result_.open[slot(vertex)];
    std::vector<int> closing;
    for (const int loop : distinct) (left_[static_cast<std::size_t>(loop)] == 1 ? closing : open).push_back(loop);
    close(slot(vertex), closing);
    if (vertex < 0) return;
    for (const int a : open) {
      for (const int b : open) {
        if (a != b) neighbours_[static_cast<std::size_t>(a)].insert(b);
      }
    }
    std::vector<int>& below = present_[slot(parent_[static_cast<std::size_t>(vertex)])];
    below.insert(below.end(), open.begin(), open.end());
    present = {};
  }

  void close(std::size_t at, const std::vector<int>& closing) {
    std::vector<int>& order = result_.closing[at];
    for (const int k : minimum_degree(closing)) order.push_back(closing[static_cast<std::size_t>(k)]);
    for (std::size_t k = 0; k < order.size(); ++k) rank_[static_cast<std::size_t>(order[k])] = static_cast<unsigned>(k);
    for (const int loop : order) {
      std::set<int>& near = neighbours_[static_cast<std::size_t>(loop)];
      std::vector<int>& coupled = result_.coupled[static_cast<std::size_t>(loop)];
      coupled.assign(near.begin(), near.end());
      std::stable_sort(coupled.begin(), coupled.end(), [&](int a, int b) {
        return rank_[static_cast<std::size_t>(a)] < rank_[static_cast<std::size_t>(b)];
      });
      for (const int a : near) {
        neighbours_[static_cast<std::size_t>(a)].erase(loop);
        for (const int b : near) {
          if (a != b) neighbours_[static_cast<std::size_t>(a)].insert(b);
        }
      }
      near.clear();
    }
  }

  // Positions in `closing` by minimum degree of their own couplings; those to open loops are left aside.
  std::vector<int> minimum_degree(const std::vector<int>& closing) const {
    graph::Graph pattern;
    pattern.vertices = static_cast<int>(closing.size());
    std::vector<int> size;
    for (std::size_t k = 0; k < closing.size(); ++k) {
      size.push_back(loops_[static_cast<std::size_t>(closing[k])].equations);
      for (const int near : neighbours_[static_cast<std::size_t>(closing[k])]) {
        const auto found = std::lower_bound(closing.begin(), closing.end(), near);
        if (near > closing[k] && found != closing.end() && *found == near)
          pattern.edges.push_back({static_cast<int>(k), static_cast<int>(found - closing.begin())});
      }
    }
    return graph::minimum_degree_order(pattern, size);
  }

  std::span<const int> parent_;
  std::span<const LoopEnds> loops_;
  std::vector<std::vector<int>> present_;  // by vertex, world last: loops with an end in the branch
  std::vector<int> left_;                  // by loop: ends that have not met
  std::vector<std::set<int>> neighbours_;  // by loop: those it is coupled to now
  std::vector<unsigned> rank_;             // by loop: when it is eliminated at its vertex; open loops come last
  LoopElimination result_;
};

}  // namespace

LoopElimination eliminate_loops(std::span<const int> parent, std::span<const int> order,
                                std::span<const LoopEnds> loops) {
  return Eliminator(parent, loops).run(order);
}

}  // namespace espalier::plan
