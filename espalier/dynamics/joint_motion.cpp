#include "espalier/dynamics/joint_motion.hpp"

#include <algorithm>
#include <numbers>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"

namespace espalier::dynamics {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
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

// The forces along these axes of A, through its origin.
void add_forces(Columns& columns, const Frames& at, std::initializer_list<int> axes) {
  for (const int k : axes) add(columns, force_along(at.a.col(k), at.oa));
}
void add_couples(Columns& columns, const Frames& at, std::initializer_list<int> axes) {
  for (const int k : axes) add(columns, couple_about(at.a.col(k)));
}

}  // namespace

MotionSubspace motion_subspace(JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB) {
  const Frames at(X_WA, X_WB);
  MotionSubspace motion;
  switch (type) {
    case JointType::kRevolute:
      add(motion, rotation_about(at.a.col(2), at.oa), false);
      break;
    case JointType::kPrismatic:
      add(motion, translation_along(at.a.col(2)), false);
      break;
    case JointType::kScrew:
      add(motion, rotation_about(at.a.col(2), at.oa) + pitch / (2 * std::numbers::pi) * translation_along(at.a.col(2)),
          false);
      break;
    case JointType::kCylindrical:
      add(motion, translation_along(at.a.col(2)), false);
      add(motion, rotation_about(at.a.col(2), at.oa), false);
      break;
    case JointType::kUniversal:
      add(motion, rotation_about(at.a.col(0), at.oa), false);
      add(motion, rotation_about(at.b.col(1), at.ob), true);
      break;
    case JointType::kSpherical:
      for (int k = 0; k < 3; ++k) add(motion, rotation_about(at.b.col(k), at.ob), true);
      break;
    case JointType::kPlanar:
      for (int k = 0; k < 2; ++k) add(motion, translation_along(at.a.col(k)), false);
      add(motion, rotation_about(at.b.col(2), at.ob), true);
      break;
    case JointType::kFree:
      for (int k = 0; k < 3; ++k) add(motion, translation_along(at.a.col(k)), false);
      for (int k = 0; k < 3; ++k) add(motion, rotation_about(at.b.col(k), at.ob), true);
      break;
    case JointType::kFixed:
      break;
  }
  return motion;
}

Columns constraint_wrenches(JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB) {
  const Frames at(X_WA, X_WB);
  Columns wrenches;
  switch (type) {
    case JointType::kRevolute:
      add_forces(wrenches, at, {0, 1, 2});
      add_couples(wrenches, at, {0, 1});
      break;
    case JointType::kPrismatic:
      add_forces(wrenches, at, {0, 1});
      add_couples(wrenches, at, {0, 1, 2});
      break;
    case JointType::kScrew:
      add_forces(wrenches, at, {0, 1});
      add_couples(wrenches, at, {0, 1});
      add(wrenches, force_along(at.a.col(2), at.oa) - pitch / (2 * std::numbers::pi) * couple_about(at.a.col(2)));
      break;
    case JointType::kCylindrical:
      add_forces(wrenches, at, {0, 1});
      add_couples(wrenches, at, {0, 1});
      break;
    case JointType::kUniversal:
      add_forces(wrenches, at, {0, 1, 2});
      add(wrenches, couple_about(at.a.col(0).cross(at.b.col(1))));
      break;
    case JointType::kSpherical:
      add_forces(wrenches, at, {0, 1, 2});
      break;
    case JointType::kPlanar:
      add_forces(wrenches, at, {2});
      add_couples(wrenches, at, {0, 1});
      break;
    case JointType::kFree:
      break;
    case JointType::kFixed:
      add_forces(wrenches, at, {0, 1, 2});
      add_couples(wrenches, at, {0, 1, 2});
      break;
  }
  return wrenches;
}

