#include "espalier/formats/formats.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace espalier::formats {
namespace {

// A compiled model has values only; the specs know which of them are formulas.
void compare_constants(const model::ModelSpec& before, const model::ModelSpec& after,
                       std::vector<model::Difference>& changes) {
  for (const model::ConstantSpec& constant : before.constants) {
    const bool kept = std::any_of(after.constants.begin(), after.constants.end(),
                                  [&](const model::ConstantSpec& other) { return other.name == constant.name; });
    if (!kept) changes.push_back({"constant", constant.name, "", "present", ""});
  }
  // Without constants in the file every formula is its value, and that needs no line for each.
  if (after.constants.size() != before.constants.size()) return;
  for (const model::FormulaSpec& formula : before.formulas) {
    const bool kept = std::any_of(after.formulas.begin(), after.formulas.end(),
                                  [&](const model::FormulaSpec& other) { return other.path == formula.path; });
    if (kept) continue;
    const std::string path = fmt::format("{}", fmt::join(formula.path, "."));
    changes.push_back({"number", path, "formula", formula.text, formula.without});
  }
}

}  // namespace

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
  Conversion conversion{std::move(*written), model::find_differences(*before, *after)};
  compare_constants(spec, *read_back, conversion.changes);
  return conversion;
}

}  // namespace espalier::formats
