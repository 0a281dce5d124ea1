#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::dynamics {

// The force laws of a System: those of its model (model/model.hpp), placed. Links stand in place of bodies, points and
// frames in the frames of links: what detail/forces.hpp evaluates at every step without a search and without
// allocation. docs/theory/dynamics.md has the formulas.

// Friction is as good as fully developed at a few times this speed, in [rad/s] and in [m/s].
inline constexpr double kFrictionSpeed = 1e-3;
// A limit is a spring on which the inertia seen at the coordinate would swing this fast [rad/s], damped by this part of
// the critical damping [-].
inline constexpr double kLimitFrequency = 300;
inline constexpr double kLimitDamping = 0.5;
// A limit sets in over this part of its range [-], and at most over this much [rad] or [m].
inline constexpr double kLimitOnset = 1e-3;

// A joint of the model as it lies in the system.
struct JointPlace {
  model::JointId joint;
  model::JointType type = model::JointType::kRevolute;
  double pitch = 0;       // [m/rev]
  int a = 0, b = 0;       // links that hold the joint's own frames A and B
  math::Pose X_LA, X_LB;  // these frames in them
  int link = -1;          // the link that hangs by this joint; -1: the joint is cut
};

// One coordinate: stiffness (rest - q) - damping qd - friction tanh(qd / kFrictionSpeed), and what its limits add.
struct CoordinateLaw {
  double stiffness = 0;  // [N m/rad] or [N/m]
  double rest = 0;       // [rad] or [m]
  double damping = 0;    // [N m s/rad] or [N s/m]
  double friction = 0;   // [N m] or [N]
  bool limited = false;
  double low = 0, high = 0;    // [rad] or [m]
  double limit_stiffness = 0;  // [N m/rad] or [N/m]
  double limit_damping = 0;    // [N m s/rad] or [N s/m]
  double limit_onset = 0;      // the way over which the limit sets in [rad] or [m]
};
struct JointLaw {
  JointPlace place;
  int count = 0;  // coordinates
  std::array<CoordinateLaw, 3> coordinate;
};

// Six springs, dampers and friction between frame A in a and frame B in b: along the axes of A, and about them on the
// rotation vector. Bushings, elastic free joints, springs of spherical joints.
struct FrameLaw {
  JointPlace place;                         // `joint` is invalid for a bushing
  using Six = Eigen::Matrix<double, 6, 1>;  // x y z rx ry rz
  Six stiffness = Six::Zero(), damping = Six::Zero(), rest = Six::Zero(), friction = Six::Zero();
};

struct PointSpring {
  int a = 0, b = 0;                  // links
  Eigen::Vector3d point_a, point_b;  // in them [m]
  double stiffness = 0, damping = 0, length = 0, tension = 0;
  CoordinateLaw range;  // of its length: a rope does not grow, a strut does not shrink beyond it
};

// What drives put on a joint's coordinate.
struct JointLoad {
  JointPlace place;
  model::Effort effort;
};

struct BodyLoad {
  int link = 0;
  Eigen::Vector3d point;  // in the link [m]
  bool torque = false;
  bool in_body = false;
  Eigen::Quaterniond axes;  // of the body in the link
  std::array<model::Expression, 3> value;
};

struct Laws {
  std::vector<PointSpring> springs;
  std::vector<FrameLaw> frames;
  std::vector<JointLaw> joints;
  std::vector<JointLoad> joint_loads;
  std::vector<BodyLoad> body_loads;
};

// What a law of one coordinate gives: effort on the coordinate, energy its spring and limits hold, power of what is
// lost or brought (damping, friction).
struct LawValue {
  double effort = 0;  // [N m] or [N]
  double energy = 0;  // [J]
  double power = 0;   // [W]
};
LawValue evaluate_law(const CoordinateLaw& law, double q, double velocity);

// The joints as motions and as constraints, in world axes about the world's origin [angular; linear]: what follows from
// the rows of the joint table (model/joint.hpp), for all types alike.
//   frames   A fixed in the joint's body a, B fixed in its body b (F and M of the table); oa ob their origins
//   motion   v_b - v_a = S qd; each column is carried along by one of the two bodies: dS/dt = v_owner x S
//   wrenches the columns of T are the fbar = 6 - f wrenches the joint can transmit: T^T (v_b - v_a) = 0
// Checked against Cartesian references for all types and both directions; see docs/theory/dynamics.md.

using math::SpatialVector;

// At most six columns; `count` of them are in use.
struct Columns {
  Eigen::Matrix<double, 6, 6> column;
  int count = 0;
};

// The columns of S. owner_is_b[k]: column k is carried along by body b, else by body a.
struct MotionSubspace {
  Columns s;
  std::array<bool, 6> owner_is_b{};
};
MotionSubspace motion_subspace(model::JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB);

