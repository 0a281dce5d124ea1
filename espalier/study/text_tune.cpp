#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/study/detail/design_run.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/text.hpp"
#include "espalier/study/tune.hpp"

namespace espalier::study {
namespace {

using Kind = formats::TuningGoal::Kind;

const formats::TuningGoal* near_goal(const formats::Tuning& tuning) {
  const auto found = std::find_if(tuning.goals.begin(), tuning.goals.end(),
                                  [](const formats::TuningGoal& goal) { return goal.kind == Kind::kNear; });
  return found == tuning.goals.end() ? nullptr : &*found;
}

// The band that a frequency lies in.
std::string band_of(const formats::Tuning& tuning, double hertz) {
  for (const formats::TuningGoal& goal : tuning.goals) {
    // On its edge a frequency is outside.
    if (goal.kind == Kind::kAvoid && hertz > goal.low && hertz < goal.high) {
      return fmt::format("IN {:g} to {:g}", goal.low, goal.high);
    }
  }
  return "";
}

// Those that the goals need, and all up to the highest band.
std::size_t frequencies_shown(const DesignSpace& space, const Judgement& best) {
  auto count = to_index(space.modes);
  while (count < best.frequencies.size() && best.frequencies[count] <= space.upto) ++count;
  return std::min(count, best.frequencies.size());
}

std::string percent(double value, double target) { return fmt::format("{:+.2f}", 100 * (value / target - 1)); }

std::string frequency_table(const DesignSpace& space, const Tuned& tuned, int width) {
  const formats::TuningGoal* near = near_goal(space.tuning);
  const bool reference = near != nullptr && !near->reference_name.empty();
  std::vector<std::string> heads = {"mode", "drawn", "best Hz"};
  if (near != nullptr) heads.insert(heads.end(), {"target", "off %"});
  if (reference) heads.insert(heads.end(), {near->reference_name, "off %"});
  const std::size_t shown = frequencies_shown(space, tuned.best);
  const bool bands =
      std::any_of(tuned.best.frequencies.begin(), tuned.best.frequencies.begin() + static_cast<std::ptrdiff_t>(shown),
                  [&](double f) { return !band_of(space.tuning, f).empty(); });
  if (bands) heads.emplace_back("band");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < shown; ++k) {
    const double best = tuned.best.frequencies[k];
    const bool drawn = k < tuned.drawn.frequencies.size();
    std::vector<std::string> row = {std::to_string(k + 1),
                                    drawn ? fmt::format("{:.4f}", tuned.drawn.frequencies[k]) : "",
                                    fmt::format("{:.4f}", best)};
    if (near != nullptr && k < near->targets.size()) {
      row.insert(row.end(), {fmt::format("{:.2f}", near->targets[k]), percent(best, near->targets[k])});
      if (reference) {
        row.insert(row.end(),
                   {fmt::format("{:.2f}", near->reference_values[k]), percent(best, near->reference_values[k])});
      }
    }
    // Modes beyond the last target have none.
    row.resize(heads.size());
    if (bands) row.back() = band_of(space.tuning, best);
    rows.push_back(std::move(row));
  }
  return table(heads, rows, width);
}

std::string quantity_text(const DesignSpace& space, std::size_t which, double value) {
  if (std::isnan(value)) return "none";
  const std::string& unit = space.units[which];
  return fmt::format("{:.5g}{}{}", value, unit == "1" ? "" : " ", unit == "1" ? "" : unit);
}

// "at least -1, at most 2".
std::string wish_text(const formats::TuningGoal& goal) {
  std::vector<std::string> wishes;
  if (goal.target) wishes.push_back(fmt::format("{:.5g}", *goal.target));
  if (goal.at_least) wishes.push_back(fmt::format("at least {:.5g}", *goal.at_least));
  if (goal.at_most) wishes.push_back(fmt::format("at most {:.5g}", *goal.at_most));
  // Without a number it is a direction.
  if (wishes.empty()) wishes.emplace_back(goal.maximise ? "large" : "small");
  return fmt::format("{}", fmt::join(wishes, ", "));
}

// What the runs came to; nothing where no goal looks at one.
std::string quantity_table(const DesignSpace& space, const Tuned& tuned, int width) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    const formats::TuningGoal& goal = space.tuning.goals[k];
    if (goal.kind != Kind::kQuantity) continue;
    rows.push_back({fmt::format("{} {}", word_of(goal.statistic), goal.quantity),
                    quantity_text(space, k, tuned.drawn.quantities[k]),
                    quantity_text(space, k, tuned.best.quantities[k]), wish_text(goal)});
  }
  return rows.empty() ? "" : "\n" + table({"quantity", "drawn", "best", "wanted"}, rows, width);
}

