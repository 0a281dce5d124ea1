#include "espalier/study/detail/text_parts.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/text.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::study::detail {
namespace {

constexpr std::size_t kFew = 4;  // notes told without `check --all`

std::vector<std::string> reader_lines(const ReaderNotes& reader) {
  std::vector<const model::Note*> notes;
  for (const model::Note& note : reader.notes) notes.push_back(&note);
  std::stable_sort(notes.begin(), notes.end(), [](const model::Note* one, const model::Note* other) {
    return (model::kind_of(*one).effect != model::Effect::kNone) >
           (model::kind_of(*other).effect != model::Effect::kNone);
  });
  std::vector<std::string> lines;
  if (!reader.accepted.empty()) {
    lines.push_back(fmt::format("accepted: {}; what the file says of it is left out, and the answer is another one",
                                fmt::join(reader.accepted, ", ")));
  }
  const std::size_t shown = std::min(notes.size(), kFew);
  for (std::size_t k = 0; k < shown; ++k) {
    lines.push_back(note_place(notes[k]->where, reader.file) + model::plain_message(*notes[k]));
  }
  if (shown < notes.size()) {
    lines.push_back(
        fmt::format("{} more notes of the reader: espalier check {} --all", notes.size() - shown, reader.file));
  }
  return lines;
}

}  // namespace

std::string note_place(const Where& where, const std::string& file) {
  if (where.line == 0) return "";
  if (where.file == file) return fmt::format("line {}: ", where.line);
  return fmt::format("{}:{}: ", std::filesystem::path(where.file).filename().string(), where.line);
}

std::string reader_text(const ReaderNotes& reader, std::string_view first, int width) {
  std::string text;
  for (const std::string& line : reader_lines(reader)) text += wrapped(first, line, width);
  return text;
}

}  // namespace espalier::study::detail
