#include "espalier/study/detail/closing_json.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/study/detail/closing_names.hpp"

namespace espalier::study::detail {
namespace {

using dynamics::Assembly;
using dynamics::JointGap;
using dynamics::LimitBreak;
using nlohmann::ordered_json;

// A list of all joints would hide the one that stays open among hundreds that are closed to rounding.
ordered_json gaps_json(const Closing& closing, const std::vector<JointGap>& gaps, double least) {
  ordered_json list = ordered_json::array();
  for (const JointGap& gap : gaps) {
    if (size_of(gap) > least)
      list.push_back({{"joint", joint_name(closing, gap.joint)}, {"distance", gap.distance}, {"angle", gap.angle}});
  }
  return list;
}

ordered_json assembly_json(const Closing& closing) {
  const Assembly& assembly = closing.start.assembly;
  // By Assembly::Outcome. Programs compare these words, so that they stay although the report says it in sentences.
  constexpr std::array kWords = {"closed", "rounded", "open"};
  ordered_json limits = ordered_json::array();
  for (const LimitBreak& limit : assembly.limits) {
    limits.push_back({{"joint", joint_name(closing, limit.joint)},
                      {"coordinate", limit.coordinate},
                      {"value", limit.value},
                      {"low", limit.low},
                      {"high", limit.high},
                      {"blocks", limit.blocks}});
  }
  // One number each, for a program that only asks whether the drawing was closed; the lists below are for people.
  double before = 0, after = 0;
  for (const JointGap& gap : closing.start.gaps) before = std::max(before, size_of(gap));
  for (const JointGap& gap : assembly.after) after = std::max(after, size_of(gap));
  return {{"outcome", kWords[to_index(assembly.outcome)]},
          {"iterations", assembly.iterations},
          {"gap_before", before},
          {"gap_after", after},
          {"open_before", gaps_json(closing, closing.start.gaps, kNothing)},
          {"open_after", gaps_json(closing, assembly.after, kNothing)},
          // Every joint that moved is listed, however little: the run does not start where it was drawn.
          {"moved", gaps_json(closing, assembly.moved, 0)},
          {"limits", limits}};
}

ordered_json velocity_json(const Closing& closing) {
  const dynamics::VelocityFit& fit = closing.start.velocity;
  ordered_json changed = ordered_json::array();
  for (const dynamics::VelocityChange& change : fit.changed) {
    ordered_json item = ordered_json::object();
    // The key tells joints and bodies apart: a joint and a body may have the same name.
    if (change.joint.valid()) {
      item["joint"] = joint_name(closing, change.joint);
    } else {
      item["body"] = closing.system.model().body(change.body).name;
    }
    item.update({{"component", change.component}, {"given", change.given}, {"taken", change.taken}});
    changed.push_back(item);
  }
  // Whether all given numbers can be is asked so often that it has a key of its own beside the list.
  return {{"given", fit.given}, {"consistent", fit.changed.empty()}, {"changed", changed}};
}

}  // namespace

ordered_json correction_json(const model::Model& model, const dynamics::Correction& correction) {
  // Zeros would say that a correction was made and came out as nothing.
  if (correction.outcome != dynamics::Correction::Outcome::kFound) return nullptr;
  ordered_json joints = ordered_json::array();
  for (const dynamics::JointCorrection& joint : correction.joints) {
    joints.push_back({{"joint", model.joint(joint.joint).name}, {"angle", joint.angle}, {"distance", joint.distance}});
  }
  return {{"angle", correction.angle}, {"distance", correction.distance}, {"joints", joints}};
}

// Three parts, each of which may be missing: (1) how the loops closed, (2) the start in the closed pose, (3) the rank
// of the equations there.
ordered_json closing_json(const Closing& closing) {
  ordered_json fields = ordered_json::object();
  // What is not known has no key: a number in its place would be an answer.
  if (!closing.computed) return fields;
  // (1) No name stands for the drawn pose, since a keyframe may have any.
  fields["keyframe"] = closing.keyframe.empty() ? ordered_json(nullptr) : ordered_json(closing.keyframe);
  fields["assembly"] = assembly_json(closing);
  if (closing.start.assembly.outcome == Assembly::Outcome::kOpen) return fields;
  // (2) Velocities and corrections are those of a closed pose; an open one has none that mean anything.
  fields["velocity"] = velocity_json(closing);
  fields["correction"] = correction_json(closing.system.model(), closing.correction);
  const dynamics::ConstraintReport& found = closing.constraints;
  // An elimination that was given up knows no rank.
  if (!found.complete) return fields;
  // (3) A drive has no direction of a joint: the word says instead which law asks for too much.
  ordered_json redundant = ordered_json::array();
  for (const dynamics::RedundantEquation& equation : found.redundant) {
    const char* direction = equation.drive < 0                   ? word(equation.direction)
                            : is_motion(closing, equation.drive) ? "motion"
                                                                 : "coupling";
    redundant.push_back({{"joint", joint_name(closing, equation.joint)}, {"direction", direction}});
  }
  // Types by the words of model files, so that a remedy can be typed into one.
  ordered_json remedies = ordered_json::array();
  for (const dynamics::Remedy& remedy : found.remedies) {
    remedies.push_back({{"joint", joint_name(closing, remedy.joint)},
                        {"type", model::joint_kind(remedy.type).name},
                        // Only a universal and a planar joint need an axis; for others a letter would ask for something
                        // that is not there.
                        {"axis", remedy.axis == 0 ? ordered_json(nullptr) : ordered_json(std::string(1, remedy.axis))},
                        {"removes", remedy.removes}});
  }
  // Rank in general and rank here are both given: where they differ, degrees of freedom alone mislead.
  fields.update({{"freedom", found.freedom},
                 {"driven", found.driven},
                 {"tree_coordinates", closing.system.velocity_size()},
                 {"equations", found.rows},
                 {"rank", found.rank},
                 {"singular", found.rank_here < found.rank},
                 {"rank_here", found.rank_here},
                 {"redundant", redundant},
                 {"remedies", remedies},
                 {"remedied", found.remedied}});
  return fields;
}

}  // namespace espalier::study::detail
