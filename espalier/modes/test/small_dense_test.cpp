#include "espalier/modes/detail/small_dense.hpp"

#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "espalier/base/numbers.hpp"

namespace espalier::modes::detail {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

View<double> view(Rows& m) {
  return {m.data(), static_cast<int>(m.rows()), static_cast<int>(m.cols()), static_cast<int>(m.cols())};
}

Rows random_matrix(Random& random, int rows, int columns) {
  Rows out(rows, columns);
  for (double& x : out.reshaped()) x = random.uniform(-1, 1);
  return out;
}

TEST(Inertia, IsTheNumberOfNegativeEigenvalues) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    Random random(5, seed);
    const int n = 1 + random.below(6);
    const Rows half = random_matrix(random, n, n);
    Rows a = half + half.transpose();
    // Without a diagonal only pairs of rows are pivots.
    if (seed % 4 == 0) a.diagonal().setZero();
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Rows>(a).eigenvalues();
    if (values.cwiseAbs().minCoeff() < 1e-6) continue;
    EXPECT_EQ(inertia(view(a)).negative, (values.array() < 0).count()) << seed;
  }
}

// Rows in very different units have the same signs.
TEST(Inertia, DoesNotDependOnUnits) {
  Rows a(3, 3), scaled(3, 3);
  a << 2, 1, 0, 1, -3, 4, 0, 4, 1;
  const Eigen::Vector3d unit(1e-8, 1, 1e9);
  scaled = unit.asDiagonal() * a * unit.asDiagonal();
  EXPECT_EQ(inertia(view(scaled)).negative, 1);
}

TEST(Inertia, ASingularMatrixHasNoMargin) {
  Rows a(2, 2);
  a << 4, 2, 2, 1;
  EXPECT_LT(inertia(view(a)).margin, 1e-15);
  Rows skew(2, 2);
  skew << 1, 1e-3, -1e-3, 1;
  EXPECT_NEAR(inertia(view(skew)).noise, 2e-3, 1e-6);
}

TEST(SolveInPlace, IsEigensAndKnowsTheSignOfExchanges) {
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    Random random(6, seed);
    const int n = 1 + random.below(5);
    Rows a = random_matrix(random, n, n), b = random_matrix(random, n, 2);
    const Eigen::MatrixXd expected = a.fullPivLu().solve(b);
    const double determinant = a.determinant();
    const Product<double> found = solve_in_place(view(a), view(b));
    EXPECT_LT((b - expected).cwiseAbs().maxCoeff(), 1e-10 * expected.cwiseAbs().maxCoeff() + 1e-12) << seed;
    EXPECT_NEAR(std::ldexp(found.mantissa, static_cast<int>(found.exponent)), determinant, 1e-13) << seed;
  }
}

TEST(Product, LeavesNoRange) {
  Product<double> product;
  for (int k = 0; k < 40; ++k) product.multiply(std::ldexp(1.0, -100));
  EXPECT_EQ(std::ilogb(product.mantissa) + product.exponent, -4000);
}

TEST(Products, AddAndSubtractTransposes) {
  Rows a(2, 2), b(2, 1), c(2, 1);
  a << 1, 2, 3, 4;
  b << 5, 6;
  c << 0, 0;
  add_product(view(a), view(b), view(c));
  EXPECT_EQ(c, (Rows(2, 1) << 17, 39).finished());
  add_transposed_product(view(a), view(b), view(c));
  EXPECT_EQ(c, (Rows(2, 1) << 40, 73).finished());
  subtract_transposed_product(view(a), view(b), view(c));
  EXPECT_EQ(c, (Rows(2, 1) << 17, 39).finished());
}

}  // namespace
}  // namespace espalier::modes::detail
