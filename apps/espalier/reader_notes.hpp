#pragma once

// What the reader of a model has to say, told by every verb that uses the model.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "espalier/model/notes.hpp"
#include "espalier/study/load.hpp"

namespace espalier::app {

using study::ReaderNotes;

// "line 12: ", with the name of the file where it is not `file`; nothing where the line is not known.
std::string note_place(const Where& where, const std::string& file);

// What was accepted, then the first few notes, those that change an answer before the others, then how to see the rest.
std::vector<std::string> reader_lines(const ReaderNotes& reader);
// The same as lines that `first` leads.
std::string reader_text(const ReaderNotes& reader, std::string_view first);

// "reader_notes" and "accepted", added to a document.
void add_reader(const ReaderNotes& reader, nlohmann::ordered_json& document);
nlohmann::ordered_json with_reader(const ReaderNotes& reader, nlohmann::ordered_json document);
nlohmann::ordered_json note_json(const model::Note& note);

}  // namespace espalier::app
