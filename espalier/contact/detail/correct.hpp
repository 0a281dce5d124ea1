#pragma once

// Overlaps and limits that are passed, brought back by displacement alone: no velocity is made by it.

#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {

// After part 7, whose impulses are `R` by place. Owned bodies are at the end of the step already. Collective.
void correct_positions(const comm::Comm& comm, Domain& domain, Prepared& prepared, std::span<const Eigen::Vector3d> R);

// How far two shapes may overlap before they are pushed apart [m].
double allowed_overlap(const SceneShape& one, const SceneShape& other);

}  // namespace espalier::contact::detail
