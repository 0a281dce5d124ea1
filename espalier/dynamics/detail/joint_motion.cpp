#include "espalier/dynamics/detail/joint_motion.hpp"

#include <algorithm>
#include <numbers>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::CoordinateMotion;
using model::Direction;
using model::joint_row;
using model::JointRow;
using model::JointType;

SpatialVector stack(const Vector3d& angular, const Vector3d& linear) {
  SpatialVector vector;
  vector << angular, linear;
  return vector;
}

// A rotation about the line through o, a translation, a force along that line, a couple.
SpatialVector rotation_about(const Vector3d& u, const Vector3d& o) { return stack(u, o.cross(u)); }
SpatialVector translation_along(const Vector3d& u) { return stack(Vector3d::Zero(), u); }
SpatialVector force_along(const Vector3d& u, const Vector3d& o) { return stack(o.cross(u), u); }
SpatialVector couple_about(const Vector3d& u) { return stack(u, Vector3d::Zero()); }

struct Frames {
  Matrix3d a, b;
  Vector3d oa, ob;
  Frames(const math::Pose& X_WA, const math::Pose& X_WB)
      : a(X_WA.rotation.toRotationMatrix()),
        b(X_WB.rotation.toRotationMatrix()),
        oa(X_WA.position),
        ob(X_WB.position) {}
};

void add(MotionSubspace& motion, const SpatialVector& column, bool owner_is_b) {
  motion.owner_is_b[to_index(motion.s.count)] = owner_is_b;
  motion.s.column.col(motion.s.count++) = column;
}

void add(Columns& columns, const SpatialVector& column) { columns.column.col(columns.count++) = column; }

// How far a screw slides while it turns by one radian [m].
double lead_of(double pitch) { return pitch / (2 * std::numbers::pi); }

SpatialVector motion_of(const CoordinateMotion& motion, double pitch, const Frames& at) {
  const Matrix3d& axes = motion.of_m ? at.b : at.a;
  const Vector3d axis = axes.col(model::axis_of(motion.direction));
  if (is_length(motion.direction)) return translation_along(axis);
  // Each line of the table: rot(u, o), and h tr(u) where it is a thread.
  const SpatialVector turning = rotation_about(axis, motion.of_m ? at.ob : at.oa);
  if (!motion.threaded) return turning;
  return turning + lead_of(pitch) * translation_along(axis);
}

SpatialVector wrench_of(Direction direction, double pitch, const Frames& at) {
  if (direction == Direction::kAboutNormal) return couple_about(at.a.col(0).cross(at.b.col(1)));
  // A thread holds shift and turn against each other: no power along its own motion.
  if (direction == Direction::kThread)
    return force_along(at.a.col(2), at.oa) - lead_of(pitch) * couple_about(at.a.col(2));
  const Vector3d axis = at.a.col(model::axis_of(direction));
  return is_length(direction) ? force_along(axis, at.oa) : couple_about(axis);
}

}  // namespace

MotionSubspace motion_subspace(JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB) {
  const Frames at(X_WA, X_WB);
  MotionSubspace motion;
  for (const CoordinateMotion& coordinate : joint_row(type).motions)
    add(motion, motion_of(coordinate, pitch, at), coordinate.of_m);
  return motion;
}

Columns constraint_wrenches(JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB) {
  const Frames at(X_WA, X_WB);
  Columns wrenches;
  for (const Direction direction : joint_row(type).rows) add(wrenches, wrench_of(direction, pitch, at));
  return wrenches;
}

Columns coordinate_wrenches(JointType type, const math::Pose& X_WA, const math::Pose& X_WB) {
  const Frames at(X_WA, X_WB);
  Columns wrenches;
  const JointRow& row = joint_row(type);
  // Three angular velocities are no rates of coordinates: no wrench acts on one of them alone.
  if (row.quaternion >= 0) return wrenches;
  for (const auto& [direction, of_m, threaded] : row.motions) {
    const Vector3d axis = (of_m ? at.b : at.a).col(model::axis_of(direction));
    // The origin of B is what slides, and the force acts there. Along z it stays on the line through that of A.
    const Vector3d& point = direction == Direction::kZ ? at.oa : at.ob;
    add(wrenches, is_length(direction) ? force_along(axis, point) : couple_about(axis));
  }
  return wrenches;
}

void constraint_bias(JointType type, const Columns& wrenches, const math::Pose& X_WA, const math::Pose& X_WB,
                     const SpatialVector& v_a, const SpatialVector& v_b, std::span<double> bias) {
  // T is fixed in frame A: d/dt T^T v_r = T^T (a_r - v_a x v_r).
  const SpatialVector carried = math::cross_motion(v_a, v_b - v_a);
  for (int k = 0; k < wrenches.count; ++k) bias[to_index(k)] = -wrenches.column.col(k).dot(carried);
  const std::span<const Direction> rows = joint_row(type).rows;
  const auto normal = std::find(rows.begin(), rows.end(), Direction::kAboutNormal);
  if (normal == rows.end()) return;
  // The wrench about n = x_A x y_B is carried along by neither body alone.
  const Vector3d w_a = v_a.head<3>();
  const Vector3d w_b = v_b.head<3>();
  const Vector3d x = X_WA.rotation * Vector3d::UnitX();
  const Vector3d y = X_WB.rotation * Vector3d::UnitY();
  const Vector3d rate = w_a.cross(x).cross(y) + x.cross(w_b.cross(y));
  bias[to_index(normal - rows.begin())] = rate.dot(w_b - w_a);
}

