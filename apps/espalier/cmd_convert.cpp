#include <cstdio>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/commands.hpp"
#include "espalier/base/text.hpp"
#include "espalier/io/convert.hpp"
#include "apps/espalier/output.hpp"

namespace espalier::app {
namespace {

// Many elements often lose the same field: one row for all of them.
std::string change_table(const std::vector<model::Difference>& changes) {
  std::map<std::pair<std::string, std::string>, std::vector<const model::Difference*>> groups;
  for (const model::Difference& change : changes) groups[{change.element, change.field}].push_back(&change);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, group] : groups) {
    const model::Difference& first = *group.front();
    const std::string what = key.second.empty() ? (first.after.empty() ? "left out" : "added")
                                                : fmt::format("{}: {} -> {}", key.second, first.before,
                                                              first.after.empty() ? "none" : first.after);
    const std::string who = first.name + (group.size() > 1 ? fmt::format(" and {} more", group.size() - 1) : "");
    rows.push_back({key.first, who, what});
  }
  return table({"element", "name", "change"}, rows);
}

std::string convert_json(const ConvertOptions& options, io::Format format, const io::Conversion& conversion) {
  using nlohmann::ordered_json;
  ordered_json changes = ordered_json::array();
  for (const model::Difference& d : conversion.changes) {
    changes.push_back(
        {{"element", d.element}, {"name", d.name}, {"field", d.field}, {"before", d.before}, {"after", d.after}});
  }
  ordered_json document = {{"model", options.model},
                           {"written", options.output},
                           {"format", io::format_name(format)},
                           {"changes", changes},
                           {"notes", conversion.written.notes}};
  if (options.output.empty()) document["text"] = conversion.written.text;
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// To stderr where the file itself goes to stdout.
void print_summary(const ConvertOptions& options, io::Format format, const io::Conversion& conversion) {
  std::string text;
  if (!options.output.empty()) text += fmt::format("wrote {} ({})\n", options.output, io::format_name(format));
  if (conversion.changes.empty())
    text += "nothing is lost: read back, it is the same model\n";
  else
    text += fmt::format(
        "read back, {} changed:\n{}",
        conversion.changes.size() == 1 ? "one thing has" : fmt::format("{} things have", conversion.changes.size()),
        change_table(conversion.changes));
  for (const std::string& note : conversion.written.notes) text += wrapped("note: ", note, terminal_width());
  std::fputs(text.c_str(), options.output.empty() ? stderr : stdout);
}

}  // namespace

int run_convert(const ConvertOptions& options) {
  const Result<io::Format> format = io::choose_format(options.format, options.output);
  if (!format) return report(format.error(), options.json);
  const Result<model::ModelSpec> spec = io::read_model(options.model, options.read);
  if (!spec) return report(spec.error(), options.json);
  const Result<io::Conversion> conversion = io::convert(*spec, *format);
  if (!conversion) return report(conversion.error(), options.json);
  if (!options.output.empty()) {
    const Result<void> written = io::write_text_file(options.output, conversion->written.text);
    if (!written) return report(written.error(), options.json);
  }
  if (options.json) return print(convert_json(options, *format, *conversion)) ? kDone : kBadInput;
  if (options.output.empty() && !print(conversion->written.text)) return kBadInput;
  print_summary(options, *format, *conversion);
  return kDone;
}

}  // namespace espalier::app
