#include "espalier/contact/detail/path_system.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::contact::detail {
namespace {

constexpr double kOfTolerance = 0.3;  // what the last yielding may leave of the laws, about
constexpr double kBalanced = 100;     // most that a balanced weight differs from the row's own
constexpr double kUneven = 0.2;       // range of what rows yield by, on the way
constexpr double kGoldenTurn = 0.6180339887498949;

bool is_contact(const Row& row) { return row.law == Law::kContact; }

}  // namespace

PathSystem::PathSystem(const LocalProblem& problem, double tolerance, std::span<const Eigen::Vector3d> R)
    : problem_(problem) {
  const std::size_t rows = problem.rows.size();
  for (const int k : problem.diagonal) {
    weight_.push_back(3 / problem.block[to_index(k)].trace());
    weights_.push_back({weight_.back(), weight_.back()});
  }
  for (std::size_t i = 0; i < rows; ++i) {
    energy_ += (R[i].squaredNorm() / weight_[i] + weight_[i] * problem.B[i].squaredNorm()) / static_cast<double>(rows);
    allowed_ += problem.B[i].squaredNorm();
  }
  allowed_ = kOfTolerance * tolerance * std::sqrt(allowed_);
  yield_least(R);
  // Branches cross where a scene is symmetric: rows that yield unevenly keep the path away from there.
  for (std::size_t i = 0; i < rows; ++i) {
    const double turns = kGoldenTurn * static_cast<double>(i);
    uneven_.push_back(1 + kUneven * (turns - std::floor(turns) - 0.5));
  }
  laws_.resize(rows);
  room_.resize(rows);
  scratch_.resize(rows);
  blocks_.resize(problem.block.size());
  lu_ = make_block_lu(problem.begin, problem.column);
}

void PathSystem::yield_least(std::span<const Eigen::Vector3d> R) {
  double sum = 0;
  for (std::size_t i = 0; i < weight_.size(); ++i) {
    sum += (R[i] / weight_[i]).squaredNorm() + problem_.B[i].squaredNorm();
  }
  least_yielding_ = allowed_ / std::sqrt(sum);
}

double PathSystem::linearise(std::span<const Eigen::Vector3d> R, double s) {
  double sum = 0;
  for (int k = 0; k < rows(); ++k) {
    const std::size_t i = to_index(k);
    // (C25): what W lacks where contacts are redundant.
    const double yielding = (s / energy_ * uneven_[i] + least_yielding_) / weight_[i];
    const Eigen::Vector3d U = velocity_of(problem_, k, R) + yielding * R[i];
    Linearised& law = laws_[i];
    law = detail::linearise(problem_.rows[i], U, R[i], problem_.step, weights_[i], s);
    law.by_R += yielding * law.by_U;
    law.by_s += law.by_U * R[i] * (uneven_[i] / (energy_ * weight_[i]));
    sum += law.C.squaredNorm() / weight_[i];
  }
  return sum;
}

bool PathSystem::factorise() {
  ++factorisations_;
  for (int k = 0; k < rows(); ++k) {
    const std::size_t i = to_index(k);
    for (int b = problem_.begin[i]; b < problem_.begin[i + 1]; ++b) {
      blocks_[to_index(b)].noalias() = laws_[i].by_U.lazyProduct(problem_.block[to_index(b)]);
    }
    blocks_[to_index(problem_.diagonal[i])] += laws_[i].by_R;
  }
  return detail::factorise(problem_.begin, problem_.column, blocks_, lu_);
}

void PathSystem::solve_residual(Vectors& x) {
  for (std::size_t i = 0; i < laws_.size(); ++i) x[i] = laws_[i].C;
  solve_blocks(lu_, x, scratch_);
}

void PathSystem::solve_slope(double s, Vectors& x) {
  for (std::size_t i = 0; i < laws_.size(); ++i) x[i] = s * laws_[i].by_s;
  solve_blocks(lu_, x, scratch_);
}

int PathSystem::orientation() const {
  // The determinant is the product of those of the pivots, whose inverses are kept.
  int sign = 1;
  for (const Eigen::Matrix3d& pivot : lu_.pivot) sign = pivot.determinant() < 0 ? -sign : sign;
  return sign;
}

void PathSystem::measure_at(std::span<const Eigen::Vector3d> R, double s) {
  yield_least(R);
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const double own = weight_[i], mu = problem_.rows[i].friction;
    if (!is_contact(problem_.rows[i])) {
      // An equation that is linear: any step is right.
      room_[i] = energy_ * own;
      continue;
    }
    const double push = R[i].z() - laws_[i].C.z(), rub = elementary::hypot(R[i].x(), R[i].y());
    const double inside = std::max(0.0, (mu > 0 ? mu : 1) * R[i].z() - rub);
    room_[i] = s * own + inside * inside;
    // On the path U_N + bias = s / R_N, and U_T likewise: R_N against weight x U_N is in balance for these.
    const double rim = std::max(0.0, mu * mu * push * push - rub * rub);
    weights_[i] = {std::clamp(push * push / s, own / kBalanced, own * kBalanced),
                   std::clamp(rim / s, own / kBalanced, own * kBalanced)};
  }
}

double PathSystem::dot(const Vectors& x, const Vectors& y) const {
  double sum = 0;
  for (std::size_t i = 0; i < room_.size(); ++i) sum += x[i].dot(y[i]) / room_[i];
  return sum / static_cast<double>(std::max<std::size_t>(1, room_.size()));
}

double PathSystem::largest(const Vectors& x) const {
  double most = 0;
  for (std::size_t i = 0; i < room_.size(); ++i) most = std::max(most, x[i].squaredNorm() / room_[i]);
  return most;
}

}  // namespace espalier::contact::detail
