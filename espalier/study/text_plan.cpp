#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/plan/arrays.hpp"
#include "espalier/plan/explain.hpp"
#include "espalier/plan/schedule.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/plan.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

using plan::Objective;
using plan::Plan;

constexpr std::size_t kFew = 12;  // items of a listing without TextOptions::all
// Chains and loops of a large graph are not needed here.
constexpr std::size_t kMostEntries = 100'000;

// Ten digits: a sum of tenths shows no rounding.
std::string number(double value) { return fmt::format("{:.10g}", value); }

std::string with_sign(double value) { return fmt::format("{:+.10g}", value); }

std::string names_text(std::vector<std::string> names, const char* between, const TextOptions& options) {
  const std::size_t hidden = options.all || names.size() <= kFew ? 0 : names.size() - kFew;
  names.resize(names.size() - hidden);
  std::string text = fmt::format("{}", fmt::join(names, between));
  if (hidden == 0) return text;
  text += fmt::format("{}... {} more ({} shows them)", between, hidden, options.wording.option("all", ""));
  return text;
}

std::string size_line(const PlanAnswer& answer) {
  const Plan& plan = answer.plan;
  const std::size_t vertices = to_index(plan.network.graph.vertices) - plan.half_bodies.size();
  const bool plain = plan.network.freedom.empty() && plan.network.ground < 0;
  // The ground is the first vertex of a mechanism and no body.
  return fmt::format("{}, {}, {}",
                     plain ? counted(vertices, "vertex", "vertices")
                           : detail::bodies_text(answer.bodies, static_cast<int>(vertices) - 1),
                     counted(plan.network.graph.edges.size(), plain ? "edge" : "joint"),
                     counted(plan.cut.size() + plan.half_bodies.size(), "loop"));
}

std::string cost_line(const Plan& plan) {
  const std::string length = number(plan.measure.length);
  const std::string weight = number(plan.measure.weight);
  switch (plan.objective) {
    case Objective::kMccst:
      return fmt::format("{} = critical branch L {} + beta {} x weight W {}", number(plan.cost), length,
                         number(plan.beta), weight);
    case Objective::kScbst:
    case Objective::kMwscbst:
    case Objective::kBwscbst:
      return fmt::format("critical branch L {} (weight W {})", length, weight);
    case Objective::kSequential:
      return fmt::format("{} equations (critical branch L {}, weight W {})", number(plan.cost), length, weight);
    case Objective::kTime:
      return fmt::format("{:.4g} us predicted for one evaluation (critical branch L {}, weight W {})", 1e6 * plan.cost,
                         length, weight);
    case Objective::kMwst:
    case Objective::kScbmwst:
    case Objective::kBcbmwst:
    case Objective::kBcbbwst:
      break;
  }
  return fmt::format("weight W {} (critical branch L {})", weight, length);
}

// A bound as its cost is told.
std::string bound_text(const Plan& plan) {
  return plan.objective == Objective::kTime ? fmt::format("{:.4g} us", 1e6 * plan.lower_bound)
                                            : number(plan.lower_bound);
}

std::string proof_line(const Plan& plan, const std::string& given) {
  // A question of yes or no has no optimum.
  if (plan.feasible) return fmt::format("{}: {}", *plan.feasible ? "yes" : "no", plan.proof);
  if (plan.objective == Objective::kBcbbwst) return fmt::format("not decided: {}", plan.proof);
  if (plan.optimal) return fmt::format("optimal{}, proved: {}", given, plan.proof);
  // The bound of a time leaves out what loops do to each other here and there: far below it says nothing of the tree.
  constexpr double kUseless = 0.5;
  if (plan.objective == Objective::kTime && plan::gap(plan) > kUseless)
    return fmt::format("not known: the lower bound, {}, is too far below to tell; {}", bound_text(plan), plan.proof);
  return fmt::format("at most {:.3g} % above the optimum{} (no {}tree costs less than {}); {}", 100 * plan::gap(plan),
                     given, given.empty() ? "" : "such ", bound_text(plan), plan.proof);
}

// "35 to 52", or "35".
std::string range_text(double low, double high) {
  return low == high ? number(low) : fmt::format("{} to {}", number(low), number(high));
}

