#include "espalier/study/detail/reader_json.hpp"

#include <utility>

#include <nlohmann/json.hpp>

namespace espalier::study::detail {

using nlohmann::ordered_json;

ordered_json note_json(const model::Note& note) {
  // The kind stands at the end of the note's text; documents give it keys of its own instead.
  const model::NoteKind kind = model::kind_of(note);
  return {{"message", model::plain_message(note)},
          {"file", note.where.file},
          {"line", note.where.line},
          {"word", kind.word},
          {"changes", model::word(kind.effect)}};
}

void add_reader(const ReaderNotes& reader, ordered_json& document) {
  ordered_json notes = ordered_json::array();
  for (const model::Note& note : reader.notes) notes.push_back(note_json(note));
  // Both keys are there even if empty: a program need not ask first.
  document["reader_notes"] = std::move(notes);
  document["accepted"] = reader.accepted;
}

std::string document_text(const ordered_json& document, int indent) {
  // Names may hold bytes that are no UTF-8: a replaced character is better than no document.
  return document.dump(indent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace espalier::study::detail
