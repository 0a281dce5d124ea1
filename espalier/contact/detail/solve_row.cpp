#include "espalier/contact/detail/solve_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/contact/detail/smooth_law.hpp"

namespace espalier::contact::detail {
namespace {

// Sliding. R_T = mu R_N d and U_T = -lambda R_T with lambda > 0, U_N = 0, that is
//
//   (W + lambda diag(1, 1, 0)) R = -q,   |R_T| = mu R_N.
//
// By Cramer's rule R = (T(lambda), N(lambda)) / det with T linear, N quadratic in lambda and det > 0. So
//
//   g(lambda) = mu N(lambda) - |T(lambda)| = 0,
//
// with g < 0 at 0, else it sticks, and g -> infinity with lambda where q_N < 0, else it parts. (Squared this is the
// quartic of [Bonnefon11].)
struct Sliding {
  double friction;
  double x0, x1, y0, y1;  // T = (x0 + x1 lambda, y0 + y1 lambda)
  double n0, n1, n2;      // N

  Sliding(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu) : friction(mu) {
    const double a = W(0, 0), b = W(0, 1), c = W(0, 2);
    const double d = W(1, 0), e = W(1, 1), f = W(1, 2);
    const double g = W(2, 0), h = W(2, 1), i = W(2, 2);
    x0 = -((e * i - f * h) * q.x() + (c * h - b * i) * q.y() + (b * f - c * e) * q.z());
    y0 = -((f * g - d * i) * q.x() + (a * i - c * g) * q.y() + (c * d - a * f) * q.z());
    n0 = -((d * h - e * g) * q.x() + (b * g - a * h) * q.y() + (a * e - b * d) * q.z());
    x1 = c * q.z() - i * q.x();
    y1 = f * q.z() - i * q.y();
    n1 = g * q.x() + h * q.y() - (a + e) * q.z();
    n2 = -q.z();
  }

