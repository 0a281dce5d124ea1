#include "espalier/formats/detail/tuning_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/formats/detail/tuning_quantity.hpp"

namespace espalier::formats::detail {
namespace {

using GoalKind = TuningGoal::Kind;

constexpr const char* kGoalForms =
    "`near: [Hz, ...]`, `avoid: [low, high]`, `minimise: ...`, `maximise: ...`, `damping: ratio`, or of a run `end`, "
    "`maximum`, `minimum` or `distance: QUANTITY`";

std::array<double, 2> read_pair(NativeContext& context, const YamlNode& node, const std::string& what) {
  const std::vector<double> pair = context.numbers(node, what, kNone);
  // A failure is on record; any two ascending numbers keep what follows from failing again.
  if (context.failed()) return {0, 1};
  if (pair.size() != 2) {
    context.fail(ErrorCode::kType, node, fmt::format("{} must be two numbers, [low, high]", what));
    return {0, 1};
  }
  if (!(pair[0] < pair[1])) {
    context.fail(ErrorCode::kValue, node,
                 fmt::format("{} is [{}, {}]; the lower number must come first", what, number_text(pair[0]),
                             number_text(pair[1])));
  }
  return {pair[0], pair[1]};
}

constexpr int kMost = 1'000'000'000;

int read_whole(NativeContext& context, Fields& fields, const char* key, int otherwise, int least, int most = kMost) {
  const std::optional<double> value = fields.optional_number(key, kNone);
  // Numbers are doubles in YAML: a whole number is one without a rest.
  if (!value || context.failed()) return otherwise;
  if (*value != std::floor(*value) || *value < least || *value > most) {
    context.fail(ErrorCode::kValue, *fields.node().find(key),
                 fmt::format("{}: `{}` is {}; it must be a whole number from {} to {}", fields.what(), key,
                             number_text(*value), least, most));
    return otherwise;
  }
  return static_cast<int>(*value);
}

// A word or a list of words.
std::vector<std::string> read_words(NativeContext& context, const YamlNode& node, const std::string& what) {
  // One word is what most parameters have.
  if (node.kind != YamlNode::Kind::kList) return {context.text(node, what)};
  std::vector<std::string> words = context.texts(node, what);
  if (words.empty()) context.fail(ErrorCode::kValue, node, fmt::format("{} is empty", what));
  return words;
}

void read_scale(NativeContext& context, Fields& fields, TuningParameter& parameter) {
  // A search steps by differences on a linear scale and by ratios on a logarithmic one.
  const std::string scale = fields.text("scale", "linear");
  parameter.logarithmic = scale == "log";
  if (context.failed()) return;
  if (scale != "log" && scale != "linear") {
    context.fail(ErrorCode::kValue, *fields.node().find("scale"),
                 fmt::format("{}: `scale` is {}; it must be log or linear", fields.what(), in_quotes(scale)));
  } else if (parameter.logarithmic && !(parameter.low > 0)) {
    context.fail(ErrorCode::kValue, fields.node(),
                 fmt::format("{}: on a logarithmic scale the lower bound must be above 0, not {}", fields.what(),
                             number_text(parameter.low)));
  }
}

TuningParameter read_parameter(NativeContext& context, const YamlEntry& entry) {
  TuningParameter parameter;
  parameter.name = entry.key;
  // The place of the key: the study names it when the path leads nowhere.
  parameter.where = {context.file, entry.line, 0};
  Fields fields(context, entry.value, fmt::format("parameter {}", in_quotes(entry.key)));
  // Several paths change together: one parameter may stand for all four tyres.
  if (const YamlNode* path = fields.require("path")) {
    parameter.paths = read_words(context, *path, fmt::format("{}: `path`", fields.what()));
  }
  const YamlNode* range = fields.find("range");
  const YamlNode* factor = fields.find("factor");
  // A range is in the units of the file, a factor multiplies what the file has.
  if ((range == nullptr) == (factor == nullptr)) {
    context.fail(ErrorCode::kName, entry.value,
                 fmt::format("{} needs either `range: [low, high]` or `factor: [low, high]` on what the file has",
                             fields.what()));
    return parameter;
  }
  // Multiplied, several numbers keep their ratios.
  parameter.factor = factor != nullptr;
  const std::array<double, 2> bounds =
      read_pair(context, parameter.factor ? *factor : *range,
                fmt::format("{}: `{}`", fields.what(), parameter.factor ? "factor" : "range"));
  parameter.low = bounds[0];
  parameter.high = bounds[1];
  // After the bounds, since a logarithm asks for positive ones.
  read_scale(context, fields, parameter);
  fields.done();
  return parameter;
}

std::vector<double> read_frequencies(NativeContext& context, const YamlNode& node, const std::string& what) {
  std::vector<double> values = context.numbers(node, what, kNone);
  if (context.failed()) return values;
  if (values.empty()) context.fail(ErrorCode::kValue, node, fmt::format("{} is empty", what));
  // Not (f > 0): a NaN must fail too.
  const auto bad = std::find_if(values.begin(), values.end(), [](double f) { return !(f > 0); });
  if (bad != values.end()) {
    context.fail(ErrorCode::kValue, node,
                 fmt::format("{}: {} Hz; a frequency must be above 0", what, number_text(*bad)));
  }
  return values;
}

// A list beside the targets, as long as it.
void check_length(NativeContext& context, const YamlNode& node, const std::string& what, std::size_t length,
                  std::size_t targets) {
  // One number for each target, or the second list would be about others.
  if (context.failed() || length == targets) return;
  context.fail(ErrorCode::kType, node,
               fmt::format("{} has {}, but there are {}", what, counted(length, "number"),
                           counted(targets, "frequency", "frequencies")));
}

void read_near(NativeContext& context, const YamlNode& node, Fields& fields, TuningGoal& goal) {
  goal.kind = GoalKind::kNear;
  goal.targets = read_frequencies(context, node, "`near`");
  // Frequencies are compared in rising order with those that a design has.
  if (!context.failed() && !std::is_sorted(goal.targets.begin(), goal.targets.end())) {
    context.fail(ErrorCode::kValue, node, "`near`: the frequencies must ascend; they stand for the lowest in order");
  }
  // Without weights all targets count the same.
  goal.target_weights.assign(goal.targets.size(), 1);
  if (const YamlNode* weights = fields.find("weights")) {
    goal.target_weights = context.numbers(*weights, "`weights`", kNone);
    check_length(context, *weights, "`weights`", goal.target_weights.size(), goal.targets.size());
    if (std::any_of(goal.target_weights.begin(), goal.target_weights.end(), [](double w) { return !(w > 0); })) {
      context.fail(ErrorCode::kValue, *weights, "`weights`: each must be above 0");
    }
  }
  const YamlNode* reference = fields.find("reference");
  if (reference == nullptr || context.failed()) return;
  if (reference->kind != YamlNode::Kind::kMap || reference->entries.size() != 1) {
    context.fail(ErrorCode::kType, *reference,
                 "`reference` must be a name with its frequencies: {measured: [Hz, ...]}");
    return;
  }
  const YamlEntry& entry = reference->entries.front();
  // A reference is printed beside the targets and pulls at nothing.
  goal.reference_name = entry.key;
  goal.reference_values = read_frequencies(context, entry.value, "`reference`");
  check_length(context, entry.value, "`reference`", goal.reference_values.size(), goal.targets.size());
}

void read_extreme(NativeContext& context, const YamlNode& node, bool maximise, TuningGoal& goal) {
  goal.maximise = maximise;
  const char* word = maximise ? "maximise" : "minimise";
  // The mass needs no number; the others say which of many they mean.
  if (node.kind == YamlNode::Kind::kScalar && node.scalar == "mass") {
    goal.kind = GoalKind::kMass;
    goal.name = fmt::format("{} mass", word);
    return;
  }
  // One key: two of them would be two goals under one weight.
  const bool one = node.kind == YamlNode::Kind::kMap && node.entries.size() == 1;
  if (one && node.find("frequency") != nullptr) {
    Fields fields(context, node, fmt::format("`{}`", word));
    goal.kind = GoalKind::kFrequency;
    goal.mode = read_whole(context, fields, "frequency", 1, 1, kMostModes);
    goal.name = fmt::format("{} frequency {}", word, goal.mode);
  } else if (const YamlNode* names = one ? node.find("parameters") : nullptr) {
    goal.kind = GoalKind::kParameters;
    goal.names = read_words(context, *names, fmt::format("`{}`: `parameters`", word));
    goal.name = fmt::format("{} {}", word, fmt::join(goal.names, " + "));
  } else if (!one || !read_extreme_quantity(context, node, word, goal)) {
    context.fail(ErrorCode::kValue, node,
                 fmt::format("`{}` must be `mass`, `{{frequency: number}}`, `{{parameters: [name, ...]}}`, or of a run "
                             "`{{end: QUANTITY}}`, `{{maximum: QUANTITY}}` or `{{minimum: QUANTITY}}`, not {}",
                             word, describe(node)));
  }
}

void read_damping(NativeContext& context, const YamlNode& node, Fields& fields, TuningGoal& goal) {
  goal.kind = GoalKind::kDamping;
  goal.low = context.number(node, "`damping`", kNone);
  // The lowest modes up to this one.
  goal.mode = read_whole(context, fields, "modes", 1, 1, kMostModes);
  goal.name = fmt::format("damping {}", number_text(goal.low));
  if (!context.failed() && !(goal.low > 0 && goal.low <= 1)) {
    context.fail(ErrorCode::kValue, node,
                 fmt::format("`damping` is {}; a damping ratio lies between 0 and 1", number_text(goal.low)));
  }
}

void read_kind(NativeContext& context, Fields& fields, TuningGoal& goal) {
  if (const YamlNode* near = fields.find("near")) {
    goal.name = "near";
    return read_near(context, *near, fields, goal);
  }
  if (const YamlNode* band = fields.find("avoid")) {
    goal.kind = GoalKind::kAvoid;
    const std::array<double, 2> edges = read_pair(context, *band, "`avoid`");
    goal.low = edges[0];
    goal.high = edges[1];
    goal.name = fmt::format("avoid {} to {} Hz", number_text(goal.low), number_text(goal.high));
    // No mode is below 0 Hz: such a band would always be held.
    if (!context.failed() && !(goal.high > 0)) {
      context.fail(ErrorCode::kValue, *band, "`avoid`: the band must reach above 0 Hz");
    }
    return;
  }
  // The words are tried one after the other; a second one in the same goal is left for done() to refuse.
  if (const YamlNode* extreme = fields.find("minimise")) return read_extreme(context, *extreme, false, goal);
  if (const YamlNode* extreme = fields.find("maximise")) return read_extreme(context, *extreme, true, goal);
  if (const YamlNode* ratio = fields.find("damping")) return read_damping(context, *ratio, fields, goal);
  if (read_quantity(context, fields, goal)) return;
  context.fail(ErrorCode::kName, fields.node(), fmt::format("a goal is one of {}", kGoalForms));
}

TuningGoal read_goal(NativeContext& context, const YamlNode& node) {
  TuningGoal goal;
  goal.where = context.where(node);
  Fields fields(context, node, "a goal");
  read_kind(context, fields, goal);
  // A name of the user's replaces the one made of the goal.
  goal.name = fields.text("name", goal.name);
  goal.weight = fields.number("weight", 1, kNone);
  // A limit with a weight is traded against other goals; without one it must hold first.
  goal.weighed = node.find("weight") != nullptr;
  if (!context.failed() && !(goal.weight > 0)) {
    context.fail(ErrorCode::kValue, *node.find("weight"),
                 fmt::format("`weight` is {}; it must be above 0", number_text(goal.weight)));
  }
  fields.done();
  return goal;
}

void check_names(NativeContext& context, const Tuning& tuning) {
  std::vector<std::string> known;
  for (const TuningParameter& parameter : tuning.parameters) known.push_back(parameter.name);
  for (const TuningGoal& goal : tuning.goals) {
    for (const std::string& name : goal.names) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      context.fail({ErrorCode::kName,
                    fmt::format("no parameter in `vary` is called {}{}", in_quotes(name), did_you_mean(name, known)),
                    goal.where});
    }
  }
  const auto is_limit = [](const TuningGoal& goal) { return goal.is_limit(); };
  const auto limits = std::count_if(tuning.goals.begin(), tuning.goals.end(), is_limit);
  // A limit is not traded against other goals: what is left must be two.
  if (tuning.pareto && static_cast<std::ptrdiff_t>(tuning.goals.size()) - limits < 2) {
    context.fail({ErrorCode::kValue,
                  "`pareto` needs two goals or more beside limits (`avoid`, `damping`, `at_most`, `at_least`), which "
                  "are held by all the others",
                  tuning.where});
  }
}

void read_search(NativeContext& context, Fields& fields, Tuning& tuning) {
  if (const YamlNode* pareto = fields.find("pareto")) tuning.pareto = context.boolean(*pareto, "`pareto`");
  // The name is checked where the algorithms are, which this room does not know.
  tuning.algorithm = fields.text("algorithm", tuning.algorithm);
  tuning.population = read_whole(context, fields, "population", tuning.population, 4, kMostDesigns);
  tuning.generations = read_whole(context, fields, "generations", tuning.generations, 1);
  // The same seed finds the same design again.
  tuning.seed = static_cast<std::uint64_t>(read_whole(context, fields, "seed", 1, 0));
  // Not given, only generations and patience end the search.
  tuning.enough = fields.optional_number("enough", kNone);
  tuning.patience = read_whole(context, fields, "patience", tuning.patience, 1);
}

}  // namespace

