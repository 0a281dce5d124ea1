#include "espalier/contact/detail/solve_row.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Row contact_with(double friction) {
  Row row;
  row.friction = friction;
  return row;
}

// What is left of the law, against the sizes it is computed from.
double left(const Row& row, const Matrix3d& W, const Vector3d& b, double step, const Vector3d& R) {
  const Vector3d U = b + W * R;
  return law_residual(row, U, R, step).norm() / (b.norm() + W.norm() * R.norm() + R.norm() + 1e-300);
}

Vector3d any_vector() {
  auto number = [] { return *rc::gen::inRange(-1000, 1001) / 1000.0; };
  return {number(), number(), number()};
}

// Positive definite with a condition number up to 10^7 and a size from 10^-4 to 10^4.
Matrix3d any_matrix() {
  Matrix3d A;
  A << any_vector(), any_vector(), any_vector();
  const Matrix3d thin = A * Vector3d(1, 1, std::pow(10.0, -*rc::gen::inRange(0, 5))).asDiagonal();
  const Matrix3d W = thin * thin.transpose() + 1e-7 * Matrix3d::Identity();
  return std::pow(10.0, *rc::gen::inRange(-4, 5)) * W;
}

TEST(SolveRow, AContactThatPartsHasNoImpulse) {
  EXPECT_EQ(solve_row(contact_with(0.5), Matrix3d::Identity(), {1, 2, 0.1}, 0, Vector3d::Zero()), Vector3d::Zero());
}

TEST(SolveRow, AContactSticksBelowAndSlidesAboveTheLimitOfFriction) {
  // W = 1/m: R_N = m v_N, and R_T = -m v_T as long as |v_T| <= mu v_N.
  const Matrix3d W = 0.5 * Matrix3d::Identity();
  EXPECT_LT(
      (solve_row(contact_with(0.5), W, {0.3, 0.4, -1.01}, 0, Vector3d::Zero()) - Vector3d(-0.6, -0.8, 2.02)).norm(),
      1e-15);
  EXPECT_LT((solve_row(contact_with(0.5), W, {0.6, 0.8, -1}, 0, Vector3d::Zero()) - Vector3d(-0.6, -0.8, 2)).norm(),
            1e-15);
}

TEST(SolveRow, RestitutionIsABiasOfTheNormal) {
  Row row = contact_with(0);
  row.bias.z() = -1.5;  // e = 0.5 at an approach of 3 m/s
  const Vector3d R = solve_row(row, Matrix3d::Identity(), {0, 0, -3}, 0, Vector3d::Zero());
  EXPECT_DOUBLE_EQ(-3 + R.z(), 1.5);
}

RC_GTEST_PROP(SolveRow, ContactsObeyTheirLawToRounding, ()) {
  const Row row = contact_with(*rc::gen::element(0.0, 1e-3, 0.1, 0.3, 0.7, 1.0, 3.0, 10.0));
  const Matrix3d W = any_matrix();
  const Vector3d b = any_vector();
  const Vector3d R = solve_row(row, W, b, 0, any_vector());
  RC_ASSERT(left(row, W, b, 0, R) < 1e-12);
}

RC_GTEST_PROP(SolveRow, ContactsObeyTheirLawWhereWIsNotQuiteSymmetric, ()) {
  const Row row = contact_with(*rc::gen::element(0.1, 0.3, 0.7));
  Matrix3d W = any_matrix();
  W += 1e-3 * W.norm() * Matrix3d::Identity();
  W(0, 1) *= 1.001;
  W(2, 0) *= 0.999;
  const Vector3d b = any_vector();
  RC_ASSERT(left(row, W, b, 0, solve_row(row, W, b, 0, Vector3d::Zero())) < 1e-12);
}

RC_GTEST_PROP(SolveRow, AnyStartGivesTheSameWhereTheAnswerIsUnique, ()) {
  // Tangential and normal directions that do not mix leave one answer.
  const Vector3d b = any_vector();
  const Matrix3d W = Vector3d(2, 3, 1).asDiagonal();
  const Row row = contact_with(0.4);
  const Vector3d one = solve_row(row, W, b, 0, any_vector()), other = solve_row(row, W, b, 0, any_vector());
  RC_ASSERT((one - other).norm() < 1e-13);
}

RC_GTEST_PROP(SolveRow, BilateralRowsObeyTheirLaws, ()) {
  Row row;
  row.law = *rc::gen::element(Law::kPoint, Law::kDirection, Law::kSpring);
  row.bias = any_vector();
  row.impulse = any_vector().x();
  row.damping = std::abs(any_vector().x());
  row.stops = {-0.1, 0.2};
  const Matrix3d W = any_matrix();
  const Vector3d b = any_vector();
  RC_ASSERT(left(row, W, b, 0, solve_row(row, W, b, 0, Vector3d::Zero())) < 1e-10);
}

TEST(SolveRow, ALinkKeepsItsLength) {
  Row row;
  row.law = Law::kLink;
  row.z = {0.01, -0.02, 1};
  row.length = 1;
  const double step = 1e-2;
  Matrix3d W;
  W << 2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 1;
  const Vector3d b(1, 2, 3), R = solve_row(row, W, b, step, Vector3d::Zero());
  EXPECT_NEAR((row.z + 0.5 * step * (b + W * R)).norm(), 1, 1e-15);
  EXPECT_EQ(R.head<2>().norm(), 0);
}

TEST(SolveRow, ALinkOutOfReachHoldsTheNormalVelocityAndSaysWhatIsLeft) {
  Row row;
  row.law = Law::kLink;
  row.z = {2, 0, 0};
  row.length = 1;
  const Vector3d b(0, 0, 3), R = solve_row(row, Matrix3d::Identity(), b, 1e-2, Vector3d::Zero());
  EXPECT_DOUBLE_EQ(R.z(), -3);
  EXPECT_DOUBLE_EQ(law_residual(row, b + R, R, 1e-2).z(), 200);
}

TEST(SolveRow, ASpringStopsAtItsStop) {
  Row row;
  row.law = Law::kSpring;
  row.impulse = 5;
  row.damping = 1;
  row.stops = {-1, 1};
  // Free: R = (5 - 0) / (1 + 1) and U = 2.5, beyond the stop at 1.
  EXPECT_EQ(solve_row(row, Matrix3d::Identity(), Vector3d::Zero(), 0, Vector3d::Zero()), Vector3d(0, 0, 1));
  row.stops = {-3, 3};
  EXPECT_EQ(solve_row(row, Matrix3d::Identity(), Vector3d::Zero(), 0, Vector3d::Zero()), Vector3d(0, 0, 2.5));
}

}  // namespace
}  // namespace espalier::contact::detail
