#pragma once

// Polyhedra for the narrow phase, made from boxes, prisms and hulls.

#include <optional>
#include <span>

#include "espalier/geometry/shapes.hpp"
#include "espalier/math/inertia.hpp"

namespace espalier::geometry::detail {

// Corner c of a box lies at +half[i] where bit i of c is set; faces are -x +x -y +y -z +z; edges along axis i are
// 4 i .. 4 i + 3, counted by the signs of the next axis (bit 0) and the one after it (bit 1).
Polyhedron make_box(const Eigen::Vector3d& half);

// Faces from the triangles of a hull; triangles that lie in one plane within 1e-7 of the hull's extent are one face.
Polyhedron make_polyhedron(const math::Hull& hull);

// Points of shapes that are round: a prism of `sides` sides about z, and an icosahedron cut twice (162 points).
std::vector<Eigen::Vector3d> cylinder_points(double radius, double half_length, int sides);
std::vector<Eigen::Vector3d> ellipsoid_points(const Eigen::Vector3d& radii);

}  // namespace espalier::geometry::detail
