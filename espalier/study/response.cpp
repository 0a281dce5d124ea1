#include "espalier/study/modes.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/study/detail/modes_input.hpp"

namespace espalier::study {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// A receptance of rotations has other units than one of displacements: a curve without units is of no use.
std::string unit_of(const modes::Place& force, const modes::Place& answer) {
  return fmt::format("{}/{}", answer.rotation ? "rad" : "m", force.rotation ? "(N m)" : "N");
}

Result<std::vector<double>> make_frequencies(const ResponseOptions& options) {
  const double from = options.from, to = options.to;
  // Written so that a NaN is refused too.
  if (!(from >= 0) || !(to > from) || !std::isfinite(to)) {
    return make_option_error("to", fmt::format("`from` is {} and `to` is {}", from, to),
                             "give two frequencies in Hz, the lower first");
  }
  if (options.points < 2 || options.points > 1'000'000) {
    return make_option_error("points", fmt::format("`points` is {}", options.points),
                             "give a number from 2 to 1000000");
  }
  std::vector<double> hertz;
  // By number and not by adding up: the last point is the upper end to the bit.
  for (int k = 0; k < options.points; ++k) hertz.push_back(from + (to - from) * k / (options.points - 1));
  // At rest what is free has no answer.
  if (from == 0) hertz.front() = 1e-6 * to;
  return hertz;
}

Result<void> find(const detail::ModesInput& input, ResponseAnswer& answer) {
  std::vector<double> omega;
  for (const double f : answer.hertz) omega.push_back(2 * std::numbers::pi * f);
  Result<std::vector<std::complex<double>>> values =
      modes::find_response(input.structure, input.tree, answer.force, answer.answer, omega);
  ESPALIER_TRY(values);
  answer.values = *std::move(values);
  // Peaks are found and not read off: one that is narrower than a step would be missed.
  Result<std::vector<modes::Peak>> peaks =
      modes::find_peaks(input.structure, input.tree, answer.force, answer.answer, omega, answer.values);
  ESPALIER_TRY(peaks);
  answer.peaks = *std::move(peaks);
  return {};
}

}  // namespace

// (1) Options; (2) the structure; (3) both places; (4) the response at each frequency, and its peaks.
Result<ResponseAnswer> response(const LoadedModel& loaded, const ResponseOptions& options) {
  Result<std::vector<double>> hertz = make_frequencies(options);
  ESPALIER_TRY(hertz);
  // (2) Before the places, which are looked up in it.
  Result<detail::ModesInput> input = detail::make_modes_input(loaded);
  ESPALIER_TRY(input);
  // (3) Places are names of the file: each is looked up where it can be refused by name.
  const Result<modes::Place> force = modes::find_place(loaded.model, input->structure, options.force);
  ESPALIER_TRY(force);
  const Result<modes::Place> place = modes::find_place(loaded.model, input->structure, options.answer);
  ESPALIER_TRY(place);
  ResponseAnswer answer;
  answer.reader = std::move(input->reader);
  answer.model = loaded.model.name;
  answer.force = *force;
  answer.answer = *place;
  answer.force_text = options.force;
  answer.answer_text = options.answer;
  answer.unit = unit_of(*force, *place);
  answer.hertz = *std::move(hertz);
  // (4) Most of the time goes here.
  const Result<void> found = find(*input, answer);
  ESPALIER_TRY(found);
  return answer;
}

std::string to_csv(const ResponseAnswer& answer) {
  std::string text =
      fmt::format("frequency [Hz],real [{0}],imaginary [{0}],amplitude [{0}],phase [rad]\n", answer.unit);
  for (std::size_t k = 0; k < answer.hertz.size(); ++k) {
    const std::complex<double> value = answer.values[k];
    text += fmt::format("{},{},{},{},{}\n", answer.hertz[k], value.real(), value.imag(), std::abs(value),
                        elementary::atan2(value.imag(), value.real()));
  }
  return text;
}

draw::ChartPage make_page(const ResponseAnswer& answer, std::string command) {
  draw::Chart amplitude, phase;
  amplitude.title =
      fmt::format("{}: answer at {} to a force at {}", answer.model, answer.answer_text, answer.force_text);
  amplitude.x.label = phase.x.label = "frequency [Hz]";
  // Logarithmic: resonances are thousands of times the response between them.
  amplitude.y = {fmt::format("amplitude [{}]", answer.unit), true, 0, 0};
  phase.title = "Phase";
  // A little beyond half a turn, so that curves do not run along the frame.
  phase.y = {"phase [deg]", false, -190, 190};
  draw::Curve size, angle;
  for (std::size_t k = 0; k < answer.hertz.size(); ++k) {
    size.x.push_back(answer.hertz[k]);
    size.y.push_back(std::abs(answer.values[k]));
    angle.y.push_back(elementary::atan2(answer.values[k].imag(), answer.values[k].real()) / kDegree);
  }
  angle.x = size.x;
  amplitude.curves.push_back(std::move(size));
  phase.curves.push_back(std::move(angle));
  return {fmt::format("Frequency response of {}", answer.model), "", {amplitude, phase}, std::move(command)};
}

}  // namespace espalier::study
