#include "apps/espalier/modes_report.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/modes_results.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/base/text.hpp"

namespace espalier::app {
namespace {

using nlohmann::ordered_json;

double hertz(double omega) { return omega / (2 * std::numbers::pi); }

// Part of critical damping: 1 where nothing oscillates.
double damping_ratio(std::complex<double> s) { return std::abs(s) > 0 ? -s.real() / std::abs(s) : 0; }

// Numbers on a grid have the decimals of its resolution.
std::string number(const ModesReport& report, double x) {
  const double resolution = report.grid.resolution;
  if (report.set.method == modes::Method::kAuto || !(resolution > 0)) return fmt::format("{:.10g}", x);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(resolution) - 1e-9)), 0, 16);
  return fmt::format("{:.{}f}", x, decimals);
}

// What segments of tapered bodies cost was estimated.
bool has_estimate(const modes::ModeSet& set) {
  return std::any_of(set.modes.begin(), set.modes.end(),
                     [](const modes::Mode& mode) { return mode.segment_error.has_value(); });
}

// Of tapered bodies themselves where that is known, not of their segments.
std::complex<double> best(const modes::Mode& mode) { return mode.tapered.value_or(mode.s); }

// The vertex that moves most, and in which direction.
std::string loudest(const ModesReport& report, const modes::Mode& mode) {
  if (mode.shapes.empty()) return "";
  std::string name;
  double most = 0;
  for (std::size_t v = 0; v < mode.shapes.front().size(); ++v) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double unit = k < 3 ? 1 : report.structure.length_unit;
      const double size = std::abs(mode.shapes.front()[v][k]) * unit;
      if (!(size > most * (1 + 1e-9))) continue;
      most = size;
      name = fmt::format("{} {}", report.structure.vertices[v].name, model::kDirectionWords[k]);
    }
  }
  return name;
}

// One elastic body that has all the energy of every mode need not be told each time.
bool strains_differ(const ModesReport& report) {
  const std::string first = most_energy(report, 0);
  for (std::size_t k = 0; k < report.set.modes.size(); ++k) {
    if (most_energy(report, k) != first) return true;
  }
  return !first.ends_with(" 100 %") && !first.empty();
}

std::string mode_table(const ModesReport& report) {
  std::vector<std::string> heads = {"mode", "Hz"};
  if (report.set.damped) {
    heads.insert(heads.end(), {"Re s", "Im s", "damping"});
  } else {
    heads.push_back("rad/s");
  }
  const bool estimated = has_estimate(report.set);
  if (estimated) heads.push_back("segments");
  const bool several = report.results && !report.set.modes.empty() && strains_differ(report);
  if (report.results) heads.push_back("mass");
  if (several) heads.push_back("most strained");
  if (report.shapes) heads.push_back("moves most");
  std::vector<std::vector<std::string>> rows;
  int next = 1;
  for (std::size_t k = 0; k < report.set.modes.size(); ++k) {
    const modes::Mode& mode = report.set.modes[k];
    const std::string which =
        mode.multiplicity == 1 ? std::to_string(next) : fmt::format("{}-{}", next, next + mode.multiplicity - 1);
    next += mode.multiplicity;
    std::vector<std::string> row = {which, fmt::format("{:.6g}", hertz(best(mode).imag()))};
    if (report.set.damped) {
      row.insert(row.end(), {number(report, best(mode).real()), number(report, best(mode).imag()),
                             fmt::format("{:.4g}", damping_ratio(best(mode)))});
    } else {
      row.push_back(number(report, best(mode).imag()));
    }
    if (estimated) row.push_back(mode.segment_error ? fmt::format("{:.1e}", *mode.segment_error) : "");
    if (report.results) row.push_back(most_mass(report, k));
    if (several) row.push_back(most_energy(report, k));
    if (report.shapes) row.push_back(mode.s == 0.0 ? "free motion" : loudest(report, mode));
    rows.push_back(std::move(row));
  }
  return table(heads, rows);
}

