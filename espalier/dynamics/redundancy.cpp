#include "espalier/dynamics/redundancy.hpp"

#include <algorithm>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/least_squares.hpp"
#include "espalier/dynamics/detail/passive.hpp"
#include "espalier/dynamics/detail/remedies.hpp"
#include "espalier/dynamics/detail/row_dependence.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {
namespace {

using detail::constrained_least_squares;
using detail::count_motions;
using detail::Drive;
using detail::find_dependent_rows;
using detail::find_remedies;
using detail::natural_order;
using detail::retyped;
using detail::RowDependence;
using detail::ScaledRows;
using detail::SparseVector;
using detail::without_motions;

constexpr std::uint32_t kMoves = 2;  // tries to leave a singular pose
constexpr double kMove = 0.02;       // [rad, or typical lengths]

// Rows of closures come first; drives have the rest.
int closure_rows(const System& system) { return system->rows - static_cast<int>(system->drives.size()); }

RowDependence dependence_at(const System& system, int motions, const ScaledRows& scaled,
                            const RedundancyOptions& options) {
  const std::vector<int> order = natural_order(system, motions);
  return find_dependent_rows(scaled.G, order, options.tolerance, options.most_entries);
}

// A closed pose a little beside q, along freedoms of the equations there.
std::vector<double> pose_beside(const System& system, double time, std::span<const double> q, const ScaledRows& scaled,
                                std::uint32_t key) {
  Random random(2, key);
  Eigen::VectorXd wanted(system->velocity_size);
  for (double& value : wanted) value = random.uniform(-1, 1);
  Eigen::SparseMatrix<double> all(system->velocity_size, system->velocity_size);
  all.setIdentity();
  Eigen::VectorXd v = constrained_least_squares(all, wanted, scaled.G, Eigen::VectorXd::Zero(system->rows), wanted);
  v *= kMove / std::max(v.cwiseAbs().maxCoeff(), 1e-3);
  v = v.cwiseProduct(scaled.column_scale).eval();
  std::vector<double> moved(q.begin(), q.end());
  move_positions(system, moved, {v.data(), to_index(v.size())}, 1);
  AssemblyOptions options;
  options.time = time;
  options.limits = false;
  return assemble(system, moved, options).q;
}

RedundantEquation equation_of(const System& system, int row) {
  if (row >= closure_rows(system)) {
    const auto drive = std::find_if(system->drives.begin(), system->drives.end(),
                                    [&](const Drive& candidate) { return candidate.row == row; });
    return {drive->terms.front().place.joint, model::Direction::kX, static_cast<int>(drive - system->drives.begin())};
  }
  const auto closure = std::upper_bound(system->closures.begin(), system->closures.end(), row,
                                        [](int at, const Closure& candidate) { return at < candidate.row; }) -
                       1;
  return {closure->joint, model::joint_row(closure->type).rows[to_index(row - closure->row)]};
}

void name_redundant(const System& system, const RowDependence& found, ConstraintReport& report) {
  std::vector<int> rows = found.dependent;
  std::sort(rows.begin(), rows.end());
  for (const int row : rows) report.redundant.push_back(equation_of(system, row));
}

// y^T D_r G D_c = 0 is (D_r y)^T G = 0.
std::vector<SparseVector> without_scales(std::vector<SparseVector> relations, const Eigen::VectorXd& row_scale) {
  for (SparseVector& relation : relations) {
    for (auto& [row, share] : relation) share *= row_scale[row];
  }
  return relations;
}

// Of closures alone: what a coupling repeats, no other joint type mends.
void find_tried_remedies(const System& system, double time, std::span<const double> q, const ScaledRows& scaled,
                         const RowDependence& found, const RedundancyOptions& options, ConstraintReport& report) {
  std::vector<SparseVector> relations;
  for (std::size_t k = 0; k < found.dependent.size(); ++k) {
    if (found.dependent[k] < closure_rows(system)) relations.push_back(found.relation[k]);
  }
  const int redundant = static_cast<int>(relations.size());
  const int freedom = system->velocity_size - (closure_rows(system) - redundant);
  std::vector<Remedy> remedies =
      find_remedies(system, scaled.rows, without_scales(std::move(relations), scaled.row_scale));
  if (remedies.empty()) return;
  // Tried out together on a system with the types changed: as many rows fewer as promised, and not a freedom more.
  const auto [changed, position] = retyped(system, q, remedies);
  const RowDependence after = dependence_at(changed, 0, ScaledRows(changed, time, position), options);
  int promised = 0;
  for (const Remedy& remedy : remedies) promised += remedy.removes;
  if (!after.complete || static_cast<int>(after.dependent.size()) != redundant - promised) return;
  if (changed->velocity_size - after.rank != freedom) return;
  report.remedies = std::move(remedies);
  report.remedied = promised;
}

// Without motions: what the mechanism is, whatever drives it.
//   1  the rank in this pose
//   2  where rows are redundant, the rank beside it: the larger one is the mechanism's
//   3  names and remedies, in the pose of that rank
ConstraintReport analyse_passive(const System& system, double time, std::span<const double> q,
                                 const RedundancyOptions& options) {
  // 1
  std::vector<double> pose(q.begin(), q.end());
  const ScaledRows here(system, time, pose);
  ScaledRows scaled = here;
  RowDependence found = dependence_at(system, 0, scaled, options);
  ConstraintReport report;
  report.rows = system->rows;
  report.complete = found.complete;
  if (!found.complete) return report;
  report.rank_here = found.rank;
  // 2
  // A pose with fewer independent equations than its neighbours is singular; what holds for the mechanism is theirs.
  const bool moves = options.singular && !found.dependent.empty() && found.rank < system->velocity_size;
  for (std::uint32_t key = 0; moves && key < kMoves; ++key) {
    std::vector<double> beside = pose_beside(system, time, q, here, key);
    ScaledRows there(system, time, beside);
    if (there.rows.residual.cwiseAbs().maxCoeff() > options.tolerance) continue;
    RowDependence other = dependence_at(system, 0, there, options);
    if (!other.complete || other.rank <= found.rank) continue;
    found = std::move(other);
    scaled = std::move(there);
    pose = std::move(beside);
  }
  // 3
  report.rank = found.rank;
  report.freedom = system->velocity_size - found.rank;
  report.smallest_kept = found.smallest_kept;
  report.largest_dropped = found.largest_dropped;
  name_redundant(system, found, report);
  if (options.remedies && !found.dependent.empty())
    find_tried_remedies(system, time, pose, scaled, found, options, report);
  return report;
}

}  // namespace

ConstraintReport analyse_constraints(const System& system, double time, std::span<const double> q,
                                     const RedundancyOptions& options) {
  const int motions = count_motions(system);
  if (motions == 0) return analyse_passive(system, time, q, options);
  ConstraintReport report = analyse_passive(without_motions(system), time, q, options);
  if (!report.complete) return report;
  // Couplings have lost the motions before them.
  for (RedundantEquation& equation : report.redundant) {
    if (equation.drive >= 0) equation.drive += motions;
  }
  // Motions come last in the order, so that a motion which cannot be is what is found dependent.
  const RowDependence all = dependence_at(system, motions, ScaledRows(system, time, q), options);
  report.complete = all.complete;
  report.driven = motions;
  for (const int row : all.dependent) {
    const RedundantEquation equation = equation_of(system, row);
    if (equation.drive < 0 || equation.drive >= motions) continue;
    report.redundant.push_back(equation);
    --report.driven;
  }
  return report;
}

}  // namespace espalier::dynamics
