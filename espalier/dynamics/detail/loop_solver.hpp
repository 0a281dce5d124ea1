#pragma once

// Levenberg-Marquardt on the residuals of all closures and drives, in coordinates of the tree without units. The
// damping follows the residual, so that convergence is quadratic also where equations repeat each other or leave
// coordinates free.

#include <limits>
#include <span>
#include <vector>

#include "espalier/dynamics/detail/constraint_rows.hpp"

namespace espalier::dynamics::detail {

// By velocity coordinate.
struct CoordinateBounds {
  explicit CoordinateBounds(const System& system);

  std::vector<int> position;      // index in q of a coordinate that bounds make sense for; else -1
  std::vector<double> low, high;  // [rad or m]
  std::vector<bool> held;         // must not move at all
};

// A limit of a closure's coordinate, held by a one-sided equation: its residual is what the coordinate lies outside.
struct LimitRow {
  int closure = 0;     // of the system
  int coordinate = 0;  // of its joint
  bool turns = false;  // an angle that is known but for whole turns
  bool slides = false;
  double low = 0, high = 0;  // [rad or m]
};

// How far the solver goes.
struct LoopRules {
  // Keeps the factorisation of singular equations exact enough. Much larger, directions that the equations hardly see
  // are left alone: equations that repeat each other but for what files round off must not push along free motions.
  double least_damping = 1e-13;
  double least_gain = 1e-9;  // part of the cost that a step must gain, else it counts as idle
};
inline constexpr LoopRules kGentle = {1e-6, 0.1};

struct LoopSolution {
  std::vector<double> q;
  double worst = 0;  // largest residual [m or rad]
  double cost = 0;   // sum of squared residuals without units
  int iterations = 0;
};

class LoopSolver {
 public:
  LoopSolver(const System& system, double time, std::vector<LimitRow> limits = {});

  // Until the largest residual is below `goal`, or nothing is gained any more.
  LoopSolution solve(std::vector<double> q, const CoordinateBounds& bounds, double goal, int max_iterations,
                     const LoopRules& rules = {});

  double typical() const { return typical_; }
  // The equations without units at q: closures, drives, limits, and for each limit where its coordinate stands: -1 at
  // the lower end, 1 at the upper one, 0 between them with an empty row.
  struct Slopes {
    Eigen::SparseMatrix<double> J;
    std::vector<int> side;
  };
  Slopes slopes(std::span<const double> q);

 private:
  struct Point {
    std::vector<double> q;
    Eigen::VectorXd residual;  // without units, angles unfolded
    double cost = 0;
    double worst = 0;
  };
  Point at(std::vector<double> q);
  void unfold_angles(Eigen::VectorXd& residual) const;
  double limited_value(const LimitRow& limit) const;
  void add_limit_residuals(Eigen::VectorXd& residual) const;
  void update_J(const std::vector<int>& side);
  std::vector<int> limit_sides(double near) const;
  std::vector<bool> find_held(const Point& now, const CoordinateBounds& bounds, const Eigen::VectorXd& gradient) const;
  Eigen::VectorXd find_step(const Point& now, const CoordinateBounds& bounds, double damping);
  Point moved(const Point& now, const CoordinateBounds& bounds, Eigen::VectorXd& step);

  const System& system_;
  double time_;
  double typical_;
  Eigen::VectorXd row_scale_, column_scale_;
  ConstraintRows rows_;
  std::vector<LimitRow> limits_;
  Eigen::VectorXd limit_scale_;
  Eigen::SparseMatrix<double> J_;  // G without units, at the point of the last find_step
};

}  // namespace espalier::dynamics::detail
