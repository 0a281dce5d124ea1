#pragma once

// What the reader of a model had to say, in the JSON documents of the verbs.

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "espalier/model/notes.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study::detail {

nlohmann::ordered_json note_json(const model::Note& note);
// Adds "reader_notes" and "accepted" to a document.
void add_reader(const ReaderNotes& reader, nlohmann::ordered_json& document);

// The text of a document, with `indent` spaces per level and a line end. Bytes of names that are no UTF-8 are replaced.
std::string document_text(const nlohmann::ordered_json& document, int indent);

}  // namespace espalier::study::detail
