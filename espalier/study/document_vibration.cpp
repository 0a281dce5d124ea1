#include <cmath>
#include <numbers>
#include <utility>

#include <nlohmann/json.hpp>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/study/detail/reader_json.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::study {
namespace {

using nlohmann::ordered_json;

// JSON has no number that is none.
ordered_json or_null(double x) { return std::isnan(x) ? ordered_json(nullptr) : ordered_json(x); }

}  // namespace

std::string to_json(const ResponseAnswer& answer) {
  ordered_json amplitude = ordered_json::array(), phase = ordered_json::array(), values = ordered_json::array();
  // The same numbers twice, as parts and as amplitude and phase: each is what some reader plots.
  for (const std::complex<double>& value : answer.values) {
    amplitude.push_back(std::abs(value));
    // The elementary function of this project, whose bits do not depend on the machine's library.
    phase.push_back(elementary::atan2(value.imag(), value.real()));
    values.push_back({value.real(), value.imag()});
  }
  ordered_json peaks = ordered_json::array();
  for (const modes::Peak& peak : answer.peaks) {
    // Without damping the amplitude has no bound at a peak: null, and the residue says how it grows.
    const auto finite = [&](double x) { return peak.infinite ? ordered_json(nullptr) : ordered_json(x); };
    peaks.push_back({{"frequency", peak.omega / (2 * std::numbers::pi)},
                     {"amplitude", finite(std::abs(peak.value))},
                     {"phase", finite(elementary::atan2(peak.value.imag(), peak.value.real()))},
                     {"residue", peak.infinite ? ordered_json(peak.residue) : ordered_json(nullptr)}});
  }
  // Lists of equal length, one number for each frequency, so that columns can be taken as they are.
  ordered_json json = {{"model", answer.model},
                       {"file", answer.reader.file},
                       {"force", answer.force_text},
                       {"answer", answer.answer_text},
                       {"unit", answer.unit},
                       {"frequency", answer.hertz},
                       {"receptance", std::move(values)},
                       {"amplitude", std::move(amplitude)},
                       {"phase", std::move(phase)},
                       {"peaks", std::move(peaks)}};
  detail::add_reader(answer.reader, json);
  return detail::document_text(json, 1);
}

std::string to_json(const ModeSweepAnswer& answer) {
  ordered_json tracks = ordered_json::array();
  for (const modes::Track& track : answer.set.tracks) {
    ordered_json frequency = ordered_json::array(), damping = ordered_json::array(), mac = ordered_json::array();
    // Every track is as long as the list of values, with null where its mode was not found.
    for (std::size_t k = 0; k < track.s.size(); ++k) {
      frequency.push_back(or_null(hertz(track.s[k])));
      damping.push_back(or_null(damping_ratio(track.s[k])));
      mac.push_back(or_null(track.mac[k]));
    }
    tracks.push_back({{"frequency", std::move(frequency)}, {"damping", std::move(damping)}, {"mac", std::move(mac)}});
  }
  // One for each value: a sweep is as certain as its weakest search.
  ordered_json certainty = ordered_json::array();
  for (const modes::Certainty c : answer.set.certainty) certainty.push_back(word_of(c));
  ordered_json json = {{"file", answer.reader.file},   {"parameter", answer.path},
                       {"values", answer.set.values},  {"certainty", std::move(certainty)},
                       {"searches", answer.set.steps}, {"tracks", std::move(tracks)}};
  detail::add_reader(answer.reader, json);
  return detail::document_text(json, 1);
}

std::string to_json(const MatrixAnswer& answer) {
  const modes::OverallEquation& equation = answer.equation;
  // Columns of the matrix in groups: a matrix without them cannot be read.
  ordered_json unknowns = ordered_json::array();
  for (const modes::OverallUnknown& unknown : equation.unknowns) {
    unknowns.push_back({{"kind", kind_word(unknown)},
                        {"at", place_of(answer, unknown)},
                        {"what", meaning_of(unknown)},
                        {"first", unknown.first},
                        {"count", unknown.count}});
  }
  ordered_json directions = ordered_json::array();
  // A plane structure has fewer than six, and its matrix is smaller for it.
  for (const int k : equation.displacements) directions.push_back(model::kDirectionWords[to_index(k)]);
  ordered_json json = {
      {"order", equation.order},       {"boundaries", equation.boundaries}, {"loops", equation.loops},
      {"releases", equation.releases}, {"restraints", equation.restraints}, {"displacements", directions},
      {"unknowns", unknowns}};
  // Without an s there is an equation but no matrix.
  if (answer.value) {
    const Eigen::MatrixXcd& matrix = answer.value->matrix;
    const modes::Scaled<std::complex<double>>& value = answer.value->determinant;
    ordered_json rows = ordered_json::array();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      ordered_json row = ordered_json::array();
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back({matrix(i, j).real(), matrix(i, j).imag()});
      rows.push_back(std::move(row));
    }
    json["s"] = {answer.value->s.real(), answer.value->s.imag()};
    // Mantissa and exponent, since determinants leave the range of numbers after some hundred elements.
    json["determinant"] = {{"mantissa", {value.mantissa.real(), value.mantissa.imag()}}, {"exponent", value.exponent}};
    json["matrix"] = std::move(rows);
  }
  // On one line: a matrix with a line for each number is not read by anybody.
  return detail::document_text(json, -1);
}

}  // namespace espalier::study
