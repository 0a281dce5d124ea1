#include "espalier/geometry/detail/polyhedron.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "espalier/base/numbers.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;
using Rim = std::vector<int>;
using EdgeKey = std::pair<int, int>;

// Newell's sum: right for polygons that are not quite flat, and for corners in a line.
Vector3d rim_normal(const std::vector<Vector3d>& vertices, const Rim& rim) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& origin = vertices[rim[0]];
  for (std::size_t k = 0; k + 1 < rim.size(); ++k) {
    sum += (vertices[rim[k]] - origin).cross(vertices[rim[k + 1]] - origin);
  }
  return sum.normalized();
}

void add_face(const Rim& rim, Polyhedron& polyhedron) {
  const Vector3d normal = rim_normal(polyhedron.vertices, rim);
  // No corner of the face may lie outside of its plane, not even by rounding.
  double offset = normal.dot(polyhedron.vertices[rim[0]]);
  for (const int v : rim) offset = std::max(offset, normal.dot(polyhedron.vertices[v]));
  polyhedron.normals.push_back(normal);
  polyhedron.offsets.push_back(offset);
  polyhedron.rim.insert(polyhedron.rim.end(), rim.begin(), rim.end());
  polyhedron.rim_begin.push_back(static_cast<int>(polyhedron.rim.size()));
}

// Names the edges by the order in which rims first meet them.
void connect_edges(Polyhedron& polyhedron) {
  std::map<EdgeKey, int> known;
  polyhedron.rim_edge.resize(polyhedron.rim.size());
  for (int f = 0; f < static_cast<int>(polyhedron.normals.size()); ++f) {
    const int begin = polyhedron.rim_begin[f];
    const int end = polyhedron.rim_begin[f + 1];
    for (int k = begin; k < end; ++k) {
      const int from = polyhedron.rim[k];
      const int to = polyhedron.rim[k + 1 < end ? k + 1 : begin];
      const auto [at, is_new] = known.try_emplace(std::minmax(from, to), static_cast<int>(polyhedron.edges.size()));
      // Two rims meet each edge, and the second one closes it.
      polyhedron.rim_edge[k] = at->second;
      if (is_new) {
        polyhedron.edges.push_back({{from, to}, {f, f}, at->second});
      } else {
        polyhedron.edges[at->second].face[1] = f;
      }
    }
  }
}

void measure_inside(Polyhedron& polyhedron) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& v : polyhedron.vertices) sum += v;
  polyhedron.centre = sum / static_cast<double>(polyhedron.vertices.size());
  // From the mean of the corners: any ball inside will do for bounds, it need not be the largest.
  polyhedron.inner_radius = polyhedron.offsets[0] - polyhedron.normals[0].dot(polyhedron.centre);
  for (std::size_t f = 1; f < polyhedron.offsets.size(); ++f) {
    polyhedron.inner_radius =
        std::min(polyhedron.inner_radius, polyhedron.offsets[f] - polyhedron.normals[f].dot(polyhedron.centre));
  }
}

class FaceMerger {
 public:
  explicit FaceMerger(const math::Hull& hull) : hull_(hull), face_of_(hull.triangles.size(), -1) {
    Vector3d low = hull.vertices[0];
    Vector3d high = low;
    for (const Vector3d& v : hull.vertices) {
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    // Points this near to a plane lie in it.
    thickness_ = 1e-7 * (high - low).norm();
    for (int t = 0; t < triangles(); ++t) {
      // A hull is closed: each directed edge belongs to one triangle, its twin to the neighbour.
      for (int k = 0; k < 3; ++k) left_[{corner(t, k), corner(t, k + 1)}] = t;
    }
  }

  // The largest triangles first: their planes are the best known.
  std::vector<Rim> merge() {
    std::vector<int> order(hull_.triangles.size());
    for (int t = 0; t < triangles(); ++t) order[t] = t;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return area(a).norm() > area(b).norm(); });
    std::vector<Rim> rims;
    for (const int seed : order) {
      if (face_of_[seed] >= 0) continue;
      const std::vector<int> members = grow(seed);
      const Rim rim = walk_around(members);
      // A face that is no simple polygon stays in its triangles.
      if (rim.empty()) {
        for (const int t : members) rims.push_back({corner(t, 0), corner(t, 1), corner(t, 2)});
      } else {
        rims.push_back(rim);
      }
    }
    return rims;
  }

 private:
  int triangles() const { return static_cast<int>(hull_.triangles.size()); }
  int corner(int t, int k) const { return hull_.triangles[t][k % 3]; }
  const Vector3d& point(int t, int k) const { return hull_.vertices[corner(t, k)]; }
  Vector3d area(int t) const { return (point(t, 1) - point(t, 0)).cross(point(t, 2) - point(t, 0)); }

  std::vector<int> grow(int seed) {
    const Vector3d normal = area(seed).normalized();
    const auto lies_in_plane = [&](int t) {
      for (int k = 0; k < 3; ++k) {
        if (std::abs(normal.dot(point(t, k) - point(seed, 0))) > thickness_) return false;
      }
      // A sliver at the rim may be as thin as the plane: it belongs where it faces.
      return normal.dot(area(t)) >= 0;
    };
    std::vector<int> members = {seed};
    face_of_[seed] = seed;
    // The list grows while it is walked, from neighbour to neighbour.
    for (std::size_t m = 0; m < members.size(); ++m) {
      for (int k = 0; k < 3; ++k) {
        const auto next = left_.find({corner(members[m], k + 1), corner(members[m], k)});
        if (next == left_.end() || face_of_[next->second] >= 0 || !lies_in_plane(next->second)) continue;
        face_of_[next->second] = seed;
        members.push_back(next->second);
      }
    }
    return members;
  }

  // Follows the directed edges whose twin is not a member; empty where they are not one loop.
  Rim walk_around(const std::vector<int>& members) const {
    std::map<int, int> next;
    std::size_t count = 0;
    for (const int t : members) {
      for (int k = 0; k < 3; ++k) {
        const auto twin = left_.find({corner(t, k + 1), corner(t, k)});
        if (twin != left_.end() && face_of_[twin->second] == face_of_[t]) continue;
        next[corner(t, k)] = corner(t, k + 1);
        ++count;
      }
    }
    Rim rim;
    // Two edges leave one corner: the border touches itself.
    if (next.size() != count || next.empty()) return rim;
    for (int at = next.begin()->first; rim.size() < count; at = next.at(at)) {
      // Back at the start before all edges were used: there is a hole.
      if (!rim.empty() && at == rim[0]) return {};
      rim.push_back(at);
      if (!next.contains(at)) return {};
    }
    return rim;
  }

  const math::Hull& hull_;
  std::map<EdgeKey, int> left_;  // the triangle left of a directed edge
  std::vector<int> face_of_;
  double thickness_ = 0;
};

