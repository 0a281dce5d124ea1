#include "espalier/modes/detail/certify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/modes/detail/body_damping.hpp"
#include "espalier/modes/detail/free_motions.hpp"
#include "espalier/modes/range.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

constexpr int kMostHalvings = 40;
// Parts of edges that are looked at in all, over all regions tried: a proof that takes more is none.
constexpr int kMostParts = 200'000;
// Frequencies are known up to this many times the region's reach; beyond it only that they are higher. A region that is
// sought instead of the one asked for is no larger than that.
constexpr double kBeyond = 1.6;
constexpr double kFarther = 8;  // for structures of rigid bodies, which have so many frequencies and no more
// Damping by mass that exceeds the region by more than this factor proves nothing in it: no frequencies are counted for
// its sake.
constexpr double kMostDamping = 4;
// Damping that differs from a uniform one by less than this part of a frequency leaves the eigenvalue near to that of
// uniform damping.
constexpr double kNearlyUniform = 0.2;
// A start stands beside the axis, on which an eigenvalue of a mode without damping is a pole.
constexpr double kBesideAxis = 1e-3;

struct Ratio {
  double low = std::numeric_limits<double>::infinity(), high = 0;

  void add(double ratio) {
    low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  // Nothing of this kind: between 0 and 0.
  double least() const { return std::isfinite(low) ? low : 0; }
};

struct Ratios {
  Ratio mass, stiffness;
};

// False where an elastic body has no mass.
bool add_beam(const Beam& beam, Ratios& ratios) {
  if (beam.axial || beam.bend_y || beam.bend_z) {
    if (!(beam.rho_A > 0)) return false;
    ratios.mass.add(beam.viscous / beam.rho_A);
  }
  // Torsion and rotary inertia have mass that viscous damping does not touch, a foundation stiffness without damping.
  if (beam.torsion || beam.rho_Iy > 0 || beam.rho_Iz > 0) ratios.mass.add(0);
  ratios.stiffness.add(beam.kelvin_voigt);
  if (beam.foundation > 0) ratios.stiffness.add(0);
  return true;
}

// What the condition (M13) compares: p = s^2 + 2 g s + (1 + h s) w against |s| (mass_width + stiffness_width w), with
// w = omega^2.
struct Margins {
  double g = 0, h = 0, mass_width = 0, stiffness_width = 0;

  explicit Margins(const DampingBound& bound)
      : g((bound.low + bound.high) / 4),
        h((bound.stiff_low + bound.stiff_high) / 2),
        mass_width((bound.high - bound.low) / 2),
        stiffness_width((bound.stiff_high - bound.stiff_low) / 2) {}
};

// The least of |alpha w + z| - slope w for real w >= from; negative infinity where it has none. A branch of a hyperbola
// less a line: convex.
double least_beyond(Complex alpha, Complex z, double slope, double from) {
  const double steep = std::abs(alpha);
  // Asked even where no frequency is left: what has stiffness and no mass stands for infinite ones.
  if (!(steep > slope)) return -std::numeric_limits<double>::infinity();
  if (!std::isfinite(from)) return std::numeric_limits<double>::infinity();
  const Complex turned = std::conj(alpha) * z;
  const double apex = -turned.real() / (steep * steep), distance = std::abs(turned.imag()) / steep;
  const double w = std::max(from, apex + slope * distance / (steep * std::sqrt(steep * steep - slope * slope)));
  return std::abs(alpha * w + z) - slope * w;
}

// The condition (M13) along one side of the edge, by halving it until each part is certain.
class Edge {
 public:
  Edge(const std::vector<double>& squares, double next, const Margins& margins, int& parts_left)
      : squares_(squares), next_(next), m_(margins), parts_left_(parts_left) {}

  bool is_safe(Complex from, Complex to, int depth = 0) {
    const Complex s = (from + to) / 2.0;
    const double length = std::abs(to - from) / 2;
    // How far both sides of the condition change along the part, without w and for each w.
    const double fixed = length * (2 * std::abs(s + m_.g) + length + m_.mass_width);
    const double each = length * (m_.h + m_.stiffness_width);
    note_worst(s);
    if (least(s, fixed, each) > 0) return true;
    if (depth >= kMostHalvings || --parts_left_ < 0 || !(least(s, 0, 0) > 0)) return false;
    return is_safe(from, s, depth + 1) && is_safe(s, to, depth + 1);
  }
  double worst() const { return worst_; }

 private:
  // Of |p| less all that could bring it to 0, over all frequencies.
  double least(Complex s, double fixed, double each) const {
    const Complex alpha = 1.0 + m_.h * s, z = s * (s + 2 * m_.g);
    const double slope = std::abs(s) * m_.stiffness_width + each;
    double out = least_beyond(alpha, z, slope, next_);
    for (const double w : squares_) out = std::min(out, std::abs(alpha * w + z) - slope * w);
    return out - std::abs(s) * m_.mass_width - fixed;
  }
  void note_worst(Complex s) {
    const Complex alpha = 1.0 + m_.h * s, z = s * (s + 2 * m_.g);
    for (const double w : squares_) {
      worst_ = std::max(worst_, std::abs(s) * (m_.mass_width + m_.stiffness_width * w) / std::abs(alpha * w + z));
    }
  }

