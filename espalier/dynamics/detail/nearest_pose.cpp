#include "espalier/dynamics/detail/nearest_pose.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/free_bodies.hpp"
#include "espalier/dynamics/detail/least_squares.hpp"
#include "espalier/dynamics/detail/loop_solver.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::dynamics::detail {
namespace {

using math::Pose;
using model::JointType;

constexpr std::uint32_t kShakes = 3;    // starts beside the drawing, each to both sides
constexpr double kSmallShake = 0.05;    // where the drawing leads nowhere [rad, or typical lengths]
constexpr double kLargeShake = 0.5;     // where another branch may be nearer
constexpr double kFarOpen = 0.2;        // a drawing open by more may have another branch nearer [rad, typical lengths]
constexpr std::size_t kMostLinks = 60;  // of a mechanism for which other branches are looked for
constexpr int kMostDescents = 200;      // steps to a nearer pose
constexpr int kFewDescents = 3;         // of a larger mechanism: the smallest steps that close it end near by already
constexpr double kStill = 1e-10;        // a step to a nearer pose that is smaller gains nothing [rad, typical lengths]
constexpr double kNearlyStill = 1e-4;   // the same while several poses are compared: their measures are right to 1e-8
constexpr double kTiny = 1e-6;
constexpr double kLongest = 0.2;    // step to a nearer pose
constexpr double kSameNear = 1e-6;  // measures that differ by less of themselves are the same

std::vector<LimitRow> find_limits(const System& free, std::span<const Pose> pose) {
  std::vector<LimitRow> rows;
  for (std::size_t c = 0; c < free->closures.size(); ++c) {
    const Closure& closure = free->closures[c];
    const auto& limits = free->model.joint(closure.joint).spec.limits;
    if (limits.empty() || closure.type == JointType::kFixed) continue;
    const model::JointKind& kind = model::joint_kind(closure.type);
    // Quaternions have no limits.
    if (kind.position_size != kind.freedom) continue;
    const std::vector<double> position =
        model::joint_position(closure.type, closure.pitch, closure_pose(closure, pose));
    for (std::size_t k = 0; k < std::min(limits.size(), position.size()); ++k) {
      const bool slides = kind.coordinates[k] == model::CoordinateKind::kLength;
      // A cut hinge knows its angle except for whole turns; a screw knows them by its lead.
      const bool turns = !slides && closure.type != JointType::kScrew;
      const auto& [low, high] = limits[k];
      const double value = turns ? math::nearest_turn(position[k], low, high) : position[k];
      // One that is broken at the start is widened: loops may be drawn so.
      rows.push_back(
          {static_cast<int>(c), static_cast<int>(k), turns, slides, std::min(low, value), std::max(high, value)});
    }
  }
  return rows;
}

class Search {
 public:
  Search(const System& free, std::vector<double> drawing, std::vector<double> start, std::vector<LimitRow> limits,
         const AssemblyOptions& options, double goal, const LoopRules& rules)
      : free_(free),
        drawing_(std::move(drawing)),
        start_(std::move(start)),
        options_(options),
        goal_(goal),
        rules_(rules),
        solver_(free, options.time, std::move(limits)),
        bounds_(free),
        scale_(coordinate_scales(free, solver_.typical())) {}

  LoopSolution run() {
    // 1. The branch that the drawing leads to.
    LoopSolution best = from(start_);
    const bool open = best.worst > options_.rounding;
    // 2. Others beside it, where the drawing has no slope or may have another branch nearer.
    const bool shakes = free_->links.size() <= kMostLinks && start_ == drawing_;
    const bool far = worst_drawn() > kFarOpen;
    for (std::uint32_t shake = 0; shakes && shake < kShakes && (far || best.worst > options_.rounding); ++shake) {
      for (const double side : {1.0, -1.0}) {
        LoopSolution other = from(shaken(shake, side * (open ? kSmallShake : kLargeShake)));
        const int iterations = best.iterations + other.iterations;
        if (is_better(other, best)) best = std::move(other);
        best.iterations = iterations;
      }
    }
    // 3. The winner, down to rounding.
    if (best.worst <= options_.rounding) descend(best, kStill);
    return best;
  }

  double measure(std::span<const double> q) const { return way_to_drawing(q).squaredNorm(); }
  double typical() const { return solver_.typical(); }

