#pragma once

// A proof that a region holds so many eigenvalues of a damped structure, from the counted frequencies of the undamped
// one.
//
// Let damping lie between low M + stiff_low K and high M + stiff_high K, as quadratic forms. With 2 g = (low + high) /
// 2 and h = (stiff_low + stiff_high) / 2 the structure with damping 2 g M + h K has its eigenvalues where p_j(s) = s^2
// + 2 g s + (1 + h s) omega_j^2 is 0, known numbers. Let its damping grow into C. What is added lies between -D and D,
// D = (high - low) / 2 M + (stiff_high - stiff_low) / 2 K, which has d_j in the mode j. An eigenvalue that entered or
// left the region would cross its edge; where |s| d_j < |p_j(s)| for all j along the whole edge, nothing crosses it.

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/modes/detail/damped.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes::detail {

// low M + stiff_low K <= C <= high M + stiff_high K. Not bounded: a damper acts on what has neither mass nor stiffness.
struct DampingBound {
  bool bounded = false;
  double low = 0, high = 0;              // [1/s]
  double stiff_low = 0, stiff_high = 0;  // [s]
  int bodies = 0;                        // motions of rigid bodies that have mass
};
// What a damper beside a spring is compared with. Kelvin-Voigt damping always with stiffness, viscous with mass.
enum class DamperBy { kMass, kStiffness };
DampingBound bound_damping(const Structure& structure, DamperBy by);

struct RegionProof {
  bool proved = false;
  Region region;                     // the one asked for, or a larger one that the proof can do
  int count = 0;                     // eigenvalues in it, with multiplicities
  double crossing = 0;               // largest product along its edge; below 1 where proved
  std::string reason;                // why not
  std::vector<ComplexRoot> uniform;  // eigenvalues in it, were damping a multiple of the mass
  std::vector<ComplexRoot> starts;   // where to look for the eigenvalues of all modes in it and around it
  std::int64_t counts = 0;           // evaluations of the structure without damping
};

// Collective. `structure` is the damped one. Where the region itself cannot be proved, the nearest larger one is
// sought: its top between two frequencies that lie far apart, its left edge further out. `stop`: any rank's; then
// nothing is proved.
Result<RegionProof> prove_region(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                                 const Region& region, const std::atomic<bool>* stop = nullptr);

}  // namespace espalier::modes::detail
