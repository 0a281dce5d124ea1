#include "apps/espalier/contact_report.hpp"

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

std::string line(const char* first, const std::string& text) {
  return wrapped(fmt::format("{:<10}", first), text, terminal_width());
}

std::string outcome_text(const record::SceneRecord& record, double start) {
  const std::string reached = fmt::format("t = {:.6g} s of {} s", record.time, number_text(record.options.run.end_time));
  if (record.outcome == "done") return fmt::format("{:.6g} to {:.6g} s", start, record.time);
  if (record.outcome == "stopped") return fmt::format("stopped at {}", reached);
  return fmt::format("FAILED at {}: {}", reached, record.message);
}

std::string next_command(const ContactInput& input, const record::SceneRecord& record) {
  if (input.folder.empty()) return "";
  if (record.outcome != "done") return fmt::format("espalier simulate --restart {}", shell_word(input.folder));
  return fmt::format("espalier simulate --restart {} --end {}", shell_word(input.folder),
                     number_text(2 * record.options.run.end_time));
}

double imbalance(const std::vector<model::RankLoad>& ranks) {
  double sum = 0, most = 0;
  for (const model::RankLoad& rank : ranks) {
    sum += rank.busy;
    most = std::max(most, rank.busy);
  }
  return sum > 0 ? most * static_cast<double>(ranks.size()) / sum : 1;
}

double steps_of(const contact::RunStatus& status) {
  return static_cast<double>(std::max<std::int64_t>(status.steps, 1));
}

std::string solver_text(const contact::RunStatus& status) {
  std::string text = fmt::format("{:.3g} sweeps a step", static_cast<double>(status.sweeps) / steps_of(status));
  if (status.iterations > 0) text += fmt::format(", {} of Newton in all", counted(status.iterations, "iteration"));
  return text + fmt::format("; residual at most {:.2g}", status.worst_residual);
}

std::string ranks_text(const std::vector<model::RankLoad>& ranks) {
  std::vector<std::string> owned;
  for (const model::RankLoad& rank : ranks) owned.push_back(std::to_string(rank.bodies));
  const double waiting = std::max_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) {
                           return a.waiting < b.waiting;
                         })->waiting;
  return fmt::format("{}, with {} bodies; imbalance {:.2f}, at most {:.3g} s in messages", ranks.size(),
                     fmt::join(owned, " + "), imbalance(ranks), waiting);
}

}  // namespace

std::string unconverged_text(const record::SceneRecord& record) {
  if (record.unconverged == 0) return "";
  return fmt::format("{} of {} steps did not reach the tolerance {}; the worst is at {:.2g}", record.unconverged,
                     record.steps, number_text(record.options.settings.solve.tolerance), record.worst_residual);
}

std::string contact_head(const ContactInput& input, int ranks) {
  const std::string name = input.record.model_name.empty() ? "scene" : input.record.model_name;
  const contact::Settings& settings = input.record.options.settings;
  std::string text = wrapped("",
                             fmt::format("{}: {}, {}, with contact; step {} s, {}", name,
                                         counted(input.bodies, "body", "bodies"), counted(input.joints, "joint"),
                                         number_text(settings.step), counted(static_cast<std::size_t>(ranks), "rank")),
                             terminal_width());
  for (const std::string& note : input.notes) text += line("Note", note);
  text += reader_text(input.reader, "Reader  ");
  if (input.continued) {
    text += line("Resumed", fmt::format("from t = {:.6g} s, frame {}", input.start.time, input.start.outputs));
  }
  return text;
}

std::string contact_text(const ContactInput& input, const ContactRun& run) {
  const record::SceneRecord& record = run.record;
  const contact::RunStatus& status = run.status;
  std::string text = line("Run", outcome_text(record, run.start_time));
  text += line("Steps", fmt::format("{}, {}", record.steps, counted(static_cast<std::size_t>(record.frames), "frame")));
  text += line("Contacts", fmt::format("{} at the end, {} at most; overlaps at most {:.2g} m", record.contacts,
                                       record.most_contacts, record.penetration));
  text += line("Solver", solver_text(status));
  if (record.unconverged > 0) text += line("WARNING", unconverged_text(record) + "; a smaller --step may help");
  text +=
      line("Energy", fmt::format("{:.6g} J at the start, {:.6g} J at the end", status.energy_start, status.energy_end));
  text +=
      line("Time", fmt::format("{:.3g} s, {:.3g} ms a step", status.seconds, 1e3 * status.seconds / steps_of(status)));
  if (status.ranks.size() > 1) text += line("Ranks", ranks_text(status.ranks));
  if (!input.folder.empty()) {
    text += line("Written", fmt::format("{}/: {}", input.folder, fmt::join(run.files, ", ")));
    text += fmt::format("{:<10}{}\n", "Next", next_command(input, record));
  }
  return text;
}

std::string contact_json(const ContactInput& input, const ContactRun& run) {
  const record::SceneRecord& record = run.record;
  ordered_json ranks = ordered_json::array();
  for (const model::RankLoad& rank : run.status.ranks) {
    ranks.push_back(
        {{"bodies", rank.bodies}, {"contacts", rank.contacts}, {"busy", rank.busy}, {"waiting", rank.waiting}});
  }
  const ordered_json json = {{"model", record.model_name},
                             {"file", record.model_file},
                             {"engine", "contact"},
                             {"outcome", record.outcome},
                             {"message", record.message},
                             {"time", record.time},
                             {"end_time", record.options.run.end_time},
                             {"step", record.options.settings.step},
                             {"tolerance", record.options.settings.solve.tolerance},
                             {"frames", record.frames},
                             {"steps", record.steps},
                             {"unconverged", record.unconverged},
                             {"worst_residual", record.worst_residual},
                             {"sweeps", record.sweeps},
                             {"iterations", record.iterations},
                             {"contacts", record.contacts},
                             {"most_contacts", record.most_contacts},
                             {"penetration", record.penetration},
                             {"energy_start", run.status.energy_start},
                             {"energy_end", run.status.energy_end},
                             {"seconds", record.seconds},
                             {"ranks", std::move(ranks)},
                             {"imbalance", imbalance(run.status.ranks)},
                             {"state_hash", hash_text(record.state_hash)},
                             {"notes", input.notes},
                             {"folder", input.folder},
                             {"files", run.files},
                             {"next", next_command(input, record)}};
  return with_reader(input.reader, json).dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace espalier::app
