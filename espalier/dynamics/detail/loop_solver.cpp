#include "espalier/dynamics/detail/loop_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/SparseCholesky>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

constexpr double kLargestStep = 0.2;   // of one coordinate [rad, or typical lengths]
constexpr double kUnfoldAngle = 1e-4;  // [rad]
constexpr double kMostDamping = 1e9;
constexpr double kAtLimit = 1e-9;  // nearer than that a coordinate stands at its limit [rad or m]

double largest(const Eigen::VectorXd& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

}  // namespace

CoordinateBounds::CoordinateBounds(const System& system) {
  const auto size = to_index(system->velocity_size);
  position.assign(size, -1);
  low.assign(size, -std::numeric_limits<double>::infinity());
  high.assign(size, std::numeric_limits<double>::infinity());
  held.assign(size, false);
}

LoopSolver::LoopSolver(const System& system, double time, std::vector<LimitRow> limits)
    : system_(system),
      time_(time),
      typical_(typical_length(system)),
      row_scale_(row_scales(system, typical_)),
      column_scale_(coordinate_scales(system, typical_)),
      rows_(system),
      limits_(std::move(limits)),
      limit_scale_(Eigen::VectorXd::Ones(static_cast<Eigen::Index>(limits_.size()))) {
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    if (limits_[k].slides) limit_scale_[static_cast<Eigen::Index>(k)] = 1 / typical_;
  }
  // A prescribed velocity asks nothing of positions.
  for (const Drive& drive : system->drives) {
    if (drive.of_velocity) row_scale_[drive.row] = 0;
  }
}

// The residuals of angles are sines: without this a joint that is off by more than a right angle would be turned over
// instead of back.
void LoopSolver::unfold_angles(Eigen::VectorXd& residual) const {
  for (const Closure& closure : system_->closures) {
    const double angle = closure_gap(closure, rows_.links.pose).angle;
    if (angle < kUnfoldAngle) continue;
    const std::span<const model::Direction> directions = model::joint_row(closure.type).rows;
    int first = -1;
    double sum = 0;
    for (int k = 0; k < closure.rows; ++k) {
      if (is_length(directions[to_index(k)])) continue;
      if (first < 0) first = k;
      sum += residual[closure.row + k] * residual[closure.row + k];
    }
    if (first < 0) continue;
    const double sine = std::sqrt(sum);
    // Turned over by half a turn the sines vanish: any direction leads back, and the first is taken.
    if (sine < kUnfoldAngle) {
      residual[closure.row + first] = angle;
      continue;
    }
    for (int k = 0; k < closure.rows; ++k) {
      // The direction of the sines is right, their length is stretched to the angle.
      if (!is_length(directions[to_index(k)])) residual[closure.row + k] *= angle / sine;
    }
  }
}

double LoopSolver::limited_value(const LimitRow& limit) const {
  const Closure& closure = system_->closures[to_index(limit.closure)];
  const std::vector<double> position =
      model::joint_position(closure.type, closure.pitch, closure_pose(closure, rows_.links.pose));
  const double value = position[to_index(limit.coordinate)];
  return limit.turns ? math::nearest_turn(value, limit.low, limit.high) : value;
}

void LoopSolver::add_limit_residuals(Eigen::VectorXd& residual) const {
  residual.conservativeResize(system_->rows + limit_scale_.size());
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    // How far the coordinate is beyond its limit; inside, the equation is fulfilled.
    const double value = limited_value(limits_[k]);
    residual[system_->rows + static_cast<Eigen::Index>(k)] = value - std::clamp(value, limits_[k].low, limits_[k].high);
  }
}

std::vector<int> LoopSolver::limit_sides(double near) const {
  std::vector<int> side;
  for (const LimitRow& limit : limits_) {
    const double value = limited_value(limit);
    side.push_back(value < limit.low + near ? -1 : value > limit.high - near ? 1 : 0);
  }
  return side;
}

LoopSolver::Point LoopSolver::at(std::vector<double> q) {
  Point point;
  point.q = std::move(q);
  update_residual(system_, time_, point.q, rows_);
  point.residual = rows_.residual;
  unfold_angles(point.residual);
  add_limit_residuals(point.residual);
  // In rad and m, as the goal is; the cost is without units.
  point.worst = largest(point.residual);
  point.residual.head(system_->rows).array() *= row_scale_.array();
  point.residual.tail(limit_scale_.size()).array() *= limit_scale_.array();
  point.cost = point.residual.squaredNorm();
  return point;
}

// Held for good, or at a bound the residuals push it against.
std::vector<bool> LoopSolver::find_held(const Point& now, const CoordinateBounds& bounds,
                                        const Eigen::VectorXd& gradient) const {
  std::vector<bool> held = bounds.held;
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (bounds.position[k] < 0) continue;
    const double q = now.q[to_index(bounds.position[k])];
    const double slope = gradient[static_cast<Eigen::Index>(k)];
    // One that the residuals pull inwards leaves its bound again.
    if ((q <= bounds.low[k] && slope > 0) || (q >= bounds.high[k] && slope < 0)) held[k] = true;
  }
  return held;
}

