#include "espalier/optimize/detail/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace espalier::optimize::detail {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool has_failed(const Design& design) {
  return std::isnan(design.excess) || std::ranges::any_of(design.goals, [](double goal) { return std::isnan(goal); });
}

// By how much limits are exceeded; a design without numbers exceeds them all.
double excess_of(const Design& design) { return has_failed(design) ? kInfinity : design.excess; }

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

// Beyond the limits only by how much counts [Deb00].
bool dominates(const Design& a, const Design& b) {
  const double over_a = excess_of(a), over_b = excess_of(b);
  return over_a > 0 || over_b > 0 ? over_a < over_b : dominates(a.goals, b.goals);
}

// With one goal a front is a set of equal designs, and peeling them off one by one would cost the square of their
// number.
std::vector<int> sorted_places(std::span<const Design> designs) {
  std::vector<int> order = zero_to(designs.size());
  std::ranges::stable_sort(order, [&](int a, int b) { return is_better(designs[a], designs[b]); });
  std::vector<int> place(designs.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    place[order[i]] = place[order[i - 1]] + (is_better(designs[order[i - 1]], designs[order[i]]) ? 1 : 0);
  }
  return place;
}

// Peels one front after the other off: a design is on the next front when all that dominate it are gone.
std::vector<int> fronts(std::span<const Design> designs) {
  const std::size_t count = designs.size();
  std::vector<std::vector<int>> beaten(count);
  std::vector<int> better(count, 0), front(count, 0), now;
  for (std::size_t a = 0; a < count; ++a) {
    // O(n^2) comparisons, and as many entries where most designs beat each other: populations are hundreds, not
    // millions.
    for (std::size_t b = 0; b < count; ++b) {
      if (!dominates(designs[a], designs[b])) continue;
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
  // Those at the ends have room without end. The others count the gap between their neighbours, as a share of the
  // range.
  const double range = goals[members.back()][goal] - goals[members.front()][goal];
  crowding[members.front()] = kInfinity;
  crowding[members.back()] = kInfinity;
  // Where all are equal in a goal, or one is infinite, no share of the range can be told.
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
    // Fronts are numbered without a gap.
    if (list.empty()) break;
    for (std::size_t goal = 0; goal < goals[0].size(); ++goal) add_crowding(goals, goal, list, crowding);
  }
  return crowding;
}

}  // namespace

bool is_better(const Design& a, const Design& b) {
  // Where both exceed limits equally neither is better, whatever their goals.
  const double over_a = excess_of(a), over_b = excess_of(b);
  return over_a > 0 || over_b > 0 ? over_a < over_b : a.goals[0] < b.goals[0];
}

// Never a tie, so that a sort by it needs no order of its own.
bool Ranking::is_better(int a, int b) const {
  if (front[a] != front[b]) return front[a] < front[b];
  if (crowding[a] != crowding[b]) return crowding[a] > crowding[b];
  return a < b;
}

Ranking rank_designs(std::span<const Design> designs) {
  if (designs.empty()) return {};
  if (designs[0].goals.size() == 1) return {sorted_places(designs), std::vector<double>(designs.size(), 0.0)};
  Ranking ranking;
  ranking.front = fronts(designs);
  ranking.crowding = crowding_distances(comparable_goals(designs), ranking.front);
  return ranking;
}

std::vector<int> best_first(const Ranking& ranking) {
  std::vector<int> order = zero_to(ranking.front.size());
  std::ranges::sort(order, [&](int a, int b) { return ranking.is_better(a, b); });
  return order;
}

void add_to_front(std::vector<Design>& front, std::span<const Design> designs, std::size_t most) {
  for (const Design& design : designs) {
    const auto stands_back = [&](const Design& member) {
      return member.goals == design.goals || dominates(member.goals, design.goals);
    };
    if (excess_of(design) > 0 || std::ranges::any_of(front, stands_back)) continue;
    std::erase_if(front, [&](const Design& member) { return dominates(design.goals, member.goals); });
    front.push_back(design);
  }
  if (front.size() <= most) return;
  // Too many: those in the crowd go. The order in which they came is kept, so that what follows does not depend on it.
  const std::vector<int> first(front.size(), 0);
  std::vector<int> order = best_first({first, crowding_distances(comparable_goals(front), first)});
  order.resize(most);
  std::ranges::sort(order);
  std::vector<Design> kept;
  for (const int k : order) kept.push_back(std::move(front[k]));
  front = std::move(kept);
}

std::vector<Design> first_front(std::span<const Design> designs) {
  const Ranking ranking = rank_designs(designs);
  std::vector<Design> front;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (ranking.front[i] == 0 && !(excess_of(designs[i]) > 0)) front.push_back(designs[i]);
  }
  const auto key = [](const Design& design) { return std::tie(design.goals, design.parameters); };
  std::ranges::sort(front, [&](const Design& a, const Design& b) { return key(a) < key(b); });
  const auto is_same = [&](const Design& a, const Design& b) { return key(a) == key(b); };
  front.erase(std::unique(front.begin(), front.end(), is_same), front.end());
  return front;
}

}  // namespace espalier::optimize::detail
