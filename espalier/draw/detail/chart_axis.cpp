#include "espalier/draw/detail/chart_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "espalier/base/index.hpp"

namespace espalier::draw::detail {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string superscript(int number) {
  constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[to_index(c - '0')];
  return text;
}

// 1, 2 or 5 times a power of 10, not below `least`.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    // A step that is round within rounding counts as round.
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<Tick> linear_ticks(double low, double high, double most) {
  const double step = round_step((high - low) / std::max(1.0, most));
  // Of a narrow range far from 0 the digits that differ must show.
  const double size = std::max(std::abs(low), std::abs(high));
  const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(size / step))) + 1, 6, 15);
  std::vector<Tick> ticks;
  // 1e-9 of a step at both ends: a tick on the edge must not be lost by rounding.
  for (double k = std::ceil(low / step - 1e-9); k <= high / step + 1e-9; ++k) {
    // k * step could be a negative zero.
    const double value = k == 0 ? 0 : k * step;
    std::string label = fmt::format("{:.{}g}", value, digits);
    if (size >= 1e6 || size < 1e-3) label = value == 0 ? "0" : short_number(value);
    ticks.push_back({value, std::move(label)});
  }
  return ticks;
}

// Powers of 10; those between are minor, and have names where there are few powers.
std::vector<Tick> logarithmic_ticks(double low, double high, double most) {
  const double decades = std::log10(high / low);
  if (decades < 1) {
    // Within a decade powers of ten are too few: ticks stand as on a linear axis.
    std::vector<Tick> ticks = linear_ticks(low, high, most);
    std::erase_if(ticks, [](const Tick& tick) { return !(tick.value > 0); });
    return ticks;
  }
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  // Every n-th power has a number where all would not fit.
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1.0, most))));
  const bool named = decades < 2.5;
  std::vector<Tick> ticks;
  for (int power = first; power <= last; ++power) {
    for (int factor = 1; factor <= 9; ++factor) {
      const double value = factor * std::pow(10.0, power);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      const bool major = factor == 1 ? power % every == 0 : named && (factor == 2 || factor == 5);
      // Over eight decades minor lines would be a grey wall.
      if (!major && decades > 8) continue;
      ticks.push_back({value, major ? short_number(value) : std::string()});
    }
  }
  return ticks;
}

}  // namespace

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 1e-3 && size < 1e6) return fmt::format("{:.6g}", value);
  int power = static_cast<int>(std::floor(std::log10(size)));
  double mantissa = value / std::pow(10.0, power);
  // Rounding to five digits would print it as 10.
  if (std::abs(mantissa) > 9.99995) {
    mantissa /= 10;
    ++power;
  }
  std::string text = fmt::format("{:.5g}", mantissa);
  // 10^-3 reads better than 1·10^-3.
  if (text == "1" || text == "-1") {
    text.pop_back();
  } else {
    text += "·";
  }
  return text + "10" + superscript(power);
}

void Range::add(double value) {
  // Zero and below have no place on a logarithmic axis.
  if (!std::isfinite(value) || (logarithmic && !(value > 0))) return;
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

Scale::Scale(const Axis& axis, const Range& data, double from, double to, double room)
    : logarithmic_(axis.logarithmic), from_(from), to_(to) {
  const bool given = axis.low != axis.high && (!axis.logarithmic || (axis.low > 0 && axis.high > 0));
  low_ = given ? axis.low : data.empty ? 1 : data.low;
  high_ = given ? axis.high : data.empty ? 2 : data.high;
  if (given) return;
  if (logarithmic_) {
    // A single value stands in the middle of a factor of four.
    if (high_ <= low_ * (1 + 1e-12)) room = 0, low_ /= 2, high_ *= 2;
    const double factor = std::pow(high_ / low_, room);
    low_ /= factor;
    high_ *= factor;
    return;
  }
  // What differs by rounding alone is one value.
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (high_ - low_ <= 1e-12 * size || size == 0) {
    const double half = size == 0 ? 1 : 0.1 * size;
    low_ -= half;
    high_ += half;
    return;
  }
  const double rim = room * (high_ - low_);
  // Nothing below 0 where no value is: it would read as if there could be.
  low_ = low_ >= 0 && low_ < rim ? 0 : low_ - rim;
  high_ += rim;
}

double Scale::operator()(double value) const {
  if (!std::isfinite(value) || (logarithmic_ && !(value > 0))) return kNone;
  const double part = logarithmic_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  // Far off the chart is far enough.
  return from_ + std::clamp(part, -20.0, 20.0) * (to_ - from_);
}

std::vector<Tick> Scale::ticks(double pixels) const {
  const double most = std::abs(to_ - from_) / pixels;
  const double low = std::min(low_, high_), high = std::max(low_, high_);
  return logarithmic_ ? logarithmic_ticks(low, high, most) : linear_ticks(low, high, most);
}

}  // namespace espalier::draw::detail
