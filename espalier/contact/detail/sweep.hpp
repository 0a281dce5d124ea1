#pragma once

// Bodies so fast that in one step they could pass through something thin, or come out on its other side.

#include <optional>
#include <vector>

#include "espalier/contact/detail/domain.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::contact::detail {

// Where a body goes until the next mid step if nothing stops it [m]; zero for obstacles.
Eigen::Vector3d way_of(const LocalBody& local, double step);

// Whether that is more than half of the way from its surface to its middle, where it is thinnest.
bool is_fast(const LocalBody& local, double step);

// A shape at mid step that goes this way until the next; it does not turn.
struct Moving {
  const geometry::Geometry& geometry;
  math::Pose pose;
  Eigen::Vector3d way;
};

// The share of their ways, 0 to 1, after which two shapes first touch, with the points where they do; nothing where
// they pass each other. O(narrow phase) for each of a few steps towards it.
std::optional<double> first_touch(const Moving& one, const Moving& other, double margin,
                                  std::vector<geometry::Touch>& touches);

}  // namespace espalier::contact::detail
