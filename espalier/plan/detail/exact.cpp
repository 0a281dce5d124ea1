#include "espalier/plan/detail/exact.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "espalier/base/index.hpp"
#include "espalier/graph/arborescence.hpp"
#include "espalier/graph/paths.hpp"
#include "espalier/plan/detail/cost_step.hpp"

namespace espalier::plan::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Each edge in both directions: arc 2e leads from a to b, arc 2e + 1 back.
std::vector<graph::Arc> make_arcs(const graph::Graph& graph) {
  std::vector<graph::Arc> arcs;
  arcs.reserve(2 * graph.edges.size());
  for (const graph::Edge& edge : graph.edges) {
    arcs.push_back({edge.a, edge.b});
    arcs.push_back({edge.b, edge.a});
  }
  return arcs;
}

// A root and the arcs that its trees may use: a set of trees, of which the children hold disjoint parts.
struct Node {
  double bound;  // no tree of the node costs less
  std::int64_t number;  // later nodes first where bounds are equal: the search dives
  int root;
  std::vector<char> usable;  // by arc
};

// The order of the queue: a heap has its largest element in front, and here the best bound is the largest.
struct Worse {
  bool operator()(const std::unique_ptr<Node>& a, const std::unique_ptr<Node>& b) const {
    return a->bound != b->bound ? a->bound > b->bound : a->number < b->number;
  }
};

