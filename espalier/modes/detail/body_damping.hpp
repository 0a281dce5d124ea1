#pragma once

// How strongly dampers hold the rigid bodies of a structure, against their masses.

#include "espalier/modes/detail/certify.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

struct BodyDamping {
  bool bounded = false;      // false: damping acts on something without mass
  double low = 0, high = 0;  // low M <= C <= high M over all motions of the bodies [1/s]
  int motions = 0;           // that have mass
};

// Joints damp bodies against each other, those whose dampers are not compared with their springs. By sparse Cholesky
// factors: O(bodies) for trees and for local loops.
BodyDamping bound_body_damping(const Structure& structure, DamperBy by);

inline bool is_by_stiffness(const Hinge& hinge, std::size_t direction, DamperBy by) {
  return by == DamperBy::kStiffness && hinge.stiffness[direction] > 0;
}

}  // namespace espalier::modes::detail
