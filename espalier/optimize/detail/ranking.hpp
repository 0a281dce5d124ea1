#pragma once

#include <span>
#include <vector>

#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize::detail {

// Whether `a` is better by its first goal, limits first [Deb00]; one without a number is worse than any with.
bool is_better(const Design& a, const Design& b);

// Adds what no member is better than, and takes out what the new ones are better than, in one goal and no worse in the
// others; designs beyond the limits never enter. Of more than `most` those with the most room live on.
void add_to_front(std::vector<Design>& front, std::span<const Design> designs, std::size_t most);

// Which designs are good: those that hold the limits first, then by the front they lie on, then by how much room they
// have on it. [Deb02]. A design with a NaN lies behind all that have none.
struct Ranking {
  std::vector<int> front;        // by design; 0: nothing is better in one goal and no worse in the others
  std::vector<double> crowding;  // by design: how far its neighbours on the front are; infinite at its ends

  // Ties go to the lower index.
  bool is_better(int a, int b) const;
};

// With one goal the fronts are the places of the sorted values. O(n log n) for one goal, O(goals n^2) for several.
Ranking rank_designs(std::span<const Design> designs);

// The indices of all designs, best first.
std::vector<int> best_first(const Ranking& ranking);

// The designs of the first front, sorted by their goals; without those that have a NaN or do not hold the limits, and
// without repetitions.
std::vector<Design> first_front(std::span<const Design> designs);

}  // namespace espalier::optimize::detail
