#include "espalier/draw/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/draw/detail/chart_axis.hpp"
#include "espalier/draw/detail/chart_ground.hpp"
#include "espalier/draw/detail/plan_layout.hpp"
#include "espalier/draw/detail/plan_words.hpp"

namespace espalier::draw {
namespace {

using detail::Range;
using detail::Scale;
using detail::short_number;
using detail::shown_text;
using detail::text_width;
using detail::Tick;

constexpr double kWidth = 860, kPlotHeight = 400;
constexpr double kRight = 28, kScaleRoom = 92, kBelow = 56;
// Colours of curves by turns: those of Okabe and Ito, which also people tell apart who see red and green alike.
constexpr std::size_t kColours = 7;
// More places to point at would make a page slow.
constexpr std::size_t kMostPlaces = 4000;

constexpr const char* kStyle = R"(
.chart{font-family:system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-size:12px;max-width:100%;height:auto}
.chart .paper{fill:#fff}
.chart text{fill:#1d2733}
.chart .head{font-size:16px;font-weight:600}
.chart .label{font-size:13px}
.chart .number,.chart .band text{font-size:11.5px;fill:#5b6775}
.chart .end{text-anchor:end}
.chart .middle{text-anchor:middle}
.chart .grid{stroke:#e3e8ee;stroke-width:1;fill:none}
.chart .minor{stroke:#f0f3f6}
.chart .tick,.chart .frame{stroke:#93a0af;stroke-width:1;fill:none}
.chart .band rect{fill:#8a6d1f;fill-opacity:.13}
.chart .band path{stroke:#8a6d1f;stroke-width:1.2;stroke-dasharray:2 3;fill:none}
.chart .band text{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.8}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.chart .dashed{stroke-dasharray:7 5}
.chart .again{stroke-dasharray:14 3 2 3}
.chart circle{stroke:#fff;stroke-width:1.2}
.chart .near{stroke:none;fill:#fff;fill-opacity:0}
.chart .c0{stroke:#0072b2}.chart circle.c0{fill:#0072b2}
.chart .c1{stroke:#d55e00}.chart circle.c1{fill:#d55e00}
.chart .c2{stroke:#009e73}.chart circle.c2{fill:#009e73}
.chart .c3{stroke:#cc79a7}.chart circle.c3{fill:#cc79a7}
.chart .c4{stroke:#e69f00}.chart circle.c4{fill:#e69f00}
.chart .c5{stroke:#56b4e9}.chart circle.c5{fill:#56b4e9}
.chart .c6{stroke:#5b6775}.chart circle.c6{fill:#5b6775}
.chart circle[class^=c]{stroke:#fff}
@media (prefers-color-scheme:dark){
.chart .paper{fill:#12171d}
.chart text{fill:#dfe6ee}
.chart .number,.chart .band text{fill:#9fb0c2}
.chart .grid{stroke:#26303a}
.chart .minor{stroke:#1b232b}
.chart .tick,.chart .frame{stroke:#5f6f80}
.chart .band rect{fill:#e6c35c}
.chart .band path{stroke:#e6c35c}
.chart .band text{stroke:#12171d}
.chart circle[class^=c]{stroke:#12171d}
.chart .c0{stroke:#4aa8e0}.chart circle.c0{fill:#4aa8e0}
.chart .c1{stroke:#ff8a3d}.chart circle.c1{fill:#ff8a3d}
.chart .c2{stroke:#2fc79a}.chart circle.c2{fill:#2fc79a}
.chart .c6{stroke:#9fb0c2}.chart circle.c6{fill:#9fb0c2}
}
)";

// One style says both, so that a line without dots and dots without a line are no cases of their own.
bool has_line(const Curve& curve) { return curve.style != Curve::Style::kDots; }
bool has_dots(const Curve& curve) {
  return curve.style == Curve::Style::kDots || curve.style == Curve::Style::kLineAndDots;
}

class Drawing {
 public:
  // 1. Head, whose height says where the plot begins. 2. Scales. 3. Axes. 4. What is inside them.
  explicit Drawing(const Chart& chart) : chart_(chart), ground_(has_ground(chart.ground)) {
    draw_head();
    make_scales();
    draw_axes();
    draw_inside();
    if (ground_) text_ += detail::colour_scale(chart.ground, right_ + 16, top_, kPlotHeight);
  }

  std::string svg() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n<style>{3}</style>\n<rect class=\"paper\" width=\"100%\" "
        "height=\"100%\"/>\n{4}</svg>\n",
        kWidth, top_ + kPlotHeight + kBelow, shown_text(chart_.title), kStyle, text_);
  }

 private:
  static bool has_ground(const Ground& ground) {
    // A ground whose numbers do not fill its cells is not drawn: half of it would look like data.
    const auto cells =
        to_index(std::max(0, ground.columns)) * to_index(std::max(0, ground.rows));
    return cells > 0 && ground.values.size() == cells;
  }

  // On a coloured ground the second colour shows best.
  std::string colour(std::size_t curve) const { return fmt::format("c{}", (curve + (ground_ ? 1 : 0)) % kColours); }

  void put(const char* kind, double x, double y, const std::string& text) {
    text_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, x, y, shown_text(text));
  }

  // Title, legend and the name of the upright axis, which reads best lying.
  void draw_head() {
    double y = 28;
    if (!chart_.title.empty()) {
      put("head", 16, y, chart_.title);
      y += 26;
    }
    double x = 16;
    bool any = false;
    for (std::size_t k = 0; k < chart_.curves.size(); ++k) {
      const Curve& curve = chart_.curves[k];
      if (curve.name.empty()) continue;
      // The sample, the name, and a gap to the next: names differ in length.
      const double width = 32 + text_width(curve.name, 12) + 20;
      // A name that does not fit begins a new line, except the first.
      if (any && x + width > kWidth - 16) {
        x = 16;
        y += 19;
      }
      text_ += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">", x, y - 4);
      if (has_line(curve)) text_ += fmt::format("<path class=\"{}\" d=\"M0 0h24\"/>", line_class(k));
      if (has_dots(curve)) text_ += fmt::format("<circle class=\"{}\" cx=\"12\" cy=\"0\" r=\"4\"/>", colour(k));
      text_ += fmt::format("<text x=\"30\" y=\"4\">{}</text></g>\n", shown_text(curve.name));
      x += width;
      any = true;
    }
    top_ = y + (any ? 24 : 0) + 14;
    put("label", 16, top_ - 12, chart_.y.label);
  }

  std::string line_class(std::size_t k) const {
    const bool dashed = chart_.curves[k].style == Curve::Style::kDashed;
    // After seven curves colours return: the line then has another pattern.
    return fmt::format("{} line{}", colour(k), dashed ? " dashed" : k < kColours ? "" : " again");
  }

  void make_scales() {
    Range x, y;
    x.logarithmic = chart_.x.logarithmic;
    y.logarithmic = chart_.y.logarithmic;
    bool lines = false;
    for (const Curve& curve : chart_.curves) {
      lines = lines || has_line(curve);
      for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
        // A curve may have gaps, written as NaN; they say nothing of the range.
        if (!std::isfinite(curve.y[k])) continue;
        x.add(curve.x[k]);
        y.add(curve.y[k]);
      }
    }
    for (const Band& band : chart_.bands) {
      Range& range = band.along_y ? y : x;
      // A limit that no curve reaches is still to be seen.
      range.add(band.low);
      range.add(band.high);
    }
    if (ground_) {
      for (const double value : chart_.ground.x) x.add(value);
      for (const double value : chart_.ground.y) y.add(value);
    }
    // The plot keeps its height, however many lines the legend took.
    bottom_ = top_ + kPlotHeight;
    // y first: the width of its numbers decides where the plot begins on the left.
    y_ = Scale(chart_.y, y, bottom_, top_, ground_ ? 0 : 0.05);
    // As much room on the left as the longest number takes.
    double widest = 0;
    for (const Tick& tick : y_.ticks(kPixelsY)) widest = std::max(widest, text_width(tick.label, 11.5));
    left_ = std::max(52.0, 26 + widest);
    right_ = kWidth - (ground_ ? kScaleRoom : kRight);
    // Lines end at the frame; dots keep away from it.
    x_ = Scale(chart_.x, x, left_, right_, ground_ || lines ? 0 : 0.04);
  }

  void draw_axes() {
    for (const Tick& tick : x_.ticks(kPixelsX)) {
      const double x = x_(tick.value);
      text_ += fmt::format("<path class=\"grid{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", tick.label.empty() ? " minor" : "",
                           x, top_, bottom_);
      if (!tick.label.empty()) put("number middle", x, bottom_ + 18, tick.label);
    }
    for (const Tick& tick : y_.ticks(kPixelsY)) {
      const double y = y_(tick.value);
      text_ += fmt::format("<path class=\"grid{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", tick.label.empty() ? " minor" : "",
                           left_, y, right_);
      if (!tick.label.empty()) put("number end", left_ - 8, y + 4, tick.label);
    }
    // Below the numbers, in the middle of what it names.
    put("label middle", (left_ + right_) / 2, bottom_ + 42, chart_.x.label);
  }

  // An element of its own that hides what goes over its edge; one pixel more, so that lines on the edge stay whole.
  void draw_inside() {
    text_ += fmt::format(
        "<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" viewBox=\"{0:.1f} "
        "{1:.1f} {2:.1f} {3:.1f}\">\n",
        left_ - 1, top_ - 1, right_ - left_ + 2, bottom_ - top_ + 2);
    // The ground first and curves last: what is drawn later lies on top.
    if (ground_) text_ += detail::ground_elements(chart_.ground, x_, y_);
    for (const Band& band : chart_.bands) draw_band(band);
    for (std::size_t k = 0; k < chart_.curves.size(); ++k) draw_line(k);
    text_ += "</svg>\n";
    text_ += fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                         left_, top_, right_ - left_, bottom_ - top_);
    // Dots on the edge stay whole.
    for (std::size_t k = 0; k < chart_.curves.size(); ++k) draw_dots(k);
  }

  void draw_band(const Band& band) {
    // A band lies along the axis of its values and across the whole plot.
    const Scale& scale = band.along_y ? y_ : x_;
    const double a = scale(band.low), b = scale(band.high);
    // Zero has no place on a logarithmic axis, and half a band would be a lie.
    if (std::isnan(a) || std::isnan(b)) return;
    const double from = std::min(a, b), size = std::abs(b - a);
    text_ += fmt::format("<g class=\"band\"><title>{}</title>", shown_text(band_words(band)));
    // A band of no width is a line.
    if (size == 0) {
      text_ += band.along_y ? fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>", left_, a, right_)
                            : fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\"/>", a, top_, bottom_);
    } else if (band.along_y) {
      text_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", left_, from,
                           right_ - left_, size);
    } else {
      text_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>", from, top_, size,
                           bottom_ - top_);
    }
    if (!band.name.empty()) draw_band_name(band, from, size);
    text_ += "</g>\n";
  }

  static std::string band_words(const Band& band) {
    // What hovering shows: its numbers, which the drawing only suggests.
    std::string text = band.name.empty() ? std::string() : band.name + ": ";
    text += short_number(band.low);
    if (band.low != band.high) text += " to " + short_number(band.high);
    return text;
  }

  // Lying where the band is wide enough, else upright beside its left edge.
  void draw_band_name(const Band& band, double from, double size) {
    const std::string name = shown_text(band.name);
    if (band.along_y) {
      text_ += fmt::format("<text class=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", right_ - 8,
                           size > 18 ? from + 15 : from - 5, name);
    } else if (size > text_width(band.name, 11.5) + 8) {
      text_ +=
          fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", from + size / 2, top_ + 16, name);
    } else {
      text_ += fmt::format("<text class=\"end\" transform=\"translate({:.1f} {:.1f}) rotate(-90)\">{}</text>", from - 4,
                           top_ + 6, name);
    }
  }

  void draw_line(std::size_t k) {
    const Curve& curve = chart_.curves[k];
    // Dots alone are drawn by draw_dots(), over all lines.
    if (!has_line(curve)) return;
    std::string path, last;
    bool pen_up = true;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      const double x = x_(curve.x[i]), y = y_(curve.y[i]);
      if (std::isnan(x) || std::isnan(y)) {
        pen_up = true;
        continue;
      }
      std::string point = fmt::format("{:.1f} {:.1f}", x, y);
      // Points that fall on one tenth of a pixel are drawn once: a page of 10^6 samples stays small.
      if (!pen_up && point == last) continue;
      path += pen_up ? "M" : "L";
      path += point;
      last = std::move(point);
      pen_up = false;
    }
    // All of its values may be gaps.
    if (path.empty()) return;
    text_ += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", line_class(k), path);
  }

  // What hovering shows; along a line without dots too, where there are not too many points.
  void draw_dots(std::size_t k) {
    const Curve& curve = chart_.curves[k];
    const std::size_t size = std::min(curve.x.size(), curve.y.size());
    const bool dots = has_dots(curve);
    // Each place is an element of the page.
    if (!dots && (places_ += size) > kMostPlaces) return;
    const std::string kind = dots ? colour(k) : std::string("near");
    // Where nothing is drawn the place to point at is larger; many dots are smaller, lest they merge.
    const double radius = !dots ? 6 : size > 300 ? 2 : 4;
    for (std::size_t i = 0; i < size; ++i) {
      const double x = x_(curve.x[i]), y = y_(curve.y[i]);
      // Half a pixel of grace, for what rounding puts outside.
      if (!(x >= left_ - 0.5 && x <= right_ + 0.5 && y >= top_ - 0.5 && y <= bottom_ + 0.5)) continue;
      text_ +=
          fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}{}, {}</title></circle>\n",
                      kind, x, y, radius, curve.name.empty() ? std::string() : shown_text(curve.name) + ": ",
                      short_number(curve.x[i]), short_number(curve.y[i]));
    }
  }

  static constexpr double kPixelsX = 90, kPixelsY = 48;
  const Chart& chart_;
  bool ground_ = false;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
  Scale x_, y_;
  std::size_t places_ = 0;
  std::string text_;
};

}  // namespace

std::string draw_svg(const Chart& chart) { return Drawing(chart).svg(); }

}  // namespace espalier::draw
