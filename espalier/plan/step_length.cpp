#include "espalier/plan/step_length.hpp"

namespace espalier::plan {

double step_length(int freedom, const MachineConstants& machine) {
  const double hinge = machine[Work::kJoint] + machine[Work::kCoordinate];
  // A file may say that neither takes any time.
  return hinge > 0 ? (machine[Work::kJoint] + freedom * machine[Work::kCoordinate]) / hinge : 1;
}

void measure_lengths(const MachineConstants& machine, Network& network) {
  for (std::size_t e = 0; e < network.length.size(); ++e) network.length[e] = step_length(network.freedom[e], machine);
}

}  // namespace espalier::plan
