#pragma once

// The shapes of bodies as the narrow phase wants them, and the points where two of them touch. Plain values.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

namespace espalier::geometry {

// A convex polyhedron in its own frame: faces are convex polygons (coplanar triangles of a hull are one face) with
// outward planes. One list a quantity, since separating axes walk through normals and vertices alone.
struct Polyhedron {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<Eigen::Vector3d> normals;  // unit, one a face
  std::vector<double> offsets;           // normal . x of a face's points [m]
  // Face f has the vertices rim[rim_begin[f] .. rim_begin[f + 1]), counter-clockwise seen from outside; rim_edge names
  // the edge from each of them to the next.
  std::vector<int> rim_begin = {0};
  std::vector<int> rim;
  std::vector<int> rim_edge;
  struct Edge {
    std::array<int, 2> vertex{};  // directed along the product of the normals of:
    std::array<int, 2> face{};    // left and right of it
    int id = 0;  // its own number: edges of flat shapes are listed once for each quarter turn they span
  };
  std::vector<Edge> edges;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double inner_radius = 0;  // of the largest ball about the centre [m]
};

// Triangles of an obstacle and a tree of boxes over them. They need not be closed; both sides touch.
struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  // Of edge k, from corner k to the next: the corner of the triangle beyond it that is not on it; -1 where there is no
  // such triangle, or more than one. Around vertex v lie ring[ring_begin[v] .. ring_begin[v + 1]). Both tell which
  // directions lead out of the whole mesh, so that nothing that slides from one triangle to the next is stopped by what
  // lies between.
  std::vector<std::array<int, 3>> beyond;
  std::vector<int> ring_begin, ring;
  struct Node {
    Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
    int first = 0, count = 0;  // leaf: triangles `order[first ..]`; else count = 0 and children first, first + 1
  };
  std::vector<Node> nodes;
  std::vector<int> order;
};

struct Geometry {
  enum class Kind : std::uint8_t { kSphere, kPlane, kBox, kCapsule, kPolyhedron, kMesh };
  Kind kind = Kind::kSphere;
  // sphere: (radius, 0, 0); box: half lengths; capsule: (radius, half the straight part, 0), axis z; the plane is the
  // half space z <= 0. [m]
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  // of polyhedra: half lengths of the box around them
  std::shared_ptr<const Polyhedron> polyhedron;    // of a box too
  std::shared_ptr<const TriangleMesh> mesh;
  // What a polyhedron of many sides stands for, with `size` its radius twice and half its length, or its half axes:
  // planes touch the round surface itself.
  enum class Round : std::uint8_t { kNone, kCylinder, kEllipsoid };
  Round round = Round::kNone;
};

// Edges along the axes.
struct Box {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
};

// Contacts of faces are preferred to those of edges and corners that are nearer by less than this.
inline constexpr double kFaceBias = 1e-3;  // of the smaller shape's inner radius [-]

struct Touch {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    // half way between the two surfaces, in the world [m]
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // unit, out of b towards a
  double gap = 0;                                     // negative where they overlap [m]
  std::uint32_t feature = 0;  // the same for the same pair of corners, edges, faces as both move; unlike within a pair
};

}  // namespace espalier::geometry
