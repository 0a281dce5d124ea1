#include "espalier/optimize/detail/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace espalier::optimize {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool has_failed(const Design& design) {
  return std::ranges::any_of(design.goals, [](double goal) { return std::isnan(goal); });
}

// Goals that can be compared: all infinite where one of them is no number.
std::vector<std::vector<double>> comparable_goals(std::span<const Design> designs) {
  std::vector<std::vector<double>> goals;
  for (const Design& design : designs) {
    goals.push_back(has_failed(design) ? std::vector<double>(design.goals.size(), kInfinity) : design.goals);
  }
  return goals;
}

std::vector<int> zero_to(std::size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool less = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] > b[k]) return false;
    less = less || a[k] < b[k];
  }
  return less;
}

std::vector<int> sorted_places(const std::vector<std::vector<double>>& goals) {
  std::vector<int> order = zero_to(goals.size());
  std::ranges::stable_sort(order, [&](int a, int b) { return goals[a][0] < goals[b][0]; });
  std::vector<int> place(goals.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    place[order[i]] = place[order[i - 1]] + (goals[order[i - 1]][0] < goals[order[i]][0] ? 1 : 0);
  }
  return place;
}

// Peels one front after the other off: a design is on the next front when all that dominate it are gone.
std::vector<int> fronts(const std::vector<std::vector<double>>& goals) {
  const std::size_t count = goals.size();
  std::vector<std::vector<int>> beaten(count);
  std::vector<int> better(count, 0), front(count, 0), now;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (!dominates(goals[a], goals[b])) continue;
      beaten[a].push_back(static_cast<int>(b));
      ++better[b];
    }
  }
  for (std::size_t a = 0; a < count; ++a) {
    if (better[a] == 0) now.push_back(static_cast<int>(a));
  }
  for (int number = 0; !now.empty(); ++number) {
    std::vector<int> next;
    for (const int a : now) {
      front[a] = number;
      for (const int b : beaten[a]) {
        if (--better[b] == 0) next.push_back(b);
      }
    }
    now = std::move(next);
  }
  return front;
}

// Adds to each member how far its two neighbours in one goal are apart, as a share of the whole front.
void add_crowding(const std::vector<std::vector<double>>& goals, std::size_t goal, std::vector<int>& members,
                  std::vector<double>& crowding) {
  std::ranges::sort(members);
  std::ranges::stable_sort(members, [&](int a, int b) { return goals[a][goal] < goals[b][goal]; });
  const double range = goals[members.back()][goal] - goals[members.front()][goal];
  crowding[members.front()] = kInfinity;
  crowding[members.back()] = kInfinity;
  if (!(range > 0 && range < kInfinity)) return;
  for (std::size_t i = 1; i + 1 < members.size(); ++i) {
    crowding[members[i]] += (goals[members[i + 1]][goal] - goals[members[i - 1]][goal]) / range;
  }
}

std::vector<double> crowding_distances(const std::vector<std::vector<double>>& goals, const std::vector<int>& front) {
  std::vector<std::vector<int>> members(goals.size());
  for (std::size_t a = 0; a < goals.size(); ++a) members[front[a]].push_back(static_cast<int>(a));
  std::vector<double> crowding(goals.size(), 0.0);
  for (std::vector<int>& list : members) {
    if (list.empty()) break;
    for (std::size_t goal = 0; goal < goals[0].size(); ++goal) add_crowding(goals, goal, list, crowding);
  }
  return crowding;
}

}  // namespace

bool is_less(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

bool Ranking::is_better(int a, int b) const {
  if (front[a] != front[b]) return front[a] < front[b];
  if (crowding[a] != crowding[b]) return crowding[a] > crowding[b];
  return a < b;
}

Ranking rank_designs(std::span<const Design> designs) {
  if (designs.empty()) return {};
  const std::vector<std::vector<double>> goals = comparable_goals(designs);
  if (goals[0].size() == 1) return {sorted_places(goals), std::vector<double>(goals.size(), 0.0)};
  Ranking ranking;
  ranking.front = fronts(goals);
  ranking.crowding = crowding_distances(goals, ranking.front);
  return ranking;
}

std::vector<int> best_first(const Ranking& ranking) {
  std::vector<int> order = zero_to(ranking.front.size());
  std::ranges::sort(order, [&](int a, int b) { return ranking.is_better(a, b); });
  return order;
}

std::vector<Design> first_front(std::span<const Design> designs) {
  const Ranking ranking = rank_designs(designs);
  std::vector<Design> front;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (ranking.front[i] == 0 && !has_failed(designs[i])) front.push_back(designs[i]);
  }
  const auto key = [](const Design& design) { return std::tie(design.goals, design.parameters); };
  std::ranges::sort(front, [&](const Design& a, const Design& b) { return key(a) < key(b); });
  const auto repeated = std::ranges::unique(front, [&](const Design& a, const Design& b) { return key(a) == key(b); });
  front.erase(repeated.begin(), repeated.end());
  return front;
}

}  // namespace espalier::optimize
