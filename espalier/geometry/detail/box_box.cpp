#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/geometry/detail/pairs.hpp"

// Two boxes have fifteen axes, known without looking for them. What is found here is what make_manifold() would find;
// where the nearest features are none of faces and edges, it is asked.

namespace espalier::geometry::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

int next(int axis) { return axis == 2 ? 0 : axis + 1; }

// The edge along `axis` that lies farthest along `direction`, and its lower end.
struct BoxEdge {
  BoxEdge(const Vector3d& half, int axis, const Vector3d& direction) {
    const int u = next(axis);
    const int v = next(u);
    number = 4 * axis + (direction[u] > 0 ? 1 : 0) + (direction[v] > 0 ? 2 : 0);
    low[axis] = -half[axis];
    low[u] = direction[u] > 0 ? half[u] : -half[u];
    low[v] = direction[v] > 0 ? half[v] : -half[v];
  }
  int number = 0;
  Vector3d low;
};

class BoxPair {
 public:
  BoxPair(const Geometry& a, const Geometry& b, const Placement& place, double margin, Scratch& memory)
      : a_(a), b_(b), R_(place.R), p_(place.p), margin_(margin), memory_(memory) {
    // A share of the thinner box: which kind of axis is taken then does not change with rounding.
    bias_ = kFaceBias * std::min(a.size.minCoeff(), b.size.minCoeff());
  }

  Manifold make() {
    if (!try_faces() || !try_edges()) return {};
    const double best = std::max({face_a_, face_b_, edges_});
    Manifold manifold;
    // Faces before edges and a's before b's, as make_manifold() does it: both name the same features.
    const bool is_edge = std::max(face_a_, face_b_) < best - bias_;
    const bool a_has_face = face_a_ >= best - bias_;
    const bool found = is_edge ? add_edges(manifold) : add_faces(a_has_face, best + bias_, manifold);
    if (found && !is_edge) lean_on_edges(views(), a_has_face, manifold);
    if (found) return manifold;
    return make_manifold(as_convex(*a_.polyhedron), moved(as_convex(*b_.polyhedron), R_, p_, memory_), margin_,
                         memory_);
  }

 private:
  // False where an axis shows the boxes apart.
  bool try_faces() {
    // The columns of R are b's axes: b reaches |R| times its half lengths along the axes of a.
    const Matrix3d size_of_R = R_.cwiseAbs();
    const Vector3d in_a = p_.cwiseAbs() - a_.size - size_of_R * b_.size;
    face_a_ = in_a.maxCoeff(&axis_a_);
    if (face_a_ > margin_) return false;
    p_B_ = R_.transpose() * p_;
    const Vector3d in_b = p_B_.cwiseAbs() - b_.size - size_of_R.transpose() * a_.size;
    face_b_ = in_b.maxCoeff(&axis_b_);
    size_of_R_ = size_of_R;
    return face_b_ <= margin_;
  }

  // Along axis i of a x axis j of b, whose parts in a are (-R(v, j), R(u, j)) at (u, v), those after i.
  bool try_edges() {
    constexpr double kParallel = 1e-12;  // square of the sine
    const double faces = std::max(face_a_, face_b_);
    for (int i = 0; i < 3; ++i) {
      const int u = next(i);
      const int v = next(u);
      for (int j = 0; j < 3; ++j) {
        const int s = next(j);
        const int t = next(s);
        // The axis is across both edges, so that of each box only the two other half lengths count.
        const double reach_a = a_.size[u] * size_of_R_(v, j) + a_.size[v] * size_of_R_(u, j);
        const double reach_b = b_.size[s] * size_of_R_(i, t) + b_.size[t] * size_of_R_(i, s);
        const double apart = std::abs(p_[v] * R_(u, j) - p_[u] * R_(v, j)) - reach_a - reach_b;
        // Divided by the sine it only falls further.
        if (apart <= std::max(faces - bias_, edges_) && apart <= 0) continue;
        const double square = R_(u, j) * R_(u, j) + R_(v, j) * R_(v, j);
        // Edges this parallel add nothing to the faces beside them but rounding.
        if (square <= kParallel) continue;
        const double separation = apart / std::sqrt(square);
        if (separation > margin_) return false;
        if (separation <= edges_) continue;
        edges_ = separation;
        edge_axes_ = {i, j};
      }
    }
    return true;
  }

