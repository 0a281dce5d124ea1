#include "espalier/draw/pages.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/draw/view_page.hpp"

namespace espalier::draw {
namespace {

using nlohmann::ordered_json;

// Six digits are more than a screen shows.
// Through text: the shortest number of six digits is what ends up in the page.
double rounded(double x) { return x == 0 ? 0 : std::stod(fmt::format("{:.6g}", x)); }

// Numbers of lines and points that belong together.
bool is_whole(const Motion& motion) {
  const std::size_t points = motion.points.size();
  if (motion.up < 0 || motion.up > 2 || motion.fixed.size() != points) return false;
  for (const Motion::Line& line : motion.lines) {
    for (const int k : line.points) {
      if (k < 0 || to_index(k) >= points) return false;
    }
  }
  return std::all_of(motion.shapes.begin(), motion.shapes.end(), [&](const Motion::Shape& shape) {
    return shape.displacement.size() == points && (shape.strain.empty() || shape.strain.size() == motion.lines.size());
  });
}

}  // namespace

std::string motion_json(const Motion& motion) {
  // Lists and not maps by name: the script goes through them in this order, for every frame.
  ordered_json points = ordered_json::array(), lines = ordered_json::array(), modes = ordered_json::array();
  for (const Eigen::Vector3d& p : motion.points) points.push_back({rounded(p.x()), rounded(p.y()), rounded(p.z())});
  for (const Motion::Line& line : motion.lines) {
    lines.push_back({{"points", line.points},
                     {"name", line.name},
                     {"kind", line.joint   ? "joint"
                              : line.rigid ? "rigid"
                                           : "elastic"}});
  }
  for (const Motion::Shape& shape : motion.shapes) {
    ordered_json rows = ordered_json::array();
    for (const Eigen::Vector3cd& u : shape.displacement) {
      ordered_json row = ordered_json::array();
      // JSON has no complex numbers.
      for (Eigen::Index k = 0; k < 3; ++k) {
        row.push_back(rounded(u[k].real()));
        row.push_back(rounded(u[k].imag()));
      }
      rows.push_back(std::move(row));
    }
    ordered_json mode = {{"name", shape.name},
                         {"frequency", shape.frequency},
                         {"decay", shape.decay},
                         {"displacement", std::move(rows)}};
    if (!shape.strain.empty()) {
      ordered_json strain = ordered_json::array();
      for (const double part : shape.strain) strain.push_back(rounded(part));
      mode["strain"] = std::move(strain);
    }
    modes.push_back(std::move(mode));
  }
  const ordered_json json = {{"up", motion.up},
                             {"points", std::move(points)},
                             {"fixed", motion.fixed},
                             {"lines", std::move(lines)},
                             {"modes", std::move(modes)}};
  // A name may be no UTF-8: a replaced character is better than no page.
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::optional<Motion> read_motion(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Motion motion;
  try {
    motion.up = json.at("up").get<int>();
    for (const auto& p : json.at("points")) motion.points.emplace_back(p.at(0), p.at(1), p.at(2));
    motion.fixed = json.at("fixed").get<std::vector<bool>>();
    for (const auto& line : json.at("lines")) {
      const std::string kind = line.at("kind");
      motion.lines.push_back({line.at("points"), line.at("name"), kind == "rigid", kind == "joint"});
    }
    for (const auto& mode : json.at("modes")) {
      Motion::Shape shape{mode.at("name"), mode.at("frequency"), mode.at("decay"), {}, {}};
      for (const auto& row : mode.at("displacement")) {
        const std::vector<double> u = row;
        shape.displacement.emplace_back(std::complex(u.at(0), u.at(1)), std::complex(u.at(2), u.at(3)),
                                        std::complex(u.at(4), u.at(5)));
      }
      if (mode.contains("strain")) shape.strain = mode["strain"].get<std::vector<double>>();
      motion.shapes.push_back(std::move(shape));
    }
  } catch (const std::exception&) {
    // A key that is missing or of another type: none of ours.
    return std::nullopt;
  }
  return is_whole(motion) ? std::optional(std::move(motion)) : std::nullopt;
}

std::string draw_html(const ModePage& page) {
  ViewPage view;
  view.title = page.title;
  view.report = page.text;
  view.charts = page.charts;
  view.command = page.command;
  view.facts = page.facts;
  if (!page.motion.shapes.empty()) {
    view.modes = page.motion;
    view.subtitle = counted(page.motion.shapes.size(), "mode");
  }
  return draw_view_page(view).html;
}

}  // namespace espalier::draw
