#pragma once

// The scale of one axis of a chart: from values to pixels, and where its ticks are.

#include <string>
#include <vector>

#include "espalier/draw/chart.hpp"

namespace espalier::draw::detail {

// Smallest and largest of the numbers it has seen that can stand on the axis.
struct Range {
  bool logarithmic = false;
  bool empty = true;
  double low = 0, high = 0;

  void add(double value);
};

struct Tick {
  double value = 0;
  std::string label;  // empty: a minor one
};

class Scale {
 public:
  Scale() = default;
  // `from` and `to` are the pixels of the axis' ends. `room` is the part of its length that is left beside the data
  // where the axis does not say its ends.
  Scale(const Axis& axis, const Range& data, double from, double to, double room);

  // The pixel; a value that has none (no number, or not above 0 on a logarithmic axis) is no number.
  double operator()(double value) const;
  double low() const { return low_; }
  double high() const { return high_; }
  // At round numbers, about one in `pixels`.
  std::vector<Tick> ticks(double pixels) const;

 private:
  bool logarithmic_ = false;
  double low_ = 0, high_ = 1, from_ = 0, to_ = 1;
};

// A number as it reads best: six digits at most, 1e7 as 10 to its power.
std::string short_number(double value);

}  // namespace espalier::draw::detail
