#include "espalier/plan/loop_elimination.hpp"

#include "espalier/base/index.hpp"
#include "espalier/plan/detail/vertex_elimination.hpp"

namespace espalier::plan {
namespace {

using detail::VertexElimination;

// A pass over the vertices from the tips to the world, which has the last slot of every list.
class Eliminator {
 public:
  Eliminator(std::span<const int> parent, std::span<const LoopEnds> loops)
      : vertices_(parent.size()), step_(loops.size()), ends_(vertices_ + 1), children_(vertices_ + 1) {
    result_.closing.resize(vertices_ + 1);
    result_.open.resize(vertices_ + 1);
    result_.coupled.resize(loops.size());
    for (std::size_t l = 0; l < loops.size(); ++l) {
      left_.push_back(static_cast<int>(loops[l].ends.size()));
      equations_.push_back(loops[l].equations);
      // More than two where one equation acts on more bodies, as that of a coupling does.
      for (const int end : loops[l].ends) ends_[slot(end)].push_back(static_cast<int>(l));
    }
    for (std::size_t v = 0; v < vertices_; ++v) children_[slot(parent[v])].push_back(v);
  }

  LoopElimination run(std::span<const int> order) {
    // Children before parents: `order` has it the other way round.
    for (std::size_t k = order.size(); k-- > 0;) visit(slot(order[k]));
    // The world last: ways that no body has joined meet there.
    visit(vertices_);
    return std::move(result_);
  }

 private:
  std::size_t slot(int vertex) const { return vertex < 0 ? vertices_ : to_index(vertex); }

  void visit(std::size_t vertex) {
    step_.clear();
    for (const std::size_t child : children_[vertex]) step_.add_branch(result_.open[child]);
    for (const int loop : ends_[vertex]) step_.add_end(loop);
    std::vector<int> closing;
    for (const auto& [loop, ends] : step_.present()) {
      // Ends that meet become one; a loop whose last two meet has all of them in this branch.
      int& left = left_[loop];
      left -= ends - 1;
      (left == 1 ? closing : result_.open[vertex]).push_back(loop);
    }
    std::vector<std::vector<int>> coupled;
    const std::span<const VertexElimination::Closed> closed = step_.close(closing, equations_, &coupled);
    for (std::size_t k = 0; k < closed.size(); ++k) {
      result_.closing[vertex].push_back(closed[k].loop);
      result_.coupled[closed[k].loop] = std::move(coupled[k]);
    }
  }

  std::size_t vertices_;
  VertexElimination step_;
  std::vector<int> left_;                           // by loop: ends that have not met
  std::vector<int> equations_;                      // by loop
  std::vector<std::vector<int>> ends_;              // by vertex, world last: loops that end there
  std::vector<std::vector<std::size_t>> children_;  // by vertex, world last
  LoopElimination result_;
};

}  // namespace

LoopElimination eliminate_loops(std::span<const int> parent, std::span<const int> order,
                                std::span<const LoopEnds> loops) {
  return Eliminator(parent, loops).run(order);
}

}  // namespace espalier::plan
