#include "espalier/modes/detail/both.hpp"

#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

Eigen::MatrixXd nearly_singular() { return (Eigen::MatrixXd(2, 2) << 0.1, 0.7, 0.3, 2.1 + 1e-7).finished(); }

// Of high and low part together.
double distance_to_identity(const Both& a) {
  const Eigen::MatrixXd high = a.high - Eigen::MatrixXd::Identity(a.high.rows(), a.high.cols());
  return (a.low.size() > 0 ? Eigen::MatrixXd(high + a.low) : high).cwiseAbs().maxCoeff();
}

TEST(BothOf, InverseHasTwiceTheDigitsWhereItIsPrecise) {
  const Both a = nearly_singular();
  const BothOf precise(true), plain(false);
  EXPECT_LT(distance_to_identity(precise.product(a, precise.inverse(a))), 1e-20);
  EXPECT_LT(distance_to_identity(plain.product(a, plain.inverse(a))), 1e-7);
  EXPECT_GT(precise.inverse(a).low.norm(), 0);
  EXPECT_EQ(plain.inverse(a).low.size(), 0);
}

TEST(BothOf, DualBasisIsTheTransposedInverseOnTheColumns) {
  Eigen::MatrixXd a(3, 2);
  a << 1, 0.3, 0.2, 2, 0.7, -1;
  for (const bool precise : {false, true}) {
    const BothOf both(precise);
    const Both dual = both.dual_basis(a);
    EXPECT_LT(distance_to_identity(both.product(BothOf::transposed(dual), a)), precise ? 1e-29 : 1e-14);
  }
}

TEST(BothOf, KernelIsAcrossAllColumns) {
  Eigen::MatrixXd a(3, 1), rounded(3, 1);
  a << 1, 2, 3;
  rounded << 3, 0, -1 + 1e-13;
  const BothOf both(true);
  const Both kernel = both.kernel_of_transposed(a, rounded);
  const Both left = both.product(Eigen::MatrixXd(a.transpose()), kernel);
  EXPECT_LT(std::abs(left.high(0, 0) + left.low(0, 0)), 1e-28);
  EXPECT_NEAR(kernel.high(0, 0), 3, 1e-12);
}

TEST(BothOf, CongruentAndSquaresAreThoseOfTheMatrices) {
  Eigen::MatrixXd law(2, 2), basis(2, 1);
  law << 2, 1, 1, 3;
  basis << 1, -2;
  const Eigen::RowVectorXd row = (Eigen::RowVectorXd(2) << 1, 4).finished();
  for (const bool precise : {false, true}) {
    const BothOf both(precise);
    EXPECT_EQ(both.congruent(basis, law).high(0, 0), 2 - 4 + 12);
    Both sum = law;
    both.add_square(0.5, row, sum);
    EXPECT_EQ(sum.high, (Eigen::MatrixXd(2, 2) << 2.5, 3, 3, 11).finished());
  }
}

}  // namespace
}  // namespace espalier::modes::detail
