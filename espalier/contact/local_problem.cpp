#include "espalier/contact/local_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::contact {
namespace {

// (C3): zero where Signorini's and Coulomb's laws (C2) hold.
Eigen::Vector3d contact_residual(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R) {
  const double sliding = elementary::hypot(U.x(), U.y());
  const Eigen::Vector3d F(U.x(), U.y(), U.z() + row.bias.z() + row.friction * sliding);
  return R - project_on_cone(R - F, row.friction);
}

// (C4), link: in metres per second, as the other equations are.
double link_residual(const Row& row, const Eigen::Vector3d& U, double step) {
  return ((row.z + 0.5 * step * U).norm() - row.length) / (0.5 * step);
}

// What brake and stops share of R_N, s, and U_N obey: U_N is where U_N - s lies once the brake has taken its part and
// it is brought between the stops.
double spring_residual(const Row& row, double U, double R) {
  const double x = U - (R - (row.impulse - row.damping * U));
  const double braked = x - std::clamp(x, -row.friction, row.friction);
  return U - std::clamp(braked, row.stops[0], row.stops[1]);
}

// Nothing left is 0, even of nothing given: a problem at rest is solved.
double ratio(double part, double whole) { return part == 0 ? 0 : part / whole; }

// (C4), point.
Eigen::Vector3d held_residual(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R) {
  Eigen::Vector3d left = R;
  for (int k = 0; k < 3; ++k) {
    if (row.held[to_index(k)]) left[k] = U[k] + row.bias[k];
  }
  return left;
}

}  // namespace

Eigen::Vector3d project_on_cone(const Eigen::Vector3d& S, double friction) {
  const double tangential = elementary::hypot(S.x(), S.y());
  // Inside the cone; inside the cone that is dual to it, whose nearest point is the tip; else on the rim.
  if (S.z() >= 0 && tangential <= friction * S.z()) return S;
  if (friction * tangential <= -S.z()) return Eigen::Vector3d::Zero();
  const double normal = (S.z() + friction * tangential) / (1 + friction * friction);
  const double scale = friction * normal / tangential;
  return {scale * S.x(), scale * S.y(), normal};
}

Eigen::Vector3d velocity_of(const LocalProblem& problem, int row, std::span<const Eigen::Vector3d> R) {
  // (C1), written out in numbers: Eigen's products of such small blocks are slower.
  double x = problem.B[row].x(), y = problem.B[row].y(), z = problem.B[row].z();
  for (int k = problem.begin[row]; k < problem.begin[row + 1]; ++k) {
    const double* w = problem.block[k].data();
    const double* r = R[problem.column[k]].data();
    x += w[0] * r[0] + w[3] * r[1] + w[6] * r[2];
    y += w[1] * r[0] + w[4] * r[1] + w[7] * r[2];
    z += w[2] * r[0] + w[5] * r[1] + w[8] * r[2];
  }
  return {x, y, z};
}

Eigen::Vector3d law_residual(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double step) {
  switch (row.law) {
    case Law::kContact:
      return contact_residual(row, U, R);
    case Law::kPoint:
      return held_residual(row, U, R);
    case Law::kDirection:
      return {R.x(), R.y(), U.z() + row.bias.z()};
    case Law::kLink:
      return {R.x(), R.y(), link_residual(row, U, step)};
    case Law::kSpring:
      return {R.x(), R.y(), spring_residual(row, U.z(), R.z())};
  }
  return Eigen::Vector3d::Zero();
}

Accuracy accuracy_of(const AccuracySums& sums) {
  return {.energy = ratio(sums.spurious.value(), sums.available.value()),
          .change = ratio(root_of(sums.change), root_of(sums.size)),
          .natural = ratio(root_of(sums.left), root_of(sums.given))};
}

void measure_row(const Row& row, const Eigen::Matrix3d& own, const Eigen::Vector3d& B, const Eigen::Vector3d& U,
                 const Eigen::Vector3d& R, double step, AccuracySums& sums) {
  // (C5) and (C6), one row's share.
  const Eigen::Vector3d C = law_residual(row, U, R, step);
  // By W_ii^-1 velocities become energies.
  const Eigen::Matrix3d inverse = own.inverse();
  // Exact sums: rows and ranks may come in any order.
  sums.spurious.add(C.dot(inverse * C));
  sums.available.add(B.dot(inverse * B));
  sums.left.add(C.squaredNorm());
  sums.given.add(B.squaredNorm());
}

void measure_rows(const LocalProblem& problem, std::span<const int> rows, std::span<const Eigen::Vector3d> R,
                  AccuracySums& sums) {
  for (const int i : rows) {
    measure_row(problem.rows[i], problem.block[problem.diagonal[i]], problem.B[i], velocity_of(problem, i, R), R[i],
                problem.step, sums);
  }
}

Accuracy measure(const LocalProblem& problem, std::span<const Eigen::Vector3d> R) {
  std::vector<int> rows(problem.rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  AccuracySums sums;
  measure_rows(problem, rows, R, sums);
  return accuracy_of(sums);
}

}  // namespace espalier::contact
