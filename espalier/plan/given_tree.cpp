#include "espalier/plan/plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/plan/detail/plan_cost.hpp"
#include "espalier/plan/schedule.hpp"

namespace espalier::plan {
namespace {

std::string quoted_edge(const Network& network, int edge) { return in_quotes(edge_name(network, edge)); }
std::string quoted_vertex(const Network& network, int vertex) { return in_quotes(vertex_name(network, vertex)); }

// The tree is data of the user, not an option.
tl::unexpected<Error> no_tree(std::string message) { return make_error(ErrorCode::kTopology, {}, std::move(message)); }

// A file may say anything: numbers are looked at before anything is indexed by them.
Result<void> check_numbers(const Network& network, const GivenTree& given) {
  const auto vertex = [&](int v) { return v >= 0 && v < network.graph.vertices; };
  const auto edge = [&](int e) { return e >= 0 && e < static_cast<int>(network.graph.edges.size()); };
  const bool halves = std::all_of(given.halves.begin(), given.halves.end(),
                                  [&](const GivenTree::Half& half) { return edge(half.edge) && vertex(half.body); });
  if (halves && std::all_of(given.edges.begin(), given.edges.end(), edge) &&
      std::all_of(given.roots.begin(), given.roots.end(), vertex)) {
    return {};
  }
  return no_tree("the tree names a vertex or an edge that is not there");
}

// The joint `edge` ends at a new half of `body`, its end b.
int add_half(Plan& plan, int edge, int body) {
  Network& network = plan.network;
  const int vertex = network.graph.vertices++;
  plan.half_bodies.push_back({vertex, body, edge});
  if (!network.vertex_names.empty()) network.vertex_names.push_back(network.vertex_names[body] + " (half)");
  network.graph.edges[edge].b = vertex;
  return vertex;
}

Result<void> cut_bodies(const GivenTree& given, Plan& plan) {
  Network& network = plan.network;
  // Halves get numbers behind the bodies; a joint that ends at one has had its body cut.
  const int bodies = network.graph.vertices;
  for (const GivenTree::Half& half : given.halves) {
    graph::Edge& edge = network.graph.edges[half.edge];
    if (edge.a == half.body) std::swap(edge.a, edge.b);
    if (edge.b != half.body || edge.a >= bodies) {
      return no_tree(fmt::format("{} cannot be cut in two at {}: it does not end there, or is cut there already",
                                 quoted_vertex(network, half.body), quoted_edge(network, half.edge)));
    }
    add_half(plan, half.edge, half.body);
  }
  return {};
}

// Whether the edges are a spanning forest: no loop, and together what the network has together.
Result<void> check_spanning(const Network& before, const Network& network, const std::vector<int>& edges) {
  const auto n = to_index(network.graph.vertices);
  DisjointSets whole(n), tree(n);
  for (const graph::Edge& edge : network.graph.edges) whole.join(edge.a, edge.b);
  // Halves hang together by a weld, not by an edge: what was one before they were cut must be one after it.
  for (const graph::Edge& edge : before.graph.edges) whole.join(edge.a, edge.b);
  for (const int e : edges) {
    const graph::Edge& edge = network.graph.edges[e];
    if (!tree.join(edge.a, edge.b)) {
      return no_tree(
          fmt::format("the tree is no tree: {} closes a loop with the joints before it, or stands twice; cut "
                      "one of them",
                      quoted_edge(network, e)));
    }
  }
  for (int v = 0; v < network.graph.vertices; ++v) {
    if (tree.find(v) == whole.find(v)) continue;
    return no_tree(fmt::format("the tree does not reach {} from {}; a joint between them is missing in it",
                               quoted_vertex(network, v), quoted_vertex(network, whole.find(v))));
  }
  return {};
}

// By vertex, the tree edges at it.
std::vector<std::vector<int>> edges_at(const Network& network, const std::vector<int>& edges) {
  std::vector<std::vector<int>> edges_of(to_index(network.graph.vertices));
  for (const int e : edges) {
    edges_of[network.graph.edges[e].a].push_back(e);
    edges_of[network.graph.edges[e].b].push_back(e);
  }
  return edges_of;
}

// Hangs one piece on its root; the vertices in the order they were found.
std::vector<int> hang(const Network& network, const std::vector<std::vector<int>>& at, int root, graph::Tree& tree) {
  std::vector<int> found = {root};
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const int e : at[found[k]]) {
      if (e == tree.parent_edge[found[k]]) continue;
      const graph::Edge& edge = network.graph.edges[e];
      const int child = edge.a == found[k] ? edge.b : edge.a;
      tree.parent[child] = found[k];
      tree.parent_edge[child] = e;
      found.push_back(child);
    }
  }
  return found;
}

// The vertices of all pieces in the order of the edges as they were given, where that puts parents first.
void order_as_given(const Network& network, const std::vector<int>& edges, const std::vector<int>& piece_of,
                    std::vector<std::vector<int>>& orders, const graph::Tree& tree) {
  // The saved order is the one that dynamics numbers its coordinates by: reading a plan back must not change it.
  std::vector<std::vector<int>> given(orders.size());
  std::vector<char> placed(tree.parent.size(), 0), sound(orders.size(), 1);
  for (std::size_t p = 0; p < orders.size(); ++p) {
    given[p].push_back(orders[p][0]);
    placed[orders[p][0]] = 1;
  }
  for (const int e : edges) {
    const graph::Edge& edge = network.graph.edges[e];
    const int child = tree.parent_edge[edge.b] == e ? edge.b : edge.a;
    const int piece = piece_of[child];
    // A child before its parent: the edges are in no order of use, and the one they were found in stays.
    if (placed[tree.parent[child]] == 0) sound[piece] = 0;
    given[piece].push_back(child);
    placed[child] = 1;
  }
  for (std::size_t p = 0; p < orders.size(); ++p) {
    if (sound[p] != 0) orders[p] = std::move(given[p]);
  }
}

