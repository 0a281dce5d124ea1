#pragma once

// The verb `modes`: how a model that is drawn in equilibrium vibrates. Four questions to the same structure:
//   modes()            eigenvalues with their certificate, shapes, masses that take part, and where the energy is
//   sweep_modes()      the modes while a number of the model changes, each followed from value to value by its shape
//   response()         how a point moves under a harmonic force at another one, and where that is largest
//   transfer_matrix()  the overall transfer equation [Rui14], to read and to check against
//   In:   LoadedModel or, where a number changes, LoadedVariants (load.hpp), and the options of the question
//   Out:  its answer, a plain value; text.hpp and documents.hpp have its report and its JSON
// Read next: modes/modes.hpp, what is found and how; modes/tracking.hpp, modes/response.hpp and modes/transfer.hpp.

#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/draw/chart.hpp"
#include "espalier/draw/pages.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/modes/response.hpp"
#include "espalier/modes/results.hpp"
#include "espalier/modes/tracking.hpp"
#include "espalier/modes/transfer.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// Vibration modes.

struct ModesOptions {
  int count = 10;                       // [-] The lowest so many beside free motions, from 1 to 100000.
  std::optional<double> max_frequency;  // [Hz] All modes below this, instead of `count`.
  std::optional<double> max_decay;      // [1/s] Damped: all that decay slower than exp(-max_decay t).
  std::optional<modes::Box> box;        // [1/s] The eigenvalues in it alone, instead of the three above.
  modes::Method method = modes::Method::kAuto;
  // Of the searches of the literature; kAuto takes none of them.
  std::optional<std::array<int, 2>> samples;  // [-] Points along Re s and Im s, both ends among them; 50 and 100.
  std::optional<double> resolution;           // [1/s] Of an eigenvalue; a millionth of the height of the box.
  // kRecursive: which rank computes what, and threads of each rank; kDynamic and 1.
  std::optional<modes::Distribution> distribution;
  std::optional<int> threads;
  bool shapes = true;  // False: eigenvalues alone.
  modes::Scaling scaling = modes::Scaling::kLargest;
  bool no_estimate = false;     // True leaves out a second search, for what segments of tapered bodies cost.
  bool no_free_motion = false;  // True refuses a structure in which something can move without stiffness.
  std::function<void(int found, int expected)> watch;  // progress, on the root rank
  // The same of samples that the searches of the literature compute at a time.
  std::function<void(std::int64_t done, std::int64_t of)> watch_samples;
  const std::atomic<bool>* stop = nullptr;  // any rank's: end now, with what is known
};

// A plain value, the same on all ranks but for `results` and the shapes that it scales: the root rank has them.
struct ModesAnswer {
  ReaderNotes reader;
  model::Model model;
  modes::Structure structure;
  modes::Tree tree;
  modes::ModeSet set;
  std::optional<modes::ModeResults> results;  // where shapes were asked for
  bool shapes = true;
  std::optional<modes::Box> box;  // as asked
  modes::GridOptions grid;        // of the searches of the literature
  int ranks = 1;
};

// What modes::find_modes is asked for these options. Errors name the option, the value and the way out.
Result<modes::ModesOptions> search_options(const ModesOptions& options);

// Collective; the same bits on every number of ranks. Errors: an option out of its range; a model whose reader left
// out what changes its modes; what modes::make_structure and modes::find_modes refuse.
Result<ModesAnswer> modes(const comm::Comm& comm, const LoadedModel& loaded, const ModesOptions& options = {});

// Something with a name that moves, yields or dissipates, and its part in one shape [J] at the shape's own scale.
struct EnergyPart {
  const char* kind = "";  // bodies, joints, forces
  std::string name;
  modes::Energy energy;
};

// In the order of the model: bodies, then joints and forces in the order of the structure's elements.
// O(vertices + elements).
std::vector<EnergyPart> energy_parts(const ModesAnswer& answer, const modes::ShapeResult& shape);

// The determinant over the plane of s, of an undamped structure along the frequencies, with the eigenvalues that were
// found. Some seconds of evaluations.
Result<draw::Chart> draw_determinant(const ModesAnswer& answer);

// Shapes that move, scaled so that the largest displacement is 1. Of an answer with `results`.
draw::Motion make_motion(const ModesAnswer& answer);

// A page with the moving shapes, `text` and the chart above. `command` is what made it.
Result<draw::ModePage> make_page(const ModesAnswer& answer, std::string text, std::string command);

// Modes while a number of the model changes.

struct ModeSweepOptions {
  std::string path;                                       // formats::FieldValue::path of the number that changes
  std::vector<double> values;                             // two or more, up or down, in the units of the file
  ModesOptions modes;                                     // at each of them
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

// The frequency response.

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

// Files of an answer about vibrations.

// Where they are; empty: not written.
struct ModesFiles {
  std::string output;     // the JSON document
  std::string csv;        // of a sweep or a response
  std::string plot;       // .html: the page with all charts and moving shapes; .svg: its first chart
  std::string page = {};  // the page, whatever its ending
};

// Before a search that may last. Errors: a file that is the model or a folder; an output that holds something else than
// such a document; a plot with another ending.
Result<void> check_files(const ModesFiles& files, const std::string& model);
// As the ending of the file asks.
Result<void> write_plot(const std::string& file, const draw::ModePage& page);

// The overall transfer equation: its unknowns, and its matrix and determinant at an s. docs/theory/modes.md.

// The equation at one s.
struct MatrixValue {
  std::complex<double> s;  // [1/s]
  Eigen::MatrixXcd matrix;
  modes::Scaled<std::complex<double>> determinant;
};

struct MatrixAnswer {
  modes::Structure structure;
  modes::OverallEquation equation;
  std::optional<MatrixValue> value;  // where an s was given
};

// O(elements * order), with `at` and O(order^3). Errors: those of modes::make_overall; an s that is not finite.
Result<MatrixAnswer> transfer_matrix(const LoadedModel& loaded, std::optional<std::complex<double>> at = {});

// Of an unknown of the equation: "root", "tip", "cut", "release", "restraint"; the vertex or element where it is; and
// what it stands for, "forces of a support".
const char* kind_word(const modes::OverallUnknown& unknown);
std::string place_of(const MatrixAnswer& answer, const modes::OverallUnknown& unknown);
std::string meaning_of(const modes::OverallUnknown& unknown);

}  // namespace espalier::study
