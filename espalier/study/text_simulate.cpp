#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/simulate.hpp"
#include "espalier/study/sweep.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

constexpr std::size_t kFew = 6;  // joints named in one line

// Columns of the heads of lines, and of lines.
struct Layout {
  int head, width;
};

// The longest head is "Contacts" or "ENERGY".
Layout layout_of(const SimulateAnswer& answer, const TextOptions& options) {
  return {answer.scene ? 10 : 8, options.width};
}

std::string line(const Layout& layout, const char* head, const std::string& text) {
  return wrapped(fmt::format("{:<{}}", head, layout.head), text, layout.width);
}

std::string count_of(std::int64_t count, const char* what) { return counted(to_index(count), what); }

std::string why(const plan::Plan& plan) {
  if (plan.optimal) return fmt::format("no tree has a lower cost ({}, proved)", plan::to_string(plan.objective));
  if (plan.lower_bound <= 0) return plan.half_bodies.empty() ? "as it was given" : "cut so that their joints stay";
  return fmt::format("at most {:.3g} % above the lowest cost ({})", 100 * plan::gap(plan),
                     plan::to_string(plan.objective));
}

std::string tree_text(const plan::Plan& plan) {
  std::vector<std::string> names;
  for (const int edge : plan.cut) names.push_back(plan::edge_name(plan.network, edge));
  for (const plan::HalfBody& half : plan.half_bodies) {
    names.push_back(fmt::format("{} in two at {}", plan::vertex_name(plan.network, half.other),
                                plan::edge_name(plan.network, half.edge)));
  }
  const std::size_t hidden = names.size() > kFew ? names.size() - kFew : 0;
  names.resize(names.size() - hidden);
  std::string cut = names.empty() ? "nothing to cut" : fmt::format("cut {}", fmt::join(names, ", "));
  if (hidden > 0) cut += fmt::format(" and {} more", hidden);
  return fmt::format("root {}, {}, {}; {}", plan::vertex_name(plan.network, plan.tree.root), cut,
                     count_of(plan.equations.value_or(0), "equation"), why(plan));
}

std::string unclear_text(const MechanismAnswer& mechanism) {
  const std::vector<model::JointId>& joints = mechanism.status.unclear_reactions;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(joints.size(), kFew); ++k) {
    names.push_back(mechanism.system.model().joint(joints[k]).name);
  }
  return fmt::format("reactions of {} of {} are not unique: {}{} (redundant equations; see check)", joints.size(),
                     counted(mechanism.system.model().joints.size(), "joint"), fmt::join(names, ", "),
                     joints.size() > kFew ? ", ..." : "");
}

std::string sharing_text(const MechanismAnswer& mechanism) {
  const dynamics::Sharing& sharing = mechanism.status.sharing;
  if (!sharing.shared) return "one does an evaluation alone: the tree is too small to share";
  return fmt::format(
      "{} share an evaluation: {} tasks on {} levels planned, {:.3g} per pass on {} run; {:.2g} times faster by "
      "prediction",
      mechanism.options.threads, sharing.tasks, sharing.levels,
      static_cast<double>(sharing.tasks_run) / static_cast<double>(std::max<std::int64_t>(sharing.passes, 1)),
      sharing.levels_run, sharing.speed_up);
}

std::string energy_text(const MechanismAnswer& mechanism) {
  const std::optional<double> relative = relative_energy_error(mechanism);
  if (!relative) return fmt::format("error at most {:.2g} J; nothing moved", mechanism.energy_error);
  return fmt::format("error at most {:.2g} J, {:.2g} of the {:.3g} J that moved", mechanism.energy_error, *relative,
                     mechanism.energy_scale);
}

std::string ranks_text(const std::vector<model::RankLoad>& ranks) {
  std::vector<std::string> owned;
  double waiting = 0;
  for (const model::RankLoad& rank : ranks) {
    owned.push_back(std::to_string(rank.bodies));
    waiting = std::max(waiting, rank.waiting);
  }
  return fmt::format("{}, with {} bodies; imbalance {:.2f}, at most {:.3g} s in messages", ranks.size(),
                     fmt::join(owned, " + "), imbalance(ranks), waiting);
}

std::string time_text(const SimulateAnswer& answer, double time) {
  return answer.scene ? fmt::format("{:.6g}", time) : number_text(time);
}