ordered_json shape_json(const modes::Shape& shape, bool damped) {
  ordered_json rows = ordered_json::array();
  for (const auto& vertex : shape) {
    ordered_json row = ordered_json::array();
    for (const std::complex<double>& u : vertex) {
      if (damped) {
        row.push_back({u.real(), u.imag()});
      } else {
        row.push_back(u.real());
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json mode_json(const ModesReport& report, std::size_t k) {
  const modes::Mode& mode = report.set.modes[k];
  ordered_json json = {{"frequency", hertz(mode.s.imag())},
                       {"omega", mode.s.imag()},
                       {"s", {mode.s.real(), mode.s.imag()}},
                       {"multiplicity", mode.multiplicity},
                       {"error", mode.error}};
  if (mode.segment_error) json["segment_error"] = *mode.segment_error;
  if (mode.tapered) json["tapered"] = {mode.tapered->real(), mode.tapered->imag()};
  if (report.set.damped) {
    json["damping"] = damping_ratio(mode.s);
  } else if (report.set.method == modes::Method::kAuto) {
    json["bracket"] = {mode.bracket[0], mode.bracket[1]};
  }
  if (!report.shapes) return json;
  ordered_json shapes = ordered_json::array();
  for (const modes::Shape& shape : mode.shapes) shapes.push_back(shape_json(shape, report.set.damped));
  json["shapes"] = std::move(shapes);
  add_results(report, k, json);
  return json;
}

std::string work_text(const ModesReport& report) {
  const modes::ModeSet& set = report.set;
  const std::string pieces = counted(static_cast<std::size_t>(set.pieces), "piece", "pieces");
  std::string text = set.method == modes::Method::kAuto
                         ? fmt::format("{} counts and {} evaluations of {}", set.counts, set.evaluations, pieces)
                         : fmt::format("{} evaluations of {} in {}", set.counts, pieces,
                                       counted(static_cast<std::size_t>(set.levels), "level", "levels"));
  text += fmt::format(", {:.3g} s", set.seconds);
  if (report.ranks == 1) return text;
  return text + fmt::format(" on {} ranks, of them {:.3g} s in communication and waiting", report.ranks,
                            set.communication_seconds);
}

}  // namespace

std::string modes_text(const ModesReport& report) {
  const modes::ModeSet& set = report.set;
  const auto moving = std::count_if(
      report.structure.vertices.begin(), report.structure.vertices.end(),
      [](const modes::Vertex& v) { return std::any_of(v.moves.begin(), v.moves.end(), [](bool m) { return m; }); });
  std::string text = wrapped("",
                             fmt::format("{}: {}, {}", report.model.empty() ? "model" : report.model,
                                         counted(static_cast<std::size_t>(moving), "vertex", "vertices"),
                                         counted(report.structure.elements.size(), "element", "elements")),
                             terminal_width());
  text += "\n" + mode_table(report) + "\n";
  for (const model::Note& note : report.structure.notes) {
    const std::string place = to_string(note.where);
    text += wrapped("note    ", place.empty() ? note.message : fmt::format("{}: {}", place, note.message),
                    terminal_width());
  }
  text += reader_text(report.reader, "reader  ");
  const std::string few = modes::describe_shortage(set);
  if (!few.empty()) text += wrapped("note    ", few, terminal_width());
  const std::string free = modes::describe_free_motions(report.structure, set);
  if (!free.empty()) text += wrapped("note    ", free, terminal_width());
  text += wrapped(fmt::format("{:<8}", modes::word(set.certainty)), set.certificate, terminal_width());
  if (has_estimate(set)) {
    text += wrapped("note    ",
                    "tapered bodies stand as segments of constant section, and that is what was counted; the numbers "
                    "above are those of the bodies themselves, extrapolated from twice as many segments. segments: by "
                    "how much, relative, that has moved them",
                    terminal_width());
  }
  text += wrapped("work    ", work_text(report), terminal_width());
  return text;
}

std::string modes_json(const ModesReport& report) {
  const modes::ModeSet& set = report.set;
  const bool baseline = set.method != modes::Method::kAuto;
  ordered_json json = {{"model", report.model},
                       {"file", report.file},
                       {"method", modes::word(set.method)},
                       {"damped", set.damped},
                       {"found", set.found},
                       {"asked", set.asked > 0 ? ordered_json(set.asked) : ordered_json(nullptr)},
                       {"complete", set.complete},
                       {"free_motions", baseline ? ordered_json(nullptr) : ordered_json(set.free_motions)},
                       {"counted", baseline ? ordered_json(nullptr) : ordered_json(set.counted)},
                       {"certainty", modes::word(set.certainty)},
                       {"certificate", set.certificate},
                       {"max_omega", set.upto},
                       {"max_decay", set.damped ? ordered_json(set.decay) : ordered_json(nullptr)},
                       {"counts", set.counts},
                       {"evaluations", set.evaluations},
                       {"pieces", set.pieces}};
  if (set.method == modes::Method::kRecursive) {
    json["levels"] = set.levels;
    json["distribution"] = modes::word(report.grid.spread.distribution);
    json["threads"] = report.grid.spread.threads;
  }
  ordered_json modes = ordered_json::array();
  for (std::size_t k = 0; k < set.modes.size(); ++k) modes.push_back(mode_json(report, k));
  add_results(report, json);
  json["modes"] = std::move(modes);
  ordered_json vertices = ordered_json::array();
  for (const modes::Vertex& vertex : report.structure.vertices) {
    vertices.push_back({{"name", vertex.name}, {"point", {vertex.point.x(), vertex.point.y(), vertex.point.z()}}});
  }
  json["vertices"] = std::move(vertices);
  ordered_json notes = ordered_json::array();
  for (const model::Note& note : report.structure.notes) {
    notes.push_back({{"where", to_string(note.where)}, {"message", note.message}});
  }
  json["notes"] = std::move(notes);
  add_reader(report.reader, json);
  json["ranks"] = report.ranks;
  json["seconds"] = set.seconds;
  json["communication_seconds"] = set.communication_seconds;
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace espalier::app
