#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/generate.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

// What the format could not say of the model; how to ask for a formula's answer.
std::string remarks(const GenerateAnswer& answer, const TextOptions& options) {
  if (answer.conversion) {
    return detail::conversion_text("", formats::Format::kNative, *answer.conversion, options.width);
  }
  if (answer.graph && !answer.written.empty())
    return fmt::format("Next: {}\n", options.wording.call({"plan", answer.written, {{"compare", ""}}}));
  if (!answer.sat) return "";
  const Advice plan = {"plan",
                       answer.written.empty() ? "FILE" : answer.written,
                       {{"objective", plan::to_string(plan::Objective::kBcbbwst)},
                        {"max_weight", fmt::format("{}", answer.sat->max_weight)},
                        {"max_length", fmt::format("{}", answer.sat->max_length)}}};
  return fmt::format("Next: {}\n", options.wording.call(plan));
}

// "Wrote chain.yaml: 8 bodies, 8 movable joints, 0 loops".
std::string written_line(const GenerateAnswer& answer) {
  if (answer.sat || answer.graph) {
    const graph::Graph& graph = answer.sat ? answer.sat->network.graph : answer.graph->graph;
    return fmt::format("Wrote {}: a graph of {} and {}{}\n", answer.written,
                       counted(graph.vertices, "vertex", "vertices"), counted(graph.edges.size(), "edge"),
                       answer.sat ? "; satisfiable exactly if the plan is feasible" : "");
  }
  return fmt::format("Wrote {}: {}, {}, {}\n", answer.written,
                     detail::bodies_text(answer.count.bodies, answer.count.groups),
                     counted(answer.count.movable_joints, "movable joint"), counted(answer.count.loops, "loop"));
}

}  // namespace

std::string to_text(const GenerateAnswer& answer, const TextOptions& options) {
  return (answer.written.empty() ? "" : written_line(answer)) + remarks(answer, options);
}

}  // namespace espalier::study
