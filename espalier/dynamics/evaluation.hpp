#pragma once

// One evaluation of a System at a state: accelerations, multipliers, and how far loops are from closed. S1 and S2 of
// [Liu99]. World axes; spatial vectors about the world's origin.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/drives.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/plan/machine.hpp"

namespace espalier::dynamics {

namespace detail {
class Engine;
}

// What an evaluation computes and needs again; made once for a System. One thread at a time uses it.
struct Workspace {
  explicit Workspace(const System& system);
  ~Workspace();

  LinkArrays links;  // acceleration and force: after evaluate
  // By coordinate.
  Eigen::VectorXd input;   // efforts the caller applies, 0 at first: motors, controllers
  Eigen::VectorXd effort;  // of input, springs, friction, loads together, after evaluate
  Eigen::VectorXd qdd;     // after evaluate
  // By row.
  Eigen::VectorXd residual;  // how far from closed [m or rad]
  Eigen::VectorXd rate;      // d residual / dt
  Eigen::VectorXd lambda;    // multipliers, after evaluate: the wrench on b is T lambda
  int massless = -1;         // link whose joint has no inertia to accelerate

  std::vector<int> touched;      // links whose motion force laws and drives ask for
  std::vector<DriveRow> drives;  // after update_kinematics and evaluate

  // Rows that others imply. They are left out: their multipliers are 0, and those of the rest one choice among many.
  // Chosen at the first state that is evaluated; choose_rows chooses anew.
  std::vector<bool> dropped;
  bool rows_chosen = false;
  int threads = 1;  // see use_threads
  std::unique_ptr<detail::Engine> engine;
  Eigen::VectorXd change;   // of velocities, by project_*
  Eigen::VectorXd nothing;  // zeros, by coordinate
};

// links.pose, links.velocity, residual, rate.
void update_kinematics(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       Workspace& work);

// qdd, lambda, effort, links.force. False where the mass matrix is singular: work.massless then names the link. O(n) on
// a tree, O(n + loops) where loops are local; no allocation but at the first call.
bool evaluate(const System& system, double time, std::span<const double> q, std::span<const double> v, Workspace& work);
// links.pose, velocity and acceleration of the last evaluate.
void update_links(const System& system, Workspace& work);

// Chooses the independent rows at q. q must be closed.
void choose_rows(const System& system, double time, std::span<const double> q, Workspace& work);
void set_dropped_rows(const System& system, const std::vector<bool>& dropped, Workspace& work);

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
  double speed_up =
      1;  // predicted: time of one thread over that of `Workspace::threads`, by list scheduling of the tasks
};
// `machine` says how long the parts of an evaluation take, in the prediction alone.
Sharing sharing(const System& system, Workspace& work, const plan::MachineConstants& machine = {});

// Moves q by the smallest change, measured in the mass metric, that closes all loops (Newton, quadratic). Returns the
// largest residual left. The multi-turn angles of joints stay what they are.
double project_positions(const System& system, double time, std::span<double> q, double tolerance, Workspace& work);
// Changes v by the smallest momentum that makes all rates vanish. q must be closed. Returns the largest rate left.
double project_velocities(const System& system, double time, std::span<const double> q, std::span<double> v,
                          Workspace& work);

// q moved along the velocities v for the time h: exact for constant v of each joint, quaternions stay of length one.
void move_positions(const System& system, std::span<double> q, std::span<const double> v, double h);

}  // namespace espalier::dynamics