 private:
  LoopSolution from(std::vector<double> q) {
    LoopSolution solution = solver_.solve(std::move(q), bounds_, goal_, options_.max_iterations, rules_);
    if (solution.worst <= options_.rounding) descend(solution, kNearlyStill);
    return solution;
  }

  // No iteration: how far the drawing itself is open.
  double worst_drawn() { return std::sqrt(solver_.solve(drawing_, bounds_, goal_, 0).cost); }

  // By coordinate without units: how the groups would have to move to stand as drawn.
  Eigen::VectorXd way_to_drawing(std::span<const double> q) const {
    Eigen::VectorXd way(free_->velocity_size);
    for (std::size_t i = 1; i < free_->links.size(); ++i) {
      const Link& link = free_->links[i];
      const auto at = to_index(link.position);
      const auto turn = [&](std::span<const double> x) {
        return Eigen::Quaterniond(x[at + 3], x[at + 4], x[at + 5], x[at + 6]);
      };
      for (std::size_t k = 0; k < 3; ++k)
        way[link.velocity + static_cast<int>(k)] = (drawing_[at + k] - q[at + k]) / solver_.typical();
      Eigen::Quaterniond left = turn(q).conjugate() * turn(drawing_);
      // Of both quaternions of a rotation the one that turns by half a turn at most.
      if (left.w() < 0) left.coeffs() *= -1;
      const double sine = left.vec().norm();
      const double angle = 2 * elementary::atan2(sine, left.w());
      // The rotation vector; without an axis its limit for small angles, 2 q.
      way.segment<3>(link.velocity + 3) = (sine > 1e-300 ? angle / sine : 2.0) * left.vec();
    }
    return way;
  }

  std::vector<double> moved(std::span<const double> q, const Eigen::VectorXd& step) const {
    std::vector<double> to(q.begin(), q.end());
    const Eigen::VectorXd change = step.cwiseProduct(scale_);
    move_positions(free_, to, {change.data(), to_index(change.size())}, 1);
    return to;
  }

  // Along the closed poses to the nearest one: the way to the drawing without what the equations forbid is the steepest
  // descent of the measure, since a rotation vector is its own gradient.
  void descend(LoopSolution& now, double still) {
    // Phases of a step of the descent: what is left of the way to the drawing; a stride along it; loops are closed
    // again;
    // it is taken if the measure has fallen enough, else the stride is halved.
    double length = 1;
    double here = measure(now.q);
    double last = 1;
    const int most = free_->links.size() <= kMostLinks ? kMostDescents : kFewDescents;
    for (int step = 0; step < most && length > 1e-4; ++step) {
      // (D13) falls fastest along the way back, less what J forbids.
      const Eigen::VectorXd down = allowed(now.q);
      const double size = down.size() == 0 ? 0 : down.cwiseAbs().maxCoeff();
      // What so small a step gains drowns in rounding: it counts while the next one is smaller.
      const bool tiny = size < kTiny;
      if (size <= still || (tiny && size > 0.9 * last)) return;
      // No longer than keeps the branch.
      const double stride = std::min(length, kLongest / size);
      LoopSolution next = solver_.solve(moved(now.q, stride * down), bounds_, goal_, options_.max_iterations, rules_);
      now.iterations += next.iterations + 1;
      const double there = measure(next.q);
      // The measure falls by twice the stride times the square of the way, less its curvature.
      const bool gains = tiny || here - there > 0.2 * stride * down.squaredNorm();
      // Not nearer, or not closed any more: half of it.
      if (!gains || next.worst > std::max(2 * now.worst, goal_)) {
        length = stride / 2;
        continue;
      }
      next.iterations = now.iterations;
      now = std::move(next);
      here = there;
      last = tiny ? size : 1;
      // Longer again where it went well, as far as the whole way.
      length = tiny ? stride : std::min(1.0, 2 * stride);
    }
  }

