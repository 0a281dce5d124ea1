#include "espalier/plan/detail/exchange.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

#include "espalier/base/index.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/plan/detail/scbst.hpp"

namespace espalier::plan::detail {
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
  bool as_published;  // A2 and A3: the paper's change of cost
  bool trace;
  Neighbours neighbours;
  std::vector<int> appearance;  // by vertex: its place in the edge list
  std::vector<int> edges;       // of the tree, in increasing order
  std::vector<double> depth;    // r: the distance from the centre
  std::vector<double> below;    // the longest way down from each vertex
  double length = 0;            // L_CB
  std::vector<char> critical;   // by vertex: its parent edge lies on a longest path; not for A2 and A3
  std::vector<char> cut_off;
  std::vector<int> degree;  // d_T: in the tree without the vertices cut off
  std::vector<int> stack;   // its top is the last one
  ExchangeRun run;          // run.tree is the tree as it stands
};

// The paper numbers no ties; the order of its edge list is what reproduces its printed runs.
std::vector<int> first_appearances(const graph::Graph& graph) {
  std::vector<int> place(to_index(graph.vertices), std::numeric_limits<int>::max());
  int next = 0;
  for (const graph::Edge& edge : graph.edges) {
    for (const int v : {edge.a, edge.b}) {
      if (place[v] == std::numeric_limits<int>::max()) place[v] = next++;
    }
  }
  return place;
}

double critical_branch(const Problem& problem, const graph::Tree& tree) {
  const std::vector<double> depth = graph::depths(tree, problem.length);
  return *std::max_element(depth.begin(), depth.end());
}

double measured_cost(const State& state) { return cost({1, state.beta}, measure(state.problem, state.run.tree)); }

// Marks the longest path of the tree, from its highest vertex down on both sides; the way from the root to the farthest
// vertex where the root has to stay. An exchange that takes no edge of it leaves the radius as it is, which saves most
// exchanges from being measured.
void mark_longest_path(State& state) {
  const graph::Tree& tree = state.run.tree;
  // The two longest ways down from each vertex, over different children, and these children. `below` is complete
  // already, so that any order of the vertices serves.
  std::vector<std::array<double, 2>> reach(tree.parent.size(), {0, 0});
  std::vector<std::array<int, 2>> child(tree.parent.size(), {-1, -1});
  for (const int v : tree.order) {
    const int p = tree.parent[v];
    if (p < 0) continue;
    const double length = state.below[v] + state.problem.length[tree.parent_edge[v]];
    const std::size_t place = length > reach[p][0] ? 0 : 1;
    if (length <= reach[p][place]) continue;
    // The longest so far becomes the second.
    if (place == 0) std::swap(reach[p][0], reach[p][1]), std::swap(child[p][0], child[p][1]);
    reach[p][place] = length;
    child[p][place] = v;
  }
  // Where the root is free it is a centre, so that the longest path of the tree passes its highest vertex once.
  const auto through = [&](int v) { return reach[v][0] + reach[v][1]; };
  int top = tree.root;
  for (const int v : tree.order) {
    if (state.problem.root < 0 && through(v) > through(top)) top = v;
  }
  state.critical.assign(tree.parent.size(), 0);
  for (int v = child[top][0]; v >= 0; v = child[v][0]) state.critical[v] = 1;
  if (state.problem.root >= 0) return;
  for (int v = child[top][1]; v >= 0; v = child[v][0]) state.critical[v] = 1;
}

