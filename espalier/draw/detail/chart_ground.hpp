#pragma once

#include <string>

#include "espalier/draw/detail/chart_axis.hpp"

namespace espalier::draw::detail {

// Smallest and largest value of a ground.
Range value_range(const Ground& ground);

// The ground as one path a colour, neighbours of a row that have the same colour as one box. O(cells).
std::string ground_elements(const Ground& ground, const Scale& x, const Scale& y);

// A bar with the colours of a ground from its lowest value to its highest, and its numbers.
std::string colour_scale(const Ground& ground, double x, double top, double height);

}  // namespace espalier::draw::detail
