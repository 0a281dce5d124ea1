#include "espalier/math/inertia.hpp"

#include <algorithm>
#include <cmath>

namespace espalier::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Face {
  std::array<int, 3> corner;
  Vector3d normal;  // unit, outward
  double offset;    // normal . x on the face
};

// Corners in the order that is counterclockwise seen from outside, so that the normal points outward.
Face make_face(std::span<const Vector3d> points, int a, int b, int c) {
  const Vector3d normal = (points[b] - points[a]).cross(points[c] - points[a]).normalized();
  return {{a, b, c}, normal, normal.dot(points[a])};
}

double height(const Face& face, const Vector3d& point) { return face.normal.dot(point) - face.offset; }

int farthest(std::span<const Vector3d> points, const auto& distance) {
  int best = 0;
  for (int i = 1; i < static_cast<int>(points.size()); ++i) {
    if (distance(points[i]) > distance(points[best])) best = i;
  }
  return best;
}

// Four points far from each other, or nothing where all lie within `thickness` of one plane.
std::optional<std::vector<Face>> first_tetrahedron(std::span<const Vector3d> points, double thickness) {
  const Vector3d p0 = points[0];
  // Each choice is the farthest from what is there: a flat first tetrahedron would spoil every normal after it.
  const int i1 = farthest(points, [&](const Vector3d& p) { return (p - p0).squaredNorm(); });
  const Vector3d axis = points[i1] - p0;
  if (axis.norm() <= thickness) return std::nullopt;
  const int i2 = farthest(points, [&](const Vector3d& p) { return axis.cross(p - p0).squaredNorm(); });
  if (axis.cross(points[i2] - p0).norm() <= thickness * axis.norm()) return std::nullopt;
  const Face base = make_face(points, 0, i1, i2);
  const int i3 = farthest(points, [&](const Vector3d& p) { return std::abs(height(base, p)); });
  if (std::abs(height(base, points[i3])) <= thickness) return std::nullopt;
  // The base is turned so that the fourth point lies below it, inside.
  const bool above = height(base, points[i3]) > 0;
  const int a = 0;
  const int b = above ? i2 : i1;
  const int c = above ? i1 : i2;
  return std::vector<Face>{make_face(points, a, b, c), make_face(points, a, i3, b), make_face(points, b, i3, c),
                           make_face(points, c, i3, a)};
}

// Replaces the faces that see the point by a cone from their rim to it.
void add_point(std::span<const Vector3d> points, int point, double thickness, std::vector<Face>& faces) {
  std::vector<std::array<int, 2>> rim;
  std::vector<Face> kept;
  for (const Face& face : faces) {
    // Points within the thickness of a face count as on it: a coplanar point would give slivers.
    if (height(face, points[point]) <= thickness) {
      kept.push_back(face);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const std::array<int, 2> edge = {face.corner[k], face.corner[(k + 1) % 3]};
      // An edge met in both directions lies inside the visible part.
      const auto twin = std::find(rim.begin(), rim.end(), std::array<int, 2>{edge[1], edge[0]});
      if (twin != rim.end()) {
        rim.erase(twin);
      } else {
        rim.push_back(edge);
      }
    }
  }
  for (const std::array<int, 2>& edge : rim) kept.push_back(make_face(points, edge[0], edge[1], point));
  faces = std::move(kept);
}

}  // namespace

std::optional<Hull> convex_hull(std::span<const Vector3d> points) {
  if (points.size() < 4) return std::nullopt;
  Vector3d low = points[0];
  Vector3d high = points[0];
  for (const Vector3d& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  // Relative to the size of the cloud: far above rounding and far below any shape.
  const double thickness = 1e-9 * (high - low).norm();
  std::optional<std::vector<Face>> faces = first_tetrahedron(points, thickness);
  if (!faces) return std::nullopt;
  // O(points * faces): enough for the few hundred points that a collision shape has.
  for (int i = 0; i < static_cast<int>(points.size()); ++i) add_point(points, i, thickness, *faces);

  // Only corners of faces are vertices; points inside go.
  Hull hull;
  std::vector<int> index(points.size(), -1);
  for (const Face& face : *faces) {
    std::array<int, 3> triangle;
    for (int k = 0; k < 3; ++k) {
      int& number = index[face.corner[k]];
      if (number < 0) {
        number = static_cast<int>(hull.vertices.size());
        hull.vertices.push_back(points[face.corner[k]]);
      }
      triangle[k] = number;
    }
    hull.triangles.push_back(triangle);
  }
  return hull;
}

Inertia hull_inertia(const Hull& hull, double density) {
  // Signed tetrahedra from one vertex; for one of them the integral of x x^T is V/20 (sum of corner products + s s^T),
  // s the sum of the corners.
  const Vector3d origin = hull.vertices[0];
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const std::array<int, 3>& triangle : hull.triangles) {
    const Vector3d a = hull.vertices[triangle[0]] - origin;
    const Vector3d b = hull.vertices[triangle[1]] - origin;
    const Vector3d c = hull.vertices[triangle[2]] - origin;
    const double v = a.dot(b.cross(c)) / 6;
    const Vector3d s = a + b + c;
    volume += v;
    first += v / 4 * s;
    second += v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  // `first` is the integral of x over the volume, `second` that of x x^T.
  const Vector3d centre = first / volume;
  const Matrix3d about_centre = second - volume * centre * centre.transpose();
  return {density * volume, origin + centre, density * (about_centre.trace() * Matrix3d::Identity() - about_centre)};
}

}  // namespace espalier::math
