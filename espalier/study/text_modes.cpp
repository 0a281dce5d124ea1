#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/study/detail/text_parts.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

double part_of(double share, double whole) { return whole > 0 ? share / whole : 0; }

// "61 % y": the direction in which the mode has the largest part of all mass; empty where that is below 1 %.
std::string most_mass(const ModesAnswer& answer, std::size_t k) {
  std::size_t best = 0;
  double most = 0;
  for (std::size_t d = 0; d < 6; ++d) {
    double sum = 0;
    for (const modes::ShapeResult& shape : answer.results->modes[k]) sum += shape.effective_mass[d];
    const double part = part_of(sum, answer.results->mass[d]);
    // A bending beam turns as well: a rotation is told where it says more.
    if (!(part > most * (d < 3 ? 1 + 1e-9 : 1.5))) continue;
    most = part;
    best = d;
  }
  return most < 0.01 ? "" : fmt::format("{:.0f} % {}", 100 * most, model::kDirectionWords[best]);
}

// "stem 45 %": what has most potential energy.
std::string most_energy(const ModesAnswer& answer, std::size_t k) {
  if (answer.set.modes[k].s == 0.0) return "";
  const modes::ShapeResult& shape = answer.results->modes[k].front();
  std::string name;
  double most = 0;
  for (const EnergyPart& part : energy_parts(answer, shape)) {
    const double share = part_of(part.energy.potential, shape.energies.total.potential);
    if (!(share > most * (1 + 1e-9))) continue;
    most = share;
    name = part.name;
  }
  return most > 0 ? fmt::format("{} {:.0f} %", name, 100 * most) : "";
}

// Numbers on a grid have the decimals of its resolution.
std::string number(const ModesAnswer& answer, double x) {
  const double resolution = answer.grid.resolution;
  if (answer.set.method == modes::Method::kAuto || !(resolution > 0)) return fmt::format("{:.10g}", x);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-elementary::log10(resolution) - 1e-9)), 0, 16);
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
std::string loudest(const ModesAnswer& answer, const modes::Mode& mode) {
  if (mode.shapes.empty()) return "";
  std::string name;
  double most = 0;
  for (std::size_t v = 0; v < mode.shapes.front().size(); ++v) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double unit = k < 3 ? 1 : answer.structure.length_unit;
      const double size = std::abs(mode.shapes.front()[v][k]) * unit;
      if (!(size > most * (1 + 1e-9))) continue;
      most = size;
      name = fmt::format("{} {}", answer.structure.vertices[v].name, model::kDirectionWords[k]);
    }
  }
  return name;
}

// One elastic body that has all the energy of every mode need not be told each time.
bool strains_differ(const ModesAnswer& answer) {
  const std::string first = most_energy(answer, 0);
  for (std::size_t k = 0; k < answer.set.modes.size(); ++k) {
    if (most_energy(answer, k) != first) return true;
  }
  return !first.ends_with(" 100 %") && !first.empty();
}

std::string mode_table(const ModesAnswer& answer, int width) {
  std::vector<std::string> heads = {"mode", "Hz"};
  if (answer.set.damped) {
    heads.insert(heads.end(), {"Re s", "Im s", "damping"});
  } else {
    heads.push_back("rad/s");
  }
  const bool estimated = has_estimate(answer.set);
  if (estimated) heads.push_back("segments");
  const bool several = answer.results && !answer.set.modes.empty() && strains_differ(answer);
  if (answer.results) heads.push_back("mass");
  if (several) heads.push_back("most strained");
  if (answer.shapes) heads.push_back("moves most");
  std::vector<std::vector<std::string>> rows;
  int next = 1;
  for (std::size_t k = 0; k < answer.set.modes.size(); ++k) {
    const modes::Mode& mode = answer.set.modes[k];
    const std::string which =
        mode.multiplicity == 1 ? std::to_string(next) : fmt::format("{}-{}", next, next + mode.multiplicity - 1);
    next += mode.multiplicity;
    std::vector<std::string> row = {which, fmt::format("{:.6g}", hertz(best(mode)))};
    if (answer.set.damped) {
      row.insert(row.end(), {number(answer, best(mode).real()), number(answer, best(mode).imag()),
                             fmt::format("{:.4g}", damping_ratio(best(mode)))});
    } else {
      row.push_back(number(answer, best(mode).imag()));
    }
    if (estimated) row.push_back(mode.segment_error ? fmt::format("{:.1e}", *mode.segment_error) : "");
    if (answer.results) row.push_back(most_mass(answer, k));
    if (several) row.push_back(most_energy(answer, k));
    if (answer.shapes) row.push_back(mode.s == 0.0 ? "free motion" : loudest(answer, mode));
    rows.push_back(std::move(row));
  }
  return table(heads, rows, width);
}

