#include "espalier/plan/trees.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/plan/detail/all_trees.hpp"
#include "espalier/plan/detail/pieces.hpp"
#include "espalier/plan/detail/scbst.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/plan/schedule.hpp"

namespace espalier::plan {
namespace {

using detail::Piece;
using detail::Pieces;

// A connected graph with as many trees as the pieces together have choices: pieces that share one vertex and nothing
// else multiply their numbers, and a pinned edge is in every tree, so that its ends may be one vertex.
graph::Graph joined_pieces(const std::vector<Piece>& pieces) {
  std::vector<graph::Edge> free;
  std::size_t vertices = 0;
  for (const Piece& piece : pieces) vertices += piece.vertices.size();
  DisjointSets same(vertices);
  int first = 0;
  for (const Piece& piece : pieces) {
    same.join(0, first);
    for (std::size_t e = 0; e < piece.edges.size(); ++e) {
      const graph::Edge& edge = piece.problem.graph.edges[e];
      const graph::Edge shifted = {first + edge.a, first + edge.b};
      if (piece.problem.is_pinned(static_cast<int>(e))) {
        same.join(shifted.a, shifted.b);
      } else {
        free.push_back(shifted);
      }
    }
    first += static_cast<int>(piece.vertices.size());
  }
  graph::Graph joined;
  std::vector<int> number(vertices, -1);
  for (int v = 0; v < first; ++v) {
    if (same.find(v) == v) number[to_index(v)] = joined.vertices++;
  }
  for (const graph::Edge& edge : free) {
    joined.edges.push_back({number[to_index(same.find(edge.a))], number[to_index(same.find(edge.b))]});
  }
  return joined;
}

// The edges of one tree of a piece, and the vertex it hangs on, as numbers of the network.
struct Choice {
  std::vector<int> edges;
  int root = -1;
};

// Nothing: more than `most`, or a piece too large to try.
std::optional<std::vector<Choice>> choices_of(const Piece& piece, std::size_t most) {
  // Listed on one root: on every vertex each tree would come that many times.
  detail::Problem problem = piece.problem;
  problem.root = std::max(problem.root, 0);
  const std::optional<std::vector<graph::Tree>> trees = detail::list_rooted_trees(problem, most);
  if (!trees) return std::nullopt;
  std::vector<Choice> choices;
  for (const graph::Tree& tree : *trees) {
    const std::vector<int> edges = graph::tree_edges(tree);
    Choice& choice = choices.emplace_back();
    choice.root = piece.vertices[to_index(detail::hang_best(piece.problem, edges).root)];
    for (const int e : edges) choice.edges.push_back(piece.edges[to_index(e)]);
  }
  return choices;
}

// Every combination of one choice in each piece; nothing where they are more than `most`.
std::optional<std::vector<GivenTree>> combinations(const Pieces& pieces, std::size_t most) {
  GivenTree empty;
  for (const HalfBody& half : pieces.half_bodies) empty.halves.push_back({half.edge, half.other});
  std::vector<GivenTree> all = {empty};
  for (const Piece& piece : pieces.pieces) {
    const std::optional<std::vector<Choice>> choices = choices_of(piece, most / all.size());
    if (!choices) return std::nullopt;
    std::vector<GivenTree> longer;
    for (const GivenTree& given : all) {
      for (const Choice& choice : *choices) {
        GivenTree& next = longer.emplace_back(given);
        next.edges.insert(next.edges.end(), choice.edges.begin(), choice.edges.end());
        next.roots.push_back(choice.root);
      }
    }
    all = std::move(longer);
  }
  return all;
}

tl::unexpected<Error> too_many(const std::optional<graph::TreeCount>& count, std::size_t most) {
  const std::string number = count ? graph::to_text(*count) : "uncounted";
  return make_error(ErrorCode::kLimit, {},
                    fmt::format("there are {} spanning trees; at most {} are listed, and with loops on at most 300 "
                                "edges; narrow the choice by `pin` and `cut`",
                                number, most));
}

}  // namespace

Result<std::optional<graph::TreeCount>> count_trees(const Network& network, const PlanOptions& options) {
  const Result<Pieces> pieces = detail::make_pieces(network, options);
  ESPALIER_TRY(pieces);
  return graph::count_spanning_trees(joined_pieces(pieces->pieces));
}

Result<std::optional<Bracket>> find_bracket(const Network& network, const PlanOptions& options) {
  constexpr int kMostVertices = 10'000;
  const Result<Pieces> pieces = detail::make_pieces(network, options);
  ESPALIER_TRY(pieces);
  if (!options.pin.empty() || !options.cut_body.empty() || network.graph.vertices > kMostVertices) return std::nullopt;
  Bracket bracket;
  // Pieces are computed side by side: the longest counts, and weights add up.
  const auto add = [](const Measure& piece, Measure& sum) {
    sum.length = std::max(sum.length, piece.length);
    sum.weight += piece.weight;
  };
  for (const Piece& piece : pieces->pieces) {
    const detail::Problem& problem = piece.problem;
    add(detail::measure(problem, detail::shortest_critical_branch_tree(problem)), bracket.shortest);
    const std::vector<int> lightest = graph::kruskal(problem.graph, problem.weight);
    add(detail::measure(problem, detail::hang_best(problem, lightest)), bracket.lightest);
  }
  return bracket;
}

Result<std::vector<ListedTree>> list_trees(const Network& network, const PlanOptions& options, std::size_t most) {
  const Result<Pieces> pieces = detail::make_pieces(network, options);
  ESPALIER_TRY(pieces);
  const std::optional<std::vector<GivenTree>> all = combinations(*pieces, most);
  if (!all) return too_many(graph::count_spanning_trees(joined_pieces(pieces->pieces)), most);
  std::vector<ListedTree> listed;
  for (const GivenTree& given : *all) {
    const Result<Plan> plan = plan_from_tree(network, given, options.objective, options.beta);
    ESPALIER_TRY(plan);
    // plan_from_tree() knows neither the machine nor the workers that were asked for.
    const bool by_time = options.objective == Objective::kTime;
    const double cost = by_time ? predicted_time(*plan, options.machine, options.workers).total : plan->cost;
    listed.push_back({cost, plan->measure, plan->equations, plan->tree.root, plan->cut});
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const ListedTree& a, const ListedTree& b) { return a.cost < b.cost; });
  return listed;
}

}  // namespace espalier::plan
