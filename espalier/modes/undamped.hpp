#pragma once

// All eigenfrequencies of a structure without damping below a bound, by counting: an inertia count says how many lie
// below a frequency [Wittrick71], so that intervals can be halved until each holds one eigenfrequency or several equal
// ones, and the counts on both sides of each prove that none is missing.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/modes/sweep.hpp"

namespace espalier::modes {

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
  std::int64_t counts = 0, evaluations = 0;  // of the sweep, without and with derivative; on all ranks
};

// What is slower than this is a motion without any stiffness: a turn in 200 years [rad/s].
inline constexpr double kFreeMotion = 1e-9;

// Collective. Every eigenfrequency below `upto`, free motions as 0. The same on every number of ranks. `free_motions`:
// how many there are, where kinematics says so; then the count that shows them to be all may stand far above
// kFreeMotion. `stop`: any rank's, to end now.
RootSet find_roots(const comm::Comm& comm, const Sweep& sweep, double upto, std::optional<int> free_motions = {},
                   const std::function<void(int found, int expected)>& watch = {},
                   const std::atomic<bool>* stop = nullptr);

}  // namespace espalier::modes
