#include "espalier/plan/generate_3sat.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/commands.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/graph_file.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/base/printable.hpp"

namespace espalier::app {
namespace {

Result<plan::SatProblem> make(const GenerateOptions& options) {
  std::array<int, 2> sizes = {10, 43};
  const auto wrong = [](const char* message) { return make_error(ErrorCode::kOption, {}, message); };
  if (options.sizes.size() > sizes.size()) return wrong("3sat takes 2 sizes: VARIABLES CLAUSES");
  if (!options.format.empty()) return wrong("3sat makes a plain graph, which has one format: leave out --to");
  if (options.spatial) return wrong("3sat makes a plain graph: leave out --spatial");
  std::copy(options.sizes.begin(), options.sizes.end(), sizes.begin());
  return plan::generate_3sat(sizes[0], sizes[1], options.seed.value_or(1));
}

std::string json_text(const GenerateOptions& options, const plan::SatProblem& sat, const std::string& text) {
  nlohmann::ordered_json document = {{"kind", options.kind},
                                     {"written", options.output},
                                     {"vertices", sat.network.graph.vertices},
                                     {"edges", sat.network.graph.edges.size()},
                                     {"max_weight", sat.max_weight},
                                     {"max_length", sat.max_length}};
  if (options.output.empty()) document["text"] = text;
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int run_generate_3sat(const GenerateOptions& options) {
  const Result<plan::SatProblem> sat = make(options);
  if (!sat) return report(sat.error(), options.json);
  const std::string text = record::graph_text(sat->network);
  if (!options.output.empty()) {
    const Result<void> written = files::write_text_file(options.output, text);
    if (!written) return report(written.error(), options.json);
  }
  if (options.json) return print_result(json_text(options, *sat, text));
  const std::string next =
      fmt::format("next: espalier plan {} --objective bcbbwst --max-weight {} --max-length {}\n",
                  options.output.empty() ? "FILE" : shell_word(options.output), sat->max_weight, sat->max_length);
  if (options.output.empty()) {
    say(next);
    return print_file(text);
  }
  return print_result(fmt::format("wrote {}: a graph of {} and {}; satisfiable exactly if the plan is feasible\n{}",
                                  options.output, counted(sat->network.graph.vertices, "vertex", "vertices"),
                                  counted(sat->network.graph.edges.size(), "edge"), next));
}

}  // namespace espalier::app
