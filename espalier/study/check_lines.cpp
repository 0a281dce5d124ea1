#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/study/check.hpp"
#include "espalier/study/detail/closing_names.hpp"
#include "espalier/study/detail/text_parts.hpp"

namespace espalier::study {
namespace {

using detail::equation_name;
using detail::gap_name;
using detail::gap_text;
using detail::joint_name;
using dynamics::Assembly;
using dynamics::JointGap;
using dynamics::LimitBreak;
using model::Direction;
using Lines = std::vector<std::pair<std::string, std::string>>;

// Types in brackets, since the number that people compare is that of all.
std::string joints_line(const CheckAnswer& answer) {
  std::vector<std::string> parts;
  for (const auto& [type, count] : answer.joint_types) parts.push_back(fmt::format("{} {}", count, type));
  return fmt::format("{} movable{}", answer.count.movable_joints,
                     parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", ")));
}

std::string bodies_line(const CheckAnswer& answer) {
  const plan::Count& count = answer.count;
  std::string text = fmt::format("{}{}", count.bodies, detail::links_text(count.bodies, count.groups));
  // Not an error, since satellites float; but a joint that was forgotten looks the same.
  if (count.floating > 0)
    text += fmt::format("; {} not joined to the ground",
                        count.floating == 1 ? "one piece" : fmt::format("{} pieces", count.floating));
  return text;
}

// "0.5", or "0.3 to 0.5".
std::string range_text(double low, double high, const char* unit) {
  return low == high ? fmt::format("{:.6g}{}", low, unit) : fmt::format("{:.6g} to {:.6g}{}", low, high, unit);
}

std::string overlap_line(const SceneStart& scene) {
  if (scene.overlaps == 0) return "none at the start";
  return fmt::format("{} at the start; the deepest, {} and {}, by {:.3g} m. A run moves them apart, without speed",
                     scene.overlaps == 1 ? "2 bodies reach into each other"
                                         : fmt::format("{} pairs of bodies reach into each other", scene.overlaps),
                     in_quotes(scene.deepest_pair[0]), in_quotes(scene.deepest_pair[1]), scene.deepest);
}

void add_scene(const CheckAnswer& answer, Lines& lines) {
  if (!answer.scene_why_not.empty()) lines.emplace_back("contact", "refused: " + answer.scene_why_not);
  if (!answer.scene) return;
  const SceneStart& scene = *answer.scene;
  std::vector<std::string> kinds;
  int shapes = 0;
  for (const auto& [word, count] : scene.shapes) {
    kinds.push_back(fmt::format("{} {}", count, word));
    shapes += count;
  }
  lines.emplace_back("shapes", fmt::format("{} that can touch{}", shapes,
                                           kinds.empty() ? "" : fmt::format(" ({})", fmt::join(kinds, ", "))));
  lines.emplace_back(
      "masses", scene.moving == 0
                    ? std::string("nothing moves")
                    : fmt::format("{}; {} moving, {:.6g} kg in all", range_text(scene.lightest, scene.heaviest, " kg"),
                                  counted(to_index(scene.moving), "body", "bodies"), scene.mass));
  lines.emplace_back("friction", fmt::format("{}; restitution {}", range_text(scene.friction[0], scene.friction[1], ""),
                                             range_text(scene.restitution[0], scene.restitution[1], "")));
  lines.emplace_back("overlaps", overlap_line(scene));
}

std::string freedom_line(const CheckAnswer& answer) {
  const plan::Count& count = answer.count;
  // A planar loop gives three equations, any other one six.
  const int spatial = count.loops - count.planar_loops;
  std::string text = fmt::format("{} by count = {}", count.freedom, counted(count.coordinates, "coordinate"));
  if (spatial > 0) text += fmt::format(" - 6 x {}", counted(spatial, "loop"));
  if (count.planar_loops > 0) text += fmt::format(" - 3 x {}", counted(count.planar_loops, "planar loop"));
  if (answer.couplings > 0) text += fmt::format(" - {}", counted(answer.couplings, "coupling"));
  if (answer.elastic > 0)
    text += fmt::format(", as if {} were rigid", counted(answer.elastic, "elastic body", "elastic bodies"));
  // Gruebler's formula counts redundant equations as if each took a degree of freedom.
  if (count.freedom < 0) text += "; fewer than none: constraints are redundant, or the mechanism is locked";
  return text;
}

// A model may be open as drawn and closed in a keyframe: which was tried belongs to the answer.
std::string start_text(const Closing& closing) {
  return closing.keyframe.empty() ? "as drawn" : fmt::format("in keyframe {}", in_quotes(closing.keyframe));
}

