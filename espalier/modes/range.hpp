#pragma once

// Undamped structures: how far up the asked number of eigenfrequencies reaches, and all of them up to a bound.
//   In:   Structure and Tree (structure.hpp)
//   Out:  Range, a bound that is high enough; RootSet, every eigenfrequency below it
// Read next: modes.hpp, the front door; sweep.hpp, one evaluation.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes {

// A frequency below which at least `count` eigenfrequencies lie, beside free motions, and not many more;
// with the pass made for it. Fewer where the structure has no more.
struct Range {
  Pass pass;
  double upto = 0;  // [rad/s]
  int beside = 0;   // so many lie below it beside free motions
  std::int64_t counts = 0;
};
// `free_motions`: how many there are, where kinematics says so.
Result<Range> find_range(const Structure& structure, const Tree& tree, int count, std::optional<int> free_motions = {});

// How high the eigenfrequencies of rigid bodies reach.
struct Highest {
  double omega = 0;     // [rad/s]; infinite where elastic bodies have no end
  bool bounds = false;  // no eigenfrequency lies above; else that is likely and no more
};
// Elements pull no more than if each end were held by twice their stiffness, and rigid joints raise no largest
// eigenfrequency of bodies that all have mass: K <= 2 diag(K_vv) bounds it vertex by vertex. A vertex without mass says
// nothing.
Highest highest_frequency(const Structure& structure);

// All eigenfrequencies of a structure without damping below a bound, by counting: an inertia count says how many lie
// below a frequency [Wittrick71], so that intervals can be halved until each holds one eigenfrequency or several equal
// ones, and the counts on both sides of each prove that none is missing.

struct Root {
  double omega = 0;  // [rad/s]
  int multiplicity = 1;
  double low = 0, high = 0;  // counts here differ by the multiplicity
  double step = 0;           // the last one, relative; what is left is of the order of its square
};

struct RootSet {
  std::vector<Root> roots;                   // by increasing omega; zero first where there are free motions
  int counted = 0;                           // below `upto`, with multiplicities
  bool proved = false;                       // all counts have a safe margin and add up
  bool stopped = false;                      // before its end: nothing is proved, and roots are missing
  double upto = 0;                           // [rad/s]
  std::int64_t counts = 0, evaluations = 0;  // of the pass, without and with derivative; on all ranks
};

// What is slower than this is a motion without any stiffness: a turn in 200 years [rad/s].
inline constexpr double kFreeMotion = 1e-9;

// Collective. Every eigenfrequency below `upto`, free motions as 0. The same on every number of ranks. `free_motions`:
// how many there are, where kinematics says so; then the count that shows them to be all may stand far above
// kFreeMotion. `stop`: any rank's, to end now.
RootSet find_roots(const comm::Comm& comm, const Pass& pass, double upto, std::optional<int> free_motions = {},
                   const std::function<void(int found, int expected)>& watch = {},
                   const std::atomic<bool>* stop = nullptr);

}  // namespace espalier::modes