// The columns of T.
Columns constraint_wrenches(model::JointType type, double pitch, const math::Pose& X_WA, const math::Pose& X_WB);

// One wrench on b for each coordinate of a joint without quaternion: column k does work on coordinate k alone, and its
// power there is the rate of that coordinate. On a acts the opposite wrench.
Columns coordinate_wrenches(model::JointType type, const math::Pose& X_WA, const math::Pose& X_WB);

// T^T a_r is minus this where the joint holds, a_r = a_b - a_a: the part of the row's rate that holds no acceleration.
void constraint_bias(model::JointType type, const Columns& wrenches, const math::Pose& X_WA, const math::Pose& X_WB,
                     const SpatialVector& v_a, const SpatialVector& v_b, std::span<double> bias);

// How far the joint is from being closed, one number a wrench [m or rad]; zero exactly where it holds. `angle` is the
// unwrapped angle of a screw and is used by no other type.
void constraint_residual(model::JointType type, double pitch, double angle, const math::Pose& X_WA,
                         const math::Pose& X_WB, std::span<double> residual);
// The same from the position d and the rotation r of B in A.
void constraint_residual(model::JointType type, double pitch, double angle, Eigen::Vector3d d, const Eigen::Matrix3d& r,
                         std::span<double> residual);
// Its rate, T^T v_r, where B turns by `spin` and slides by `slide` (of the point of b that is at the origin of A)
// relative to A, both in the axes of A.
void constraint_rate(model::JointType type, double pitch, const Eigen::Matrix3d& r, const Eigen::Vector3d& spin,
                     const Eigen::Vector3d& slide, std::span<double> rate);

// The f velocities of a closed joint whose bodies move by v_r = v_b - v_a relative to each other.
void joint_rate(model::JointType type, const math::Pose& X_WA, const math::Pose& X_WB, const SpatialVector& v_r,
                std::span<double> velocity);

// A mechanism on its tree: everything that depends on model and plan but not on the state. Frozen after make_system.
//   links     groups of welded bodies, each right before its own branches; link 0 is the world and never moves
//   closures  the cut joints, as equations between two links; and the welds of bodies cut in two

// A link hangs on its parent by one joint: frame A in the parent, frame B in the link. Where the tree runs against the
// model's joint (from its body b to its body a) the frames are exchanged and turned such that the joint is one of the
// same type again; `reversed` says so, and joint_state() gives back the model's own coordinates.
struct Link {
  int parent = -1;                                   // -1: the world itself
  model::JointType type = model::JointType::kFixed;  // kFree also for a base that floats
  bool reversed = false;
  double pitch = 0;      // [m/rev]
  math::Pose X_LA;       // frame A in the parent
  math::Pose X_LB;       // frame B in the link
  model::JointId joint;  // invalid for a floating base
  int position = 0;      // first of its numbers in q
  int velocity = 0;      // first of its numbers in v
  int freedom = 0;
  math::Inertia inertia;             // of all bodies of the group, in the link's frame
  std::array<double, 6> armature{};  // inertia of drives: adds to the mass matrix at [velocity + k][velocity + k]
};

// fbar equations between frame A in link `a` and frame B in link `b`.
struct Closure {
  int a = 0;
  int b = 0;
  model::JointType type = model::JointType::kFixed;
  double pitch = 0;  // [m/rev]
  math::Pose X_LA;
  math::Pose X_LB;
  model::JointId joint;  // invalid for the weld of a cut body, or of the ground where the tree hangs on another body
  int row = 0;           // first of its equations
  int rows = 0;
};

// One equation on coordinates of joints that have one (revolute, prismatic, screw):
//   sum_k ratio_k q_k = offset + value(t)      a gear or mimic (several terms), a prescribed position (one term)
//   sum_k ratio_k qd_k = value(t)              a prescribed velocity: `of_velocity`
//   q_0 = sum_k polynomial_k q_1^k             where `polynomial` is not empty
// A term acts as a pair of wrenches, on b and back on a, along z of frame A, whether its joint is in the tree or cut.
struct DriveTerm {
  JointPlace place;
  bool slides = false;  // prismatic: a force along z; else a couple about z
  int position = -1;    // of the coordinate in q; -1: the joint is cut
  int velocity = -1;    // of its rate in v; -1: the joint is cut
  double ratio = 1;
};
struct Drive {
  std::vector<DriveTerm> terms;
  std::vector<double> polynomial;
  double offset = 0;
  model::Expression value;
  bool of_velocity = false;
  int row = 0;  // its equation
};

// Where a body of the model sits: X_LB is constant.
struct Seat {
  int link = 0;
  math::Pose X_LB;
};