void constraint_residual(JointType type, double pitch, double angle, const math::Pose& X_WA, const math::Pose& X_WB,
                         std::span<double> residual) {
  constraint_residual(type, pitch, angle, X_WA.rotation.conjugate() * (X_WB.position - X_WA.position),
                      (X_WA.rotation.conjugate() * X_WB.rotation).toRotationMatrix(), residual);
}

void constraint_residual(JointType type, double pitch, double angle, Vector3d d, const Matrix3d& r,
                         std::span<double> residual) {
  const JointRow& row = joint_row(type);
  // The forces act through the origin of A. Where B may have slid away from it, a tilt moves B's origin sideways, and
  // what counts is the point of b that lies at A's: only then is the rate of the residual the row of the constraint.
  if (row.slides) d -= Vector3d(-r(1, 2), r(0, 2), 0).cross(d).eval();
  const auto value = [&](Direction direction) {
    switch (direction) {
      case Direction::kX:
      case Direction::kY:
      case Direction::kZ:
        return d[model::axis_of(direction)];
      // Small rotations of B against A about the axes of A.
      case Direction::kAboutX:
        return -r(1, 2);
      case Direction::kAboutY:
        return r(0, 2);
      case Direction::kAboutZ:
        return r(1, 0);
      case Direction::kAboutNormal:
        return -r(0, 1);
      case Direction::kThread:
        break;
    }
    return d[2] - lead_of(pitch) * angle;
  };
  std::transform(row.rows.begin(), row.rows.end(), residual.begin(), value);
}

void constraint_rate(JointType type, double pitch, const Matrix3d& r, const Vector3d& spin, const Vector3d& slide,
                     std::span<double> rate) {
  const auto value = [&](Direction direction) {
    if (direction == Direction::kAboutNormal) return Vector3d::UnitX().cross(r.col(1)).dot(spin);
    if (direction == Direction::kThread) return slide.z() - lead_of(pitch) * spin.z();
    return (is_length(direction) ? slide : spin)[model::axis_of(direction)];
  };
  const std::span<const Direction> rows = joint_row(type).rows;
  std::transform(rows.begin(), rows.end(), rate.begin(), value);
}

void joint_rate(JointType type, const math::Pose& X_WA, const math::Pose& X_WB, const SpatialVector& v_r,
                std::span<double> velocity) {
  // Both are needed: of a universal joint one axis is in A and the other in B.
  const Vector3d spin_A = X_WA.rotation.conjugate() * v_r.head<3>();
  const Vector3d spin_B = X_WB.rotation.conjugate() * v_r.head<3>();
  // The origin of B, seen from A.
  const Vector3d slide_A = X_WA.rotation.conjugate() * (v_r.tail<3>() + v_r.head<3>().cross(X_WB.position));
  const auto rate = [&](const CoordinateMotion& motion) {
    const Vector3d& spin = motion.of_m ? spin_B : spin_A;
    return (is_length(motion.direction) ? slide_A : spin)[model::axis_of(motion.direction)];
  };
  const std::span<const CoordinateMotion> motions = joint_row(type).motions;
  std::transform(motions.begin(), motions.end(), velocity.begin(), rate);
}

void joint_rate_slope(JointType type, const math::Pose& X_WA, const math::Pose& X_WB, const SpatialVector& v_a,
                      const SpatialVector& v_b, const SpatialVector& a_r, std::span<double> acceleration) {
  const Vector3d w_a = v_a.head<3>(), w_b = v_b.head<3>(), w_r = w_b - w_a, alpha_r = a_r.head<3>();
  // The origin of B, which is carried along by b, against the point of a that is there.
  const Vector3d& point = X_WB.position;
  const Vector3d slide = v_b.tail<3>() - v_a.tail<3>() + w_r.cross(point);
  const Vector3d slide_rate = a_r.tail<3>() + alpha_r.cross(point) + w_r.cross(v_b.tail<3>() + w_b.cross(point));
  const auto slope = [&](const CoordinateMotion& motion) {
    const Vector3d axis = (motion.of_m ? X_WB : X_WA).rotation * Vector3d::Unit(model::axis_of(motion.direction));
    // An axis is carried along by the body whose frame it belongs to.
    const Vector3d carried = (motion.of_m ? w_b : w_a).cross(axis);
    return is_length(motion.direction) ? axis.dot(slide_rate) + carried.dot(slide)
                                       : axis.dot(alpha_r) + carried.dot(w_r);
  };
  const std::span<const CoordinateMotion> motions = joint_row(type).motions;
  std::transform(motions.begin(), motions.end(), acceleration.begin(), slope);
}

}  // namespace espalier::dynamics::detail
