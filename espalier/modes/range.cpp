#include "espalier/modes/range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Eigenvalues>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/beam_fields.hpp"

namespace espalier::modes {
namespace {

// A pass is good for all frequencies below its bound, and making one costs as much as a dozen counts: it is made for
// the next decade too.
constexpr double kAhead = 10;
constexpr double kFirstBound = 1000;  // [rad/s]

// Up to here a pass costs no more than at 0: no beam has to be cut.
double uncut_upto(const Structure& structure) {
  double upto = std::numeric_limits<double>::infinity();
  for (const Element& element : structure.elements) {
    if (const Beam* beam = std::get_if<Beam>(&element.law)) upto = std::min(upto, detail::uncut_upto(*beam));
  }
  return std::isfinite(upto) ? upto : 0;
}

// Twice the stiffness of all that holds a vertex, in units in which rotations are lengths.
std::vector<Matrix6> held_stiffness(const Structure& structure, const Matrix6& unscale) {
  std::vector<Matrix6> held;
  for (const Vertex& vertex : structure.vertices) held.push_back(unscale * vertex.stiffness * unscale);
  for (const Element& element : structure.elements) {
    const Hinge& hinge = std::get<Hinge>(element.law);
    for (std::size_t end = 0; end < 2; ++end) {
      const Matrix6 map = element.to_local[end] * unscale;
      for (Eigen::Index k = 0; k < 6; ++k) {
        const double stiffness = hinge.stiffness[to_index(k)];
        if (hinge.kind[to_index(k)] != Hinge::Kind::kElastic || !(stiffness > 0)) continue;
        // (a - b)^2 <= 2 a^2 + 2 b^2: an element pulls no more than two that hold each end to the ground.
        held[to_index(element.vertex[end])] += 2 * stiffness * map.row(k).transpose() * map.row(k);
      }
    }
  }
  return held;
}

}  // namespace

Highest highest_frequency(const Structure& structure) {
  // Of the largest mass of a vertex: below it lies rounding.
  constexpr double kLightest = 1e-12;
  // Above the stiffest spring on the lightest mass, where some vertex has none.
  constexpr double kFarAbove = 100;
  // Beams have no highest frequency.
  for (const Element& element : structure.elements) {
    if (std::holds_alternative<Beam>(element.law)) return {std::numeric_limits<double>::infinity(), false};
  }
  // Rotations as lengths: eigenvalues of mixed units could not be compared.
  Matrix6 unscale = Matrix6::Identity();
  unscale.bottomRightCorner<3, 3>() /= structure.length_unit;
  const std::vector<Matrix6> held = held_stiffness(structure, unscale);
  double square = 0, stiffest = 0, lightest = std::numeric_limits<double>::infinity();
  bool bounds = true;
  for (std::size_t v = 0; v < structure.vertices.size(); ++v) {
    std::vector<Eigen::Index> moves;
    for (Eigen::Index k = 0; k < 6; ++k) {
      if (structure.vertices[v].moves[to_index(k)]) moves.push_back(k);
    }
    if (moves.empty()) continue;
    const Eigen::MatrixXd mass = Matrix6(unscale * structure.vertices[v].mass * unscale)(moves, moves);
    const Eigen::MatrixXd stiffness = held[v](moves, moves);
    stiffest = std::max(stiffest, stiffness.trace());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(mass);
    const double heaviest = solver.eigenvalues()[mass.rows() - 1];
    // Light directions count where there are others; only those without mass take the bound away.
    for (const double m : solver.eigenvalues()) lightest = m > kLightest * heaviest ? std::min(lightest, m) : lightest;
    bounds = bounds && solver.eigenvalues()[0] > kLightest * heaviest;
    if (!bounds) continue;
    // M_v^-1 2 K_v in its symmetric form (section 4 of docs/theory/modes.md).
    const Eigen::MatrixXd half = solver.operatorInverseSqrt();
    const Eigen::MatrixXd seen = half * stiffness * half;
    square = std::max(square, Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(seen).eigenvalues().maxCoeff());
  }
  const double highest = bounds ? 1.1 * std::sqrt(square) : kFarAbove * std::sqrt(stiffest / lightest);
  // A structure without stiffness has a range too.
  return {std::max(1.0, highest), bounds};
}

Result<Range> find_range(const Structure& structure, const Tree& tree, int count, std::optional<int> free_motions) {
  Range range;
  const double first_bound = std::max(kFirstBound, uncut_upto(structure));
  std::optional<PassWorkspace> work;
  const auto below = [&](double omega) -> Result<int> {
    // A pass is made once for several counts.
    if (!work || omega > range.pass.largest_s) {
      Result<Pass> pass = make_pass(structure, tree, std::max(first_bound, kAhead * omega));
      ESPALIER_TRY(pass);
      range.pass = *std::move(pass);
      work.emplace(range.pass);
    }
    ++range.counts;
    return range.pass.mixes ? count_precisely(range.pass, omega, *work).below
                            : count_below(range.pass, omega, *work).below;
  };
  // 1. From 1 rad/s up in decades until there are enough; free motions are there from the beginning.
  constexpr double kHighest = 1e12;
  constexpr int kMostSlices = 10'000'000;
  const double highest = std::min(kHighest, highest_frequency(structure).omega);
  double high = std::min(1.0, highest), low = 0;
  Result<int> there = below(high);
  ESPALIER_TRY(there);
  const Result<int> free = free_motions ? Result<int>(*free_motions) : below(kFreeMotion);
  ESPALIER_TRY(free);
  // Free motions lie below every vibration and are counted with them.
  const int wanted = *free + count;
  while (*there < wanted && high < highest && range.pass.slices < kMostSlices) {
    low = high;
    high = std::min(10 * high, highest);
    there = below(high);
    ESPALIER_TRY(there);
  }
  // 2. Down to where they are not many more.
  while (*there > wanted && (low == 0 ? high > kFreeMotion : high > 1.01 * low)) {
    const double middle = low == 0 ? high / 10 : std::sqrt(low * high);
    const Result<int> fewer = below(middle);
    ESPALIER_TRY(fewer);
    // (M8) is monotonic in omega, so that halving never loses the frequency asked for.
    if (*fewer >= wanted) {
      high = middle;
      there = fewer;
    } else {
      low = middle;
    }
  }
  range.beside = *there - *free;
  range.upto = high;
  // 3. A pass of no more slices than this takes.
  // One slice per element is the least there is.
  if (range.pass.slices <= static_cast<int>(structure.elements.size())) return range;
  Result<Pass> pass = make_pass(structure, tree, high);
  ESPALIER_TRY(pass);
  range.pass = *std::move(pass);
  return range;
}

}  // namespace espalier::modes