// What is farthest from closed at the start: a joint, else a drive.
std::optional<JointGap> worst_before(const Closing& closing) {
  for (const std::vector<JointGap>* gaps : {&closing.start.gaps, &closing.start.assembly.before}) {
    if (!gaps->empty() && detail::size_of(gaps->front()) > detail::kNothing) return gaps->front();
  }
  return std::nullopt;
}

std::string assembly_line(const Closing& closing) {
  const Assembly& assembly = closing.start.assembly;
  // Closed without loops would sound as if something had been checked.
  if (assembly.after.empty()) return "nothing to close: no loops";
  // Gaps are sorted, the worst first.
  const JointGap& left = assembly.after.front();
  if (assembly.outcome == Assembly::Outcome::kOpen)
    return fmt::format("open: {} of {} cannot be closed", gap_text(left), gap_name(closing, left));
  std::string text = fmt::format("closed {}", start_text(closing));
  if (const std::optional<JointGap> worst = worst_before(closing)) {
    text = fmt::format("closed in {}: {} was open by {} {}", counted(assembly.iterations, "step"),
                       gap_name(closing, *worst), gap_text(*worst), start_text(closing));
    // One joint stands for all: it shows on which side of the drawing the mistake is.
    if (!assembly.moved.empty()) {
      const JointGap& most = assembly.moved.front();
      text += fmt::format("; {} moved most, by {}", gap_name(closing, most), gap_text(most));
    }
  }
  if (assembly.outcome == Assembly::Outcome::kRounded)
    text += fmt::format("; {} of {} stay open, which no motion removes", gap_text(left), gap_name(closing, left));
  return text;
}

std::string limit_line(const Closing& closing, const LimitBreak& limit) {
  std::string text = fmt::format("joint {} stands at {:.6g}, outside its limits [{:.6g}, {:.6g}]",
                                 in_quotes(joint_name(closing, limit.joint)), limit.value, limit.low, limit.high);
  // A start within the limits might close; this one cannot without breaking them.
  if (limit.blocks) text += "; within them the loops do not close from this start";
  return text;
}

std::string source_name(const Closing& closing, const dynamics::VelocityChange& change) {
  return change.joint.valid() ? fmt::format("joint {}", in_quotes(joint_name(closing, change.joint)))
                              : fmt::format("body {}", in_quotes(closing.system.model().body(change.body).name));
}

std::string velocity_line(const Closing& closing) {
  const dynamics::VelocityFit& fit = closing.start.velocity;
  // Consistent is said as well, since a start with velocities is rarely right at once.
  if (fit.changed.empty()) return fmt::format("{} given, consistent", counted(fit.given, "number"));
  const dynamics::VelocityChange& worst = fit.changed.front();
  return fmt::format("{} of {} given cannot be: {} says {:.6g}, nearest is {:.6g}", fit.changed.size(), fit.given,
                     source_name(closing, worst), worst.given, worst.taken);
}

std::string rank_line(const Closing& closing) {
  const dynamics::ConstraintReport& found = closing.constraints;
  // No number rather than one of an elimination that was given up.
  if (!found.complete) return "not known by rank: loops too interwoven for the elimination";
  std::string text =
      fmt::format("{} by rank = {} of the tree", found.freedom, counted(closing.system.velocity_size(), "coordinate"));
  if (found.rows > 0) text += fmt::format(" - {}", counted(found.rank, "independent equation"));
  // Driven degrees of freedom are part of the count: the mechanism has them, but no force decides them.
  if (found.driven > 0) text += fmt::format("; {} driven", found.driven);
  return text;
}

