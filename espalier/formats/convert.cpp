#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/formats/detail/formats.hpp"
#include "espalier/formats/formats.hpp"

namespace espalier::formats {
namespace {

// A list of one number may be written as that number.
bool is_same_place(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const auto& [short_way, long_way] = a.size() < b.size() ? std::tie(a, b) : std::tie(b, a);
  const bool item = long_way.size() == short_way.size() + 1 && long_way.back() == "0";
  return a == b || (item && std::equal(short_way.begin(), short_way.end(), long_way.begin()));
}

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
    const bool kept = std::any_of(after.formulas.begin(), after.formulas.end(), [&](const model::FormulaSpec& other) {
      return is_same_place(other.path, formula.path);
    });
    if (kept) continue;
    const std::string path = fmt::format("{}", fmt::join(formula.path, "."));
    changes.push_back({"number", path, "formula", formula.text, formula.without});
  }
}

// Tables are functions that only native files have.
void compare_tables(const model::ModelSpec& before, const model::ModelSpec& after,
                    std::vector<model::Difference>& changes) {
  for (const model::TableSpec& table : before.tables) {
    const auto kept = std::find_if(after.tables.begin(), after.tables.end(),
                                   [&](const model::TableSpec& other) { return other.name == table.name; });
    if (kept == after.tables.end())
      changes.push_back({"table", table.name, "", "present", ""});
    else if (*kept->rows != *table.rows)
      changes.push_back({"table", table.name, "rows", table.path, kept->path});
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
  const std::string name = fmt::format("(written {})", format_name(format));
  // The new file stands nowhere yet, so that its tables are those that are known.
  const bool has_tables = format == Format::kNative && !spec.tables.empty();
  const Result<model::ModelSpec> read_back =
      has_tables ? detail::read_native(written->text, name,
                                       detail::written_tables(spec, options.folder.value_or(std::filesystem::path())))
                 : read_model_text(written->text, name);
  ESPALIER_TRY(read_back);
  const Result<model::Model> after = model::compile(*read_back);
  ESPALIER_TRY(after);
  Conversion conversion{std::move(*written), model::find_differences(*before, *after)};
  compare_constants(spec, *read_back, conversion.changes);
  compare_tables(spec, *read_back, conversion.changes);
  return conversion;
}

}  // namespace espalier::formats
