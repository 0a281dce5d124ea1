#include "espalier/study/closing.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/plan.hpp"
#include "espalier/study/detail/closing_names.hpp"

namespace espalier::study {
namespace {

using dynamics::Assembly;
using dynamics::JointGap;

// The tree of a larger mechanism takes longer to find than a check should.
constexpr std::size_t kMostJoints = 20'000;

}  // namespace

Result<const model::Keyframe*> find_keyframe(const model::Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const model::Keyframe& keyframe : model.keyframes) {
    if (keyframe.name == name) return &keyframe;
    // Gathered on the way, for the proposal below.
    names.push_back(keyframe.name);
  }
  // A model without keyframes gets no proposal, and is told that it has none.
  const std::string near = did_you_mean(name, names);
  return tl::unexpected(Error{ErrorCode::kName,
                              fmt::format("`keyframe`: the model has no keyframe {}{}{}", in_quotes(name),
                                          names.empty() ? ", nor any other" : "", near),
                              {},
                              "keyframe"});
}

// (1) Where to start; (2) a tree to compute on; (3) the pose in which the loops close; (4) the rank of the equations.
Result<Closing> close_loops(const model::Model& model, const plan::Mechanism& mechanism, const std::string& keyframe) {
  Closing closing;
  closing.keyframe = keyframe;
  // (1) Looked up before the tree is planned, since the name may be wrong.
  dynamics::StartOptions options;
  if (!keyframe.empty()) {
    const Result<const model::Keyframe*> found = find_keyframe(model, keyframe);
    ESPALIER_TRY(found);
    options.keyframe = *found;
  }
  // No error: the counts of `check` are right without it.
  if (mechanism.joints.size() > kMostJoints) {
    closing.why_not = fmt::format("not computed for more than {} movable joints", kMostJoints);
    return closing;
  }
  // (2) Joints that a run would keep stay in the tree here too, so that both ask about the same equations.
  const Result<plan::Plan> plan = plan::make_plan(plan::make_network(model, mechanism, plan::Weights::kLiu),
                                                  dynamics::options_for_run(model, mechanism, {}));
  ESPALIER_TRY(plan);
  dynamics::StartOptions planned = options;
  // No body is cut in two: equations that weld it again are not the user's.
  planned.as_planned = true;
  // (3) With rounding corrected first, or a file with few digits would look locked.
  dynamics::Prepared prepared = dynamics::prepare(model, mechanism, *plan, planned);
  closing.system = std::move(prepared.system);
  closing.start = std::move(prepared.start);
  closing.correction = std::move(prepared.correction);
  closing.computed = true;
  // While loops are open there is no pose in which to count their equations.
  if (closing.start.assembly.outcome == Assembly::Outcome::kOpen) return closing;
  // (4) In the closed pose, in which alone the rank of the loops has a meaning.
  closing.constraints = dynamics::analyse_constraints(closing.system, closing.start.state.time, closing.start.state.q);
  return closing;
}

std::string correction_text(const model::Model& model, const dynamics::Correction& correction) {
  // Nothing is said of a correction that was not needed, nor of one that was not found; the latter is an error below.
  if (correction.outcome != dynamics::Correction::Outcome::kFound) return "";
  // 10 rad for 1 m: corrections may reach 1e-4 rad and 1e-5 m, and those weigh alike.
  const auto worst = std::max_element(
      correction.joints.begin(), correction.joints.end(),
      [](const auto& a, const auto& b) { return a.angle + 10 * a.distance < b.angle + 10 * b.distance; });
  return fmt::format(
      "Redundant equations of the loops disagreed by what files round off; the frames of {} were corrected by at most "
      "{:.2g} rad and {:.2g} m (most at joint {}), and the mechanism is exact with them",
      counted(correction.joints.size(), "joint"), correction.angle, correction.distance,
      in_quotes(model.joint(worst->joint).name));
}

std::optional<Error> locked_by_rounding(const model::Model& model, const dynamics::Correction& correction,
                                        const Assembly& assembly) {
  // Closed or open is for others to say; this is the case in between.
  if (assembly.outcome != Assembly::Outcome::kRounded) return std::nullopt;
  const JointGap& gap = assembly.after.front();
  Error error;
  error.code = ErrorCode::kTopology;
  error.message = fmt::format(
      "the equations of the loops contradict each other by {} at {}: no motion closes that, and no correction of joint "
      "frames by up to 1e-4 rad and 1e-5 m does along the motion{}",
      detail::gap_text(gap),
      gap.joint.valid() ? "joint " + in_quotes(model.joint(gap.joint).name) : "a body cut in two",
      correction.outcome == dynamics::Correction::Outcome::kFound ? " all the way" : "");
  // The usual cause: 1.57 for half pi in one joint, and 1.5708 in another.
  error.hint = "give lengths and axes with more digits";
  if (gap.joint.valid()) error.where = model.joint(gap.joint).where;
  return error;
}

model::Model assembled(const Closing& closing, const model::Model& drawn) {
  // As drawn is the best that is known then.
  if (!closing.computed) return drawn;
  // With the system's own model, whose joint frames hold the correction.
  return model::placed(closing.system.model(), dynamics::body_poses(closing.system, closing.start.state.q));
}

std::string ball_hint(const model::Model& model) {
  const std::string word = "spherical";
  std::string first;
  int count = 0;
  for (const model::Joint& joint : model.joints) {
    if (joint.type != model::JointType::kRevolute || joint.name.find(word) == std::string::npos) continue;
    // One name is enough to recognise the convention that the file follows.
    if (count++ == 0) first = joint.name;
  }
  if (count == 0) return "";
  return fmt::format("; {} but called like ball joints ({}{}): `spherical` {} reads them so",
                     count == 1 ? "1 joint is a hinge" : fmt::format("{} joints are hinges", count), in_quotes(first),
                     count == 1 ? "" : ", ...", word);
}

std::optional<Error> closing_error(const Closing& closing) {
  const Assembly& assembly = closing.start.assembly;
  if (!closing.computed) return std::nullopt;
  if (assembly.outcome == Assembly::Outcome::kRounded)
    return locked_by_rounding(closing.system.model(), closing.correction, assembly);
  if (assembly.outcome != Assembly::Outcome::kOpen) return std::nullopt;
  const JointGap& gap = assembly.after.front();
  Error error;
  error.code = ErrorCode::kTopology;
  // The way out that needs no other file: doors spell the option in their own way.
  error.option = "keyframe";
  error.message = fmt::format("the loops cannot be closed from this start: {} stays open by {}",
                              detail::gap_name(closing, gap), detail::gap_text(gap));
  error.hint = "check lengths and joint frames of its loop, or start from another pose (`keyframe`)" +
               ball_hint(closing.system.model());
  // The weld of a cut body stands in no file.
  if (gap.joint.valid()) error.where = closing.system.model().joint(gap.joint).where;
  return error;
}

}  // namespace espalier::study
