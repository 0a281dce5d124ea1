#pragma once

// Charts of numbers as self-contained SVG, and pages of them: curves, points, bands and a coloured ground (a function
// over a plane). Ticks are round numbers; names stand in a legend; hovering shows a point's numbers. Light and dark.

#include <array>
#include <string>
#include <vector>

namespace espalier::draw {

struct Axis {
  std::string label;  // with its unit: "frequency [Hz]"
  bool logarithmic = false;
  double low = 0, high = 0;  // equal: as the data need
};

struct Curve {
  std::string name;          // in the legend; empty: not there
  std::vector<double> x, y;  // a y that is no number interrupts the line
  enum class Style { kLine, kDashed, kDots, kLineAndDots } style = Style::kLine;
};

// A stretch of the x or y axis that is shaded, or one value of it (low == high) as a thin line.
struct Band {
  std::string name;
  double low = 0, high = 0;
  bool along_y = false;  // low and high are values of y
};

// Values over a rectangle of the plane, drawn under the curves: row by row from the lowest y, each from the lowest x.
struct Ground {
  std::array<double, 2> x = {0, 0}, y = {0, 0};  // edges
  int columns = 0, rows = 0;
  std::vector<double> values;  // one that is no number is left blank
  std::string label;           // of the colour scale
};

struct Chart {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
  std::vector<Band> bands;
  Ground ground;  // without values: none
};

std::string draw_svg(const Chart& chart);

// A page with several charts below each other, each with a sentence; `text` stands first, as lines of preformatted
// text.
struct ChartPage {
  std::string title;
  std::string text;
  std::vector<Chart> charts;
  std::string command;  // that made it
};
std::string draw_html(const ChartPage& page);

}  // namespace espalier::draw
