#pragma once

// One step of loop_elimination.hpp: what happens to the loops at one vertex.

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace espalier::plan::detail {

// Used for one vertex after the other: clear, add what comes in, read what is present, close what has met. Couplings
// are kept as sets of loops that are all coupled to each other, one a branch, never as pairs [George89], so that a step
// costs what the lists hold that it is given.
class VertexElimination {
 public:
  explicit VertexElimination(std::size_t loops) : local_(loops, -1) {}

  void clear();
  // The loops that come down a branch have passed the same joint: all of them are coupled.
  void add_branch(std::span<const int> open);
  // A loop that ends at the vertex itself is not coupled to any other yet.
  void add_end(int loop);

  struct Present {
    int loop = 0;
    int ends = 0;  // how often it was added
  };
  // Each loop once, increasing. Nothing may be added after this.
  std::span<const Present> present();

  // A loop, and the equations and number of the loops it is coupled to as it is eliminated.
  struct Closed {
    int loop = 0;
    int rows = 0;
    int blocks = 0;
  };
  // Eliminates these loops, each time one that is coupled to the fewest rows, as far as its cliques tell without being
  // compared; of equal ones the lowest. `equations` is by loop. Fills `coupled`, unless it is null, with the coupled
  // loops of each: first those that follow, in their order, then the others, increasing.
  std::span<const Closed> close(std::span<const int> closing, std::span<const int> equations,
                                std::vector<std::vector<int>>* coupled = nullptr);

 private:
  struct Clique {
    std::vector<int> members;  // local numbers; some may have been eliminated
    int rows = 0;              // of those that are left
    int left = 0;
    bool absorbed = false;
  };

  void number_loops(std::span<const int> equations);
  std::int64_t find_degree(int local, std::span<const int> equations);
  void push(int local, std::span<const int> equations);
  void update_degrees(int local, std::span<const int> equations);
  Closed eliminate(int loop, std::span<const int> equations);
  int merge(int local, std::span<const int> equations);
  std::vector<int> list_coupled(int loop) const;
  void sort_coupled(std::vector<std::vector<int>>& coupled);

  std::vector<int> local_;  // by loop: its place in present_; -1: not present
  std::vector<Present> present_;
  std::vector<Clique> cliques_;
  std::vector<std::vector<int>> cliques_of_;  // by local number
  std::vector<char> gone_;                    // by local number
  std::vector<int> stamp_;                    // by local number: the last clique that was merged with it
  std::vector<char> closes_;                  // by local number
  std::vector<std::int64_t> degree_;          // by local number: as it was pushed last
  using Entry = std::pair<std::int64_t, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
  std::vector<Closed> closed_;
};

}  // namespace espalier::plan::detail
