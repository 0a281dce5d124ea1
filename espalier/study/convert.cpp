#include "espalier/study/convert.hpp"

#include <optional>
#include <utility>

#include "espalier/dynamics/start.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/model/model.hpp"
#include "espalier/study/check.hpp"

namespace espalier::study {
namespace {

// The section is no part of the model, so no writer sees it.
bool has_tuning(const std::string& file) {
  const Result<std::string> text = files::read_text_file(file);
  // Most models have no such word, and need not be read a second time.
  return text && text->find("tune") != std::string::npos && formats::read_tuning_text(*text, file).has_value();
}

// The model in the pose that `check` and `simulate` find.
Result<model::ModelSpec> assembled_spec(const LoadedModel& loaded, std::vector<std::string>& notes) {
  const Result<Closing> closing = close_loops(loaded.model, plan::make_mechanism(loaded.model), "");
  ESPALIER_TRY(closing);
  if (!closing->computed) {
    return make_error(ErrorCode::kUnsupported, {}, "the loops cannot be closed before writing: " + closing->why_not);
  }
  if (std::optional<Error> open = closing_error(*closing)) return tl::unexpected(*std::move(open));
  const std::string correction = correction_text(loaded.model, closing->correction);
  if (!correction.empty()) notes.push_back(correction);
  return model::placed(loaded.spec, closing->system.model,
                       dynamics::body_poses(closing->system, closing->start.state.q), notes);
}

}  // namespace

Result<ConvertAnswer> convert(const LoadedModel& loaded, const ConvertOptions& options) {
  std::vector<std::string> notes;
  const Result<model::ModelSpec> spec =
      options.pose == WrittenPose::kAssembled ? assembled_spec(loaded, notes) : Result<model::ModelSpec>(loaded.spec);
  ESPALIER_TRY(spec);
  Result<ReaderNotes> reader = reader_notes(loaded, model::Use::kConversion);
  ESPALIER_TRY(reader);
  Result<formats::Conversion> conversion = formats::convert(*spec, options.to);
  ESPALIER_TRY(conversion);
  std::vector<std::string>& written = conversion->written.notes;
  written.insert(written.begin(), notes.begin(), notes.end());
  if (has_tuning(loaded.file)) {
    written.push_back("the section `tune` is left out; `tune --study` reads it from the old file");
  }
  return ConvertAnswer{loaded.file, "", options.to, *std::move(conversion), *std::move(reader)};
}

}  // namespace espalier::study
