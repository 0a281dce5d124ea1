#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/modes/tracking.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::study {
namespace {

using modes::Landscape;
using modes::Method;

constexpr double kTurn = 2 * std::numbers::pi;

// As many samples as some seconds allow.
int sample_count(const ModesAnswer& answer, int least, int most) {
  // With as many the largest structures are still drawn within seconds.
  constexpr double kPieces = 3e7;
  return std::clamp(static_cast<int>(kPieces / std::max(1, answer.set.slices)), least, most);
}

std::string method_words(Method method) {
  return method == Method::kAuto ? "of the sweep" : "of the overall transfer matrix";
}

// sgn log10(1 + |det|), which goes through 0 at each root; of the sweep's determinant, which grows by hundreds of
// powers of 10, the logarithm with its dips.
double height(const Landscape& land, Method method, std::size_t k) {
  // Its powers of ten would hide where it is 0; there the logarithm dips.
  if (method == Method::kAuto) return land.log10_size[k];
  const double size = land.log10_size[k];
  // Above 1e15 the 1 is lost in rounding, and the power may be no number.
  const double log = size > 15 ? size : elementary::log10(1 + elementary::pow(10.0, size));
  return land.sign[k] * log;
}

draw::Chart axis_chart(const ModesAnswer& answer, const Landscape& land) {
  const Method method = answer.set.method;
  draw::Chart chart;
  chart.title = fmt::format("{}: determinant {}", answer.model.name, method_words(method));
  chart.x.label = "frequency [Hz]";
  chart.y.label = method == Method::kAuto ? "log10 |det|" : "sgn(det) log10(1 + |det|)";
  draw::Curve curve;
  curve.name = "determinant";
  // Equal steps from the lower end to the upper, both drawn.
  const auto rows = to_index(land.rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(rows - 1);
    curve.x.push_back((land.box.bottom + part * (land.box.top - land.box.bottom)) / kTurn);
    curve.y.push_back(height(land, method, k));
  }
  // Roots stand at the foot of the pass's logarithm; the other curve goes through 0 there.
  const double foot = method == Method::kAuto ? *std::min_element(curve.y.begin(), curve.y.end()) : 0;
  draw::Curve roots;
  roots.name = fmt::format("{} found by {}", counted(answer.set.modes.size(), "eigenfrequency", "eigenfrequencies"),
                           word_of(method));
  roots.style = draw::Curve::Style::kDots;
  for (const modes::Mode& mode : answer.set.modes) {
    const double hertz = mode.s.imag() / kTurn;
    roots.x.push_back(hertz);
    roots.y.push_back(foot);
    // A line up from each root, since a dip of the logarithm may lie between two samples.
    if (method == Method::kAuto) chart.bands.push_back({"", hertz, hertz, false});
  }
  chart.curves = {std::move(curve), std::move(roots)};
  return chart;
}

// The determinant grows by many powers of 10 with the frequency; each row by its own largest value shows the pits.
void take_off_growth(Landscape& land) {
  for (auto row = land.log10_size.begin(); row != land.log10_size.end(); row += land.columns) {
    // By row, since all samples of one have the same Im s and so the same growth.
    const double largest = *std::max_element(row, row + land.columns);
    std::for_each(row, row + land.columns, [&](double& value) { value -= largest; });
  }
}

draw::Chart plane_chart(const ModesAnswer& answer, Landscape land) {
  take_off_growth(land);
  draw::Chart chart;
  chart.title = fmt::format("{}: determinant {}", answer.model.name, method_words(answer.set.method));
  chart.x.label = "Re s [1/s]";
  chart.y.label = "Im s [1/s]";
  chart.ground = {{land.box.left, land.box.right},
                  {land.box.bottom, land.box.top},
                  land.columns,
                  land.rows,
                  std::move(land.log10_size),
                  "log10 of |det| / its largest at this Im s"};
  draw::Curve roots;
  roots.name = fmt::format("{} found by {}", counted(answer.set.modes.size(), "eigenvalue", "eigenvalues"),
                           word_of(answer.set.method));
  roots.style = draw::Curve::Style::kDots;
  for (const modes::Mode& mode : answer.set.modes) {
    roots.x.push_back(mode.s.real());
    roots.y.push_back(mode.s.imag());
  }
  chart.curves.push_back(std::move(roots));
  return chart;
}

// Around the eigenvalues: they lie near the axis, while the region that was searched is as wide as it is high.
modes::Box plot_box(const ModesAnswer& answer) {
  if (answer.box) return *answer.box;
  if (!answer.set.damped) return {0, 0, 0, answer.set.upto};
  double left = 0;
  for (const modes::Mode& mode : answer.set.modes) left = std::min(left, mode.s.real());
  // No eigenvalue decays: then the region that was searched is shown.
  if (left == 0) left = -answer.set.decay;
  // A margin to both sides, so that no eigenvalue lies on the frame.
  return {1.3 * left, -0.3 * left, 0, answer.set.upto};
}

}  // namespace

Result<draw::Chart> draw_determinant(const ModesAnswer& answer) {
  // Along the axis where nothing dissipates, over the plane otherwise.
  modes::Box box = plot_box(answer);
  // A box may be given without damping too: then all eigenvalues lie on the axis.
  if (!answer.set.damped) box.left = box.right = 0;
  const int rows = answer.set.damped ? sample_count(answer, 40 * 40, 120 * 120) : sample_count(answer, 200, 2000);
  const int side = static_cast<int>(std::sqrt(rows));
  Result<Landscape> land = modes::sample_landscape(answer.structure, answer.tree, answer.set.method, box,
                                                   answer.set.damped ? side : 1, answer.set.damped ? side : rows);
  ESPALIER_TRY(land);
  return answer.set.damped ? plane_chart(answer, *std::move(land)) : axis_chart(answer, *land);
}

Result<draw::ModePage> make_page(const ModesAnswer& answer, std::string text, std::string command) {
  Result<draw::Chart> chart = draw_determinant(answer);
  ESPALIER_TRY(chart);
  draw::ModePage page;
  page.title = fmt::format("Modes of {}", answer.model.name.empty() ? answer.reader.file : answer.model.name);
  page.text = std::move(text);
  page.command = std::move(command);
  page.charts.push_back(*std::move(chart));
  page.facts = {
      {"model", answer.reader.file}, {"method", word_of(answer.set.method)}, {"certificate", answer.set.certificate}};
  // Only the root has shapes, and only where they were asked for.
  if (answer.results) page.motion = make_motion(answer);
  return page;
}

}  // namespace espalier::study
