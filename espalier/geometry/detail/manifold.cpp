#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/geometry/detail/convex.hpp"

// From separating axes to points of contact:
//   1. The best axis of faces of a, of b, or of two edges, in this order where they are within the bias of each other.
//   2. Two faces are clipped against each other; two edges give the points where they pass each other. Either is taken
//      if it is no farther away than the axis says: then the nearest features were found.
//   3. Else a corner or an edge is nearest to a corner or an edge: the nearest points tell, if the cores are apart.

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

class ManifoldMaker {
 public:
  ManifoldMaker(const Convex& a, const Convex& b, double margin, Scratch& memory)
      : a_(a), b_(b), reach_(margin + a.rounding + b.rounding), bias_(face_bias(a, b)), memory_(memory) {}

  Manifold make() {
    // 1. The best axis.
    Axes axes;
    const bool is_sharp = a_.rounding + b_.rounding == 0 && a_.mesh == nullptr && b_.mesh == nullptr;
    const double thickness = std::min(a_.thickness(), b_.thickness());
    const double slack = is_sharp ? std::max(bias_, kEdgeRounding * thickness) : bias_;
    if (!find_axes(a_, b_, reach_, slack, memory_, axes)) return {};
    if (is_sharp && axes.face_a.known() && axes.face_b.known()) {
      views_ = {axes.face_a.normal, axes.face_b.normal, axes.face_a.separation, axes.face_b.separation, thickness};
    }
    const double best = std::max({axes.face_a.separation, axes.face_b.separation, axes.edges.separation});
    // Where a neighbour has the better axis, what this triangle says is taken as it is.
    const double limit = axes.hidden ? 1e299 : best + bias_;
    manifold_.hidden = axes.hidden;
    // 2. Faces before edges.
    for (const bool a_has_face : {true, false}) {
      const Axis& axis = a_has_face ? axes.face_a : axes.face_b;
      if (!axis.known() || axis.separation < best - bias_) continue;
      if (try_face(axis, a_has_face, limit)) return manifold_;
    }
    if (axes.edges.known() && axes.edges.separation >= best - bias_ && try_edges(axes.edges)) return manifold_;
    if (axes.hidden) return {};
    // 3. Neither was it.
    if (best > 0) {
      add_nearest(axes, best);
    } else {
      add_deepest(axes, best);
    }
    return manifold_;
  }

 private:
  bool try_face(const Axis& axis, bool a_has_face, double limit) {
    const Convex& ref = a_has_face ? a_ : b_;
    const Convex& other = a_has_face ? b_ : a_;
    FacePair pair;
    pair.face = a_has_face ? axis.a : axis.b;
    pair.normal = ref.normals[pair.face];
    pair.offset = ref.offsets[pair.face];
    pair.face_is_a = a_has_face;
    pair.face_rounding = ref.rounding;
    pair.other_rounding = other.rounding;
    pair.reach = reach_;
    pair.bias = bias_;
    list_face(ref, pair.face, memory_.face);
    pair.other = list_facing(other, pair.normal);
    if (clip_faces(pair, memory_) > limit) return false;
    add_marks(pair, memory_, manifold_);
    if (views_.thickness > 0) lean_on_edges(views_, a_has_face, manifold_);
    return true;
  }

  static void list_face(const Convex& shape, int face, std::vector<Scratch::RimCorner>& corners) {
    corners.clear();
    for (int k = shape.rim_begin[face]; k < shape.rim_begin[face + 1]; ++k) {
      corners.push_back({shape.vertices[shape.rim[k]], shape.rim[k], shape.rim_edge[k]});
    }
  }

  // Of the faces that hold the lowest vertex, the one that faces `normal` most. A line is its own face.
  int list_facing(const Convex& shape, const Vector3d& normal) {
    if (shape.faces() == 0) {
      memory_.other.clear();
      for (int v = 0; v < 2; ++v) memory_.other.push_back({shape.vertices[v], v, 0});
      return 0;
    }
    const int lowest = lowest_vertex(shape, normal);
    int facing = -1;
    double least = 2;
    for (int f = 0; f < shape.faces(); ++f) {
      const double cosine = shape.normals[f].dot(normal);
      // Offsets are rounded: planes this near to the vertex hold it.
      if (cosine >= least || shape.offsets[f] - shape.normals[f].dot(shape.vertices[lowest]) > 1e-3 * bias_) continue;
      facing = f;
      least = cosine;
    }
    // Rounding may leave no face; then any is as good.
    list_face(shape, std::max(facing, 0), memory_.other);
    return std::max(facing, 0);
  }

  static int lowest_vertex(const Convex& shape, const Vector3d& normal) {
    int lowest = 0;
    double least = normal.dot(shape.vertices[0]);
    for (int v = 1; v < static_cast<int>(shape.vertices.size()); ++v) {
      const double height = normal.dot(shape.vertices[v]);
      if (height >= least) continue;
      least = height;
      lowest = v;
    }
    return lowest;
  }

  void add_point(const Vector3d& on_a, const Vector3d& on_b, const Vector3d& normal, double separation,
                 std::uint32_t feature) {
    // Separations are between cores; the surfaces are nearer by both roundings.
    const double gap = separation - a_.rounding - b_.rounding;
    manifold_.add({(on_a + on_b + (a_.rounding - b_.rounding) * normal) / 2, normal, gap, feature});
  }

