#pragma once

// Modes over a parameter: the determinant over the plane of s, which shows where modes are, and modes followed from
// value to value of a number of the model.
//   In:   Structure and Tree (structure.hpp); for tracks a function that finds the modes at a value
//   Out:  Landscape; TrackSet
// Read next: modes.hpp, the search for modes; results.hpp, the coordinates that shapes are compared by.

#include <complex>
#include <functional>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes {

// The determinant over the plane of s, or along the frequencies of an undamped structure: what the methods search in.

struct Landscape {
  Box box;                         // left == right: along the axis alone
  int columns = 1, rows = 0;       // samples along Re s and Im s
  std::vector<double> log10_size;  // of |det|; row by row from the lowest Im s, each from the lowest Re s
  std::vector<int> sign;           // of det, of an undamped structure along the axis; else empty
};

// kAuto: the determinant of the pass, which keeps its digits; else that of the overall transfer matrix, which the
// literature's searches look at. Samples are in the middle of columns x rows cells of the box; along the axis they are
// equally spaced from bottom to top, both among them, but for 0. As many evaluations.
Result<Landscape> sample_landscape(const Structure& structure, const Tree& tree, Method method, const Box& box,
                                   int columns, int rows);

// Modes of a structure while one of its numbers changes: which mode of one step is which of the next. Not by their
// order, which changes where frequencies cross, but by their shapes: MAC = |q_a* q_b|^2 of mass coordinates of length 1
// (results.hpp), 1 for equal shapes and 0 for orthogonal ones. Between two steps whose shapes are too different to
// tell, or whose modes seem to change places, more steps are taken, so that two modes that veer away from each other
// are not taken for two that cross.

// The vibrations of one step, Im s > 0, by increasing frequency; equal ones are as many columns.
struct TrackStep {
  std::vector<std::complex<double>> s;
  std::vector<int> group;        // equal eigenvalues have the same number
  Eigen::MatrixXcd coordinates;  // a column each, of length 1
  Certainty certainty = Certainty::kNone;
};

// Modes with shapes that can be compared between structures whose beams are cut into the same slices.
Result<TrackStep> make_track_step(const Structure& structure, const Tree& tree, const ModeSet& set,
                                  const std::vector<int>& slices);

struct Track {
  std::vector<std::complex<double>> s;  // by value; no number where the mode is not among those found
  std::vector<double> mac;              // with the value before; the smallest of the steps between
};

struct TrackSet {
  std::vector<double> values;
  std::vector<Track> tracks;         // by frequency at their first value, then by that value
  std::vector<Certainty> certainty;  // by value
  int steps = 0;                     // searches, those between values among them
};

using StepAt = std::function<Result<TrackStep>(double value)>;

struct TrackOptions {
  int count = 10;        // so many modes must be told apart
  double clear = 0.75;   // MAC above which two modes are the same without another look
  int max_halvings = 8;  // of the way between two values; what still changes places then, crosses
};

// The same on every number of ranks, as far as `at` is.
Result<TrackSet> track_modes(const StepAt& at, const std::vector<double>& values, const TrackOptions& options = {});

}  // namespace espalier::modes
