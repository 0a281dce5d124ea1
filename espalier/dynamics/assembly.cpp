#include "espalier/dynamics/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/free_bodies.hpp"
#include "espalier/dynamics/detail/joint_state.hpp"
#include "espalier/dynamics/detail/loop_solver.hpp"
#include "espalier/dynamics/detail/nearest_pose.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {
namespace {

using detail::closure_gap;
using detail::ConstraintRows;
using detail::coordinate_scales;
using detail::CoordinateBounds;
using detail::Drive;
using detail::find_nearest_pose;
using detail::joint_pose;
using detail::joint_state;
using detail::kGentle;
using detail::link_poses;
using detail::LoopRules;
using detail::LoopSolution;
using detail::LoopSolver;
using detail::NearestPose;
using detail::positions_at;
using detail::update_residual;
using detail::with_pins;
using math::Pose;
using model::JointId;

constexpr int kShakes = 3;            // starts beside one that leads nowhere
constexpr double kShake = 0.05;       // [rad, or typical lengths]
constexpr double kLimitSlack = 1e-9;  // what is less is rounding [rad or m]

bool contains(const std::vector<JointId>& list, JointId joint) {
  return std::find(list.begin(), list.end(), joint) != list.end();
}

// The coordinate of the joint that coordinate k of the link is, where both are the same number; else -1.
int own_coordinate(const Link& link, int k) {
  if (model::joint_row(link.type).quaternion >= 0) return -1;
  return link.reversed ? model::exchanged_coordinate(link.type, k) : k;
}

// Limits of joints in the tree. One that is broken at the start is widened: loops may be drawn so.
CoordinateBounds find_bounds(const System& system, std::span<const double> q, const AssemblyOptions& options) {
  CoordinateBounds bounds(system);
  for (const Link& link : system->links) {
    if (!link.joint.valid()) continue;
    const auto first = to_index(link.velocity);
    const bool pinned = contains(options.pins, link.joint);
    const auto& limits = system->model.joint(link.joint).spec.limits;
    for (int k = 0; k < link.freedom; ++k) {
      const std::size_t at = first + to_index(k);
      bounds.held[at] = pinned;
      const int own = own_coordinate(link, k);
      if (!options.limits || own < 0 || to_index(own) >= limits.size()) continue;
      const double value = q[to_index(link.position + k)];
      bounds.position[at] = link.position + k;
      // From outside the only way leads inwards; a bound at the limit itself would throw the start out.
      bounds.low[at] = std::min(limits[to_index(own)][0], value);
      bounds.high[at] = std::max(limits[to_index(own)][1], value);
    }
  }
  return bounds;
}

// In the coordinates of the tree, from q, and where that leads nowhere from starts beside it: with all links in line
// the residuals have no slope.
LoopSolution try_starts(const System& system, LoopSolver& solver, std::span<const double> q,
                        const CoordinateBounds& bounds, double goal, const AssemblyOptions& options) {
  LoopSolution best = solver.solve({q.begin(), q.end()}, bounds, goal, options.max_iterations);
  for (std::uint32_t shake = 0; shake < kShakes && best.worst > options.rounding; ++shake) {
    Random random(1, shake);
    std::vector<double> start(q.begin(), q.end());
    std::vector<double> change(to_index(system->velocity_size));
    const Eigen::VectorXd scale = coordinate_scales(system, solver.typical());
    for (std::size_t k = 0; k < change.size(); ++k) {
      const double drawn = random.uniform(-kShake, kShake) * scale[static_cast<Eigen::Index>(k)];
      change[k] = bounds.held[k] ? 0 : drawn;
      if (bounds.position[k] < 0) continue;
      const double value = start[to_index(bounds.position[k])];
      // A shake must not leave the range either.
      change[k] = std::clamp(change[k], bounds.low[k] - value, bounds.high[k] - value);
    }
    move_positions(system, start, change, 1);
    LoopSolution other = solver.solve(std::move(start), bounds, goal, options.max_iterations);
    other.iterations += best.iterations;
    // By a clear margin: a shake that ends as near as the start before is no reason to take another branch.
    if (other.cost < 0.9 * best.cost) {
      best = std::move(other);
    } else {
      best.iterations = other.iterations;
    }
  }
  return best;
}

// What the tree asks to be closed, in the user's joints.
std::vector<JointGap> row_gaps(const System& system, double time, std::span<const double> q, double typical) {
  ConstraintRows rows(system);
  update_residual(system, time, q, rows);
  std::vector<JointGap> gaps;
  for (const Closure& closure : system->closures) {
    const math::PoseGap gap = closure_gap(closure, rows.links.pose);
    gaps.push_back({closure.joint, gap.distance, gap.angle});
  }
  for (std::size_t k = 0; k < system->drives.size(); ++k) {
    const Drive& drive = system->drives[k];
    const double off = std::abs(rows.residual[drive.row]);
    // An equation's gap is a length or an angle as its first term is.
    const bool slides = drive.terms.front().slides;
    gaps.push_back({drive.terms.front().place.joint, slides ? off : 0, slides ? 0 : off, static_cast<int>(k)});
  }
  sort_gaps(gaps, typical);
  return gaps;
}

// The pose of the joint's frames at its position nearest to that of the bodies.
Pose held_pose(const model::Joint& joint, std::span<const Pose> body) {
  // An open joint has no coordinates of its own; those nearest to its frames stand for it.
  return model::joint_pose(joint.type, joint.pitch,
                           model::joint_position(joint.type, joint.pitch, joint_pose(joint, body)));
}

// Bodies may be carried along by others: how far a joint has moved says where something changed.
std::vector<JointGap> find_moved(const System& system, std::span<const Pose> from, std::span<const Pose> to,
                                 double typical, double tolerance) {
  std::vector<JointGap> moved;
  for (std::size_t j = 0; j < system->model.joints.size(); ++j) {
    const model::Joint& joint = system->model.joints[j];
    const math::PoseGap gap = math::gap_between(held_pose(joint, from), held_pose(joint, to));
    if (std::max(gap.distance, gap.angle) > tolerance)
      moved.push_back({JointId(static_cast<int>(j)), gap.distance, gap.angle});
  }
  sort_gaps(moved, typical);
  return moved;
}

// Of all joints, also those that are cut: nothing holds these, but the user should know.
std::vector<LimitBreak> find_breaks(const System& system, std::span<const double> q) {
  LinkArrays links(system);
  links.pose = link_poses(system, q);
  std::vector<const Link*> above(system->model.joints.size(), nullptr);
  for (const Link& link : system->links) {
    if (link.joint.valid()) above[link.joint.index()] = &link;
  }
  const std::vector<double> still(to_index(system->velocity_size), 0);
  std::vector<LimitBreak> breaks;
  for (std::size_t j = 0; j < system->model.joints.size(); ++j) {
    const model::Joint& joint = system->model.joints[j];
    if (joint.spec.limits.empty()) continue;
    const model::JointKind& kind = model::joint_kind(joint.type);
    std::vector<double> position(to_index(kind.position_size));
    std::vector<double> rate(to_index(kind.freedom));
    const JointId id(static_cast<int>(j));
    if (above[j] != nullptr) {
      joint_state(*above[j], q, still, position, rate);
    } else {
      joint_state(system, id, links, position, rate);
    }
    for (std::size_t k = 0; k < joint.spec.limits.size(); ++k) {
      const auto& [low, high] = joint.spec.limits[k];
      const bool turns = loses_turns(kind.type, static_cast<int>(k));
      // A cut joint's angle is known but for whole turns: it counts as inside where any of them is.
      const double value = turns ? math::nearest_turn(position[k], low, high) : position[k];
      if (value >= low - kLimitSlack && value <= high + kLimitSlack) continue;
      breaks.push_back({id, static_cast<int>(k), value, low, high, false});
    }
  }
  return breaks;
}

Assembly::Outcome outcome_of(const std::vector<JointGap>& after, double tolerance, double rounding) {
  double worst = 0;
  for (const JointGap& gap : after) worst = std::max({worst, gap.distance, gap.angle});
  if (worst <= tolerance) return Assembly::Outcome::kClosed;
  return worst <= rounding ? Assembly::Outcome::kRounded : Assembly::Outcome::kOpen;
}

// The distance of the farthest body from the world's origin, at least 1 m: rounding grows with it.
double extent_of(std::span<const Pose> pose) {
  double extent = 1;
  for (const Pose& X_WL : pose) extent = std::max(extent, X_WL.position.norm());
  return extent;
}

// Some joint of the drawing, or some equation of the tree.
bool is_open(const System& system, const AssemblyOptions& options, std::span<const double> q, double least) {
  ConstraintRows rows(system);
  update_residual(system, options.time, q, rows);
  // Equations of drives first, which no drawing shows.
  if (rows.residual.cwiseAbs().maxCoeff() > least) return true;
  const std::vector<JointGap> drawn = joint_gaps(system->model, options.drawing);
  return std::any_of(drawn.begin(), drawn.end(),
                     [&](const JointGap& gap) { return std::max(gap.distance, gap.angle) > least; });
}

// Angles count their turns, and quaternions have the sign, as at `old`.
void keep_turns(const System& system, std::span<const double> old, std::vector<double>& q) {
  for (const Link& link : system->links) {
    const auto at = to_index(link.position);
    const model::JointKind& kind = model::joint_kind(link.type);
    const int quaternion = model::joint_row(link.type).quaternion;
    if (quaternion >= 0) {
      const std::size_t first = at + to_index(quaternion);
      double same = 0;
      // q and -q are one rotation; of a run that continues the sign must not jump.
      for (std::size_t k = first; k < first + 4; ++k) same += q[k] * old[k];
      for (std::size_t k = first; same < 0 && k < first + 4; ++k) q[k] *= -1;
      continue;
    }
    for (std::size_t k = 0; k < kind.coordinates.size(); ++k) {
      if (loses_turns(kind.type, static_cast<int>(k))) q[at + k] = math::nearest_turn(q[at + k], old[at + k]);
    }
  }
}

// Long chains that are drawn far open close better in the coordinates of their tree: from there to the nearest pose.
NearestPose close_by_tree(const System& system, LoopSolver& solver, std::span<const double> q,
                          const AssemblyOptions& options, double goal, NearestPose open) {
  // 1  Closed anywhere, within limits if that is possible.
  LoopSolution closed = try_starts(system, solver, q, find_bounds(system, q, options), goal, options);
  // A mechanism that closes outside of its limits is better told so than called open.
  AssemblyOptions free = options;
  if (closed.worst > options.rounding && options.limits) {
    free.limits = false;
    closed = try_starts(system, solver, q, find_bounds(system, q, free), goal, options);
  }
  if (closed.worst > options.rounding) return open;
  // 2  From there along closed poses to the nearest.
  NearestPose nearest =
      find_nearest_pose(system->model, options.drawing, free, goal, options.gentle, body_poses(system, closed.q));
  nearest.iterations += open.iterations + closed.iterations;
  nearest.blocked = !free.limits;
  return nearest;
}

// The nearest pose, found without the tree; the tree's coordinates there; and these closed to rounding.
LoopSolution close_near(const System& system, LoopSolver& solver, std::span<const double> q,
                        const AssemblyOptions& options, double goal, bool& blocked) {
  // 1  (D13) and (D14), the same for every tree.
  NearestPose nearest = find_nearest_pose(system->model, options.drawing, options, goal, options.gentle);
  if (nearest.worst > options.rounding) nearest = close_by_tree(system, solver, q, options, goal, std::move(nearest));
  // 2  As coordinates of this tree.
  std::vector<double> there = positions_at(system, nearest.body);
  keep_turns(system, q, there);
  AssemblyOptions within = options;
  within.limits = options.limits && !nearest.blocked;
  // 3  What is left is rounding of step 2; limits that step 1 has broken must not pull it open again.
  const CoordinateBounds bounds = find_bounds(system, there, within);
  const LoopRules rules = options.gentle && nearest.worst > goal ? kGentle : LoopRules{};
  LoopSolution solution = solver.solve(there, bounds, goal, options.max_iterations, rules);
  solution.iterations = nearest.iterations;
  blocked = nearest.blocked;
  return solution;
}

}  // namespace

