#include "apps/espalier/check_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/espalier/output.hpp"
#include "apps/espalier/reader_notes.hpp"

namespace espalier::app {
namespace {

// Which answers a note changes, and the word that accepts it.
std::string effect_text(const model::Note& note) {
  const model::NoteKind kind = model::kind_of(note);
  switch (kind.effect) {
    case model::Effect::kNone:
    case model::Effect::kDoubt:
      return "";
    case model::Effect::kContact:
      return fmt::format(" (changes contact: --accept {})", kind.word);
    case model::Effect::kForces:
      return fmt::format(" (changes motion and modes: --accept {})", kind.word);
    case model::Effect::kMechanism:
      return fmt::format(" (changes every answer: --accept {})", kind.word);
  }
  return "";
}

// The items under a heading, or the first few of `count` and how to see the rest.
std::string listing(const char* heading, const std::vector<std::string>& items, std::size_t count, bool all) {
  if (items.empty()) return "";
  std::string text = "\n";
  text += wrapped("", heading, terminal_width());
  const std::size_t shown = all ? items.size() : std::min(items.size(), kFewItems);
  for (std::size_t k = 0; k < shown; ++k) text += wrapped("  - ", items[k], terminal_width());
  if (shown < count) text += fmt::format("  ... and {} more (--all shows them)\n", count - shown);
  return text;
}

}  // namespace

std::string check_text(const study::CheckAnswer& answer, bool all) {
  std::string text =
      fmt::format("{} ({})\n", answer.name.empty() ? answer.file : answer.name, formats::format_name(answer.format));
  for (const auto& [word, sentence] : study::check_lines(answer)) {
    text += wrapped(fmt::format("  {:<9} ", word), sentence, terminal_width());
  }
  std::vector<std::string> loops, findings, notes;
  for (const std::vector<std::string>& loop : answer.loops) loops.push_back(fmt::format("{}", fmt::join(loop, ", ")));
  for (const model::Finding& finding : answer.findings)
    findings.push_back(note_place(finding.where, answer.file) + finding.message);
  for (const model::Note& note : answer.notes)
    notes.push_back(note_place(note.where, answer.file) + model::plain_message(note) + effect_text(note));
  const std::vector<std::string> redundant = study::redundant_items(answer);
  const std::vector<std::string> remedies = study::remedy_items(answer);
  text += listing("Independent loops, by their joints", loops, static_cast<std::size_t>(answer.count.loops), all);
  text += listing("Redundant equations, by joint and direction of its frame (z is the axis)", redundant,
                  redundant.size(), all);
  text += listing("Joint types that would make them independent", remedies, remedies.size(), all);
  text += listing("Look at these", findings, findings.size(), all);
  return text + listing("What the reader did", notes, notes.size(), all);
}

}  // namespace espalier::app
