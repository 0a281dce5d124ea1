#include "espalier/study/detail/tune_charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "espalier/io/chart.hpp"

namespace espalier::study {
namespace {

using Kind = io::TuningGoal::Kind;

// Best and mean of the searched number over generations.
io::Chart fitness_chart(const Tuned& tuned) {
  io::Chart chart;
  chart.title = "Best design over generations";
  chart.x.label = "generation";
  chart.y.label = "what is made small";
  io::Curve best{"best", {}, {}, io::Curve::Style::kLine};
  io::Curve mean{"mean of the population", {}, {}, io::Curve::Style::kDashed};
  bool positive = true;
  for (const TuneStep& step : tuned.state.history) {
    best.x.push_back(step.generation);
    best.y.push_back(step.best);
    mean.x.push_back(step.generation);
    mean.y.push_back(step.mean);
    positive = positive && !(step.best <= 0) && !(step.mean <= 0);
  }
  chart.y.logarithmic = positive;
  chart.curves = {std::move(best), std::move(mean)};
  return chart;
}

// Frequencies of the best design over generations, between their targets and the bands to avoid.
io::Chart frequency_chart(const DesignSpace& space, const Tuned& tuned) {
  io::Chart chart;
  chart.title = "Frequencies of the best design over generations, and their targets";
  chart.x.label = "generation";
  chart.y.label = "frequency [Hz]";
  for (int k = 0; k < space.modes; ++k) {
    io::Curve curve{fmt::format("frequency {}", k + 1), {}, {}, io::Curve::Style::kLine};
    for (const TuneStep& step : tuned.state.history) {
      const auto place = static_cast<std::size_t>(k);
      curve.x.push_back(step.generation);
      curve.y.push_back(place < step.frequencies.size() ? step.frequencies[place]
                                                        : std::numeric_limits<double>::quiet_NaN());
    }
    chart.curves.push_back(std::move(curve));
  }
  for (const io::TuningGoal& goal : space.tuning.goals) {
    if (goal.kind == Kind::kAvoid) chart.bands.push_back({goal.name, goal.low, goal.high, true});
    for (const double target : goal.targets) chart.bands.push_back({"", target, target, true});
  }
  return chart;
}

double shown_goal(const io::TuningGoal& goal, double value) { return goal.maximise ? -value : value; }

// The first two goals that are no limits.
io::Chart front_chart(const DesignSpace& space, const Tuned& tuned) {
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < space.tuning.goals.size(); ++k) {
    if (!space.tuning.goals[k].is_limit()) axes.push_back(k);
  }
  io::Chart chart;
  chart.title = "Designs of which none is better than another in all goals";
  chart.x.label = space.tuning.goals[axes[0]].name;
  chart.y.label = space.tuning.goals[axes[1]].name;
  io::Curve curve{"", {}, {}, io::Curve::Style::kDots};
  for (const FrontDesign& design : tuned.front) {
    curve.x.push_back(shown_goal(space.tuning.goals[axes[0]], design.goals[axes[0]]));
    curve.y.push_back(shown_goal(space.tuning.goals[axes[1]], design.goals[axes[1]]));
  }
  chart.curves.push_back(std::move(curve));
  return chart;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> draw_tune_charts(const DesignSpace& space, const Tuned& tuned,
                                                                  const TuneFiles& files) {
  io::ChartPage page{files.title, files.text, {fitness_chart(tuned)}, files.command};
  std::vector<std::pair<std::string, std::string>> drawn = {{"fitness.svg", io::draw_svg(page.charts.back())}};
  if (space.modes > 0) {
    page.charts.push_back(frequency_chart(space, tuned));
    drawn.emplace_back("frequencies.svg", io::draw_svg(page.charts.back()));
  }
  if (!tuned.front.empty()) {
    page.charts.push_back(front_chart(space, tuned));
    drawn.emplace_back("front.svg", io::draw_svg(page.charts.back()));
  }
  drawn.emplace_back("index.html", io::draw_html(page));
  return drawn;
}

}  // namespace espalier::study
