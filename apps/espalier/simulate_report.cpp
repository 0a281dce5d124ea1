#include "apps/espalier/simulate_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/output.hpp"
#include "espalier/base/hash.hpp"
#include "espalier/base/printable.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kFew = 6;  // joints named in one line

std::string line(const char* first, const std::string& text) {
  return wrapped(fmt::format("{:<8}", first), text, terminal_width());
}

std::vector<std::string> cut_names(const plan::Plan& plan) {
  std::vector<std::string> names;
  for (const int e : plan.cut) names.push_back(plan::edge_name(plan.network, e));
  return names;
}

// What was changed in the joints' frames so that redundant equations agree.
ordered_json correction_json(const model::Model& model, const dynamics::Correction& correction) {
  if (correction.outcome != dynamics::Correction::Outcome::kFound) return nullptr;
  ordered_json joints = ordered_json::array();
  for (const dynamics::JointCorrection& joint : correction.joints) {
    joints.push_back({{"joint", model.joint(joint.joint).name}, {"angle", joint.angle}, {"distance", joint.distance}});
  }
  return {{"angle", correction.angle}, {"distance", correction.distance}, {"joints", joints}};
}

ordered_json cut_bodies(const plan::Plan& plan) {
  ordered_json bodies = ordered_json::array();
  for (const plan::HalfBody& half : plan.half_bodies) {
    bodies.push_back(
        {{"body", plan::vertex_name(plan.network, half.other)}, {"joint", plan::edge_name(plan.network, half.edge)}});
  }
  return bodies;
}

std::string why(const plan::Plan& plan) {
  if (plan.optimal) return fmt::format("no tree has a lower cost ({}, proved)", plan::to_string(plan.objective));
  if (plan.lower_bound <= 0) return plan.half_bodies.empty() ? "as it was given" : "cut so that their joints stay";
  return fmt::format("at most {:.3g} % above the lowest cost ({})", 100 * plan::gap(plan),
                     plan::to_string(plan.objective));
}

std::string tree_text(const plan::Plan& plan) {
  std::vector<std::string> names = cut_names(plan);
  for (const plan::HalfBody& half : plan.half_bodies) {
    names.push_back(fmt::format("{} in two at {}", plan::vertex_name(plan.network, half.other),
                                plan::edge_name(plan.network, half.edge)));
  }
  const std::size_t hidden = names.size() > kFew ? names.size() - kFew : 0;
  names.resize(names.size() - hidden);
  std::string cut = names.empty() ? "nothing to cut" : fmt::format("cut {}", fmt::join(names, ", "));
  if (hidden > 0) cut += fmt::format(" and {} more", hidden);
  return fmt::format("root {}, {}, {}; {}", plan::vertex_name(plan.network, plan.tree.root), cut,
                     counted(static_cast<std::size_t>(plan.equations.value_or(0)), "equation"), why(plan));
}

std::vector<std::string> unclear_names(const SimulateInput& input, const SimulateRun& run) {
  std::vector<std::string> names;
  for (const model::JointId joint : run.status.unclear_reactions) names.push_back(input.system.model.joint(joint).name);
  return names;
}

std::string unclear_text(std::vector<std::string> names, std::size_t joints) {
  const std::size_t count = names.size();
  names.resize(std::min(count, kFew));
  return fmt::format("reactions of {} of {} are not unique: {}{} (redundant equations; see check)", count,
                     counted(joints, "joint"), fmt::join(names, ", "), count > kFew ? ", ..." : "");
}

std::string sharing_text(const dynamics::Sharing& sharing, int threads) {
  return fmt::format(
      "{} share an evaluation: {} tasks on {} levels planned, {:.3g} a pass on {} run; {:.2g} times faster by "
      "prediction",
      threads, sharing.tasks, sharing.levels,
      static_cast<double>(sharing.tasks_run) / static_cast<double>(std::max<std::int64_t>(sharing.passes, 1)),
      sharing.levels_run, sharing.speed_up);
}

double real_time_factor(const SimulateRun& run) {
  const double simulated = run.record.time - run.start_time;
  return run.status.seconds > 0 ? simulated / run.status.seconds : 0;
}

// From the plan to the first frame.
double setup_seconds(const SimulateInput& input, const SimulateRun& run) {
  return input.setup_seconds + run.status.setup_seconds;
}

// Where nothing moves there is nothing to compare with.
std::optional<double> relative_error(const record::RunRecord& record) {
  if (!(record.energy_scale > 0)) return std::nullopt;
  return record.energy_error / record.energy_scale;
}

std::string energy_text(const record::RunRecord& record) {
  const std::optional<double> relative = relative_error(record);
  if (!relative) return fmt::format("error at most {:.2g} J; nothing moved", record.energy_error);
  return fmt::format("error at most {:.2g} J, {:.2g} of the {:.3g} J that moved", record.energy_error, *relative,
                     record.energy_scale);
}

std::vector<std::string> all_notes(const SimulateInput& input, const SimulateRun& run) {
  std::vector<std::string> notes = input.notes;
  notes.insert(notes.end(), run.notes.begin(), run.notes.end());
  return notes;
}

bool is_done(const SimulateRun& run) { return run.record.outcome == "done"; }

std::string next_command(const SimulateInput& input, const SimulateRun& run) {
  if (input.folder.empty()) return "";
  if (!is_done(run)) return fmt::format("espalier simulate --restart {}", shell_word(input.folder));
  return fmt::format("espalier simulate --restart {} --end {}", shell_word(input.folder),
                     number_text(2 * input.record.options.run.end_time));
}

