#pragma once

#include <span>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// exchanged_power() of evaluation.hpp where an evaluation has left its results elsewhere: `links` with force laws
// applied, efforts by coordinate, multipliers by row.
double exchanged_power(const System& system, double time, std::span<const double> q, std::span<const double> v,
                       const LinkArrays& links, std::span<const double> effort, std::span<const double> lambda);

}  // namespace espalier::dynamics::detail