// Each node goes through the five phases of docs/theory/plan.md, "The exact method":
//   1. bound its trees, (P14) to (P16)
//   2. drop the arcs that no better tree holds, (P17), and bound again until none is dropped
//   3. offer the two trees that the bounds have found
//   4. branch on a pinned edge that the lightest arborescence leaves out, (P18)
//   5. else branch on a path of it that no better tree holds as a whole, (P19)
class Search {
 public:
  Search(const Problem& problem, const Goal& goal, const ExactOptions& options)
      : problem_(problem),
        goal_(goal),
        options_(options),
        arcs_(make_arcs(problem.graph)),
        arborescence_(problem.graph.vertices, arcs_),
        paths_(problem.graph.vertices, arcs_),
        open_length_(arcs_.size()),
        weight_(arcs_.size()),
        length_(arcs_.size()),
        combined_(arcs_.size()),
        step_(cost_step(problem, goal)) {
    // (P13) Enough to make every pinned arc lighter than all others. A bonus that outweighs every tree would need no
    // branch on pins, but one huge weight then blurs all the others.
    double bonus = 0;
    if (!problem.pinned.empty()) {
      for (const int e : graph::kruskal(problem.graph, problem.weight, problem.pinned)) bonus += problem.weight[e];
    }
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      const auto e = static_cast<int>(a / 2);
      length_[a] = problem.length[e];
      weight_[a] = problem.weight[e] - (problem.is_pinned(e) ? bonus : 0);
    }
    pinned_bonus_ = bonus * static_cast<double>(std::count(problem.pinned.begin(), problem.pinned.end(), 1));
  }

  ExactResult run(const std::optional<graph::Tree>& known) {
    // A good tree from elsewhere lowers the target from the first node on.
    if (known) offer(*known);
    for (int root = 0; root < problem_.graph.vertices; ++root) {
      if (problem_.root >= 0 && root != problem_.root) continue;
      std::vector<char> usable(arcs_.size());
      // Nothing leads into a root, so that every other vertex is entered by exactly one arc of a tree.
      for (std::size_t a = 0; a < arcs_.size(); ++a) usable[a] = arcs_[a].to != root;
      // Roots are tried in increasing order: negative numbers stand behind every child.
      push(-kInfinity, -root - 1, root, std::move(usable));
    }
    if (options_.patience > 0) next_look_ = static_cast<std::int64_t>(queue_.size());
    ExactResult result;
    // Best bound first: once the first node of the queue is above the target, all of them are.
    while (!queue_.empty() && queue_.front()->bound <= target()) {
      if (nodes_ >= options_.most_nodes || (options_.stop && options_.stop())) break;
      if (nodes_ == next_look_ && !has_gained()) {
        result.gave_up = true;
        break;
      }
      const std::unique_ptr<Node> node = pop();
      ++nodes_;
      if (options_.watch && nodes_ % 256 == 0) options_.watch({best_cost_, node->bound, nodes_});
      expand(*node);
    }
    result.nodes = nodes_;
    result.finished = queue_.empty() || queue_.front()->bound > target();
    result.tree = best_;
    result.measure = best_measure_;
    // Trees of closed nodes cost more than the target, which the cost step makes at least the best known cost.
    const double open = queue_.empty() ? kInfinity : queue_.front()->bound;
    result.lower_bound = result.finished ? best_cost_ : std::min(best_cost_, open);
    return result;
  }

 private:
  // (P12) What a tree may cost at most to be worth finding. A little less than the step, so that rounding does not
  // close a node whose tree is better by exactly one step.
  double target() const {
    if (!best_) return kInfinity;
    // Where only a yes or no is asked for, any tree is the answer.
    if (goal_.length_factor == 0 && goal_.weight_factor == 0) return -kInfinity;
    return best_cost_ - std::max(step_ * (1 - 1e-6), kSameCost * std::abs(best_cost_));
  }

  // Since the last look; the first one, when every root has had its node, only remembers. The bound alone would not do
  // as a measure: it stands still for thousands of nodes while the trees get better or the queue shorter.
  bool has_gained() {
    const double bound = queue_.front()->bound;
    const bool first = looks_++ == 0;
    if (first) {
      first_bound_ = bound;
      first_nodes_ = nodes_;
    }
    const double used = static_cast<double>(nodes_ - first_nodes_);
    const double all = static_cast<double>(options_.most_nodes - first_nodes_);
    const bool keeps_pace = (bound - first_bound_) * all >= (target() - first_bound_) * used;
    const bool better = best_cost_ < seen_cost_ || queue_.size() < seen_open_;
    seen_cost_ = best_cost_;
    seen_open_ = queue_.size();
    next_look_ = nodes_ + options_.patience;
    return first || keeps_pace || better;
  }

  void push(double bound, std::int64_t number, int root, std::vector<char> usable) {
    queue_.push_back(std::make_unique<Node>(Node{bound, number, root, std::move(usable)}));
    std::push_heap(queue_.begin(), queue_.end(), Worse());
  }

  std::unique_ptr<Node> pop() {
    std::pop_heap(queue_.begin(), queue_.end(), Worse());
    std::unique_ptr<Node> node = std::move(queue_.back());
    queue_.pop_back();
    return node;
  }

  void offer(const graph::Tree& tree) {
    const Measure found = measure(problem_, tree);
    const double found_cost = cost(goal_, found);
    // A tree of the node may leave a pin out (the bonus draws pins in but holds none) or pass a limit.
    if (!is_allowed(goal_, found) || !holds_pins(tree)) return;
    if (best_ && found_cost >= best_cost_ - kSameCost * std::abs(best_cost_)) return;
    best_ = tree;
    best_measure_ = found;
    best_cost_ = found_cost;
  }

  bool holds_pins(const graph::Tree& tree) const {
    const auto held = std::count_if(tree.parent_edge.begin(), tree.parent_edge.end(),
                                    [&](int e) { return e >= 0 && problem_.is_pinned(e); });
    return held == std::count(problem_.pinned.begin(), problem_.pinned.end(), 1);
  }

  void offer_arcs(std::span<const int> entering) {
    std::vector<int> edges;
    for (const int a : entering) {
      if (a >= 0) edges.push_back(a / 2);
    }
    std::sort(edges.begin(), edges.end());
    offer(hang_best(problem_, edges));
  }

  // Phases 1 and 2, until nothing changes. False: no tree of the node is worth finding.
  bool bound(Node& node) {
    for (bool changed = true; changed;) {
      // 1. (P14) L0, and (P15) W0 with the bonus of all pins given back: a tree that counts holds them all.
      const double shortest = run_paths(length_, node);
      if (shortest == kInfinity || !within(shortest, goal_.most_length)) return false;
      weight_bound_ = arborescence_.run(weight_, node.usable, node.root) + pinned_bonus_;
      if (weight_bound_ == kInfinity || !within(weight_bound_, goal_.most_weight)) return false;
      // What the cost leaves for the branch to be longer than L0, or for the tree to be heavier than W0.
      const double room = target() - cost(goal_, {shortest, weight_bound_});
      if (room < 0) return false;
      const double length_room = room_of(shortest, goal_.most_length, room, goal_.length_factor);
      const double weight_room = room_of(weight_bound_, goal_.most_weight, room, goal_.weight_factor);
      // 2. (P17) Its first two lines.
      changed = drop(node, [&](int a) {
        return paths_.distance()[arcs_[a].from] + length_[a] > shortest + length_room ||
               arborescence_.reduced()[a] > weight_room;
      });
      // 1. (P16) The reduced weights stay valid for the arcs that are left. Those of arcs in the arborescence are 0 but
      // for rounding, which must not make a length negative.
      const double fixed = goal_.weight_factor * weight_bound_;
      for (std::size_t a = 0; a < arcs_.size(); ++a) {
        combined_[a] =
            goal_.length_factor * length_[a] + goal_.weight_factor * std::max(0.0, arborescence_.reduced()[a]);
      }
      const double farthest = run_paths(combined_, node);
      node.bound = std::max(node.bound, fixed + farthest);
      if (farthest == kInfinity || node.bound > target()) return false;
      // 2. (P17) Its last line.
      changed |= drop(node, [&](int a) { return fixed + paths_.distance()[arcs_[a].from] + combined_[a] > target(); });
    }
    return true;
  }

  // The farthest vertex over the arcs that the node may use; infinite where one cannot be reached.
  double run_paths(const std::vector<double>& length, const Node& node) {
    for (std::size_t a = 0; a < arcs_.size(); ++a) open_length_[a] = node.usable[a] ? length[a] : kInfinity;
    paths_.run(open_length_, node.root);
    return paths_.reaches_all() ? paths_.eccentricity() : kInfinity;
  }

  static bool within(double value, double most) { return value <= most + kSameCost * std::abs(most); }

  // How far one of the two terms may grow, by its own limit and by what the cost leaves. What rounding takes is
  // relative to the terms: the room itself may be 0 beside huge ones.
  double room_of(double value, double most, double cost_room, double factor) const {
    const double by_limit = most - value + kSameCost * std::abs(most);
    const double by_cost = factor > 0 ? (cost_room + kSameCost * std::abs(target())) / factor : kInfinity;
    return std::min(by_limit, by_cost);
  }

  template <class Test>
  bool drop(Node& node, const Test& is_useless) {
    bool dropped = false;
    for (int a = 0; a < static_cast<int>(arcs_.size()); ++a) {
      if (!node.usable[a] || !is_useless(a)) continue;
      node.usable[a] = 0;
      dropped = true;
    }
    return dropped;
  }

  void expand(Node& node) {
    if (!bound(node)) return;
    // 3. Both are trees of the node, and good ones: one is short under lengths that know of weights, one is the
    // lightest.
    offer_arcs(paths_.entering());
    offer_arcs(arborescence_.entering());
    // A better tree has lowered the target.
    if (node.bound > target()) return;
    branch(node);
  }

  // (P19) The path of the lightest arborescence that no better tree can hold as a whole, with the fewest arcs to choose
  // from; empty if it leaves no choice. Where rounding hides that the longest path is such a one, it is taken all the
  // same: a tree that holds it costs at least what the arborescence costs, and that was offered.
  std::vector<int> find_path_to_break(const Node& node) {
    const std::span<const int> entering = arborescence_.entering();
    const std::vector<int> ways_in = count_ways_in(node);
    std::vector<int> best;
    bool best_closed = false;
    double longest = -1;
    for (int v = 0; v < problem_.graph.vertices; ++v) {
      double path_length = 0;
      std::vector<int> path;
      for (int u = v; u != node.root; u = arcs_[entering[u]].from) {
        path_length += length_[entering[u]];
        // An arc whose head has no other way in is in every tree of the node: forbidding it leaves none.
        if (ways_in[u] > 1) path.push_back(entering[u]);
      }
      const double with_path = goal_.length_factor * path_length + goal_.weight_factor * weight_bound_;
      const bool closed = !within(path_length, goal_.most_length) || with_path > target();
      const bool better = closed == best_closed ? (closed ? path.size() < best.size() : path_length > longest) : closed;
      if (!better) continue;
      best = path;
      best_closed = closed;
      longest = path_length;
    }
    // Found from the tip to the root, numbered from the root.
    std::reverse(best.begin(), best.end());
    return best;
  }

  std::vector<int> count_ways_in(const Node& node) const {
    std::vector<int> ways(to_index(problem_.graph.vertices), 0);
    for (std::size_t a = 0; a < arcs_.size(); ++a) ways[arcs_[a].to] += node.usable[a];
    return ways;
  }

  // A pinned edge that the lightest arborescence leaves out, or -1.
  int find_missing_pin() const {
    const std::span<const int> entering = arborescence_.entering();
    for (std::size_t e = 0; e < problem_.pinned.size(); ++e) {
      const auto arc = static_cast<int>(2 * e);
      if (problem_.pinned[e] && entering[arcs_[arc].to] != arc && entering[arcs_[arc].from] != (arc ^ 1))
        return static_cast<int>(e);
    }
    return -1;
  }

  void branch(const Node& node) {
    // 4. (P18) A child for each direction of the pinned edge, as far as that arc is still there.
    if (const int pin = find_missing_pin(); pin >= 0) {
      for (const int arc : {2 * pin, 2 * pin + 1}) {
        std::vector<char> with = node.usable;
        if (!with[arc]) continue;
        fix(with, arc);
        push(node.bound, ++last_number_, node.root, std::move(with));
      }
      return;
    }
    // 5. Child i lacks the i-th arc of the path and holds those before it: the first arc that a tree lacks says which
    // child holds the tree, so that none is searched twice.
    std::vector<char> usable = node.usable;
    for (const int arc : find_path_to_break(node)) {
      std::vector<char> without = usable;
      without[arc] = 0;
      push(node.bound, ++last_number_, node.root, std::move(without));
      fix(usable, arc);
    }
  }

  // Leaves no other way into the arc's end, and none back.
  void fix(std::vector<char>& usable, int arc) const {
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      if (arcs_[a].to == arcs_[arc].to && static_cast<int>(a) != arc) usable[a] = 0;
    }
    usable[arc ^ 1] = 0;
  }

  const Problem& problem_;
  Goal goal_;
  const ExactOptions& options_;
  std::vector<graph::Arc> arcs_;
  graph::MinimumArborescence arborescence_;
  graph::ShortestPaths paths_;
  std::vector<double> open_length_;  // by arc: infinite where the node in hand may not use it
  std::vector<double> weight_, length_, combined_;  // by arc
  double pinned_bonus_ = 0;                   // p B of (P13)
  double step_ = 0;
  double weight_bound_ = 0;                   // of the node in hand
  std::vector<std::unique_ptr<Node>> queue_;  // a heap, best bound in front
  std::int64_t last_number_ = 0;
  std::int64_t nodes_ = 0;
  std::int64_t next_look_ = -1;  // at this node; -1: never
  std::int64_t looks_ = 0;
  double first_bound_ = 0;  // at the first look
  std::int64_t first_nodes_ = 0;
  double seen_cost_ = kInfinity;  // at the last look
  std::size_t seen_open_ = 0;
  std::optional<graph::Tree> best_;
  Measure best_measure_;
  double best_cost_ = kInfinity;
};

}  // namespace