// "sliding along z; turning about x, y".
std::string directions_text(const std::vector<Direction>& directions) {
  // Grouped, because three lines for x, y and z of one joint hide that it is three times the same.
  std::vector<std::string> slides, turns, parts;
  for (const Direction direction : directions) {
    const std::string name = detail::word(direction);
    if (direction == Direction::kThread) {
      parts.push_back("sliding without turning");
    } else if (direction == Direction::kAboutNormal) {
      turns.push_back("the normal of its axes");
    } else if (is_length(direction)) {
      slides.emplace_back(1, name.back());
    } else {
      turns.emplace_back(1, name.back());
    }
  }
  // In front of the threads, and behind the slides that are put in front next.
  if (!turns.empty()) parts.insert(parts.begin(), fmt::format("turning about {}", fmt::join(turns, ", ")));
  if (!slides.empty()) parts.insert(parts.begin(), fmt::format("sliding along {}", fmt::join(slides, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Redundant equations of joints, in the order of the closing.
std::vector<std::pair<model::JointId, std::vector<Direction>>> by_joint(const Closing& closing) {
  std::vector<std::pair<model::JointId, std::vector<Direction>>> joints;
  for (const dynamics::RedundantEquation& equation : closing.constraints.redundant) {
    // Drives have no direction; redundant_items() lists them behind the joints.
    if (equation.drive >= 0) continue;
    // Equations of one joint stand together.
    if (joints.empty() || joints.back().first != equation.joint) joints.push_back({equation.joint, {}});
    joints.back().second.push_back(equation.direction);
  }
  return joints;
}

// Redundant is no mistake in itself, so that the line says what it costs: reactions that are not unique.
std::string redundant_line(const Closing& closing) {
  const dynamics::ConstraintReport& found = closing.constraints;
  std::string text = fmt::format("{} of {} of cut joints", found.redundant.size(), counted(found.rows, "equation"));
  if (found.remedied == 0) return text + "; reactions of the loops are not unique";
  return text + fmt::format("; {} would leave {} with the same degrees of freedom (tried)",
                            counted(found.remedies.size(), "other joint type"),
                            static_cast<int>(found.redundant.size()) - found.remedied);
}

void add_closing(const Closing& closing, Lines& lines) {
  // The sentence stands in the place of the rank, where the reader looks for it.
  if (!closing.computed) return lines.emplace_back("by rank", closing.why_not), void();
  const bool open = closing.start.assembly.outcome == Assembly::Outcome::kOpen;
  if (!open) lines.emplace_back("", rank_line(closing));
  lines.emplace_back("assembly", assembly_line(closing));
  // In the drawn pose they are among the findings already.
  if (!closing.keyframe.empty() || !closing.start.assembly.moved.empty()) {
    for (const LimitBreak& limit : closing.start.assembly.limits) {
      lines.emplace_back("limit", limit_line(closing, limit));
    }
  }
  // While loops are open there is no pose in which to count equations or to fit velocities.
  if (open) return;
  const std::string correction = correction_text(closing.system.model(), closing.correction);
  if (!correction.empty()) lines.emplace_back("corrected", correction);
  if (closing.start.velocity.given > 0) lines.emplace_back("velocity", velocity_line(closing));
  // Fewer independent equations here than in general: the pose is singular.
  const int lost = closing.constraints.rank - closing.constraints.rank_here;
  if (lost > 0)
    lines.emplace_back("singular", fmt::format("{} of the equations no longer {} in this pose: the mechanism may leave "
                                               "it on several ways",
                                               lost, lost == 1 ? "counts" : "count"));
  if (!closing.constraints.redundant.empty()) lines.emplace_back("redundant", redundant_line(closing));
}

}  // namespace

// What can be counted first, then what had to be computed: a model with open loops has the first lines too.
Lines check_lines(const CheckAnswer& answer) {
  Lines lines = {{"bodies", bodies_line(answer)},
                 {"joints", joints_line(answer)},
                 {"loops", fmt::format("{} independent", answer.count.loops)},
                 {"freedom", freedom_line(answer)}};
  add_closing(answer.closing, lines);
  add_scene(answer, lines);
  return lines;
}

std::vector<std::string> redundant_items(const CheckAnswer& answer) {
  const Closing& closing = answer.closing;
  std::vector<std::string> items;
  // Joints before drives, as the line above the list counts them.
  for (const auto& [joint, directions] : by_joint(closing))
    items.push_back(fmt::format("{}: {}", joint_name(closing, joint), directions_text(directions)));
  for (const dynamics::RedundantEquation& equation : closing.constraints.redundant) {
    if (equation.drive >= 0)
      items.push_back(equation_name(closing, equation.joint, equation.drive) + ": loops and other drives decide it");
  }
  return items;
}

std::vector<std::string> remedy_items(const CheckAnswer& answer) {
  const Closing& closing = answer.closing;
  std::vector<std::string> items;
  for (const dynamics::Remedy& remedy : closing.constraints.remedies) {
    std::string type(model::joint_kind(remedy.type).name);
    // The axis in words of the joint's frame, as a model file gives it.
    if (remedy.axis != 0)
      type += fmt::format(" ({} along {} of its frame)",
                          remedy.type == model::JointType::kPlanar ? "normal" : "second axis", remedy.axis);
    items.push_back(fmt::format("make {} {}: {} fewer", joint_name(closing, remedy.joint), type, remedy.removes));
  }
  return items;
}

}  // namespace espalier::study
