#pragma once

// The shapes of bodies as the narrow phase wants them: made once, shared by all bodies that look alike, never changed.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"

namespace espalier::contact {

// A convex polyhedron in its own frame: faces are convex polygons (coplanar triangles of a hull are one face), with
// their outward planes; vertices go round counter-clockwise seen from outside.
struct Polyhedron {
  std::vector<Eigen::Vector3d> vertices;
  struct Face {
    Eigen::Vector3d normal;
    double offset = 0;     // normal . x of its points [m]
    std::vector<int> rim;  // vertices
  };
  std::vector<Face> faces;
  std::vector<std::array<int, 2>> edges;
  std::vector<Eigen::Vector3d> edge_directions;  // each of them once, sign left aside: what separating axes need
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
};

// Triangles of an obstacle and a tree of boxes over them. They need not be closed; both sides touch.
struct TriangleMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
  struct Node {
    Eigen::Vector3d low, high;
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
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  std::shared_ptr<const Polyhedron> polyhedron;  // of a box too
  std::shared_ptr<const TriangleMesh> mesh;
};

// Cylinders become prisms of 24 sides and ellipsoids hulls of 162 points: the caller says so in a note. Errors, with
// the line: a hull whose points lie in a plane, a mesh that cannot be read (STL, OBJ) or that belongs to a body that
// moves, sizes that are no lengths.
Result<Geometry> make_geometry(const model::ShapeSpec& spec);

// Smallest box with edges along the axes around the shape at this pose.
struct Box {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
};
Box bounds(const Geometry& geometry, const math::Pose& pose);  // a plane: without bounds in all directions

}  // namespace espalier::contact