  bool add_faces(bool a_has_face, double limit, Manifold& manifold) {
    FacePair pair;
    const int axis = a_has_face ? axis_a_ : axis_b_;
    // Seen from b, a lies at -p.
    const bool up = a_has_face ? p_[axis] > 0 : p_B_[axis] < 0;
    pair.face = 2 * axis + up;
    pair.face_is_a = a_has_face;
    pair.reach = margin_;
    pair.bias = bias_;
    // Axes of the other box along the normal, in its frame.
    Vector3d along;
    if (a_has_face) {
      along = R_.row(axis) * (up ? 1 : -1);
      pair.normal = Vector3d::Unit(axis) * (up ? 1 : -1);
      pair.offset = a_.size[axis];
    } else {
      along = R_.col(axis) * (up ? 1 : -1);
      pair.normal = along;
      pair.offset = b_.size[axis] + pair.normal.dot(p_);
    }
    // The face of the other box that looks against this one's normal most.
    int facing = 0;
    along.cwiseAbs().maxCoeff(&facing);
    pair.other = 2 * facing + (along[facing] < 0);
    list_face(a_, false, a_has_face ? pair.face : pair.other, a_has_face ? memory_.face : memory_.other);
    list_face(b_, true, a_has_face ? pair.other : pair.face, a_has_face ? memory_.other : memory_.face);
    // Farther than the axis promises: the nearest features are not these two faces.
    if (clip_faces(pair, memory_) > limit) return false;
    add_marks(pair, memory_, manifold);
    return true;
  }

  void list_face(const Geometry& box, bool is_b, int face, std::vector<Scratch::RimCorner>& corners) const {
    const Polyhedron& polyhedron = *box.polyhedron;
    corners.clear();
    // The rims of a box have four corners each, face after face.
    for (int k = 4 * face; k < 4 * face + 4; ++k) {
      const Vector3d& v = polyhedron.vertices[polyhedron.rim[k]];
      corners.push_back({is_b ? Vector3d(R_ * v + p_) : v, polyhedron.rim[k], polyhedron.rim_edge[k]});
    }
  }

  FaceViews views() const {
    return {Vector3d::Unit(axis_a_) * (p_[axis_a_] > 0 ? 1 : -1), R_.col(axis_b_) * (p_B_[axis_b_] > 0 ? 1 : -1),
            face_a_, face_b_, std::min(a_.size.minCoeff(), b_.size.minCoeff())};
  }

  bool add_edges(Manifold& manifold) const {
    const auto [i, j] = edge_axes_;
    Vector3d normal = Vector3d::Unit(i).cross(R_.col(j)).normalized();
    // Out of a and towards b, whose centre is at p.
    if (normal.dot(p_) < 0) normal = -normal;
    const BoxEdge ea(a_.size, i, normal);
    const BoxEdge eb(b_.size, j, -(R_.transpose() * normal));
    const Vector3d u = 2 * a_.size[i] * Vector3d::Unit(i);
    const Vector3d v = 2 * b_.size[j] * R_.col(j);
    const Vector3d q = R_ * eb.low + p_;
    const auto [s, t] = pass_edges(ea.low, u, q, v);
    const Vector3d on_a = ea.low + s * u;
    const Vector3d on_b = q + t * v;
    // Farther from each other than the axis says: an end of an edge is nearest.
    if (edges_ > 0 && (on_b - on_a).norm() > edges_ + 1e-3 * bias_) return false;
    manifold.add({(on_a + on_b) / 2, normal, edges_, make_feature(Meeting::kEdgeEdge, ea.number, eb.number)});
    return true;
  }

  const Geometry& a_;
  const Geometry& b_;
  const Matrix3d& R_;
  const Vector3d& p_;
  double margin_;
  double bias_ = 0;
  Scratch& memory_;
  Matrix3d size_of_R_;
  Vector3d p_B_;
  double face_a_ = -1e300, face_b_ = -1e300, edges_ = -1e300;
  int axis_a_ = 0, axis_b_ = 0;
  std::array<int, 2> edge_axes_{};
};

}  // namespace

Manifold collide_boxes(const Geometry& a, const Geometry& b, const Placement& place, double margin, Scratch& memory) {
  return BoxPair(a, b, place, margin, memory).make();
}

}  // namespace espalier::geometry::detail
