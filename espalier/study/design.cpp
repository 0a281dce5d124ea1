#include "espalier/study/design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/model/model.hpp"
#include "espalier/study/detail/design_run.hpp"
#include "espalier/study/detail/quantity_reading.hpp"

namespace espalier::study {
namespace {

using Kind = formats::TuningGoal::Kind;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTurn = 2 * std::numbers::pi;

// Equal ends mean an equal graph, whatever the numbers of the elements.
std::vector<std::array<int, 2>> ends_of(const modes::Structure& structure) {
  std::vector<std::array<int, 2>> ends;
  for (const modes::Element& element : structure.elements) ends.push_back(element.vertex);
  return ends;
}

struct DesignModel {
  model::ModelSpec spec;
  model::Model model;
};

// From the spec on: a number of the file may decide whether a joint is blocked or a body has mass.
Result<DesignModel> model_of(const DesignSpace& space, std::span<const formats::FieldValue> values) {
  Result<model::ModelSpec> spec = space.model.with(values);
  ESPALIER_TRY(spec);
  Result<model::Model> model = model::compile(*spec);
  ESPALIER_TRY(model);
  return DesignModel{*std::move(spec), *std::move(model)};
}

Result<modes::Structure> structure_of(const DesignSpace& space, std::span<const formats::FieldValue> values) {
  const Result<DesignModel> design = model_of(space, values);
  ESPALIER_TRY(design);
  return modes::make_structure(design->model);
}

double mass_of(const modes::Structure& structure) {
  double mass = 0;
  // The first diagonal entry is the mass in x, which is that of the bodies.
  for (const modes::Vertex& vertex : structure.vertices) mass += vertex.mass(0, 0);
  // Masses of beams lie along them, not at their ends.
  for (const modes::Element& element : structure.elements) {
    if (const auto* beam = std::get_if<modes::Beam>(&element.law)) mass += beam->rho_A * beam->length;
  }
  return mass;
}

// Of a mechanism, which need not be a structure.
double mass_of(const model::Model& model) {
  double mass = 0;
  // The ground stands first.
  for (std::size_t k = 1; k < model.bodies.size(); ++k) mass += model.bodies[k].inertia.mass;
  return mass;
}

// An error in the words of the tuning: its line, unless the model's own is known.
tl::unexpected<Error> at_parameter(const formats::TuningParameter& parameter, Error error) {
  error.message = fmt::format("parameter {}: {}", in_quotes(parameter.name), error.message);
  error.where = parameter.where;
  return tl::unexpected(std::move(error));
}

// (1) The fields that a pattern stands for; (2) that nobody else sets them; (3) what they have in the file.
Result<void> add_fields(DesignSpace& space, std::size_t which) {
  const formats::TuningParameter& parameter = space.tuning.parameters[which];
  std::optional<double> common;
  for (const std::string& pattern : parameter.paths) {
    const Result<std::vector<std::string>> paths = space.model.match(pattern);
    if (!paths) return at_parameter(parameter, paths.error());
    for (const std::string& path : *paths) {
      // (2) Whoever came second would win, without a word.
      const bool taken = std::any_of(space.fields.begin(), space.fields.end(),
                                     [&](const TunedField& field) { return field.path == path; });
      if (taken) {
        return make_error(ErrorCode::kName, parameter.where,
                          fmt::format("{} is set by two parameters, or twice by one; keep one", in_quotes(path)));
      }
      // (3) The file's value is where the search begins, and what a factor multiplies.
      const Result<std::optional<double>> value = space.model.value(path);
      if (!value) return at_parameter(parameter, value.error());
      if (parameter.factor && !*value) {
        return make_error(ErrorCode::kValue, parameter.where,
                          fmt::format("parameter {}: `factor` on {}, which the model does not give; take `range`",
                                      in_quotes(parameter.name), in_quotes(path)));
      }
      if (parameter.factor && **value == 0) {
        return make_error(ErrorCode::kValue, parameter.where,
                          fmt::format("parameter {}: `factor` on {}, which is 0 in the model and stays 0; take `range`",
                                      in_quotes(parameter.name), in_quotes(path)));
      }
      const double here = parameter.factor ? 1 : value->value_or(kNaN);
      // One value for all fields of the parameter; NaN where they differ.
      common = !common || *common == here ? here : kNaN;
      space.fields.push_back({which, path, parameter.factor ? **value : 1});
    }
  }
  space.drawn.push_back(common.value_or(kNaN));
  return {};
}

void set_needs(DesignSpace& space) {
  for (const formats::TuningGoal& goal : space.tuning.goals) {
    // The most that any goal asks for: frequencies are computed once for all goals.
    if (goal.kind == Kind::kNear) space.modes = std::max(space.modes, static_cast<int>(goal.targets.size()));
    if (goal.kind == Kind::kFrequency || goal.kind == Kind::kDamping) space.modes = std::max(space.modes, goal.mode);
    if (goal.kind == Kind::kAvoid) space.upto = std::max(space.upto, goal.high);
  }
  const auto any = [&](Kind kind) {
    return std::any_of(space.tuning.goals.begin(), space.tuning.goals.end(),
                       [&](const formats::TuningGoal& goal) { return goal.kind == kind; });
  };
  // A mechanism that is driven or falls is no structure; its mass is known all the same.
  space.vibrates = space.modes > 0 || space.upto > 0 || !any(Kind::kQuantity);
}

// A goal of damping where no design dissipates: neither the model as drawn nor with all parameters at their upper ends.
Result<void> check_damping(const DesignSpace& space, const modes::Structure& drawn) {
  const auto goal = std::find_if(space.tuning.goals.begin(), space.tuning.goals.end(),
                                 [](const formats::TuningGoal& one) { return one.kind == Kind::kDamping; });
  if (goal == space.tuning.goals.end() || modes::is_damped(drawn)) return {};
  std::vector<double> high;
  for (const formats::TuningParameter& parameter : space.tuning.parameters) high.push_back(parameter.high);
  const Result<modes::Structure> tried = structure_of(space, field_values(space, high));
  if (tried && modes::is_damped(*tried)) return {};
  return make_error(ErrorCode::kValue, goal->where,
                    "`damping` asks for a damping ratio, but nothing in the model dissipates; give a joint or an "
                    "elastic body damping, or leave the goal out");
}

// Every field is set once, so that a name that the reader does not know is found before the search.
Result<void> try_fields(const DesignSpace& space) {
  for (std::size_t k = 0; k < space.tuning.parameters.size(); ++k) {
    const formats::TuningParameter& parameter = space.tuning.parameters[k];
    // Any value that is allowed will do, since only the path is tried.
    const double middle = std::isnan(space.drawn[k]) ? parameter.high : space.drawn[k];
    std::vector<formats::FieldValue> values;
    for (const TunedField& field : space.fields) {
      if (field.parameter == k) values.push_back({field.path, field.factor * middle});
    }
    const Result<model::ModelSpec> spec = space.model.with(values);
    if (!spec) return at_parameter(parameter, spec.error());
  }
  return {};
}

Result<void> set_structure(DesignSpace& space) {
  if (!space.vibrates) return {};
  const Result<modes::Structure> structure = structure_of(space, {});
  ESPALIER_TRY(structure);
  const Result<void> dissipates = check_damping(space, *structure);
  ESPALIER_TRY(dissipates);
  Result<modes::Tree> tree = modes::plan_tree(*structure);
  ESPALIER_TRY(tree);
  space.tree = *std::move(tree);
  space.elements = ends_of(*structure);
  space.vertices = structure->vertices.size();
  return {};
}

Result<void> set_runs(DesignSpace& space) {
  const auto runs = std::any_of(space.tuning.goals.begin(), space.tuning.goals.end(),
                                [](const formats::TuningGoal& goal) { return goal.kind == Kind::kQuantity; });
  if (!runs) return {};
  Result<detail::DesignRuns> made = detail::make_design_runs(space.model, space.tuning);
  ESPALIER_TRY(made);
  for (const std::optional<record::Selection>& quantity : made->quantities) {
    space.units.push_back(quantity ? quantity->columns().front().unit : "");
  }
  space.run_end = *made->options.end_time;
  space.runs = std::make_shared<const detail::DesignRuns>(*std::move(made));
  return {};
}

// With multiplicities; free and overdamped motions have no frequency.
void set_frequencies(const modes::ModeSet& set, Judgement& judgement) {
  judgement.frequencies.clear();
  judgement.damping.clear();
  for (const modes::Mode& mode : set.modes) {
    // The comparison is false for a NaN too.
    if (!(mode.s.imag() > 0)) continue;
    judgement.frequencies.insert(judgement.frequencies.end(), to_index(mode.multiplicity), mode.s.imag() / kTurn);
    judgement.damping.insert(judgement.damping.end(), to_index(mode.multiplicity), -mode.s.real() / std::abs(mode.s));
  }
  judgement.certainty = std::max(judgement.certainty, set.certainty);  // kNone is the largest: the weakest counts
}

Result<void> find_frequencies(const DesignSpace& space, const modes::Structure& structure,
                              const std::atomic<bool>* stop, Judgement& judgement) {
  // Numbers change from design to design, the graph hardly ever: its tree is planned once.
  const bool same = structure.vertices.size() == space.vertices && ends_of(structure) == space.elements;
  const Result<modes::Tree> other = same ? Result<modes::Tree>(modes::Tree{}) : modes::plan_tree(structure);
  ESPALIER_TRY(other);
  const modes::Tree& tree = same ? space.tree : *other;
  modes::ModesOptions options;
  options.shapes = false;
  options.stop = stop;
  // The best to begin with: set_frequencies() keeps the weakest of all searches.
  judgement.certainty = modes::Certainty::kProved;
  const auto find = [&]() -> Result<double> {
    const Result<modes::ModeSet> set = modes::find_modes(comm::Comm::serial(), structure, tree, options);
    ESPALIER_TRY(set);
    judgement.stopped = judgement.stopped || set->stopped;
    set_frequencies(*set, judgement);
    return set->upto / kTurn;
  };
  // Overdamped motions take places among those asked for: more are, until there are enough.
  constexpr int kMostTries = 4;
  const auto needed = to_index(space.modes);
  double upto = 0;
  options.count = space.modes;
  for (int k = 0; k < kMostTries && needed > judgement.frequencies.size() && !judgement.stopped;
       ++k, options.count *= 2) {
    const Result<double> found = find();
    ESPALIER_TRY(found);
    upto = *found;
  }
  if (needed > judgement.frequencies.size()) {
    return make_error(ErrorCode::kValue, {},
                      fmt::format("it has {}, the goals ask for {}",
                                  counted(judgement.frequencies.size(), "frequency", "frequencies"), needed));
  }
  if (upto >= space.upto || judgement.stopped) return {};
  // Ranges to avoid need all modes up to their upper end, however many there are.
  options.max_frequency = kTurn * space.upto;
  const Result<double> found = find();
  ESPALIER_TRY(found);
  return {};
}

double near_value(const formats::TuningGoal& goal, const Judgement& judgement) {
  double sum = 0, weights = 0;
  for (std::size_t k = 0; k < goal.targets.size(); ++k) {
    // Relative, so that low and high frequencies count alike.
    const double error = judgement.frequencies[k] / goal.targets[k] - 1;
    sum += goal.target_weights[k] * error * error;
    weights += goal.target_weights[k];
  }
  return sum / weights;
}

double goal_value(const DesignSpace& space, std::size_t which, std::span<const double> parameters,
                  const Judgement& judgement) {
  const formats::TuningGoal& goal = space.tuning.goals[which];
  const double sign = goal.maximise ? -1 : 1;
  double sum = 0;
  switch (goal.kind) {
    case Kind::kNear:
      return near_value(goal, judgement);
    case Kind::kAvoid:
      for (const double f : judgement.frequencies) {
        // A tent over the range, 1 in its middle and 0 at its ends: the search sees the way out.
        sum += std::max(0.0, 2 * std::min(f - goal.low, goal.high - f) / (goal.high - goal.low));
      }
      return sum;
    case Kind::kFrequency:
      return sign * judgement.frequencies[to_index(goal.mode - 1)];
    case Kind::kMass:
      return sign * judgement.mass;
    case Kind::kParameters:
      for (std::size_t k = 0; k < parameters.size(); ++k) {
        sum += parameters[k] *
               static_cast<double>(std::count(goal.names.begin(), goal.names.end(), space.tuning.parameters[k].name));
      }
      return sign * sum;
    case Kind::kDamping:
      for (int k = 0; k < goal.mode; ++k) {
        // Only what is missing counts: more damping than was asked for earns nothing.
        sum += std::max(0.0, 1 - judgement.damping[to_index(k)] / goal.low);
      }
      return sum;
    case Kind::kQuantity:
      return detail::goal_number(goal, judgement.quantities[which]);
  }
  return kNaN;
}

Result<void> find_modes_of(const DesignSpace& space, const model::Model& model, const std::atomic<bool>* stop,
                           Judgement& judgement) {
  const Result<modes::Structure> structure = modes::make_structure(model);
  ESPALIER_TRY(structure);
  judgement.mass = mass_of(*structure);
  if (space.modes == 0 && space.upto == 0) return {};
  const Result<void> found = find_frequencies(space, *structure, stop, judgement);
  ESPALIER_TRY(found);
  if (judgement.certainty == modes::Certainty::kNone) {
    return make_error(ErrorCode::kValue, {}, "the number of its modes is not certain");
  }
  return {};
}

// What a judgement is made for.
struct Look {
  const std::atomic<bool>* stop = nullptr;
  bool at_runs = true;
};

// (1) The model with these numbers; (2) its mass and its frequencies; (3) its run; (4) the goals.
Result<void> find_judgement(const DesignSpace& space, std::span<const formats::FieldValue> values,
                            std::span<const double> parameters, const Look& look, Judgement& judgement) {
  // (1) Numbers that make no model are a bad design, not an error of the search.
  const Result<DesignModel> design = model_of(space, values);
  ESPALIER_TRY(design);
  // (2) and (3): most of the time goes here.
  if (!space.vibrates) judgement.mass = mass_of(design->model);
  const Result<void> found =
      space.vibrates ? find_modes_of(space, design->model, look.stop, judgement) : Result<void>();
  ESPALIER_TRY(found);
  if (space.runs && look.at_runs && !judgement.stopped) {
    const Result<void> run =
        detail::run_design(*space.runs, space.tuning, design->spec, design->model, look.stop, judgement);
    ESPALIER_TRY(run);
  }
  // (4) In the order of the tuning file, which documents and tables follow.
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    judgement.goals[k] = goal_value(space, k, parameters, judgement);
  }
  return {};
}

Judgement judge_fields(const DesignSpace& space, std::span<const formats::FieldValue> values,
                       std::span<const double> parameters, const Look& look) {
  Judgement judgement;
  // A design that cannot be computed keeps goals that are no numbers.
  judgement.goals.assign(space.tuning.goals.size(), kNaN);
  judgement.quantities = judgement.goals;
  const Result<void> found = find_judgement(space, values, parameters, look, judgement);
  if (!found) judgement.problem = to_string(found.error());
  return judgement;
}

}  // namespace

