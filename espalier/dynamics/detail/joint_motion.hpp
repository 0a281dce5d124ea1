#pragma once

// The joints as motions and as constraints, in world axes about the world's origin [angular; linear]: what follows from
// the rows of the joint table (model/joint.hpp), for all types alike.
//   frames   A fixed in the joint's body a, B fixed in its body b (F and M of the table); oa ob their origins
//   motion   v_b - v_a = S qd; each column is carried along by one of the two bodies: dS/dt = v_owner x S
//   wrenches the columns of T are the fbar = 6 - f wrenches the joint can transmit: T^T (v_b - v_a) = 0
// Checked against Cartesian references for all types and both directions; see docs/theory/dynamics.md.

#include <array>
#include <span>

#include <Eigen/Core>

#include "espalier/math/pose.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {

using math::SpatialVector;

// At most six columns; `count` of them are in use.
struct Columns {
  Eigen::Matrix<double, 6, 6> column;
  int count = 0;
};

// The columns of S. owner_is_b[k]: column k is carried along by body b, else by body a.
struct MotionSubspace {
  Columns s;
  std::array<bool, 6> owner_is_b{};
};
MotionSubspace motion_subspace(model::JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB);

// The columns of T.
Columns constraint_wrenches(model::JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB);

// One wrench on b for each coordinate of a joint without quaternion: column k does work on coordinate k alone, and its
// power there is the rate of that coordinate. On a acts the opposite wrench.
Columns coordinate_wrenches(model::JointType type, const math::Pose& X_WA, const math::Pose& X_WB);

// T^T a_r is minus this where the joint holds, a_r = a_b - a_a: the part of the row's rate that holds no acceleration.
void constraint_bias(model::JointType type, const Columns& wrenches, const math::Pose& X_WA, const math::Pose& X_WB,
                     const SpatialVector& v_a, const SpatialVector& v_b, std::span<double> bias);

// How far the joint is from being closed, one number a wrench [m or rad]; zero exactly where it holds. `angle` is the
// unwrapped angle of a screw and is used by no other type.
void constraint_residual(model::JointType type, double pitch, double angle, const math::Pose& X_WA,
                         const math::Pose& X_WB, std::span<double> residual);
// The same from the position d and the rotation r of B in A.
void constraint_residual(model::JointType type, double pitch, double angle, Eigen::Vector3d d, const Eigen::Matrix3d& r,
                         std::span<double> residual);
// Its rate, T^T v_r, where B turns by `spin` and slides by `slide` (of the point of b that is at the origin of A)
// relative to A, both in the axes of A.
void constraint_rate(model::JointType type, double pitch, const Eigen::Matrix3d& r, const Eigen::Vector3d& spin,
                     const Eigen::Vector3d& slide, std::span<double> rate);

// The f velocities of a closed joint whose bodies move by v_r = v_b - v_a relative to each other.
void joint_rate(model::JointType type, const math::Pose& X_WA, const math::Pose& X_WB, const SpatialVector& v_r,
                std::span<double> velocity);
// Their derivatives; v_a and v_b are spatial velocities, a_r is the rate of v_b - v_a.
void joint_rate_slope(model::JointType type, const math::Pose& X_WA, const math::Pose& X_WB, const SpatialVector& v_a,
                      const SpatialVector& v_b, const SpatialVector& a_r, std::span<double> acceleration);

}  // namespace espalier::dynamics::detail
