#include "espalier/dynamics/detail/row_dependence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "espalier/base/index.hpp"

namespace espalier::dynamics::detail {
namespace {

constexpr double kPivotShare = 0.1;  // of a row's largest entry that its pivot must reach
constexpr double kNothing = 1e-14;   // what cancels to less is taken for zero

// A sparse vector under work: values by index, and which of them may differ from zero.
class Scratch {
 public:
  explicit Scratch(std::size_t size) : value_(size, 0), seen_(size, false) {}

  // True where the index is touched for the first time.
  bool add(int index, double amount) {
    const auto i = to_index(index);
    value_[i] += amount;
    if (seen_[i]) return false;
    seen_[i] = true;
    touched_.push_back(index);
    return true;
  }
  double take(int index) { return std::exchange(value_[to_index(index)], 0.0); }
  // What is left above `least`, by increasing index; clears all.
  SparseVector collect(double least) {
    // The order of columns does not depend on the order in which they were met.
    std::sort(touched_.begin(), touched_.end());
    SparseVector result;
    for (const int index : touched_) {
      const auto i = to_index(index);
      if (std::abs(value_[i]) > least) result.emplace_back(index, value_[i]);
      value_[i] = 0;
      seen_[i] = false;
    }
    touched_.clear();
    return result;
  }

 private:
  std::vector<double> value_;
  std::vector<bool> seen_;
  std::vector<int> touched_;
};

struct Pivot {
  int row = 0;
  int column = 0;
  double value = 0;
  SparseVector rest;   // of the row, without the pivot
  SparseVector above;  // multiples of earlier pivots' rows that were taken from it
};

class Elimination {
 public:
  Elimination(const SparseRows& G, double tolerance)
      : G_(G),
        tolerance_(tolerance),
        columns_(to_index(G.cols())),
        multiples_(to_index(G.rows())),
        pivot_in_(to_index(G.cols()), -1),
        count_(to_index(G.cols()), 0) {
    for (int row = 0; row < G.rows(); ++row) {
      for (SparseRows::InnerIterator entry(G, row); entry; ++entry) ++count_[to_index(entry.col())];
    }
  }

  void add(int row, RowDependence& result) {
    // Phases of a row: pivots before it are taken out of it; what is left is nothing, and the row depends on them, or
    // gives
    // the next pivot.
    SparseVector above;
    const SparseVector left = reduced(row, above);
    double most = 0;
    for (const auto& [column, value] : left) most = std::max(most, std::abs(value));
    // Nothing is left: the multiples that were taken from it are its relation to the others.
    if (most < tolerance_) {
      result.dependent.push_back(row);
      result.relation.push_back(relation(row, std::move(above)));
      result.largest_dropped = std::max(result.largest_dropped, most);
      return;
    }
    if (result.rank++ == 0 || most < result.smallest_kept) result.smallest_kept = most;
    keep(row, left, most, std::move(above));
  }

  std::size_t entries() const { return entries_; }

 private:
  // The row without what the pivots before it explain.
  SparseVector reduced(int row, SparseVector& above) {
    // Pivots in the order in which they were made: a later one may hold columns that an earlier one fills.
    std::priority_queue<int, std::vector<int>, std::greater<>> waiting;
    const auto put = [&](int column, double amount) {
      if (!columns_.add(column, amount)) return;
      const int pivot = pivot_in_[to_index(column)];
      if (pivot >= 0) waiting.push(pivot);
    };
    for (SparseRows::InnerIterator entry(G_, row); entry; ++entry) put(static_cast<int>(entry.col()), entry.value());
    while (!waiting.empty()) {
      const Pivot& pivot = pivots_[to_index(waiting.top())];
      const int index = waiting.top();
      waiting.pop();
      const double multiple = columns_.take(pivot.column) / pivot.value;
      if (std::abs(multiple) <= kNothing) continue;
      above.emplace_back(index, multiple);
      for (const auto& [column, value] : pivot.rest) put(column, -multiple * value);
    }
    return columns_.collect(kNothing);
  }

  void keep(int row, const SparseVector& left, double most, SparseVector above) {
    // The threshold of Markowitz: sparse before large, but not too small.
    std::size_t best = left.size();
    for (std::size_t k = 0; k < left.size(); ++k) {
      // Large enough to divide by, and in a column with few entries, so that little is filled in.
      if (std::abs(left[k].second) < kPivotShare * most) continue;
      if (best == left.size() || count(left[k].first) < count(left[best].first)) best = k;
    }
    Pivot pivot;
    pivot.row = row;
    pivot.column = left[best].first;
    pivot.value = left[best].second;
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (k != best) pivot.rest.push_back(left[k]);
    }
    pivot.above = std::move(above);
    entries_ += left.size() + pivot.above.size();
    pivot_in_[to_index(pivot.column)] = static_cast<int>(pivots_.size());
    pivots_.push_back(std::move(pivot));
  }

  // row = sum of multiples of reduced rows; each of these is its own row less earlier reduced rows. Last pivot first.
  SparseVector relation(int row, SparseVector above) {
    std::priority_queue<int> waiting;
    const auto put = [&](int pivot, double amount) {
      if (multiples_.add(pivot, amount)) waiting.push(pivot);
    };
    for (const auto& [pivot, multiple] : above) put(pivot, multiple);
    SparseVector relation = {{row, 1.0}};
    while (!waiting.empty()) {
      const Pivot& pivot = pivots_[to_index(waiting.top())];
      const int index = waiting.top();
      waiting.pop();
      const double multiple = multiples_.take(index);
      if (std::abs(multiple) <= kNothing) continue;
      relation.emplace_back(pivot.row, -multiple);
      for (const auto& [earlier, share] : pivot.above) put(earlier, -multiple * share);
    }
    // Clears the memory for the next row.
    multiples_.collect(std::numeric_limits<double>::infinity());
    std::sort(relation.begin(), relation.end());
    return relation;
  }

  int count(int column) const { return count_[to_index(column)]; }

  const SparseRows& G_;
  double tolerance_;
  Scratch columns_, multiples_;
  std::vector<int> pivot_in_;  // by column
  std::vector<int> count_;     // entries by column
  std::vector<Pivot> pivots_;
  std::size_t entries_ = 0;
};

}  // namespace

RowDependence find_dependent_rows(const SparseRows& G, std::span<const int> order, double tolerance,
                                  std::size_t most_entries) {
  RowDependence result;
  Elimination elimination(G, tolerance);
  for (const int row : order) {
    elimination.add(row, result);
    // Rows that depend on everything fill the memory without end: the answer then says that it is none.
    result.complete = elimination.entries() <= most_entries;
    if (!result.complete) break;
  }
  return result;
}

}  // namespace espalier::dynamics::detail
