#include "espalier/plan/exchange.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "espalier/graph/shortest_paths.hpp"

namespace espalier::plan {
namespace {

using Step = graph::Adjacency::Step;

// How far two sums of the same lengths may stand apart, relative to the critical branch.
constexpr double kRounding = 1e-12;

// The neighbours p(j, i) of [Liu99] 6.2.1: by weight, equal ones in edge order.
class Neighbours {
 public:
  explicit Neighbours(const Problem& problem) : first_(1, 0) {
    const graph::Adjacency adjacency(problem.graph);
    for (int v = 0; v < problem.graph.vertices; ++v) {
      const std::span<const Step> incident = adjacency.incident(v);
      const auto begin = steps_.insert(steps_.end(), incident.begin(), incident.end());
      std::stable_sort(begin, steps_.end(),
                       [&](const Step& a, const Step& b) { return problem.weight[a.edge] < problem.weight[b.edge]; });
      first_.push_back(steps_.size());
    }
  }
  std::span<const Step> of(int vertex) const {
    return {steps_.data() + first_[vertex], first_[vertex + 1] - first_[vertex]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Step> steps_;
};

struct State {
  const Problem& problem;
  double beta;
  Sweep sweep;
  bool trace;
  Neighbours neighbours;
  std::vector<int> appearance;  // by vertex: its place in the edge list
  std::vector<int> edges;       // of the tree, in increasing order
  std::vector<double> depth;    // r: the distance from the centre
  std::vector<double> below;    // the longest way down from each vertex
  double length = 0;            // L_CB
  std::vector<char> cut_off;
  std::vector<int> degree;  // d_T: in the tree without the vertices cut off
  std::vector<int> stack;   // its top is the last one
  ExchangeRun run;          // run.tree is the tree as it stands
};

std::vector<int> first_appearances(const graph::Graph& graph) {
  std::vector<int> place(static_cast<std::size_t>(graph.vertices), std::numeric_limits<int>::max());
  int next = 0;
  for (const graph::Edge& edge : graph.edges) {
    for (const int v : {edge.a, edge.b}) {
      if (place[v] == std::numeric_limits<int>::max()) place[v] = next++;
    }
  }
  return place;
}

double measured_cost(const State& state) { return cost({1, state.beta}, measure(state.problem, state.run.tree)); }

void update_distances(State& state) {
  state.depth = graph::depths(state.run.tree, state.problem.length);
  state.below = graph::heights(state.run.tree, state.problem.length);
  state.length = *std::max_element(state.depth.begin(), state.depth.end());
}

void update_degrees(State& state) {
  const graph::Tree& tree = state.run.tree;
  std::fill(state.degree.begin(), state.degree.end(), 0);
  for (std::size_t v = 0; v < tree.parent.size(); ++v) {
    const int parent = tree.parent[v];
    if (parent < 0 || state.cut_off[v] || state.cut_off[parent]) continue;
    ++state.degree[v];
    ++state.degree[parent];
  }
}

// The root that was asked for is no leaf, however few joints it has.
bool is_leaf(const State& state, int v) { return state.degree[v] == 1 && v != state.problem.root; }

State make_state(const Problem& problem, double beta, Start start, Sweep sweep, bool trace) {
  const auto n = static_cast<std::size_t>(problem.graph.vertices);
  State state{problem, beta, sweep, trace, Neighbours(problem),     first_appearances(problem.graph),
              {},      {},   {},    0,     std::vector<char>(n, 0), std::vector<int>(n, 0),
              {},      {}};
  state.run.start = start == Start::kScbst
                        ? shortest_critical_branch_tree(problem)
                        : hang_best(problem, graph::kruskal(problem.graph, problem.weight, problem.pinned));
  state.run.tree = state.run.start;
  state.edges = graph::tree_edges(state.run.tree);
  state.run.start_cost = state.run.accumulated = measured_cost(state);
  update_distances(state);
  update_degrees(state);
  return state;
}

// Puts these vertices on the empty stack, the one to be discussed first on top.
void fill_stack(State& state, std::vector<int> vertices) {
  const auto farther = [&](int a, int b) {
    if (state.depth[a] != state.depth[b]) return state.depth[a] > state.depth[b];
    if (state.below[a] != state.below[b]) return state.below[a] < state.below[b];
    return state.appearance[a] < state.appearance[b];
  };
  std::sort(vertices.begin(), vertices.end(), farther);
  if (state.sweep == Sweep::kFar) std::reverse(vertices.begin(), vertices.end());
  state.stack = std::move(vertices);
}

void begin_round(State& state) {
  ++state.run.count.rounds;
  if (state.trace) state.run.rounds.push_back({{state.stack.rbegin(), state.stack.rend()}, {}});
}

int take_top(State& state) {
  const int v = state.stack.back();
  state.stack.pop_back();
  return v;
}

void record(State& state, Discussion discussion) {
  ++state.run.count.discussed;
  if (discussion.new_parent >= 0) ++state.run.count.exchanges;
  if (state.trace) state.run.rounds.back().discussions.push_back(std::move(discussion));
}

bool is_below(const graph::Tree& tree, int vertex, int top) {
  while (vertex >= 0 && vertex != top) vertex = tree.parent[vertex];
  return vertex == top;
}

// dfc of hanging v on `step`, or 0 where that lowers nothing.
double change_of_cost(const State& state, int v, const Step& step) {
  const Problem& problem = state.problem;
  const double lighter = state.beta * (problem.weight[step.edge] - problem.weight[state.run.tree.parent_edge[v]]);
  double candidate = state.depth[step.to] + problem.length[step.edge];
  if (state.sweep == Sweep::kCentreOut) candidate += state.below[v];
  const double longer = candidate - state.length;
  if (longer <= kRounding * state.length) return std::min(lighter, 0.0);
  const double change = lighter + longer;
  return change < -kRounding * state.length ? change : 0;
}

// Whether v may hang on the far end of this edge and the tree is one still.
bool may_hang_on(const State& state, int v, const Step& step) {
  if (state.cut_off[step.to]) return false;
  // Only where nothing is cut off can a vertex below v be tried.
  return state.sweep != Sweep::kCentreOut || !is_below(state.run.tree, step.to, v);
}

void keep_or_move_centre(State& state) {
  if (state.problem.root >= 0) return;
  const std::vector<int> centres = graph::find_centres(state.run.tree, state.problem.length).vertices;
  if (std::binary_search(centres.begin(), centres.end(), state.run.tree.root)) return;
  state.run.tree = graph::hang_tree(state.problem.graph, state.edges, centres.front());
}

void update_stack(State& state, Discussion& discussion) {
  const int w = discussion.new_parent;
  const int u = discussion.old_parent;
  if (w == u) return;  // one of two parallel edges for the other
  if (is_leaf(state, w) && std::erase(state.stack, w) > 0) discussion.deleted.push_back(w);
  ++state.degree[w];
  --state.degree[u];
  if (is_leaf(state, u)) {
    state.stack.push_back(u);
    discussion.pushed.push_back(u);
  }
}

void exchange(State& state, const Step& step, Discussion& discussion) {
  graph::Tree& tree = state.run.tree;
  const int v = discussion.vertex;
  discussion.old_parent = tree.parent[v];
  discussion.new_parent = step.to;
  if (state.sweep != Sweep::kCentreOut) update_stack(state, discussion);
  state.edges.erase(std::lower_bound(state.edges.begin(), state.edges.end(), tree.parent_edge[v]));
  state.edges.insert(std::lower_bound(state.edges.begin(), state.edges.end(), step.edge), step.edge);
  tree = graph::hang_tree(state.problem.graph, state.edges, tree.root);
  keep_or_move_centre(state);
  update_distances(state);
  state.run.accumulated += discussion.change;
  discussion.centre = tree.root;
  discussion.accumulated = state.run.accumulated;
  if (state.trace) discussion.measured = measured_cost(state);
}

// Whether v has to stay where it hangs.
bool is_held(const State& state, int v) {
  const graph::Tree& tree = state.run.tree;
  if (v == tree.root || state.problem.is_pinned(tree.parent_edge[v])) return true;
  // A centre that moved into what is cut off turns the tree around: then all the rest hangs below v, and no exchange
  // leaves a tree.
  return state.cut_off[tree.parent[v]] != 0;
}

// Step 3b of [Liu99] 6.2.1. True if an edge was exchanged.
bool discuss(State& state, int v) {
  const int old_edge = state.run.tree.parent_edge[v];
  Discussion discussion;
  discussion.vertex = v;
  for (const Step& step : is_held(state, v) ? std::span<const Step>() : state.neighbours.of(v)) {
    if (state.problem.weight[step.edge] >= state.problem.weight[old_edge]) break;
    discussion.change = change_of_cost(state, v, step);
    if (discussion.change >= 0 || !may_hang_on(state, v, step)) continue;
    exchange(state, step, discussion);
    break;
  }
  const bool exchanged = discussion.new_parent >= 0;
  if (!exchanged) discussion.change = 0;
  record(state, std::move(discussion));
  return exchanged;
}

std::vector<int> leaves(const State& state) {
  std::vector<int> found;
  for (int v = 0; v < state.problem.graph.vertices; ++v) {
    if (is_leaf(state, v)) found.push_back(v);
  }
  return found;
}

// Steps 2 to 5 of [Liu99] 6.2.1.
void trim_to_centre(State& state) {
  for (fill_stack(state, leaves(state)); !state.stack.empty(); fill_stack(state, leaves(state))) {
    begin_round(state);
    while (!state.stack.empty()) {
      const int v = take_top(state);
      const bool at_centre = v == state.run.tree.root;
      discuss(state, v);
      if (at_centre) return;
    }
    for (const int v : leaves(state)) state.cut_off[v] = 1;
    update_degrees(state);
  }
}

void sweep_outwards(State& state) {
  std::vector<int> all(static_cast<std::size_t>(state.problem.graph.vertices));
  std::iota(all.begin(), all.end(), 0);
  for (bool changed = all.size() > 1; changed;) {
    fill_stack(state, all);
    std::erase(state.stack, state.run.tree.root);
    begin_round(state);
    changed = false;
    while (!state.stack.empty()) {
      const int v = take_top(state);
      // The centre may have moved here since the round began.
      if (v != state.run.tree.root && discuss(state, v)) changed = true;
    }
  }
}

// The pinned edges first, then the tree's own from its root outwards, as far as they close no loop.
graph::Tree hold_pinned(const Problem& problem, const graph::Tree& tree) {
  if (problem.pinned.empty()) return tree;
  std::vector<double> place(problem.graph.edges.size(), std::numeric_limits<double>::infinity());
  for (std::size_t k = 1; k < tree.order.size(); ++k) place[tree.parent_edge[tree.order[k]]] = static_cast<double>(k);
  return graph::hang_tree(problem.graph, graph::kruskal(problem.graph, place, problem.pinned), tree.root);
}

// Where several ways are the shortest, the parent of the lowest number is taken.
graph::Tree grow_tree(const Problem& problem, graph::ShortestPaths& paths, int source) {
  paths.run(problem.length, source);
  graph::Tree tree = paths.tree();
  const std::span<const double> distance = paths.distance();
  const auto offer = [&](int edge, int from, int to) {
    if (to == source || distance[from] + problem.length[edge] != distance[to]) return;
    if (from > tree.parent[to] || (from == tree.parent[to] && edge >= tree.parent_edge[to])) return;
    tree.parent[to] = from;
    tree.parent_edge[to] = edge;
  };
  for (int e = 0; e < static_cast<int>(problem.graph.edges.size()); ++e) {
    const graph::Edge& edge = problem.graph.edges[e];
    offer(e, edge.a, edge.b);
    offer(e, edge.b, edge.a);
  }
  return hold_pinned(problem, tree);
}

double critical_branch(const Problem& problem, const graph::Tree& tree) {
  const std::vector<double> depth = graph::depths(tree, problem.length);
  return *std::max_element(depth.begin(), depth.end());
}

// After a run from u: no vertex v has its farthest one nearer than d(u, v), nor nearer than ecc(u) - d(u, v).
void raise_bounds(const graph::ShortestPaths& paths, std::vector<double>& at_least) {
  const double eccentricity = paths.eccentricity();
  for (std::size_t v = 0; v < at_least.size(); ++v) {
    const double distance = paths.distance()[v];
    at_least[v] = std::max({at_least[v], distance, eccentricity - distance});
  }
}

}  // namespace

graph::Tree shortest_critical_branch_tree(const Problem& problem) {
  graph::ShortestPaths paths(problem.graph);
  if (problem.root >= 0) return grow_tree(problem, paths, problem.root);

  constexpr double kDone = std::numeric_limits<double>::infinity();
  std::vector<double> at_least(static_cast<std::size_t>(problem.graph.vertices), 0);  // eccentricity, by vertex
  graph::Tree best;
  double best_radius = std::numeric_limits<double>::infinity();
  while (true) {
    // The lowest bound is next: its vertex may be a centre, and others are bounded by what its run shows.
    const auto bound = std::min_element(at_least.begin(), at_least.end());
    if (*bound > best_radius * (1 + kRounding)) break;
    const int v = static_cast<int>(bound - at_least.begin());
    const bool only_as_good = *bound >= best_radius * (1 - kRounding);
    if (!only_as_good || v < best.root) {
      graph::Tree tree = grow_tree(problem, paths, v);
      const double radius = critical_branch(problem, tree);
      if (radius < best_radius * (1 - kRounding) || (radius <= best_radius * (1 + kRounding) && v < best.root)) {
        best = std::move(tree);
        best_radius = radius;
      }
      raise_bounds(paths, at_least);
    }
    *bound = kDone;
  }
  return problem.pinned.empty() ? best : hang_best(problem, graph::tree_edges(best));
}

ExchangeRun exchange_edges(const Problem& problem, double beta, Start start, Sweep sweep, bool trace) {
  State state = make_state(problem, beta, start, sweep, trace);
  if (sweep == Sweep::kCentreOut)
    sweep_outwards(state);
  else
    trim_to_centre(state);
  state.run.cost = measured_cost(state);
  return std::move(state.run);
}

}  // namespace espalier::plan