// By link, world axes about the world's origin: what force laws read and write.
struct System;
struct LinkArrays {
  explicit LinkArrays(const System& system);

  std::vector<math::Pose> pose;  // X_WL
  std::vector<math::SpatialVector> velocity;
  std::vector<math::SpatialVector> acceleration;
  std::vector<math::SpatialVector> force;  // outer wrenches
};

struct System {
  std::vector<Link> links;
  std::vector<Closure> closures;
  std::vector<Drive> drives;                          // their rows follow those of the closures
  Laws laws;                                          // springs, limits, friction and loads
  std::vector<Seat> seats;                            // by body of the model
  std::vector<int> link_of;                           // by joint of the model: the link that hangs by it; -1: cut
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // [m/s^2]
  model::Model model;                                 // the mechanism it was made from, its welds closed
  int position_size = 0;
  int velocity_size = 0;
  int rows = 0;
  // A force law of the caller's own: adds wrenches to links.force from poses and velocities, after the model's laws.
  std::function<void(double time, LinkArrays& links)> callback;
  std::vector<double> drawn;       // q of the drawn pose
  std::vector<double> drawn_rate;  // v as the model's bodies and joints say; a body that says nothing rests
};

// The plan must have been made for this mechanism; joints that it cuts and that a run must keep are kept
// (run_tree.hpp). A body cut in n parts gives each an n-th of its inertia. A ground that hangs on another body weighs
// something: it is held by six equations, so that no answer depends on it.
System make_system(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan);

// The place of a joint: of one in the tree as its link has it, of a cut one as its closure has it.
JointPlace joint_place(const System& system, model::JointId joint);

// Positions and velocities of all joints of a model, in their own order: what does not depend on the tree.
struct JointState {
  std::vector<std::vector<double>> position;  // by joint: position_size numbers
  std::vector<std::vector<double>> velocity;  // by joint: f numbers
};
// q and v of the tree's own joints; floating bases stand and move as drawn.
void gather_state(const System& system, const JointState& joints, std::vector<double>& q, std::vector<double>& v);
// The model's coordinates of the joint above a link, from q and v of the system.
void joint_state(const Link& link, std::span<const double> q, std::span<const double> v, std::span<double> position,
                 std::span<double> velocity);
// The same for any joint from the motion of its bodies, cut or not. Angles in (-pi, pi].
void joint_state(const System& system, model::JointId joint, const LinkArrays& links, std::span<double> position,
                 std::span<double> velocity);

// Equations on coordinates: prescribed motions, gears, mimic joints, polynomial couplings. They follow the closures'
// rows. For a drive with terms k:
//   residual               0 where it holds; always 0 for a prescribed velocity, which asks nothing of positions
//   d residual / dt        sum_k slope_k qd_k + drift
//   acceleration           sum_k slope_k qdd_k = -bias

// Adds the equations of the system's model, motions and then couplings: drives and their rows. Links, seats and link_of
// must be there.
void add_drives(const model::Laws& laws, System& system);

struct DriveRow {
  double residual = 0;  // [rad] or [m]
  double drift = 0;     // what time itself brings
  double bias = 0;
  double slope = 0;  // of a polynomial's second term
};
DriveRow drive_row(const Drive& drive, double time, std::span<const double> q, std::span<const double> v,
                   const LinkArrays& links);
// d residual / d coordinate of term k.
double term_slope(const Drive& drive, const DriveRow& row, std::size_t k);

// The coordinate of a term and its rate. A cut revolute joint has the rate alone: where its position counts it is in
// the tree (run_tree.hpp).
double term_position(const DriveTerm& term, std::span<const double> q, const LinkArrays& links);
double term_velocity(const DriveTerm& term, std::span<const double> v, const LinkArrays& links);
// The wrench on b whose power is the rate of the coordinate; on a acts the opposite. It is carried along by frame A.
math::SpatialVector term_wrench(const DriveTerm& term, const LinkArrays& links);

// Adds, by joint of the model, the wrench on body b with which drives act at cut joints, for the multipliers `lambda`.
void add_drive_wrenches(const System& system, double time, std::span<const double> q, std::span<const double> v,
                        const LinkArrays& links, const Eigen::VectorXd& lambda, std::span<math::SpatialVector> wrench);

// What the model asks for and this engine, on this tree, does otherwise. An error where the answer would be wrong, with
// the way out; notes where it is right within what they say. Call it once before a run. O(links).
//   errors  elastic bodies; bodies that `active` restricts more than their joints do; a cut joint whose law needs its
//           coordinate and that could not be kept; a drive on a joint that cannot move; a coordinate that no mass
//           resists
//   notes   contact; limits of drives; bodies that hardly any mass resists
Result<std::vector<model::Note>> check_laws(const System& system);

}  // namespace espalier::dynamics
