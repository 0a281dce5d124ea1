#include "espalier/geometry/detail/convex.hpp"

#include <algorithm>

#include "espalier/geometry/detail/mesh_tree.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

// The core of a capsule is a line: its four edges are one, with the directions around it by quarters.
const std::array<Vector3d, 4> kRound = {Vector3d::UnitX(), Vector3d::UnitY(), -Vector3d::UnitX(), -Vector3d::UnitY()};
constexpr std::array<Polyhedron::Edge, 4> kCapsuleEdges = {
    {{{0, 1}, {0, 1}, 0}, {{0, 1}, {1, 2}, 0}, {{0, 1}, {2, 3}, 0}, {{0, 1}, {3, 0}, 0}}};
// A triangle is a body without thickness. Normals 0 and 1 are up and down, 2 to 4 out of its sides; each edge is there
// twice, between its side and either face.
constexpr std::array<Polyhedron::Edge, 6> kTriangleEdges = {{{{0, 1}, {0, 2}, 0},
                                                             {{1, 2}, {0, 3}, 1},
                                                             {{2, 0}, {0, 4}, 2},
                                                             {{0, 1}, {2, 1}, 0},
                                                             {{1, 2}, {3, 1}, 1},
                                                             {{2, 0}, {4, 1}, 2}}};
constexpr std::array<int, 3> kTriangleRimBegin = {0, 3, 6};
constexpr std::array<int, 6> kTriangleRim = {0, 1, 2, 0, 2, 1};
constexpr std::array<int, 6> kTriangleRimEdge = {0, 1, 2, 2, 1, 0};

}  // namespace

Convex as_convex(const Polyhedron& polyhedron) {
  return {polyhedron.vertices, polyhedron.normals, polyhedron.offsets, polyhedron.rim_begin,   polyhedron.rim,
          polyhedron.rim_edge, polyhedron.edges,   polyhedron.centre,  polyhedron.inner_radius};
}

CapsuleCore::CapsuleCore(const Vector3d& size)
    : vertices{Vector3d(0, 0, -size[1]), Vector3d(0, 0, size[1])}, radius(size[0]) {}

Convex CapsuleCore::convex() const {
  Convex core;
  core.vertices = vertices;
  core.normals = kRound;
  core.edges = kCapsuleEdges;
  core.rounding = radius;
  return core;
}

TriangleCore::TriangleCore(const TriangleMesh& whole, int triangle) : mesh(&whole), number(triangle) {
  const Vector3d up = triangle_area(whole, triangle).normalized();
  for (int k = 0; k < 3; ++k) vertices[k] = whole.vertices[whole.triangles[triangle][k]];
  normals[0] = up;
  normals[1] = -up;
  for (int k = 0; k < 3; ++k) {
    normals[k + 2] = (vertices[(k + 1) % 3] - vertices[k]).cross(up).normalized();
  }
  // Sides are no faces: they only end the arcs of the edges.
  offsets = {up.dot(vertices[0]), -up.dot(vertices[0])};
}

Convex TriangleCore::convex() const {
  Convex core;
  core.vertices = vertices;
  core.normals = normals;
  core.offsets = offsets;
  core.rim_begin = kTriangleRimBegin;
  core.rim = kTriangleRim;
  core.rim_edge = kTriangleRimEdge;
  core.edges = kTriangleEdges;
  core.centre = (vertices[0] + vertices[1] + vertices[2]) / 3;
  core.mesh = mesh;
  core.triangle = number;
  return core;
}

bool is_allowed(const Convex& shape, const Vector3d& normal) {
  // Only triangles of a mesh have neighbours that could answer in their place.
  if (shape.mesh == nullptr) return true;
  // Neighbours in one plane lean to either side by rounding: neither may forbid the other's normal.
  constexpr double kLean = 1e-6;  // [rad]
  const TriangleMesh& mesh = *shape.mesh;
  const std::array<int, 3>& corner = mesh.triangles[shape.triangle];
  // The corner farthest along the normal touches; which others are level with it says with what.
  int top = 0;
  for (int k = 1; k < 3; ++k) {
    if (normal.dot(shape.vertices[k] - shape.vertices[top]) > 0) top = k;
  }
  const auto rises = [&](int vertex, double lean) {
    const Vector3d across = mesh.vertices[vertex] - shape.vertices[top];
    return normal.dot(across) > lean * across.norm();
  };
  const bool with_next = rises(corner[(top + 1) % 3], -kLean);
  const bool with_last = rises(corner[(top + 2) % 3], -kLean);
  // The normal of the triangle, of an edge, or of a corner.
  if (with_next && with_last) return true;
  if (with_next || with_last) {
    // An edge without exactly one neighbour may have any normal; else the far corner of that one must not rise.
    const int far = mesh.beyond[shape.triangle][with_next ? top : (top + 2) % 3];
    return far < 0 || !rises(far, kLean);
  }
  // On a corner all vertices around it must not rise.
  const int v = corner[top];
  const auto ring = mesh.ring.begin();
  return std::none_of(ring + mesh.ring_begin[v], ring + mesh.ring_begin[v + 1],
                      [&](int vertex) { return rises(vertex, kLean); });
}

Scratch& scratch() {
  // One per thread: nothing is allocated once its lists have grown.
  static thread_local Scratch memory;
  return memory;
}

Convex moved(const Convex& shape, const Eigen::Matrix3d& R, const Vector3d& p, Scratch& memory) {
  memory.vertices.resize(shape.vertices.size());
  memory.normals.resize(shape.normals.size());
  memory.offsets.resize(shape.offsets.size());
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) memory.vertices[v] = R * shape.vertices[v] + p;
  for (std::size_t f = 0; f < shape.normals.size(); ++f) memory.normals[f] = R * shape.normals[f];
  // The plane n x = c becomes (R n) x = c + (R n) p.
  for (std::size_t f = 0; f < shape.offsets.size(); ++f) {
    memory.offsets[f] = shape.offsets[f] + memory.normals[f].dot(p);
  }
  // Names and edges do not move. The lists lie in the scratch, which holds one moved shape at a time.
  Convex result = shape;
  result.vertices = memory.vertices;
  result.normals = memory.normals;
  result.offsets = memory.offsets;
  result.centre = R * shape.centre + p;
  return result;
}

}  // namespace espalier::geometry::detail
