#include "apps/espalier/generate_text.hpp"

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/convert_text.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/base/printable.hpp"
#include "espalier/base/text.hpp"
#include "espalier/formats/shipped.hpp"

namespace espalier::app {

std::string remarks(const study::GenerateAnswer& answer) {
  if (answer.conversion) return conversion_text("", formats::Format::kNative, *answer.conversion);
  if (!answer.sat) return "";
  return fmt::format("next: espalier plan {} --objective bcbbwst --max-weight {} --max-length {}\n",
                     answer.written.empty() ? "FILE" : shell_word(answer.written), answer.sat->max_weight,
                     answer.sat->max_length);
}

std::string written_line(const study::GenerateAnswer& answer) {
  if (answer.sat) {
    const graph::Graph& graph = answer.sat->network.graph;
    return fmt::format("wrote {}: a graph of {} and {}; satisfiable exactly if the plan is feasible\n", answer.written,
                       counted(graph.vertices, "vertex", "vertices"), counted(graph.edges.size(), "edge"));
  }
  return fmt::format("wrote {}: {}, {}, {}\n", answer.written, counted(answer.count.bodies, "body", "bodies"),
                     counted(answer.count.movable_joints, "movable joint"), counted(answer.count.loops, "loop"));
}

std::string generate_help() {
  std::string text = "Kinds by rule, with their default sizes:\n";
  std::string names;
  for (const study::GeneratorKind& kind : study::generator_kinds()) {
    if (kind.name == "3sat") text += "Plain graphs, with no mechanism behind them:\n";
    std::string head = kind.name;
    for (const int size : kind.sizes) head += fmt::format(" {}", size);
    text += fmt::format("  {:<18}{}\n", head, kind.help);
    names += fmt::format(" {} ", kind.name);
  }
  std::string shipped;
  for (const formats::ShippedModel& model : formats::shipped_models()) {
    if (names.find(fmt::format(" {} ", model.name)) == std::string::npos) shipped += fmt::format("{} ", model.name);
  }
  return text + "Models that come with the program:\n" + wrapped("  ", shipped, terminal_width());
}

}  // namespace espalier::app
