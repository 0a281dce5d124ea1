#include "espalier/dynamics/detail/least_squares.hpp"

#include <Eigen/SparseCholesky>

namespace espalier::dynamics::detail {

Eigen::VectorXd constrained_least_squares(const Eigen::SparseMatrix<double>& objective, const Eigen::VectorXd& wanted,
                                          const Eigen::SparseMatrix<double>& constraints, const Eigen::VectorXd& values,
                                          const Eigen::VectorXd& start) {
  // One step gains a factor kNear / (square of the smallest singular value) in what the objective leaves open, and 1 /
  // (kHard times that square) in the constraints.
  constexpr double kNear = 1e-6;
  constexpr double kHard = 1e5;
  constexpr int kSteps = 200;
  if (start.size() == 0) return start;
  Eigen::SparseMatrix<double> unit(start.size(), start.size());
  unit.setIdentity();
  Eigen::SparseMatrix<double> matrix = objective.transpose() * objective;
  matrix += kNear * unit;
  // The method of multipliers: a stiff penalty, and multipliers that take up what it leaves open.
  const Eigen::SparseMatrix<double> hard = constraints.transpose() * constraints;
  matrix += kHard * hard;
  // Once: only the right side changes from step to step.
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(matrix);

  Eigen::VectorXd v = start;
  Eigen::VectorXd multiplier = Eigen::VectorXd::Zero(constraints.rows());
  for (int step = 0; step < kSteps; ++step) {
    const Eigen::VectorXd open = values - constraints * v;
    const Eigen::VectorXd pull = objective.transpose() * (wanted - objective * v);
    const Eigen::VectorXd hold = constraints.transpose() * (multiplier + kHard * open);
    const Eigen::VectorXd change = factor.solve(pull + hold);
    v += change;
    // Without them the constraints would hold to 1 / kHard only.
    multiplier += kHard * (values - constraints * v);
    if (change.cwiseAbs().maxCoeff() <= 1e-15 * (1 + v.cwiseAbs().maxCoeff())) break;
  }
  return v;
}

}  // namespace espalier::dynamics::detail
