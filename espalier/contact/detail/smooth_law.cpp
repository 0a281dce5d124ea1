#include "espalier/contact/detail/smooth_law.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::contact::detail {
namespace {

// (C11): max(x, 0), rounded off to (x + sqrt(x^2 + 4 t)) / 2, and its slope.
struct Positive {
  double value, slope;
};
Positive positive(double x, double t) {
  const double root = std::sqrt(x * x + 4 * t);
  if (root == 0) return {0, 0.5};
  // The sum of x < 0 and the root would cancel.
  return {x > 0 ? 0.5 * (x + root) : 2 * t / (root - x), 0.5 * (1 + x / root)};
}

// Projection on the cone |S_T| <= S_N through its two eigenvalues S_N +- |S_T|, each rounded off.
struct Projection {
  Eigen::Vector3d point;
  Eigen::Matrix3d slope;
};
Projection project_smoothly(const Eigen::Vector3d& S, double t) {
  const double size = elementary::hypot(S.x(), S.y());
  // On the axis of the cone all directions are the same.
  const Eigen::Vector2d d = size > 0 ? Eigen::Vector2d(S.head<2>() / size) : Eigen::Vector2d(1, 0);
  const Positive plus = positive(S.z() + size, t), minus = positive(S.z() - size, t);
  // The slope has the eigenvalue `turn` across d. As |S_T| goes to zero it goes to the mean of the other two.
  const double mean = 0.5 * (plus.slope + minus.slope), cross = 0.5 * (plus.slope - minus.slope);
  const double turn = size > 1e-12 * std::abs(S.z()) ? 0.5 * (plus.value - minus.value) / size : mean;
  Projection projection;
  projection.point << 0.5 * (plus.value - minus.value) * d, 0.5 * (plus.value + minus.value);
  projection.slope << turn * Eigen::Matrix2d::Identity() + (mean - turn) * d * d.transpose(), cross * d,
      cross * d.transpose(), mean;
  return projection;
}

// In (R_T, mu R_N) and (U_T, (U_N + bias) / mu + |U_T|) both cones are the same, at right angles.
Linearised with_friction(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double rho, double s) {
  const double mu = row.friction;
  // |U_T| has no slope at rest; this has, and is the same once s is gone.
  const double sliding = std::sqrt(U.head<2>().squaredNorm() + 0.01 * s / rho);
  const Eigen::Vector3d R_even(R.x(), R.y(), mu * R.z());
  const Eigen::Vector3d F(U.x(), U.y(), (U.z() + row.bias.z()) / mu + sliding);
  Eigen::Matrix3d F_by_U = Eigen::Vector3d(1, 1, 1 / mu).asDiagonal();
  if (sliding > 0) F_by_U.row(2).head<2>() = U.head<2>() / sliding;
  const Projection projection = project_smoothly(R_even - rho * F, s * rho);
  Linearised law;
  law.C = R_even - projection.point;
  law.by_R = Eigen::Matrix3d::Identity() - projection.slope;
  law.by_R.col(2) *= mu;
  law.by_U = rho * projection.slope * F_by_U;
  return law;
}

// R_T = 0 and one equation for n, which the caller puts in.
Linearised along_normal(const Eigen::Vector3d& R) {
  Linearised law = {.C = {R.x(), R.y(), 0}, .by_U = Eigen::Matrix3d::Zero(), .by_R = Eigen::Matrix3d::Zero()};
  law.by_R(0, 0) = law.by_R(1, 1) = 1;
  return law;
}

Linearised without_friction(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double rho, double s) {
  Linearised law = along_normal(R);
  // (C2) without friction: the normal part alone, rounded off by (C11).
  const Positive push = positive(R.z() - rho * (U.z() + row.bias.z()), s * rho);
  law.C.z() = R.z() - push.value;
  law.by_R(2, 2) = 1 - push.slope;
  law.by_U(2, 2) = rho * push.slope;
  return law;
}

Linearised link(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double step, double rho) {
  Linearised law = along_normal(R);
  const Eigen::Vector3d reach = row.z + 0.5 * step * U;
  const double length = reach.norm();
  // (C4), link; rho makes an impulse of the velocity, as of all equations here.
  law.C.z() = rho * (length - row.length) / (0.5 * step);
  law.by_U.row(2) = rho * reach / length;
  return law;
}

Linearised spring(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double rho) {
  Linearised law = along_normal(R);
  // What brake and stops have of R_N decides which of three equations holds: at a stop, held by the brake, moving.
  const double share = R.z() - (row.impulse - row.damping * U.z()), x = rho * U.z() - share;
  const double brake = std::clamp(x, -row.friction, row.friction), free = x - brake;
  if (free < rho * row.stops[0] || free > rho * row.stops[1]) {
    law.C.z() = rho * (U.z() - row.stops[free < rho * row.stops[0] ? 0 : 1]);
    law.by_U(2, 2) = rho;
  } else if (row.friction > 0 && free == 0) {
    law.C.z() = rho * U.z();
    law.by_U(2, 2) = rho;
  } else {
    law.C.z() = share + brake;
    law.by_U(2, 2) = row.damping;
    law.by_R(2, 2) = 1;
  }
  return law;
}

Linearised held(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double rho) {
  Linearised law{.C = R, .by_U = Eigen::Matrix3d::Zero(), .by_R = Eigen::Matrix3d::Identity()};
  for (int k = 0; k < 3; ++k) {
    if (!row.held[to_index(k)]) continue;
    // (C4), point; directions that are free keep R = 0.
    law.C[k] = rho * (U[k] + row.bias[k]);
    law.by_U(k, k) = rho;
    law.by_R(k, k) = 0;
  }
  return law;
}

}  // namespace

Linearised linearise(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double step, double rho,
                     double smoothing) {
  Linearised law;
  switch (row.law) {
    case Law::kContact:
      return row.friction > 0 ? with_friction(row, U, R, rho, smoothing) : without_friction(row, U, R, rho, smoothing);
    case Law::kPoint:
      return held(row, U, R, rho);
    case Law::kDirection:
      law = along_normal(R);
      law.C.z() = rho * (U.z() + row.bias.z());
      law.by_U(2, 2) = rho;
      return law;
    case Law::kLink:
      return link(row, U, R, step, rho);
    case Law::kSpring:
      return spring(row, U, R, rho);
  }
  return along_normal(R);
}

}  // namespace espalier::contact::detail
