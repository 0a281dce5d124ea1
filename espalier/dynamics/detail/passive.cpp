#include "espalier/dynamics/detail/passive.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/constraint_rows.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {

int count_motions(const System& system) {
  return static_cast<int>(
      std::count_if(system->model.forces.begin(), system->model.forces.end(),
                    [](const model::Force& force) { return std::holds_alternative<model::Motion>(force.law); }));
}

System without_motions(const System& system) {
  System passive = system;
  // Motions come first among the drives, in the order of the forces.
  passive->drives.erase(passive->drives.begin(), passive->drives.begin() + count_motions(system));
  passive->rows = 0;
  for (const Closure& closure : passive->closures) passive->rows = closure.row + closure.rows;
  // The rows close up behind the closures again.
  for (Drive& drive : passive->drives) drive.row = passive->rows++;
  return passive;
}

std::vector<int> natural_order(const System& system, int motions) {
  std::vector<int> order;
  const auto add = [&](bool welds, bool lengths) {
    for (const Closure& closure : system->closures) {
      if (closure.joint.valid() == welds) continue;
      const std::span<const model::Direction> directions = model::joint_row(closure.type).rows;
      for (int k = 0; k < closure.rows; ++k) {
        if (is_length(directions[to_index(k)]) == lengths) order.push_back(closure.row + k);
      }
    }
  };
  // Our own welds first, then lengths before angles: what is called redundant does not depend on the tree.
  for (const bool welds : {true, false}) {
    for (const bool lengths : {true, false}) add(welds, lengths);
  }
  for (std::size_t k = 0; k < system->drives.size(); ++k) {
    // Couplings before motions: a motion that contradicts them is the one to be named.
    const std::size_t at = (k + to_index(motions)) % system->drives.size();
    order.push_back(system->drives[at].row);
  }
  return order;
}

}  // namespace espalier::dynamics::detail