std::string outcome_text(const SimulateInput& input, const SimulateRun& run) {
  const std::string reached =
      fmt::format("t = {} s of {} s", number_text(run.record.time), number_text(input.record.options.run.end_time));
  if (is_done(run)) return fmt::format("{} to {} s", number_text(run.start_time), number_text(run.record.time));
  if (run.record.outcome == "stopped") return fmt::format("stopped at {}", reached);
  return fmt::format("FAILED at {}: {}", reached, run.record.message);
}

}  // namespace

std::string simulate_head(const SimulateInput& input) {
  const model::Model& model = input.system.model;
  const std::string name = model.name.empty() ? "model" : model.name;
  std::string text = wrapped("",
                             fmt::format("{}: {}, {}, {}", name, counted(model.bodies.size() - 1, "body", "bodies"),
                                         counted(model.joints.size(), "joint"),
                                         counted(input.plan.cut.size() + input.plan.half_bodies.size(), "loop")),
                             terminal_width());
  text += line("Tree", tree_text(input.plan));
  for (const std::string& note : input.notes) text += line("Note", note);
  text += reader_text(input.reader, "Reader  ");
  if (input.continued) {
    text += line("Resumed",
                 fmt::format("from t = {} s, frame {}", number_text(input.start.state.time), input.start.outputs));
  }
  return text;
}

std::string simulate_text(const SimulateInput& input, const SimulateRun& run) {
  const record::RunRecord& record = run.record;
  std::string how = fmt::format("{}; integrator {}, tolerance {}", outcome_text(input, run), record.integrator,
                                number_text(record.options.tolerance));
  if (run.status.stiff_since)
    how += fmt::format("; the forces are stiff from t = {:.3g} s on", *run.status.stiff_since);
  std::string text;
  if (const std::optional<std::string> problem = energy_problem(record)) text += line("ENERGY", *problem);
  text += line("Run", how);
  for (const std::string& note : run.notes) text += line("Note", note);
  text += line("Steps", fmt::format("{} ({} rejected), {} evaluations, {}", record.steps, record.rejected,
                                    record.evaluations, counted(static_cast<std::size_t>(record.frames), "frame")));
  if (!input.system.closures.empty()) {
    text += line("Loops", fmt::format("gaps at most {:.2g} m and {:.2g} rad", record.loop_distance, record.loop_angle));
  }
  if (!run.status.unclear_reactions.empty()) {
    text += line("Joints", unclear_text(unclear_names(input, run), input.system.model.joints.size()));
  }
  text += line("Energy", energy_text(record));
  text += line("Time", fmt::format("{:.3g} s, {:.3g} x real time; {:.3g} s to set up", run.status.seconds,
                                   real_time_factor(run), setup_seconds(input, run)));
  if (record.options.threads > 1) {
    const dynamics::Sharing& sharing = run.status.sharing;
    text += line("Threads", sharing.shared ? sharing_text(sharing, record.options.threads)
                                           : "one does an evaluation alone: the tree is too small to share");
  }
  if (!input.folder.empty()) {
    text += line("Written", fmt::format("{}/: {}", input.folder, fmt::join(run.files, ", ")));
    text += fmt::format("{:<8}{}\n", "Next", next_command(input, run));
  }
  return text;
}

std::optional<std::string> energy_problem(const record::RunRecord& record) {
  constexpr double kMost = 100;
  const std::optional<double> relative = relative_error(record);
  if (!relative || !(*relative > kMost * record.options.tolerance)) return std::nullopt;
  return fmt::format(
      "The energy balance is off by {:.2g} of the energy that moved, {:.2g} times the tolerance of {}: do not trust "
      "this "
      "run; try a smaller --tolerance{}.",
      *relative, *relative / record.options.tolerance, number_text(record.options.tolerance),
      record.integrator == "fixed" ? " with another --integrator, or a shorter --step" : " or another --integrator");
}

std::string simulate_json(const SimulateInput& input, const SimulateRun& run) {
  const record::RunRecord& record = run.record;
  const plan::Plan& plan = input.plan;
  const std::optional<double> relative = relative_error(record);
  std::vector<std::string> notes = all_notes(input, run);
  if (std::optional<std::string> problem = energy_problem(record)) notes.insert(notes.begin(), *std::move(problem));
  ordered_json json = {{"model", record.model_name},
                       {"file", record.model_file},
                       {"outcome", record.outcome},
                       {"message", record.message},
                       {"time", record.time},
                       {"end_time", record.options.run.end_time},
                       {"integrator", record.integrator},
                       {"tolerance", record.options.tolerance},
                       {"frames", record.frames},
                       {"steps", record.steps},
                       {"rejected", record.rejected},
                       {"evaluations", record.evaluations},
                       {"loop_distance", record.loop_distance},
                       {"loop_angle", record.loop_angle},
                       {"energy_error", record.energy_error},
                       {"energy_scale", record.energy_scale},
                       {"energy_error_relative", relative ? ordered_json(*relative) : ordered_json(nullptr)},
                       {"seconds", record.seconds},
                       {"setup_seconds", setup_seconds(input, run)},
                       {"real_time_factor", real_time_factor(run)},
                       {"state_hash", hash_text(record.state_hash)},
                       {"plan",
                        {{"root", plan::vertex_name(plan.network, plan.tree.root)},
                         {"cut", cut_names(plan)},
                         {"cut_bodies", cut_bodies(plan)},
                         {"equations", plan.equations.value_or(0)},
                         {"objective", plan::to_string(plan.objective)},
                         {"cost", plan.cost},
                         {"optimal", plan.optimal}}},
                       {"drawn_gap", input.gap},
                       {"unclear_reactions", unclear_names(input, run)},
                       {"correction", correction_json(input.system.model, input.correction)},
                       {"notes", notes},
                       {"folder", input.folder},
                       {"files", run.files},
                       {"next", next_command(input, run)}};
  add_reader(input.reader, json);
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace espalier::app
