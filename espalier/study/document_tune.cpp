#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/modes/modes.hpp"
#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/tune.hpp"

namespace espalier::study {
namespace {

using nlohmann::ordered_json;
using Kind = formats::TuningGoal::Kind;

// The first one: documents show targets beside frequencies, and a second list would need names.
const formats::TuningGoal* near_goal(const formats::Tuning& tuning) {
  const auto found = std::find_if(tuning.goals.begin(), tuning.goals.end(),
                                  [](const formats::TuningGoal& goal) { return goal.kind == Kind::kNear; });
  return found == tuning.goals.end() ? nullptr : &*found;
}

ordered_json limits_json(const DesignSpace& space, const Judgement& judgement) {
  ordered_json limits = ordered_json::array();
  // Limits by name and in words, since a value of 0 says that one is held, but not by how much it was missed.
  for (const LimitState& state : limit_states(space, judgement)) {
    const formats::TuningGoal& goal = space.tuning.goals[state.goal];
    limits.push_back({{"name", goal.name},
                      {"held", state.held},
                      {"constraint", goal.is_constraint()},
                      {"frequencies", state.frequencies}});
  }
  return limits;
}

// What the run of a design came to.
ordered_json quantities_json(const DesignSpace& space, const Judgement& judgement) {
  ordered_json quantities = ordered_json::array();
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    const formats::TuningGoal& goal = space.tuning.goals[k];
    if (goal.kind != Kind::kQuantity) continue;
    const double value = judgement.quantities[k];
    quantities.push_back({{"name", goal.name},
                          {"statistic", word_of(goal.statistic)},
                          {"quantity", goal.quantity},
                          {"unit", space.units[k]},
                          {"value", std::isnan(value) ? ordered_json(nullptr) : ordered_json(value)}});
  }
  return quantities;
}

ordered_json judgement_json(const DesignSpace& space, const Judgement& judgement) {
  ordered_json goals = ordered_json::array();
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    // A design whose modes are not certain has goals that are no numbers.
    const double value = judgement.goals[k];
    goals.push_back({{"name", space.tuning.goals[k].name},
                     {"value", std::isnan(value) ? ordered_json(nullptr) : ordered_json(value)}});
  }
  ordered_json json = {{"frequencies", judgement.frequencies},
                       {"damping", judgement.damping},
                       {"certainty", word_of(judgement.certainty)},
                       {"mass", judgement.mass},
                       {"goals", std::move(goals)},
                       {"limits", limits_json(space, judgement)}};
  if (space.runs) json["quantities"] = quantities_json(space, judgement);
  json["problem"] = judgement.problem;
  return json;
}

ordered_json parameters_json(const DesignSpace& space, const std::vector<double>& values) {
  ordered_json json = ordered_json::object();
  for (std::size_t k = 0; k < values.size(); ++k) {
    // NaN where the drawn fields of one parameter differ: there is no one value.
    json[space.tuning.parameters[k].name] = std::isnan(values[k]) ? ordered_json(nullptr) : ordered_json(values[k]);
  }
  return json;
}

ordered_json front_json(const DesignSpace& space, const Tuned& tuned) {
  ordered_json front = ordered_json::array();
  // Goals as a list in the order of `best.goals`, whose names need not be said for each design.
  for (const FrontDesign& design : tuned.front) {
    front.push_back({{"goals", design.goals}, {"parameters", parameters_json(space, design.parameters)}});
  }
  return front;
}

}  // namespace

// (1) What was searched and how; (2) what came out, beside the drawn design; (3) what it took; (4) how to continue.
std::string to_json(const TuneAnswer& answer) {
  // (1) From the record, in which what was typed has replaced what the tuning file says.
  const DesignSpace& space = answer.job.space;
  const TuneRecord& record = answer.job.record;
  const Tuned& tuned = answer.tuned;
  const optimize::SearchState& search = tuned.state.search;
  ordered_json json = {{"model", record.model},
                       {"study", record.study.empty() ? ordered_json(nullptr) : ordered_json(record.study)},
                       {"outcome", tuned.stopped ? "stopped" : "done"},
                       {"algorithm", record.algorithm},
                       {"population", record.population},
                       {"generations", record.generations},
                       {"generation", search.generation},
                       {"patience", record.patience > 0 ? ordered_json(record.patience) : ordered_json(nullptr)},
                       {"last_gain", search.gain.generation},
                       {"end", word_of(tuned.end)},
                       {"seed", record.seed},
                       {"pareto", record.pareto},
                       // (2) The number that the search made small, in its own sign and weights; goals of `best` are
                       // without them.
                       {"value", search.best.goals.front()},
                       {"limits_held", limits_held(answer)},
                       {"parameters", parameters_json(space, tuned.parameters)},
                       {"drawn_parameters", parameters_json(space, space.drawn)},
                       {"best", judgement_json(space, tuned.best)},
                       {"drawn", judgement_json(space, tuned.drawn)}};
  // Beside the frequencies to be compared with: a document is read long after its tuning file is lost.
  if (const formats::TuningGoal* near = near_goal(space.tuning)) {
    json["targets"] = near->targets;
    if (!near->reference_name.empty()) json["reference"] = {{near->reference_name, near->reference_values}};
  }
  // How far the designs were run for their quantities [s].
  if (space.runs) json["run_end"] = space.run_end;
  if (!tuned.front.empty()) json["front"] = front_json(space, tuned);
  // (3) Of all calls of a search that was stopped, and of this one.
  json["evaluations"] = search.evaluations;
  json["without_number"] = search.without_number;
  json["evaluations_now"] = tuned.evaluations;
  json["ranks"] = answer.ranks;
  json["threads"] = answer.job.threads;
  json["seconds"] = tuned.seconds;
  // (4) The command is written out, so that a script can run it as it stands.
  json["folder"] = answer.job.folder;
  json["next"] = next_command(answer);
  detail::add_reader(answer.job.reader, json);
  return detail::document_text(json, 1);
}

}  // namespace espalier::study
