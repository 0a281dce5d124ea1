#include "espalier/modes/certify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "espalier/modes/undamped.hpp"

namespace espalier::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr int kMostHalvings = 40;
// Frequencies are known up to this many times the region's reach; beyond it only that they are higher. A region that is
// sought instead of the one asked for is no larger than that.
constexpr double kBeyond = 1.6;
constexpr double kFarther = 8;  // for structures of rigid bodies, which have so many frequencies and no more

struct Ratio {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  int bodies = 0;

  void add(double ratio) {
    low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
};

// The rigid bodies together: joints damp them against each other. False where damping acts on something without mass.
bool add_bodies(const Structure& structure, Ratio& ratio) {
  const auto size = static_cast<Index>(6 * structure.vertices.size());
  MatrixXd mass = MatrixXd::Zero(size, size), damping = mass;
  const auto block = [](MatrixXd& matrix, int a, int b) { return matrix.block<6, 6>(6 * a, 6 * b); };
  for (int v = 0; v < static_cast<int>(structure.vertices.size()); ++v) {
    block(mass, v, v) += structure.vertices[static_cast<std::size_t>(v)].mass;
    block(damping, v, v) += structure.vertices[static_cast<std::size_t>(v)].damping;
  }
  for (const Element& element : structure.elements) {
    const Hinge* hinge = std::get_if<Hinge>(&element.law);
    if (hinge == nullptr) continue;
    Matrix6 c = Matrix6::Zero();
    for (Index k = 0; k < 6; ++k) c(k, k) = hinge->damping[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        block(damping, element.vertex[i], element.vertex[j]) +=
            (i == j ? 1 : -1) * element.to_local[i].transpose() * c * element.to_local[j];
      }
    }
  }
  std::vector<Index> moving;
  for (Index k = 0; k < size; ++k) {
    if (structure.vertices[static_cast<std::size_t>(k / 6)].moves[static_cast<std::size_t>(k % 6)]) moving.push_back(k);
  }
  const MatrixXd m = mass(moving, moving), c = damping(moving, moving);
  if (m.size() == 0) return true;
  // In the directions that have mass, scaled to mass one.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> own(m);
  const double least = 1e-12 * own.eigenvalues().cwiseAbs().maxCoeff();
  std::vector<Index> heavy, light;
  for (Index k = 0; k < m.rows(); ++k) (own.eigenvalues()[k] > least ? heavy : light).push_back(k);
  const MatrixXd massless = own.eigenvectors()(Eigen::all, light);
  if ((c * massless).norm() > 1e-12 * c.norm()) return false;
  if (heavy.empty()) return true;
  MatrixXd scaled = own.eigenvectors()(Eigen::all, heavy);
  for (std::size_t k = 0; k < heavy.size(); ++k) {
    scaled.col(static_cast<Index>(k)) /= std::sqrt(own.eigenvalues()[heavy[k]]);
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> ratios(scaled.transpose() * c * scaled, Eigen::EigenvaluesOnly);
  // A little wider, for rounding.
  const double wide = 1e-10 * ratios.eigenvalues().cwiseAbs().maxCoeff();
  ratio.add(std::max(0.0, ratios.eigenvalues().minCoeff() - wide));
  ratio.add(ratios.eigenvalues().maxCoeff() + wide);
  ratio.bodies = static_cast<int>(heavy.size());
  return true;
}

// Distance of -z from the squares of the frequencies: those known, and all from `next` on.
double gap(const std::vector<double>& squares, double next, Complex z) {
  double least = std::abs(-z - std::max(next, -z.real()));
  for (const double square : squares) least = std::min(least, std::abs(square + z));
  return least;
}

// The condition along one side of the edge, by halving it until each part is certain.
class Edge {
 public:
  Edge(const std::vector<double>& squares, double next, double g, double half_width)
      : squares_(squares), next_(next), g_(g), half_width_(half_width) {}

  bool is_safe(Complex from, Complex to, int depth = 0) {
    const Complex s = (from + to) / 2.0;
    const double h = std::abs(to - from) / 2;
    // s^2 + 2 g s changes by no more than this along the part.
    const double change = h * (2 * std::abs(s + g_) + h);
    const double here = gap(squares_, next_, s * (s + 2 * g_));
    worst_ = std::max(worst_, std::abs(s) * half_width_ / here);
    const double least = here - change;
    if (least > 0 && (std::abs(s) + h) * half_width_ < least) return true;
    if (depth >= kMostHalvings || std::abs(s) * half_width_ >= here) return false;
    return is_safe(from, s, depth + 1) && is_safe(s, to, depth + 1);
  }
  double worst() const { return worst_; }

