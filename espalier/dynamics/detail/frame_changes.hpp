#pragma once

// Small changes of the frames of all joints as one vector, in parts of what is allowed: for every joint three turns and
// three shifts of its frame A, then of its frame B, in the axes of that frame.

#include <Eigen/SparseCore>

#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/constraint_rows.hpp"

namespace espalier::dynamics::detail {

struct FrameBounds {
  double angle = 1e-4;     // [rad]
  double distance = 1e-5;  // [m]
};

Eigen::Index frame_change_size(const System& system);
// By joint: the turn or the shift of both frames together, whichever is larger.
Eigen::VectorXd joint_sizes(const Eigen::VectorXd& change);

// The system with these frames in its joints, for kinematics: force laws and drives keep the old ones.
System with_frames(const System& system, const Eigen::VectorXd& change, const FrameBounds& bounds);

// E = d residual / d change at the poses of `rows`, whose motions are set. A change of frame A of a tree joint moves
// what hangs on it as a motion of the joint would, one of frame B the other way round.
SparseRows frame_slopes(const System& system, const ConstraintRows& rows, const FrameBounds& bounds);

// The changes by joint, in its own frames F and M, and their sizes.
void set_correction(const System& system, const Eigen::VectorXd& change, const FrameBounds& bounds,
                    Correction& correction);

// The smallest x with least |A x - b|.
Eigen::VectorXd least_norm_solution(const Eigen::SparseMatrix<double>& A, const Eigen::VectorXd& b);

}  // namespace espalier::dynamics::detail
