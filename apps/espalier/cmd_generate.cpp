#include <algorithm>

#include <fmt/format.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/generate.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/words.hpp"

namespace espalier::app {
namespace {

using study::GeneratedText;

// A kind with no mechanism behind it.
bool is_plain(const std::string& kind) {
  const std::vector<study::GeneratorKind> kinds = study::generator_kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const auto& known) { return known.name == kind && known.plain; });
}

Result<study::GenerateAnswer> make_answer(const GenerateCommand& command) {
  study::GenerateOptions options;
  options.sizes = command.sizes;
  options.seed = command.seed;
  options.spatial = command.spatial;
  options.thickness = command.thickness;
  options.text = command.graph ? GeneratedText::kGraph : GeneratedText::kModel;
  const Result<void> grain = study::read_word<model::Grain>("grain", command.grain, options.grain);
  ESPALIER_TRY(grain);
  // The name of a file says its format where a model is written, and nothing of a graph.
  const bool is_graph = command.graph || is_plain(command.kind);
  if (!is_graph || !command.format.empty()) {
    const Result<formats::Format> format = formats::choose_format(command.format, is_graph ? "" : command.output);
    ESPALIER_TRY(format);
    options.to = *format;
  }
  Result<study::GenerateAnswer> answer = study::generate(command.kind, options).map_error([](Error error) {
    if (error.option == "kind") error.message += " (see `espalier generate --help`)";
    return error;
  });
  ESPALIER_TRY(answer);
  if (command.output.empty()) return answer;
  const Result<void> written = files::write_text_file(command.output, answer->text);
  ESPALIER_TRY(written);
  answer->written = command.output;
  return answer;
}

}  // namespace

int run_generate(const GenerateCommand& command) {
  const Result<study::GenerateAnswer> answer = make_answer(command);
  if (!answer) return report(answer.error(), command.json);
  if (command.json) return print_result(study::to_json(*answer));
  const std::string text = study::to_text(*answer, text_options());
  if (answer->written.empty()) {
    say(text);
    return print_file(answer->text);
  }
  const bool is_model = answer->loaded && !command.graph;
  const std::string next = is_model ? fmt::format("Next: espalier check {}\n", shell_word(answer->written)) : "";
  return print_result(text + next);
}

std::string generate_help() {
  std::string text = "Kinds by rule, with their default sizes:\n";
  std::string names;
  bool plain = false;
  for (const study::GeneratorKind& kind : study::generator_kinds()) {
    if (kind.plain && !plain) text += "Plain graphs, with no mechanism behind them:\n";
    plain = kind.plain;
    std::string head = kind.name;
    for (const int size : kind.sizes) head += fmt::format(" {}", size);
    text += fmt::format("  {:<16}  {}\n", head, kind.help);
    names += fmt::format(" {} ", kind.name);
  }
  std::string shipped;
  for (const formats::ShippedModel& model : formats::shipped_models()) {
    if (names.find(fmt::format(" {} ", model.name)) == std::string::npos) shipped += fmt::format("{} ", model.name);
  }
  return text + "Models that come with the program:\n" + wrapped("  ", shipped, 80);
}

}  // namespace espalier::app
