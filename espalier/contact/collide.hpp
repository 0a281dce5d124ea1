#pragma once

// Narrow phase: where two shapes touch. A function of the two shapes and poses alone: it remembers nothing, so that
// every rank gets the same points, bit for bit.

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "espalier/contact/geometry.hpp"

namespace espalier::contact {

struct Touch {
  Eigen::Vector3d point;      // half way between the two surfaces, in the world [m]
  Eigen::Vector3d normal;     // unit, out of b towards a
  double gap = 0;             // negative where they overlap [m]
  std::uint32_t feature = 0;  // the same for the same pair of corners, edges, faces as both move; unlike within a pair
};

// At most four points, spread as wide as they can be, of all where the surfaces are not farther apart than `margin`;
// one for spheres, two for a capsule that lies, four for faces. Of a mesh at most four for each triangle touched,
// points that say the same as a neighbour's left out. Pairs in the order of kinds are mirrored: collide(b, a) gives the
// same points with turned normals. Two planes or meshes never touch. Appends to `touches`.
void collide(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB, double margin,
             std::vector<Touch>& touches);

}  // namespace espalier::contact