  struct Value {
    double g, slope;
  };
  Value at(double lambda) const {
    const double x = x0 + x1 * lambda, y = y0 + y1 * lambda, size = std::sqrt(x * x + y * y);
    const double turn = size > 0 ? (x * x1 + y * y1) / size : std::sqrt(x1 * x1 + y1 * y1);
    return {friction * (n0 + lambda * (n1 + lambda * n2)) - size, friction * (n1 + 2 * lambda * n2) - turn};
  }
};

// R = -(W + lambda diag(1, 1, 0))^-1 q by elimination, which needs no pivots for a positive definite W. Not L D L^T:
// measured or condensed matrices come not quite symmetric, and what is left of the law must be zero with W as it is.
Eigen::Vector3d solve_shifted(const Eigen::Matrix3d& W, double lambda, const Eigen::Vector3d& q) {
  // Divisions are what takes time here: three instead of seven.
  const double i0 = 1 / (W(0, 0) + lambda), l1 = W(1, 0) * i0, l2 = W(2, 0) * i0;
  const double i1 = 1 / (W(1, 1) + lambda - l1 * W(0, 1)), e = W(1, 2) - l1 * W(0, 2);
  const double l3 = (W(2, 1) - l2 * W(0, 1)) * i1;
  const double d2 = W(2, 2) - l2 * W(0, 2) - l3 * e;
  const double y0 = -q.x(), y1 = -q.y() - l1 * y0, y2 = -q.z() - l2 * y0 - l3 * y1;
  const double z = y2 / d2, y = (y1 - e * z) * i1;
  return {(y0 - W(0, 1) * y - W(0, 2) * z) * i0, y, z};
}

// Where g changes its sign: Newton's method between bounds that close in on the root.
double find_lambda(const Sliding& sliding, double guess, double scale) {
  double low = 0, high = std::numeric_limits<double>::infinity();
  double lambda = guess > 0 && std::isfinite(guess) ? guess : scale;
  for (int i = 0; i < 200; ++i) {
    const Sliding::Value value = sliding.at(lambda);
    if (value.g == 0) break;
    (value.g < 0 ? low : high) = lambda;
    double next = lambda - value.g / value.slope;
    if (next > low && next < high) {
      // Newton's steps square what is left: the next would be below rounding.
      const double moved = std::abs(next - lambda);
      lambda = next;
      if (moved <= 1e-9 * lambda) break;
      continue;
    }
    next = std::isinf(high) ? 16 * std::max(low, scale) : low > 0.01 * high ? 0.5 * (low + high) : 0.1 * high;
    if (!std::isfinite(next) || next < 1e-300 || std::abs(next - lambda) <= 2e-16 * lambda) break;
    lambda = next;
  }
  return lambda;
}

Eigen::Vector3d on_rim(Eigen::Vector3d R, double friction) {
  const double normal = std::max(R.z(), 0.0), tangential = elementary::hypot(R.x(), R.y());
  const double scale = tangential > 0 ? friction * normal / tangential : 0;
  return {scale * R.x(), scale * R.y(), normal};
}

// Where W is nearly singular, cancellation in the cofactors leaves lambda short of digits: Newton's method on the law
// itself, whose error is that of U alone, brings them back. Its first step may take it for sticking: the best of all
// counts.
Eigen::Vector3d polish(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b, Eigen::Vector3d R) {
  const double rho = 1 / W.trace();
  double least = std::numeric_limits<double>::infinity();
  Eigen::Vector3d best = R;
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector3d U = b + W * R;
    const double left = law_residual(row, U, R, 0).norm();
    if (left < least) {
      best = R;
      least = left;
    }
    if (least <= 1e-15 * (b.norm() + W.norm() * best.norm() + best.norm())) break;
    const detail::Linearised law = detail::linearise(row, U, R, 0, {rho, rho}, 0);
    R -= (law.by_U * W + law.by_R).fullPivLu().solve(law.C);
  }
  return best;
}

Eigen::Vector3d solve_contact(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b,
                              const Eigen::Vector3d& start) {
  // 1. Parting: the others alone carry the surfaces apart.
  const Eigen::Vector3d q(b.x(), b.y(), b.z() + row.bias.z());
  if (q.z() >= 0) return Eigen::Vector3d::Zero();
  const double mu = row.friction;
  if (mu <= 0) return {0, 0, -q.z() / W(2, 2)};
  // 2. Sticking: U = 0 with an impulse inside the cone.
  const Eigen::Vector3d stick = solve_shifted(W, 0, q);
  if (stick.x() * stick.x() + stick.y() * stick.y() <= mu * mu * stick.z() * stick.z() && stick.z() >= 0) return stick;
  // 3. Sliding, (C8) and (C9).
  // The start's own lambda is nearly right when sweeps have come near.
  const Eigen::Vector3d U = W * start + q;
  const double length = start.head<2>().squaredNorm();
  const double guess = length > 0 ? -U.head<2>().dot(start.head<2>()) / length : 0;
  const double lambda = find_lambda(Sliding(W, q, mu), guess, W(0, 0) + W(1, 1));
  const Eigen::Vector3d slide = on_rim(solve_shifted(W, lambda, q), mu);
  const Eigen::Vector3d velocity = q + W * slide;
  const double size = q.squaredNorm() + W.squaredNorm() * slide.squaredNorm();
  // U_N = 0 and U_T against R_T hold by construction, but for what bringing R to the rim takes from them.
  const double across = velocity.x() * slide.y() - velocity.y() * slide.x();
  const bool exact =
      velocity.z() * velocity.z() <= 1e-28 * size && across * across <= 1e-28 * size * slide.head<2>().squaredNorm();
  return exact ? slide : polish(row, W, b, slide);
}

// |z + step/2 (b + w R_N)| = length: of the two roots the smaller impulse.
Eigen::Vector3d solve_link(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double step) {
  const Eigen::Vector3d reach = row.z + 0.5 * step * b, pull = 0.5 * step * W.col(2);
  const double a = pull.squaredNorm(), half = pull.dot(reach), c = reach.squaredNorm() - row.length * row.length;
  // Out of reach: no impulse makes the length right; the rate along it is stopped.
  const double discriminant = half * half - a * c;
  if (discriminant < 0) return {0, 0, -b.z() / W(2, 2)};
  // The root of smaller size from the product of both: their difference would cancel.
  const double root = std::sqrt(discriminant), larger = half + std::copysign(root, half);
  return {0, 0, larger == 0 ? 0 : -c / larger};
}

Eigen::Vector3d solve_spring(const Row& row, const Eigen::Matrix3d& W, double b) {
  // (C4), spring: the damper is implicit, so that it acts as if the row were heavier.
  const double w = W(2, 2), softer = 1 + row.damping * w;
  const double free = (b + w * row.impulse) / softer, taken = w / softer * row.friction;
  // The brake holds, or is fully on against the motion.
  const double brake = std::abs(free) <= taken ? 0 : std::copysign(row.friction, free);
  const bool holds = row.friction > 0 && brake == 0;
  const double R = holds ? -b / w : (row.impulse - brake - row.damping * b) / softer;
  const double U = holds ? 0 : b + w * R;
  if (U < row.stops[0]) return {0, 0, (row.stops[0] - b) / w};
  if (U > row.stops[1]) return {0, 0, (row.stops[1] - b) / w};
  return {0, 0, R};
}

// Directions that are free drop out: their equation becomes R = 0.
Eigen::Vector3d solve_held(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b) {
  Eigen::Matrix3d held = W;
  Eigen::Vector3d right = b + row.bias;
  for (int k = 0; k < 3; ++k) {
    if (row.held[to_index(k)]) continue;
    held.row(k).setZero();
    held.col(k).setZero();
    held(k, k) = 1;
    right[k] = 0;
  }
  return solve_shifted(held, 0, right);
}

}  // namespace

Eigen::Vector3d solve_row(const Row& row, const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double step,
                          const Eigen::Vector3d& start) {
  switch (row.law) {
    case Law::kContact:
      return solve_contact(row, W, b, start);
    case Law::kPoint:
      return solve_held(row, W, b);
    case Law::kDirection:
      return {0, 0, -(b.z() + row.bias.z()) / W(2, 2)};
    case Law::kLink:
      return solve_link(row, W, b, step);
    case Law::kSpring:
      return solve_spring(row, W, b.z());
  }
  return start;
}

}  // namespace espalier::contact::detail