std::string bracket_line(const plan::Bracket& bracket, double beta) {
  const auto& [shortest, lightest] = bracket;
  // Each of the two trees that bound it has a cost of its own, above the optimum's.
  const auto cost = [&](const plan::Measure& measure) { return measure.length + beta * measure.weight; };
  return fmt::format("the optimum has L {}, W {} and costs {} (Theorem 2 of [Liu99])",
                     range_text(shortest.length, lightest.length), range_text(lightest.weight, shortest.weight),
                     range_text(shortest.length + beta * lightest.weight, std::min(cost(shortest), cost(lightest))));
}

std::string spread_line(const std::optional<plan::PredictionSpread>& spread, const Wording& wording) {
  if (!spread) return fmt::format("not known of these constants; {} measures it", wording.call({"calibrate"}));
  return fmt::format(
      "predicted times are {:.0f} % off, {:.0f} % at most on the trees that were timed: of trees nearer "
      "to each other than that any may be the fastest",
      100 * spread->typical, 100 * spread->largest);
}

std::string root_line(const Plan& plan) {
  std::string text = plan::vertex_name(plan.network, plan.tree.root);
  // A root for each piece of a graph that is not connected.
  if (plan.roots.size() > 1) text += fmt::format(" (and {} of other pieces)", plan.roots.size() - 1);
  return text;
}

std::string schedule_line(const Plan& plan, std::size_t levels, int workers) {
  const plan::Schedule schedule = plan::make_schedule(plan, workers);
  return fmt::format("{}; one pass over the tree takes {} on one worker, {} on {} workers (at least {})",
                     counted(levels, "level"), number(schedule.total), number(schedule.makespan), workers,
                     number(schedule.lower_bound));
}

std::vector<std::string> cut_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const int e : plan.cut) names.push_back(plan::edge_name(plan.network, e));
  // A body in two opens its loop as a cut joint does.
  for (const plan::HalfBody& half : plan.half_bodies) {
    names.push_back(fmt::format("body {} at {}", plan::vertex_name(plan.network, half.other),
                                plan::edge_name(plan.network, half.edge)));
  }
  return names;
}

std::string summary_text(const PlanAnswer& answer, const TextOptions& options) {
  const Plan& plan = answer.plan;
  const int width = options.width;
  const plan::TopologyArrays arrays = plan::make_arrays(plan, kMostEntries);
  std::vector<std::string> branch;
  for (const int v : arrays.critical_branch) branch.push_back(plan::vertex_name(plan.network, v - 1));
  std::string text = wrapped("", fmt::format("{}: {}", answer.name, size_line(answer)), width);
  text += wrapped("  cost      ", cost_line(plan), width);
  text += wrapped("  proof     ", proof_line(plan, given_text(answer.options)), width);
  // Without loops there is one tree, and nothing lies between.
  if (answer.bracket && !plan.cut.empty())
    text += wrapped("  bracket   ", bracket_line(*answer.bracket, plan.beta), width);
  // A tree is shown in any case: how far it misses is part of the answer.
  if (plan.feasible == false) text += wrapped("  below     ", "the lightest tree, for comparison", width);
  text += wrapped("  found by  ", fmt::format("{} in {:.2g} s", plan::to_string(plan.method), plan.seconds), width);
  text += wrapped("  root      ", root_line(plan), width);
  const std::vector<std::string> cut = cut_names(plan);
  text += wrapped("  cut       ", cut.empty() ? "nothing" : names_text(cut, ", ", options), width);
  text += wrapped("  critical  ", names_text(branch, " > ", options), width);
  if (plan.equations) {
    text += wrapped("  equations ",
                    fmt::format("{}; cost by [Liu99]: {:.4g} on one worker (6), {:.4g} on many (18)", *plan.equations,
                                *plan.cost_sequential, *plan.cost_parallel),
                    width);
  }
  text += wrapped("  schedule  ", schedule_line(plan, arrays.levels.size(), answer.workers), width);
  if (answer.trees) {
    const std::string count = graph::to_text(*answer.trees);
    text += wrapped("  trees     ",
                    fmt::format("{} spanning {} to choose from", count, count == "1" ? "tree" : "trees"), width);
  }
  if (plan.exchanges.rounds > 0) {
    text += wrapped("  exchanges ",
                    fmt::format("{} in {}, {} discussed", plan.exchanges.exchanges,
                                counted(to_index(plan.exchanges.rounds), "round"),
                                counted(to_index(plan.exchanges.discussed), "vertex", "vertices")),
                    width);
  }
  return text;
}

