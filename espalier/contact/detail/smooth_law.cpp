#include "espalier/contact/detail/smooth_law.hpp"

#include <algorithm>
#include <cmath>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::contact::detail {
namespace {

// (C11): max(x, 0), rounded off to (x + sqrt(x^2 + 4 t)) / 2, and its slopes.
struct Positive {
  double value, slope, by_t;
};
Positive positive(double x, double t) {
  const double root = std::sqrt(x * x + 4 * t);
  if (root == 0) return {0, 0.5, 0};
  // The sum of x < 0 and the root would cancel.
  return {x > 0 ? 0.5 * (x + root) : 2 * t / (root - x), 0.5 * (1 + x / root), 1 / root};
}

// (C24) with m = 1: the y in [0, min(1, z)] with (z - y) (1 - y^2) = t y. Newton's method between bounds: the left side
// falls in y, the right one rises.
double find_share(double z, double t) {
  if (z <= 0) return 0;
  double low = 0, high = std::min(1.0, z);
  if (t == 0) return high;
  double y = z < 1 ? z * (1 - z * z) / (1 - z * z + t) : 0.5;
  for (int i = 0; i < 60; ++i) {
    const double left = (z - y) * (1 - y * y) - t * y;
    if (left == 0) break;
    (left > 0 ? low : high) = y;
    double next = y + left / ((1 - y * y) + 2 * y * (z - y) + t);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double moved = std::abs(next - y);
    y = next;
    if (moved <= 4e-16 * y) break;
  }
  return y;
}

// min(n, m), the length to which friction cuts an impulse of length n, rounded off by (C24), and its slopes.
struct Cut {
  double value, by_n, by_m, by_t;
  double share;  // of n
};
Cut cut(double n, double m, double t) {
  if (m <= 0) return {0, 0, 0, 0, 0};
  const double r = m * find_share(n / m, t / (m * m));
  // By (C24), where the difference of squares would cancel.
  const double room = n - r > 0.5 * n ? t * r / (n - r) : m * m - r * r;
  const double slope = room + 2 * r * (n - r) + t;
  // Only where nothing is rounded off, and at the corner.
  if (slope <= 0) return {r, 0, 1, 0, 1};
  return {r, room / slope, 2 * m * (n - r) / slope, -r / slope, n > 1e-14 * m ? r / n : m * m / (m * m + t)};
}

// R_T = 0 and one equation for n, which the caller puts in.
Linearised along_normal(const Eigen::Vector3d& R) {
  Linearised law = {.C = {R.x(), R.y(), 0},
                    .by_U = Eigen::Matrix3d::Zero(),
                    .by_R = Eigen::Matrix3d::Zero(),
                    .by_s = Eigen::Vector3d::Zero()};
  law.by_R(0, 0) = law.by_R(1, 1) = 1;
  return law;
}

// (C23): the push is the positive part of R_N - weight (U_N + bias), and friction cuts R_T - weight U_T to mu times it.
Linearised contact(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, const Weights& weights,
                   double s) {
  Linearised law = along_normal(R);
  const double rho = weights.normal, mu = row.friction;
  const Positive push = positive(R.z() - rho * (U.z() + row.bias.z()), s * rho);
  law.C.z() = R.z() - push.value;
  law.by_R(2, 2) = 1 - push.slope;
  law.by_U(2, 2) = rho * push.slope;
  law.by_s.z() = -rho * push.by_t;
  if (mu <= 0) return law;
  const Eigen::Vector2d S = R.head<2>() - weights.tangential * U.head<2>();
  const double n = elementary::hypot(S.x(), S.y());
  const Eigen::Vector2d d = n > 0 ? Eigen::Vector2d(S / n) : Eigen::Vector2d(1, 0);
  const Cut friction = cut(n, mu * push.value, s * weights.tangential);
  const Eigen::Matrix2d along = d * d.transpose();
  const Eigen::Matrix2d slope = friction.share * (Eigen::Matrix2d::Identity() - along) + friction.by_n * along;
  law.C.head<2>() -= friction.value * d;
  law.by_R.topLeftCorner<2, 2>() -= slope;
  law.by_U.topLeftCorner<2, 2>() = weights.tangential * slope;
  law.by_R.topRightCorner<2, 1>() = -friction.by_m * mu * push.slope * d;
  law.by_U.topRightCorner<2, 1>() = friction.by_m * mu * push.slope * rho * d;
  law.by_s.head<2>() = -(friction.by_t * weights.tangential + friction.by_m * mu * rho * push.by_t) * d;
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
  Linearised law{
      .C = R, .by_U = Eigen::Matrix3d::Zero(), .by_R = Eigen::Matrix3d::Identity(), .by_s = Eigen::Vector3d::Zero()};
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

Linearised linearise(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double step,
                     const Weights& weights, double smoothing) {
  const double rho = weights.normal;
  Linearised law;
  switch (row.law) {
    case Law::kContact:
      return contact(row, U, R, weights, smoothing);
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