// Vertices that lie within a face belong to no rim: dropped.
void add_used_vertices(const math::Hull& hull, std::vector<Rim>& rims, Polyhedron& polyhedron) {
  std::vector<int> number(hull.vertices.size(), -1);
  for (const Rim& rim : rims) {
    for (const int v : rim) number[v] = 0;
  }
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(polyhedron.vertices.size());
    polyhedron.vertices.push_back(hull.vertices[v]);
  }
  for (Rim& rim : rims) {
    for (int& v : rim) v = number[v];
  }
}

}  // namespace

Polyhedron make_box(const Vector3d& half) {
  Polyhedron box;
  // The bits of c are the signs of x, y and z: corners one bit apart share an edge.
  for (int c = 0; c < 8; ++c) {
    box.vertices.emplace_back(c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1], c & 4 ? half[2] : -half[2]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3;
    const int v = 1 << (axis + 2) % 3;
    const int up = 1 << axis;
    // Counterclockwise as seen from outside, so that normals point out.
    add_face({0, v, u | v, u}, box);
    add_face({up, up | u, up | u | v, up | v}, box);
  }
  connect_edges(box);
  // From the order of the rims to the order of axes.
  std::vector<int> number(box.edges.size());
  for (std::size_t e = 0; e < number.size(); ++e) {
    const auto [from, to] = box.edges[e].vertex;
    const int axis = (from ^ to) == 1 ? 0 : (from ^ to) == 2 ? 1 : 2;
    const int low = from & to;
    // As box_box.cpp counts: four per axis, by the signs along the two axes after it.
    number[e] = 4 * axis + (low >> (axis + 1) % 3 & 1) + 2 * (low >> (axis + 2) % 3 & 1);
  }
  std::vector<Polyhedron::Edge> edges(box.edges.size());
  for (std::size_t e = 0; e < number.size(); ++e) {
    edges[number[e]] = box.edges[e];
    edges[number[e]].id = number[e];
  }
  box.edges = std::move(edges);
  for (int& e : box.rim_edge) e = number[e];
  box.inner_radius = half.minCoeff();
  return box;
}

Polyhedron make_polyhedron(const math::Hull& hull) {
  std::vector<Rim> rims = FaceMerger(hull).merge();
  Polyhedron polyhedron;
  add_used_vertices(hull, rims, polyhedron);
  for (const Rim& rim : rims) add_face(rim, polyhedron);
  connect_edges(polyhedron);
  measure_inside(polyhedron);
  return polyhedron;
}

std::vector<Vector3d> cylinder_points(double radius, double half_length, int sides) {
  std::vector<Vector3d> points;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * k / sides;
    for (const double z : {-half_length, half_length}) {
      points.emplace_back(radius * elementary::cos(angle), radius * elementary::sin(angle), z);
    }
  }
  return points;
}

std::vector<Vector3d> ellipsoid_points(const Vector3d& radii) {
  // Corners of an icosahedron: cyclic permutations of (0, +-1, +-phi).
  std::vector<Vector3d> points;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double a : {-1.0, 1.0}) {
      for (const double b : {-std::numbers::phi, std::numbers::phi}) {
        Vector3d corner;
        corner[axis] = 0;
        corner[(axis + 1) % 3] = a;
        corner[(axis + 2) % 3] = b;
        points.push_back(corner.normalized());
      }
    }
  }
  // A cut puts a new point in the middle of each edge: points nearer to each other than 1.3 times the shortest edge.
  for (int cut = 0; cut < 2; ++cut) {
    double shortest = 4;
    for (std::size_t i = 1; i < points.size(); ++i) shortest = std::min(shortest, (points[i] - points[0]).norm());
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        if ((points[i] - points[j]).norm() < 1.3 * shortest) points.push_back((points[i] + points[j]).normalized());
      }
    }
  }
  for (Vector3d& p : points) p = p.cwiseProduct(radii);
  return points;
}

}  // namespace espalier::geometry::detail
