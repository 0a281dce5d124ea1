#include "espalier/modes/detail/both.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace espalier::modes::detail {
namespace {

using Eigen::MatrixXd;
using math::DoubleDouble;
using math::MatrixDD;

MatrixDD join(const Both& a) {
  MatrixDD whole = a.high.cast<DoubleDouble>();
  if (a.low.size() > 0) whole += a.low.cast<DoubleDouble>();
  return whole;
}

Both part(const MatrixDD& a) {
  Both both{MatrixXd(a.rows(), a.cols()), MatrixXd(a.rows(), a.cols())};
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    both.high.data()[i] = a.data()[i].high;
    both.low.data()[i] = a.data()[i].low;
  }
  return both;
}

// lazyProduct: Eigen's blocked one is made for packets of doubles.
MatrixDD times(const MatrixDD& a, const MatrixDD& b) { return a.lazyProduct(b); }

// Newton's method doubles the digits of an inverse; the second step takes out what a bad condition left of the first.
MatrixDD precise_inverse(const MatrixDD& a) {
  const MatrixDD one = MatrixDD::Identity(a.rows(), a.rows());
  MatrixDD x = part(a).high.inverse().eval().cast<DoubleDouble>();
  // The first inverse, in double, has some 16 digits less those of the condition.
  for (int step = 0; step < 3; ++step) x += times(x, one - times(a, x));
  return x;
}

}  // namespace

Both BothOf::product(const Both& a, const Both& b) const {
  if (!precise_) return MatrixXd(a.high * b.high);
  return part(times(join(a), join(b)));
}

Both BothOf::congruent(const Both& b, const Both& law) const {
  if (!precise_) return MatrixXd(b.high.transpose() * law.high * b.high);
  if (law.is_zero()) return MatrixXd(MatrixXd::Zero(b.high.cols(), b.high.cols()));
  const MatrixDD basis = join(b);
  MatrixDD result = times(basis.transpose(), times(join(law), basis));
  return part(result);
}

void BothOf::add_square(double factor, const Eigen::RowVectorXd& row, Both& sum) const {
  if (!precise_) {
    sum.high += factor * row.transpose() * row;
    return;
  }
  const MatrixDD wide = row.cast<DoubleDouble>();
  sum = part(join(sum) + times(wide.transpose() * DoubleDouble(factor), wide));
}

Both BothOf::inverse(const Both& a) const {
  if (!precise_ || a.high.size() == 0) return MatrixXd(a.high.inverse());
  return part(precise_inverse(join(a)));
}

Both BothOf::dual_basis(const MatrixXd& a) const {
  if (a.cols() == 0) return MatrixXd(a.rows(), 0);
  // a (a' a)^-1: its transpose times a is the identity, and forces that it takes have no part beside a.
  const MatrixXd square = a.transpose() * a;
  if (!precise_) return MatrixXd(square.ldlt().solve(a.transpose()).transpose());
  const MatrixDD wide = a.cast<DoubleDouble>();
  return part(times(wide, precise_inverse(times(wide.transpose(), wide))));
}

Both BothOf::kernel_of_transposed(const MatrixXd& a, const MatrixXd& columns) const {
  if (!precise_ || a.cols() == 0 || columns.cols() == 0) return columns;
  const MatrixDD wide = a.cast<DoubleDouble>(), dual = join(dual_basis(a));
  MatrixDD result = columns.cast<DoubleDouble>();
  // Columns are orthogonal to a up to rounding of a double; each step takes out what is left of that.
  for (int step = 0; step < 2; ++step) result -= times(dual, times(wide.transpose(), result));
  return part(result);
}

}  // namespace espalier::modes::detail
