#include "espalier/modes/detail/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include <Eigen/Eigenvalues>

#include "espalier/base/index.hpp"
#include "espalier/modes/detail/loose_motions.hpp"
#include "espalier/modes/detail/pass_kernel.hpp"
#include "espalier/modes/pass.hpp"

namespace espalier::modes::detail {
namespace {

// From the stiffest to the softest direction, where axes turn: of springs and of what bends; and with what beams are
// along their axis, which is more by the square of their slenderness and rounds as one with their bending.
constexpr double kSpread = 1e4, kSpreadOfBeams = 1e6;
// So much of the spread may be lost to rounding, relative.
constexpr double kLost = 1e-16;
constexpr std::size_t kMany = 1000;  // vertices
// A structure whose last condition holds by less than this of its length is as one with softer springs.
constexpr double kHoldsWell = 1e-2;
// Of more loose blocks that is not asked: it takes O(blocks^3).
constexpr int kFewBlocks = 20;
// Of the numbers of a structure, relative: lengths and axes come out of some operations.
constexpr double kDataRounding = 1e-14;

struct Spread {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void add(double size) { add(size, size); }
  void add(double low, double high) {
    // What has no stiffness in a direction does not spread anything.
    if (!(high > 0)) return;
    least = std::min(least, low);
    most = std::max(most, high);
  }
  double ratio() const { return most > 0 ? most / least : 1; }
};

// How much of a displacement a row sees, rotations in units of length.
double sight(const Element& element, Eigen::Index row, double unit) {
  double most = 1;
  for (const Matrix6& map : element.to_local) {
    const double own = row < 3 ? 1 : unit;
    most = std::max(
        most,
        own * own * (map.row(row).head<3>().squaredNorm() + map.row(row).tail<3>().squaredNorm() / (unit * unit)));
  }
  return most;
}

// `all` has the axial stiffness of beams too, `across` has not.
void add_stiffness(const Structure& structure, const Element& element, Spread& all, Spread& across) {
  const double unit = structure.length_unit;
  if (const Beam* beam = std::get_if<Beam>(&element.law)) {
    const double l = beam->length, cube = l * l * l;
    Spread bending;
    // Of a beam held at both ends; a twist counts as if it stood at an arm of the beam's length.
    if (beam->torsion) bending.add(12 * beam->GJ / cube);
    if (beam->bend_y) bending.add(12 * beam->EIz / cube);
    if (beam->bend_z) bending.add(12 * beam->EIy / cube);
    across.add(bending.least, bending.most);
    all.add(bending.least, bending.most);
    if (beam->axial) all.add(beam->EA / l);
    return;
  }
  const Hinge& hinge = std::get<Hinge>(element.law);
  for (std::size_t k = 0; k < 6; ++k) {
    if (hinge.kind[k] != Hinge::Kind::kElastic || !(hinge.stiffness[k] > 0)) continue;
    const double stiffness = hinge.stiffness[k] / (k < 3 ? 1 : unit * unit);
    // With an arm a spring is seen as a stiffer one by the rotation of its vertex.
    const double seen = stiffness * sight(element, static_cast<Eigen::Index>(k), unit);
    across.add(stiffness, seen);
    all.add(stiffness, seen);
  }
}

bool has_wide_mass(const Structure& structure) {
  for (const Vertex& vertex : structure.vertices) {
    if (vertex.mass.isZero(0)) continue;
    Matrix6 scaled = vertex.mass;
    // Rotations as lengths: only numbers of one unit can spread.
    scaled.bottomRows<3>() /= structure.length_unit;
    scaled.rightCols<3>() /= structure.length_unit;
    Spread spread;
    const Eigen::SelfAdjointEigenSolver<Matrix6> solver(scaled, Eigen::EigenvaluesOnly);
    for (const double value : solver.eigenvalues()) {
      // A point mass turns without inertia, which is no small number.
      if (value > 1e-14 * solver.eigenvalues().maxCoeff()) spread.add(value);
    }
    if (spread.ratio() > kSpread) return true;
  }
  return false;
}

bool has_stiffness(const PassProgram& program, Offset at, int d) {
  const double* first = program.constants.data() + at;
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(d) * d, [](double k) { return k != 0; });
}

// Axes turn, or several coordinates are summed up, be it of what holds one vertex.
bool axes_turn(const PassProgram& program) {
  const std::vector<char> blurred = find_blurred(program);
  if (std::find(blurred.begin(), blurred.end(), 1) != blurred.end()) return true;
  return std::any_of(program.steps.begin(), program.steps.end(), [&](const Step& step) {
    if (step.d > 1 && (step.seen < step.d || has_stiffness(program, step.stiffness, step.d))) return true;
    return std::any_of(step.hops.begin(), step.hops.end(), [&](const Hop& hop) { return step.n > 1 && !hop.straight; });
  });
}

bool has_rigid_loops(const Structure& structure, const PassProgram& program) {
  return std::any_of(program.rows.begin(), program.rows.end(), [&](const CutRow& row) {
    return row.rigid && std::holds_alternative<Hinge>(structure.elements[to_index(row.element)].law);
  });
}

}  // namespace

bool is_long(const Structure& structure) { return structure.vertices.size() > kMany; }

Precision find_precision(const Structure& structure, const PassProgram& program) {
  const bool turning = axes_turn(program), rigid_loops = has_rigid_loops(structure, program);
  // Along straight axes rounding is relative, whatever the spread.
  if (!turning && !rigid_loops) return {false, kBoundSlack};
  double hold = 1;
  const Blocks blocks = make_blocks(structure);
  // By how little the last condition on loose parts holds them: springs that almost meet in a point.
  if (blocks.count > 0 && blocks.count <= kFewBlocks) hold = loose_motions(structure, blocks).least_hold;
  Spread all, across;
  for (const Element& element : structure.elements) add_stiffness(structure, element, all, across);
  const double loose = std::max(1.0, kHoldsWell / hold);
  // An arm h of the length holds with h^2 of a spring.
  const double softer = loose * loose;
  const bool mixes = rigid_loops || softer * across.ratio() > kSpread || softer * all.ratio() > kSpreadOfBeams ||
                     has_wide_mass(structure);
  const double lost = mixes ? 10 * kBoundSlack : kLost * all.ratio();
  return {mixes, std::max({kBoundSlack, lost, kDataRounding / hold})};
}

}  // namespace espalier::modes::detail
