#include "espalier/model/notes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace espalier::model {
namespace {

// The answer that a note would change, in the words of the verb that asks.
const char* answer(Use use) {
  switch (use) {
    case Use::kPlan:
      return "the plan";
    case Use::kMotion:
    case Use::kContact:
      return "the motion";
    case Use::kModes:
      return "the modes";
    case Use::kConversion:
      return "the model that is written";
  }
  return "";
}

constexpr std::array kEffects = {Effect::kDoubt, Effect::kContact, Effect::kForces, Effect::kMechanism};

// Where " [word: effect]" begins; the size of the message where there is none.
std::size_t kind_begin(std::string_view message) {
  const std::size_t open = message.rfind(" [");
  const bool closed = open != std::string_view::npos && message.ends_with("]");
  // A bracket that an author wrote has seldom a colon in it; kind_of() looks at the word behind it too.
  return closed && message.find(": ", open) != std::string_view::npos ? open : message.size();
}

bool holds(std::span<const std::string> words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Note make_note(std::string_view message, Where where, const NoteKind& kind) {
  // What changes nothing must not look as if it could be accepted.
  if (kind.effect == Effect::kNone) return {std::string(message), std::move(where)};
  return {fmt::format("{} [{}: {}]", message, kind.word, word(kind.effect)), std::move(where)};
}

NoteKind kind_of(const Note& note) {
  std::string_view text = note.message;
  text.remove_prefix(kind_begin(text));
  if (text.empty()) return {};
  // Without the blank and the brackets.
  text = text.substr(2, text.size() - 3);
  const std::size_t colon = text.find(": ");
  // Brackets at the end of an ordinary sentence are no kind: only known effects count.
  for (const Effect effect : kEffects) {
    if (text.substr(colon + 2) == word(effect)) return {std::string(text.substr(0, colon)), effect};
  }
  return {};
}

std::string plain_message(const Note& note) {
  return kind_of(note).effect == Effect::kNone ? note.message : note.message.substr(0, kind_begin(note.message));
}

bool changes(Effect effect, Use use) {
  switch (effect) {
    case Effect::kNone:
    case Effect::kDoubt:
      return false;
    case Effect::kContact:
      return use == Use::kContact;
    case Effect::kForces:
      // A plan asks how bodies hang together; forces change none of that.
      return use != Use::kPlan;
    case Effect::kMechanism:
      return true;
  }
  return true;
}

const char* word(Effect effect) {
  switch (effect) {
    case Effect::kNone:
      return "nothing";
    case Effect::kDoubt:
      return "doubt";
    case Effect::kContact:
      return "contact";
    case Effect::kForces:
      return "forces";
    case Effect::kMechanism:
      return "mechanism";
  }
  return "";
}

Result<std::vector<std::string>> check_notes(std::span<const Note> notes, Use use,
                                             std::span<const std::string> accept) {
  std::vector<std::string> accepted, missing;
  const Note* first = nullptr;
  for (const Note& note : notes) {
    // A kind is accepted by its word, for all notes that have it.
    const NoteKind kind = kind_of(note);
    if (!changes(kind.effect, use)) continue;
    const bool known = holds(accept, kind.word);
    // The first one unaccepted is quoted, with its place; the others are only counted.
    if (!known && first == nullptr) first = &note;
    std::vector<std::string>& words = known ? accepted : missing;
    if (!holds(words, kind.word)) words.push_back(kind.word);
  }
  // Words that were not needed are left out: the record of a run says what was really accepted.
  if (first == nullptr) return accepted;
  // The way out as it can be copied: all words at once and not one for each try.
  std::string options;
  for (const std::string& word : missing) options += " `accept` " + word;
  const std::string others =
      missing.size() == 1 ? ""
                          : fmt::format(", and so {} {} more", missing.size() == 2 ? "does" : "do", missing.size() - 1);
  return tl::unexpected(
      Error{ErrorCode::kUnsupported, fmt::format("{}; this changes {}{}", plain_message(*first), answer(use), others),
            first->where, "accept",
            fmt::format("the verb check lists what is not read; continue without it with{}", options)});
}

}  // namespace espalier::model
