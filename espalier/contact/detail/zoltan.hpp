#pragma once

#include <memory>
#include <span>

#include "espalier/contact/detail/partition.hpp"

namespace espalier::contact::detail {

bool is_zoltan_built_in();

// Cells by Zoltan's RCB with locked directions. Collective, on two ranks or more.
Cells bisect_by_zoltan(const comm::Comm& comm, std::span<const WeightedPoint> points, std::shared_ptr<Zoltan> memory);

}  // namespace espalier::contact::detail
