#include "espalier/plan/detail/time_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/plan/detail/all_trees.hpp"
#include "espalier/plan/detail/time_bound.hpp"
#include "espalier/plan/detail/time_tree.hpp"

namespace espalier::plan::detail {
namespace {

constexpr std::size_t kFewTrees = 5'000;
constexpr std::size_t kManyTrees = 1'000'000;
// Vertices and loops looked at by all exchanges together: a few seconds on one core.
constexpr std::int64_t kMostVisits = 60'000'000;
constexpr std::size_t kMostStarts = 3;

struct Candidate {
  graph::Tree forest;
  double time = std::numeric_limits<double>::infinity();
  Method method = Method::kAuto;
};

// The trees of all pieces in the network's numbers.
graph::Tree join_pieces(const Pieces& pieces, const std::vector<const graph::Tree*>& trees) {
  const auto n = to_index(pieces.network.graph.vertices);
  graph::Tree forest;
  forest.parent.assign(n, -1);
  forest.parent_edge.assign(n, -1);
  for (std::size_t p = 0; p < trees.size(); ++p) {
    const Piece& piece = pieces.pieces[p];
    for (const int v : trees[p]->order) {
      forest.order.push_back(piece.vertices[v]);
      if (trees[p]->parent[v] < 0) continue;
      forest.parent[piece.vertices[v]] = piece.vertices[trees[p]->parent[v]];
      forest.parent_edge[piece.vertices[v]] = piece.edges[trees[p]->parent_edge[v]];
    }
  }
  forest.root = forest.order.front();
  return forest;
}

// The part of a forest that lies in one piece, in the piece's numbers.
graph::Tree take_piece(const Piece& piece, const graph::Tree& forest) {
  std::vector<int> edges;
  int root = -1;
  for (std::size_t v = 0; v < piece.vertices.size(); ++v) {
    const int edge = forest.parent_edge[piece.vertices[v]];
    if (edge < 0) {
      root = static_cast<int>(v);
    } else {
      edges.push_back(
          // Edges of a piece are increasing, which turns a number of the network back by bisection.
          static_cast<int>(std::lower_bound(piece.edges.begin(), piece.edges.end(), edge) - piece.edges.begin()));
    }
  }
  std::sort(edges.begin(), edges.end());
  return graph::hang_tree(piece.problem.graph, edges, root);
}

// 1. Few trees: try them all, which proves the best.
// 2. Else the trees of the other objectives as starts,
// 3. the best few of them made faster by exchanges of one joint and by other roots of floating pieces,
// 4. and the fastest, measured anew, beside the bound (P23).
class TimeSearch {
 public:
  TimeSearch(const Pieces& pieces, const PlanOptions& options, const std::function<bool()>& stop)
      : pieces_(pieces),
        options_(options),
        stop_(stop),
        tree_(pieces.network, pieces.half_bodies, options.machine, options.workers),
        pinned_(pieces.network.graph.edges.size(), 0),
        forced_(pieces.network.graph.edges.size(), 1) {
    // An edge of no piece is cut in every tree.
    for (const Piece& piece : pieces.pieces) {
      for (std::size_t e = 0; e < piece.edges.size(); ++e) {
        forced_[piece.edges[e]] = 0;
        pinned_[piece.edges[e]] = piece.problem.is_pinned(static_cast<int>(e)) ? 1 : 0;
      }
    }
  }

  Result<Answer> run() {
    const Method method = options_.method;
    if (method != Method::kAuto && method != Method::kExact && method != Method::kSearch) {
      const Result<void> started = add_start(Objective::kMccst, method, options_.beta);
      ESPALIER_TRY(started);
      return answer("this is one method's tree; the method auto searches on");
    }
    if (method != Method::kSearch && try_all(method == Method::kExact ? kManyTrees : kFewTrees)) return answer(proof_);
    const Result<void> started = add_starts();
    ESPALIER_TRY(started);
    improve_starts();
    return answer(fmt::format(
        "{} exchanges from the trees of the other objectives, until {}; the bound counts what no tree avoids",
        exchanges_, ended_early_ ? "the limit of work was reached" : "none helped"));
  }

