#pragma once

// Small matrices as they are worked out once for a pass: doubles, or sums of two doubles where the pass is to be run
// in double-double. What is derived from the same numbers then fits together to 1e-31: a map of displacements and the
// one of forces that belongs to it, a stiffness and the axes it is seen in. The numbers themselves stay doubles.

#include <Eigen/Core>

#include "espalier/math/double_double.hpp"

namespace espalier::modes::detail {

struct Both {
  Eigen::MatrixXd high;
  Eigen::MatrixXd low;  // empty: nothing but high

  Both() = default;
  Both(Eigen::MatrixXd matrix) : high(std::move(matrix)) {}
  Both(Eigen::MatrixXd h, Eigen::MatrixXd l) : high(std::move(h)), low(std::move(l)) {}

  bool is_zero() const { return high.isZero(0); }
};

// Arithmetic of one kind or the other.
class BothOf {
 public:
  explicit BothOf(bool precise) : precise_(precise) {}

  Both product(const Both& a, const Both& b) const;
  // b' law b
  Both congruent(const Both& b, const Both& law) const;
  // sum += factor * row' row
  void add_square(double factor, const Eigen::RowVectorXd& row, Both& sum) const;
  Both inverse(const Both& a) const;
  static Both transposed(const Both& a) { return {a.high.transpose(), a.low.transpose()}; }
  // a (a' a)^-1 of a matrix with independent columns.
  Both dual_basis(const Eigen::MatrixXd& a) const;
  // Columns that a' takes to 0 but for rounding, so that it does.
  Both kernel_of_transposed(const Eigen::MatrixXd& a, const Eigen::MatrixXd& columns) const;

 private:
  bool precise_;
};

}  // namespace espalier::modes::detail
