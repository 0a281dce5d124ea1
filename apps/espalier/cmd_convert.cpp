#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/loop_report.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/reader_notes.hpp"
#include "apps/espalier/summary.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/model/placed.hpp"

namespace espalier::app {
namespace {

std::string convert_json(const ConvertOptions& options, formats::Format format, const formats::Conversion& conversion,
                         const ReaderNotes& reader) {
  using nlohmann::ordered_json;
  ordered_json changes = ordered_json::array();
  for (const model::Difference& d : conversion.changes) {
    changes.push_back(
        {{"element", d.element}, {"name", d.name}, {"field", d.field}, {"before", d.before}, {"after", d.after}});
  }
  ordered_json document = {{"model", options.model},
                           {"written", options.output},
                           {"format", formats::format_name(format)},
                           {"changes", changes},
                           {"notes", conversion.written.notes}};
  add_reader(reader, document);
  if (options.output.empty()) document["text"] = conversion.written.text;
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// The section is no part of the model, so no writer sees it.
bool has_tuning(const std::string& file) {
  const Result<std::string> text = files::read_text_file(file);
  return text && text->find("tune") != std::string::npos && formats::read_tuning_text(*text, file).has_value();
}

// The model in the pose that `check` and `simulate` find.
Result<model::ModelSpec> read_assembled(const ConvertOptions& options, std::vector<std::string>& notes) {
  Result<model::ModelSpec> spec = formats::read_model(options.model, options.read);
  ESPALIER_TRY(spec);
  const Result<model::Model> model = model::compile(*spec);
  ESPALIER_TRY(model);
  const Result<LoopReport> loop = make_loop_report(*model, plan::make_mechanism(*model), "");
  ESPALIER_TRY(loop);
  if (!loop->computed) return make_error(ErrorCode::kUnsupported, {}, "--assembled: " + loop->why_not);
  if (std::optional<Error> open = open_loop(*loop)) return tl::unexpected(*std::move(open));
  const std::string correction = correction_text(*model, loop->correction);
  if (!correction.empty()) notes.push_back(correction);
  return model::placed(*std::move(spec), loop->system.model, dynamics::body_poses(loop->system, loop->start.state.q),
                       notes);
}

}  // namespace

int run_convert(const ConvertOptions& options) {
  const Result<formats::Format> format = formats::choose_format(options.format, options.output);
  if (!format) return report(format.error(), options.json);
  std::vector<std::string> notes;
  const Result<model::ModelSpec> spec =
      options.assembled ? read_assembled(options, notes) : formats::read_model(options.model, options.read);
  if (!spec) return report(spec.error(), options.json);
  const Result<ReaderNotes> reader = study::reader_notes(options.model, spec->notes, model::Use::kConversion,
                                                             options.accept);
  if (!reader) return report(reader.error(), options.json);
  Result<formats::Conversion> conversion = formats::convert(*spec, *format);
  if (!conversion) return report(conversion.error(), options.json);
  conversion->written.notes.insert(conversion->written.notes.begin(), notes.begin(), notes.end());
  if (has_tuning(options.model)) {
    conversion->written.notes.push_back("the section `tune` is left out; `tune --study` reads it from the old file");
  }
  if (!options.output.empty()) {
    const Result<void> written = files::write_text_file(options.output, conversion->written.text);
    if (!written) return report(written.error(), options.json);
  }
  if (options.json) return print_result(convert_json(options, *format, *conversion, *reader));
  const std::string summary = conversion_text(options.output, *format, *conversion) + reader_text(*reader, "note: ");
  if (!options.output.empty()) return print_result(summary);
  // The file itself goes to standard output, so what is said of it goes to the other one.
  say(summary);
  return print_file(conversion->written.text);
}

}  // namespace espalier::app
