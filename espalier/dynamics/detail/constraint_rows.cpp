#include "espalier/dynamics/detail/constraint_rows.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

using math::Pose;

const Pose& pose_of(std::span<const Pose> pose, int link) { return pose[to_index(link)]; }

void update_closure_residual(const Closure& closure, ConstraintRows& rows) {
  const Pose X_WA = pose_of(rows.links.pose, closure.a) * closure.X_LA;
  const Pose X_WB = pose_of(rows.links.pose, closure.b) * closure.X_LB;
  // A screw's last residual compares its shift with its angle, turns counted.
  const double angle = model::joint_row(closure.type).threaded
                           ? model::joint_position(closure.type, closure.pitch, math::relative_pose(X_WA, X_WB)).front()
                           : 0;
  constraint_residual(closure.type, closure.pitch, angle, X_WA, X_WB,
                      {rows.residual.data() + closure.row, to_index(closure.rows)});
}

// sign * T^T S of the joint above one link.
void add_entries(const Link& link, const Columns& s, const Columns& wrenches, int row, double sign,
                 std::vector<Eigen::Triplet<double>>& entries) {
  for (int k = 0; k < wrenches.count; ++k) {
    // (D1): how fast the row opens when this coordinate alone moves.
    for (int c = 0; c < link.freedom; ++c)
      entries.emplace_back(row + k, link.velocity + c, sign * wrenches.column.col(k).dot(s.column.col(c)));
  }
}

// A coordinate of the tree is its own column; a cut joint's is the motion of its bodies along the term's wrench.
void add_drive_entries(const System& system, const Drive& drive, const DriveRow& row, ConstraintRows& rows) {
  for (std::size_t k = 0; k < drive.terms.size(); ++k) {
    const DriveTerm& term = drive.terms[k];
    const double slope = term_slope(drive, row, k);
    if (term.velocity >= 0) {
      // (D9) to (D11): the row holds r_k alone.
      rows.entries.emplace_back(drive.row, term.velocity, slope);
      continue;
    }
    Columns wrench;
    wrench.count = 1;
    wrench.column.col(0) = slope * term_wrench(term, rows.links);
    add_path_rows(system, rows.motion, wrench, drive.row, term.place.a, term.place.b, rows.entries);
  }
}

}  // namespace

ConstraintRows::ConstraintRows(const System& system)
    : links(system),
      motion(system->links.size()),
      drives(system->drives.size()),
      residual(Eigen::VectorXd::Zero(system->rows)),
      G(system->rows, system->velocity_size),
      drift(Eigen::VectorXd::Zero(system->rows)),
      still(to_index(system->velocity_size), 0) {}

void add_path_rows(const System& system, std::span<const MotionSubspace> motion, const Columns& wrenches, int row,
                   int a, int b, std::vector<Eigen::Triplet<double>>& entries) {
  // Parents stand before their children, so the later of two links is never above the other.
  while (a != b) {
    int& deeper = a > b ? a : b;
    const auto i = to_index(deeper);
    add_entries(system->links[i], motion[i].s, wrenches, row, a > b ? -1 : 1, entries);
    deeper = system->links[i].parent;
  }
}

void update_residual(const System& system, double time, std::span<const double> q, ConstraintRows& rows) {
  rows.links.pose = link_poses(system, q);
  for (const Closure& closure : system->closures) update_closure_residual(closure, rows);
  for (std::size_t k = 0; k < system->drives.size(); ++k) {
    const Drive& drive = system->drives[k];
    rows.drives[k] = drive_row(drive, time, q, rows.still, rows.links);
    rows.residual[drive.row] = rows.drives[k].residual;
    // What the prescribed motion does by itself, whatever the mechanism does.
    rows.drift[drive.row] = rows.drives[k].drift;
  }
}

void update_jacobian(const System& system, ConstraintRows& rows) {
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& link = system->links[i];
    rows.motion[i] = motion_subspace(link.type, link.pitch, pose_of(rows.links.pose, link.parent) * link.X_LA,
                                     rows.links.pose[i] * link.X_LB);
  }
  // Entries of one place add up: a loop may pass a joint's columns from both ends.
  rows.entries.clear();
  for (const Closure& closure : system->closures) {
    const Columns wrenches =
        constraint_wrenches(closure.type, closure.pitch, pose_of(rows.links.pose, closure.a) * closure.X_LA,
                            pose_of(rows.links.pose, closure.b) * closure.X_LB);
    add_path_rows(system, rows.motion, wrenches, closure.row, closure.a, closure.b, rows.entries);
  }
  for (std::size_t k = 0; k < system->drives.size(); ++k)
    add_drive_entries(system, system->drives[k], rows.drives[k], rows);
  rows.G.setFromTriplets(rows.entries.begin(), rows.entries.end());
}

Pose closure_pose(const Closure& closure, std::span<const Pose> pose) {
  return math::relative_pose(pose_of(pose, closure.a) * closure.X_LA, pose_of(pose, closure.b) * closure.X_LB);
}

math::PoseGap closure_gap(const Closure& closure, std::span<const Pose> pose) {
  return model::joint_gap(closure.type, closure.pitch, closure_pose(closure, pose));
}

double typical_length(const System& system) {
  std::vector<double> extent(system->links.size(), 0);
  const auto reach = [&](int link, const Pose& frame) {
    const auto i = to_index(link);
    // From the joint towards the root to the farthest other one.
    extent[i] = std::max(extent[i], (frame.position - system->links[i].X_LB.position).norm());
  };
  for (std::size_t i = 1; i < system->links.size(); ++i) reach(system->links[i].parent, system->links[i].X_LA);
  for (const Closure& closure : system->closures) {
    reach(closure.a, closure.X_LA);
    reach(closure.b, closure.X_LB);
  }
  // The world has an extent too, but no size of its own.
  extent[0] = 0;
  std::erase_if(extent, [](double length) { return length < 1e-9; });
  if (extent.empty()) return 1;
  const auto middle = extent.begin() + static_cast<std::ptrdiff_t>(extent.size() / 2);
  // A median: one long frame does not make all small parts look like points.
  std::nth_element(extent.begin(), middle, extent.end());
  return *middle;
}

Eigen::VectorXd row_scales(const System& system, double typical) {
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(system->rows);
  for (const Closure& closure : system->closures) {
    const std::span<const model::Direction> directions = model::joint_row(closure.type).rows;
    for (int k = 0; k < closure.rows; ++k) {
      // Lengths in typical lengths beside angles in rad: only so is a rank a number without units.
      if (is_length(directions[to_index(k)])) scales[closure.row + k] = 1 / typical;
    }
  }
  for (const Drive& drive : system->drives) {
    if (drive.terms.front().slides) scales[drive.row] = 1 / typical;
  }
  return scales;
}

Eigen::VectorXd coordinate_scales(const System& system, double typical) {
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(system->velocity_size);
  for (const Link& link : system->links) {
    const std::span<const model::CoordinateKind> kinds = model::joint_kind(link.type).coordinates;
    for (int k = 0; k < link.freedom; ++k) {
      if (kinds[to_index(k)] == model::CoordinateKind::kLength) scales[link.velocity + k] = typical;
    }
  }
  return scales;
}

ScaledRows::ScaledRows(const System& system, double time, std::span<const double> q)
    : rows(system),
      typical(typical_length(system)),
      row_scale(row_scales(system, typical)),
      column_scale(coordinate_scales(system, typical)) {
  update_residual(system, time, q, rows);
  update_jacobian(system, rows);
  G = row_scale.asDiagonal() * rows.G * column_scale.asDiagonal();
}

}  // namespace espalier::dynamics::detail
