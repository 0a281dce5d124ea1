#include "espalier/dynamics/redundancy.hpp"

#include <algorithm>
#include <utility>

#include "espalier/base/random.hpp"
#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/least_squares.hpp"
#include "espalier/dynamics/detail/remedies.hpp"
#include "espalier/dynamics/detail/row_dependence.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace espalier::dynamics {
namespace {

constexpr std::uint32_t kMoves = 2;  // tries to leave a singular pose
constexpr double kMove = 0.02;       // [rad, or typical lengths]

// Equations in the order in which they are believed: a redundant one is named after what stands before it. Welds are
// ours and not the user's; of a joint, positions come before angles.
std::vector<int> natural_order(const System& system) {
  std::vector<int> order;
  const auto add = [&](bool welds, bool lengths) {
    for (const Closure& closure : system.closures) {
      if (closure.joint.valid() == welds) continue;
      const std::span<const Direction> directions = row_directions(closure.type);
      for (int k = 0; k < closure.rows; ++k) {
        if (is_length(directions[static_cast<std::size_t>(k)]) == lengths) order.push_back(closure.row + k);
      }
    }
  };
  for (const bool welds : {true, false}) {
    for (const bool lengths : {true, false}) add(welds, lengths);
  }
  return order;
}

// The equations at one pose, without units.
struct ScaledRows {
  ConstraintRows rows;
  Eigen::VectorXd row_scale, column_scale;
  SparseRows G;

  ScaledRows(const System& system, std::span<const double> q) : rows(system) {
    const double typical = typical_length(system);
    row_scale = row_scales(system, typical);
    column_scale = coordinate_scales(system, typical);
    update_residual(system, q, rows);
    update_jacobian(system, rows);
    G = row_scale.asDiagonal() * rows.G * column_scale.asDiagonal();
  }
};

RowDependence dependence_at(const System& system, const ScaledRows& scaled, const RedundancyOptions& options) {
  const std::vector<int> order = natural_order(system);
  return find_dependent_rows(scaled.G, order, options.tolerance, options.most_entries);
}

// A closed pose a little beside q, along freedoms of the equations there.
std::vector<double> pose_beside(const System& system, std::span<const double> q, const ScaledRows& scaled,
                                std::uint32_t key) {
  Random random(2, key);
  Eigen::VectorXd wanted(system.velocity_size);
  for (double& value : wanted) value = random.uniform(-1, 1);
  Eigen::SparseMatrix<double> all(system.velocity_size, system.velocity_size);
  all.setIdentity();
  Eigen::VectorXd v = constrained_least_squares(all, wanted, scaled.G, Eigen::VectorXd::Zero(system.rows), wanted);
  v *= kMove / std::max(v.cwiseAbs().maxCoeff(), 1e-3);
  v = v.cwiseProduct(scaled.column_scale).eval();
  std::vector<double> moved(q.begin(), q.end());
  move_positions(system, moved, {v.data(), static_cast<std::size_t>(v.size())}, 1);
  AssemblyOptions options;
  options.limits = false;
  return assemble(system, moved, options).q;
}

void name_redundant(const System& system, const RowDependence& found, ConstraintReport& report) {
  std::vector<int> rows = found.dependent;
  std::sort(rows.begin(), rows.end());
  auto closure = system.closures.begin();
  for (const int row : rows) {
    while (row >= closure->row + closure->rows) ++closure;
    report.redundant.push_back(
        {closure->joint, row_directions(closure->type)[static_cast<std::size_t>(row - closure->row)]});
  }
}

// y^T D_r G D_c = 0 is (D_r y)^T G = 0.
std::vector<SparseVector> without_scales(std::vector<SparseVector> relations, const Eigen::VectorXd& row_scale) {
  for (SparseVector& relation : relations) {
    for (auto& [row, share] : relation) share *= row_scale[row];
  }
  return relations;
}

void find_tried_remedies(const System& system, std::span<const double> q, const ScaledRows& scaled,
                         const RowDependence& found, const RedundancyOptions& options, ConstraintReport& report) {
  std::vector<Remedy> remedies = find_remedies(system, scaled.rows, without_scales(found.relation, scaled.row_scale));
  if (remedies.empty()) return;
  const auto [changed, position] = retyped(system, q, remedies);
  const RowDependence after = dependence_at(changed, ScaledRows(changed, position), options);
  int promised = 0;
  for (const Remedy& remedy : remedies) promised += remedy.removes;
  const int left = static_cast<int>(found.dependent.size()) - promised;
  if (!after.complete || static_cast<int>(after.dependent.size()) != left) return;
  if (changed.velocity_size - after.rank != report.freedom) return;
  report.remedies = std::move(remedies);
  report.remedied = promised;
}

}  // namespace

ConstraintReport analyse_constraints(const System& system, std::span<const double> q,
                                     const RedundancyOptions& options) {
  std::vector<double> pose(q.begin(), q.end());
  const ScaledRows here(system, pose);
  ScaledRows scaled = here;
  RowDependence found = dependence_at(system, scaled, options);
  ConstraintReport report;
  report.rows = system.rows;
  report.complete = found.complete;
  if (!found.complete) return report;
  report.rank_here = found.rank;
  // A pose with fewer independent equations than its neighbours is singular; what holds for the mechanism is theirs.
  const bool moves = options.singular && !found.dependent.empty() && found.rank < system.velocity_size;
  for (std::uint32_t key = 0; moves && key < kMoves; ++key) {
    std::vector<double> beside = pose_beside(system, q, here, key);
    ScaledRows there(system, beside);
    if (there.rows.residual.cwiseAbs().maxCoeff() > options.tolerance) continue;
    RowDependence other = dependence_at(system, there, options);
    if (!other.complete || other.rank <= found.rank) continue;
    found = std::move(other);
    scaled = std::move(there);
    pose = std::move(beside);
  }
  report.rank = found.rank;
  report.freedom = system.velocity_size - found.rank;
  report.smallest_kept = found.smallest_kept;
  report.largest_dropped = found.largest_dropped;
  name_redundant(system, found, report);
  if (options.remedies && !found.dependent.empty()) find_tried_remedies(system, pose, scaled, found, options, report);
  return report;
}

}  // namespace espalier::dynamics
