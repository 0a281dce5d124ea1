#include "espalier/plan/explain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/plan/detail/pieces.hpp"
#include "espalier/plan/detail/plan_cost.hpp"
#include "espalier/plan/schedule.hpp"

namespace espalier::plan {
namespace {

using detail::Goal;
using detail::Piece;
using detail::Problem;

// A piece of the plan with its tree, in the piece's own numbers.
struct Part {
  Piece piece;
  std::vector<int> tree;
  int root = -1;
  double length = 0;  // L of this part
  double others = 0;  // L of all other parts
  bool holds_ground = false;
};

struct Explainer {
  const Plan& plan;
  const PlanOptions& options;
  Goal goal;
  double tolerance;
  std::vector<Part> parts;
  std::vector<int> part_of;     // by vertex of the network
  std::vector<int> local_edge;  // by edge of the network
  std::size_t visits_left = 0;
};

double limit_of(Limit limit, const std::optional<double>& asked, double kept) {
  if (limit == Limit::kSmallest) return kept;
  return limit == Limit::kAsked && asked ? *asked : std::numeric_limits<double>::infinity();
}

// The limits of an objective that the plan keeps, and what it makes small.
Goal goal_of(const Plan& plan, const PlanOptions& options) {
  const Meaning meaning = meaning_of(plan.objective, plan.beta);
  return {meaning.length_factor, meaning.weight_factor,
          limit_of(meaning.length_limit, options.max_length, plan.measure.length),
          limit_of(meaning.weight_limit, options.max_weight, plan.measure.weight)};
}

bool is_timed(const Plan& plan) { return meaning_of(plan.objective).unit == Meaning::Unit::kSeconds; }

// The pieces of the network as it was planned, with the edges that were cut by force.
// A plan does not keep its pieces: they follow from its network and the wishes again.
std::vector<Piece> pieces_of(const Plan& plan, const PlanOptions& options) {
  // Bodies are cut in the plan's network already; forced cuts stay edges here, as one may ask what they cost.
  PlanOptions kept;
  kept.objective = options.objective;
  kept.pin = options.pin;
  kept.root = options.root;
  kept.free_root = options.free_root;
  Result<detail::Pieces> pieces = detail::make_pieces(plan.network, kept);
  ESPALIER_CHECK(pieces.has_value(), "a plan's network falls into the pieces it was planned in");
  return std::move(pieces->pieces);
}

// Edges in the piece's numbers, which are increasing as those of the network are.
Part make_part(const Plan& plan, Piece piece, const std::vector<char>& in_tree, const std::vector<double>& depth) {
  Part part;
  for (std::size_t e = 0; e < piece.edges.size(); ++e) {
    if (in_tree[piece.edges[e]]) part.tree.push_back(static_cast<int>(e));
  }
  for (const int v : piece.vertices) {
    part.length = std::max(part.length, depth[v]);
    part.holds_ground |= v == plan.network.ground;
    if (plan.tree.parent[v] < 0) part.root = v;
  }
  part.piece = std::move(piece);
  return part;
}

Explainer make_explainer(const Plan& plan, const PlanOptions& options) {
  Explainer explainer{plan, options, goal_of(plan, options), 0, {}, {}, {}};
  // Changes are measured as differences of sums, so that rounding is relative to the whole cost and not to the
  // change.
  explainer.tolerance = kSameCost * std::abs(is_timed(plan) ? plan.cost : cost(explainer.goal, plan.measure));
  std::vector<char> in_tree(plan.network.graph.edges.size(), 1);
  for (const int e : plan.cut) in_tree[e] = 0;
  const std::vector<double> depth = graph::depths(plan.tree, plan.network.length);
  explainer.part_of.assign(plan.tree.parent.size(), -1);
  explainer.local_edge.assign(in_tree.size(), -1);
  for (Piece& piece : pieces_of(plan, options)) {
    for (const int v : piece.vertices) explainer.part_of[v] = static_cast<int>(explainer.parts.size());
    for (std::size_t e = 0; e < piece.edges.size(); ++e) explainer.local_edge[piece.edges[e]] = static_cast<int>(e);
    explainer.parts.push_back(make_part(plan, std::move(piece), in_tree, depth));
  }
  // L of the whole is that of its longest part; without the longest itself it is that of the second longest.
  double longest = 0;
  double second = 0;
  for (const Part& part : explainer.parts) {
    second = std::max(second, std::min(longest, part.length));
    longest = std::max(longest, part.length);
  }
  for (Part& part : explainer.parts) part.others = part.length == longest ? second : longest;
  return explainer;
}

// What N(T) changes by: the joints that change places, and a root that moves to the ground or away from it.
std::optional<int> change_of_equations(const Plan& plan, const Part& part, int cut, int edge, int root) {
  if (plan.network.freedom.empty()) return std::nullopt;
  const int joints = 2 * (plan.network.freedom[cut] - plan.network.freedom[edge]);
  return joints + detail::count_root_equations(plan.network, root, part.holds_ground) -
         detail::count_root_equations(plan.network, part.root, part.holds_ground);
}

// The predicted time with another edge cut, less that of the plan. Only the part's own tree changes.
double change_of_time(const Explainer& explainer, const Part& part, const graph::Tree& hung) {
  Plan instead = explainer.plan;
  for (const int v : hung.order) {
    const int vertex = part.piece.vertices[v];
    instead.tree.parent[vertex] = hung.parent[v] < 0 ? -1 : part.piece.vertices[hung.parent[v]];
    instead.tree.parent_edge[vertex] = hung.parent_edge[v] < 0 ? -1 : part.piece.edges[hung.parent_edge[v]];
  }
  // Parents first again: vertices of the part in their new order, at the places where the part had its vertices.
  std::size_t next = 0;
  for (int& vertex : instead.tree.order) {
    if (explainer.part_of[vertex] == explainer.part_of[part.root]) vertex = part.piece.vertices[hung.order[next++]];
  }
  return predicted_time(instead, explainer.options.machine, explainer.options.workers).total - explainer.plan.cost;
}

graph::Tree hang(const Explainer& explainer, const Part& part, const std::vector<int>& edges) {
  const std::vector<int>& vertices = part.piece.vertices;
  if (!is_timed(explainer.plan)) return detail::hang_best(part.piece.problem, edges);
  const auto root = std::lower_bound(vertices.begin(), vertices.end(), part.root) - vertices.begin();
  return graph::hang_tree(part.piece.problem.graph, edges, static_cast<int>(root));
}

void examine(Explainer& explainer, const Part& part, int cut, Alternative& alternative) {
  const Plan& plan = explainer.plan;
  const Problem& problem = part.piece.problem;
  explainer.visits_left -= std::min(explainer.visits_left, part.piece.vertices.size());
  // The same tree but for one exchange; hung by number of edge, the order of the list does not matter.
  std::vector<int> tree = part.tree;
  std::replace(tree.begin(), tree.end(), explainer.local_edge[alternative.edge], explainer.local_edge[cut]);
  // Measured anew as a whole: an exchange may move the centre and shorten the branch, which no local rule sees.
  const graph::Tree hung = hang(explainer, part, tree);
  Measure after;
  after.length = std::max(part.others, measure(problem, hung).length);
  alternative.weight = plan.network.weight[cut] - plan.network.weight[alternative.edge];
  after.weight = plan.measure.weight + alternative.weight;
  alternative.examined = true;
  alternative.breaks_limit = !is_allowed(explainer.goal, after);
  alternative.length = after.length - plan.measure.length;
  alternative.equations = change_of_equations(plan, part, cut, alternative.edge, part.piece.vertices[hung.root]);
  alternative.cost = cost(explainer.goal, {alternative.length, alternative.weight});
  if (is_timed(plan)) alternative.cost = change_of_time(explainer, part, hung);
  // Counted in equations, which do not depend on the root.
  if (meaning_of(plan.objective).unit == Meaning::Unit::kEquations)
    alternative.cost = 2 * (plan.network.freedom[cut] - plan.network.freedom[alternative.edge]);
}

CutReason find_reason(const Explainer& explainer, const CutExplanation& explanation) {
  const Plan& plan = explainer.plan;
  const std::vector<int>& forced = explainer.options.cut;
  if (std::find(forced.begin(), forced.end(), explanation.edge) != forced.end()) return CutReason::kForced;
  if (explanation.loop.size() == 1) return CutReason::kSelfJoint;
  // The reasons from the strongest to the weakest: a cheaper one, none examined, none allowed, equal ones, weight.
  bool any = false;
  bool tie = false;
  bool heaviest = true;
  bool examined = true;
  for (const Alternative& other : explanation.alternatives) {
    if (other.pinned) continue;
    examined &= other.examined;
    heaviest &= plan.network.weight[other.edge] < plan.network.weight[explanation.edge];
    if (!other.examined || other.breaks_limit) continue;
    if (other.cost < -explainer.tolerance) return CutReason::kNotBest;
    any = true;
    tie |= other.cost <= explainer.tolerance;
  }
  if (!examined) return CutReason::kNotExamined;
  if (!any) return CutReason::kNoOther;
  if (tie) return CutReason::kTie;
  if (is_timed(plan)) return CutReason::kFastest;
  return heaviest ? CutReason::kHeaviest : CutReason::kShorterBranch;
}

CutExplanation explain_cut(Explainer& explainer, const std::vector<int>& level, int cut) {
  const Plan& plan = explainer.plan;
  // The edges of the loop that stay in the tree are all that could be cut instead.
  CutExplanation explanation;
  explanation.edge = cut;
  explanation.loop = graph::fundamental_loop(plan.network.graph, plan.tree, level, cut);
  const Part& part = explainer.parts[explainer.part_of[plan.network.graph.edges[cut].a]];
  for (std::size_t k = 1; k < explanation.loop.size(); ++k) {
    Alternative alternative;
    alternative.edge = explanation.loop[k];
    alternative.pinned = part.piece.problem.is_pinned(explainer.local_edge[alternative.edge]);
    if (!alternative.pinned && explainer.visits_left > 0) examine(explainer, part, cut, alternative);
    explanation.alternatives.push_back(alternative);
  }
  explanation.reason = find_reason(explainer, explanation);
  return explanation;
}

// The cheapest one that may be cut.
const Alternative* find_cheapest(const CutExplanation& explanation) {
  const Alternative* best = nullptr;
  for (const Alternative& other : explanation.alternatives) {
    if (!other.examined || other.breaks_limit) continue;
    if (best == nullptr || other.cost < best->cost) best = &other;
  }
  return best;
}

}  // namespace

std::vector<CutExplanation> explain_cuts(const Plan& plan, const PlanOptions& options, const ExplainLimits& limits) {
  Explainer explainer = make_explainer(plan, options);
  explainer.visits_left = limits.vertices;
  const std::vector<int> level = graph::levels(plan.tree);
  std::vector<CutExplanation> explanations;
  for (const int cut : plan.cut) {
    if (explanations.size() == limits.cuts) break;
    explanations.push_back(explain_cut(explainer, level, cut));
  }
  return explanations;
}

std::string reason_text(const Plan& plan, const CutExplanation& explanation) {
  const Alternative* cheapest = find_cheapest(explanation);
  const std::string other = cheapest ? in_quotes(edge_name(plan.network, cheapest->edge)) : "";
  switch (explanation.reason) {
    case CutReason::kForced:
      return "it was asked for";
    case CutReason::kSelfJoint:
      return "both its ends are on one body";
    case CutReason::kNoOther:
      return "no other of its loop may be cut";
    case CutReason::kHeaviest:
      return "it is the heaviest of its loop";
    case CutReason::kShorterBranch:
      return "cutting one as heavy or heavier would lengthen the critical branch";
    case CutReason::kFastest:
      return "cutting any other of its loop takes longer";
    case CutReason::kTie:
      return fmt::format("cutting {} instead costs the same", other);
    case CutReason::kNotBest:
      return fmt::format("cutting {} instead would be cheaper by {:.6g}", other, -cheapest->cost);
    case CutReason::kNotExamined:
      return "its loop was not examined";
  }
  return "";
}

}  // namespace espalier::plan
