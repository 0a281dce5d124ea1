#include "espalier/plan/detail/all_trees.hpp"

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"

namespace espalier::plan::detail {
namespace {

// Beyond these a graph has too many trees, or one of them takes too long to find.
constexpr std::size_t kMostEdges = 300;

class TreeLister {
 public:
  TreeLister(const Problem& problem, std::size_t most) : problem_(problem), most_(most) {}

  // False: there are more.
  bool run() {
    branch(0);
    // One tree beyond `most` has been made where there are more: that is how it is known.
    return trees.size() <= most_;
  }

  std::vector<std::vector<int>> trees;

 private:
  // The kept edges and all from `next` on: is there a tree in them?
  bool is_spanned(std::size_t next) const {
    DisjointSets joined(to_index(problem_.graph.vertices));
    int parts = problem_.graph.vertices;
    const auto join = [&](std::size_t e) {
      parts -= joined.join(problem_.graph.edges[e].a, problem_.graph.edges[e].b) ? 1 : 0;
    };
    for (const int e : kept_) join(to_index(e));
    for (std::size_t e = next; e < problem_.graph.edges.size(); ++e) join(e);
    return parts == 1;
  }

  bool closes_loop(int edge) const {
    DisjointSets joined(to_index(problem_.graph.vertices));
    // Joined anew each time: sets that are joined cannot be parted again when the branch goes back.
    for (const int e : kept_) joined.join(problem_.graph.edges[e].a, problem_.graph.edges[e].b);
    return !joined.join(problem_.graph.edges[edge].a, problem_.graph.edges[edge].b);
  }

  // Edge by edge: with it, if it closes no loop; without it, if the rest still spans. But for pins every branch leads
  // to a tree, so that the time is that of the trees and not of all sets of edges.
  void branch(std::size_t next) {
    if (trees.size() > most_) return;
    if (static_cast<int>(kept_.size()) == problem_.graph.vertices - 1) {
      // Pins among the edges that are left out by the tree being full.
      for (std::size_t e = next; e < problem_.graph.edges.size(); ++e) {
        if (problem_.is_pinned(static_cast<int>(e))) return;
      }
      trees.push_back(kept_);
      return;
    }
    const auto edge = static_cast<int>(next);
    if (!closes_loop(edge)) {
      kept_.push_back(edge);
      branch(next + 1);
      kept_.pop_back();
    }
    if (!problem_.is_pinned(edge) && is_spanned(next + 1)) branch(next + 1);
  }

  const Problem& problem_;
  std::size_t most_;
  std::vector<int> kept_;
};

}  // namespace

std::optional<std::vector<graph::Tree>> list_rooted_trees(const Problem& problem, std::size_t most) {
  const auto n = to_index(problem.graph.vertices);
  const std::size_t roots = problem.root >= 0 ? 1 : n;
  const bool has_loops = problem.graph.edges.size() >= n;
  // A tree counts once for each root that it may hang on.
  if (roots > most || (has_loops && problem.graph.edges.size() > kMostEdges)) return std::nullopt;
  TreeLister lister(problem, most / roots);
  if (!has_loops) {
    lister.trees.push_back({});
    for (std::size_t e = 0; e < problem.graph.edges.size(); ++e) lister.trees.back().push_back(static_cast<int>(e));
  } else if (!lister.run()) {
    return std::nullopt;
  }
  std::vector<graph::Tree> rooted;
  for (const std::vector<int>& edges : lister.trees) {
    for (int root = 0; root < static_cast<int>(n); ++root) {
      if (problem.root < 0 || problem.root == root) rooted.push_back(graph::hang_tree(problem.graph, edges, root));
    }
  }
  return rooted;
}

}  // namespace espalier::plan::detail
