#pragma once

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/model/model.hpp"

namespace espalier::dynamics {

// Adds the wrenches of all springs, bushings and loads of the model to work.force, at the state of the last
// update_kinematics. Efforts on a joint act as a pair of wrenches on its two bodies, whether it is in the tree or cut.
// Gravity is no wrench; see update_bias.
void add_forces(const model::Model& model, const System& system, double time, Workspace& work);

}  // namespace espalier::dynamics
