#include "espalier/plan/trace.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/plan/detail/exchange.hpp"
#include "espalier/plan/detail/pieces.hpp"

namespace espalier::plan {
namespace {

using detail::Piece;

constexpr const char* kIndent = "           ";

// Ten digits: sums of changes end in rounding noise that no one wants to read.
std::string cost_text(double value) { return fmt::format("{:.10g}", value); }

std::string names_text(const Network& network, const std::vector<int>& vertices) {
  std::string text;
  for (const int v : vertices) text += fmt::format(" {}", vertex_name(network, v));
  return text;
}

std::string discussion_text(const Network& network, const Discussion& discussion) {
  const auto name = [&](int v) { return vertex_name(network, v); };
  const std::string vertex = name(discussion.vertex);
  if (discussion.new_parent < 0) return fmt::format("discuss vertex {} -> no edge exchange can reduce fc\n", vertex);
  std::string text = fmt::format("discuss vertex {} -> exchange edge {}-{} in T with edge {}-{} not in T\n", vertex,
                                 name(discussion.old_parent), vertex, name(discussion.new_parent), vertex);
  text += fmt::format("{}-> dfc= {}\n", kIndent, cost_text(discussion.change));
  text += fmt::format("{}-> center= vertex {}\n", kIndent, name(discussion.centre));
  for (const int v : discussion.deleted) text += fmt::format("{}-> delete vertex {} from STACK\n", kIndent, name(v));
  for (const int v : discussion.pushed) text += fmt::format("{}-> move vertex {} into STACK\n", kIndent, name(v));
  return text;
}

// A2 may come to discuss the centre while others wait behind it; the run ends there.
bool ends_at_centre(const ExchangeRun& run) {
  if (run.rounds.empty() || run.rounds.back().discussions.empty()) return false;
  const Discussion& last = run.rounds.back().discussions.back();
  return last.vertex == run.tree.root && last.new_parent < 0;
}

// The text names vertices and edges: those of the piece keep the names they have in the whole.
Network network_of(const Network& whole, const Piece& piece) {
  Network network;
  network.graph = piece.problem.graph;
  network.weight = piece.problem.weight;
  network.length = piece.problem.length;
  for (const int v : piece.vertices) network.vertex_names.push_back(vertex_name(whole, v));
  for (const int e : piece.edges) network.edge_names.push_back(edge_name(whole, e));
  return network;
}

}  // namespace

Result<ExchangeTrace> trace_exchange(const Network& network, const PlanOptions& options) {
  if (options.method != Method::kA2 && options.method != Method::kA3 && options.method != Method::kExchange) {
    return make_option_error("method", fmt::format("method {} makes no exchanges to trace", to_string(options.method)),
                             "use `method` a2, a3 or exchange");
  }
  // The run of the largest piece: a paper's graph is one piece, and of a mechanism that is the one of interest.
  const Result<detail::Pieces> pieces = detail::make_pieces(network, options);
  ESPALIER_TRY(pieces);
  const Piece& largest =
      *std::max_element(pieces->pieces.begin(), pieces->pieces.end(),
                        [](const Piece& a, const Piece& b) { return a.vertices.size() < b.vertices.size(); });
  // A2 and A3 are members of the family by another name.
  const Sweep sweep = options.method == Method::kA2   ? Sweep::kNear
                      : options.method == Method::kA3 ? Sweep::kFar
                                                      : options.sweep;
  const Start start = options.method == Method::kExchange ? options.start : Start::kScbst;
  return ExchangeTrace{network_of(pieces->network, largest),
                       detail::exchange_edges(largest.problem, options.beta, start, sweep, detail::Keep::kRounds)};
}

std::string trace_text(const Network& network, const ExchangeRun& run) {
  // Every line, and every space, as the paper prints it: the test compares with its page.
  std::string text = fmt::format("initial fc= {}\n", cost_text(run.start_cost));
  for (std::size_t k = 0; k < run.rounds.size(); ++k) {
    text += fmt::format("beginning of {} round\n", k + 1);
    text += fmt::format("STACK={}\n", names_text(network, run.rounds[k].stack));
    for (const Discussion& discussion : run.rounds[k].discussions) text += discussion_text(network, discussion);
  }
  text +=
      ends_at_centre(run) ? "CENTER IS REACHED! EXECUTION COMPLETED!!\n" : "STACK IS EMPTY! EXECUTION COMPLETED!!\n";
  text += "Resulting Spanning Tree: (vertex number->predecessor number)\n";
  for (std::size_t v = 0; v < run.tree.parent.size(); ++v) {
    const int parent = run.tree.parent[v];
    text += fmt::format("{} -> {}\n", vertex_name(network, static_cast<int>(v)),
                        parent < 0 ? "0" : vertex_name(network, parent));
  }
  text += fmt::format("Total Cost Function Reduction = {}\n", cost_text(run.start_cost - run.accumulated));
  text += fmt::format("Final fc = {}\n", cost_text(run.accumulated));
  if (std::abs(run.cost - run.accumulated) > kSameCost * run.cost)
    text += fmt::format("The resulting tree costs {}: dfc leaves out part of the change\n", cost_text(run.cost));
  return text;
}

}  // namespace espalier::plan
