#pragma once

// The frequency response of a model that is drawn in equilibrium: how a point moves under a force that swings at
// another one, and where that is largest.
//   In:   LoadedModel (load.hpp), two places, a range of frequencies
//   Out:  ResponseAnswer; documents.hpp for its JSON
// Read next: modes/response.hpp for places and units, modes/peaks.hpp for peaks.

#include <complex>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/draw/chart.hpp"
#include "espalier/modes/peaks.hpp"
#include "espalier/modes/response.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

struct ResponseOptions {
  std::string force, answer;  // Where the force acts, and where the answer is: modes::find_place.
  double from = 0;            // [Hz] Lowest frequency.
  double to = 0;              // [Hz] Highest frequency, above `from`.
  int points = 401;           // [-] Frequencies in equal steps, both ends among them, from 2 to 1000000.
};

struct ResponseAnswer {
  ReaderNotes reader;
  std::string model;  // its name
  modes::Place force, answer;
  std::string force_text, answer_text;  // as asked
  std::string unit;                     // of `values`: "m/N"
  std::vector<double> hertz;            // [Hz] A start at 0 stands a millionth of `to` above it.
  std::vector<std::complex<double>> values;
  std::vector<modes::Peak> peaks;
};

// One sweep over the structure for each frequency, and a search for the modes up to `to`. Errors: an option out of its
// range; a place that is not there; a model whose reader left out what changes its modes.
Result<ResponseAnswer> response(const LoadedModel& loaded, const ResponseOptions& options);

// One line per frequency: real and imaginary part, amplitude and phase.
std::string to_csv(const ResponseAnswer& answer);
// Amplitude and phase over the frequency. `command` is what made it.
draw::ChartPage make_page(const ResponseAnswer& answer, std::string command);

}  // namespace espalier::study
