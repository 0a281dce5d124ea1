#pragma once

#include <span>

#include <Eigen/Core>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// Adds the equations of the system's model, motions and then couplings: drives and their rows. Links, body_places and
// link_of must be there.
void add_drives(const model::Laws& laws, System& system);

// Adds, by joint of the model, the wrench on body b with which drives act at cut joints, for the multipliers `lambda`.
void add_drive_wrenches(const System& system, double time, std::span<const double> q, std::span<const double> v,
                        const LinkArrays& links, const Eigen::VectorXd& lambda, std::span<math::SpatialVector> wrench);

}  // namespace espalier::dynamics::detail
