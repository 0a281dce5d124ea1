#pragma once

// The equations of all closures and drives with a sparse Jacobian: what assembly and rank need, in memory and time that
// grow with the length of the loops and not with the square of the model. World axes about the world's origin.

#include <span>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct ConstraintRows {
  explicit ConstraintRows(const System& system);

  LinkArrays links;                    // poses at q; nothing moves
  std::vector<MotionSubspace> motion;  // by link
  std::vector<DriveRow> drives;        // by drive
  Eigen::VectorXd residual;            // by row [m or rad]
  SparseRows G;                        // rows x velocity_size; d residual / dt = G v + drift in a closed pose
  Eigen::VectorXd drift;               // what time itself brings to drives

  std::vector<Eigen::Triplet<double>> entries;  // of G, before they are sorted in
  std::vector<double> still;                    // no velocities
};

// Poses, residual, drift. O(links + rows).
void update_residual(const System& system, double time, std::span<const double> q, ConstraintRows& rows);
// motion and G, at the poses of the last update_residual. O(sum of the loops' lengths).
void update_jacobian(const System& system, ConstraintRows& rows);

// Adds the entries of rows T^T (J_b - J_a), one a column of T, from `row` on: the joints on the ways from the links a
// and b to where they meet.
void add_path_rows(const System& system, std::span<const MotionSubspace> motion, const Columns& wrenches, int row,
                   int a, int b, std::vector<Eigen::Triplet<double>>& entries);

// Frame B of the closure in its frame A at these poses of the links, and what it lacks to be closed.
math::Pose closure_pose(const Closure& closure, std::span<const math::Pose> pose);
math::PoseGap closure_gap(const Closure& closure, std::span<const math::Pose> pose);

// A length typical of the model's links [m]: the median distance from a link's joint to the farthest frame it carries;
// 1 where no link has an extent. Angles times this compare with lengths.
double typical_length(const System& system);
// What makes rows and coordinates free of units: lengths are counted in `typical` lengths.
Eigen::VectorXd row_scales(const System& system, double typical);         // residual * scale
Eigen::VectorXd coordinate_scales(const System& system, double typical);  // v = scale * scaled v

// The equations at one pose with both sides free of units: entries of G are of the order of 1.
struct ScaledRows {
  ScaledRows(const System& system, double time, std::span<const double> q);

  ConstraintRows rows;
  double typical = 1;  // [m]
  Eigen::VectorXd row_scale, column_scale;
  SparseRows G;
};

}  // namespace espalier::dynamics::detail
