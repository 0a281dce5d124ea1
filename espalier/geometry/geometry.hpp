#pragma once

// Front door of the room: shapes (shapes.hpp) from what a model says of them, made once, shared by all bodies with the
// same shapes, never changed.
//   In:   model::ShapeSpec
//   Out:  Geometry, and boxes around it for broad_phase.hpp; collide.hpp finds where two of them touch

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/geometry/shapes.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"

namespace espalier::geometry {

// Cylinders become prisms of 24 sides and ellipsoids hulls of 162 points, both inscribed: the caller says so in a note.
// A mesh is read from its file (STL or OBJ; a relative path starts at the folder of the model file); the caller sees to
// it that no body that moves has one. Errors, with the line: a hull whose points lie in a plane, a mesh that cannot be
// read, sizes that are no lengths.
Result<Geometry> make_geometry(const model::ShapeSpec& spec);

// The smallest such box around the shape at this pose.
// A plane has no bounds, but for the one upwards, sidewards, ... where it stands exactly across an axis. Of a mesh: the
// box around its box.
Box bounds(const Geometry& geometry, const math::Pose& pose);

}  // namespace espalier::geometry
