#pragma once

// A chart with a bit of everything.

#include <cmath>
#include <limits>

#include "espalier/draw/chart.hpp"
#include "espalier/draw/test/words.hpp"

namespace espalier::draw {

inline Chart two_curves() {
  Chart chart;
  chart.title = "beams & <masses>";
  chart.x.label = "frequency [Hz]";
  chart.y = {"amplitude [m/N]", true, 0, 0};
  Curve line;
  line.name = "line";
  Curve dots;
  dots.name = "dots";
  dots.style = Curve::Style::kDots;
  for (int k = 0; k <= 100; ++k) {
    line.x.push_back(k);
    line.y.push_back(k == 50 ? std::numeric_limits<double>::quiet_NaN() : 1 / (1 + std::pow(0.1 * k - 3, 2)));
    if (k % 20 != 0) continue;
    dots.x.push_back(k);
    dots.y.push_back(0.02 + 1e-3 * k);
  }
  chart.curves = {line, dots};
  chart.bands = {{"forbidden", 60, 80, false}, {"limit", 0.5, 0.5, true}};
  return chart;
}

}  // namespace espalier::draw
