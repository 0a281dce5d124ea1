#include "espalier/draw/detail/chart_ground.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/draw/detail/plan_words.hpp"

namespace espalier::draw::detail {
namespace {

constexpr int kShades = 64;

// Viridis: its lightness grows evenly, so that it reads without colours too.
constexpr std::array<std::array<double, 3>, 9> kColours = {{{68, 1, 84},
                                                            {71, 45, 123},
                                                            {59, 82, 139},
                                                            {44, 114, 142},
                                                            {33, 145, 140},
                                                            {40, 174, 128},
                                                            {94, 201, 98},
                                                            {173, 220, 48},
                                                            {253, 231, 37}}};

std::string shade(int k) {
  const double place = (kColours.size() - 1) * static_cast<double>(k) / (kShades - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kColours.size() - 2);
  const double part = place - static_cast<double>(below);
  std::string text = "#";
  for (std::size_t c = 0; c < 3; ++c) {
    // Straight between neighbours of the table: nine colours are near enough to each other.
    text += fmt::format("{:02x}", std::lround((1 - part) * kColours[below][c] + part * kColours[below + 1][c]));
  }
  return text;
}

// -1: blank.
int shade_of(double value, const Range& range) {
  if (!std::isfinite(value)) return -1;
  // One value everywhere has no range: the middle of the scale.
  if (!(range.high > range.low)) return kShades / 2;
  return std::min(kShades - 1, static_cast<int>(kShades * (value - range.low) / (range.high - range.low)));
}

double edge(const std::array<double, 2>& edges, int k, int of) {
  return edges[0] + (edges[1] - edges[0]) * static_cast<double>(k) / of;
}

}  // namespace

Range value_range(const Ground& ground) {
  Range range;
  for (const double value : ground.values) range.add(value);
  return range;
}

std::string ground_elements(const Ground& ground, const Scale& x, const Scale& y) {
  // One path per shade: a map of 10^5 cells is 64 elements.
  const Range range = value_range(ground);
  std::vector<std::string> paths(kShades);
  const auto columns = to_index(ground.columns);
  for (int row = 0; row < ground.rows; ++row) {
    // Edges and not middles: cells of a logarithmic axis differ in size.
    const double bottom = y(edge(ground.y, row, ground.rows)), top = y(edge(ground.y, row + 1, ground.rows));
    const double* values = ground.values.data() + to_index(row) * columns;
    // Equal neighbours become one rectangle.
    for (int begin = 0, end = 0; begin < ground.columns; begin = end) {
      const int colour = shade_of(values[begin], range);
      for (end = begin + 1; end < ground.columns && shade_of(values[end], range) == colour;) ++end;
      // Nothing is drawn where there is no number: the paper shows.
      if (colour < 0) continue;
      const double left = x(edge(ground.x, begin, ground.columns)), right = x(edge(ground.x, end, ground.columns));
      // Each reaches a little under the next: no paper shows between them.
      paths[to_index(colour)] +=
          fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", left, top - 0.4, right - left + 0.4, bottom - top + 0.4,
                      left - right - 0.4);
    }
  }
  std::string text = "<g shape-rendering=\"crispEdges\">\n";
  for (int k = 0; k < kShades; ++k) {
    const std::string& path = paths[to_index(k)];
    if (!path.empty()) text += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", shade(k), path);
  }
  return text + "</g>\n";
}

std::string colour_scale(const Ground& ground, double x, double top, double height) {
  constexpr double kWidth = 14;
  const Range range = value_range(ground);
  // Its lowest value at the bottom, as on the axis beside it: pixels count downward.
  const Scale scale({}, range, top + height, top, 0);
  std::string text = "<g shape-rendering=\"crispEdges\">\n";
  for (int k = 0; k < kShades; ++k) {
    const double part = height / kShades;
    text += fmt::format("<rect fill=\"{}\" x=\"{:.1f}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\"/>\n", shade(k), x,
                        top + height - (k + 1) * part, kWidth, part + 0.4);
  }
  text += "</g>\n";
  for (const Tick& tick : scale.ticks(60)) {
    text += fmt::format(
        "<path class=\"tick\" d=\"M{:.1f} {:.1f}h4\"/><text class=\"number\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        x + kWidth, scale(tick.value), x + kWidth + 7, scale(tick.value) + 4, tick.label);
  }
  return text + fmt::format("<text class=\"label end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + kWidth + 48,
                            top - 12, escaped(ground.label));
}

}  // namespace espalier::draw::detail