// (J^T J + damping) step = -J^T residual, cut to a step that is small against the links.
Eigen::VectorXd LoopSolver::find_step(const Point& now, const CoordinateBounds& bounds, double damping) {
  // (D14); what is held is taken out of the system before it is solved.
  const Eigen::VectorXd gradient = J_.transpose() * now.residual;
  const std::vector<bool> held = find_held(now, bounds, gradient);
  Eigen::VectorXd free = Eigen::VectorXd::Ones(gradient.size());
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (held[k]) free[static_cast<Eigen::Index>(k)] = 0;
  }
  // Held coordinates keep their column with zeros: the pattern stays, and damping makes their step 0.
  const Eigen::SparseMatrix<double> J = J_ * free.asDiagonal();
  Eigen::SparseMatrix<double> normal = J.transpose() * J;
  Eigen::SparseMatrix<double> unit(normal.rows(), normal.cols());
  unit.setIdentity();
  normal += damping * unit;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(normal);
  const Eigen::VectorXd wanted = -free.cwiseProduct(gradient);
  Eigen::VectorXd step = factor.solve(wanted);
  const double size = largest(step);
  // As a whole, so that its direction stays that of descent.
  if (size > kLargestStep) step *= kLargestStep / size;
  return step;
}

// Cuts the step at the bounds.
LoopSolver::Point LoopSolver::moved(const Point& now, const CoordinateBounds& bounds, Eigen::VectorXd& step) {
  // Steps are without units, coordinates are not.
  std::vector<double> change(to_index(step.size()));
  for (std::size_t k = 0; k < change.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    change[k] = step[i] * column_scale_[i];
    if (bounds.position[k] < 0) continue;
    const double q = now.q[to_index(bounds.position[k])];
    const double cut = std::clamp(change[k], std::min(0.0, bounds.low[k] - q), std::max(0.0, bounds.high[k] - q));
    if (cut == change[k]) continue;
    change[k] = cut;
    // The gain that is promised is that of the step as it was cut.
    step[i] = cut / column_scale_[i];
  }
  std::vector<double> q = now.q;
  move_positions(system_, q, change, 1);
  for (std::size_t k = 0; k < change.size(); ++k) {
    // Rounding must not leave a coordinate beside its bound.
    if (bounds.position[k] < 0 || change[k] == 0) continue;
    double& value = q[to_index(bounds.position[k])];
    value = std::clamp(value, bounds.low[k], bounds.high[k]);
  }
  return at(std::move(q));
}

// G without units, and below it the rows of limits that a coordinate stands at.
void LoopSolver::update_J(const std::vector<int>& side) {
  update_jacobian(system_, rows_);
  if (limits_.empty()) {
    J_ = row_scale_.asDiagonal() * rows_.G * column_scale_.asDiagonal();
    return;
  }
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const int row = system_->rows + static_cast<int>(k);
    // Between its limits a coordinate is free and its row empty.
    if (side[k] == 0) continue;
    const Closure& closure = system_->closures[to_index(limits_[k].closure)];
    const auto frame = [&](int link, const math::Pose& X_LF) {
      return rows_.links.pose[to_index(link)] * X_LF;
    };
    Columns wrench;
    wrench.count = 1;
    wrench.column.col(0) =
        coordinate_wrenches(closure.type, frame(closure.a, closure.X_LA), frame(closure.b, closure.X_LB))
            .column.col(limits_[k].coordinate);
    add_path_rows(system_, rows_.motion, wrench, row, closure.a, closure.b, rows_.entries);
  }
  Eigen::VectorXd scale(system_->rows + limit_scale_.size());
  scale << row_scale_, limit_scale_;
  SparseRows all(scale.size(), system_->velocity_size);
  all.setFromTriplets(rows_.entries.begin(), rows_.entries.end());
  J_ = scale.asDiagonal() * all * column_scale_.asDiagonal();
}

LoopSolver::Slopes LoopSolver::slopes(std::span<const double> q) {
  at({q.begin(), q.end()});
  std::vector<int> side = limit_sides(kAtLimit);
  update_J(side);
  return {J_, std::move(side)};
}

LoopSolution LoopSolver::solve(std::vector<double> q, const CoordinateBounds& bounds, double goal, int max_iterations,
                               const LoopRules& rules) {
  // (D14) with damping = trust times the largest residual: quadratic near the end, careful far away.
  Point now = at(std::move(q));
  double trust = 1e-2;  // damping over residual
  bool fresh = true;    // the Jacobian is to be made anew
  int idle = 0;         // steps in a row that gained next to nothing
  LoopSolution solution;
  while (now.worst > goal && solution.iterations < max_iterations && trust < kMostDamping && idle < 3) {
    ++solution.iterations;
    if (fresh) update_J(limit_sides(0));
    const double damping = std::max(trust * largest(now.residual), rules.least_damping);
    Eigen::VectorXd step = find_step(now, bounds, damping);
    Point next = moved(now, bounds, step);
    // What the linear model promises against what the step has gained decides how far to trust it.
    const double promised = now.cost - (now.residual + J_ * step).squaredNorm();
    const double gained = now.cost - next.cost;
    fresh = gained > 1e-4 * promised && gained > 0;
    if (!fresh) {
      // Rounding is all that is left, or the step was too bold.
      if (largest(step) < 1e-14) break;
      // Back to the same pose with a shorter step; the Jacobian there is known.
      trust *= 8;
      continue;
    }
    idle = gained < rules.least_gain * now.cost ? idle + 1 : 0;
    if (gained > 0.75 * promised) trust = std::max(trust / 8, 1e-8);
    if (gained < 0.25 * promised) trust *= 3;
    now = std::move(next);
  }
  solution.q = std::move(now.q);
  solution.worst = now.worst;
  solution.cost = now.cost;
  return solution;
}

}  // namespace espalier::dynamics::detail