std::string work_text(const ModesAnswer& answer) {
  const modes::ModeSet& set = answer.set;
  const std::string pieces = counted(to_index(set.slices), "piece", "pieces");
  std::string text = set.method == modes::Method::kAuto
                         ? fmt::format("{} counts and {} evaluations of {}", set.counts, set.evaluations, pieces)
                         : fmt::format("{} evaluations of {} in {}", set.counts, pieces,
                                       counted(to_index(set.levels), "level", "levels"));
  text += fmt::format(", {:.3g} s", set.seconds);
  if (answer.ranks == 1) return text;
  return text + fmt::format(" on {} ranks, of them {:.3g} s in communication and waiting", answer.ranks,
                            set.communication_seconds);
}

// The phase of a response [deg].
double degrees_of(const std::complex<double>& value) {
  return elementary::atan2(value.imag(), value.real()) / (std::numbers::pi / 180);
}

// log10 |det|: the number itself leaves the range of double.
double digits(const modes::Scaled<std::complex<double>>& value) {
  return elementary::log10(std::abs(value.mantissa)) + static_cast<double>(value.exponent) * elementary::log10(2.0);
}

}  // namespace

std::string to_text(const ModesAnswer& answer, const TextOptions& options) {
  const int width = options.width;
  const modes::ModeSet& set = answer.set;
  const auto moving = std::count_if(
      answer.structure.vertices.begin(), answer.structure.vertices.end(),
      [](const modes::Vertex& v) { return std::any_of(v.moves.begin(), v.moves.end(), [](bool m) { return m; }); });
  // Without a word on welding: elastic bodies that are welded move against each other all the same.
  std::string text = wrapped("",
                             fmt::format("{}: {}, {}, {}", answer.model.name.empty() ? "model" : answer.model.name,
                                         counted(answer.model.bodies.size() - 1, "body", "bodies"),
                                         counted(to_index(moving), "vertex", "vertices"),
                                         counted(answer.structure.elements.size(), "element", "elements")),
                             width);
  text += "\n" + mode_table(answer, width) + "\n";
  for (const model::Note& note : answer.structure.notes) {
    const std::string place = to_string(note.where);
    text += wrapped("note    ", place.empty() ? note.message : fmt::format("{}: {}", place, note.message), width);
  }
  text += detail::reader_text(answer.reader, "reader  ", options);
  const std::string few = modes::describe_shortage(set);
  if (!few.empty()) text += wrapped("note    ", few, width);
  const std::string free = modes::describe_free_motions(answer.structure, set);
  if (!free.empty()) text += wrapped("note    ", free, width);
  text += wrapped(fmt::format("{:<8}", word_of(set.certainty)), set.certificate, width);
  if (has_estimate(set)) {
    text += wrapped("note    ",
                    "tapered bodies stand as segments of constant section, and that is what was counted; the numbers "
                    "above are those of the bodies themselves, extrapolated from twice as many segments. segments: by "
                    "how much, relative, that has moved them",
                    width);
  }
  text += wrapped("work    ", work_text(answer), width);
  return text;
}

// With damping, the count that is expected may be of fewer than have been found by then.
std::string progress_text(int found, int expected) {
  return found > expected ? fmt::format("{} modes", found) : fmt::format("{} of {} modes", found, expected);
}