// What a limit that is not held is broken by: "120 N is not at most 100".
std::string broken_text(const DesignSpace& space, const LimitState& state, const Judgement& best) {
  const formats::TuningGoal& goal = space.tuning.goals[state.goal];
  if (goal.kind == Kind::kQuantity) {
    return fmt::format("{} is not {}", quantity_text(space, state.goal, best.quantities[state.goal]), wish_text(goal));
  }
  std::vector<std::string> hertz;
  for (const double f : state.frequencies) hertz.push_back(fmt::format("{:.4f}", f));
  const bool one = hertz.size() == 1;
  return fmt::format("{} Hz {} {}", fmt::join(hertz, ", "),
                     goal.kind == Kind::kAvoid ? (one ? "lies" : "lie") : (one ? "has" : "have"),
                     goal.kind == Kind::kAvoid ? "inside" : "less");
}

// One line for each limit that is not held, which cannot be missed; one for those that are.
std::string limits_text(const DesignSpace& space, const Judgement& best, int width) {
  // Looked at in haste, a limit may only seem to be broken.
  if (best.stopped) return "";
  std::string text;
  std::vector<std::string> held;
  for (const LimitState& state : limit_states(space, best)) {
    const formats::TuningGoal& goal = space.tuning.goals[state.goal];
    if (state.held) {
      held.push_back(goal.name);
      continue;
    }
    text += wrapped("NOT HELD ",
                    fmt::format("{}: {}{}", goal.name, broken_text(space, state, best),
                                goal.weighed ? " (it is weighed by hand: without `weight` it would come first)"
                                             : "; no design that was tried holds it"),
                    width);
  }
  if (!held.empty()) text += wrapped("held    ", fmt::format("{}", fmt::join(held, ", ")), width);
  return text;
}

std::string number_or_mixed(double x) { return std::isnan(x) ? "mixed" : fmt::format("{:.5g}", x); }

// An optimum on the edge of its range asks for a wider one.
std::string edge_note(const formats::TuningParameter& parameter, double value) {
  const auto part = [&](double x) {
    return parameter.logarithmic ? elementary::log(x / parameter.low) / elementary::log(parameter.high / parameter.low)
                                 : (x - parameter.low) / (parameter.high - parameter.low);
  };
  if (part(value) < 1e-3) return "at its lower bound";
  return part(value) > 1 - 1e-3 ? "at its upper bound" : "";
}

std::string parameter_table(const DesignSpace& space, const Tuned& tuned, int width) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < space.tuning.parameters.size(); ++k) {
    const formats::TuningParameter& parameter = space.tuning.parameters[k];
    rows.push_back({parameter.name, (parameter.factor ? "x " : "") + number_or_mixed(space.drawn[k]),
                    fmt::format("{}{:.5g}", parameter.factor ? "x " : "", tuned.parameters[k]),
                    edge_note(parameter, tuned.parameters[k])});
  }
  std::vector<std::string> heads = {"parameter", "drawn", "best", "note"};
  if (std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.back().empty(); })) {
    heads.pop_back();
    for (std::vector<std::string>& row : rows) row.pop_back();
  }
  return table(heads, rows, width);
}

std::string goal_number(const formats::TuningGoal& goal, double value) {
  if (std::isnan(value)) return "none";
  return fmt::format("{:.6g}", goal.maximise ? -value : value);
}

std::string goal_table(const DesignSpace& space, const Tuned& tuned, int width) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    const formats::TuningGoal& goal = space.tuning.goals[k];
    // A limit has no weight: it comes before all that has one.
    rows.push_back({goal.name, goal.is_constraint() ? "limit" : fmt::format("{:g}", goal.weight),
                    goal_number(goal, tuned.drawn.goals[k]), goal_number(goal, tuned.best.goals[k])});
  }
  return table({"goal", "weight", "drawn", "best"}, rows, width);
}

std::string work_text(const TuneAnswer& answer) {
  const TuneRecord& record = answer.job.record;
  const Tuned& tuned = answer.tuned;
  const optimize::SearchState& search = tuned.state.search;
  std::string text = fmt::format(
      "{}, generation {} of {}, {} in all; now {} in {:.3g} s, {:.3g} a second, on {} of {}", record.algorithm,
      search.generation, record.generations, counted(to_index(search.evaluations), "design"), tuned.evaluations,
      tuned.seconds, static_cast<double>(tuned.evaluations) / std::max(tuned.seconds, 1e-9),
      counted(to_index(answer.ranks), "rank"), counted(to_index(answer.job.threads), "thread"));
  return text;
}