Columns coordinate_wrenches(JointType type, const math::Pose& X_WA, const math::Pose& X_WB) {
  const Frames at(X_WA, X_WB);
  Columns wrenches;
  switch (type) {
    case JointType::kRevolute:
    case JointType::kScrew:
      add_couples(wrenches, at, {2});
      break;
    case JointType::kPrismatic:
      add_forces(wrenches, at, {2});
      break;
    case JointType::kCylindrical:
      add_forces(wrenches, at, {2});
      add_couples(wrenches, at, {2});
      break;
    case JointType::kUniversal:
      add(wrenches, couple_about(at.a.col(0)));
      add(wrenches, couple_about(at.b.col(1)));
      break;
    case JointType::kPlanar:
      for (int k = 0; k < 2; ++k) add(wrenches, force_along(at.a.col(k), at.ob));
      add(wrenches, couple_about(at.b.col(2)));
      break;
    case JointType::kSpherical:
    case JointType::kFree:
    case JointType::kFixed:
      break;
  }
  return wrenches;
}

void constraint_bias(JointType type, const Columns& wrenches, const math::Pose& X_WA, const math::Pose& X_WB,
                     const SpatialVector& v_a, const SpatialVector& v_b, std::span<double> bias) {
  // T is fixed in frame A: d/dt T^T v_r = T^T (a_r - v_a x v_r).
  const SpatialVector carried = math::cross_motion(v_a, v_b - v_a);
  for (int k = 0; k < wrenches.count; ++k) bias[to_index(k)] = -wrenches.column.col(k).dot(carried);
  if (type != JointType::kUniversal) return;
  // The fourth wrench, about n = x_A x y_B, is carried along by neither body alone.
  const Vector3d w_a = v_a.head<3>();
  const Vector3d w_b = v_b.head<3>();
  const Vector3d x = X_WA.rotation * Vector3d::UnitX();
  const Vector3d y = X_WB.rotation * Vector3d::UnitY();
  const Vector3d rate = w_a.cross(x).cross(y) + x.cross(w_b.cross(y));
  bias[3] = rate.dot(w_b - w_a);
}

void constraint_residual(JointType type, double pitch, double angle, const math::Pose& X_WA, const math::Pose& X_WB,
                         std::span<double> residual) {
  constraint_residual(type, pitch, angle, X_WA.rotation.conjugate() * (X_WB.position - X_WA.position),
                      (X_WA.rotation.conjugate() * X_WB.rotation).toRotationMatrix(), residual);
}

void constraint_residual(JointType type, double pitch, double angle, Vector3d d, const Matrix3d& r,
                         std::span<double> residual) {
  // The forces act through the origin of A. Where B may have slid away from it, a tilt moves B's origin sideways, and
  // what counts is the point of b that lies at A's: only then is the rate of the residual the row of the constraint.
  const bool slides = type == JointType::kPrismatic || type == JointType::kCylindrical || type == JointType::kScrew ||
                      type == JointType::kPlanar;
  if (slides) d -= Vector3d(-r(1, 2), r(0, 2), 0).cross(d).eval();
  std::size_t n = 0;
  const auto put = [&](double value) { residual[n++] = value; };
  const auto put_origin = [&](std::initializer_list<int> axes) {
    for (const int k : axes) put(d[k]);
  };
  // Small rotations of B against A about x and y of A.
  const auto put_tilt = [&] {
    put(-r(1, 2));
    put(r(0, 2));
  };
  switch (type) {
    case JointType::kRevolute:
      put_origin({0, 1, 2});
      put_tilt();
      break;
    case JointType::kPrismatic:
      put_origin({0, 1});
      put_tilt();
      put(r(1, 0));
      break;
    case JointType::kScrew:
      put_origin({0, 1});
      put_tilt();
      put(d[2] - pitch / (2 * std::numbers::pi) * angle);
      break;
    case JointType::kCylindrical:
      put_origin({0, 1});
      put_tilt();
      break;
    case JointType::kUniversal:
      put_origin({0, 1, 2});
      put(-r(0, 1));
      break;
    case JointType::kSpherical:
      put_origin({0, 1, 2});
      break;
    case JointType::kPlanar:
      put_origin({2});
      put_tilt();
      break;
    case JointType::kFree:
      break;
    case JointType::kFixed:
      put_origin({0, 1, 2});
      put_tilt();
      put(r(1, 0));
      break;
  }
}