std::string outcome_text(const SimulateAnswer& answer) {
  const std::string reached = time_text(answer, answer.time);
  if (answer.outcome == model::Outcome::kDone) {
    return fmt::format("{} to {} s", time_text(answer, answer.start_time), reached);
  }
  const std::string at = fmt::format("t = {} s of {} s", reached, number_text(answer.end_time));
  // In small letters, unlike a failure: somebody wanted it.
  if (answer.outcome == model::Outcome::kStopped) return "stopped at " + at;
  return fmt::format("FAILED at {}: {}", at, answer.message);
}

std::string mechanism_text(const SimulateAnswer& answer, const Layout& layout) {
  const MechanismAnswer& mechanism = *answer.mechanism;
  const dynamics::RunStatus& status = mechanism.status;
  std::string how = fmt::format("{}; integrator {}, tolerance {}", outcome_text(answer), word_of(mechanism.integrator),
                                number_text(answer.tolerance));
  if (status.stiff_since) how += fmt::format("; the forces are stiff from t = {:.3g} s on", *status.stiff_since);
  std::string text;
  // First, since all numbers below depend on it.
  if (const std::optional<std::string> problem = energy_problem(mechanism)) {
    text += line(layout, "ENERGY", *problem);
  }
  text += line(layout, "Run", how);
  text += line(layout, "Steps",
               fmt::format("{} ({} rejected), {} evaluations, {}", answer.steps, mechanism.rejected,
                           mechanism.evaluations, count_of(answer.frames, "frame")));
  if (!mechanism.system.closures().empty()) {
    text += line(layout, "Loops",
                 fmt::format("gaps at most {:.2g} m and {:.2g} rad", mechanism.loop_distance, mechanism.loop_angle));
  }
  if (!status.unclear_reactions.empty()) text += line(layout, "Joints", unclear_text(mechanism));
  text += line(layout, "Energy", energy_text(mechanism));
  text += line(layout, "Time",
               fmt::format("{:.3g} s, {:.3g} x real time; {:.3g} s to set up", status.seconds, real_time_factor(answer),
                           mechanism.setup_seconds));
  if (mechanism.options.threads > 1) text += line(layout, "Threads", sharing_text(mechanism));
  return text;
}

std::string scene_text(const SimulateAnswer& answer, const Layout& layout, const Wording& wording) {
  const SceneAnswer& scene = *answer.scene;
  const contact::RunStatus& status = scene.status;
  const auto steps = static_cast<double>(std::max<std::int64_t>(status.steps, 1));
  std::string solver = fmt::format("{:.3g} iterations per step", static_cast<double>(status.sweeps) / steps);
  if (status.iterations > 0) solver += fmt::format(", {} of Newton in all", count_of(status.iterations, "iteration"));
  std::string text = line(layout, "Run", outcome_text(answer));
  text += line(layout, "Steps", fmt::format("{}, {}", answer.steps, count_of(answer.frames, "frame")));
  text += line(layout, "Contacts",
               fmt::format("{} at the end, {} at most; overlaps at most {:.2g} m", scene.contacts, scene.most_contacts,
                           scene.penetration));
  text += line(layout, "Solver", fmt::format("{}; residual at most {:.2g}", solver, status.worst_residual));
  if (scene.unconverged > 0) {
    text += line(layout, "WARNING",
                 fmt::format("{}; a smaller {} may help", unconverged_text(answer), wording.option("step", "")));
  }
  text += line(layout, "Energy",
               fmt::format("{:.6g} J at the start, {:.6g} J at the end", status.energy_start, status.energy_end));
  text +=
      line(layout, "Time", fmt::format("{:.3g} s, {:.3g} ms per step", status.seconds, 1e3 * status.seconds / steps));
  if (status.ranks.size() > 1) text += line(layout, "Ranks", ranks_text(status.ranks));
  return text;
}

std::string first_line(const SimulateAnswer& answer, int ranks) {
  if (answer.scene) {
    return fmt::format("{}: {}, {}, with contact; step {} s, {}", answer.model.empty() ? "scene" : answer.model,
                       counted(answer.scene->bodies, "body", "bodies"), counted(answer.scene->joints, "joint"),
                       number_text(answer.scene->settings.step), count_of(ranks, "rank"));
  }
  const model::Model& model = answer.mechanism->system.model();
  const plan::Plan& plan = answer.mechanism->plan;
  // Halves and the ground are vertices of the plan, and no bodies that the user has drawn.
  const int links = plan.network.graph.vertices - static_cast<int>(plan.half_bodies.size()) - 1;
  return fmt::format("{}: {}, {}, {}", model.name.empty() ? "model" : model.name,
                     detail::bodies_text(static_cast<int>(model.bodies.size()) - 1, links),
                     counted(model.joints.size(), "joint"), counted(plan.cut.size() + plan.half_bodies.size(), "loop"));
}

