#include "espalier/geometry/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <Eigen/Geometry>

#include "espalier/geometry/detail/pairs.hpp"

namespace espalier::geometry {
namespace {

using namespace detail;
using Eigen::Vector3d;
using Kind = Geometry::Kind;

bool is_obstacle(Kind kind) { return kind == Kind::kPlane || kind == Kind::kMesh; }

bool is_finite(const math::Pose& pose) { return pose.position.allFinite() && pose.rotation.coeffs().allFinite(); }

// -1, 0 or 1 by the first number that differs.
template <class Numbers>
int compare(const Numbers& a, const Numbers& b) {
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  }
  return 0;
}

int compare(const Polyhedron& a, const Polyhedron& b) {
  if (a.vertices.size() != b.vertices.size()) return a.vertices.size() < b.vertices.size() ? -1 : 1;
  for (std::size_t v = 0; v < a.vertices.size(); ++v) {
    if (const int order = compare(a.vertices[v], b.vertices[v]); order != 0) return order;
  }
  return 0;
}

// Which of the two is first is a matter of their shapes, not of the order in which they are named. Equal shapes are
// told apart by where they lie along a direction that nothing is likely to stand across, so that bodies at rest do not
// change places as they tremble.
bool comes_before(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (const int order = compare(a.size, b.size); order != 0) return order < 0;
  if (a.kind == Kind::kPolyhedron && a.polyhedron != b.polyhedron) {
    if (const int order = compare(*a.polyhedron, *b.polyhedron); order != 0) return order < 0;
  }
  const double height = Vector3d(0.3119, 0.5303, 0.7883).dot(X_WB.position - X_WA.position);
  // Level with each other: their orientations decide.
  if (height != 0) return height > 0;
  return compare(X_WA.rotation.coeffs(), X_WB.rotation.coeffs()) < 0;
}

// Sums in an order that naming them the other way round does not change.
void collide_balls(const Ball& a, const Ball& b, double margin, std::vector<Touch>& touches) {
  const Vector3d across = a.centre - b.centre;
  const double distance = across.norm();
  const double gap = distance - (a.radius + b.radius);
  // A gap that is not a number is none either.
  if (!(gap <= margin)) return;
  // Balls about one centre have no direction: along z, out of the same of two unequal ones whichever is named first.
  const Vector3d normal =
      distance > kNoLength ? Vector3d(across / distance) : Vector3d(0, 0, a.radius < b.radius ? -1 : 1);
  touches.push_back({((a.centre - a.radius * normal) + (b.centre + b.radius * normal)) / 2, normal, gap, 0});
}

Placement placed(const math::Pose& X_WA, const math::Pose& X_WB) {
  // In the frame of a, whose numbers stay small however far from the origin of the world both are.
  const Eigen::Matrix3d R = X_WA.rotation.toRotationMatrix().transpose();
  return {R * X_WB.rotation.toRotationMatrix(), R * (X_WB.position - X_WA.position)};
}

// Boxes, capsules and polyhedra.
Manifold collide_cores(const Geometry& a, const Geometry& b, const Placement& place, double margin, Scratch& memory) {
  const auto with_b = [&](const Convex& core_a) {
    if (b.kind != Kind::kCapsule) {
      return make_manifold(core_a, moved(as_convex(*b.polyhedron), place.R, place.p, memory), margin, memory);
    }
    const CapsuleCore core_b(b.size);
    return make_manifold(core_a, moved(core_b.convex(), place.R, place.p, memory), margin, memory);
  };
  if (a.kind != Kind::kCapsule) return with_b(as_convex(*a.polyhedron));
  const CapsuleCore core_a(a.size);
  return with_b(core_a.convex());
}

// a comes before b; `mirrored` where the caller named them the other way round.
void collide_ordered(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB,
                     double margin, bool mirrored, std::vector<Touch>& touches) {
  Scratch& memory = scratch();
  // Normals out of b are what the caller wants, unless b is his a.
  if (b.kind == Kind::kMesh) {
    Sink sink(X_WB, mirrored, touches);
    return collide_mesh(*b.mesh, a, placed(X_WB, X_WA), margin, memory, sink);
  }
  // A ball has no axes: in the other's frame there is nothing to turn.
  if (a.kind == Kind::kSphere) {
    Sink sink(X_WB, mirrored, touches);
    const Ball ball{X_WB.rotation.conjugate() * (X_WA.position - X_WB.position), a.size[0]};
    return collide_ball(ball, b, margin, sink);
  }
  Sink sink(X_WA, !mirrored, touches);
  const Placement place = placed(X_WA, X_WB);
  if (a.kind == Kind::kPlane) return collide_plane(b, place, margin, memory, sink);
  if (b.kind == Kind::kBox) return sink.add_all(collide_boxes(a, b, place, margin, memory));
  if (a.kind == Kind::kCapsule && b.kind == Kind::kCapsule) {
    return collide_capsules(a.size, b.size, place, margin, sink);
  }
  sink.add_all(collide_cores(a, b, place, margin, memory));
}

}  // namespace

void collide(const Geometry& a, const math::Pose& X_WA, const Geometry& b, const math::Pose& X_WB, double margin,
             std::vector<Touch>& touches) {
  // What is not finite touches nothing, and no sum below has to ask for it.
  if (!is_finite(X_WA) || !is_finite(X_WB) || !std::isfinite(margin)) return;
  // Neither planes nor meshes move: nothing between them ever has to be kept apart.
  if (is_obstacle(a.kind) && is_obstacle(b.kind)) return;
  if (a.kind == Kind::kSphere && b.kind == Kind::kSphere) {
    return collide_balls({X_WA.position, a.size[0]}, {X_WB.position, b.size[0]}, margin, touches);
  }
  if (comes_before(a, X_WA, b, X_WB)) {
    collide_ordered(a, X_WA, b, X_WB, margin, false, touches);
  } else {
    collide_ordered(b, X_WB, a, X_WA, margin, true, touches);
  }
}

}  // namespace espalier::geometry
