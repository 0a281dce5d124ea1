#include "espalier/contact/detail/sweep.hpp"

#include <algorithm>
#include <limits>

#include "espalier/contact/detail/stretch.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using geometry::Geometry;

constexpr double kFast = 0.5;  // of the inner radius
constexpr int kMostSteps = 64;
// Nearer than this share of the way is there.
constexpr double kArrived = 1e-6;

double inner_radius(const Geometry& geometry) {
  switch (geometry.kind) {
    case Geometry::Kind::kSphere:
    case Geometry::Kind::kCapsule:
      return geometry.size[0];
    case Geometry::Kind::kBox:
      return geometry.size.minCoeff();
    case Geometry::Kind::kPolyhedron:
      return geometry.polyhedron->inner_radius;
    case Geometry::Kind::kPlane:
    case Geometry::Kind::kMesh:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

math::Pose ahead(const Moving& moving, double share) {
  return {moving.pose.position + share * moving.way, moving.pose.rotation};
}

// The share of the way after which the first of the points may be reached: until then the plane across its normal keeps
// both apart. Infinite where all gaps grow.
double next_share(const std::vector<geometry::Touch>& touches, const Vector3d& way) {
  double least = std::numeric_limits<double>::infinity();
  for (const geometry::Touch& touch : touches) {
    if (const double closing = -touch.normal.dot(way); closing > 0) least = std::min(least, touch.gap / closing);
  }
  return least;
}

}  // namespace

Vector3d way_of(const LocalBody& local, double step) {
  if (local.body.constants.kind == Kind::kObstacle) return Vector3d::Zero();
  return step * Vector3d(local.body.u_free.data());
}

bool is_fast(const LocalBody& local, double step) {
  if (!local.shapes) return false;
  const double length = way_of(local, step).norm();
  if (length == 0) return false;
  return std::any_of(local.shapes->begin(), local.shapes->end(),
                     [&](const SceneShape& shape) { return length > kFast * inner_radius(shape.geometry); });
}

std::optional<double> first_touch(const Moving& one, const Moving& other, double margin,
                                  std::vector<geometry::Touch>& touches) {
  const Vector3d way = one.way - other.way;
  const double length = way.norm(), arrived = std::max(margin, kArrived * length);
  double share = 0;
  for (int k = 0; k < kMostSteps && share < 1; ++k) {
    touches.clear();
    geometry::collide(one.geometry, ahead(one, share), other.geometry, ahead(other, share),
                      (1 - share) * length + arrived, touches);
    const double next = next_share(touches, way);
    if (next * length <= arrived) {
      std::erase_if(touches, [&](const geometry::Touch& touch) { return touch.gap > arrived; });
      return share;
    }
    share += next;
  }
  return std::nullopt;
}

}  // namespace espalier::contact::detail
