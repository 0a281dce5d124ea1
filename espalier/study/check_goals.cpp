// Goals that a search cannot change: told before it begins, since it would end where it began.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/study/design.hpp"

namespace espalier::study {
namespace {

using formats::TuningGoal;
using Kind = TuningGoal::Kind;

constexpr std::uint32_t kDesigns = 8;  // beside the drawn one, at most

// Modes are found to 1e-12 and better; what moves by less than this is what rounding does to them.
constexpr double kStill = 1e-9;
// Steps of a run are fitted to their error: other steps change a quantity by about the tolerance of a step.
constexpr double kStillRun = 1e-5;

// A design somewhere in the ranges, the same in every search of them: all parameters move, and not along one line.
std::vector<double> design_at(const formats::Tuning& tuning, std::uint32_t number) {
  Random random(0, number);
  std::vector<double> parameters;
  for (const formats::TuningParameter& parameter : tuning.parameters) {
    const double unit = random.uniform();
    parameters.push_back(parameter.logarithmic ? parameter.low * elementary::pow(parameter.high / parameter.low, unit)
                                               : parameter.low + unit * (parameter.high - parameter.low));
  }
  return parameters;
}

std::vector<double> first_of(const std::vector<double>& numbers, std::size_t count) {
  return {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(std::min(count, numbers.size()))};
}

// What the number of a goal is made of. A limit may be held by far: its number is then 0 whatever happens.
std::vector<double> grounds_of(const TuningGoal& goal, std::size_t which, const Judgement& judgement) {
  std::vector<double> below;
  switch (goal.kind) {
    case Kind::kNear:
      return first_of(judgement.frequencies, goal.targets.size());
    case Kind::kAvoid:
      for (const double f : judgement.frequencies) {
        if (f <= goal.high) below.push_back(f);
      }
      return below;
    case Kind::kFrequency:
      return {judgement.frequencies[to_index(goal.mode - 1)]};
    case Kind::kDamping:
      return first_of(judgement.damping, to_index(goal.mode));
    case Kind::kMass:
      return {judgement.mass};
    case Kind::kQuantity:
      return {judgement.quantities[which]};
    case Kind::kParameters:
      return {};
  }
  return {};
}

bool is_same(const TuningGoal& goal, const std::vector<double>& a, const std::vector<double>& b) {
  const bool of_run = goal.kind == Kind::kQuantity;
  // Beside what is asked for, a value that is 0 but for rounding does not move.
  const double floor = of_run ? goal.scale : 0;
  return std::ranges::equal(a, b, [&](double x, double y) {
    const double size = std::max({std::abs(x), std::abs(y), floor});
    return std::abs(x - y) <= (of_run ? kStillRun : kStill) * size;
  });
}

// "1.5915, 3 Hz".
std::string value_text(const DesignSpace& space, std::size_t which, const std::vector<double>& grounds) {
  const TuningGoal& goal = space.tuning.goals[which];
  std::string text;
  for (const double x : first_of(grounds, 3)) text += fmt::format("{}{:.5g}", text.empty() ? "" : ", ", x);
  if (grounds.size() > 3) text += ", ...";
  switch (goal.kind) {
    case Kind::kMass:
      return text + " kg";
    case Kind::kDamping:
      return "a damping ratio of " + text;
    case Kind::kQuantity:
      return text + (space.units[which] == "1" ? "" : " " + space.units[which]);
    default:
      return text + " Hz";
  }
}

// A goal whose grounds are the same in all designs so far.
struct Still {
  std::size_t goal = 0;
  std::vector<double> grounds;
  bool held = false;  // a limit, by all of them
};

std::vector<Still> all_goals(const DesignSpace& space, const Judgement& first) {
  std::vector<Still> still;
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    const TuningGoal& goal = space.tuning.goals[k];
    // A sum of parameters changes with each of them.
    if (goal.kind == Kind::kParameters) continue;
    still.push_back({k, grounds_of(goal, k, first), goal.is_limit() && first.goals[k] == 0});
  }
  return still;
}

void drop_moved(const DesignSpace& space, const Judgement& judgement, std::vector<Still>& still) {
  std::erase_if(still, [&](Still& one) {
    const TuningGoal& goal = space.tuning.goals[one.goal];
    one.held = one.held && judgement.goals[one.goal] == 0;
    return !is_same(goal, one.grounds, grounds_of(goal, one.goal, judgement));
  });
}

Error stuck_error(const DesignSpace& space, const Still& stuck, std::size_t judged) {
  const TuningGoal& goal = space.tuning.goals[stuck.goal];
  return {ErrorCode::kValue,
          fmt::format("goal {}: no parameter changes it; it is at {} in all of {} across their ranges",
                      in_quotes(goal.name), value_text(space, stuck.goal, stuck.grounds), counted(judged, "design")),
          goal.where,
          {},
          "vary a number that it depends on, or leave it out"};
}

}  // namespace

Result<void> check_goals(const DesignSpace& space) {
  std::vector<Still> still;
  std::size_t judged = 0;
  for (std::uint32_t number = 0; number <= kDesigns && (judged == 0 || !still.empty()); ++number) {
    // The drawn design first: it is the one that the user knows.
    const Judgement judgement = number == 0 ? judge_drawn(space) : judge(space, design_at(space.tuning, number));
    // Numbers that make no model tell nothing of a goal.
    if (!judgement.problem.empty()) continue;
    if (++judged == 1) {
      still = all_goals(space, judgement);
    } else {
      drop_moved(space, judgement, still);
    }
  }
  // A limit that is held stays held, and one design alone tells nothing.
  const auto stuck = std::ranges::find_if(still, [](const Still& one) { return !one.held; });
  if (judged < 2 || stuck == still.end()) return {};
  return tl::unexpected(stuck_error(space, *stuck, judged));
}

}  // namespace espalier::study
