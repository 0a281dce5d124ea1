#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/math/inertia.hpp"

namespace espalier::math {

// A convex polyhedron: its vertices and outward-facing triangles.
struct Hull {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

// The convex hull of a set of points; nothing where they lie in one plane (within 1e-9 of their extent).
// Incremental, O(points x faces): meant for hand-made hulls of some hundred points.
std::optional<Hull> convex_hull(std::span<const Eigen::Vector3d> points);

// Mass properties of the solid at this density [kg/m^3].
Inertia hull_inertia(const Hull& hull, double density);

}  // namespace espalier::math
