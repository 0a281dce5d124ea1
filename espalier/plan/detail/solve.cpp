#include "espalier/plan/detail/solve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/graph/paths.hpp"
#include "espalier/plan/detail/bounds.hpp"
#include "espalier/plan/detail/exact.hpp"
#include "espalier/plan/detail/exchange.hpp"
#include "espalier/plan/detail/scbst.hpp"
#include "espalier/plan/detail/search.hpp"

namespace espalier::plan::detail {
namespace {

// The exchange methods start from a shortest-path tree of every vertex: up to here they are worth their time.
constexpr int kMostForExchange = 300;
// Nodes times arcs of the first try of branch and bound: about a tenth of a second.
constexpr double kFirstWork = 1e6;
// The same of one look at what it gains, and of the nodes that all roots take before the first look.
constexpr double kPatience = 1e6;
constexpr double kMostForRoots = 3e6;
// Branch and bound keeps one flag an arc and node in memory.
constexpr double kMostQueueBytes = 2e9;

// A proof without an end of the search: the bound has met the cost.
bool is_proved(const Goal& goal, const Solved& solved) {
  return solved.tree && cost(goal, solved.measure) <= solved.lower_bound + kSameCost * std::abs(solved.lower_bound);
}

void keep_better(const Problem& problem, const Goal& goal, Solved& best, const graph::Tree& tree, Method method) {
  const Measure found = measure(problem, tree);
  if (!is_allowed(goal, found)) return;
  // Of trees that cost the same the first one stays: the method that is named found it by itself.
  const double margin = kSameCost * std::abs(cost(goal, best.measure));
  if (best.tree && cost(goal, found) >= cost(goal, best.measure) - margin) return;
  best.tree = tree;
  best.measure = found;
  best.method = method;
}

Solved proved_tree(const Problem& problem, const Goal& goal, graph::Tree tree, Method method, std::string proof) {
  Solved solved;
  solved.measure = measure(problem, tree);
  solved.tree = std::move(tree);
  solved.lower_bound = cost(goal, solved.measure);
  solved.proved = true;
  solved.method = method;
  solved.proof = std::move(proof);
  return solved;
}

bool has_limits(const Goal& goal) { return std::isfinite(goal.most_length) || std::isfinite(goal.most_weight); }

// Goals that need no search: one tree only, weight alone, length alone.
std::optional<Solved> solve_directly(const Problem& problem, const Goal& goal) {
  // 1. As many edges as a tree has are the tree.
  const auto edges = problem.graph.edges.size();
  if (edges + 1 == to_index(problem.graph.vertices)) {
    graph::Tree tree = hang_best(problem, graph::kruskal(problem.graph, problem.weight));
    if (!is_allowed(goal, measure(problem, tree))) return std::nullopt;
    return proved_tree(problem, goal, std::move(tree), Method::kKruskal, "there are no loops, hence no other tree");
  }
  if (has_limits(goal)) return std::nullopt;
  // 2. W alone; pins are taken first, which leaves the lightest tree of those that hold them.
  if (goal.length_factor == 0) {
    const std::vector<int> lightest = graph::kruskal(problem.graph, problem.weight, problem.pinned);
    return proved_tree(problem, goal, hang_best(problem, lightest), Method::kKruskal,
                       "Kruskal's method gives the lightest tree");
  }
  // 3. L alone: no tree reaches a vertex on a way shorter than the shortest. Pins may forbid such ways.
  if (goal.weight_factor == 0 && problem.pinned.empty()) {
    graph::ShortestPaths paths(problem.graph);
    paths.set_length(problem.length);
    const int centre = problem.root >= 0 ? problem.root : graph::find_radius(paths).centre;
    paths.run(centre);
    return proved_tree(problem, goal, paths.tree(), Method::kA1,
                       "the shortest-path tree of the graph's centre has the shortest critical branch");
  }
  return std::nullopt;
}

// The tree of one of the papers' methods, whatever the goal.
std::optional<graph::Tree> tree_of(const Problem& problem, const Goal& goal, const PlanOptions& options,
                                   Solved& solved) {
  const graph::Adjacency adjacency(problem.graph);
  const int n = problem.graph.vertices;
  const int root = std::max(problem.root, 0);
  const auto exchange = [&](Start start, Sweep sweep) {
    // The paper's methods know L + beta W alone. A goal without L has no such beta and takes the one of the options.
    const double beta = goal.length_factor > 0 ? goal.weight_factor / goal.length_factor : options.beta;
    ExchangeRun run = exchange_edges(problem, beta, start, sweep);
    solved.exchanges = run.count;
    return std::move(run.tree);
  };
  switch (options.method) {
    case Method::kA1:
      return shortest_critical_branch_tree(problem);
    case Method::kA2:
      return exchange(Start::kScbst, Sweep::kNear);
    case Method::kA3:
      return exchange(Start::kScbst, Sweep::kFar);
    case Method::kExchange:
      return exchange(options.start, options.sweep);
    case Method::kDfs:
      return hang_best(problem, graph::tree_edges(graph::depth_first_tree(adjacency, n, root)));
    case Method::kBfs:
      return hang_best(problem, graph::tree_edges(graph::breadth_first_tree(adjacency, n, root)));
    case Method::kPrim:
      return hang_best(problem, graph::prim(adjacency, n, problem.weight, root));
    case Method::kKruskal:
      return hang_best(problem, graph::kruskal(problem.graph, problem.weight, problem.pinned));
    case Method::kAuto:
    case Method::kExact:
    case Method::kSearch:
      break;
  }
  return std::nullopt;
}

void try_search(const Problem& problem, const Goal& goal, const PlanOptions& options, const std::function<bool()>& stop,
                Solved& solved) {
  SearchOptions search;
  search.seed = options.seed;
  search.stop = stop;
  const SearchResult found = search_tree(problem, goal, search);
  // The search may end with a tree that is beyond the limits; its bound holds all the same.
  if (found.tree) keep_better(problem, goal, solved, *found.tree, Method::kSearch);
  solved.lower_bound = std::max(solved.lower_bound, found.bounds.lb10);
  if (!is_proved(goal, solved)) return;
  solved.proved = true;
  solved.proof = "the lower bound meets the cost";
}

// For any goal: with limits or one factor alone their trees are still good starts, at beta 1.
void try_exchanges(const Problem& problem, const Goal& goal, Solved& solved) {
  const double beta = goal.length_factor > 0 && goal.weight_factor > 0 ? goal.weight_factor / goal.length_factor : 1.0;
  for (const auto& [sweep, method] : {std::pair(Sweep::kNear, Method::kA2), std::pair(Sweep::kFar, Method::kA3)}) {
    keep_better(problem, goal, solved, exchange_edges(problem, beta, Start::kScbst, sweep).tree, method);
  }
}

void try_exact(const Problem& problem, const Goal& goal, const PlanOptions& options, const std::function<bool()>& stop,
               double most_nodes, double patience, Solved& solved) {
  ExactOptions limits;
  limits.most_nodes = static_cast<std::int64_t>(std::max(1.0, most_nodes));
  limits.patience = static_cast<std::int64_t>(patience);
  limits.stop = stop;
  limits.watch = options.watch;
  // The best tree so far is the first target.
  const ExactResult found = solve_exactly(problem, goal, solved.tree, limits);
  solved.nodes = found.nodes;
  if (found.tree) keep_better(problem, goal, solved, *found.tree, Method::kExact);
  solved.lower_bound = std::max(solved.lower_bound, found.lower_bound);
  solved.proved = found.finished || is_proved(goal, solved);
  const std::string nodes = counted(to_index(found.nodes), "node");
  if (found.finished) {
    solved.proof = found.nodes == 1 ? "branch and bound closed its only node"
                                    : fmt::format("branch and bound closed all of its {}", nodes);
  } else if (solved.proved) {
    solved.proof = "the lower bound meets the cost";
  } else {
    const bool by_clock = found.nodes < limits.most_nodes;
    solved.proof = fmt::format("not proved: branch and bound ended {} after {}",
                               found.gave_up ? "where it gained no more,"
                               : by_clock    ? "at the time limit"
                                             : "at its limit of work",
                               nodes);
  }
}

// Cheap things first: on most mechanisms branch and bound ends at once from a tree of the papers, and the search, which
// takes longer than that, is for the others.
Solved solve_by_ourselves(const Problem& problem, const Goal& goal, const PlanOptions& options,
                          const std::function<bool()>& stop) {
  // 1. Nothing to search.
  if (std::optional<Solved> direct = solve_directly(problem, goal)) return *std::move(direct);
  Solved solved;
  solved.method = options.method;
  const double arcs = 2.0 * static_cast<double>(problem.graph.edges.size());
  const double roots = problem.root >= 0 ? 1 : problem.graph.vertices;
  // 2. The papers' trees, and a short proof from them.
  if (options.method != Method::kSearch && problem.graph.vertices <= kMostForExchange) {
    try_exchanges(problem, goal, solved);
    try_exact(problem, goal, options, stop, kFirstWork / arcs, 0, solved);
    if (solved.proved) return solved;
  }
  // 3. The search, whose bound may meet its cost.
  try_search(problem, goal, options, stop, solved);
  if (solved.proved) return solved;
  // 4. A long proof. Each root costs a node: without enough of them nothing can be proved.
  if (options.method == Method::kAuto && roots * arcs < kMostForRoots) {
    try_exact(problem, goal, options, stop, kAutoWork / arcs, std::max(1.0, kPatience / arcs), solved);
  } else if (options.method == Method::kExact) {
    // A flag for each arc, and some 100 bytes for the node itself.
    try_exact(problem, goal, options, stop, kMostQueueBytes / (arcs + 100), 0, solved);
  } else {
    solved.proof = options.method == Method::kSearch ? "not proved: search looks for no proof"
                                                     : "not proved: the graph is too large for branch and bound";
  }
  return solved;
}

// The tree is the paper's whatever the goal is; what it costs and how far from the optimum it may be is ours to say.
Solved solve_by_paper(const Problem& problem, const Goal& goal, const PlanOptions& options) {
  Solved solved;
  solved.method = options.method;
  solved.tree = tree_of(problem, goal, options, solved);
  solved.measure = measure(problem, *solved.tree);
  // (P10) of the goal without its limits, which make no bound wrong.
  solved.lower_bound = find_bounds(problem, goal).lb10;
  solved.proved = is_proved(goal, solved) && is_allowed(goal, solved.measure);
  solved.proof = solved.proved ? "the lower bound meets the cost"
                               : fmt::format("not proved: {} looks for no proof", to_string(options.method));
  return solved;
}

}  // namespace

Solved solve(const Problem& problem, const Goal& goal, const PlanOptions& options, const std::function<bool()>& stop) {
  const bool own =
      options.method == Method::kAuto || options.method == Method::kExact || options.method == Method::kSearch;
  return own ? solve_by_ourselves(problem, goal, options, stop) : solve_by_paper(problem, goal, options);
}

}  // namespace espalier::plan::detail
