#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace espalier::dynamics::detail {

// kAuto believes that forces are stiff after so many checks in a row that say so.
inline constexpr int kStiffTimes = 3;

// What a run remembers beside the state and its slope. RunState::memory is these numbers, then the slope, then 1 for
// each row that is left out and 0 for the others.
struct RunMemory {
  double origin = 0;      // time of the first frame [s]
  double base = 0;        // kFixed counts its steps from here [s]
  double count = 0;       // kFixed: steps since
  double fixed_step = 0;  // with which they were made [s]
  double last_error = 1e-4;
  double since_check = 0;         // steps
  double stiff = 0;               // yeses in a row
  double patience = kStiffTimes;  // yeses needed
  double explicit_pace = 0;       // of the explicit steps before the change [s a step evaluation]
  double check_time = 0;          // of the last check of the implicit steps [s]
  double energy = 1;              // largest kinetic energy seen, at least 1 [J]
  double rows_wait = 0;           // steps before the next look at the chosen equations
};
inline constexpr std::size_t kMemorySize = 12;

inline std::array<double, kMemorySize> numbers_of(const RunMemory& m) {
  return {m.origin, m.base,     m.count,         m.fixed_step, m.last_error, m.since_check,
          m.stiff,  m.patience, m.explicit_pace, m.check_time, m.energy,     m.rows_wait};
}
inline RunMemory memory_of(const std::vector<double>& n) {
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11]};
}

}  // namespace espalier::dynamics::detail