  const std::vector<double>& squares_;
  double next_;
  Margins m_;
  int& parts_left_;
  double worst_ = 0;
};

// Frequencies without damping, squared.
struct Spectrum {
  std::vector<double> squares;
  std::vector<int> multiplicity;
  double next = 0;  // all others are above
};

// Roots of s^2 + 2 g s + (1 + h s) square in the region; one of each pair.
void add_roots(double square, int multiplicity, const Margins& margins, RegionProof& proof) {
  const double half = margins.g + margins.h * square / 2;
  const Complex root = std::sqrt(Complex(half * half - square, 0));
  for (const Complex& s : {-half + root, -half - root}) {
    if (!proof.region.contains(s)) continue;
    proof.count += multiplicity;
    if (s.imag() >= 0) proof.uniform.push_back({s, 1, 0});
  }
}

// One region with one pair of bounds (M12):
//   1. the eigenvalues of uniform damping are roots of p_j and counted in closed form
//   2. (M13) holds along the edge, so none crosses it while the damping grows into that of the structure
// The region is its own mirror image: three sides above the real axis say it for all.
RegionProof prove(const Spectrum& spectrum, const DampingBound& bound, const Region& region, int& parts_left) {
  const Margins margins(bound);
  RegionProof proof;
  proof.region = region;
  // High frequencies, and what has no mass, have eigenvalues near s = -1 / h; all are counted only if that lies
  // outside.
  if (!(1 + bound.stiff_high * region.left > 0)) {
    proof.reason = fmt::format("the region reaches s = -{:.4g} 1/s, where eigenvalues gather", 1 / bound.stiff_high);
    return proof;
  }
  // 1.
  for (std::size_t k = 0; k < spectrum.squares.size(); ++k) {
    add_roots(spectrum.squares[k], spectrum.multiplicity[k], margins, proof);
  }
  // 2.
  Edge edge(spectrum.squares, spectrum.next, margins, parts_left);
  const Complex low_right(region.right, 0), high_right(region.right, region.top);
  const Complex high_left(region.left, region.top), low_left(region.left, 0);
  proof.proved =
      edge.is_safe(low_right, high_right) && edge.is_safe(high_right, high_left) && edge.is_safe(high_left, low_left);
  proof.crossing = edge.worst();
  if (!proof.proved) proof.reason = "damping varies too much: an eigenvalue could cross the edge of the region";
  return proof;
}

// Where the eigenvalues of all modes are looked for: those of uniform damping where damping is nearly uniform, else
// those without.
std::vector<ComplexRoot> find_starts(const RootSet& undamped, const FreeMotions& free,
                                     const std::vector<DampingBound>& bounds) {
  std::vector<ComplexRoot> starts;
  for (const Root& root : undamped.roots) {
    if (!(root.omega > 0)) continue;
    const double square = root.omega * root.omega;
    const auto width = [&](const DampingBound& bound) {
      const Margins margins(bound);
      return margins.mass_width + margins.stiffness_width * square;
    };
    const auto best = std::min_element(bounds.begin(), bounds.end(), [&](const DampingBound& a, const DampingBound& b) {
      return width(a) < width(b);
    });
    if (best == bounds.end() || !(width(*best) < kNearlyUniform * root.omega)) {
      starts.push_back({root.omega * Complex(-kBesideAxis, 1), root.multiplicity, 0});
      continue;
    }
    const Margins margins(*best);
    const double half = margins.g + margins.h * square / 2;
    const Complex apart = std::sqrt(Complex(half * half - square, 0));
    starts.push_back({-half + apart, root.multiplicity, 0});
    if (apart.imag() == 0) starts.push_back({-half - apart, root.multiplicity, 0});
  }
  // A motion that a damper alone holds back ends there.
  const int held = free.motions() - free.undamped;
  if (held > 0 && !bounds.empty() && bounds.front().high > 0) {
    starts.push_back({-(bounds.front().low + bounds.front().high) / 2, held, 0});
  }
  return starts;
}

// The region asked for, then others around it: the top in the middle between two frequencies, the left edge out to
// twice and more.
std::vector<Region> regions_around(const Spectrum& spectrum, const Region& region, double farthest) {
  std::vector<double> tops = {region.top};
  for (std::size_t k = 0; k < spectrum.squares.size(); ++k) {
    const double low = std::sqrt(spectrum.squares[k]);
    const double high = k + 1 < spectrum.squares.size() ? std::sqrt(spectrum.squares[k + 1])
                                                        : std::min(std::sqrt(spectrum.next), farthest);
    const double middle = (low + high) / 2;
    if (middle > region.top && middle <= farthest) tops.push_back(middle);
  }
  if (!std::isfinite(spectrum.next)) tops.push_back(farthest);
  std::vector<Region> regions;
  for (const double out : {1.0, 2.0, 4.0, kFarther}) {
    for (const double top : tops) {
      Region wider = region;
      wider.top = top;
      wider.left *= out;
      if (-wider.left <= farthest || out == 1.0) regions.push_back(wider);
    }
  }
  return regions;
}

// The first that can be proved; else the region asked for, and why not.
RegionProof prove_around(const Spectrum& spectrum, const std::vector<DampingBound>& bounds, const Region& region,
                         double farthest) {
  RegionProof asked;
  int parts_left = kMostParts;
  for (const Region& candidate : regions_around(spectrum, region, farthest)) {
    for (const DampingBound& bound : bounds) {
      RegionProof proof = prove(spectrum, bound, candidate, parts_left);
      if (proof.proved) return proof;
      if (asked.reason.empty()) asked = proof;
      if (parts_left < 0) return asked;
    }
  }
  return asked;
}

}  // namespace

