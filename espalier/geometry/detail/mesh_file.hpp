#pragma once

// Triangles from STL (binary and text) and OBJ files. Nothing in a file is trusted: sizes, indices and numbers are
// checked, and what is wrong is said with its line (of text) or triangle.

#include <string>

#include "espalier/base/result.hpp"
#include "espalier/geometry/shapes.hpp"

namespace espalier::geometry::detail {

// Vertices and triangles alone, as the file has them, times `scale`. Faces of an OBJ with more than three corners are
// cut from their first corner. `where` is the place of the shape in the model file.
Result<TriangleMesh> read_mesh(const std::string& path, const Eigen::Vector3d& scale, const Where& where);

// The same from the text of a file; `path` is for messages, and its ending tells STL from OBJ.
Result<TriangleMesh> parse_mesh(const std::string& bytes, const std::string& path, const Eigen::Vector3d& scale);

}  // namespace espalier::geometry::detail
