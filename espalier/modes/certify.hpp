#pragma once

// A proof that a region holds so many eigenvalues of a damped structure, from the counted frequencies of the undamped
// one.
//
// Let damping lie between low and high times the mass, as quadratic forms: low M <= C <= high M. With 2 g = (low +
// high) / 2 the structure with damping 2 g M has its eigenvalues where s^2 + 2 g s + omega_j^2 = 0, known numbers. Let
// its damping grow into C. An eigenvalue that entered or left the region would cross its edge, and there (K + s^2 M + 2
// g s M)^-1 is no larger than 1 / min_j |omega_j^2 + s^2 + 2 g s| in the norm of M, while what is added is no larger
// than |s| (high - low) / 2. Where the product stays below 1 along the whole edge, nothing crosses it.

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/modes/damped.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"

namespace espalier::modes {

// low M <= C <= high M. Not bounded: some damping acts on what has no mass, or grows with stiffness (Kelvin-Voigt).
struct DampingBound {
  bool bounded = false;
  double low = 0, high = 0;  // [1/s]
  int bodies = 0;            // motions of rigid bodies that have mass
};
DampingBound bound_damping(const Structure& structure);

struct RegionProof {
  bool proved = false;
  Region region;                     // the one asked for, or a larger one that the proof can do
  int count = 0;                     // eigenvalues in it, with multiplicities
  double crossing = 0;               // largest product along its edge; below 1 where proved
  std::string reason;                // why not
  std::vector<ComplexRoot> uniform;  // eigenvalues in it, were damping a multiple of the mass
  std::int64_t counts = 0;           // evaluations of the structure without damping
};

// Collective. `structure` is the damped one. Where the region itself cannot be proved, the nearest larger one is
// sought: its top between two frequencies that lie far apart, its left edge further out.
Result<RegionProof> prove_region(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                                 const Region& region);

}  // namespace espalier::modes
