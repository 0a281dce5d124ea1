#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/geometry/detail/pairs.hpp"
#include "espalier/geometry/geometry.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

// All triangles whose leaf overlaps the box, ascending.
void list_triangles(const TriangleMesh& mesh, const Box& box, std::vector<int>& triangles) {
  triangles.clear();
  // Halves of equal count: 64 levels would be more triangles than there is memory.
  std::array<int, 64> open;
  int count = 0;
  open[count++] = 0;
  while (count > 0) {
    const TriangleMesh::Node& node = mesh.nodes[open[--count]];
    if ((node.low.array() > box.high.array()).any() || (node.high.array() < box.low.array()).any()) continue;
    // Leaves alone have a count.
    for (int k = 0; k < node.count; ++k) triangles.push_back(mesh.order[node.first + k]);
    if (node.count > 0) continue;
    open[count++] = node.first + 1;
    open[count++] = node.first;
  }
  // By number: contacts must not come in the order of the tree.
  std::sort(triangles.begin(), triangles.end());
}

// The point of a triangle nearest to p.
Vector3d foot_of_triangle(const TriangleCore& core, const Vector3d& p) {
  // Over the triangle the foot lies in its plane, else on the nearest of the sides that p is outside of.
  Vector3d nearest = p - (core.normals[0].dot(p) - core.offsets[0]) * core.normals[0];
  double least = 1e300;
  for (int k = 0; k < 3; ++k) {
    const Vector3d& from = core.vertices[k];
    if (core.normals[k + 2].dot(p - from) <= 0) continue;
    const Vector3d along = core.vertices[(k + 1) % 3] - from;
    const Vector3d foot = from + std::clamp((p - from).dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
    if ((p - foot).squaredNorm() >= least) continue;
    least = (p - foot).squaredNorm();
    nearest = foot;
  }
  return nearest;
}

void add_ball(const TriangleCore& core, const Ball& ball, double margin, std::vector<Touch>& touches) {
  const Vector3d foot = foot_of_triangle(core, ball.centre);
  const Vector3d out = ball.centre - foot;
  const double distance = out.norm();
  const double gap = distance - ball.radius;
  if (gap > margin) return;
  // A centre in the plane of the triangle has no side: the normal of the triangle.
  const Vector3d normal = distance > 1e-12 * ball.radius ? Vector3d(out / distance) : core.normals[0];
  // Feature 0 for all: those that stay are told apart at the end.
  if (is_allowed(core.convex(), normal)) touches.push_back({foot + gap / 2 * normal, normal, gap, 0});
}

// A corner of the body keeps its name from triangle to triangle; else the triangle is part of it.
std::uint32_t mesh_feature(int triangle, std::uint32_t feature) {
  constexpr std::uint32_t kCorner = (1u << 15) - 1;
  if (feature >> 30 == static_cast<std::uint32_t>(Meeting::kFaceCorner)) return feature & kCorner;
  // Two numbers into one; where two pairs give the same, they are told apart at the end.
  std::uint32_t mixed = feature ^ (static_cast<std::uint32_t>(triangle) + 1) * 0x9E3779B9u;
  mixed = (mixed ^ mixed >> 16) * 0x85EBCA6Bu;
  return mixed ^ mixed >> 13;
}

// Puts touches with one normal and one plane of the mesh behind each other and keeps four of them; of those that lie on
// each other, the deepest.
class PlaneGroups {
 public:
  PlaneGroups(double bias, Scratch& memory) : bias_(bias), memory_(memory) {}

  void reduce() {
    std::vector<Touch>& touches = memory_.touches;
    add_hidden();
    std::size_t kept = 0;
    for (std::size_t begin = 0; begin < touches.size();) {
      std::size_t end = begin + 1;
      for (std::size_t k = end; k < touches.size(); ++k) {
        if (share_plane(touches[begin], touches[k])) std::swap(touches[end++], touches[k]);
      }
      // What stays is written to the front, which has been read by then.
      kept = keep(begin, end, kept);
      begin = end;
    }
    touches.resize(kept);
    tell_apart(touches);
  }

 private:
  // Triangles whose neighbours have the better axis only add to planes that others touch, unless nobody else does.
  void add_hidden() {
    std::vector<Touch>& touches = memory_.touches;
    // Only what was there before counts: hidden ones do not speak for each other.
    const auto known = static_cast<std::ptrdiff_t>(touches.size());
    for (const Touch& touch : memory_.hidden) {
      const auto fits = [&](const Touch& other) { return share_plane(other, touch); };
      if (known == 0 || std::any_of(touches.begin(), touches.begin() + known, fits)) touches.push_back(touch);
    }
  }

  bool share_plane(const Touch& a, const Touch& b) const {
    // On the surface of the mesh, half a gap below the point.
    const auto foot = [](const Touch& touch) { return Vector3d(touch.point - touch.gap / 2 * touch.normal); };
    return (a.normal - b.normal).squaredNorm() < 1e-12 && std::abs(a.normal.dot(foot(a) - foot(b))) < bias_;
  }

  std::size_t keep(std::size_t begin, std::size_t end, std::size_t kept) {
    std::vector<Touch>& touches = memory_.touches;
    const Vector3d normal = touches[begin].normal;
    memory_.marks.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const Touch& touch = touches[k];
      // Triangles beside each other give the same point twice.
      const auto near = [&](const Scratch::Mark& mark) { return (mark.point - touch.point).norm() < bias_; };
      const auto twin = std::find_if(memory_.marks.begin(), memory_.marks.end(), near);
      if (twin == memory_.marks.end()) {
        memory_.marks.push_back({touch.point, touch.gap, touch.feature});
      } else if (touch.gap < twin->height) {
        *twin = {touch.point, touch.gap, touch.feature};
      }
    }
    // Cuts along inner edges lie on the line between others.
    keep_four(normal, bias_, memory_.marks, 2);
    for (const Scratch::Mark& mark : memory_.marks) touches[kept++] = {mark.point, normal, mark.height, mark.feature};
    return kept;
  }

  // One corner on two planes of a mesh, or numbers mixed to the same.
  static void tell_apart(std::vector<Touch>& touches) {
    for (std::size_t k = 1; k < touches.size(); ++k) {
      const auto taken = [&](const Touch& touch) { return touch.feature == touches[k].feature; };
      const auto here = touches.begin() + static_cast<std::ptrdiff_t>(k);
      while (std::any_of(touches.begin(), here, taken)) ++touches[k].feature;
    }
  }

  double bias_;
  Scratch& memory_;
};

