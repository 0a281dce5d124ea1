#include "espalier/study/detail/tune_charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/draw/chart.hpp"

namespace espalier::study::detail {
namespace {

using Kind = formats::TuningGoal::Kind;

// Best and mean of the searched number over generations.
// The mean beside the best shows whether the population still searches or has become one design.
draw::Chart fitness_chart(const Tuned& tuned) {
  draw::Chart chart;
  chart.title = "Best design over generations";
  chart.x.label = "generation";
  chart.y.label = "what is made small";
  draw::Curve best{"best", {}, {}, draw::Curve::Style::kLine};
  draw::Curve mean{"mean of the population", {}, {}, draw::Curve::Style::kDashed};
  // A logarithm shows the last improvements, which a linear axis presses into its foot.
  bool positive = true;
  for (const TuneStep& step : tuned.state.history) {
    best.x.push_back(step.generation);
    best.y.push_back(step.best);
    mean.x.push_back(step.generation);
    mean.y.push_back(step.mean);
    // So written that a generation without a number does not forbid the logarithmic axis.
    positive = positive && !(step.best <= 0) && !(step.mean <= 0);
  }
  chart.y.logarithmic = positive;
  chart.curves = {std::move(best), std::move(mean)};
  return chart;
}

// Frequencies of the best design over generations, between their targets and the bands to avoid.
draw::Chart frequency_chart(const DesignSpace& space, const Tuned& tuned) {
  draw::Chart chart;
  chart.title = "Frequencies of the best design over generations, and their targets";
  chart.x.label = "generation";
  chart.y.label = "frequency [Hz]";
  for (int k = 0; k < space.modes; ++k) {
    draw::Curve curve{fmt::format("frequency {}", k + 1), {}, {}, draw::Curve::Style::kLine};
    for (const TuneStep& step : tuned.state.history) {
      const auto place = to_index(k);
      curve.x.push_back(step.generation);
      // A generation whose frequencies were not computed leaves a gap.
      curve.y.push_back(place < step.frequencies.size() ? step.frequencies[place]
                                                        : std::numeric_limits<double>::quiet_NaN());
    }
    chart.curves.push_back(std::move(curve));
  }
  for (const formats::TuningGoal& goal : space.tuning.goals) {
    // Targets are bands without width, so that they are drawn and named like those to avoid.
    if (goal.kind == Kind::kAvoid) chart.bands.push_back({goal.name, goal.low, goal.high, true});
    for (const double target : goal.targets) chart.bands.push_back({"", target, target, true});
  }
  return chart;
}

draw::Curve spectrum(const char* name, const std::vector<double>& frequencies, draw::Curve::Style style) {
  draw::Curve curve{name, frequencies, {}, style};
  for (std::size_t k = 0; k < frequencies.size(); ++k) curve.y.push_back(static_cast<double>(k + 1));
  return curve;
}

// All frequencies that were computed, of the drawn and of the best design, beside targets and bands.
draw::Chart band_chart(const DesignSpace& space, const Tuned& tuned) {
  draw::Chart chart;
  chart.title = "All frequencies beside the bands, of the drawn and the best design";
  chart.x.label = "frequency [Hz]";
  chart.y.label = "mode";
  chart.curves = {spectrum("drawn", tuned.drawn.frequencies, draw::Curve::Style::kDashed),
                  spectrum("best", tuned.best.frequencies, draw::Curve::Style::kLineAndDots)};
  for (const formats::TuningGoal& goal : space.tuning.goals) {
    if (goal.kind == Kind::kAvoid) chart.bands.push_back({goal.name, goal.low, goal.high, false});
    if (!goal.targets.empty()) chart.curves.push_back(spectrum("target", goal.targets, draw::Curve::Style::kDots));
  }
  return chart;
}

draw::Curve quantity_curve(const char* name, const RunCurves& curves, std::size_t goal, draw::Curve::Style style) {
  draw::Curve curve{name, curves.times, {}, style};
  const std::size_t width = curves.times.empty() ? 0 : curves.values.size() / curves.times.size();
  for (std::size_t k = 0; k < curves.times.size(); ++k) curve.y.push_back(curves.values[k * width + goal]);
  return curve;
}

// The quantity of a goal over the run, of the drawn and of the best design, beside what it is to be.
draw::Chart quantity_chart(const DesignSpace& space, const Tuned& tuned, std::size_t which) {
  const formats::TuningGoal& goal = space.tuning.goals[which];
  draw::Chart chart;
  chart.title = fmt::format("{} over the run", goal.quantity);
  chart.x.label = "time [s]";
  chart.y.label = fmt::format("{} [{}]", goal.quantity, space.units[which]);
  chart.curves = {quantity_curve("drawn", tuned.drawn.curves, which, draw::Curve::Style::kDashed),
                  quantity_curve("best", tuned.best.curves, which, draw::Curve::Style::kLine)};
  if (!goal.times.empty()) chart.curves.push_back({goal.table, goal.times, goal.values, draw::Curve::Style::kDots});
  for (const auto& [name, value] :
       {std::pair("target", goal.target), {"at most", goal.at_most}, {"at least", goal.at_least}}) {
    // A bound of a distance is none of the quantity.
    if (value && goal.statistic != formats::TuningGoal::Statistic::kDistance) {
      chart.bands.push_back({name, *value, *value, true});
    }
  }
  return chart;
}

// What is to be large was searched with its sign turned.
// A chart shows what the user asked for, in the user's sign.
double shown_goal(const formats::TuningGoal& goal, double value) { return goal.maximise ? -value : value; }

// The first two goals that are no limits.
draw::Chart front_chart(const DesignSpace& space, const Tuned& tuned) {
  // Limits are left out: all designs of a front hold them, and an axis of zeros shows nothing.
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    if (!space.tuning.goals[k].is_limit()) axes.push_back(k);
  }
  draw::Chart chart;
  chart.title = "Designs of which none is better than another in all goals";
  chart.x.label = space.tuning.goals[axes[0]].name;
  chart.y.label = space.tuning.goals[axes[1]].name;
  draw::Curve curve{"", {}, {}, draw::Curve::Style::kDots};
  for (const FrontDesign& design : tuned.front) {
    curve.x.push_back(shown_goal(space.tuning.goals[axes[0]], design.goals[axes[0]]));
    curve.y.push_back(shown_goal(space.tuning.goals[axes[1]], design.goals[axes[1]]));
  }
  chart.curves.push_back(std::move(curve));
  return chart;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> draw_tune_charts(const DesignSpace& space, const Tuned& tuned,
                                                                  const TuneFiles& files, const draw::Motion& best) {
  // Every chart is a file of its own, to be put into a paper, and part of the page.
  draw::ModePage page{
      files.title, files.text, best, {fitness_chart(tuned)}, files.command, {{"best design", "best.yaml"}}};
  std::vector<std::pair<std::string, std::string>> drawn = {{"fitness.svg", draw::draw_svg(page.charts.back())}};
  // Goals of mass and parameters alone need no frequencies, and none were computed.
  if (space.modes > 0) {
    page.charts.push_back(frequency_chart(space, tuned));
    drawn.emplace_back("frequencies.svg", draw::draw_svg(page.charts.back()));
  }
  // Bands alone ask for all frequencies below them.
  if (space.modes > 0 || space.upto > 0) {
    page.charts.push_back(band_chart(space, tuned));
    drawn.emplace_back("bands.svg", draw::draw_svg(page.charts.back()));
  }
  int runs = 0;
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    if (space.tuning.goals[k].kind != Kind::kQuantity) continue;
    page.charts.push_back(quantity_chart(space, tuned, k));
    drawn.emplace_back(fmt::format("run-{}.svg", ++runs), draw::draw_svg(page.charts.back()));
  }
  // A front has at least two goals that are no limits, which front_chart() relies on.
  if (!tuned.front.empty()) {
    page.charts.push_back(front_chart(space, tuned));
    drawn.emplace_back("front.svg", draw::draw_svg(page.charts.back()));
  }
  drawn.emplace_back("index.html", draw::draw_html(page));
  return drawn;
}

}  // namespace espalier::study::detail