// One root for each piece, the pieces by lowest vertex.
Result<void> hang_all(const GivenTree& given, Plan& plan) {
  const Network& network = plan.network;
  const auto n = to_index(network.graph.vertices);
  plan.tree.parent.assign(n, -1);
  plan.tree.parent_edge.assign(n, -1);
  // By the edges of the tree, which spans: its pieces are those of the network.
  DisjointSets pieces(n);
  for (const int e : given.edges) pieces.join(network.graph.edges[e].a, network.graph.edges[e].b);
  std::vector<int> root_of(n, -1);
  for (const int root : given.roots) {
    int& there = root_of[pieces.find(root)];
    if (there >= 0) {
      return no_tree(fmt::format("{} and {} are both roots of one tree; keep one", quoted_vertex(network, there),
                                 quoted_vertex(network, root)));
    }
    there = root;
  }
  const std::vector<std::vector<int>> at = edges_at(network, given.edges);
  std::vector<std::vector<int>> orders;
  std::vector<int> piece_of(n, -1);
  for (int v = 0; v < network.graph.vertices; ++v) {
    if (pieces.find(v) != v) continue;
    if (root_of[v] < 0) return no_tree(fmt::format("no root is given for the piece of {}", quoted_vertex(network, v)));
    orders.push_back(hang(network, at, root_of[v], plan.tree));
    plan.roots.push_back(root_of[v]);
    for (const int w : orders.back()) piece_of[w] = static_cast<int>(orders.size()) - 1;
  }
  order_as_given(network, given.edges, piece_of, orders, plan.tree);
  std::size_t largest = 0;
  for (std::size_t p = 0; p < orders.size(); ++p) {
    plan.tree.order.insert(plan.tree.order.end(), orders[p].begin(), orders[p].end());
    if (orders[p].size() > orders[largest].size()) largest = p;
  }
  plan.tree.root = plan.roots[largest];
  return {};
}

double cost_of(const Plan& plan) {
  const Meaning meaning = meaning_of(plan.objective, plan.beta);
  switch (meaning.unit) {
    case Meaning::Unit::kLengthAndWeight:
      // (P1)
      return meaning.length_factor * plan.measure.length + meaning.weight_factor * plan.measure.weight;
    case Meaning::Unit::kYesOrNo:
      // Both factors are 0: W is what is shown beside a yes or no.
      return plan.measure.weight;
    case Meaning::Unit::kEquations:
      return plan.equations.value_or(0);
    case Meaning::Unit::kSeconds:
      return predicted_time(plan).total;
  }
  return 0;
}

void measure_plan(Plan& plan) {
  // Along the order of the forest, so that the root of every piece counts as depth 0.
  const std::vector<double> depth = graph::depths(plan.tree, plan.network.length);
  plan.measure = {*std::max_element(depth.begin(), depth.end()), 0};
  for (const int e : graph::tree_edges(plan.tree)) plan.measure.weight += plan.network.weight[e];
  if (!plan.network.freedom.empty() || plan.network.ground >= 0) {
    plan.equations = detail::count_equations(plan);
    plan.cost_sequential = detail::sequential_cost(plan, PlanOptions().exponent);
    plan.cost_parallel = detail::parallel_cost(plan, PlanOptions().exponent);
  }
  plan.cost = cost_of(plan);
}

}  // namespace

Result<Plan> plan_from_tree(const Network& network, const GivenTree& given, Objective objective, double beta) {
  for (const Result<void>& checked : {check_network(network), check_numbers(network, given)}) ESPALIER_TRY(checked);
  Plan plan;
  plan.objective = objective;
  plan.beta = beta;
  plan.proof = "the tree was given; nothing is known of better ones";
  plan.network = network;
  const Result<void> halves = cut_bodies(given, plan);
  ESPALIER_TRY(halves);
  const Result<void> spanning = check_spanning(network, plan.network, given.edges);
  ESPALIER_TRY(spanning);
  const Result<void> hung = hang_all(given, plan);
  ESPALIER_TRY(hung);
  plan.cut = graph::chords(plan.tree, plan.network.graph.edges.size());
  measure_plan(plan);
  return plan;
}

Plan keep_joints(Plan plan, const std::vector<GivenTree::Half>& halves) {
  if (halves.empty()) return plan;
  for (const GivenTree::Half& half : halves) {
    const auto place = std::find(plan.cut.begin(), plan.cut.end(), half.edge);
    ESPALIER_CHECK(place != plan.cut.end(), "the joint to keep is cut");
    plan.cut.erase(place);
    graph::Edge& ends = plan.network.graph.edges[half.edge];
    if (ends.a == half.body) std::swap(ends.a, ends.b);
    ESPALIER_CHECK(ends.b == half.body && ends.a != half.body, "the body is one end of the joint");
    // The half is a leaf behind all others, so that the order of the tree stays as it was.
    const int vertex = add_half(plan, half.edge, half.body);
    plan.tree.parent.push_back(ends.a);
    plan.tree.parent_edge.push_back(half.edge);
    plan.tree.order.push_back(vertex);
  }
  // What was proved was proved of another network.
  plan.optimal = false;
  plan.lower_bound = 0;
  plan.proof = "bodies are cut in two to keep joints; nothing is known of better trees";
  measure_plan(plan);
  return plan;
}

}  // namespace espalier::plan
