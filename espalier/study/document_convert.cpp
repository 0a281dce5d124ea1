#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/study/convert.hpp"
#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"

namespace espalier::study {

std::string to_json(const ConvertAnswer& answer) {
  using nlohmann::ordered_json;
  ordered_json changes = ordered_json::array();
  for (const model::Difference& d : answer.conversion.changes) {
    changes.push_back(
        {{"element", d.element}, {"name", d.name}, {"field", d.field}, {"before", d.before}, {"after", d.after}});
  }
  ordered_json document = {{"model", answer.file},
                           {"written", answer.written},
                           {"format", formats::format_name(answer.format)},
                           {"changes", changes},
                           {"notes", answer.conversion.written.notes}};
  detail::add_reader(answer.reader, document);
  if (answer.written.empty()) document["text"] = answer.conversion.written.text;
  return detail::document_text(document, 2);
}

}  // namespace espalier::study
