#include "espalier/plan/options.hpp"

#include <numeric>

namespace espalier::plan {

std::span<const std::string_view, kWorkKinds> work_names() {
  static constexpr std::array<std::string_view, kWorkKinds> kNames = {
      "joint", "coordinate", "loop", "row", "carried_row", "carried_coordinate", "coupling", "flop", "pair"};
  return kNames;
}

WorkCount& WorkCount::operator+=(const WorkCount& other) {
  for (std::size_t k = 0; k < kWorkKinds; ++k) amount[k] += other.amount[k];
  return *this;
}

double elimination_flops(int m, int r, Meeting meeting) {
  const double pivots = m;
  const double rows = r;
  // (P21)
  const double factor_and_solve = pivots * pivots * pivots / 3 + pivots * pivots * (rows + 1);
  const double update_and_substitute = pivots * (rows * (rows + 1) / 2 + rows);
  // On a body its acceleration is eliminated behind the loop: six unknowns more, which are solved with (6 m^2), updated
  // (m times 21 entries of a symmetric block and 6 for each of the r rows) and substituted back (6 m). What stands
  // still has none.
  if (meeting == Meeting::kAtWorld) return factor_and_solve + update_and_substitute;
  return factor_and_solve + update_and_substitute + 6 * pivots * pivots + pivots * (6 * rows + 21 + 6);
}

double step_length(int freedom, const MachineConstants& machine) {
  const double hinge = machine[Work::kJoint] + machine[Work::kCoordinate];
  // A file may say that neither takes any time.
  return hinge > 0 ? (machine[Work::kJoint] + freedom * machine[Work::kCoordinate]) / hinge : 1;
}

double time_of(const WorkCount& work, const MachineConstants& machine) {
  // (P22) for one worker: one part after the other.
  return std::inner_product(work.amount.begin(), work.amount.end(), machine.seconds.begin(), 0.0);
}

}  // namespace espalier::plan
