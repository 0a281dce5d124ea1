#include "espalier/formats/detail/tuning_quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::formats::detail {
namespace {

using Statistic = TuningGoal::Statistic;

// Goals compare with what was asked for, so that a difference of this size counts as 1.
double usual_scale(const TuningGoal& goal) {
  double largest = std::abs(goal.target.value_or(0));
  for (const std::optional<double>& bound : {goal.at_most, goal.at_least}) {
    largest = std::max(largest, std::abs(bound.value_or(0)));
  }
  for (const double value : goal.values) largest = std::max(largest, std::abs(value));
  // A target of 0 says nothing of the size of things.
  return largest > 0 ? largest : 1;
}

// Below the keys of all statistics: what the number is to be.
void read_wish(NativeContext& context, Fields& fields, const char* word, TuningGoal& goal) {
  goal.target = fields.optional_number("target", kNone);
  goal.at_most = fields.optional_number("at_most", kNone);
  goal.at_least = fields.optional_number("at_least", kNone);
  const std::optional<double> scale = fields.optional_number("scale", kNone);
  if (context.failed()) return;
  const bool distance = goal.statistic == Statistic::kDistance;
  if (distance ? goal.target.has_value() : goal.target.has_value() == goal.is_bounded()) {
    context.fail(ErrorCode::kName, fields.node(),
                 distance ? "a `distance` is made small, or kept `at_most`; it has no `target`"
                          : fmt::format("`{0}` needs either `target`, or `at_most` or `at_least`; what is to be small "
                                        "is `minimise: {{{0}: {1}}}`",
                                        word, goal.quantity));
  } else if (goal.at_most && goal.at_least && !(*goal.at_least < *goal.at_most)) {
    context.fail(ErrorCode::kValue, fields.node(),
                 fmt::format("`at_least` is {}, which is not below `at_most`, {}", number_text(*goal.at_least),
                             number_text(*goal.at_most)));
  } else if (scale && !(*scale > 0)) {
    context.fail(ErrorCode::kValue, fields.node(),
                 fmt::format("`scale` is {}; it must be above 0", number_text(*scale)));
  }
  // That of a table is known when it is read.
  goal.scale = scale.value_or(distance ? 0 : usual_scale(goal));
}

void read_statistic(NativeContext& context, const YamlNode& node, const Word<Statistic>& word, TuningGoal& goal) {
  goal.kind = TuningGoal::Kind::kQuantity;
  // Named by what it looks at: reports and front.csv have no other word for it.
  goal.statistic = word.value;
  goal.quantity = context.text(node, fmt::format("`{}`", word.text));
  goal.name = fmt::format("{} {}", word.text, goal.quantity);
}

// "pin.position [rad]".
struct Head {
  std::string name, unit;
};
Head split_head(const std::string& head) {
  // From the back: a name may have brackets of its own.
  const std::size_t open = head.rfind(" [");
  if (open == std::string::npos || !head.ends_with(']')) return {head, ""};
  return {head.substr(0, open), head.substr(open + 2, head.size() - open - 3)};
}

Result<std::size_t> find_column(const std::vector<Head>& heads, const std::string& name, const Where& where) {
  std::vector<std::string> names;
  for (const Head& head : heads) names.push_back(head.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return to_index(found - names.begin());
  return make_error(ErrorCode::kName, where,
                    fmt::format("no column is called {}{}; there are {}", in_quotes(name), did_you_mean(name, names),
                                fmt::join(names, ", ")));
}

// The column that is asked for, or called as the quantity, or the only one beside the time.
Result<std::size_t> value_column(const std::vector<Head>& heads, std::size_t time, const TuningGoal& goal,
                                 const Where& where) {
  // A column that is named must be there, and no other one will do.
  if (!goal.column.empty()) return find_column(heads, goal.column, where);
  Result<std::size_t> found = find_column(heads, goal.quantity, where);
  // Of two columns the one that is not the time can only be the values.
  if (found || heads.size() != 2) return found;
  return 1 - time;
}

Result<void> check_times(const files::CsvRows& rows, const std::string& file) {
  const std::vector<double>& times = rows.columns[0];
  if (times.empty()) return make_error(ErrorCode::kValue, {file, 0, 0}, "the table has no row");
  for (std::size_t row = 0; row < times.size(); ++row) {
    const double before = row == 0 ? 0 : times[row - 1];
    // Between rows the values are taken along a straight line: that needs times that ascend.
    if (row == 0 ? times[row] >= 0 : times[row] > before) continue;
    return make_error(ErrorCode::kValue, {file, rows.line[row], 0},
                      fmt::format("the time is {} after {}; times must ascend from 0, where runs begin",
                                  number_text(times[row]), number_text(before)));
  }
  return {};
}

Result<void> read_table(const std::string& text, const std::string& file, TuningGoal& goal) {
  const Result<files::CsvHead> head = files::read_csv_head(text, file);
  ESPALIER_TRY(head);
  const Where where{file, head->line, 0};
  std::vector<Head> heads;
  for (const std::string& name : head->names) heads.push_back(split_head(name));
  // By its name, wherever it stands.
  const Result<std::size_t> time = find_column(heads, "time", where);
  ESPALIER_TRY(time);
  if (!heads[*time].unit.empty() && heads[*time].unit != "s") {
    return make_error(ErrorCode::kUnsupported, where,
                      fmt::format("the time is in {}; give it in seconds", in_quotes(heads[*time].unit)));
  }
  const Result<std::size_t> column = value_column(heads, *time, goal, where);
  ESPALIER_TRY(column);
  Result<files::CsvRows> rows = files::read_csv_rows(text, file, *head, std::array{*time, *column});
  ESPALIER_TRY(rows);
  const Result<void> ascend = check_times(*rows, file);
  ESPALIER_TRY(ascend);
  goal.table_unit = heads[*column].unit;
  goal.times = std::move(rows->columns[0]);
  goal.values = std::move(rows->columns[1]);
  // Now that there are values to take it from.
  if (!(goal.scale > 0)) goal.scale = usual_scale(goal);
  return {};
}

}  // namespace

bool read_quantity(NativeContext& context, Fields& fields, TuningGoal& goal) {
  for (const Word<Statistic>& word : words(Statistic())) {
    const YamlNode* quantity = fields.find(word.text);
    if (quantity == nullptr) continue;
    read_statistic(context, *quantity, word, goal);
    // The only one that compares with a whole course and not with a number.
    if (word.value == Statistic::kDistance) {
      if (const YamlNode* table = fields.require("csv")) goal.table = context.text(*table, "`csv`");
      goal.column = fields.text("column", "");
    }
    read_wish(context, fields, word.text, goal);
    return true;
  }
  return false;
}

bool read_extreme_quantity(NativeContext& context, const YamlNode& node, const char* word, TuningGoal& goal) {
  for (const Word<Statistic>& statistic : words(Statistic())) {
    // A distance is made small without being asked to.
    const YamlNode* quantity = statistic.value == Statistic::kDistance ? nullptr : node.find(statistic.text);
    if (quantity == nullptr) continue;
    read_statistic(context, *quantity, statistic, goal);
    goal.name = fmt::format("{} {}", word, goal.name);
    return true;
  }
  return false;
}

TuningRun read_run(NativeContext& context, const YamlNode& node) {
  TuningRun run;
  run.where = context.where(node);
  Fields fields(context, node, "`simulate`");
  run.end = fields.optional_number("end", kNone);
  run.output_step = fields.optional_number("output_step", kNone);
  run.tolerance = fields.optional_number("tolerance", kNone);
  run.step = fields.optional_number("step", kNone);
  // Words are checked where the engines are, which this room does not know.
  run.integrator = fields.text("integrator", "");
  run.engine = fields.text("engine", "");
  run.keyframe = fields.text("keyframe", "");
  fields.done();
  // A run of no length has no end to look at.
  for (const std::optional<double>& number : {run.end, run.output_step, run.tolerance, run.step}) {
    if (context.failed() || !number || *number > 0) continue;
    context.fail(ErrorCode::kValue, node,
                 fmt::format("`simulate`: {} is there, but all its numbers must be above 0", number_text(*number)));
  }
  return run;
}

void check_runs(NativeContext& context, const Tuning& tuning) {
  const bool runs = std::any_of(tuning.goals.begin(), tuning.goals.end(),
                                [](const TuningGoal& goal) { return goal.kind == TuningGoal::Kind::kQuantity; });
  if (runs || tuning.run.where.line == 0) return;
  context.fail(
      {ErrorCode::kName,
       "`simulate` says how designs are run, but no goal looks at a run; leave it out, or give a goal as `{end: "
       "QUANTITY, target: x}`",
       tuning.run.where});
}

Result<void> read_goal_tables(Tuning& tuning, const std::filesystem::path& folder) {
  for (TuningGoal& goal : tuning.goals) {
    if (goal.table.empty()) continue;
    // Beside the file with the goals, as tables of a model are beside the model.
    const std::filesystem::path path = folder / goal.table;
    Result<std::string> text = files::read_text_file(path);
    if (!text) {
      // The line is that of the goal, since the file has none.
      text.error().message =
          fmt::format("goal {}: the table {}: {}", in_quotes(goal.name), in_quotes(goal.table), text.error().message);
      text.error().where = goal.where;
      return tl::unexpected(text.error());
    }
    const Result<void> read = read_table(*text, path.string(), goal);
    ESPALIER_TRY(read);
  }
  return {};
}

}  // namespace espalier::formats::detail