 private:
  // All trees on all roots, if there are so few. False: there are more.
  bool try_all(std::size_t most) {
    std::vector<std::vector<graph::Tree>> choices;
    std::size_t count = 1;
    for (const Piece& piece : pieces_.pieces) {
      // Each tree of this piece is tried with every choice of the pieces before it.
      const std::optional<std::vector<graph::Tree>> trees = list_rooted_trees(piece.problem, most / count);
      if (!trees) return false;
      count *= trees->size();
      choices.push_back(*trees);
    }
    // The choices of all pieces count up like the digits of a number.
    std::vector<std::size_t> at(choices.size(), 0);
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<const graph::Tree*> trees;
      for (std::size_t p = 0; p < choices.size(); ++p) trees.push_back(&choices[p][at[p]]);
      consider(join_pieces(pieces_, trees), Method::kExact);
      for (std::size_t p = 0; p < at.size() && ++at[p] == choices[p].size(); ++p) at[p] = 0;
      if (stop_ && stop_()) return false;
    }
    proved_ = true;
    proof_ = count == 1 ? "there is one tree only" : fmt::format("all {} trees were tried", count);
    return true;
  }

  void consider(const graph::Tree& forest, Method method) {
    // A tree that passes the best time half-way is not measured to its end.
    if (!tree_.set(forest, best().time) || tree_.time() >= best().time) return;
    found_.assign(1, {forest, tree_.time(), method});
  }

  const Candidate& best() const {
    static const Candidate kNone;
    return found_.empty() ? kNone : found_.front();
  }

  Result<void> add_start(Objective objective, Method method, double beta) {
    PlanOptions options = options_;
    options.objective = objective;
    options.method = method;
    options.beta = beta;
    const Result<Answer> solved = find_answer(pieces_.pieces, pieces_.network.freedom, options, stop_);
    ESPALIER_TRY(solved);
    std::vector<const graph::Tree*> trees;
    for (const Solved& piece : solved->pieces) trees.push_back(&*piece.tree);
    const graph::Tree forest = join_pieces(pieces_, trees);
    // Several objectives often give one tree; it is improved once.
    const bool known = std::any_of(found_.begin(), found_.end(), [&](const Candidate& other) {
      return other.forest.parent_edge == forest.parent_edge;
    });
    // A start that takes ten times as long as another is not worth the time to find out how long it takes.
    double most = std::numeric_limits<double>::infinity();
    for (const Candidate& other : found_) most = std::min(most, 10 * other.time);
    if (known || !tree_.set(forest, most)) return {};
    found_.push_back({forest, tree_.time(), method});
    return {};
  }

  Result<void> add_starts() {
    // L + beta W for what W may be worth: loops near the root make long branches cheap, or the other way round.
    std::vector<std::pair<Method, double>> runs = {{Method::kA1, 1}};
    for (const double beta : {0.25, 1.0, 4.0}) {
      for (const Method method : {Method::kA2, Method::kA3}) runs.emplace_back(method, beta);
    }
    // Breadth first knows no pins.
    const bool any_pinned = std::find(pinned_.begin(), pinned_.end(), 1) != pinned_.end();
    if (!any_pinned) runs.emplace_back(Method::kBfs, 1);
    for (const auto& [method, beta] : runs) {
      const Result<void> started = add_start(Objective::kMccst, method, beta);
      ESPALIER_TRY(started);
    }
    // The fewest equations: what [Liu99] minimises for one worker.
    return add_start(Objective::kSequential, Method::kKruskal, 1);
  }

  // The best few are improved; the first of equals stays in front.
  void improve_starts() {
    const auto faster = [](const Candidate& a, const Candidate& b) { return a.time < b.time; };
    std::stable_sort(found_.begin(), found_.end(), faster);
    found_.resize(std::min(found_.size(), kMostStarts));
    // An equal share of the work each: the first start must not take it all.
    const auto share = kMostVisits / static_cast<std::int64_t>(found_.size());
    for (Candidate& candidate : found_) improve(candidate, share);
    std::stable_sort(found_.begin(), found_.end(), faster);
  }

  void improve(Candidate& candidate, std::int64_t share) {
    // Descent: exchanges, then roots, and again, until a whole round helps nowhere.
    tree_.set(candidate.forest);
    limit_ = tree_.visits() + share;
    bool changed = false;
    bool again = true;
    while (again && goes_on()) {
      again = exchange_edges();
      again |= move_roots();
      changed |= again;
      // A round that was cut short has not found out whether anything helps.
      again |= !goes_on();
    }
    ended_early_ |= again;
    if (!changed) return;
    candidate = {current_forest(), tree_.time(), Method::kSearch};
  }

  // A count of work and not a clock, unless a time limit was asked for.
  bool goes_on() const { return tree_.visits() < limit_ && !(stop_ && stop_()); }

  // Smaller by more than rounding.
  static bool is_less(double time, double than) { return time < than * (1 - kSameCost); }