// (M12), element by element: a bound of each is one of the sum.
DampingBound bound_damping(const Structure& structure, DamperBy by) {
  Ratios ratios;
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) {
      if (!add_beam(*beam, ratios)) return {};
      continue;
    }
    const Hinge& hinge = std::get<Hinge>(element.law);
    for (std::size_t k = 0; k < 6; ++k) {
      if (!(hinge.stiffness[k] > 0)) continue;
      ratios.stiffness.add(is_by_stiffness(hinge, k, by) ? hinge.damping[k] / hinge.stiffness[k] : 0);
    }
  }
  for (const Vertex& vertex : structure.vertices) {
    if (!vertex.stiffness.isZero(0)) ratios.stiffness.add(0);
  }
  const BodyDamping bodies = bound_body_damping(structure, by);
  if (!bodies.bounded) return {};
  if (bodies.motions > 0) {
    ratios.mass.add(bodies.low);
    ratios.mass.add(bodies.high);
  }
  // A little wider, for rounding.
  ratios.stiffness.low *= 1 - 1e-10;
  ratios.stiffness.high *= 1 + 1e-10;
  return {true, ratios.mass.least(), ratios.mass.high, ratios.stiffness.least(), ratios.stiffness.high, bodies.motions};
}

Result<RegionProof> prove_region(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                                 const Region& region, const std::atomic<bool>* stop) {
  RegionProof none;
  none.region = region;
  std::vector<DampingBound> bounds;
  for (const DamperBy by : {DamperBy::kMass, DamperBy::kStiffness}) {
    const DampingBound bound = bound_damping(structure, by);
    if (bound.bounded) bounds.push_back(bound);
  }
  const bool rigid = std::none_of(structure.elements.begin(), structure.elements.end(),
                                  [](const Element& element) { return std::holds_alternative<Beam>(element.law); });
  const double size = elementary::hypot(std::max(-region.left, region.right), region.top);
  const double reach = size + (bounds.empty() ? 0 : std::min(bounds.front().high, kMostDamping * size));
  const double farthest = (rigid ? kFarther : kBeyond) * reach;
  // Section 4 of the theory: the frequencies without damping, counted to beyond the region.
  const Result<Pass> pass = make_pass(without_damping(structure), tree, farthest);
  ESPALIER_TRY(pass);
  const FreeMotions free = find_free_motions(structure);
  const std::optional<int> known = free.known ? std::optional(free.motions()) : std::nullopt;
  const RootSet roots = find_roots(comm, *pass, farthest, known, {}, stop);
  // Starts are of use without a proof too.
  none.starts = find_starts(roots, free, bounds);
  none.counts = roots.counts + roots.evaluations;
  none.reason = "a damper acts on what has neither mass nor stiffness";
  if (bounds.empty()) return none;
  none.reason = "the frequencies without damping are not certain";
  if (!roots.proved) return none;
  Spectrum spectrum;
  for (const Root& root : roots.roots) {
    spectrum.squares.push_back(root.omega * root.omega);
    spectrum.multiplicity.push_back(root.multiplicity);
  }
  // Rigid bodies have no more frequencies than these: behind the last one (M13) has nothing to be held against.
  const bool all = rigid && roots.counted == bounds.front().bodies;
  spectrum.next = all ? std::numeric_limits<double>::infinity() : roots.upto * roots.upto;
  const RegionProof proof = prove_around(spectrum, bounds, region, farthest);
  none.proved = proof.proved;
  none.region = proof.region;
  none.count = proof.count;
  none.crossing = proof.crossing;
  none.reason = proof.reason;
  none.uniform = proof.uniform;
  return none;
}

}  // namespace espalier::modes::detail
