#include "espalier/study/detail/text_parts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::study::detail {
namespace {

constexpr std::size_t kFew = 4;  // notes told; check shows them all

// Pointers, since notes hold long texts and only their order changes.
std::vector<std::string> reader_lines(const ReaderNotes& reader, const Wording& wording) {
  std::vector<const model::Note*> notes;
  for (const model::Note& note : reader.notes) notes.push_back(&note);
  // Stable: among notes of equal weight those of the file's beginning come first.
  std::stable_sort(notes.begin(), notes.end(), [](const model::Note* one, const model::Note* other) {
    return (model::kind_of(*one).effect != model::Effect::kNone) >
           (model::kind_of(*other).effect != model::Effect::kNone);
  });
  std::vector<std::string> lines;
  // First of all: it says that the answer is not that of the file.
  if (!reader.accepted.empty()) {
    lines.push_back(fmt::format("accepted: {}; what the file says of it is left out, and the answer is another one",
                                fmt::join(reader.accepted, ", ")));
  }
  const std::size_t shown = std::min(notes.size(), kFew);
  for (std::size_t k = 0; k < shown; ++k) {
    lines.push_back(note_place(notes[k]->where, reader.file) + model::plain_message(*notes[k]));
  }
  // A robot file may have hundreds of notes; a report that begins with them is not read to its end.
  if (shown < notes.size()) {
    lines.push_back(fmt::format("{} more notes of the reader: {}", notes.size() - shown,
                                wording.call({"check", reader.file, {{"all", ""}}})));
  }
  return lines;
}

}  // namespace

std::string note_place(const Where& where, const std::string& file) {
  // A note on the whole file has no line, and line 0 would send people looking.
  if (where.line == 0) return "";
  if (where.file == file) return fmt::format("line {}: ", where.line);
  // The name alone: an included file mostly lies beside the one that was named.
  return fmt::format("{}:{}: ", std::filesystem::path(where.file).filename().string(), where.line);
}

std::string links_text(int bodies, int links) {
  return links == bodies ? "" : fmt::format(" ({} after welding)", counted(to_index(links), "link"));
}

std::string bodies_text(int bodies, int links) {
  return counted(to_index(bodies), "body", "bodies") + links_text(bodies, links);
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 7> kUnits = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  // From 999.5 on three digits would be 1000 of the smaller unit.
  for (; bytes >= 999.5 && unit + 1 < kUnits.size(); ++unit) bytes /= 1000;
  return fmt::format("{} {}", bytes < 10 && unit > 0 ? fmt::format("{:.1f}", bytes) : fmt::format("{:.0f}", bytes),
                     kUnits[unit]);
}

std::string size_text(const ResultSize& size) {
  // Beyond a million every digit would be read one by one.
  const std::string frames =
      size.frames < 1e6 ? fmt::format("{:.0f}", size.frames) : fmt::format("{:.3g}", size.frames);
  return fmt::format("about {} in {} frame{}{}", bytes_text(size.bytes), frames, size.frames == 1 ? "" : "s",
                     size.has_contacts ? ", without the contacts" : "");
}

std::string reader_text(const ReaderNotes& reader, std::string_view first, const TextOptions& options) {
  std::string text;
  for (const std::string& line : reader_lines(reader, options.wording)) text += wrapped(first, line, options.width);
  return text;
}

}  // namespace espalier::study::detail