  // What is left of the way to the drawing where loops stay closed and coordinates at their limits do not pass them.
  Eigen::VectorXd allowed(std::span<const double> q) {
    const Eigen::VectorXd wanted = way_to_drawing(q);
    Eigen::SparseMatrix<double> all(free_->velocity_size, free_->velocity_size);
    all.setIdentity();
    const LoopSolver::Slopes slopes = solver_.slopes(q);
    Eigen::VectorXd held = Eigen::VectorXd::Ones(slopes.J.rows());
    // Limits hold only what pushes against them: none at first.
    held.tail(static_cast<Eigen::Index>(slopes.side.size())).setZero();
    while (true) {
      const Eigen::SparseMatrix<double> J = held.asDiagonal() * slopes.J;
      Eigen::VectorXd down = constrained_least_squares(all, wanted, J, Eigen::VectorXd::Zero(J.rows()), wanted);
      const Eigen::VectorXd rate = slopes.J * down;
      bool passes = false;
      for (std::size_t k = 0; k < slopes.side.size(); ++k) {
        const Eigen::Index row = free_->rows + static_cast<Eigen::Index>(k);
        if (held[row] != 0 || !(slopes.side[k] * rate[row] > 0)) continue;
        // Each that would be passed becomes an equation; none is ever taken back, so that this ends.
        held[row] = 1;
        passes = true;
      }
      if (!passes) return down;
    }
  }

  std::vector<double> shaken(std::uint32_t key, double most) const {
    Random random(1, key);
    Eigen::VectorXd step(free_->velocity_size);
    for (double& value : step) value = random.uniform(-most, most);
    return moved(drawing_, step);
  }

  // Closed before open, nearer before farther; of two that are equally near the one in which the first joint that
  // differs has the larger coordinate.
  bool is_better(const LoopSolution& other, const LoopSolution& best) const {
    const bool closed = best.worst <= options_.rounding;
    // Of two that do not close the one that is clearly less open.
    if (other.worst > options_.rounding) return !closed && other.cost < 0.9 * best.cost;
    if (!closed) return true;
    const double there = measure(other.q);
    const double here = measure(best.q);
    if (std::abs(there - here) > kSameNear * std::max(there, here)) return there < here;
    return stands_before(other.q, best.q);
  }
  bool stands_before(std::span<const double> q, std::span<const double> other) const {
    const std::vector<Pose> first = link_poses(free_, q);
    const std::vector<Pose> second = link_poses(free_, other);
    // Joints in the order of the model, which every tree has in common.
    for (const Closure& closure : free_->closures) {
      const std::vector<double> a = model::joint_position(closure.type, closure.pitch, closure_pose(closure, first));
      const std::vector<double> b = model::joint_position(closure.type, closure.pitch, closure_pose(closure, second));
      for (std::size_t k = 0; k < a.size(); ++k) {
        if (std::abs(a[k] - b[k]) > kSameNear) return a[k] > b[k];
      }
    }
    return false;
  }

  const System& free_;
  std::vector<double> drawing_;
  std::vector<double> start_;
  const AssemblyOptions& options_;
  double goal_;
  LoopRules rules_;
  LoopSolver solver_;
  CoordinateBounds bounds_;
  Eigen::VectorXd scale_;
};

}  // namespace

NearestPose find_nearest_pose(const model::Model& model, std::span<const Pose> drawing, const AssemblyOptions& options,
                              double goal, bool gentle, std::span<const Pose> start) {
  const System unpinned = make_free_system(model);
  const std::vector<double> drawn = positions_at(unpinned, drawing);
  const std::vector<Pose> pose = link_poses(unpinned, drawn);
  const System free = options.pins.empty() ? unpinned : with_pins(unpinned, pose, options.pins);
  const LoopRules rules = gentle ? kGentle : LoopRules{};
  const std::vector<LimitRow> limits = options.limits ? find_limits(free, pose) : std::vector<LimitRow>();
  const std::vector<double> first = start.empty() ? drawn : positions_at(free, start);
  Search search(free, drawn, first, limits, options, goal, rules);
  LoopSolution found = search.run();
  NearestPose nearest;
  if (found.worst > options.rounding && !limits.empty()) {
    LoopSolution beyond = Search(free, drawn, first, {}, options, goal, rules).run();
    beyond.iterations += found.iterations;
    // Limits are to blame only where loops close clearly better without them.
    nearest.blocked = beyond.worst < 0.5 * found.worst;
    if (nearest.blocked) found = std::move(beyond);
  }
  nearest.body = body_poses(free, found.q);
  nearest.worst = found.worst;
  nearest.measure = search.measure(found.q);
  nearest.iterations = found.iterations;
  return nearest;
}

}  // namespace espalier::dynamics::detail
