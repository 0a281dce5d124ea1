#pragma once

// A mechanism on its tree: what follows from model and plan alone, and no state.
//   In:     Model, Mechanism (welded bodies as one) and Plan (which joints hang links, which are cut)
//   Out:    System, which every other function of the room takes
//   Units   m, rad, kg, s, N
//   Frames  W world, L link, B body, A and B of a joint: its frame in the body before it and in the body behind it.
//           X_LA is the pose of A in L. Spatial vectors are [angular; linear] in world axes about the world's origin
// q holds the positions of the tree's joints, link by link, v their velocities, as model/joint.hpp counts them: a
// quaternion is four numbers of q and three of v. A base that floats has the coordinates of a free joint.

#include <array>
#include <functional>
#include <memory>
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

using math::SpatialVector;

namespace detail {
struct SystemData;
}

// A group of welded bodies that hangs on its parent by one joint: frame A in the parent, frame B in the link. Where the
// tree runs against the model's joint (from its body b to its body a) the frames are exchanged and turned such that the
// joint is one of the same type again, and `reversed` says so.
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

// A cut joint, as equations between frame A in link `a` and frame B in link `b`: one for each direction in which the
// joint does not move.
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

// Where a body of the model is: in which link, and how it lies there.
struct BodyPlace {
  int link = 0;
  math::Pose X_LB;
};

class System;

// Motion of all links, and the forces on them. `force` holds what acts from outside joints: springs, dampers, loads and
// the caller's own law.
struct LinkArrays {
  explicit LinkArrays(const System& system);

  std::vector<math::Pose> pose;             // X_WL
  std::vector<SpatialVector> velocity;      // [rad/s; m/s]
  std::vector<SpatialVector> acceleration;  // [rad/s^2; m/s^2]
  std::vector<SpatialVector> force;         // moment about the world's origin, force [N m; N]
  std::vector<double> watched;              // coordinates and rates that loads name, as model::Model::watched
};

// A force law of the caller's own. Poses and velocities are there, and what the model's laws give; it adds to `force`.
// Body b is in link i = body_places()[b].link, its pose is pose[i] * body_places()[b].X_LB. The law must give the same
// for the same arguments, and is called by several threads at once where these share a System.
using ForceLaw = std::function<void(double time, LinkArrays& links)>;

// Copies are independent of each other. Several threads may use one System at once while nobody calls set_callback.
class System {
 public:
  System();  // no link, no body: to be assigned to
  System(const System& other);
  System(System&& other) noexcept;
  System& operator=(const System& other);
  System& operator=(System&& other) noexcept;
  ~System();

  const model::Model& model() const;       // the mechanism it was made from, its welds closed
  const Eigen::Vector3d& gravity() const;  // [m/s^2]
  std::span<const Link> links() const;     // each right before its own branches; link 0 is the world and never moves
  std::span<const Closure> closures() const;
  std::span<const BodyPlace> body_places() const;  // by body of the model
  int position_size() const;                       // numbers in q
  int velocity_size() const;                       // numbers in v
  int rows() const;                                // equations: those of closures, then motions, then couplings
  const std::vector<double>& drawn() const;        // q of the drawn pose
  const std::vector<double>& drawn_rate() const;   // v as bodies and joints say; a body that says nothing rests

  // Acts after the model's laws, in every evaluation from now on.
  void set_callback(ForceLaw law);

  // What the files of this room work on: detail/system_data.hpp.
  const detail::SystemData* operator->() const { return data_.get(); }
  detail::SystemData* operator->() { return data_.get(); }

 private:
  std::unique_ptr<detail::SystemData> data_;
};

// The plan must have been made for this mechanism; joints that it cuts and that a run must keep are kept
// (run_tree.hpp). A body cut in n parts gives each an n-th of its inertia. A ground that hangs on another body weighs
// something: it is held by six equations, so that no answer depends on it. O(size of the model), but for limits: each
// asks for an evaluation.
System make_system(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan);

// Positions and velocities of all joints of a model, in their own order: what does not depend on the tree.
struct JointState {
  std::vector<std::vector<double>> position;  // by joint: position_size numbers
  std::vector<std::vector<double>> velocity;  // by joint: one number a degree of freedom
};
// q and v of the tree's own joints; floating bases stand and move as drawn. O(links).
void gather_state(const System& system, const JointState& joints, std::vector<double>& q, std::vector<double>& v);

// What the model asks for and this engine, on this tree, does otherwise. An error where the answer would be wrong, with
// the way out; notes where it is right within what they say. Call it once before a run. O(links).
//   errors  elastic bodies; bodies that `active` restricts more than their joints do; a cut joint whose law needs its
//           coordinate and that could not be kept; a drive on a joint that cannot move; a coordinate that no mass
//           resists
//   notes   contact; limits of drives; bodies that hardly any mass resists
Result<std::vector<model::Note>> check_laws(const System& system);

}  // namespace espalier::dynamics
