#include "espalier/study/detail/sweep_chart.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/draw/chart.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/record/selection.hpp"

namespace espalier::study::detail {
namespace {

constexpr std::size_t kMostCharts = 40;  // of a page that is still looked at
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The numbers of a table below its head, row by row; a field that is none of them is no number.
std::vector<std::vector<double>> numbers_of(std::string_view table) {
  std::vector<std::vector<double>> rows(1);
  std::string field;
  bool quoted = false;
  for (const char c : table.substr(table.find('\n') + 1)) {
    // A comma or line end within quotes belongs to a message.
    if (c == '"') quoted = !quoted;
    if (quoted || (c != ',' && c != '\n')) {
      field += c;
      continue;
    }
    rows.back().push_back(parse_number(field).value_or(kNone));
    field.clear();
    if (c == '\n') rows.emplace_back();
  }
  rows.pop_back();
  return rows;
}

// What the x axis shows: the first number that is varied.
struct Across {
  std::string label;
  std::size_t column = 0;
  bool alone = false;  // nothing else differs between two runs: they stand on a line
};

Across across_of(const SweepCharts& charts) {
  // A sweep that varies nothing is one run.
  if (charts.varied.empty()) return {"run", 0, true};
  return {charts.varied.front(), 1, charts.varied.size() == 1};
}

draw::Curve curve_of(const char* name, const std::vector<std::vector<double>>& rows, const Across& across,
                     std::size_t column) {
  std::vector<std::pair<double, double>> points;
  for (const std::vector<double>& row : rows) points.emplace_back(row[across.column], row[column]);
  // Random values come in the order of the runs.
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  draw::Curve curve{name, {}, {}, across.alone ? draw::Curve::Style::kLineAndDots : draw::Curve::Style::kDots};
  for (const auto& [x, y] : points) {
    curve.x.push_back(x);
    curve.y.push_back(y);
  }
  return curve;
}

}  // namespace

Result<void> write_charts(const SweepCharts& charts, const std::string& table) {
  const std::vector<record::Column>& columns = charts.columns;
  if (columns.empty()) return {};
  const std::vector<std::vector<double>> rows = numbers_of(table);
  const Across across = across_of(charts);
  draw::ChartPage page{"Sweep of " + (charts.model.empty() ? "a model" : charts.model), "", {}, charts.command};
  constexpr std::array<const char*, 3> kWords = {"least", "largest", "at the end"};
  for (std::size_t k = 0; k < std::min(columns.size(), kMostCharts); ++k) {
    draw::Chart chart;
    chart.title = columns[k].name;
    chart.x.label = across.label;
    chart.y.label = record::column_head(columns[k]);
    for (std::size_t part = 0; part < kWords.size(); ++part) {
      chart.curves.push_back(curve_of(kWords[part], rows, across, charts.first + kWords.size() * k + part));
    }
    page.charts.push_back(std::move(chart));
  }
  if (columns.size() > kMostCharts) {
    page.text = fmt::format("The first {} of {} quantities; runs.csv has them all.", kMostCharts, columns.size());
  }
  const Result<void> svg = files::write_text_file(charts.folder / "runs.svg", draw::draw_svg(page.charts.front()));
  ESPALIER_TRY(svg);
  return files::write_text_file(charts.folder / "runs.html", draw::draw_html(page));
}

}  // namespace espalier::study::detail
