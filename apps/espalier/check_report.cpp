#include "apps/espalier/check_report.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "espalier/base/text.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/reader_notes.hpp"

namespace espalier::app {
namespace {

constexpr std::size_t kFew = 6;  // items of a listing without --all

// Which answers a note changes, and the word that accepts it.
std::string effect_text(const model::Note& note) {
  const model::NoteKind kind = model::kind_of(note);
  switch (kind.effect) {
    case model::Effect::kNone:
    case model::Effect::kDoubt:
      return "";
    case model::Effect::kContact:
      return fmt::format(" (changes contact: --accept {})", kind.word);
    case model::Effect::kForces:
      return fmt::format(" (changes motion and modes: --accept {})", kind.word);
    case model::Effect::kMechanism:
      return fmt::format(" (changes every answer: --accept {})", kind.word);
  }
  return "";
}

std::string joints_line(const CheckReport& report) {
  std::vector<std::string> parts;
  for (const auto& [type, count] : report.joint_types) parts.push_back(fmt::format("{} {}", count, type));
  return fmt::format("{} movable{}", report.count.movable_joints,
                     parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", ")));
}

std::string bodies_line(const CheckReport& report) {
  const plan::Count& count = report.count;
  std::string text = fmt::format("{}", count.bodies);
  if (count.groups != count.bodies) text += fmt::format(", {} after welding", count.groups);
  if (count.floating > 0)
    text += fmt::format("; {} not joined to the ground",
                        count.floating == 1 ? "one piece" : fmt::format("{} pieces", count.floating));
  return text;
}

std::string freedom_line(const CheckReport& report) {
  const plan::Count& count = report.count;
  const int spatial = count.loops - count.planar_loops;
  std::string text = fmt::format("{} by count = {}", count.freedom, counted(count.coordinates, "coordinate"));
  if (spatial > 0) text += fmt::format(" - 6 x {}", counted(spatial, "loop"));
  if (count.planar_loops > 0) text += fmt::format(" - 3 x {}", counted(count.planar_loops, "planar loop"));
  if (report.couplings > 0) text += fmt::format(" - {}", counted(report.couplings, "coupling"));
  if (report.elastic > 0)
    text += fmt::format(", as if {} were rigid", counted(report.elastic, "elastic body", "elastic bodies"));
  if (count.freedom < 0) text += "; fewer than none: constraints repeat each other, or the mechanism is locked";
  return text;
}

// The items under a heading, or the first few of `count` and how to see the rest.
std::string listing(const char* heading, const std::vector<std::string>& items, std::size_t count, bool all) {
  if (items.empty()) return "";
  std::string text = "\n";
  text += wrapped("", heading, terminal_width());
  const std::size_t shown = all ? items.size() : std::min(items.size(), kFew);
  for (std::size_t k = 0; k < shown; ++k) text += wrapped("  - ", items[k], terminal_width());
  if (shown < count) text += fmt::format("  ... and {} more (--all shows them)\n", count - shown);
  return text;
}

}  // namespace

Result<CheckReport> make_check_report(const std::string& file, formats::Format format, const model::ModelSpec& spec,
                                      const model::Model& model, const std::string& keyframe, bool all) {
  const std::size_t most_loops = all ? SIZE_MAX : kFew;
  const plan::Mechanism mechanism = plan::make_mechanism(model);
  CheckReport report;
  report.file = file;
  report.format = format;
  report.name = model.name;
  report.count = plan::count(model, mechanism);
  for (const model::JointKind& kind : model::joint_kinds()) {
    const auto count = std::count_if(model.joints.begin(), model.joints.end(),
                                     [&](const model::Joint& j) { return j.type == kind.type; });
    if (count > 0 && kind.freedom > 0) report.joint_types.emplace_back(kind.name, static_cast<int>(count));
  }
  report.couplings = static_cast<int>(model.couplings.size());
  report.forces = static_cast<int>(model.forces.size());
  report.elastic = static_cast<int>(
      std::count_if(model.bodies.begin(), model.bodies.end(), [](const model::Body& b) { return b.beam.has_value(); }));
  for (const std::vector<model::JointId>& loop : plan::independent_loops(mechanism, most_loops)) {
    std::vector<std::string>& names = report.loops.emplace_back();
    for (const model::JointId id : loop) names.push_back(model.joint(id).name);
  }
  for (const model::Joint& joint : model.joints) {
    if (joint.spec.closure) report.closures.push_back(joint.name);
  }
  report.findings = model::lint(model);
  for (const model::Note& note : spec.notes) {
    // A doubt about what was written, not a word about what was read.
    const model::NoteKind kind = model::kind_of(note);
    if (kind.effect == model::Effect::kDoubt) {
      report.findings.push_back({kind.word, model::plain_message(note), note.where});
    } else {
      report.notes.push_back(note);
    }
  }
  Result<LoopReport> loop = make_loop_report(model, mechanism, keyframe);
  ESPALIER_TRY(loop);
  report.loop = std::move(*loop);
  return report;
}

