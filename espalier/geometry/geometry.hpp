#pragma once

// Front door of the room: shapes (shapes.hpp) from what a model says of them, made once, shared by all bodies with the
// same shapes, never changed.
//   In:   model::ShapeSpec
//   Out:  Geometry and boxes around it; which boxes overlap, and where two shapes touch

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/geometry/shapes.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"

namespace espalier::geometry {

// Cylinders become prisms of 24 sides and ellipsoids hulls of 162 points, both inscribed, that planes alone see as they
// are drawn: the caller says so in a note.
// A mesh is read from its file (STL or OBJ; a relative path starts at the folder of the model file); the caller sees to
// it that no body that moves has one. Errors, with the line: a hull whose points lie in a plane, a mesh that cannot be
// read, sizes that are no lengths.
Result<Geometry> make_geometry(const model::ShapeSpec& spec);

// The smallest such box around the shape at this pose.
// A plane has no bounds, but for the one upwards, sidewards, ... where it stands exactly across an axis. Of a mesh: the
// box around its box.
Box bounds(const Geometry& geometry, const math::Pose& pose);

// Narrow phase: where two shapes touch. A function of the two shapes and poses alone: it remembers nothing, so that
// every rank gets the same points, bit for bit.

// At most four points, spread as wide as they can be, of all where the surfaces are not farther apart than `margin`
// [m]; one for spheres, two for a capsule that lies, four for faces. Deep overlaps get the axis of least depth.
// Contacts of faces are preferred to those of edges and corners that are nearer by less than kFaceBias, so that what
// lies flat keeps its points. Of a mesh at most four for each plane touched; edges between its triangles do not stop
// what slides over them. Two of planes and meshes never touch, nor does a pose that is not finite. collide(b, a) gives
// the same points with turned normals, but where equal shapes coincide. Appends to `touches`; allocates nothing once
// its memory has grown.
void collide(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB, double margin,
             std::vector<Touch>& touches);

// Broad phase: which boxes overlap, by a grid of several cell sizes that is sorted anew each time.
// Cost: O((n + pairs) x sizes): boxes are sorted into classes of like size, each with cells twice as large as the
// last's, and looked for in their own class and in those above. Boxes without bounds are tried against all others.

// Memory that is made once.
struct BroadPhase {
  std::vector<std::array<int, 2>> pairs;  // i < j, ascending: no matter how the boxes lie in memory or in the grid
  struct Cell {
    std::uint64_t key = 0;
    int box = 0;
  };
  std::vector<Cell> cells, scratch;
  std::vector<Box> sorted;  // boxes in the order of cells
  std::vector<int> large;   // boxes without bounds, or far larger than the others
  std::vector<double> extents;
  std::vector<std::array<int, 2>> found;
  std::vector<int> begin;
};

// Fills `pairs` with all boxes that overlap or touch. A box without bounds overlaps all others. One that holds a NaN,
// or whose low lies above its high, overlaps none.
void find_pairs(std::span<const Box> boxes, BroadPhase& memory);

}  // namespace espalier::geometry
