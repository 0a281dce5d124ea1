#pragma once

// Narrow phase: where two shapes touch. A function of the two shapes and poses alone: it remembers nothing, so that
// every rank gets the same points, bit for bit.

#include <vector>

#include "espalier/geometry/shapes.hpp"
#include "espalier/math/pose.hpp"

namespace espalier::geometry {

// At most four points, spread as wide as they can be, of all where the surfaces are not farther apart than `margin`
// [m]; one for spheres, two for a capsule that lies, four for faces. Deep overlaps get the axis of least depth.
// Contacts of faces are preferred to those of edges and corners that are nearer by less than kFaceBias, so that what
// lies flat keeps its points. Of a mesh at most four for each plane touched; edges between its triangles do not stop
// what slides over them. Two of planes and meshes never touch, nor does a pose that is not finite. collide(b, a) gives
// the same points with turned normals, but where equal shapes coincide. Appends to `touches`; allocates nothing once
// its memory has grown.
void collide(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB, double margin,
             std::vector<Touch>& touches);

}  // namespace espalier::geometry
