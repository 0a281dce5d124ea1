#pragma once

// From the triangles of a file to a mesh that can be asked which of them lie in a box.

#include "espalier/geometry/shapes.hpp"

namespace espalier::geometry::detail {

// Joins vertices that are equal, drops triangles without area, finds neighbours over edges that exactly two triangles
// share, and builds the tree: O(n log n). No triangle may be left.
void complete_mesh(TriangleMesh& mesh);

// The normal of a triangle times twice its area.
Eigen::Vector3d triangle_area(const TriangleMesh& mesh, int triangle);

}  // namespace espalier::geometry::detail
