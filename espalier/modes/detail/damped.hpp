#pragma once

// Eigenvalues of a damped structure in a region of the complex plane. The logarithmic derivative of the determinant has
// a simple pole at each, with its multiplicity as residue. Each start, an eigenvalue of the structure without damping,
// is followed to an eigenvalue of its own; the integral along the region's edge, with all that is found taken out of
// it, counts what is missing, and what is missing is hunted for on the real axis and by a rational function through the
// samples on the edge. That count is sampled: good evidence, no proof.

#include <atomic>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/modes/detail/complex_root.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes::detail {

struct ComplexRootSet {
  std::vector<ComplexRoot> roots;  // Im s >= 0, by increasing Im s, then Re s; those above the axis stand for a pair
  int found = 0;                   // in the whole region, with multiplicities
  double counted = 0;              // the integral: near an integer; not finite where the determinant is no number
  bool checked = false;            // both agree
  bool exhausted = false;          // the work that a search may do was done before they agreed
  bool stopped = false;
  std::int64_t samples = 0, evaluations = 0;  // on the edge, and all
};

// What is known beforehand.
struct KnownRoots {
  int at_zero = 0;                  // multiplicity of s = 0, where structures have motions without stiffness
  std::vector<ComplexRoot> starts;  // each leads to an eigenvalue of its own, in the region or around it
  // Left of this there are eigenvalues without end, at the essential singularity of Kelvin-Voigt damping [1/s].
  double barrier = -std::numeric_limits<double>::infinity();
  // Eigenvalues in the region, with multiplicities and mirror images, where that is proved.
  std::optional<int> expected;
};

// The work that a search may do, in evaluations of the determinant, beside so many for each start.
inline constexpr std::int64_t kMostEvaluations = 6000, kMostEvaluationsEach = 100;

struct RootSearchOptions {
  std::function<void(int found, int expected)> watch;  // progress, on the root rank
  const std::atomic<bool>* stop = nullptr;             // any rank's: end now
};

// Collective. The same on every number of ranks. Ends after kMostEvaluations + kMostEvaluationsEach * starts.
ComplexRootSet find_roots(const comm::Comm& comm, const Pass& pass, const Region& region, const KnownRoots& known = {},
                          const RootSearchOptions& options = {});

}  // namespace espalier::modes::detail
