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
  double before = 0, after = 0;
  for (const JointGap& gap : closing.start.gaps) before = std::max(before, size_of(gap));
  for (const JointGap& gap : assembly.after) after = std::max(after, size_of(gap));
  return {{"outcome", kWords[to_index(assembly.outcome)]},
          {"iterations", assembly.iterations},
          {"gap_before", before},
          {"gap_after", after},
          {"open_before", gaps_json(closing, closing.start.gaps, kNothing)},
          {"open_after", gaps_json(closing, assembly.after, kNothing)},
          {"moved", gaps_json(closing, assembly.moved, 0)},
          {"limits", limits}};
}

ordered_json velocity_json(const Closing& closing) {
  const dynamics::VelocityFit& fit = closing.start.velocity;
  ordered_json changed = ordered_json::array();
  for (const dynamics::VelocityChange& change : fit.changed) {
    ordered_json item = ordered_json::object();
    if (change.joint.valid()) {
      item["joint"] = joint_name(closing, change.joint);
    } else {
      item["body"] = closing.system.model.body(change.body).name;
    }
    item.update({{"component", change.component}, {"given", change.given}, {"taken", change.taken}});
    changed.push_back(item);
  }
  return {{"given", fit.given}, {"consistent", fit.changed.empty()}, {"changed", changed}};
}

}  // namespace

ordered_json correction_json(const model::Model& model, const dynamics::Correction& correction) {
  if (correction.outcome != dynamics::Correction::Outcome::kFound) return nullptr;
  ordered_json joints = ordered_json::array();
  for (const dynamics::JointCorrection& joint : correction.joints) {
    joints.push_back({{"joint", model.joint(joint.joint).name}, {"angle", joint.angle}, {"distance", joint.distance}});
  }
  return {{"angle", correction.angle}, {"distance", correction.distance}, {"joints", joints}};
}

ordered_json closing_json(const Closing& closing) {
  ordered_json fields = ordered_json::object();
  // What is not known has no key: a number in its place would be an answer.
  if (!closing.computed) return fields;
  fields["keyframe"] = closing.keyframe.empty() ? ordered_json(nullptr) : ordered_json(closing.keyframe);
  fields["assembly"] = assembly_json(closing);
  if (closing.start.assembly.outcome == Assembly::Outcome::kOpen) return fields;
  fields["velocity"] = velocity_json(closing);
  fields["correction"] = correction_json(closing.system.model, closing.correction);
  const dynamics::ConstraintReport& found = closing.constraints;
  // An elimination that was given up knows no rank.
  if (!found.complete) return fields;
  ordered_json redundant = ordered_json::array();
  for (const dynamics::RedundantEquation& equation : found.redundant) {
    const char* direction = equation.drive < 0                   ? word(equation.direction)
                            : is_motion(closing, equation.drive) ? "motion"
                                                                 : "coupling";
    redundant.push_back({{"joint", joint_name(closing, equation.joint)}, {"direction", direction}});
  }
  ordered_json remedies = ordered_json::array();
  for (const dynamics::Remedy& remedy : found.remedies) {
    remedies.push_back({{"joint", joint_name(closing, remedy.joint)},
                        {"type", model::joint_kind(remedy.type).name},
                        {"axis", remedy.axis == 0 ? ordered_json(nullptr) : ordered_json(std::string(1, remedy.axis))},
                        {"removes", remedy.removes}});
  }
  fields.update({{"freedom", found.freedom},
                 {"driven", found.driven},
                 {"tree_coordinates", closing.system.velocity_size},
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
