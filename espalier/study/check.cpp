#include "espalier/study/check.hpp"

#include <algorithm>

#include "espalier/study/detail/scene_start.hpp"

namespace espalier::study {
namespace {

void count_parts(const model::Model& model, CheckAnswer& answer) {
  // By the joint table, so that a type that is added is counted too.
  for (const model::JointKind& kind : model::joint_kinds()) {
    const auto count = std::count_if(model.joints.begin(), model.joints.end(),
                                     [&](const model::Joint& j) { return j.type == kind.type; });
    // Fixed joints weld bodies, and are no joints of the mechanism.
    if (count > 0 && kind.freedom > 0) answer.joint_types.emplace_back(kind.name, static_cast<int>(count));
  }
  answer.couplings = static_cast<int>(model.couplings.size());
  answer.forces = static_cast<int>(model.forces.size());
  // Counted because the degrees of freedom below take them for rigid, and the report must say so.
  answer.elastic = static_cast<int>(
      std::count_if(model.bodies.begin(), model.bodies.end(), [](const model::Body& b) { return b.beam.has_value(); }));
  for (const model::Joint& joint : model.joints) {
    // The author's own choice of what closes a loop; a plan may choose another joint.
    if (joint.spec.closure) answer.closures.push_back(joint.name);
  }
}

// A doubt about what was written is a finding, not a word about what was read.
void sort_notes(const std::vector<model::Note>& notes, CheckAnswer& answer) {
  for (const model::Note& note : notes) {
    const model::NoteKind kind = model::kind_of(note);
    if (kind.effect == model::Effect::kDoubt) {
      answer.findings.push_back({kind.word, model::plain_message(note), note.where});
    } else {
      answer.notes.push_back(note);
    }
  }
}

}  // namespace

// (1) Count what is there, (2) find the loops, (3) look for what is doubtful, (4) close the loops, (5) look at the
// scene.
Result<CheckAnswer> check(const LoadedModel& loaded, const CheckOptions& options) {
  const model::Model& model = loaded.model;
  const plan::Mechanism mechanism = plan::make_mechanism(model);
  CheckAnswer answer;
  answer.file = loaded.file;
  answer.format = loaded.format;
  answer.name = model.name;
  // (1) By Gruebler's formula, which needs no pose.
  answer.count = plan::count(model, mechanism);
  count_parts(model, answer);
  // (2) As many independent ones as asked for; the count above is of all.
  for (const std::vector<model::JointId>& loop : plan::independent_loops(mechanism, options.max_loops)) {
    std::vector<std::string>& names = answer.loops.emplace_back();
    for (const model::JointId id : loop) names.push_back(model.joint(id).name);
  }
  // (3) Before loops are closed: findings are of the model as drawn.
  answer.findings = model::lint(model);
  sort_notes(loaded.spec.notes, answer);
  detail::add_missing_meshes(model, answer.notes);
  // (4) Last, since it alone can take long and can fail.
  Result<Closing> closing = close_loops(model, mechanism, options.keyframe);
  ESPALIER_TRY(closing);
  answer.closing = *std::move(closing);
  // (5) With the engine's own eyes, which open the files of meshes.
  if (!model.contact) return answer;
  Result<SceneStart> scene = detail::look_at_scene(model);
  if (scene) {
    answer.scene = *std::move(scene);
  } else {
    answer.scene_why_not = full_message(scene.error());
  }
  return answer;
}

}  // namespace espalier::study
