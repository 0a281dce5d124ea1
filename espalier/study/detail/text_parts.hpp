#pragma once

// Parts that the reports of several verbs share.

#include <string>
#include <string_view>

#include "espalier/base/result.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/study/load.hpp"
#include "espalier/study/simulation.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study::detail {

// "line 12: ", with the name of the file where it is not `file`; nothing where the line is not known.
std::string note_place(const Where& where, const std::string& file);

// The one count of bodies in all reports: those of the model, without the ground. Welded ones move together as links:
// " (4 links after welding)" where that makes fewer of them, else nothing.
std::string links_text(int bodies, int links);
// "5 bodies (4 links after welding)".
std::string bodies_text(int bodies, int links);

// "340 kB", "1.2 GB".
std::string bytes_text(double bytes);
// "about 1.2 GB in 10000 frames".
std::string size_text(const ResultSize& size);

// What was accepted, then the first few notes of the reader, those that change an answer before the others, then how
// to see the rest; `first` leads each.
std::string reader_text(const ReaderNotes& reader, std::string_view first, const TextOptions& options);

// What became of a model that was written in a format: the changes as a table, then the writer's notes. `file` may be
// empty.
std::string conversion_text(const std::string& file, formats::Format format, const formats::Conversion& conversion,
                            int width);

}  // namespace espalier::study::detail
