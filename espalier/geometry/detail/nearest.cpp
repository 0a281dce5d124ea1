#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/geometry/detail/convex.hpp"

// Nearest points by the method of Gilbert, Johnson and Keerthi: a simplex of the Minkowski difference walks towards the
// origin. Simplices of a few points are solved by trying all their parts, which cannot fail where they are flat.

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

struct Corner {
  Vector3d difference;  // on b minus on a
  int a = 0, b = 0;
};

// Corners with their weights: the point of the simplex nearest to the origin.
struct Simplex {
  std::array<Corner, 4> corners;
  std::array<double, 4> weights{};
  int count = 0;

  Vector3d point() const {
    Vector3d sum = Vector3d::Zero();
    for (int k = 0; k < count; ++k) sum += weights[k] * corners[k].difference;
    return sum;
  }
};

Simplex make_part(std::initializer_list<std::pair<Corner, double>> corners) {
  Simplex part;
  for (const auto& [corner, weight] : corners) {
    part.corners[part.count] = corner;
    part.weights[part.count++] = weight;
  }
  return part;
}

Simplex nearest_of_line(const Corner& p, const Corner& q) {
  const Vector3d along = q.difference - p.difference;
  const double square = along.squaredNorm();
  // Equal corners make no line: the first.
  const double t = square > 0 ? -p.difference.dot(along) / square : 0;
  if (t <= 0) return make_part({{p, 1}});
  if (t >= 1) return make_part({{q, 1}});
  return make_part({{p, 1 - t}, {q, t}});
}

Simplex nearer(const Simplex& a, const Simplex& b) { return b.point().squaredNorm() < a.point().squaredNorm() ? b : a; }

Simplex nearest_of_triangle(const Corner& p, const Corner& q, const Corner& r) {
  const Vector3d normal = (q.difference - p.difference).cross(r.difference - p.difference);
  const double square = normal.squaredNorm();
  // Barycentric weights of the foot of the origin, all positive where it lies inside.
  const double wp = normal.dot(q.difference.cross(r.difference));
  const double wq = normal.dot(r.difference.cross(p.difference));
  const double wr = normal.dot(p.difference.cross(q.difference));
  if (square > 0 && wp > 0 && wq > 0 && wr > 0) {
    const double sum = wp + wq + wr;
    return make_part({{p, wp / sum}, {q, wq / sum}, {r, wr / sum}});
  }
  // Outside, or the triangle is flat: the nearest point lies on a side.
  return nearer(nearer(nearest_of_line(p, q), nearest_of_line(q, r)), nearest_of_line(r, p));
}

// The origin lies in a tetrahedron where it is on the inner side of all faces; then all four corners are kept.
Simplex nearest_of_tetrahedron(const std::array<Corner, 4>& c) {
  const auto sign_of = [&](int i, int j, int k, int opposite) {
    const Vector3d normal = (c[j].difference - c[i].difference).cross(c[k].difference - c[i].difference);
    const double origin = -normal.dot(c[i].difference);
    const double inside = normal.dot(c[opposite].difference - c[i].difference);
    // A flat tetrahedron has no inside; its faces answer.
    return inside != 0 && origin * inside >= 0;
  };
  if (sign_of(0, 1, 2, 3) && sign_of(0, 1, 3, 2) && sign_of(0, 2, 3, 1) && sign_of(1, 2, 3, 0)) {
    // Nobody asks for these weights: the cores overlap.
    return make_part({{c[0], 0}, {c[1], 0}, {c[2], 0}, {c[3], 0}});
  }
  return nearer(nearer(nearest_of_triangle(c[0], c[1], c[2]), nearest_of_triangle(c[0], c[1], c[3])),
                nearer(nearest_of_triangle(c[0], c[2], c[3]), nearest_of_triangle(c[1], c[2], c[3])));
}

Simplex nearest_part(const Simplex& simplex) {
  const std::array<Corner, 4>& c = simplex.corners;
  switch (simplex.count) {
    case 2:
      return nearest_of_line(c[0], c[1]);
    case 3:
      return nearest_of_triangle(c[0], c[1], c[2]);
    case 4:
      return nearest_of_tetrahedron(c);
    default:
      return make_part({{c[0], 1}});
  }
}

int farthest(std::span<const Vector3d> vertices, const Vector3d& direction) {
  int best = 0;
  double most = direction.dot(vertices[0]);
  for (int v = 1; v < static_cast<int>(vertices.size()); ++v) {
    const double height = direction.dot(vertices[v]);
    if (height > most) {
      most = height;
      best = v;
    }
  }
  return best;
}

// The corner of the difference that lies farthest against `direction`.
Corner support(const Convex& a, const Convex& b, const Vector3d& direction) {
  const int on_a = farthest(a.vertices, direction);
  const int on_b = farthest(b.vertices, -direction);
  return {b.vertices[on_b] - a.vertices[on_a], on_a, on_b};
}

bool holds(const Simplex& simplex, const Corner& corner) {
  for (int k = 0; k < simplex.count; ++k) {
    if (simplex.corners[k].a == corner.a && simplex.corners[k].b == corner.b) return true;
  }
  return false;
}

}  // namespace

Nearest find_nearest(const Convex& a, const Convex& b, const Vector3d& towards_b) {
  // The walk ends by itself, since the distance falls in each step; this bounds the work all the same.
  constexpr int kMostSteps = 200;
  Simplex simplex = make_part({{support(a, b, towards_b), 1}});
  Vector3d v = simplex.point();
  for (int step = 0; step < kMostSteps && simplex.count < 4; ++step) {
    const Corner corner = support(a, b, v);
    // No corner lies farther towards the origin than the simplex does already.
    if (holds(simplex, corner) || v.squaredNorm() - v.dot(corner.difference) <= 1e-15 * v.squaredNorm()) break;
    Simplex larger = simplex;
    larger.corners[larger.count++] = corner;
    const Simplex part = nearest_part(larger);
    const Vector3d next = part.count == 4 ? Vector3d::Zero() : part.point();
    // Rounding has the last word.
    if (next.squaredNorm() >= v.squaredNorm()) break;
    simplex = part;
    v = next;
  }
  Nearest nearest;
  // The origin is inside: cores that overlap have no nearest points.
  if (simplex.count == 4) return nearest;
  for (int k = 0; k < simplex.count; ++k) {
    nearest.on_a += simplex.weights[k] * a.vertices[simplex.corners[k].a];
    nearest.on_b += simplex.weights[k] * b.vertices[simplex.corners[k].b];
  }
  nearest.distance = (nearest.on_b - nearest.on_a).norm();
  return nearest;
}

}  // namespace espalier::geometry::detail