// The peaks: what a reader looks for first.
std::string to_text(const ResponseAnswer& answer, const TextOptions& options) {
  const int width = options.width;
  std::string text = fmt::format("answer at {} to a force at {}, {} from {:.6g} to {:.6g} Hz\n\n", answer.answer_text,
                                 answer.force_text, counted(answer.hertz.size(), "frequency", "frequencies"),
                                 answer.hertz.front(), answer.hertz.back());
  if (!answer.reader.notes.empty()) text += detail::reader_text(answer.reader, "reader  ", options) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const modes::Peak& peak : answer.peaks) {
    rows.push_back({fmt::format("{:.6g}", peak.omega / (2 * std::numbers::pi)),
                    peak.infinite ? "infinite" : fmt::format("{:.4g}", std::abs(peak.value)),
                    peak.infinite ? "" : fmt::format("{:.1f}", degrees_of(peak.value))});
  }
  if (rows.empty()) return text + "no peak among them\n";
  return text + table({"peak Hz", answer.unit, "phase deg"}, rows, width);
}

std::string to_text(const ModeSweepAnswer& answer, const TextOptions& options) {
  const int width = options.width;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t t = 0; t < answer.set.tracks.size(); ++t) {
    const modes::Track& track = answer.set.tracks[t];
    double low = std::numeric_limits<double>::infinity(), high = 0, mac = 1;
    for (std::size_t k = 0; k < track.s.size(); ++k) {
      if (std::isnan(track.s[k].imag())) continue;
      low = std::min(low, hertz(track.s[k]));
      high = std::max(high, hertz(track.s[k]));
      if (!std::isnan(track.mac[k])) mac = std::min(mac, track.mac[k]);
    }
    const auto shown = [](double x) { return std::isnan(x) ? std::string("-") : fmt::format("{:.6g}", x); };
    rows.push_back({std::to_string(t + 1), shown(hertz(track.s.front())), shown(hertz(track.s.back())),
                    fmt::format("{:.6g}", low), fmt::format("{:.6g}", high), fmt::format("{:.2f}", mac)});
  }
  std::string text = fmt::format("{} from {:.6g} to {:.6g} in {}, {}\n\n", answer.path, answer.set.values.front(),
                                 answer.set.values.back(), counted(answer.set.values.size(), "value", "values"),
                                 counted(to_index(answer.set.steps), "search", "searches"));
  text += table({"mode", "first Hz", "last Hz", "lowest", "highest", "smallest MAC"}, rows, width) + "\n";
  const auto unproved = std::count_if(answer.set.certainty.begin(), answer.set.certainty.end(),
                                      [](modes::Certainty c) { return c != modes::Certainty::kProved; });
  text += unproved == 0 ? "proved  at each value no mode is missing\n"
                        : fmt::format("note    at {} of {} values it is not proved that no mode is missing\n", unproved,
                                      answer.set.values.size());
  return text + detail::reader_text(answer.reader, "reader  ", options);
}

std::string to_text(const MatrixAnswer& answer, const TextOptions& options) {
  const int width = options.width;
  const modes::OverallEquation& equation = answer.equation;
  std::string states;
  for (const int k : equation.displacements) {
    states += fmt::format("{}{}", states.empty() ? "" : " ", model::kDirectionWords[to_index(k)]);
  }
  const auto number = [](int n, const char* one, const char* many) { return counted(to_index(n), one, many); };
  std::string text =
      wrapped("order   ",
              fmt::format("{}: {} with displacements {}, {} opened, {}, {}", equation.order,
                          number(equation.boundaries, "boundary", "boundaries"), states,
                          number(equation.loops, "loop", "loops"), number(equation.releases, "release", "releases"),
                          number(equation.restraints, "restraint", "restraints")),
              width);
  std::vector<std::vector<std::string>> rows;
  for (const modes::OverallUnknown& unknown : equation.unknowns) {
    rows.push_back({fmt::format("{}-{}", unknown.first + 1, unknown.first + unknown.count), kind_word(unknown),
                    place_of(answer, unknown), meaning_of(unknown)});
  }
  text += "\n" + table({"columns", "unknown", "at", "what"}, rows, width);
  if (!answer.value) return text;
  const modes::Scaled<std::complex<double>>& value = answer.value->determinant;
  const double angle = elementary::atan2(value.mantissa.imag(), value.mantissa.real());
  return text + "\n" +
         wrapped("det     ",
                 fmt::format("log10 |det| = {:.6f}, angle {:.6f} rad at s = {} {:+}i 1/s; {} prints the matrix",
                             digits(value), angle, answer.value->s.real(), answer.value->s.imag(),
                             options.wording.option("json", "")),
                 width);
}

}  // namespace espalier::study
