#include "espalier/draw/detail/plan_words.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"

namespace espalier::draw::detail {
namespace {

using plan::Objective;
using plan::Plan;

std::string objective_words(const Plan& plan) {
  switch (plan.objective) {
    case Objective::kMccst:
      // A factor of 1 would only be one more thing to read.
      return plan.beta == 1 ? "L + W" : fmt::format("L + {} W", figure(plan.beta));
    case Objective::kMwst:
      return "W";
    case Objective::kScbst:
      return "L";
    case Objective::kScbmwst:
      return "W where L is smallest";
    case Objective::kMwscbst:
      return "L where W is smallest";
    case Objective::kBcbmwst:
      return "W where L is bounded";
    case Objective::kBwscbst:
      return "L where W is bounded";
    case Objective::kBcbbwst:
      return "both bounded";
    case Objective::kSequential:
      return "N";
    case Objective::kTime:
      return "time of one evaluation [s]";
  }
  return "";
}

std::string cost_words(const Plan& plan) {
  std::string text =
      fmt::format("critical branch L = {}, weight W = {}", figure(plan.measure.length), figure(plan.measure.weight));
  // Equations are counted only where the plan was made for a mechanism.
  if (plan.equations) text += fmt::format(", N = {} equations", *plan.equations);
  if (plan.objective == Objective::kBcbbwst) return text;
  return text + fmt::format("; cost {} = {}", objective_words(plan), figure(plan.cost));
}

std::string bound_words(const Plan& plan) {
  // A decision has an answer and no bound.
  if (plan.feasible) return *plan.feasible ? "feasible: this tree keeps both limits" : "no tree keeps both limits";
  if (plan.objective == Objective::kBcbbwst) return "whether a tree keeps both limits is not known";
  if (plan.optimal) return "optimal: proved that no tree costs less";
  // 0 bounds every cost: it would read as if something had been proved.
  if (plan.lower_bound <= 0) return "no lower bound is known";
  return fmt::format("lower bound {}: at most {:.2g} % above the optimum", figure(plan.lower_bound),
                     100 * plan::gap(plan));
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string shown_text(std::string_view text) { return escaped(printable(text)); }

std::string figure(double value) { return fmt::format("{:.10g}", value); }

std::string clean_name(std::string_view name) {
  const std::string quoted = in_quotes(name);
  // Without the quotes: the name stands in a box or a cell of its own.
  return quoted.substr(1, quoted.size() - 2);
}

Nouns nouns_of(const plan::Network& network) {
  // A plain graph has no ground, and its vertices are no bodies.
  if (network.ground < 0) return {"vertex", "vertices", "edge", "edges"};
  return {"body", "bodies", "joint", "joints"};
}

bool has_tree(const Plan& plan) {
  return plan.network.graph.vertices > 0 &&
         plan.tree.order.size() == to_index(plan.network.graph.vertices);
}

std::vector<std::string> plan_words(const Plan& plan) {
  const Nouns nouns = nouns_of(plan.network);
  const std::size_t vertices = to_index(plan.network.graph.vertices) - plan.half_bodies.size();
  // The edges as the graph has them; halves of bodies add vertices but no edges.
  const std::size_t edges = plan.network.graph.edges.size();
  // The ground is a vertex, but no body of the user's.
  const std::size_t bodies = vertices - (plan.network.ground >= 0 ? 1 : 0);
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}, {}", counted(bodies, nouns.vertex, nouns.vertices), counted(edges, nouns.edge)));
  if (has_tree(plan)) {
    lines.back() += fmt::format(": {} in the tree, {} cut", edges - plan.cut.size(), plan.cut.size());
    lines.push_back(cost_words(plan));
  }
  lines.push_back(bound_words(plan));
  if (!plan.proof.empty()) lines.back() += fmt::format("; {}", plan.proof);
  return lines;
}

std::vector<double> root_distances(const Plan& plan) {
  std::vector<double> distance(plan.tree.parent.size(), 0);
  for (const int v : plan.tree.order) {
    const int parent = plan.tree.parent[v];
    // In tree order: the distance of the parent is known.
    if (parent >= 0) distance[v] = distance[parent] + plan.network.length[plan.tree.parent_edge[v]];
  }
  return distance;
}

int loop_length(const Plan& plan, int edge) {
  // All vertices above one end; the first of them above the other end is where the ways meet.
  std::vector<int> above;
  for (int v = plan.network.graph.edges[edge].a; v >= 0; v = plan.tree.parent[v]) above.push_back(v);
  // The cut edge itself.
  int steps = 1;
  for (int v = plan.network.graph.edges[edge].b; v >= 0; v = plan.tree.parent[v]) {
    const auto meeting = std::find(above.begin(), above.end(), v);
    if (meeting != above.end()) return steps + static_cast<int>(meeting - above.begin());
    ++steps;
  }
  // Ends in different trees close no loop.
  return 0;
}

}  // namespace espalier::draw::detail
