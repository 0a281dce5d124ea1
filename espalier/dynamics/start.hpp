#pragma once

// The start of a run from what a model says: positions as drawn or in a keyframe, closed (assembly.hpp); velocities as
// joints and bodies give them, made consistent with the loops. prepare() does all of it, from model to System and
// Start.
//   In:    Model, Mechanism and Plan, or a System; a keyframe
//   Out:   Prepared: the System and a Start, with what was corrected, moved and changed on the way
//   Units  m, rad, s; world axes

#include <span>
#include <vector>

#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/notes.hpp"

namespace espalier::dynamics {

// A velocity that the model gives and the loops do not allow. Either a coordinate of a joint, or one of the six
// components of a body: angular x y z, linear x y z of its origin, world axes.
struct VelocityChange {
  model::JointId joint;
  model::BodyId body;
  int component = 0;
  double given = 0;  // [rad/s or m/s]
  double taken = 0;
};

struct VelocityFit {
  std::vector<double> v;
  int given = 0;                        // numbers the model gives
  std::vector<VelocityChange> changed;  // largest change first; empty: all that is given can be
};

// Velocities at q, which must be closed. Of all that keep the loops closed and drives fulfilled: those that come
// nearest to what joints (`velocity`) and bodies give, then those with the least rates of the other joints. Lengths are
// counted in typical lengths of the model. The same for every tree, but for pieces that float. Sparse.
VelocityFit fit_velocities(const System& system, double time, std::span<const double> q);

struct StartOptions {
  const model::Keyframe* keyframe = nullptr;  // of the system's model; null: the drawn pose
  double time = 0;                            // [s]
  bool as_planned = false;                    // of prepare: the system of make_planned_system (run_tree.hpp)
  AssemblyOptions assembly;
};

struct Start {
  State state;
  std::vector<JointGap> gaps;  // of all joints in the pose the model gives, worst first
  Assembly assembly;
  VelocityFit velocity;
};

// Assembles and fits. Where loops stay open the velocities are those of the tree alone.
Start find_start(const System& system, const StartOptions& options = {});

// A mechanism on its tree that can start: what every program does with a model before anything else.
struct Prepared {
  System system;  // with the correction in its joints
  Start start;
  Correction correction;
};
// Where redundant equations disagree by what files round off, the frames of joints are corrected first
// (assembly.hpp); a keyframe of `options` is one of `model`, and its loads are those of the system. The pose and the
// correction do not depend on the tree.
Prepared prepare(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan,
                 const StartOptions& options = {});

// What a user should know of a run before it begins. At a start whose loops are closed: pieces that fall freely (kind
// `floating`), a mechanism that cannot move (`locked`), bodies without mass (`massless`) or next to none (`mass`),
// impossible inertias (`inertia`), a pose in which loops lose equations (`singular`). Words as those of model::lint.
// O(bodies + joints + rows), where loops are local.
std::vector<model::Finding> start_notes(const System& system, double time, std::span<const double> q);

}  // namespace espalier::dynamics