// Why it ended before the last generation; a search that came there needs no reason.
std::string end_text(const TuneAnswer& answer, int width) {
  const TuneRecord& record = answer.job.record;
  const Tuned& tuned = answer.tuned;
  if (tuned.end == optimize::End::kNoGain) {
    return wrapped("ended   ",
                   fmt::format("no gain in {}, the patience of the search; the last was in generation {}",
                               counted(to_index(record.patience), "generation"), tuned.state.search.gain.generation),
                   width);
  }
  if (tuned.end != optimize::End::kGoodEnough || !record.enough) return "";
  return wrapped("ended   ", fmt::format("the best design is good enough: at most {:g}", *record.enough), width);
}

std::string certainty_text(const Judgement& best) {
  return best.certainty == modes::Certainty::kProved
             ? "no frequency of the best design is missing: each is counted by inertia"
             : "the frequencies of the best design were counted by a sampled winding number";
}

}  // namespace

std::string generation_text(int generation, int generations, std::size_t done, std::size_t of) {
  return fmt::format("generation {} of {}  {} of {} designs of it", generation, generations, done, of);
}

std::string progress_text(const TuneState& state, int generations, double seconds) {
  const int done = state.search.generation;
  const int now = state.history.empty() ? done : done - state.history.front().generation + 1;
  const double left = seconds / std::max(now, 1) * (generations - done);
  // More minutes than these have no room in the line.
  const auto eta = static_cast<long>(std::min(left, 359999.0));
  const optimize::Design& design = state.search.best;
  const std::string best = design.excess > 0 ? "beyond the limits" : fmt::format("best {:.3g}", design.goals.front());
  return fmt::format("generation {} of {}  {}  {} designs  ETA {}:{:02}", done, generations, best,
                     state.search.evaluations, eta / 60, eta % 60);
}

std::string to_text(const TuneAnswer& answer, const TextOptions& options) {
  const DesignSpace& space = answer.job.space;
  const Tuned& tuned = answer.tuned;
  const int width = options.width;
  std::string text =
      wrapped("",
              fmt::format("{}: {}, {}", answer.job.record.model, counted(space.tuning.parameters.size(), "parameter"),
                          counted(space.tuning.goals.size(), "goal")),
              width);
  text += limits_text(space, tuned.best, width);
  if (frequencies_shown(space, tuned.best) > 0) text += "\n" + frequency_table(space, tuned, width);
  text += quantity_table(space, tuned, width);
  text += "\n" + parameter_table(space, tuned, width) + "\n" + goal_table(space, tuned, width) + "\n";
  if (!tuned.front.empty()) {
    text += wrapped("front   ",
                    fmt::format("{} of which none is better than another in all goals; the best above is that of the "
                                "first goal, the others stand in front.csv",
                                counted(tuned.front.size(), "design")),
                    width);
  }
  if (frequencies_shown(space, tuned.best) > 0) {
    text += wrapped(fmt::format("{:<8}", word_of(tuned.best.certainty)), certainty_text(tuned.best), width);
  }
  const std::int64_t bad = tuned.state.search.without_number;
  if (bad > 0) {
    text += wrapped("note    ",
                    fmt::format("{} made no model, or one whose modes are not certain{}; they count as worse than any",
                                counted(to_index(bad), "design"), space.runs ? " or whose run has no end" : ""),
                    width);
  }
  text += detail::reader_text(answer.job.reader, "reader  ", options);
  text += wrapped("work    ", work_text(answer), width);
  text += end_text(answer, width);
  if (tuned.stopped) text += wrapped("stopped ", "all whole generations are kept", width);
  if (answer.job.folder.empty()) return text;
  text += wrapped("Wrote ", fmt::format("{}/index.html", answer.job.folder), width);
  return text + fmt::format("Next: {}\n", options.wording.call(next_call(answer)));
}

Advice next_call(const TuneAnswer& answer) {
  // What was stopped wants to be continued; what has ended, to be looked at.
  if (answer.tuned.stopped) return {"tune", "", {{"restart", answer.job.folder}}};
  const std::string best = answer.job.folder + "/best.yaml";
  if (answer.job.space.vibrates) return {"modes", best};
  return {"simulate", best, detail::options_of_runs(answer.job.space)};
}

}  // namespace espalier::study
