#pragma once

// Levenberg-Marquardt on the residuals of all closures and drives, in coordinates of the tree without units. The
// damping follows the residual, so that convergence is quadratic also where equations repeat each other or leave
// coordinates free.

#include <limits>
#include <span>
#include <vector>

#include "espalier/dynamics/constraint_rows.hpp"

namespace espalier::dynamics {

// By velocity coordinate.
struct CoordinateBounds {
  explicit CoordinateBounds(const System& system);

  std::vector<int> position;      // index in q of a coordinate that bounds make sense for; else -1
  std::vector<double> low, high;  // [rad or m]
  std::vector<bool> held;         // must not move at all
};

struct LoopSolution {
  std::vector<double> q;
  double worst = 0;  // largest residual [m or rad]
  double cost = 0;   // sum of squared residuals without units
  int iterations = 0;
};

class LoopSolver {
 public:
  LoopSolver(const System& system, double time);

  // Until the largest residual is below `goal`, or nothing is gained any more.
  LoopSolution solve(std::vector<double> q, const CoordinateBounds& bounds, double goal, int max_iterations);

  double typical() const { return typical_; }

 private:
  struct Point {
    std::vector<double> q;
    Eigen::VectorXd residual;  // without units, angles unfolded
    double cost = 0;
    double worst = 0;
  };
  Point at(std::vector<double> q);
  void unfold_angles(Eigen::VectorXd& residual) const;
  std::vector<bool> find_held(const Point& now, const CoordinateBounds& bounds, const Eigen::VectorXd& gradient) const;
  Eigen::VectorXd find_step(const Point& now, const CoordinateBounds& bounds, double damping);
  Point moved(const Point& now, const CoordinateBounds& bounds, Eigen::VectorXd& step);

  const System& system_;
  double time_;
  double typical_;
  Eigen::VectorXd row_scale_, column_scale_;
  ConstraintRows rows_;
  Eigen::SparseMatrix<double> J_;  // G without units, at the point of the last find_step
};

}  // namespace espalier::dynamics
