#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/redundancy.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/model/model.hpp"
#include "espalier/model/notes.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// Closing the loops of a model on a tree: its start, the rank of its equations, and which of them are redundant. The
// verbs check, plan, convert and simulate ask for it.

struct Closing {
  bool computed = false;
  std::string why_not;   // a sentence, where it was not computed
  std::string keyframe;  // the start's, empty: as drawn
  dynamics::System system;
  dynamics::Start start;
  dynamics::Correction correction;         // of the drawing, made in `system`
  dynamics::ConstraintReport constraints;  // of the assembled pose
};

// On the tree that a run with default options is planned on. An unknown keyframe is an error; more than 20 000 movable
// joints are not tried.
Result<Closing> close_loops(const model::Model& model, const plan::Mechanism& mechanism, const std::string& keyframe);

// The keyframe of this name. An unknown name is an error of the option `keyframe`.
Result<const model::Keyframe*> find_keyframe(const model::Model& model, const std::string& name);

// Some loop stays open: the sentence for it, with the place of the joint.
std::optional<Error> closing_error(const Closing& closing);

// The model in the pose in which its loops are closed, with the correction in its joints; as it is drawn where that was
// not computed, or as near to closed as was reached.
model::Model assembled(const Closing& closing, const model::Model& drawn);

// What was changed in the joints' frames so that redundant equations agree, as a sentence without its full stop; empty
// where nothing was.
std::string correction_text(const model::Model& model, const dynamics::Correction& correction);
// Redundant equations disagree by more than files round off, and no motion closes them.
std::optional<Error> locked_by_rounding(const model::Model& model, const dynamics::Correction& correction,
                                        const dynamics::Assembly& assembly);

// A way out where hinges are called ball joints, which URDF cannot say; else nothing.
std::string ball_hint(const model::Model& model);

// The verb `check`: what a model is made of, whether its loops close, how it can move, and what looks doubtful.
//   In:   LoadedModel (load.hpp)
//   Out:  CheckAnswer: counts, loops, degrees of freedom by count and by rank, redundant equations, findings, notes
// Read next: check.hpp, how loops are closed; documents.hpp for its JSON.

struct CheckOptions {
  std::string keyframe = {};         // Closes the loops from this pose of the model; empty: from the drawn one.
  std::size_t max_loops = SIZE_MAX;  // [-] Loops listed by their joints; those of a large lattice outgrow the lattice.
};

// A plain value. That loops stay open is an answer too: closing_error() says so.
struct CheckAnswer {
  std::string file;
  formats::Format format = formats::Format::kNative;
  std::string name;  // of the model
  plan::Count count;
  std::vector<std::pair<std::string, int>> joint_types;  // in the order of the joint table, those that occur
  int couplings = 0;
  int forces = 0;
  int elastic = 0;                              // beams, rods and shafts, here counted as rigid
  std::vector<std::vector<std::string>> loops;  // names of joints, in cyclic order
  std::vector<std::string> closures;            // joints the author marked as loop closures
  std::vector<model::Finding> findings;         // what looks doubtful
  std::vector<model::Note> notes;               // what the reader did and left out
  Closing closing;
};

// Errors: an unknown keyframe. O(size of the model), and O(joints x rows of the loops) to close them.
Result<CheckAnswer> check(const LoadedModel& loaded, const CheckOptions& options = {});

// The answer for people, as a word and a sentence each: "loops", "1 independent".
std::vector<std::pair<std::string, std::string>> check_lines(const CheckAnswer& answer);
// "coupler: sliding along z; turning about x, y": equations that say what others say, by joint.
std::vector<std::string> redundant_items(const CheckAnswer& answer);
// "make A cylindrical: 2 fewer": joint types that would leave fewer redundant equations, and the same motions.
std::vector<std::string> remedy_items(const CheckAnswer& answer);

}  // namespace espalier::study
