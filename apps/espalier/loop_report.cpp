#include "apps/espalier/loop_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "espalier/base/text.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/model/placed.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::app {
namespace {

using dynamics::Assembly;
using dynamics::Direction;
using dynamics::JointGap;
using dynamics::LimitBreak;
using nlohmann::ordered_json;

// The tree of a larger mechanism takes longer to find than a check should.
constexpr std::size_t kMostJoints = 20'000;
constexpr double kNothing = 1e-9;  // [m, rad]

std::string joint_name(const LoopReport& report, model::JointId joint) {
  return joint.valid() ? report.system.model.joint(joint).name : "(weld of a cut body)";
}

bool is_motion(const LoopReport& report, int drive) {
  const std::vector<model::Force>& forces = report.system.model.forces;
  return drive < std::count_if(
                     forces.begin(), forces.end(),
                     [](const model::Force& force) { return std::holds_alternative<model::Motion>(force.law); });
}

// "joint 'C'", "the motion of joint 'A'".
std::string equation_name(const LoopReport& report, model::JointId joint, int drive) {
  const std::string name = fmt::format("joint {}", in_quotes(joint_name(report, joint)));
  if (drive < 0) return name;
  return fmt::format("the {} of {}", is_motion(report, drive) ? "motion" : "coupling", name);
}
std::string gap_name(const LoopReport& report, const JointGap& gap) {
  return equation_name(report, gap.joint, gap.drive);
}

std::string length_text(double length) {
  return length > 1e-6 && length < 0.01 ? fmt::format("{:.3g} mm", 1000 * length) : fmt::format("{:.3g} m", length);
}
std::string angle_text(double angle) {
  return angle > 1e-6 ? fmt::format("{:.3g} deg", angle * 180 / std::numbers::pi) : fmt::format("{:.3g} rad", angle);
}

// "1.95 mm and 3 deg"; what is nothing beside the other is left out.
std::string gap_text(const JointGap& gap) {
  const double least = std::max({gap.distance, gap.angle}) * 1e-3;
  if (gap.angle <= least) return length_text(gap.distance);
  return gap.distance <= least ? angle_text(gap.angle)
                               : fmt::format("{} and {}", length_text(gap.distance), angle_text(gap.angle));
}

double size_of(const JointGap& gap) { return std::max(gap.distance, gap.angle); }

std::string start_text(const LoopReport& report) {
  return report.keyframe.empty() ? "as drawn" : fmt::format("in keyframe {}", in_quotes(report.keyframe));
}

// What is farthest from closed at the start: a joint, else a drive.
std::optional<JointGap> worst_before(const LoopReport& report) {
  for (const std::vector<JointGap>* gaps : {&report.start.gaps, &report.start.assembly.before}) {
    if (!gaps->empty() && size_of(gaps->front()) > kNothing) return gaps->front();
  }
  return std::nullopt;
}

std::string assembly_line(const LoopReport& report) {
  const Assembly& assembly = report.start.assembly;
  if (assembly.after.empty()) return "nothing to close: no loops";
  const JointGap& left = assembly.after.front();
  if (assembly.outcome == Assembly::Outcome::kOpen)
    return fmt::format("open: {} of {} cannot be closed", gap_text(left), gap_name(report, left));
  std::string text = fmt::format("closed {}", start_text(report));
  if (const std::optional<JointGap> worst = worst_before(report)) {
    text = fmt::format("closed in {}: {} was open by {} {}", counted(assembly.iterations, "step"),
                       gap_name(report, *worst), gap_text(*worst), start_text(report));
    if (!assembly.moved.empty()) {
      const JointGap& most = assembly.moved.front();
      text += fmt::format("; {} moved most, by {}", gap_name(report, most), gap_text(most));
    }
  }
  if (assembly.outcome == Assembly::Outcome::kRounded)
    text += fmt::format("; {} of {} stay open, which no motion removes", gap_text(left), gap_name(report, left));
  return text;
}

std::string limit_line(const LoopReport& report, const LimitBreak& limit) {
  std::string text = fmt::format("joint {} stands at {:.6g}, outside its limits [{:.6g}, {:.6g}]",
                                 in_quotes(joint_name(report, limit.joint)), limit.value, limit.low, limit.high);
  if (limit.blocks) text += "; within them the loops do not close from this start";
  return text;
}

std::string source_name(const LoopReport& report, const dynamics::VelocityChange& change) {
  return change.joint.valid() ? fmt::format("joint {}", in_quotes(joint_name(report, change.joint)))
                              : fmt::format("body {}", in_quotes(report.system.model.body(change.body).name));
}

std::string velocity_line(const LoopReport& report) {
  const dynamics::VelocityFit& fit = report.start.velocity;
  if (fit.changed.empty()) return fmt::format("{} given, consistent", counted(fit.given, "number"));
  const dynamics::VelocityChange& worst = fit.changed.front();
  return fmt::format("{} of {} given cannot be: {} says {:.6g}, nearest is {:.6g}", fit.changed.size(), fit.given,
                     source_name(report, worst), worst.given, worst.taken);
}

std::string freedom_line(const LoopReport& report) {
  const dynamics::ConstraintReport& found = report.constraints;
  if (!found.complete) return "not known by rank: loops too interwoven for the elimination";
  std::string text =
      fmt::format("{} by rank = {} of the tree", found.freedom, counted(report.system.velocity_size, "coordinate"));
  if (found.rows > 0) text += fmt::format(" - {}", counted(found.rank, "independent equation"));
  if (found.driven > 0) text += fmt::format("; {} driven", found.driven);
  return text;
}

const char* word(Direction direction) {
  switch (direction) {
    case Direction::kX:
      return "slide_x";
    case Direction::kY:
      return "slide_y";
    case Direction::kZ:
      return "slide_z";
    case Direction::kAboutX:
      return "turn_x";
    case Direction::kAboutY:
      return "turn_y";
    case Direction::kAboutZ:
      return "turn_z";
    case Direction::kAboutNormal:
      return "turn_normal";
    case Direction::kThread:
      return "thread";
  }
  return "";
}

// "sliding along z; turning about x, y".
std::string directions_text(const std::vector<Direction>& directions) {
  std::vector<std::string> slides, turns, parts;
  for (const Direction direction : directions) {
    const std::string name = word(direction);
    if (direction == Direction::kThread) {
      parts.push_back("sliding without turning");
    } else if (direction == Direction::kAboutNormal) {
      turns.push_back("the normal of its axes");
    } else if (dynamics::is_length(direction)) {
      slides.emplace_back(1, name.back());
    } else {
      turns.emplace_back(1, name.back());
    }
  }
  if (!turns.empty()) parts.insert(parts.begin(), fmt::format("turning about {}", fmt::join(turns, ", ")));
  if (!slides.empty()) parts.insert(parts.begin(), fmt::format("sliding along {}", fmt::join(slides, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Redundant equations of joints, in the order of the report.
std::vector<std::pair<model::JointId, std::vector<Direction>>> by_joint(const LoopReport& report) {
  std::vector<std::pair<model::JointId, std::vector<Direction>>> joints;
  for (const dynamics::RedundantEquation& equation : report.constraints.redundant) {
    if (equation.drive >= 0) continue;
    if (joints.empty() || joints.back().first != equation.joint) joints.push_back({equation.joint, {}});
    joints.back().second.push_back(equation.direction);
  }
  return joints;
}

std::string redundant_line(const LoopReport& report) {
  const dynamics::ConstraintReport& found = report.constraints;
  std::string text = fmt::format("{} of {} of cut joints", found.redundant.size(), counted(found.rows, "equation"));
  if (found.remedied == 0) return text + "; reactions of the loops are not unique";
  return text + fmt::format("; {} would leave {} with the same freedoms (tried)",
                            counted(found.remedies.size(), "other joint type"),
                            static_cast<int>(found.redundant.size()) - found.remedied);
}

ordered_json gaps_json(const LoopReport& report, const std::vector<JointGap>& gaps, double least) {
  ordered_json list = ordered_json::array();
  for (const JointGap& gap : gaps) {
    if (size_of(gap) > least)
      list.push_back({{"joint", joint_name(report, gap.joint)}, {"distance", gap.distance}, {"angle", gap.angle}});
  }
  return list;
}

ordered_json assembly_json(const LoopReport& report) {
  const Assembly& assembly = report.start.assembly;
  constexpr std::array kWords = {"closed", "rounded", "open"};
  ordered_json limits = ordered_json::array();
  for (const LimitBreak& limit : assembly.limits) {
    limits.push_back({{"joint", joint_name(report, limit.joint)},
                      {"coordinate", limit.coordinate},
                      {"value", limit.value},
                      {"low", limit.low},
                      {"high", limit.high},
                      {"blocks", limit.blocks}});
  }
  double before = 0, after = 0;
  for (const JointGap& gap : report.start.gaps) before = std::max(before, size_of(gap));
  for (const JointGap& gap : assembly.after) after = std::max(after, size_of(gap));
  return {{"outcome", kWords[static_cast<std::size_t>(assembly.outcome)]},
          {"iterations", assembly.iterations},
          {"gap_before", before},
          {"gap_after", after},
          {"open_before", gaps_json(report, report.start.gaps, kNothing)},
          {"open_after", gaps_json(report, assembly.after, kNothing)},
          {"moved", gaps_json(report, assembly.moved, 0)},
          {"limits", limits}};
}

ordered_json velocity_json(const LoopReport& report) {
  const dynamics::VelocityFit& fit = report.start.velocity;
  ordered_json changed = ordered_json::array();
  for (const dynamics::VelocityChange& change : fit.changed) {
    ordered_json item = ordered_json::object();
    if (change.joint.valid()) {
      item["joint"] = joint_name(report, change.joint);
    } else {
      item["body"] = report.system.model.body(change.body).name;
    }
    item.update({{"component", change.component}, {"given", change.given}, {"taken", change.taken}});
    changed.push_back(item);
  }
  return {{"given", fit.given}, {"consistent", fit.changed.empty()}, {"changed", changed}};
}

}  // namespace

Result<LoopReport> make_loop_report(const model::Model& model, const plan::Mechanism& mechanism,
                                    const std::string& keyframe) {
  LoopReport report;
  report.keyframe = keyframe;
  dynamics::StartOptions options;
  if (!keyframe.empty()) {
    std::vector<std::string> names;
    for (const model::Keyframe& known : model.keyframes) {
      names.push_back(known.name);
      if (known.name == keyframe) options.keyframe = &known;
    }
    if (options.keyframe == nullptr)
      return make_error(ErrorCode::kName, {},
                        fmt::format("--keyframe: the model has no keyframe {}{}{}", in_quotes(keyframe),
                                    names.empty() ? ", nor any other" : "", did_you_mean(keyframe, names)));
  }
  if (mechanism.joints.size() > kMostJoints) {
    report.why_not = fmt::format("not computed for more than {} movable joints", kMostJoints);
    return report;
  }
  const Result<plan::Plan> plan = plan::make_plan(plan::make_network(model, mechanism, plan::Weights::kLiu),
                                                  dynamics::options_for_run(model, mechanism, {}));
  ESPALIER_TRY(plan);
  dynamics::StartOptions planned = options;
  planned.as_planned = true;
  dynamics::Prepared prepared = dynamics::prepare(model, mechanism, *plan, planned);
  report.system = std::move(prepared.system);
  report.start = std::move(prepared.start);
  report.correction = std::move(prepared.correction);
  report.computed = true;
  if (report.start.assembly.outcome == Assembly::Outcome::kOpen) return report;
  report.constraints = dynamics::analyse_constraints(report.system, report.start.state.time, report.start.state.q);
  return report;
}

std::string correction_text(const model::Model& model, const dynamics::Correction& correction) {
  if (correction.outcome != dynamics::Correction::Outcome::kFound) return "";
  const auto worst = std::max_element(
      correction.joints.begin(), correction.joints.end(),
      [](const auto& a, const auto& b) { return a.angle + 10 * a.distance < b.angle + 10 * b.distance; });
  return fmt::format(
      "Redundant equations of the loops disagreed by what files round off; the frames of {} were corrected by at most "
      "{:.2g} rad and {:.2g} m (most at joint {}), and the mechanism is exact with them",
      counted(correction.joints.size(), "joint"), correction.angle, correction.distance,
      in_quotes(model.joint(worst->joint).name));
}

ordered_json correction_json(const model::Model& model, const dynamics::Correction& correction) {
  if (correction.outcome != dynamics::Correction::Outcome::kFound) return nullptr;
  ordered_json joints = ordered_json::array();
  for (const dynamics::JointCorrection& joint : correction.joints) {
    joints.push_back({{"joint", model.joint(joint.joint).name}, {"angle", joint.angle}, {"distance", joint.distance}});
  }
  return {{"angle", correction.angle}, {"distance", correction.distance}, {"joints", joints}};
}

std::optional<Error> locked_by_rounding(const model::Model& model, const dynamics::Correction& correction,
                                        const Assembly& assembly) {
  if (assembly.outcome != Assembly::Outcome::kRounded) return std::nullopt;
  const JointGap& gap = assembly.after.front();
  Error error;
  error.code = ErrorCode::kTopology;
  error.message = fmt::format(
      "the equations of the loops contradict each other by {} at {}: no motion closes that, and no correction of joint "
      "frames by up to 1e-4 rad and 1e-5 m does along the motion{}; give lengths and axes with more digits",
      gap_text(gap), gap.joint.valid() ? "joint " + in_quotes(model.joint(gap.joint).name) : "a body cut in two",
      correction.outcome == dynamics::Correction::Outcome::kFound ? " all the way" : "");
  if (gap.joint.valid()) error.where = model.joint(gap.joint).where;
  return error;
}

model::Model assembled(const LoopReport& report, const model::Model& drawn) {
  if (!report.computed) return drawn;
  return model::placed(report.system.model, dynamics::body_poses(report.system, report.start.state.q));
}

std::string ball_hint(const model::Model& model) {
  const std::string word = "spherical";
  std::string first;
  int count = 0;
  for (const model::Joint& joint : model.joints) {
    if (joint.type != model::JointType::kRevolute || joint.name.find(word) == std::string::npos) continue;
    if (count++ == 0) first = joint.name;
  }
  if (count == 0) return "";
  return fmt::format("; {} but called like ball joints ({}{}): --spherical {} reads them so",
                     count == 1 ? "1 joint is a hinge" : fmt::format("{} joints are hinges", count), in_quotes(first),
                     count == 1 ? "" : ", ...", word);
}

std::optional<Error> open_loop(const LoopReport& report) {
  const Assembly& assembly = report.start.assembly;
  if (!report.computed) return std::nullopt;
  if (assembly.outcome == Assembly::Outcome::kRounded)
    return locked_by_rounding(report.system.model, report.correction, assembly);
  if (assembly.outcome != Assembly::Outcome::kOpen) return std::nullopt;
  const JointGap& gap = assembly.after.front();
  Error error;
  error.code = ErrorCode::kTopology;
  error.message = fmt::format(
      "the loops cannot be closed from this start: {} stays open by {}; check lengths and joint frames of its "
      "loop, or start from another pose (--keyframe){}",
      gap_name(report, gap), gap_text(gap), ball_hint(report.system.model));
  if (gap.joint.valid()) error.where = report.system.model.joint(gap.joint).where;
  return error;
}

std::vector<std::pair<std::string, std::string>> loop_lines(const LoopReport& report) {
  if (!report.computed) return {{"by rank", report.why_not}};
  std::vector<std::pair<std::string, std::string>> lines;
  const bool open = report.start.assembly.outcome == Assembly::Outcome::kOpen;
  if (!open) lines.emplace_back("", freedom_line(report));
  lines.emplace_back("assembly", assembly_line(report));
  // In the drawn pose they are among the findings already.
  if (!report.keyframe.empty() || !report.start.assembly.moved.empty()) {
    for (const LimitBreak& limit : report.start.assembly.limits) lines.emplace_back("limit", limit_line(report, limit));
  }
  if (open) return lines;
  const std::string correction = correction_text(report.system.model, report.correction);
  if (!correction.empty()) lines.emplace_back("corrected", correction);
  if (report.start.velocity.given > 0) lines.emplace_back("velocity", velocity_line(report));
  const int lost = report.constraints.rank - report.constraints.rank_here;
  if (lost > 0)
    lines.emplace_back("singular", fmt::format("{} of the equations no longer {} in this pose: the mechanism may leave "
                                               "it on several ways",
                                               lost, lost == 1 ? "counts" : "count"));
  if (!report.constraints.redundant.empty()) lines.emplace_back("redundant", redundant_line(report));
  return lines;
}

std::vector<std::string> redundant_items(const LoopReport& report) {
  std::vector<std::string> items;
  for (const auto& [joint, directions] : by_joint(report))
    items.push_back(fmt::format("{}: {}", joint_name(report, joint), directions_text(directions)));
  for (const dynamics::RedundantEquation& equation : report.constraints.redundant) {
    if (equation.drive >= 0)
      items.push_back(equation_name(report, equation.joint, equation.drive) + ": loops and other drives decide it");
  }
  return items;
}

std::vector<std::string> remedy_items(const LoopReport& report) {
  std::vector<std::string> items;
  for (const dynamics::Remedy& remedy : report.constraints.remedies) {
    std::string type(model::joint_kind(remedy.type).name);
    if (remedy.axis != 0)
      type += fmt::format(" ({} along {} of its frame)",
                          remedy.type == model::JointType::kPlanar ? "normal" : "second axis", remedy.axis);
    items.push_back(fmt::format("make {} {}: {} fewer", joint_name(report, remedy.joint), type, remedy.removes));
  }
  return items;
}

ordered_json loop_json(const LoopReport& report) {
  ordered_json fields = ordered_json::object();
  if (!report.computed) return fields;
  fields["keyframe"] = report.keyframe.empty() ? ordered_json(nullptr) : ordered_json(report.keyframe);
  fields["assembly"] = assembly_json(report);
  if (report.start.assembly.outcome == Assembly::Outcome::kOpen) return fields;
  fields["velocity"] = velocity_json(report);
  fields["correction"] = correction_json(report.system.model, report.correction);
  const dynamics::ConstraintReport& found = report.constraints;
  if (!found.complete) return fields;
  ordered_json redundant = ordered_json::array();
  for (const dynamics::RedundantEquation& equation : found.redundant) {
    const char* direction = equation.drive < 0                  ? word(equation.direction)
                            : is_motion(report, equation.drive) ? "motion"
                                                                : "coupling";
    redundant.push_back({{"joint", joint_name(report, equation.joint)}, {"direction", direction}});
  }
  ordered_json remedies = ordered_json::array();
  for (const dynamics::Remedy& remedy : found.remedies) {
    remedies.push_back({{"joint", joint_name(report, remedy.joint)},
                        {"type", model::joint_kind(remedy.type).name},
                        {"axis", remedy.axis == 0 ? ordered_json(nullptr) : ordered_json(std::string(1, remedy.axis))},
                        {"removes", remedy.removes}});
  }
  fields.update({{"freedom", found.freedom},
                 {"driven", found.driven},
                 {"tree_coordinates", report.system.velocity_size},
                 {"equations", found.rows},
                 {"rank", found.rank},
                 {"singular", found.rank_here < found.rank},
                 {"rank_here", found.rank_here},
                 {"redundant", redundant},
                 {"remedies", remedies},
                 {"remedied", found.remedied}});
  return fields;
}

}  // namespace espalier::app
