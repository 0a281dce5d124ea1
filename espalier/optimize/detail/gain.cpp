#include "espalier/optimize/detail/gain.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "espalier/base/index.hpp"
#include "espalier/optimize/detail/ranking.hpp"

namespace espalier::optimize::detail {

namespace {

// What a number has to fall by, as a share of itself. Less is what a search that has arrived still finds.
constexpr double kLeastFall = 1e-6;
// The same of a front, as a share of its extent.
constexpr double kLeastShare = 0.01;

bool falls(double from, double to) { return from - to > kLeastFall * std::abs(from); }

// (O4), one goal: limits first, as designs are compared.
bool is_gain(const Design& before, const Design& now) {
  if (!is_better(now, before)) return false;
  // A design that holds the limits for the first time, or has a number for the first time, is a gain by any measure.
  const bool counts = std::isfinite(before.excess) && std::isfinite(before.goals[0]);
  if (!counts || (before.excess > 0) != (now.excess > 0)) return true;
  return before.excess > 0 ? falls(before.excess, now.excess) : falls(before.goals[0], now.goals[0]);
}

std::vector<double> least_steps(std::size_t goals, std::span<const Design> front) {
  std::vector<double> steps;
  for (std::size_t k = 0; k < goals; ++k) {
    const auto [low, high] = std::ranges::minmax(front, {}, [k](const Design& design) { return design.goals[k]; });
    steps.push_back(kLeastShare * (high.goals[k] - low.goals[k]));
  }
  return steps;
}

// (O4), several goals: a design that none of the front reaches within one step of each goal.
bool reaches_beyond(std::span<const Design> front, std::span<const double> steps, const Design& design) {
  return std::ranges::none_of(front, [&](const Design& member) {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (design.goals[k] < member.goals[k] - steps[k]) return false;
    }
    return true;
  });
}

}  // namespace

bool is_gain(int goals, const SearchState& state) {
  const std::vector<Design>& before = state.gain.designs;
  if (before.empty() || goals == 1) return before.empty() || is_gain(before.front(), state.best);
  const std::span<const Design> front = std::span(before).subspan(1);
  // Before any design holds the limits the archive is empty.
  if (front.empty()) return !state.archive.empty() || is_gain(before.front(), state.best);
  const std::vector<double> steps = least_steps(to_index(goals), front);
  return std::ranges::any_of(state.archive, [&](const Design& design) { return reaches_beyond(front, steps, design); });
}

void keep_gain(int goals, SearchState& state) {
  if (!is_gain(goals, state)) return;
  state.gain = {state.generation, {state.best}};
  // Of one goal there is no archive.
  state.gain.designs.insert(state.gain.designs.end(), state.archive.begin(), state.archive.end());
}

}  // namespace espalier::optimize::detail
