#pragma once

// A mechanism on its tree: everything that depends on model and plan but not on the state. Frozen after make_system.
//   links     groups of welded bodies, parents before children; link 0 is the world and never moves
//   closures  the cut joints, as equations between two links; and the welds of bodies cut in two

#include <optional>
#include <vector>

#include "espalier/math/inertia.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/mechanism.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::dynamics {

// A link hangs on its parent by one joint. Where the tree runs against the joint (from b to a) it is `reversed`.
struct Link {
  int parent = -1;                                   // -1: the world itself
  model::JointType type = model::JointType::kFixed;  // kFree also for a base that floats
  bool reversed = false;                             // the parent holds frame B, this link frame A
  double pitch = 0;                                  // [m/rev]
  math::Pose X_LA;                                   // frame A in the link that holds it
  math::Pose X_LB;                                   // frame B in the link that holds it
  model::JointId joint;                              // invalid for a floating base
  int position = 0;                                  // first of its numbers in q
  int velocity = 0;                                  // first of its numbers in v
  int freedom = 0;
  math::Inertia inertia;  // of all bodies of the group, in the link's frame
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

// Where a body of the model sits: X_LB is constant.
struct Seat {
  int link = 0;
  math::Pose X_LB;
};

struct System {
  std::vector<Link> links;
  std::vector<Closure> closures;
  std::vector<Seat> seats;  // by body of the model
  int position_size = 0;
  int velocity_size = 0;
  int rows = 0;
  std::vector<double> drawn;       // q of the drawn pose
  std::vector<double> drawn_rate;  // v as the model's bodies and joints say; a body that says nothing rests
};

// The plan must have been made for this mechanism. A half of a cut body takes half of its inertia. A ground that hangs
// on another body weighs something: it is held by six equations, so that no answer depends on it.
System make_system(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan);

// Positions and velocities of all joints of a model, in their own order: what does not depend on the tree.
struct JointState {
  std::vector<std::vector<double>> position;  // by joint: position_size numbers
  std::vector<std::vector<double>> velocity;  // by joint: f numbers
};
// q and v of the tree's own joints; floating bases stand and move as drawn.
void gather_state(const System& system, const JointState& joints, std::vector<double>& q, std::vector<double>& v);

}  // namespace espalier::dynamics
