#pragma once

// A mechanism on its tree: everything that depends on model and plan but not on the state. Frozen after make_system.
//   links     groups of welded bodies, each right before its own branches; link 0 is the world and never moves
//   closures  the cut joints, as equations between two links; and the welds of bodies cut in two

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "espalier/dynamics/laws.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/math/spatial.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/mechanism.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::dynamics {

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

}  // namespace espalier::dynamics
