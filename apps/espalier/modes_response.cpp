#include "apps/espalier/modes_response.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/modes_plot.hpp"
#include "apps/espalier/output.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/modes/peaks.hpp"
#include "espalier/modes/response.hpp"

namespace espalier::app {
namespace {

using nlohmann::ordered_json;

constexpr double kDegree = std::numbers::pi / 180;

struct Response {
  modes::Place force, answer;
  std::string unit;
  std::vector<double> hertz;
  std::vector<std::complex<double>> values;
  std::vector<modes::Peak> peaks;
};

std::string unit_of(const modes::Place& force, const modes::Place& answer) {
  return fmt::format("{}/{}", answer.rotation ? "rad" : "m", force.rotation ? "(N m)" : "N");
}

Result<std::vector<double>> make_frequencies(const ModesCommand& command) {
  const double from = command.from.value_or(0), to = command.to.value_or(0);
  const int points = command.points.value_or(401);
  const auto refuse = [](const std::string& text) { return make_error(ErrorCode::kOption, {}, text); };
  if (!command.to) return refuse("--response: say how far with --to HZ, and where it starts with --from HZ");
  if (!(from >= 0) || !(to > from) || !std::isfinite(to)) {
    return refuse(fmt::format("--from {} --to {}: give two frequencies in Hz, the lower first", from, to));
  }
  if (points < 2 || points > 1'000'000) {
    return refuse(fmt::format("--points {}: give a number from 2 to 1000000", points));
  }
  std::vector<double> hertz;
  for (int k = 0; k < points; ++k) hertz.push_back(from + (to - from) * k / (points - 1));
  // At rest what is free has no answer.
  if (from == 0) hertz.front() = 1e-6 * to;
  return hertz;
}

Result<Response> find(const ModesCommand& command, const ModesInput& input) {
  Response response;
  Result<std::vector<double>> hertz = make_frequencies(command);
  ESPALIER_TRY(hertz);
  const Result<modes::Place> force = modes::find_place(input.model, input.structure, command.response[0]);
  ESPALIER_TRY(force);
  const Result<modes::Place> answer = modes::find_place(input.model, input.structure, command.response[1]);
  ESPALIER_TRY(answer);
  response.hertz = *std::move(hertz);
  std::vector<double> omega;
  for (const double f : response.hertz) omega.push_back(2 * std::numbers::pi * f);
  Result<std::vector<std::complex<double>>> values =
      modes::find_response(input.structure, input.tree, *force, *answer, omega);
  ESPALIER_TRY(values);
  response.values = *std::move(values);
  Result<std::vector<modes::Peak>> peaks =
      modes::find_peaks(input.structure, input.tree, *force, *answer, omega, response.values);
  ESPALIER_TRY(peaks);
  response.peaks = *std::move(peaks);
  response.force = *force;
  response.answer = *answer;
  response.unit = unit_of(*force, *answer);
  return response;
}

std::string response_json(const ModesCommand& command, const ModesInput& input, const Response& response) {
  ordered_json amplitude = ordered_json::array(), phase = ordered_json::array(), values = ordered_json::array();
  for (const std::complex<double>& value : response.values) {
    amplitude.push_back(std::abs(value));
    phase.push_back(std::arg(value));
    values.push_back({value.real(), value.imag()});
  }
  ordered_json peaks = ordered_json::array();
  for (const modes::Peak& peak : response.peaks) {
    const auto finite = [&](double x) { return peak.infinite ? ordered_json(nullptr) : ordered_json(x); };
    peaks.push_back({{"frequency", peak.omega / (2 * std::numbers::pi)},
                     {"amplitude", finite(std::abs(peak.value))},
                     {"phase", finite(std::arg(peak.value))},
                     {"residue", peak.infinite ? ordered_json(peak.residue) : ordered_json(nullptr)}});
  }
  const ordered_json json = {{"model", input.model.name},       {"file", command.model},
                             {"force", command.response[0]},    {"answer", command.response[1]},
                             {"unit", response.unit},           {"frequency", response.hertz},
                             {"receptance", std::move(values)}, {"amplitude", std::move(amplitude)},
                             {"phase", std::move(phase)},       {"peaks", std::move(peaks)}};
  return with_reader(input.reader, json).dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string response_csv(const Response& response) {
  std::string text =
      fmt::format("frequency [Hz],real [{0}],imaginary [{0}],amplitude [{0}],phase [rad]\n", response.unit);
  for (std::size_t k = 0; k < response.hertz.size(); ++k) {
    const std::complex<double> value = response.values[k];
    text += fmt::format("{},{},{},{},{}\n", response.hertz[k], value.real(), value.imag(), std::abs(value),
                        std::arg(value));
  }
  return text;
}

draw::ChartPage response_page(const ModesCommand& command, const ModesInput& input, const Response& response) {
  draw::Chart amplitude, phase;
  amplitude.title =
      fmt::format("{}: answer at {} to a force at {}", input.model.name, command.response[1], command.response[0]);
  amplitude.x.label = phase.x.label = "frequency [Hz]";
  amplitude.y = {fmt::format("amplitude [{}]", response.unit), true, 0, 0};
  phase.title = "Phase";
  phase.y = {"phase [deg]", false, -190, 190};
  draw::Curve size, angle;
  for (std::size_t k = 0; k < response.hertz.size(); ++k) {
    size.x.push_back(response.hertz[k]);
    size.y.push_back(std::abs(response.values[k]));
    angle.y.push_back(std::arg(response.values[k]) / kDegree);
  }
  angle.x = size.x;
  amplitude.curves.push_back(std::move(size));
  phase.curves.push_back(std::move(angle));
  return {fmt::format("Frequency response of {}", input.model.name), "", {amplitude, phase}, command.line};
}

// The peaks: what a reader looks for first.
std::string response_text(const ModesCommand& command, const ModesInput& input, const Response& response) {
  std::string text = fmt::format("answer at {} to a force at {}, {} from {:.6g} to {:.6g} Hz\n\n", command.response[1],
                                 command.response[0], counted(response.hertz.size(), "frequency", "frequencies"),
                                 response.hertz.front(), response.hertz.back());
  if (!input.reader.notes.empty()) text += reader_text(input.reader, "reader  ") + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const modes::Peak& peak : response.peaks) {
    rows.push_back({fmt::format("{:.6g}", peak.omega / (2 * std::numbers::pi)),
                    peak.infinite ? "infinite" : fmt::format("{:.4g}", std::abs(peak.value)),
                    peak.infinite ? "" : fmt::format("{:.1f}", std::arg(peak.value) / kDegree)});
  }
  if (rows.empty()) return text + "no peak among them\n";
  return text + table({"peak Hz", response.unit, "phase deg"}, rows);
}

}  // namespace

int run_response(const ModesCommand& command, const ModesInput& input) {
  const Result<Response> response = find(command, input);
  if (!response) return report(response.error(), command.json);
  const auto write = [](const std::string& file, const std::string& text) {
    return file.empty() ? Result<void>() : files::write_text_file(file, text);
  };
  Result<void> written = write(command.output, response_json(command, input, *response));
  if (written) written = write(command.csv, response_csv(*response));
  if (written && !command.plot.empty()) written = write_charts(command.plot, response_page(command, input, *response));
  if (!written) return report(written.error(), command.json);
  if (command.json) return print_result(response_json(command, input, *response));
  return command.quiet ? kDone : print_result(response_text(command, input, *response));
}

}  // namespace espalier::app
