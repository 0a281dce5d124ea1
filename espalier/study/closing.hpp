#pragma once

// The loops of a model, closed on a tree: what the verbs check, plan, convert and simulate ask before they answer.
//   In:   a model and its mechanism; a keyframe, where the loops are to be closed from there
//   Out:  Closing: the start, the rank of the loop equations, and which of them are redundant
// Read next: dynamics/start.hpp, how loops are closed; dynamics/redundancy.hpp, what a redundant equation is.

#include <optional>
#include <string>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/redundancy.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::study {

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

}  // namespace espalier::study
