#pragma once

// Front door of the room: vibration modes of a linear structure, and what stands behind their number.
//   In:     Model in equilibrium -> Structure (structure.hpp); a tree (plan/)
//   Out:    ModeSet: eigenvalues, multiplicities, shapes, and a certificate
//   Source: [Rui14] for the transfer equations, [Bestle14] for the recursive search, [Wittrick71] for the count;
//           docs/theory/modes.md for the rest
// An eigenvalue s of exp(s t) is i omega where nothing dissipates.

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"

namespace espalier::modes {

enum class Method {
  kAuto,       // undamped: counts, isolation, refinement; damped: rational approximation, polishing, winding number
  kRecursive,  // [Bestle14] on the overall transfer matrix
  kBisection,  // sign changes of its determinant; undamped only
};

// What stands behind the number of eigenvalues.
enum class Certainty {
  kProved,   // inertia counts on both sides, or an enclosure: none is missing
  kChecked,  // a sampled winding number agrees: good evidence, no proof
  kNone,     // the method does not know
};

struct ModesOptions {
  double max_frequency = 0;  // look for |omega| up to here [rad/s]; 0: as `count` asks
  int count = 10;            // the lowest so many, where max_frequency is 0
  Method method = Method::kAuto;
  double tolerance = 1e-13;  // relative, of an eigenvalue
  bool shapes = true;
  std::function<void(int found, int expected)> watch;
};

struct Mode {
  std::complex<double> s;  // [1/s]
  int multiplicity = 1;
  std::array<double, 2> bracket = {0, 0};  // undamped: the counts on both sides differ by the multiplicity [rad/s]
  double residual = 0;                     // relative
  // One for each multiplicity, by vertex of the structure and direction; largest displacement 1 in length_unit.
  std::vector<std::vector<std::array<std::complex<double>, 6>>> shapes;
};

struct ModeSet {
  std::vector<Mode> modes;  // by increasing |Im s|, then by Re s
  int found = 0;            // with multiplicities
  int counted = 0;          // in the searched region
  Certainty certainty = Certainty::kNone;
  std::string certificate;       // in words
  double upto = 0;               // the region: |omega| below this [rad/s]
  std::int64_t evaluations = 0;  // of the determinant
  double seconds = 0;
};

// Undamped: all modes below a frequency, proved. The tree decides only how long it takes.
Result<ModeSet> find_modes(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                           const ModesOptions& options);

}  // namespace espalier::modes