void update_distances(State& state) {
  state.depth = graph::depths(state.run.tree, state.problem.length);
  state.below = graph::heights(state.run.tree, state.problem.length);
  state.length = *std::max_element(state.depth.begin(), state.depth.end());
  // The paper's change of cost does not ask for it.
  if (!state.as_published) mark_longest_path(state);
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

State make_state(const Problem& problem, double beta, Start start, Sweep sweep, Keep keep) {
  const auto n = to_index(problem.graph.vertices);
  // From the shortest-path tree, leaves first: A2 and A3, of which the paper prints runs.
  const bool as_published = start == Start::kScbst && sweep != Sweep::kCentreOut;
  State state{problem,
              beta,
              sweep,
              as_published,
              keep == Keep::kRounds,
              Neighbours(problem),
              first_appearances(problem.graph),
              {},
              {},
              {},
              0,
              {},
              std::vector<char>(n, 0),
              std::vector<int>(n, 0),
              {},
              {}};
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
  // The order that makes the printed stacks of 7.2 come out: distance, the branch cut off below, first appearance.
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

// Counted always, kept only for who asked to see the rounds.
void record(State& state, Discussion discussion) {
  ++state.run.count.discussed;
  if (discussion.new_parent >= 0) ++state.run.count.exchanges;
  if (state.trace) state.run.rounds.back().discussions.push_back(std::move(discussion));
}

// Hanging a vertex on one of its own branch would close a loop and leave the rest behind.
bool is_below(const graph::Tree& tree, int vertex, int top) {
  while (vertex >= 0 && vertex != top) vertex = tree.parent[vertex];
  return vertex == top;
}

// The edges of the tree with v hung on `step`.
std::vector<int> exchanged_edges(const State& state, int v, const Step& step) {
  std::vector<int> edges = state.edges;
  edges.erase(std::lower_bound(edges.begin(), edges.end(), state.run.tree.parent_edge[v]));
  edges.insert(std::lower_bound(edges.begin(), edges.end(), step.edge), step.edge);
  return edges;
}

double lighter_by(const State& state, int v, const Step& step) {
  return state.beta * (state.problem.weight[step.edge] - state.problem.weight[state.run.tree.parent_edge[v]]);
}

// dfc of [Liu99] 6.2.1 where it is negative, else 0.
double published_change(const State& state, int v, const Step& step) {
  // (P5) with r the distance from the centre. Where v does not become the farthest, the second term is 0.
  const double lighter = lighter_by(state, v, step);
  const double longer = state.depth[step.to] + state.problem.length[step.edge] - state.length;
  // Sums of the same lengths in another order must not pass for an exchange that helps.
  if (longer <= kRounding * state.length) return std::min(lighter, 0.0);
  const double change = lighter + longer;
  return change < -kRounding * state.length ? change : 0;
}

// f_c(T') - f_c(T) of 6.1, step 2, where it is negative, else 0.
double true_change(const State& state, int v, const Step& step) {
  const double lighter = lighter_by(state, v, step);
  // A tree that keeps a longest path keeps its radius, and L can then only grow.
  if (lighter >= 0 && !state.critical[v]) return 0;
  const Problem& problem = state.problem;
  const graph::Tree tree = graph::hang_tree(problem.graph, exchanged_edges(state, v, step), state.run.tree.root);
  const double length =
      problem.root >= 0 ? critical_branch(problem, tree) : graph::find_centres(tree, problem.length).radius;
  const double change = lighter + (length - state.length);
  return change < -kSameCost * state.length ? change : 0;
}

double change_of_cost(const State& state, int v, const Step& step) {
  return state.as_published ? published_change(state, v, step) : true_change(state, v, step);
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
  // The paper's centre stays as long as it still is one, even where another has a lower number.
  if (std::binary_search(centres.begin(), centres.end(), state.run.tree.root)) return;
  state.run.tree = graph::hang_tree(state.problem.graph, state.edges, centres.front());
}

void update_stack(State& state, Discussion& discussion) {
  const int w = discussion.new_parent;
  const int u = discussion.old_parent;
  if (w == u) return;  // one of two parallel edges for the other
  // A leaf that carries v now is none any more; one that lost v becomes one, and is discussed next.
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
  state.edges = exchanged_edges(state, v, step);
  // Hung anew: the whole branch of v changes its depths, and orders follow them.
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
    if (step.edge == old_edge || !may_hang_on(state, v, step)) continue;
    discussion.change = change_of_cost(state, v, step);
    if (discussion.change == 0) continue;
    exchange(state, step, discussion);
    break;
  }
  const bool exchanged = discussion.new_parent >= 0;
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

// The rounds of A2 and A3:
// 1. all leaves of what is not cut off on the stack, in the order of the sweep
// 2. discuss one after the other; the run ends where that was the centre
// 3. cut the leaves off and go on with the tree that is left
// Steps 2 to 5 of [Liu99] 6.2.1.
void trim_to_centre(State& state) {
  for (fill_stack(state, leaves(state)); !state.stack.empty(); fill_stack(state, leaves(state))) {
    begin_round(state);
    // 2. The stack changes meanwhile: exchanges make leaves and end them.
    while (!state.stack.empty()) {
      const int v = take_top(state);
      const bool at_centre = v == state.run.tree.root;
      discuss(state, v);
      if (at_centre) return;
    }
    // 3. Those that became leaves during the round among them.
    for (const int v : leaves(state)) state.cut_off[v] = 1;
    update_degrees(state);
  }
}

// All vertices from the centre outwards, round after round. It ends: with the true change of cost every exchange
// makes the tree cheaper by more than rounding.
void sweep_outwards(State& state) {
  std::vector<int> all(to_index(state.problem.graph.vertices));
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

}  // namespace

ExchangeRun exchange_edges(const Problem& problem, double beta, Start start, Sweep sweep, Keep keep) {
  State state = make_state(problem, beta, start, sweep, keep);
  if (sweep == Sweep::kCentreOut)
    sweep_outwards(state);
  else
    trim_to_centre(state);
  state.run.cost = measured_cost(state);
  return std::move(state.run);
}

}  // namespace espalier::plan::detail
