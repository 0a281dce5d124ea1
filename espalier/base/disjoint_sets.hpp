#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "espalier/base/index.hpp"

namespace espalier {

// Which of the elements 0 .. n-1 belong together. Both operations take nearly constant time.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  // The lowest element of the set that holds `element`.
  int find(int element) {
    while (parent_[to_index(element)] != element) {
      parent_[to_index(element)] = parent_[to_index(parent_[to_index(element)])];
      element = parent_[to_index(element)];
    }
    return element;
  }

  // False if they were together already.
  bool join(int a, int b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (b < a) std::swap(a, b);
    parent_[to_index(b)] = a;
    return true;
  }

 private:

  std::vector<int> parent_;
};

}  // namespace espalier