std::string check_text(const CheckReport& report, bool all) {
  std::string text =
      fmt::format("{} ({})\n", report.name.empty() ? report.file : report.name, formats::format_name(report.format));
  const int width = terminal_width();
  text += wrapped("  bodies    ", bodies_line(report), width);
  text += wrapped("  joints    ", joints_line(report), width);
  text += wrapped("  loops     ", fmt::format("{} independent", report.count.loops), width);
  text += wrapped("  freedom   ", freedom_line(report), width);
  for (const auto& [word, sentence] : loop_lines(report.loop))
    text += wrapped(fmt::format("  {:<9} ", word), sentence, width);
  std::vector<std::string> loops;
  for (std::size_t k = 0; k < report.loops.size(); ++k)
    loops.push_back(fmt::format("{}", fmt::join(report.loops[k], ", ")));
  text += listing("Independent loops, by their joints", loops, static_cast<std::size_t>(report.count.loops), all);
  const std::vector<std::string> redundant = redundant_items(report.loop);
  const std::vector<std::string> remedies = remedy_items(report.loop);
  text += listing("Redundant equations, by joint and direction of its frame (z is the axis)", redundant,
                  redundant.size(), all);
  text += listing("Joint types that would make them independent", remedies, remedies.size(), all);
  std::vector<std::string> findings, notes;
  for (const model::Finding& finding : report.findings)
    findings.push_back(note_place(finding.where, report.file) + finding.message);
  for (const model::Note& note : report.notes)
    notes.push_back(note_place(note.where, report.file) + model::plain_message(note) + effect_text(note));
  text += listing("Look at these", findings, findings.size(), all);
  text += listing("What the reader did", notes, notes.size(), all);
  return text;
}

std::string check_json(const CheckReport& report) {
  using nlohmann::ordered_json;
  ordered_json types = ordered_json::object();
  for (const auto& [type, count] : report.joint_types) types[type] = count;
  ordered_json findings = ordered_json::array();
  for (const model::Finding& f : report.findings) {
    findings.push_back({{"kind", f.kind}, {"message", f.message}, {"file", f.where.file}, {"line", f.where.line}});
  }
  ordered_json notes = ordered_json::array();
  for (const model::Note& note : report.notes) notes.push_back(note_json(note));
  const plan::Count& c = report.count;
  ordered_json document = {{"file", report.file},
                           {"format", formats::format_name(report.format)},
                           {"name", report.name},
                           {"bodies", c.bodies},
                           {"bodies_after_welding", c.groups},
                           {"movable_joints", c.movable_joints},
                           {"joint_types", types},
                           {"couplings", report.couplings},
                           {"forces", report.forces},
                           {"elastic_bodies", report.elastic},
                           {"floating_pieces", c.floating},
                           {"coordinates", c.coordinates},
                           {"loops", report.loops},
                           {"loop_count", c.loops},
                           {"planar_loop_count", c.planar_loops},
                           {"closures", report.closures},
                           {"freedom_by_count", c.freedom},
                           {"findings", findings},
                           {"notes", notes}};
  document.update(loop_json(report.loop));
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace espalier::app