 private:
  const std::vector<double>& squares_;
  double next_, g_, half_width_;
  double worst_ = 0;
};

// Frequencies without damping, squared.
struct Spectrum {
  std::vector<double> squares;
  std::vector<int> multiplicity;
  double next = 0;  // all others are above
};

// Roots of s^2 + 2 g s + square in the region; one of each pair.
void add_roots(double square, int multiplicity, double g, RegionProof& proof) {
  const Complex root = std::sqrt(Complex(g * g - square, 0));
  for (const Complex& s : {-g + root, -g - root}) {
    if (!proof.region.contains(s)) continue;
    proof.count += multiplicity;
    if (s.imag() >= 0) proof.uniform.push_back({s, 1, 0});
  }
}

RegionProof prove(const Spectrum& spectrum, const DampingBound& bound, const Region& region) {
  const double g = (bound.low + bound.high) / 4, half_width = (bound.high - bound.low) / 2;
  RegionProof proof;
  proof.region = region;
  for (std::size_t k = 0; k < spectrum.squares.size(); ++k) {
    add_roots(spectrum.squares[k], spectrum.multiplicity[k], g, proof);
  }
  Edge edge(spectrum.squares, spectrum.next, g, half_width);
  const Complex low_right(region.right, 0), high_right(region.right, region.top);
  const Complex high_left(region.left, region.top), low_left(region.left, 0);
  proof.proved =
      edge.is_safe(low_right, high_right) && edge.is_safe(high_right, high_left) && edge.is_safe(high_left, low_left);
  proof.crossing = edge.worst();
  if (!proof.proved) proof.reason = "damping varies too much: an eigenvalue could cross the edge of the region";
  return proof;
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

}  // namespace

DampingBound bound_damping(const Structure& structure) {
  Ratio ratio;
  for (const Element& element : structure.elements) {
    const Beam* beam = std::get_if<Beam>(&element.law);
    if (beam == nullptr) continue;
    if (beam->kelvin_voigt > 0) return {};
    if (beam->axial || beam->bend_y || beam->bend_z) {
      if (!(beam->rho_A > 0)) return {};
      ratio.add(beam->viscous / beam->rho_A);
    }
    // Torsion and rotary inertia have mass that viscous damping does not touch.
    if (beam->torsion || beam->rho_Iy > 0 || beam->rho_Iz > 0) ratio.add(0);
  }
  if (!add_bodies(structure, ratio)) return {};
  if (!std::isfinite(ratio.low)) return {};
  return {true, ratio.low, ratio.high, ratio.bodies};
}

Result<RegionProof> prove_region(const comm::Comm& comm, const Structure& structure, const Tree& tree,
                                 const Region& region) {
  RegionProof none;
  none.region = region;
  const DampingBound bound = bound_damping(structure);
  none.reason = "some damping acts on what has no mass, or grows with stiffness";
  if (!bound.bounded) return none;
  const bool rigid = std::none_of(structure.elements.begin(), structure.elements.end(),
                                  [](const Element& element) { return std::holds_alternative<Beam>(element.law); });
  const double reach = std::hypot(std::max(-region.left, region.right), region.top) + bound.high;
  const double farthest = (rigid ? kFarther : kBeyond) * reach;
  const Result<Sweep> sweep = make_sweep(without_damping(structure), tree, farthest);
  ESPALIER_TRY(sweep);
  const RootSet roots = find_roots(comm, *sweep, farthest);
  none.counts = roots.counts + roots.evaluations;
  none.reason = "the frequencies without damping are not certain";
  if (!roots.proved) return none;
  Spectrum spectrum;
  for (const Root& root : roots.roots) {
    spectrum.squares.push_back(root.omega * root.omega);
    spectrum.multiplicity.push_back(root.multiplicity);
  }
  const bool all = rigid && roots.counted == bound.bodies;
  spectrum.next = all ? std::numeric_limits<double>::infinity() : roots.upto * roots.upto;
  RegionProof asked;
  for (const Region& candidate : regions_around(spectrum, region, farthest)) {
    RegionProof proof = prove(spectrum, bound, candidate);
    proof.counts = none.counts;
    if (proof.proved) return proof;
    if (asked.reason.empty()) asked = proof;
  }
  return asked;
}

}  // namespace espalier::modes