// Closed to a tenth of the tolerance, so that what follows from the pose is well within it.
Assembly assemble(const System& system, std::span<const double> q, const AssemblyOptions& options) {
  const std::vector<Pose> start = link_poses(system, q);
  // A cut joint that is pinned becomes a fixed one; those in the tree are held by their bounds.
  const System solved = options.pins.empty() ? system : with_pins(system, start, options.pins);
  AssemblyOptions near = options;
  if (near.drawing.empty()) near.drawing = body_poses(system, q);
  LoopSolver solver(solved, options.time);
  const double tolerance = options.tolerance * extent_of(near.drawing);
  LoopSolution solution;
  solution.q.assign(q.begin(), q.end());
  bool blocked = false;
  if (system->rows > 0 && is_open(solved, near, q, 0.1 * tolerance)) {
    solution = close_near(solved, solver, q, near, 0.1 * tolerance, blocked);
  }

  // What happened, in words of the user's joints.
  Assembly assembly;
  assembly.q = std::move(solution.q);
  assembly.iterations = solution.iterations;
  assembly.before = row_gaps(solved, options.time, q, solver.typical());
  assembly.after = row_gaps(solved, options.time, assembly.q, solver.typical());
  assembly.outcome = outcome_of(assembly.after, tolerance, options.rounding);
  assembly.moved = find_moved(system, near.drawing, body_poses(system, assembly.q), solver.typical(), tolerance);
  assembly.limits = find_breaks(system, assembly.q);
  for (LimitBreak& broken : assembly.limits) broken.blocks = blocked;
  return assembly;
}

Assembly assemble(const System& system, const AssemblyOptions& options) {
  AssemblyOptions near = options;
  if (near.drawing.empty()) near.drawing = drawn_poses(system->model);
  return assemble(system, system->drawn, near);
}

}  // namespace espalier::dynamics