std::string machine_text(const std::string& machine, int workers, const TextOptions& options) {
  const std::string source =
      machine.empty() ? fmt::format("built in; {} measures those of this machine", options.wording.call({"calibrate"}))
                      : "from " + machine;
  return wrapped("  machine   ", fmt::format("{}, constants {}", counted(to_index(workers), "worker"), source),
                 options.width);
}

std::string explanation_text(const Plan& plan, const plan::PlanOptions& planning, const TextOptions& options) {
  const int width = options.width;
  std::string text = "\n";
  text += wrapped("",
                  "Why these joints are cut, and what another one of the same loop would change: cost, and in brackets "
                  "length L, weight W and number of equations N",
                  width);
  const std::vector<plan::CutExplanation> cuts = plan::explain_cuts(plan, planning);
  for (const plan::CutExplanation& cut : cuts) {
    text +=
        wrapped(fmt::format("  {}: ", plan::edge_name(plan.network, cut.edge)), plan::reason_text(plan, cut), width);
    std::vector<std::string> others;
    for (const plan::Alternative& other : cut.alternatives) {
      const std::string joint = plan::edge_name(plan.network, other.edge);
      // Why another joint cannot be taken comes before what it would cost.
      if (other.pinned)
        others.push_back(joint + " is pinned");
      else if (other.breaks_limit)
        others.push_back(joint + " breaks a limit");
      else if (other.examined) {
        const std::string cost =
            plan.objective == Objective::kTime ? fmt::format("{:+.4g} us", 1e6 * other.cost) : with_sign(other.cost);
        others.push_back(fmt::format("{} {} (L {}, W {}{})", joint, cost, with_sign(other.length),
                                     with_sign(other.weight),
                                     other.equations ? fmt::format(", N {:+d}", *other.equations) : ""));
      }
    }
    if (!others.empty()) text += wrapped("    instead: ", names_text(others, "; ", options), width);
  }
  const std::size_t left = plan.cut.size() - std::min(plan.cut.size(), cuts.size());
  if (left > 0) text += fmt::format("  ... and {} more\n", counted(left, "cut"));
  // An explanation of nothing would look like one that failed.
  if (cuts.empty()) text += "  Nothing is cut: there are no loops.\n";
  return text;
}

std::string front_text(const Plan& plan, int width) {
  std::vector<std::vector<std::string>> rows;
  for (const plan::Measure& point : plan.front) rows.push_back({number(point.length), number(point.weight)});
  return fmt::format("\nThe front: no tree is better in one without being worse in the other{}\n{}",
                     plan.front_proved ? " (proved)" : "; the points of smaller length are missing, the limit struck",
                     table({"critical branch L", "weight W"}, rows, width));
}

std::string numbers_text(const char* head, const std::vector<int>& numbers, int width) {
  return wrapped("", head, width) + wrapped("  ", fmt::format("{}", fmt::join(numbers, " ")), width);
}