namespace {

// q = (w, x, y, z), `w` in the axes of the turning frame: dq/dt = q (0, w/2).
void quaternion_rate(std::span<const double> q, std::span<const double> w, std::span<double> rate) {
  const Eigen::Quaterniond turned =
      Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * Eigen::Quaterniond(0, w[0] / 2, w[1] / 2, w[2] / 2);
  rate[0] = turned.w();
  rate[1] = turned.x();
  rate[2] = turned.y();
  rate[3] = turned.z();
}

}  // namespace

void constraint_rate(JointType type, double pitch, const Matrix3d& r, const Vector3d& spin, const Vector3d& slide,
                     std::span<double> rate) {
  std::size_t n = 0;
  const auto put = [&](const Vector3d& from, std::initializer_list<int> axes) {
    for (const int k : axes) rate[n++] = from[k];
  };
  switch (type) {
    case JointType::kRevolute:
      put(slide, {0, 1, 2});
      put(spin, {0, 1});
      break;
    case JointType::kPrismatic:
      put(slide, {0, 1});
      put(spin, {0, 1, 2});
      break;
    case JointType::kScrew:
      put(slide, {0, 1});
      put(spin, {0, 1});
      rate[n++] = slide.z() - pitch / (2 * std::numbers::pi) * spin.z();
      break;
    case JointType::kCylindrical:
      put(slide, {0, 1});
      put(spin, {0, 1});
      break;
    case JointType::kUniversal:
      put(slide, {0, 1, 2});
      rate[n++] = Vector3d::UnitX().cross(r.col(1)).dot(spin);
      break;
    case JointType::kSpherical:
      put(slide, {0, 1, 2});
      break;
    case JointType::kPlanar:
      put(slide, {2});
      put(spin, {0, 1});
      break;
    case JointType::kFixed:
      put(slide, {0, 1, 2});
      put(spin, {0, 1, 2});
      break;
    case JointType::kFree:
      break;
  }
}

void joint_rate(JointType type, const math::Pose& X_WA, const math::Pose& X_WB, const SpatialVector& v_r,
                std::span<double> velocity) {
  using Eigen::Vector3d;
  const Vector3d spin_A = X_WA.rotation.conjugate() * v_r.head<3>();
  const Vector3d spin_B = X_WB.rotation.conjugate() * v_r.head<3>();
  const Vector3d slide_A = X_WA.rotation.conjugate() * (v_r.tail<3>() + v_r.head<3>().cross(X_WB.position));
  switch (type) {
    case JointType::kRevolute:
    case JointType::kScrew:
      velocity[0] = spin_A.z();
      break;
    case JointType::kPrismatic:
      velocity[0] = slide_A.z();
      break;
    case JointType::kUniversal:
      velocity[0] = spin_A.x(), velocity[1] = spin_B.y();
      break;
    case JointType::kCylindrical:
      velocity[0] = slide_A.z(), velocity[1] = spin_A.z();
      break;
    case JointType::kPlanar:
      velocity[0] = slide_A.x(), velocity[1] = slide_A.y(), velocity[2] = spin_B.z();
      break;
    case JointType::kFree:
      std::copy(slide_A.begin(), slide_A.end(), velocity.begin());
      [[fallthrough]];
    case JointType::kSpherical:
      std::copy(spin_B.begin(), spin_B.end(), velocity.end() - 3);
      break;
    case JointType::kFixed:
      break;
  }
}

void position_rate(JointType type, std::span<const double> q, std::span<const double> v, std::span<double> rate) {
  if (type == JointType::kSpherical) return quaternion_rate(q, v, rate);
  std::copy_n(v.begin(), type == JointType::kFree ? 3 : v.size(), rate.begin());
  if (type == JointType::kFree) quaternion_rate(q.subspan(3), v.subspan(3), rate.subspan(3));
}

}  // namespace espalier::dynamics