void add_convex(const TriangleMesh& mesh, const Convex& shape, double margin, Scratch& memory) {
  for (const int triangle : memory.triangles) {
    const TriangleCore core(mesh, triangle);
    const Manifold manifold = make_manifold(core.convex(), shape, margin, memory);
    for (int k = 0; k < manifold.count; ++k) {
      Touch touch = manifold.touches[k];
      touch.feature = mesh_feature(triangle, touch.feature);
      // Put aside until all triangles have spoken.
      (manifold.hidden ? memory.hidden : memory.touches).push_back(touch);
    }
  }
}

}  // namespace

void collide_mesh(const TriangleMesh& mesh, const Geometry& other, const Placement& place, double margin,
                  Scratch& memory, Sink& sink) {
  memory.touches.clear();
  memory.hidden.clear();
  // What the bias is a share of: a radius, or that of the ball inside a polyhedron.
  double thickness = other.size[0];
  const math::Pose pose{place.p, Eigen::Quaterniond(place.R)};
  Box box = bounds(other, pose);
  // The turn went over a quaternion: a little more than the margin.
  const double reach = std::max(margin, 0.0) + 1e-9 * (box.high - box.low).maxCoeff();
  box.low.array() -= reach;
  box.high.array() += reach;
  list_triangles(mesh, box, memory.triangles);
  if (other.kind == Geometry::Kind::kSphere) {
    const Ball ball{place.p, other.size[0]};
    for (const int triangle : memory.triangles) {
      add_ball(TriangleCore(mesh, triangle), ball, margin, memory.touches);
    }
  } else if (other.kind == Geometry::Kind::kCapsule) {
    const CapsuleCore core(other.size);
    add_convex(mesh, moved(core.convex(), place.R, place.p, memory), margin, memory);
  } else {
    thickness = other.polyhedron->inner_radius;
    add_convex(mesh, moved(as_convex(*other.polyhedron), place.R, place.p, memory), margin, memory);
  }
  PlaneGroups(kFaceBias * thickness, memory).reduce();
  for (const Touch& touch : memory.touches) sink.add(touch);
}

}  // namespace espalier::geometry::detail
