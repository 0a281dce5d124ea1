#pragma once

// One evaluation of a System at a state: accelerations, multipliers, and how far loops are from closed. S1 and S2 of
// [Liu99]. World axes; spatial vectors about the world's origin.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/system.hpp"
#include "espalier/plan/options.hpp"

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
// The same where an evaluation has left its results elsewhere: `links` with force laws applied, efforts by coordinate,
// multipliers by row.
double exchanged_power(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       const LinkArrays& links, std::span<const double> effort, std::span<const double> lambda);

// What every joint transmits, and how far cut joints are from closed.

namespace detail {
class Welds;
}

// Largest gap of the closed joints.
struct LoopGap {
  double distance = 0;  // [m]
  double angle = 0;     // [rad]
};
LoopGap loop_gap(const System& system, const Workspace& work);

// Scratch and result of find_reactions; made once for a System.
struct Reactions {
  explicit Reactions(const System& system);
  ~Reactions();

  // By joint of the model: wrench on body b from body a, world axes about the world's origin.
  std::vector<math::SpatialVector> on_b;
  std::vector<math::SpatialVector> on_link;  // by link: what its parent's joint transmits to it
  std::unique_ptr<detail::Welds> welds;
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

// The same evaluation for eight states of one System at once, a state in each lane of the machine's vectors: for
// ensembles that march in step, and for finite differences. Every lane gives the bits that evaluate() gives.

inline constexpr int kBatch = 8;  // states at once

// One number of all states, as the machine's vectors want it to lie.
struct alignas(64) Lanes {
  std::array<double, kBatch> of{};
};

struct BatchWorkspace {
  // `dropped`: rows to leave out, Workspace::dropped of a Workspace that has chosen. All lanes share them.
  BatchWorkspace(const System& system, const std::vector<bool>& dropped);
  ~BatchWorkspace();

  std::vector<Lanes> input;   // efforts the caller applies, by coordinate
  std::vector<Lanes> effort;  // after evaluate_batch
  std::vector<Lanes> qdd;     // after evaluate_batch
  std::vector<Lanes> lambda;  // by row, after evaluate_batch

  std::vector<int> touched;
  std::vector<LinkArrays> links;           // by lane
  std::vector<double> q, v;                // of the lane in work
  Eigen::VectorXd lane_effort;             // the same
  std::vector<DriveRow> drives;            // by drive and lane
  std::unique_ptr<detail::Engine> engine;  // memory of all lanes
};

// position_size and velocity_size numbers of all states, each at its own time. False where a mass matrix is singular.
// Where fewer than eight are asked for, the lanes behind hold any states, and nothing of what comes out of them counts:
// they are spared the force laws.
bool evaluate_batch(const System& system, const Lanes& time, std::span<const Lanes> q, std::span<const Lanes> v,
                    BatchWorkspace& work, int lanes = kBatch);

// One state out of a batch, and into it.
void get_lane(std::span<const Lanes> batch, int lane, std::span<double> state);
void set_lane(std::span<const double> state, int lane, std::span<Lanes> batch);

}  // namespace espalier::dynamics
