#include <algorithm>

#include <nlohmann/json.hpp>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/study/detail/closing_json.hpp"
#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/simulate.hpp"
#include "espalier/study/sweep.hpp"

namespace espalier::study {
namespace {

using nlohmann::ordered_json;

ordered_json plan_part(const plan::Plan& plan) {
  // Names and not numbers: numbers of edges change with the order of the joints in the file.
  ordered_json cut = ordered_json::array(), bodies = ordered_json::array();
  for (const int edge : plan.cut) cut.push_back(plan::edge_name(plan.network, edge));
  for (const plan::HalfBody& half : plan.half_bodies) {
    bodies.push_back(
        {{"body", plan::vertex_name(plan.network, half.other)}, {"joint", plan::edge_name(plan.network, half.edge)}});
  }
  return {{"root", plan::vertex_name(plan.network, plan.tree.root)},
          {"cut", std::move(cut)},
          // Beside the cut joints, since each of them costs six equations too.
          {"cut_bodies", std::move(bodies)},
          // A plain number for programs; a plan of a mechanism always has it.
          {"equations", plan.equations.value_or(0)},
          {"objective", plan::to_string(plan.objective)},
          {"cost", plan.cost},
          {"optimal", plan.optimal}};
}

ordered_json unclear_names(const MechanismAnswer& mechanism) {
  ordered_json names = ordered_json::array();
  // Forces of these joints are one choice of many: whoever dimensions a bearing by them must know.
  for (const model::JointId joint : mechanism.status.unclear_reactions) {
    names.push_back(mechanism.system.model().joint(joint).name);
  }
  return names;
}

std::vector<std::string> notes_of(const SimulateAnswer& answer) {
  // In the order in which they became known.
  std::vector<std::string> notes = answer.notes;
  notes.insert(notes.end(), answer.end_notes.begin(), answer.end_notes.end());
  // First of all: whoever reads one note alone must not miss that the energy does not add up.
  if (std::optional<std::string> problem = energy_problem(*answer.mechanism)) {
    notes.insert(notes.begin(), *std::move(problem));
  }
  return notes;
}

ordered_json mechanism_document(const SimulateAnswer& answer) {
  const MechanismAnswer& mechanism = *answer.mechanism;
  // Nothing where no energy moved: the document has null then, and no 0 that would look like a result.
  const std::optional<double> relative = relative_energy_error(mechanism);
  return {{"model", answer.model},
          {"file", answer.file},
          {"outcome", model::outcome_word(answer.outcome)},
          {"message", answer.message},
          {"time", answer.time},
          {"end_time", answer.end_time},
          // The one in use at the end: `auto` may have changed it on the way.
          {"integrator", word_of(mechanism.integrator)},
          {"tolerance", answer.tolerance},
          {"frames", answer.frames},
          {"steps", answer.steps},
          {"rejected", mechanism.rejected},
          {"evaluations", mechanism.evaluations},
          {"loop_distance", mechanism.loop_distance},
          {"loop_angle", mechanism.loop_angle},
          {"energy_error", mechanism.energy_error},
          {"energy_scale", mechanism.energy_scale},
          // Null where nothing moved, as above.
          {"energy_error_relative", relative ? ordered_json(*relative) : ordered_json(nullptr)},
          {"seconds", answer.seconds},
          {"setup_seconds", mechanism.setup_seconds},
          {"real_time_factor", real_time_factor(answer)},
          {"state_hash", hash_text(answer.state_hash)},
          {"plan", plan_part(mechanism.plan)},
          {"drawn_gap", mechanism.drawn_gap},
          {"unclear_reactions", unclear_names(mechanism)},
          // As `check` has it, so that the two can be compared.
          {"correction", detail::correction_json(mechanism.system.model(), mechanism.correction)},
          {"notes", notes_of(answer)},
          {"folder", answer.folder},
          {"files", answer.files},
          {"next", next_command(answer)}};
}

ordered_json scene_document(const SimulateAnswer& answer) {
  // Keys that both engines have keep their name and their meaning; the others are of this engine alone.
  const SceneAnswer& scene = *answer.scene;
  ordered_json ranks = ordered_json::array();
  // Rank by rank: a mean hides the one for which all others wait.
  for (const model::RankLoad& rank : scene.status.ranks) {
    ranks.push_back(
        {{"bodies", rank.bodies}, {"contacts", rank.contacts}, {"busy", rank.busy}, {"waiting", rank.waiting}});
  }
  return {{"model", answer.model},
          {"file", answer.file},
          {"engine", "contact"},
          {"outcome", model::outcome_word(answer.outcome)},
          {"message", answer.message},
          {"time", answer.time},
          {"end_time", answer.end_time},
          {"step", scene.settings.step},
          {"tolerance", answer.tolerance},
          {"frames", answer.frames},
          {"steps", answer.steps},
          {"unconverged", scene.unconverged},
          {"worst_residual", scene.worst_residual},
          // Keys that programs read already: sweeps are passes of Gauss-Seidel, iterations steps of Newton's method.
          {"sweeps", scene.iterations},
          {"iterations", scene.newton_iterations},
          {"contacts", scene.contacts},
          {"most_contacts", scene.most_contacts},
          {"penetration", scene.penetration},
          {"energy_start", scene.status.energy_start},
          {"energy_end", scene.status.energy_end},
          {"seconds", answer.seconds},
          {"ranks", std::move(ranks)},
          {"imbalance", imbalance(scene.status.ranks)},
          {"state_hash", hash_text(answer.state_hash)},
          {"notes", answer.notes},
          {"folder", answer.folder},
          {"files", answer.files},
          {"next", next_command(answer)}};
}

}  // namespace

std::string to_json(const SimulateAnswer& answer) {
  // Exactly one of the two is there: the engine that ran has set it.
  ordered_json document = answer.mechanism ? mechanism_document(answer) : scene_document(answer);
  detail::add_reader(answer.reader, document);
  return detail::document_text(document, 1);
}

std::string to_json(const SweepAnswer& answer) {
  // Counts alone: the numbers of the runs are in the table, which may be far larger than memory.
  ordered_json document = {
      {"runs", answer.runs},       {"computed", answer.computed}, {"complete", answer.complete},
      {"failed", answer.failed},   {"refused", answer.refused},   {"ranks", answer.ranks},
      {"seconds", answer.seconds}, {"folder", answer.folder},     {"table", answer.folder + "/runs.csv"},
      {"files", answer.files}};
  detail::add_reader(answer.reader, document);
  return detail::document_text(document, 1);
}

}  // namespace espalier::study
