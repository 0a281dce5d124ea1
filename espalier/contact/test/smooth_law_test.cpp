#include "espalier/contact/detail/smooth_law.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kStep = 0.01;
constexpr Weights kWeights = {1.5, 0.7};

// One row of each law, away from where a spring goes from one of its equations to another.
std::vector<Row> rows_of_all_laws() {
  return {{.friction = 0.4, .bias = {0, 0, 0.2}},
          {.friction = 0, .bias = {0, 0, -0.1}},
          {.law = Law::kPoint, .bias = {0.1, 0.2, 0.3}, .held = {true, false, true}},
          {.law = Law::kDirection, .bias = {0, 0, 0.3}},
          {.law = Law::kLink, .z = {0.3, -0.2, 1}, .length = 1.1},
          {.law = Law::kSpring, .friction = 0.1, .impulse = 0.3, .damping = 2}};
}

Matrix3d by_differences(const std::function<Vector3d(const Vector3d&)>& C, const Vector3d& at) {
  Matrix3d slope;
  for (int k = 0; k < 3; ++k) {
    const Vector3d d = 1e-6 * Vector3d::Unit(k);
    slope.col(k) = (C(at + d) - C(at - d)) / 2e-6;
  }
  return slope;
}

TEST(SmoothLaw, SlopesAreThoseOfDifferences) {
  const Vector3d U(0.3, -0.5, 0.2), R(0.1, 0.25, 0.8);
  for (const Row& row : rows_of_all_laws()) {
    for (const double s : {0.05, 1e-3}) {
      const Linearised law = linearise(row, U, R, kStep, kWeights, s);
      const auto of_U = [&](const Vector3d& x) { return linearise(row, x, R, kStep, kWeights, s).C; };
      const auto of_R = [&](const Vector3d& x) { return linearise(row, U, x, kStep, kWeights, s).C; };
      EXPECT_LT((law.by_U - by_differences(of_U, U)).norm(), 1e-6) << static_cast<int>(row.law);
      EXPECT_LT((law.by_R - by_differences(of_R, R)).norm(), 1e-6) << static_cast<int>(row.law);
      const double d = 1e-3 * s;
      const Vector3d more = linearise(row, U, R, kStep, kWeights, s + d).C;
      const Vector3d less = linearise(row, U, R, kStep, kWeights, s - d).C;
      EXPECT_LT((law.by_s - (more - less) / (2 * d)).norm(), 1e-5) << static_cast<int>(row.law);
    }
  }
}

// Smoothed, a contact without friction pushes with R_N (U_N + bias) = s, whatever rho is.
TEST(SmoothLaw, WithoutFrictionTheProductIsTheSmoothing) {
  const Row row{.friction = 0, .bias = {0, 0, 0.1}};
  for (const double rho : {0.5, 1.0, 20.0}) {
    EXPECT_NEAR(linearise(row, {7, 8, 0.4}, {0, 0, 0.4}, kStep, {rho, rho}, 0.2).C.norm(), 0, 1e-14);
  }
}

// With friction U_T ((mu R_N)^2 - |R_T|^2) = -s R_T too, whatever the weights are.
TEST(SmoothLaw, FrictionCreepsTheMoreTheNearerItIsToTheRim) {
  const Row row{.friction = 0.5};
  const Vector3d R(0.3, 0.4, 2);
  const double s = 0.1;
  const Vector3d U(-s * 0.3 / 0.75, -s * 0.4 / 0.75, s / 2);
  for (const Weights weights : {Weights{1, 1}, Weights{0.1, 30}, Weights{50, 0.01}}) {
    EXPECT_LT(linearise(row, U, R, kStep, weights, s).C.norm(), 1e-13);
    EXPECT_GT(linearise(row, 1.1 * U, R, kStep, weights, s).C.norm(), 1e-5);
  }
}

// Unsmoothed, its zeros are those of the law: parted, stuck, sliding against the friction.
TEST(SmoothLaw, WithoutSmoothingZerosAreThoseOfTheLaw) {
  const Row row{.friction = 0.5};
  const auto left = [&](const Vector3d& U, const Vector3d& R) {
    EXPECT_LT(law_residual(row, U, R, kStep).norm(), 1e-15);
    return linearise(row, U, R, kStep, kWeights, 0).C.norm();
  };
  EXPECT_LT(left({1, 2, 3}, {0, 0, 0}), 1e-15);
  EXPECT_LT(left({0, 0, 0}, {0.3, 0.1, 1}), 1e-15);
  EXPECT_LT(left({0, 2, 0}, {0, -0.5, 1}), 1e-15);
  EXPECT_GT(linearise(row, {0, 2, 0}, {0, 0.5, 1}, kStep, kWeights, 0).C.norm(), 0.1);
}

}  // namespace
}  // namespace espalier::contact::detail