// "0:07", "12:30", "3:00:00".
std::string clock_text(double seconds) {
  // Also where nothing has been done yet and the rest is infinite.
  if (!(seconds < 100 * 3600)) return "days";
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

std::string head_text(const SimulateAnswer& answer, int ranks, const TextOptions& options) {
  const Layout layout = layout_of(answer, options);
  std::string text = wrapped("", first_line(answer, ranks), options.width);
  if (answer.mechanism) text += line(layout, "Tree", tree_text(answer.mechanism->plan));
  for (const std::string& note : answer.notes) text += line(layout, "Note", note);
  text += detail::reader_text(answer.reader, "Reader  ", options);
  if (answer.continued) {
    text += line(layout, "Resumed",
                 fmt::format("from t = {} s, frame {}", time_text(answer, answer.start_time), answer.frames));
  }
  if (answer.expected.frames > 0) text += line(layout, "Result", detail::size_text(answer.expected));
  return text;
}

std::string head_text(const ResultSize& expected, const TextOptions& options) {
  if (!(expected.frames > 0)) return "";
  return wrapped("Result  ", detail::size_text(expected) + ", all runs together", options.width);
}

std::string to_text(const SimulateAnswer& answer, const TextOptions& options) {
  const Layout layout = layout_of(answer, options);
  std::string text = answer.mechanism ? mechanism_text(answer, layout) : scene_text(answer, layout, options.wording);
  for (const std::string& note : answer.end_notes) text += line(layout, "Note", note);
  if (answer.folder.empty()) return text;
  text += wrapped("Wrote ", fmt::format("{}/: {}", answer.folder, fmt::join(answer.files, ", ")), options.width);
  return text + fmt::format("Next: {}\n", options.wording.call(next_call(answer)));
}

std::string to_text(const SweepAnswer& answer, const TextOptions& options) {
  std::string text =
      fmt::format("{} of {}, {} computed now in {:.3g} s on {}\n", answer.complete ? "All" : "Stopped within",
                  count_of(answer.runs, "run"), answer.computed, answer.seconds, count_of(answer.ranks, "rank"));
  text += detail::reader_text(answer.reader, "Reader  ", options);
  if (answer.failed > 0) text += fmt::format("{} failed; runs.csv says why\n", count_of(answer.failed, "run"));
  if (answer.refused > 0) {
    text += fmt::format("{} refused: their numbers make no model\n", count_of(answer.refused, "run"));
  }
  if (answer.complete && answer.files.size() > 1) {
    const std::string files = fmt::format("{}/: {}", answer.folder, fmt::join(answer.files, ", "));
    return text + wrapped("Wrote ", files, options.width);
  }
  return text + (answer.complete ? fmt::format("Wrote {}/runs.csv\n", answer.folder)
                                 : fmt::format("Next: the same command with {}\n",
                                               options.wording.option("folder", answer.folder)));
}

Advice next_call(const SimulateAnswer& answer) {
  // A run that is done wants to be seen; one that was stopped or failed, to be continued.
  if (answer.outcome == model::Outcome::kDone) return {"view", answer.folder};
  return {"simulate", "", {{"restart", answer.folder}}};
}

std::string progress_text(const RunProgress& progress, double seconds) {
  const double done = progress.time - progress.start_time, all = progress.end_time - progress.start_time;
  // A run to the time at which it begins is done.
  const double share = all > 0 ? done / all : 1;
  const std::string left = clock_text(share > 0 ? seconds * (1 - share) / share : INFINITY);
  const std::string begin = fmt::format("t {:.4g} s  {:.0f} %", progress.time, std::floor(100 * share));
  if (progress.engine == Engine::kRecursive) {
    return fmt::format("{}  x {:.3g}  ETA {}  loop {:.0e} m  energy {:.0e} J", begin, seconds > 0 ? done / seconds : 0,
                       left, progress.loop_distance, progress.energy_error);
  }
  std::string text = fmt::format("{}  ETA {}  {} contacts  {} iterations  residual {:.0e}", begin, left,
                                 progress.contacts, progress.iterations, progress.residual);
  // On one rank it is always 1.
  if (progress.imbalance > 1) text += fmt::format("  imbalance {:.2g}", progress.imbalance);
  if (progress.unconverged > 0) text += fmt::format("  {} not converged", progress.unconverged);
  return text;
}

}  // namespace espalier::study
