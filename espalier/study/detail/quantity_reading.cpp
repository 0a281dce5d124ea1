#include "espalier/study/detail/quantity_reading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier::study::detail {
namespace {

using Statistic = formats::TuningGoal::Statistic;

}  // namespace

void QuantityReading::see(double time, double value) {
  sound_ = sound_ && std::isfinite(value);
  least_ = any_ ? std::min(least_, value) : value;
  largest_ = any_ ? std::max(largest_, value) : value;
  if (goal_->statistic == Statistic::kDistance) compare(time, value);
  any_ = true;
  time_ = time;
  last_ = value;
}

// All rows up to this frame. A row at the time of a frame meets its very value.
void QuantityReading::compare(double time, double value) {
  for (; row_ < goal_->times.size() && goal_->times[row_] <= time; ++row_) {
    const double at = goal_->times[row_];
    const double here = any_ && at < time ? last_ + (value - last_) * ((at - time_) / (time - time_)) : value;
    squares_ += (here - goal_->values[row_]) * (here - goal_->values[row_]);
  }
}

double QuantityReading::statistic() const {
  if (!any_ || !sound_) return std::numeric_limits<double>::quiet_NaN();
  switch (goal_->statistic) {
    case Statistic::kEnd:
      return last_;
    case Statistic::kMaximum:
      return largest_;
    case Statistic::kMinimum:
      return least_;
    case Statistic::kDistance: {
      double squares = squares_;
      // A last frame that rounding has put before the last row stands for it.
      for (std::size_t row = row_; row < goal_->times.size(); ++row) {
        squares += (last_ - goal_->values[row]) * (last_ - goal_->values[row]);
      }
      return std::sqrt(squares / static_cast<double>(goal_->times.size()));
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double goal_number(const formats::TuningGoal& goal, double statistic) {
  if (std::isnan(statistic)) return statistic;
  if (goal.is_bounded()) {
    const double above = goal.at_most ? statistic - *goal.at_most : 0;
    const double below = goal.at_least ? *goal.at_least - statistic : 0;
    // Only one of them is above 0. What lies within the bounds earns nothing; NaN comes through.
    // What lies within the bounds earns nothing.
    return std::max({above, below, 0.0}) / goal.scale;
  }
  const bool distance = goal.statistic == Statistic::kDistance;
  if (!distance && !goal.target) return goal.maximise ? -statistic : statistic;
  const double off = (distance ? statistic : statistic - *goal.target) / goal.scale;
  // A square, as of the frequencies of `near`: small differences count less than large ones.
  return off * off;
}

}  // namespace espalier::study::detail