std::string matrices_text(const Plan& plan, int width) {
  const Result<plan::TopologyMatrices> matrices = plan::make_matrices(plan);
  if (!matrices) return fmt::format("\n{}\n", matrices.error().message);
  const auto rows = [](const auto& matrix) {
    std::string text;
    for (int r = 0; r < matrix.rows; ++r) {
      text += "  ";
      for (int c = 0; c < matrix.columns; ++c) text += fmt::format("{}{:g}", c > 0 ? " " : "", double(matrix.at(r, c)));
      text += "\n";
    }
    return text;
  };
  const plan::TopologyArrays arrays = plan::make_arrays(plan, kMostEntries);
  std::string text =
      "\n" + numbers_text("Array PR of [Wang97]: by vertex, its parent; 0 for a root", arrays.parent, width);
  text += "\n" + numbers_text("Array CUT: by edge, 1 where it is cut", arrays.cut, width);
  text += "\nIncidence matrix, vertices by edges\n" + rows(matrices->incidence);
  text += "\nPath matrix: row i, column j is 1 where i lies between the root and j\n" + rows(matrices->path);
  text += "\nAdjacency matrix: 1 where an edge joins the two\n" + rows(matrices->plain_adjacency);
  text += "\nWeighted adjacency matrix\n" + rows(matrices->adjacency) + "\nEdge array: vertex, vertex, weight\n";
  for (const plan::EdgeEntry& edge : matrices->edges)
    text += fmt::format("  {} {} {:g}\n", edge.a, edge.b, edge.weight);
  return text;
}

std::string all_trees_text(const Plan& plan, const std::vector<plan::ListedTree>& trees, const TextOptions& options) {
  const bool by_time = plan.objective == Objective::kTime;
  std::vector<std::vector<std::string>> rows;
  for (const plan::ListedTree& tree : trees) {
    std::vector<std::string> cut;
    for (const int e : tree.cut) cut.push_back(plan::edge_name(plan.network, e));
    rows.push_back(
        {by_time ? fmt::format("{:.4g} us", 1e6 * tree.cost) : number(tree.cost), number(tree.measure.length),
         number(tree.measure.weight), tree.equations ? fmt::format("{}", *tree.equations) : "-",
         plan::vertex_name(plan.network, tree.root), cut.empty() ? "nothing" : names_text(cut, " ", options)});
  }
  return fmt::format("\nAll trees, the cheapest first\n{}",
                     table({"cost", "length L", "weight W", "equations", "root", "cut"}, rows, options.width));
}

std::string comparison_text(const plan::Comparison& comparison, int width) {
  std::vector<std::vector<std::string>> rows;
  std::string left_out;
  for (const plan::Compared& method : comparison.methods) {
    // Said below the table: a row of dashes would look like a result.
    if (!method.left_out.empty()) {
      left_out += wrapped("  ", fmt::format("{} is left out: {}", method.name, method.left_out), width);
      continue;
    }
    const double bound = comparison.lower_bound;
    rows.push_back(
        {method.name, number(method.cost), bound > 0 ? fmt::format("{:.2f}", 100 * (method.cost / bound - 1)) : "-",
         number(method.measure.length), number(method.measure.weight), fmt::format("{}", method.exchanges.exchanges),
         fmt::format("{}", method.exchanges.rounds), fmt::format("{:.2g}", method.seconds)});
  }
  return fmt::format(
      "\nAll methods; no tree costs less than {}\n{}{}", number(comparison.lower_bound),
      table({"method", "cost", "% over", "length L", "weight W", "exchanges", "rounds", "seconds"}, rows, width),
      left_out);
}

}  // namespace

std::string to_text(const PlanAnswer& answer, const TextOptions& options) {
  const int width = options.width;
  std::string text;
  if (answer.trace) text += plan::trace_text(answer.trace->network, answer.trace->run) + "\n";
  text += summary_text(answer, options);
  if (answer.plan.objective == Objective::kTime || answer.measured)
    text += machine_text(answer.machine, answer.options.workers, options);
  if (answer.plan.objective == Objective::kTime) {
    text += wrapped("  spread    ", spread_line(answer.spread, options.wording), width);
  }
  if (answer.options.front) text += front_text(answer.plan, width);
  if (answer.explain) text += explanation_text(answer.plan, answer.options, options);
  if (answer.comparison) text += comparison_text(*answer.comparison, width);
  if (answer.all_trees) text += all_trees_text(answer.plan, *answer.all_trees, options);
  if (answer.matrices) text += matrices_text(answer.plan, width);
  // Last, in capitals: a plan of loops that do not close is of no use.
  if (!answer.open.empty()) {
    const auto word = [&](std::string_view name) { return options.wording.option(name, ""); };
    text += wrapped("  OPEN      ", word_options(answer.open, word), width);
  }
  return text + detail::reader_text(answer.reader, "  note      ", options);
}

}  // namespace espalier::study
