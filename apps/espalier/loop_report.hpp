#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/redundancy.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/plan/mechanism.hpp"

namespace espalier::app {

// What `espalier check` finds out by closing the loops on a tree: start, rank, redundant equations.
struct LoopReport {
  bool computed = false;
  std::string why_not;   // a sentence, where it was not computed
  std::string keyframe;  // the start's, empty: as drawn
  dynamics::System system;
  dynamics::Start start;
  dynamics::Correction correction;         // of the drawing, made in `system`
  dynamics::ConstraintReport constraints;  // of the assembled pose
};

// On the tree of `plan` with its default options. An unknown keyframe is an error.
Result<LoopReport> make_loop_report(const model::Model& model, const plan::Mechanism& mechanism,
                                    const std::string& keyframe);

// What was changed in the joints' frames so that redundant equations agree, as a sentence without its full stop; empty
// where nothing was. And the same for programs.
std::string correction_text(const model::Model& model, const dynamics::Correction& correction);
nlohmann::ordered_json correction_json(const model::Model& model, const dynamics::Correction& correction);
// Redundant equations disagree by more than files round off, and no motion closes them.
std::optional<Error> locked_by_rounding(const model::Model& model, const dynamics::Correction& correction,
                                        const dynamics::Assembly& assembly);

// The model in the pose in which its loops are closed, with the correction in its joints; as it is drawn where that was
// not computed, or as near to closed as was reached.
model::Model assembled(const LoopReport& report, const model::Model& drawn);

// Half a sentence where hinges are called ball joints, which URDF cannot say; else nothing.
std::string ball_hint(const model::Model& model);

// Some loop stays open: the sentence for it, with the place of the joint.
std::optional<Error> open_loop(const LoopReport& report);

// For people: a word and a sentence a line; then lists of their own.
std::vector<std::pair<std::string, std::string>> loop_lines(const LoopReport& report);
std::vector<std::string> redundant_items(const LoopReport& report);
std::vector<std::string> remedy_items(const LoopReport& report);
// For programs: the fields to add to the document.
nlohmann::ordered_json loop_json(const LoopReport& report);

}  // namespace espalier::app
