#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/study/check.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

// Which answers a note changes, and the word that accepts it.
std::string effect_text(const model::Note& note, const Wording& wording) {
  const model::NoteKind kind = model::kind_of(note);
  const auto changes = [&](const char* what) {
    return fmt::format(" (changes {}: {})", what, wording.option("accept", kind.word));
  };
  switch (kind.effect) {
    case model::Effect::kNone:
    case model::Effect::kDoubt:
      return "";
    case model::Effect::kContact:
      return changes("contact");
    case model::Effect::kForces:
      return changes("motion and modes");
    case model::Effect::kMechanism:
      return changes("every answer");
  }
  return "";
}

// The items under a heading, or the first few of `count` and how to see the rest.
std::string listing(const char* heading, const std::vector<std::string>& items, std::size_t count,
                    const TextOptions& options) {
  if (items.empty()) return "";
  std::string text = "\n";
  text += wrapped("", heading, options.width);
  const std::size_t shown = options.all ? items.size() : std::min(items.size(), kFewItems);
  for (std::size_t k = 0; k < shown; ++k) text += wrapped("  - ", items[k], options.width);
  if (shown < count) {
    text += fmt::format("  ... and {} more ({} shows them)\n", count - shown, options.wording.option("all", ""));
  }
  return text;
}

}  // namespace

std::string to_text(const CheckAnswer& answer, const TextOptions& options) {
  std::string text =
      fmt::format("{} ({})\n", answer.name.empty() ? answer.file : answer.name, formats::format_name(answer.format));
  std::vector<std::string> loops, findings, notes;
  for (const std::vector<std::string>& loop : answer.loops) loops.push_back(fmt::format("{}", fmt::join(loop, ", ")));
  for (const model::Finding& finding : answer.findings)
    findings.push_back(detail::note_place(finding.where, answer.file) + finding.message);
  for (const model::Note& note : answer.notes)
    notes.push_back(detail::note_place(note.where, answer.file) + model::plain_message(note) +
                    effect_text(note, options.wording));
  // What is doubtful decides what the rest is worth, so that it comes first.
  const std::string doubts = listing("Look at these", findings, findings.size(), options);
  if (!doubts.empty()) text += doubts + "\n";
  for (const auto& [word, sentence] : check_lines(answer)) {
    text += wrapped(fmt::format("  {:<9} ", word), sentence, options.width);
  }
  const std::vector<std::string> redundant = redundant_items(answer);
  const std::vector<std::string> remedies = remedy_items(answer);
  text += listing("Independent loops, by their joints", loops, to_index(answer.count.loops), options);
  text += listing("Redundant equations, by joint and direction of its frame (z is the axis)", redundant,
                  redundant.size(), options);
  text += listing("Joint types that would make them independent", remedies, remedies.size(), options);
  return text + listing("What the reader did", notes, notes.size(), options);
}

}  // namespace espalier::study
