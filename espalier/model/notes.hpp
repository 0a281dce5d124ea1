#pragma once

// Notes of readers (ModelSpec::notes) and the answers they change. A file may say more than a model here can hold:
// what is missing must not be missing in silence.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/spec.hpp"

namespace espalier::model {

// What it changes that a part of a file was not read, or was read as something else.
enum class Effect {
  kNone,       // no answer: it tells how the file was read
  kDoubt,      // no answer, but the author of the file hardly meant it so
  kContact,    // what touches, and how
  kForces,     // a mass or a law of motion: the tree stays what it is, motion and modes do not
  kMechanism,  // bodies, joints or couplings are not there
};

// The kind of a note that changes something: a word for programs and for --accept, and what it changes.
struct NoteKind {
  std::string word;  // tendon, gravcomp, ...
  Effect effect = Effect::kNone;
};

// A note is a text with a place; its kind stands at its end in brackets, "... [tendon: forces]". Notes that change
// nothing have none.
Note make_note(std::string_view message, Where where, const NoteKind& kind);
NoteKind kind_of(const Note& note);
// The message without its kind.
std::string plain_message(const Note& note);

// What a model is read for.
enum class Use { kPlan, kMotion, kContact, kModes, kConversion };

// A plan knows no forces, and only contact knows what touches. A converted file carries no notes, so that it may lack
// nothing either but what only contact would miss.
bool changes(Effect effect, Use use);

// "nothing", "doubt", "contact", "forces", "mechanism".
const char* word(Effect effect);

// Refuses a model whose answer is not that of its file: the error stands at the first note that changes it and names
// the words to accept. Returns the words of `accept` that were needed, each once, in the order of the notes; others
// do nothing. C++ programs call it between read_model() and compile().
Result<std::vector<std::string>> check_notes(std::span<const Note> notes, Use use,
                                             std::span<const std::string> accept = {});

// Physics that compiles but is probably not what its author meant. `kind` is one word for programs: inertia,
// mass, massless, blocked, open, limits, degrees, coupling.
struct Finding {
  std::string kind;
  std::string message;
  Where where;
};

// Kind by kind, each in the order of the model. O(bodies + joints).
std::vector<Finding> lint(const Model& model);

// One thing that two models do not share. Frames are compared in the world, in the drawn pose, so two models that only
// choose other body frames or other, equivalent joint frames are equal.
struct Difference {
  std::string element;  // "body", "joint", "force", ...
  std::string name;     // of the element
  std::string field;    // "mass", "limits", ...; empty where the whole element is missing or new
  std::string before;   // values as text; empty where there is none
  std::string after;
};

// What becomes of `before` in `after`, in the order of `before`. Elements are matched by name (forces, which may have
// none, by order). Numbers are equal within `tolerance`, relative to 1 or to their size, whichever is larger.
std::vector<Difference> find_differences(const Model& before, const Model& after, double tolerance = 1e-9);

}  // namespace espalier::model
