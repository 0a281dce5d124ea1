#pragma once

// The tree that a run is computed on. Two things ask more of a tree than a low cost:
//   laws      armature, springs, limits, couplings and prescribed positions act on a joint's own coordinate; a cut
//             joint has none: its angle is known but for whole turns, its inertia is none of a body
//   inertia   a link without mass must not end a branch: nothing would resist its motion
// Such a joint stays in the tree. Where it closes a loop, a body behind it is cut in two instead and welded again by
// six equations, which changes no motion.
//   In:   Model, Mechanism, and PlanOptions before the search or a Plan after it
//   Out:  options with pins, or the Plan with such joints kept; for each of these the reason in words
//   Cost  O(E log E) for E joints; where bodies have no mass, a pass over the tree for each branch mended

#include <string>
#include <vector>

#include "espalier/dynamics/system.hpp"
#include "espalier/model/model.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::dynamics {

// `options` with pins for the joints that are better kept, as many as a tree can hold; those that no body can be cut
// for come first. What the options pin and cut themselves stays. O(E log E).
plan::PlanOptions options_for_run(const model::Model& model, const plan::Mechanism& mechanism,
                                  plan::PlanOptions options);

// By joint: what asks for its coordinate ("its armature"); empty where it can be cut. O(size of the model).
std::vector<std::string> coordinate_needs(const model::Model& model, const model::Laws& laws);

// A joint that the plan cuts and the run keeps.
struct KeptJoint {
  model::JointId joint;
  model::BodyId body;  // cut in two for it
  std::string why;     // "its armature needs its coordinate"
};
struct RunTree {
  plan::Plan plan;
  std::vector<KeptJoint> kept;  // empty: the plan is the one that was given
};
// The plan with every joint kept that must be and can be. make_system calls it; programs call it to record and to say
// what they compute on. Where a joint cannot be kept, check_laws tells.
RunTree make_run_tree(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan);

// The system on the tree exactly as planned: for questions of geometry, as `check` asks them, where equations should be
// those of the user's joints. Laws that need the coordinate of a cut joint do not act rightly on it.
System make_planned_system(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan);

// "joint 'A' stays in the tree, since its armature needs its coordinate; body 'crank' is cut in two instead".
std::string kept_text(const model::Model& model, const KeptJoint& kept);

}  // namespace espalier::dynamics
