#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/study/convert.hpp"
#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"

namespace espalier::study {

std::string to_json(const ConvertAnswer& answer) {
  using nlohmann::ordered_json;
  // Before and after are texts: what a format loses may be a vector, a word or a whole element.
  ordered_json changes = ordered_json::array();
  for (const model::Difference& d : answer.conversion.changes) {
    changes.push_back(
        {{"element", d.element}, {"name", d.name}, {"field", d.field}, {"before", d.before}, {"after", d.after}});
  }
  ordered_json document = {{"model", answer.file},
                           // Empty as long as no door has written a file, and then the text below stands in its place.
                           {"written", answer.written},
                           {"format", formats::format_name(answer.format)},
                           {"changes", changes},
                           {"notes", answer.conversion.written.notes}};
  // Reader and writer both leave things out: a model that was converted twice has lost by each.
  detail::add_reader(answer.reader, document);
  if (answer.written.empty()) document["text"] = answer.conversion.written.text;
  return detail::document_text(document, 2);
}

}  // namespace espalier::study
