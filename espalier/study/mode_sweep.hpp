#pragma once

// The modes of a model while one of its numbers changes: frequencies and damping, each mode followed from value to
// value by its shape.
//   In:   LoadedVariants (load.hpp), the path of the number and its values
//   Out:  ModeSweepAnswer; documents.hpp for its JSON
// Read next: modes/tracking.hpp, how modes are told apart.

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/draw/chart.hpp"
#include "espalier/modes/tracking.hpp"
#include "espalier/study/load.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::study {

struct ModeSweepOptions {
  std::string path;            // formats::FieldValue::path of the number that changes
  std::vector<double> values;  // two or more, up or down, in the units of the file
  ModesOptions modes;          // at each of them
  std::function<void(int searches, double value)> watch;  // told before each search, on every rank
};

struct ModeSweepAnswer {
  ReaderNotes reader;
  std::string path;
  modes::TrackSet set;
};

// Collective; the same on every number of ranks. A search for each value, and more between two values whose modes
// cannot be told apart. Errors: those of study::modes, with the value; values out of order; a path that is no number
// of the model, or that changes how many elements the structure has.
Result<ModeSweepAnswer> sweep_modes(const comm::Comm& comm, const LoadedVariants& loaded,
                                    const ModeSweepOptions& options);

double hertz(std::complex<double> s);          // [Hz]
double damping_ratio(std::complex<double> s);  // part of critical damping; 1 where nothing oscillates, 0 of s = 0 [-]

// One line per value, with a frequency and a damping ratio for each mode; empty where a mode is not among those found.
std::string to_csv(const ModeSweepAnswer& answer);
// Frequencies, and damping ratios where anything dissipates. `command` is what made it.
draw::ChartPage make_page(const ModeSweepAnswer& answer, std::string command);

}  // namespace espalier::study
