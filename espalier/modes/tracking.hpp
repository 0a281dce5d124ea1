#pragma once

// Modes of a structure while one of its numbers changes: which mode of one step is which of the next. Not by their
// order, which changes where frequencies cross, but by their shapes: MAC = |q_a* q_b|^2 of mass coordinates of length 1
// (energy.hpp), 1 for equal shapes and 0 for orthogonal ones. Between two steps whose shapes are too different to tell,
// or whose modes seem to change places, more steps are taken, so that two modes that veer away from each other are not
// taken for two that cross.

#include <complex>
#include <functional>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/modes/mode_set.hpp"
#include "espalier/modes/tree.hpp"

namespace espalier::modes {

// The vibrations of one step, Im s > 0, by increasing frequency; equal ones are as many columns.
struct TrackStep {
  std::vector<std::complex<double>> s;
  std::vector<int> group;        // equal eigenvalues have the same number
  Eigen::MatrixXcd coordinates;  // a column each, of length 1
  Certainty certainty = Certainty::kNone;
};

// Modes with shapes that can be compared between structures whose beams are cut into the same pieces.
Result<TrackStep> make_track_step(const Structure& structure, const Tree& tree, const ModeSet& set,
                                  const std::vector<int>& pieces);

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
