#pragma once

#include "espalier/draw/scene.hpp"

namespace espalier::draw::detail {

// The surface of a piece as triangles, in the axes of its body; round ones with some 20 sides. Nothing for a plane.
SceneMesh piece_triangles(const Scene& scene, const Piece& piece);

}  // namespace espalier::draw::detail