  // Once through all cut edges; each is exchanged for the best one of its loop.
  bool exchange_edges() {
    bool changed = false;
    std::vector<char> in_tree(forced_.size(), 0);
    for (int v = 0; v < pieces_.network.graph.vertices; ++v) {
      if (tree_.parent_edge(v) >= 0) in_tree[tree_.parent_edge(v)] = 1;
    }
    for (int cut = 0; cut < static_cast<int>(forced_.size()) && goes_on(); ++cut) {
      // Edges move in and out of the tree meanwhile.
      if (in_tree[cut] != 0 || forced_[cut] != 0) continue;
      // The best of the loop and not the first: which one is tried first would else decide.
      double least = tree_.time();
      int best = -1;
      for (const int edge : tree_.loop_edges(cut)) {
        if (pinned_[edge] != 0) continue;
        if (!goes_on()) break;
        // Tried on the tree itself and taken back: that costs the loop's time, a copy would cost the tree's.
        tree_.exchange(cut, edge);
        if (is_less(tree_.time(), least)) {
          least = tree_.time();
          best = edge;
        }
        tree_.undo();
      }
      if (best < 0) continue;
      tree_.exchange(cut, best);
      std::swap(in_tree[cut], in_tree[best]);
      ++exchanges_;
      changed = true;
    }
    return changed;
  }

  // Floating pieces whose root is free: down to a child as long as that helps.
  bool move_roots() {
    bool changed = false;
    for (const Piece& piece : pieces_.pieces) {
      if (piece.problem.root >= 0) continue;
      int root =
          *std::find_if(piece.vertices.begin(), piece.vertices.end(), [&](int v) { return tree_.parent(v) < 0; });
      for (bool moved = true; moved && goes_on();) {
        moved = false;
        // A copy: the tree changes its lists while it is tried.
        const std::vector<int> children(tree_.children(root).begin(), tree_.children(root).end());
        for (const int child : children) {
          const double before = tree_.time();
          tree_.move_root(child);
          moved = is_less(tree_.time(), before);
          if (moved) {
            root = child;
            changed = true;
            break;
          }
          tree_.undo();
        }
      }
    }
    return changed;
  }

  graph::Tree current_forest() const {
    const int n = pieces_.network.graph.vertices;
    graph::Tree forest;
    for (int v = 0; v < n; ++v) {
      forest.parent.push_back(tree_.parent(v));
      forest.parent_edge.push_back(tree_.parent_edge(v));
      if (forest.parent.back() < 0) forest.order.push_back(v);
    }
    // Breadth first from all roots at once: the list grows while it is read.
    for (std::size_t k = 0; k < forest.order.size(); ++k) {
      const std::span<const int> children = tree_.children(forest.order[k]);
      forest.order.insert(forest.order.end(), children.begin(), children.end());
    }
    forest.root = forest.order.front();
    return forest;
  }

  Result<Answer> answer(const std::string& proof) {
    Answer found;
    // Added up anew, in the order in which every other reader adds up.
    found.pieces.reserve(pieces_.pieces.size());
    std::vector<const graph::Tree*> trees;
    for (const Piece& piece : pieces_.pieces) {
      Solved& solved = found.pieces.emplace_back();
      solved.tree = take_piece(piece, best().forest);
      solved.measure = measure(piece.problem, *solved.tree);
      solved.method = best().method;
      solved.proof = proof;
      solved.proved = proved_;
      trees.push_back(&*solved.tree);
    }
    tree_.set(join_pieces(pieces_, trees));
    found.cost = tree_.time();
    found.lower_bound = proved_ ? found.cost : time_bound(pieces_, options_.machine, options_.workers);
    found.optimal = proved_ || found.cost <= found.lower_bound * (1 + kSameCost);
    return found;
  }

  const Pieces& pieces_;
  const PlanOptions& options_;
  const std::function<bool()>& stop_;
  TimeTree tree_;
  std::vector<char> pinned_;  // by edge of the network
  std::vector<char> forced_;  // by edge: cut by force, or joined to one body twice
  std::vector<Candidate> found_;
  std::int64_t limit_ = 0;  // of tree_.visits()
  int exchanges_ = 0;
  bool ended_early_ = false;
  bool proved_ = false;
  std::string proof_;
};

}  // namespace

Result<Answer> find_time_answer(const Pieces& pieces, const PlanOptions& options, const std::function<bool()>& stop) {
  return TimeSearch(pieces, options, stop).run();
}

}  // namespace espalier::plan::detail