// (1) Fields by parameter; (2) each is set once; (3) what the goals need; (4) the drawn structure; (5) the drawn run.
Result<DesignSpace> make_design_space(formats::ModelVariants model, formats::Tuning tuning) {
  DesignSpace space{std::move(model), std::move(tuning), {}, {}, 0, 0, true, {}, {}, 0, {}, {}, 0};
  for (std::size_t k = 0; k < space.tuning.parameters.size(); ++k) {
    const Result<void> added = add_fields(space, k);
    ESPALIER_TRY(added);
  }
  // (2) A misspelt key is told now, with its line, and not as a design without a number.
  const Result<void> tried = try_fields(space);
  ESPALIER_TRY(tried);
  // (3) Before the structure, so that a goal of damping can be refused for it.
  set_needs(space);
  // (4) and (5): the model as drawn must have modes and a run, or no design is compared with anything.
  for (const Result<void>& drawn : {set_structure(space), set_runs(space)}) {
    ESPALIER_TRY(drawn);
  }
  return space;
}

std::vector<formats::FieldValue> field_values(const DesignSpace& space, std::span<const double> parameters) {
  std::vector<formats::FieldValue> values;
  for (const TunedField& field : space.fields) {
    values.push_back({field.path, field.factor * parameters[field.parameter]});
  }
  return values;
}

