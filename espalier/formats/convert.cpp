#include "espalier/formats/formats.hpp"

#include <fmt/format.h>

namespace espalier::formats {

// A conversion is checked by reading back what was written: what a format cannot say then shows as a difference of
// two compiled models, not as a promise of the writer.
Result<Conversion> convert(const model::ModelSpec& spec, Format format, const WriteOptions& options) {
  const Result<model::Model> before = model::compile(spec);
  ESPALIER_TRY(before);
  Result<WrittenModel> written = write_model(spec, format, options);
  ESPALIER_TRY(written);
  // A name that no file beside it can share: the text alone must hold the model.
  const Result<model::ModelSpec> read_back =
      read_model_text(written->text, fmt::format("(written {})", format_name(format)));
  ESPALIER_TRY(read_back);
  const Result<model::Model> after = model::compile(*read_back);
  ESPALIER_TRY(after);
  return Conversion{std::move(*written), model::find_differences(*before, *after)};
}

}  // namespace espalier::formats
