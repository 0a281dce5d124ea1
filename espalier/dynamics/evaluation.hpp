#pragma once

// One evaluation of a System at a state: accelerations, multipliers, and how far loops are from closed; and what
// follows from them, energies and what joints transmit. S1 and S2 of [Liu99]; docs/theory/dynamics.md.
//   In:     System, time [s], q, v; efforts of motors in Workspace::input
//   Out:    results in a Workspace, which is made once for a System
//   Units   m, rad, kg, s, N, J
//   Cost    O(n) on a tree, O(n + loops) where loops are local
//   Frames  spatial vectors are [angular; linear] in world axes about the world's origin
//
//   Workspace work(system);
//   evaluate(system, time, q, v, work);  // work.qdd(), work.lambda()
//
// Eight states at once: batch.hpp. Mass matrix, Jacobians, inverse dynamics: robotics.hpp.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/system.hpp"
#include "espalier/plan/options.hpp"

namespace espalier::dynamics {

namespace detail {
struct WorkspaceData;
struct ReactionData;
}  // namespace detail

// What an evaluation computes and needs again. Used with the System that it was made for, by one thread at a time.
class Workspace {
 public:
  explicit Workspace(const System& system);
  Workspace(Workspace&& other) noexcept;
  Workspace& operator=(Workspace&& other) noexcept;
  ~Workspace();

  // Efforts that the caller applies to the coordinates, 0 at first: motors, controllers [N m] or [N].
  Eigen::Ref<Eigen::VectorXd> input();

  // Results, valid until the next call that changes them.
  const LinkArrays& links() const;           // after update_links; force: after evaluate
  const Eigen::VectorXd& effort() const;     // by coordinate: input, springs, friction, loads together
  const Eigen::VectorXd& qdd() const;        // by coordinate: accelerations [rad/s^2] or [m/s^2]
  const Eigen::VectorXd& lambda() const;     // by row: multipliers; the wrench on b is T lambda [N] or [N m]
  const Eigen::VectorXd& residual() const;   // by row: how far from closed [m] or [rad]
  const Eigen::VectorXd& rate() const;       // by row: d residual / dt
  const std::vector<bool>& dropped() const;  // by row: left out, see choose_rows
  int massless() const;                      // link whose joint has no inertia to accelerate; -1: none
  int threads() const;

  // What the files of this room work on: detail/workspace_data.hpp.
  const detail::WorkspaceData* operator->() const { return data_.get(); }
  detail::WorkspaceData* operator->() { return data_.get(); }

 private:
  std::unique_ptr<detail::WorkspaceData> data_;
};

// Poses and velocities of the links, residual, rate.
void update_kinematics(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       Workspace& work);

// qdd, lambda, effort, links().force. False where the mass matrix is singular: work.massless() then names the link.
// O(n) on a tree, O(n + loops) where loops are local; no allocation but at the first call.
bool evaluate(const System& system, double time, std::span<const double> q, std::span<const double> v, Workspace& work);
// Poses, velocities and accelerations of the links at the last evaluate. O(links).
void update_links(const System& system, Workspace& work);

// Rows that others imply are left out: their multipliers are 0, and those of the rest one choice among many. The first
// evaluation chooses at its own state; these choose anew, at q, which must be closed, or as the caller says.
void choose_rows(const System& system, double time, std::span<const double> q, Workspace& work);
void set_dropped_rows(const System& system, const std::vector<bool>& dropped, Workspace& work);

// Moves q by the smallest change, measured in the mass metric, that closes all loops (Newton, quadratic). Returns the
// largest residual left. The multi-turn angles of joints stay what they are.
double project_positions(const System& system, double time, std::span<double> q, double tolerance, Workspace& work);
// Changes v by the smallest momentum that makes all rates vanish. q must be closed. Returns the largest rate left.
double project_velocities(const System& system, double time, std::span<const double> q, std::span<double> v,
                          Workspace& work);

// q moved along the velocities v for the time h: exact for constant v of each joint, quaternions stay of length one.
void move_positions(const System& system, std::span<double> q, std::span<const double> v, double h);

// So many threads share one evaluation where the tree is large and wide enough: tasks are branches of the tree and
// groups of loops. No number depends on it.
void use_threads(const System& system, int threads, Workspace& work);

struct Sharing {
  int tasks = 0;        // of a pass, as planned: plan/task_tree.hpp
  int levels = 0;       // tasks that wait for each other
  bool shared = false;  // false: one thread does it all, since more would not pay
  // Counted while they ran, since rows were chosen.
  std::int64_t passes = 0;     // over the tree: three an evaluation
  std::int64_t tasks_run = 0;  // of all passes
  int levels_run = 0;
  // Predicted: time of one thread over that of Workspace::threads(), by list scheduling of the tasks.
  double speed_up = 1;
};
// `machine` says how long the parts of an evaluation take, in the prediction alone.
Sharing sharing(const System& system, Workspace& work, const plan::MachineConstants& machine = {});

// Energies of a mechanism, and the power that passes through its surface: together they balance along any motion,
//   d/dt (kinetic + potential) = power.
struct Energies {
  double kinetic = 0;    // [J]
  double potential = 0;  // of gravity and of all springs [J]
  double power = 0;      // of all forces that have no potential: dampers, friction, drives, loads [W]
};
// `work` must hold an evaluation at this time and state, with update_links(). O(links + forces).
Energies energies(const System& system, double time, std::span<const double> q, std::span<const double> v,
                  const Workspace& work);
// Energies::power alone: all that the outer wrenches and efforts do, without what springs give and take. So a law that
// has no potential needs no word here. update_links() is not needed.
double exchanged_power(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       const Workspace& work);

// The largest gap of the closed joints, after evaluate or update_kinematics. O(rows).
struct LoopGap {
  double distance = 0;  // [m]
  double angle = 0;     // [rad]
};
LoopGap loop_gap(const System& system, const Workspace& work);

// What every joint transmits. Made once for a System; find_reactions fills it.
class Reactions {
 public:
  explicit Reactions(const System& system);
  Reactions(Reactions&& other) noexcept;
  Reactions& operator=(Reactions&& other) noexcept;
  ~Reactions();

  std::span<const SpatialVector> on_b() const;     // by joint of the model: wrench on body b from body a [N m; N]
  std::span<const SpatialVector> on_link() const;  // by link: what its parent's joint transmits to it [N m; N]

  // What the files of this room work on: detail/reaction_data.hpp.
  detail::ReactionData* operator->() { return data_.get(); }

 private:
  std::unique_ptr<detail::ReactionData> data_;
};

// At an evaluated state, with update_links(): all a joint transmits, what it holds by itself and its drive, spring and
// load. Where equations repeat each other the share of each is one choice of many; of fixed joints that close a loop
// among themselves those with the higher ids carry nothing. O(bodies + rows).
void find_reactions(const System& system, double time, std::span<const double> q, std::span<const double> v,
                    const Workspace& work, Reactions& reactions);

// Which components of the reactions the laws of motion decide, and which are one choice of many, since equations repeat
// each other: six a joint of the model, force x y z and couple x y z at the origin of frame F and along its axes; 1:
// unique, 0: not. At q, which must be closed, with the rows chosen. Of planar loops it holds in every pose. 0
// everywhere where loops are too interwoven to know. O(rows + sum of the loops' lengths), nothing where no row is left
// out.
std::vector<std::uint8_t> unique_reactions(const System& system, double time, std::span<const double> q,
                                           const Workspace& work);
// Joints of which at least one component is not unique.
std::vector<model::JointId> unclear_joints(std::span<const std::uint8_t> unique);

}  // namespace espalier::dynamics
