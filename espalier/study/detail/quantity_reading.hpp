#pragma once

#include <cstddef>

#include "espalier/formats/tuning.hpp"

namespace espalier::study::detail {

// What a goal on a quantity makes of its values, one frame after the other.
class QuantityReading {
 public:
  // The goal outlives it.
  explicit QuantityReading(const formats::TuningGoal& goal) : goal_(&goal) {}

  // In order of time.
  void see(double time, double value);
  // NaN before the first frame, and where a value was none.
  double statistic() const;

 private:
  void compare(double time, double value);

  const formats::TuningGoal* goal_;
  bool any_ = false, sound_ = true;
  double time_ = 0, last_ = 0;  // of the frame before
  double least_ = 0, largest_ = 0;
  std::size_t row_ = 0;  // of the table, the next to be compared
  double squares_ = 0;
};

// The number of a goal that asks for this statistic: what a search makes small.
double goal_number(const formats::TuningGoal& goal, double statistic);

}  // namespace espalier::study::detail