ExactResult solve_exactly(const Problem& problem, const Goal& goal, const std::optional<graph::Tree>& known,
                          const ExactOptions& options) {
  return Search(problem, goal, options).run(known);
}

FrontResult find_front(const Problem& problem, const ExactOptions& options) {
  FrontResult front;
  // "The front" of the theory page: the lightest tree of all, then the lightest that is shorter than the last one.
  Goal goal{0, 1};
  ExactOptions left = options;
  for (;;) {
    const ExactResult found = solve_exactly(problem, goal, {}, left);
    front.nodes += found.nodes;
    left.most_nodes -= found.nodes;
    if (!found.finished) return front;
    if (!found.tree) break;
    // A shorter tree of the same weight makes the last point worthless: the exact method breaks no ties by length.
    const bool same_weight =
        !front.points.empty() && found.measure.weight <= front.points.front().weight * (1 + kSameCost);
    if (same_weight) {
      front.points.front() = found.measure;
      front.trees.front() = *found.tree;
    } else {
      front.points.insert(front.points.begin(), found.measure);
      front.trees.insert(front.trees.begin(), *found.tree);
    }
    // (front.points stays sorted by L: what comes later is shorter and goes in front.)
    // Nothing is shorter than a tree without edges.
    if (found.measure.length == 0) break;
    // Limits are kept with kSameCost to spare, which must not let the last point in again.
    goal.most_length = found.measure.length * (1 - 2 * kSameCost);
  }
  front.finished = true;
  return front;
}

}  // namespace espalier::plan::detail
