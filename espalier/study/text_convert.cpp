#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/study/convert.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

// "mass: 1 -> 2", "left out", "added".
std::string what_changed(const model::Difference& change) {
  if (change.field.empty()) return change.after.empty() ? "left out" : "added";
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  return fmt::format("{}: {} -> {}", change.field, shown(change.before), shown(change.after));
}

// Elements that change in the same way share a row.
std::string change_table(const std::vector<model::Difference>& changes, int width) {
  std::map<std::pair<std::string, std::string>, std::size_t> row_of;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> others;
  for (const model::Difference& change : changes) {
    const std::string what = what_changed(change);
    const auto [row, is_new] = row_of.emplace(std::pair(change.element, what), rows.size());
    if (is_new) {
      rows.push_back({change.element, change.name, what});
      others.push_back(0);
    } else {
      ++others[row->second];
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (others[k] > 0) rows[k][1] += fmt::format(" and {} more", others[k]);
  }
  return table({"element", "name", "change"}, rows, width);
}

}  // namespace

std::string detail::conversion_text(const std::string& file, formats::Format format,
                                    const formats::Conversion& conversion, int width) {
  std::string text = file.empty() ? "" : fmt::format("Wrote {} ({})\n", file, formats::format_name(format));
  const std::size_t count = conversion.changes.size();
  if (count == 0) {
    text += "nothing is lost: read back, it is the same model\n";
  } else {
    text +=
        fmt::format("read back, {} changed:\n{}", count == 1 ? "one thing has" : fmt::format("{} things have", count),
                    change_table(conversion.changes, width));
  }
  for (const std::string& note : conversion.written.notes) text += wrapped("note: ", note, width);
  return text;
}

std::string to_text(const ConvertAnswer& answer, const TextOptions& options) {
  return detail::conversion_text(answer.written, answer.format, answer.conversion, options.width) +
         detail::reader_text(answer.reader, "note: ", options);
}

}  // namespace espalier::study
