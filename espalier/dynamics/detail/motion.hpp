#pragma once

// Between the kernel's states of links and the arrays that force laws work on.

#include <vector>

#include "espalier/dynamics/detail/kernel.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

Eigen::Vector3d to_eigen(const Vec<double>& v);
Eigen::Matrix3d to_eigen(const Turn<double>& t);

// Pose and velocity of link i.
void export_link(const Link& link, std::size_t i, const LinkState<double>& state, LinkArrays& links);
// A wrench about the world's origin as one about the link's point.
Pair<double> outer_wrench(const LinkState<double>& state, const math::SpatialVector& force);

bool has_laws(const System& system);
// Links whose motion force laws and drives ask for.
std::vector<int> touched_links(const System& system);

}  // namespace espalier::dynamics::detail