Judgement judge(const DesignSpace& space, std::span<const double> parameters, const std::atomic<bool>* stop) {
  return judge_fields(space, field_values(space, parameters), parameters, {stop});
}

Judgement judge_drawn(const DesignSpace& space, const std::atomic<bool>* stop) {
  return judge_fields(space, {}, space.drawn, {stop});
}

Judgement judge_modes(const DesignSpace& space, std::span<const double> parameters, const std::atomic<bool>* stop) {
  return judge_fields(space, field_values(space, parameters), parameters, {.stop = stop, .at_runs = false});
}

int search_goals(const formats::Tuning& tuning) {
  // Weighed goals are one number.
  if (!tuning.pareto) return 1;
  return static_cast<int>(std::count_if(tuning.goals.begin(), tuning.goals.end(),
                                        [](const formats::TuningGoal& goal) { return !goal.is_limit(); }));
}

bool has_constraints(const formats::Tuning& tuning) {
  return std::any_of(tuning.goals.begin(), tuning.goals.end(),
                     [](const formats::TuningGoal& goal) { return goal.is_constraint(); });
}

void weigh(const formats::Tuning& tuning, std::span<const double> goals, std::span<double> searched) {
  double all = 0, limits = 0, excess = 0;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    // Constraints are in no sum: they come as one value of their own, behind the goals.
    if (tuning.goals[k].is_constraint()) {
      excess += goals[k];
      continue;
    }
    const double weighed = tuning.goals[k].weight * goals[k];
    all += weighed;
    if (tuning.goals[k].is_limit()) limits += weighed;
  }
  // Behind all goals, where the searches look for it.
  if (has_constraints(tuning)) searched.back() = excess;
  if (!tuning.pareto) {
    searched[0] = all;
    return;
  }
  std::size_t next = 0;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    // Limits weigh on each goal of a front, lest it hold designs that break them.
    if (!tuning.goals[k].is_limit()) searched[next++] = tuning.goals[k].weight * goals[k] + limits;
  }
}

std::vector<LimitState> limit_states(const DesignSpace& space, const Judgement& judgement) {
  std::vector<LimitState> states;
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    const formats::TuningGoal& goal = space.tuning.goals[k];
    if (!goal.is_limit()) continue;
    LimitState state{k, judgement.goals[k] == 0, {}};
    if (goal.kind == Kind::kQuantity) {
      states.push_back(std::move(state));
      continue;
    }
    for (std::size_t j = 0; j < judgement.frequencies.size(); ++j) {
      const double f = judgement.frequencies[j];
      // A band is for all frequencies, a damping ratio for the lowest few.
      const bool counts = goal.kind == Kind::kAvoid || static_cast<int>(j) < goal.mode;
      const bool inside = goal.kind == Kind::kAvoid ? f > goal.low && f < goal.high : judgement.damping[j] < goal.low;
      if (counts && inside) state.frequencies.push_back(f);
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace espalier::study
