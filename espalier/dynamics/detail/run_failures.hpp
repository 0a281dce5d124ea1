#pragma once

// Why a run ended before its time, in sentences with the way out.

#include <cstdint>
#include <string>

#include "espalier/dynamics/detail/ode.hpp"

namespace espalier::dynamics::detail {

// The loops of the start have gaps of this size [m or rad].
std::string open_failure(double gap, double time);
// What is computed at this time is no number; a formula that divided by zero is named.
std::string number_failure(double time, const Ode& ode);
// A step of length h [s] still missed the tolerance.
std::string step_failure(double time, double h, double tolerance);
// More coordinates than the implicit integrator has matrices for.
std::string size_failure(int coordinates);
// The last of so many steps was h [s] long.
std::string count_failure(std::int64_t steps, double time, double h, double tolerance);

}  // namespace espalier::dynamics::detail