  // Of edges that are apart the points must be those that are nearest, not just as far along the normal.
  bool try_edges(const Axis& axis) {
    const Polyhedron::Edge& ea = a_.edges[axis.a];
    const Polyhedron::Edge& eb = b_.edges[axis.b];
    const Vector3d& p = a_.vertices[ea.vertex[0]];
    const Vector3d& q = b_.vertices[eb.vertex[0]];
    const Vector3d u = a_.vertices[ea.vertex[1]] - p;
    const Vector3d v = b_.vertices[eb.vertex[1]] - q;
    const auto [s, t] = pass_edges(p, u, q, v);
    const Vector3d on_a = p + s * u;
    const Vector3d on_b = q + t * v;
    if (axis.separation > 0 && (on_b - on_a).norm() > axis.separation + 1e-3 * bias_) return false;
    add_point(on_a, on_b, axis.normal, axis.separation, make_feature(Meeting::kEdgeEdge, ea.id, eb.id));
    return true;
  }

  static const Axis& best_of(const Axes& axes, double best) {
    if (axes.face_a.separation == best) return axes.face_a;
    return axes.face_b.separation == best ? axes.face_b : axes.edges;
  }

  void add_nearest(const Axes& axes, double best) {
    const Axis& axis = best_of(axes, best);
    const Nearest nearest = find_nearest(a_, b_, axis.normal);
    if (nearest.distance > reach_) return;
    // Faces that lie nearly as near as the nearest points keep their places.
    const double limit = nearest.distance + bias_;
    if (axes.face_a.known() && try_face(axes.face_a, true, limit)) return;
    if (axes.face_b.known() && try_face(axes.face_b, false, limit)) return;
    // Below this a distance has no direction of its own, and the axis gives it.
    const double rounding_error = 1e-3 * bias_;
    const Vector3d normal =
        nearest.distance > rounding_error ? Vector3d((nearest.on_b - nearest.on_a) / nearest.distance) : axis.normal;
    // A normal that leans over a neighbour of the triangle is for that one to report.
    if (!is_allowed(a_, normal)) return;
    add_point(nearest.on_a, nearest.on_b, normal, std::max(nearest.distance, best),
              make_feature(Meeting::kOther, 0, 0));
  }

  // Cores that overlap by hardly more than rounding, so that no feature is clearly nearest: whatever lies over a face,
  // else the deepest corner.
  void add_deepest(const Axes& axes, double best) {
    const Axis& axis = best_of(axes, best);
    if (!axis.known()) return;
    if (&axis == &axes.edges) {
      try_edges(axis);
      return;
    }
    const bool a_has_face = &axis == &axes.face_a;
    // At any height: there is no better answer left to look for.
    if (try_face(axis, a_has_face, 1e299)) return;
    const Convex& other = a_has_face ? b_ : a_;
    const int v = lowest_vertex(other, a_has_face ? axis.normal : Vector3d(-axis.normal));
    const Vector3d& corner = other.vertices[v];
    const Vector3d foot = corner - (a_has_face ? best : -best) * axis.normal;
    if (a_has_face) {
      add_point(foot, corner, axis.normal, best, make_feature(Meeting::kFaceCorner, axis.a, v));
    } else {
      add_point(corner, foot, axis.normal, best, make_feature(Meeting::kCornerFace, v, axis.b));
    }
  }

  const Convex& a_;
  const Convex& b_;
  double reach_;
  double bias_;
  Scratch& memory_;
  FaceViews views_;  // of thickness 0 where edges do not lean
  Manifold manifold_;
};

}  // namespace

std::array<double, 2> pass_edges(const Vector3d& p, const Vector3d& u, const Vector3d& q, const Vector3d& v) {
  // Where two lines pass, held to their edges. Callers leave out parallel ones, whose area vanishes.
  const Vector3d w = q - p;
  const double uv = u.dot(v);
  const double area = u.cross(v).squaredNorm();
  return {std::clamp((w.dot(u) * v.squaredNorm() - w.dot(v) * uv) / area, 0.0, 1.0),
          std::clamp((w.dot(u) * uv - w.dot(v) * u.squaredNorm()) / area, 0.0, 1.0)};
}

void lean_on_edges(const FaceViews& views, bool a_has_face, Manifold& manifold) {
  // Faces that lean against each other by less than 2.5 degrees lie on each other.
  constexpr double kFlat = 0.999;
  const double cosine = views.of_a.dot(views.of_b), round = kEdgeRounding * views.thickness;
  const double ahead = a_has_face ? views.apart_a - views.apart_b : views.apart_b - views.apart_a;
  const double depth = std::abs(a_has_face ? views.apart_a : views.apart_b);
  if (cosine > kFlat || cosine < 0 || ahead >= round || depth >= round) return;
  // Half of each where both see the same. Gaps stay those over the face: between edges that touch both are 0.
  const double share = 0.5 + 0.5 * ahead / round;
  const Vector3d mixed =
      share * (a_has_face ? views.of_a : views.of_b) + (1 - share) * (a_has_face ? views.of_b : views.of_a);
  for (int k = 0; k < manifold.count; ++k) manifold.touches[to_index(k)].normal = mixed.normalized();
}

double face_bias(const Convex& a, const Convex& b) {
  // A triangle has no thickness of its own.
  const double thin = std::min(a.thickness(), b.thickness());
  return kFaceBias * (thin > 0 ? thin : std::max(a.thickness(), b.thickness()));
}

Manifold make_manifold(const Convex& a, const Convex& b, double margin, Scratch& memory) {
  return ManifoldMaker(a, b, margin, memory).make();
}

}  // namespace espalier::geometry::detail