Tuning read_tuning_section(NativeContext& context, const YamlNode& node) {
  Tuning tuning;
  tuning.where = context.where(node);
  Fields fields(context, node, "`tune`");
  const YamlNode* vary = fields.require("vary");
  const YamlNode* goals = fields.require("goals");
  if (context.failed()) return tuning;
  if (vary->kind != YamlNode::Kind::kMap || vary->entries.empty()) {
    context.fail(ErrorCode::kType, *vary,
                 "`vary` must be a map of parameters: {name: {path: PATH, range: [low, high]}, ...}");
  }
  for (const YamlEntry& entry : vary->entries) tuning.parameters.push_back(read_parameter(context, entry));
  for (const YamlNode& goal : list_items(context, *goals, "`goals`")) tuning.goals.push_back(read_goal(context, goal));
  if (tuning.goals.empty()) {
    context.fail(ErrorCode::kValue, *goals, fmt::format("`goals` is empty; each goal is one of {}", kGoalForms));
  }
  if (const YamlNode* run = fields.find("simulate")) tuning.run = read_run(context, *run);
  read_search(context, fields, tuning);
  fields.done();
  // Names last: goals may stand before the parameters they name.
  if (!context.failed()) check_names(context, tuning);
  if (!context.failed()) check_runs(context, tuning);
  return tuning;
}

}  // namespace espalier::formats::detail
