#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/geometry/detail/convex.hpp"

// The Minkowski difference of two polyhedra has three kinds of faces: those of a, those of b, and parallelograms of an
// edge of each. The normals of an edge's contacts are the arc between the normals of its two faces; two edges make a
// parallelogram exactly where their arcs, one of them mirrored, cross on the unit sphere. So the separation along each
// axis is known from its own features, and bounds tell early which cannot matter.

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

struct Search {
  const Convex& a;
  const Convex& b;
  double reach = 0;
  double slack = 0;
  double best = -1e300;  // of axes that are allowed
  double hidden = -1e300;

  // What an axis must exceed to be of use. Forbidden axes count as well: better ones than them are not needed to tell
  // that they are better.
  double least() const { return best - slack; }
  // False where the cores are apart.
  bool offer(double separation, const Vector3d& normal, int feature_a, int feature_b, Axis& axis) {
    if (separation > reach) return false;
    if (!is_allowed(a, normal)) {
      hidden = std::max(hidden, separation);
    } else if (separation > axis.separation) {
      axis = {separation, normal, feature_a, feature_b};
      best = std::max(best, separation);
    }
    return true;
  }
};

double lowest(std::span<const Vector3d> vertices, const Vector3d& normal) {
  double least = normal.dot(vertices[0]);
  for (std::size_t v = 1; v < vertices.size(); ++v) least = std::min(least, normal.dot(vertices[v]));
  return least;
}

// Faces of `ref` against the vertices of `other`. No face can be farther from it than from its inner ball.
bool try_faces(const Convex& ref, const Convex& other, bool ref_is_a, Search& search, Axis& axis) {
  const auto bound = [&](int f) { return ref.normals[f].dot(other.centre) - ref.offsets[f] - other.inner_radius; };
  const auto try_face = [&](int f) {
    const double separation = lowest(other.vertices, ref.normals[f]) - ref.offsets[f];
    const Vector3d normal = ref_is_a ? ref.normals[f] : Vector3d(-ref.normals[f]);
    return search.offer(separation, normal, ref_is_a ? f : 0, ref_is_a ? 0 : f, axis);
  };
  // The most promising face first: it lets the others be left out.
  int first = -1;
  double highest = -1e300;
  for (int f = 0; f < ref.faces(); ++f) {
    const double height = bound(f);
    if (height > highest) {
      highest = height;
      first = f;
    }
  }
  if (first >= 0 && highest > search.least() && !try_face(first)) return false;
  for (int f = 0; f < ref.faces(); ++f) {
    if (f != first && bound(f) > search.least() && !try_face(f)) return false;
  }
  return true;
}

// How far the ball of `other` can be from the edge along any normal of the edge's arc, minus the ball.
double edge_bound(const Convex& ref, const Polyhedron::Edge& edge, const Convex& other) {
  const Vector3d& n0 = ref.normals[edge.face[0]];
  const Vector3d& n1 = ref.normals[edge.face[1]];
  const Vector3d w = other.centre - ref.vertices[edge.vertex[0]];
  const double d0 = n0.dot(w);
  const double d1 = n1.dot(w);
  const double c = n0.dot(n1);
  const bool peaks_between = d1 > c * d0 && d0 > c * d1 && c < 1 - 1e-12;
  if (!peaks_between) return std::max(d0, d1) - other.inner_radius;
  return std::sqrt(std::max(0.0, (d0 * d0 + d1 * d1 - 2 * c * d0 * d1) / (1 - c * c))) - other.inner_radius;
}

void list_edges(const Convex& ref, const Convex& other, double least, std::vector<int>& edges) {
  edges.clear();
  for (int e = 0; e < static_cast<int>(ref.edges.size()); ++e) {
    if (edge_bound(ref, ref.edges[e], other) > least) edges.push_back(e);
  }
}

struct Side {
  Vector3d along, n0, n1, point;
};
Side side_of(const Convex& shape, int e) {
  const Polyhedron::Edge& edge = shape.edges[e];
  return {shape.vertices[edge.vertex[1]] - shape.vertices[edge.vertex[0]], shape.normals[edge.face[0]],
          shape.normals[edge.face[1]], shape.vertices[edge.vertex[0]]};
}

// With N = n0 x n1 of each arc, along its edge: the arcs' common directions are +-N_a x N_b; both arcs must contain the
// same of the two.
bool arcs_cross(const Side& a, const Side& b) {
  const double a0 = a.n0.dot(b.along);
  const double a1 = a.n1.dot(b.along);
  if (a0 * a1 > 0) return false;
  const double b0 = -b.n0.dot(a.along);
  const double b1 = -b.n1.dot(a.along);
  return b0 * b1 <= 0 && (a1 - a0) * (b1 - b0) < 0;
}

bool try_edge_pair(const Side& a, const Side& b, int edge_a, int edge_b, Search& search, Axis& axis) {
  // Edges nearer to parallel than this add nothing to the faces beside them but rounding.
  constexpr double kParallel = 1e-12;  // square of the sine
  Vector3d normal = a.along.cross(b.along);
  const double square = normal.squaredNorm();
  if (square <= kParallel * a.along.squaredNorm() * b.along.squaredNorm()) return true;
  // Out of a: to the side on which the normals of its own two faces lie.
  normal /= (normal.dot(a.n0 + a.n1) < 0 ? -1 : 1) * std::sqrt(square);
  const double apparent = normal.dot(b.point - a.point);
  if (apparent <= search.least() || apparent <= axis.separation) return true;
  // Arcs that just touch may have been taken to cross: what all vertices say holds.
  const double separation = std::min(apparent, lowest(search.b.vertices, normal) + lowest(search.a.vertices, -normal));
  return search.offer(separation, normal, edge_a, edge_b, axis);
}

bool try_edges(Search& search, Scratch& memory, Axis& axis) {
  list_edges(search.a, search.b, search.least(), memory.edges_a);
  list_edges(search.b, search.a, search.least(), memory.edges_b);
  for (const int ea : memory.edges_a) {
    const Side a = side_of(search.a, ea);
    for (const int eb : memory.edges_b) {
      const Side b = side_of(search.b, eb);
      if (arcs_cross(a, b) && !try_edge_pair(a, b, ea, eb, search, axis)) return false;
    }
  }
  return true;
}

}  // namespace

bool find_axes(const Convex& a, const Convex& b, double reach, double slack, Scratch& memory, Axes& axes) {
  Search search{a, b, reach, slack};
  // Faces first: they are few, and the best of them leaves out most pairs of edges.
  if (!try_faces(a, b, true, search, axes.face_a)) return false;
  if (!try_faces(b, a, false, search, axes.face_b)) return false;
  if (!try_edges(search, memory, axes.edges)) return false;
  axes.hidden = search.hidden > search.best;
  return true;
}

}  // namespace espalier::geometry::detail
