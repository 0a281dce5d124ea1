#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/geometry/detail/pairs.hpp"

namespace espalier::geometry::detail {
namespace {

using Eigen::Vector3d;

// A point of a surface and the direction out of it towards the one asked about.
struct Foot {
  Vector3d point;
  Vector3d normal;
  double distance = 0;  // negative inside [m]
};

Foot foot_of_box(const Vector3d& half, const Vector3d& p) {
  // Clamped to the box is nearest, if p lies outside.
  const Vector3d inside = p.cwiseMax(-half).cwiseMin(half);
  const Vector3d out = p - inside;
  const double distance = out.norm();
  if (distance > kNoLength) return {inside, out / distance, distance};
  // Inside or on the surface: out through the nearest face.
  int axis = 0;
  const double height = (p.cwiseAbs() - half).maxCoeff(&axis);
  Foot foot{p, Vector3d::Unit(axis) * (p[axis] < 0 ? -1 : 1), height};
  foot.point[axis] = foot.normal[axis] * half[axis];
  return foot;
}

Vector3d foot_of_line(const Vector3d& from, const Vector3d& to, const Vector3d& p) {
  const Vector3d along = to - from;
  const double square = along.squaredNorm();
  return square > 0 ? Vector3d(from + std::clamp((p - from).dot(along) / square, 0.0, 1.0) * along) : from;
}

// The point of a face nearest to p, which lies over the face's plane at `height`.
Vector3d foot_of_face(const Convex& shape, int face, const Vector3d& p, double height) {
  const int begin = shape.rim_begin[face];
  const int end = shape.rim_begin[face + 1];
  bool outside = false;
  Vector3d nearest = p - height * shape.normals[face];
  double least = 1e300;
  for (int k = begin; k < end; ++k) {
    const Vector3d& from = shape.vertices[shape.rim[k]];
    const Vector3d& to = shape.vertices[shape.rim[k + 1 < end ? k + 1 : begin]];
    // A side that p is inside of does not hold the foot.
    if ((to - from).cross(shape.normals[face]).dot(p - from) <= 0) continue;
    outside = true;
    const Vector3d foot = foot_of_line(from, to, p);
    const double square = (p - foot).squaredNorm();
    if (square >= least) continue;
    least = square;
    nearest = foot;
  }
  if (!outside) return p - height * shape.normals[face];
  return nearest;
}

Foot foot_of_polyhedron(const Convex& shape, const Vector3d& p) {
  int top = 0;
  double highest = -1e300;
  for (int f = 0; f < shape.faces(); ++f) {
    const double height = shape.normals[f].dot(p) - shape.offsets[f];
    if (height <= highest) continue;
    highest = height;
    top = f;
  }
  // Below all planes the highest is the nearest.
  if (highest <= 0) return {p - highest * shape.normals[top], shape.normals[top], highest};
  Vector3d nearest = foot_of_face(shape, top, p, highest);
  double least = (p - nearest).norm();
  // Nothing is nearer than the highest plane: once the foot is as near as that, it is found.
  for (int f = 0; f < shape.faces() && least > highest * (1 + 1e-12); ++f) {
    const double height = shape.normals[f].dot(p) - shape.offsets[f];
    // A face that looks away from p, or whose plane is farther than the best, cannot be nearer.
    if (f == top || height <= 0 || height >= least) continue;
    const Vector3d foot = foot_of_face(shape, f, p, height);
    const double distance = (p - foot).norm();
    if (distance >= least) continue;
    least = distance;
    nearest = foot;
  }
  // On the surface a distance has no direction: that of the face.
  return {nearest, least > kNoLength ? Vector3d((p - nearest) / least) : shape.normals[top], least};
}

// A direction across z that depends on nothing.
Foot foot_of_capsule(const Vector3d& size, const Vector3d& p) {
  const Vector3d axis(0, 0, std::clamp(p[2], -size[1], size[1]));
  const Vector3d out = p - axis;
  const double distance = out.norm();
  const Vector3d normal = distance > kNoLength ? Vector3d(out / distance) : Vector3d::UnitX();
  return {axis + size[0] * normal, normal, distance - size[0]};
}

void add_ball(const Ball& ball, const Foot& foot, double margin, Sink& sink) {
  const double gap = foot.distance - ball.radius;
  if (gap <= margin) sink.add({foot.point + gap / 2 * foot.normal, foot.normal, gap, 0});
}

// Contacts of two capsules at places along the first.
struct CapsuleEnd {
  double along = 0;  // share of a's straight part
  Vector3d on_a, on_b;
  std::uint32_t feature = 0;
  double distance() const { return (on_b - on_a).norm(); }
};

struct Line {
  Vector3d from, along;
  Vector3d at(double t) const { return from + t * along; }
  double share(const Vector3d& p) const {
    const double square = along.squaredNorm();
    return square > 0 ? along.dot(p - from) / square : 0;
  }
};

// The nearest points of two segments: inside both, or from an end of one.
CapsuleEnd nearest_of_lines(const Line& a, const Line& b) {
  CapsuleEnd best;
  double least = 1e300;
  const auto offer = [&](double s, double t) {
    const double square = (b.at(t) - a.at(s)).squaredNorm();
    if (square >= least) return;
    least = square;
    // Features 0 to 3 are the ends, 4 is where the lines pass.
    best = {s, a.at(s), b.at(t), 4};
  };
  const double area = a.along.cross(b.along).squaredNorm();
  // Parallel lines pass nowhere in particular, but an end is always among the nearest.
  if (area > 1e-12 * a.along.squaredNorm() * b.along.squaredNorm()) {
    const auto [s, t] = pass_edges(a.from, a.along, b.from, b.along);
    offer(s, t);
  }
  for (const double end : {0.0, 1.0}) {
    offer(end, std::clamp(b.share(a.at(end)), 0.0, 1.0));
    offer(std::clamp(a.share(b.at(end)), 0.0, 1.0), end);
  }
  return best;
}

// The ends of each that lie beside the other: the outermost two.
int list_ends(const Line& a, const Line& b, double reach, double bias, std::array<CapsuleEnd, 2>& ends) {
  std::array<CapsuleEnd, 4> found;
  int count = 0;
  const auto offer = [&](const CapsuleEnd& end) {
    if (end.distance() > reach) return;
    // Ends that are flush are one place, with the first name.
    for (int k = 0; k < count; ++k) {
      if ((found[k].on_a - end.on_a).norm() <= bias) return;
    }
    found[count++] = end;
  };
  // A hair outside still is beside: ends that are flush.
  const auto beside = [](double share) { return share >= -1e-6 && share <= 1 + 1e-6; };
  for (int k = 0; k < 2; ++k) {
    const double share = b.share(a.at(k));
    if (beside(share)) offer({1.0 * k, a.at(k), b.at(std::clamp(share, 0.0, 1.0)), static_cast<std::uint32_t>(k)});
  }
  for (int k = 0; k < 2; ++k) {
    const double share = a.share(b.at(k));
    const double at = std::clamp(share, 0.0, 1.0);
    if (beside(share)) offer({at, a.at(at), b.at(k), static_cast<std::uint32_t>(2 + k)});
  }
  if (count == 0) return 0;
  const auto by_place = [](const CapsuleEnd& x, const CapsuleEnd& y) { return x.along < y.along; };
  ends[0] = *std::min_element(found.begin(), found.begin() + count, by_place);
  ends[1] = *std::max_element(found.begin(), found.begin() + count, by_place);
  return count == 1 ? 1 : 2;
}

// Points of a cylinder over the half space z <= 0 that may be lowest: of each rim that one, so that a wheel rolls; of
// an end that lies flat within the margin four that go with the body.
template <class Offer>
void offer_cylinder(const Vector3d& size, const Placement& place, double margin, Offer offer) {
  const double radius = size[0];
  const Eigen::Vector2d down = -place.R.row(2).head<2>().transpose();
  const double slope = down.norm();
  for (std::size_t end = 0; end < 2; ++end) {
    const Vector3d centre(0, 0, end == 0 ? -size[2] : size[2]);
    const double height = (place.R * centre + place.p)[2];
    if (slope > kNoLength) {
      offer(centre + Vector3d(radius * down[0] / slope, radius * down[1] / slope, 0), 8 * end);
    }
    if (height + radius * slope > margin) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const double side = k % 2 == 0 ? radius : -radius;
      offer(centre + (k < 2 ? Vector3d(side, 0, 0) : Vector3d(0, side, 0)), 8 * end + 1 + k);
    }
  }
}

}  // namespace

void collide_ball(const Ball& ball, const Geometry& other, double margin, Sink& sink) {
  switch (other.kind) {
    case Geometry::Kind::kPlane: {
      const Vector3d& c = ball.centre;
      return add_ball(ball, {{c[0], c[1], 0}, Vector3d::UnitZ(), c[2]}, margin, sink);
    }
    case Geometry::Kind::kBox:
      return add_ball(ball, foot_of_box(other.size, ball.centre), margin, sink);
    case Geometry::Kind::kCapsule:
      return add_ball(ball, foot_of_capsule(other.size, ball.centre), margin, sink);
    case Geometry::Kind::kPolyhedron:
      return add_ball(ball, foot_of_polyhedron(as_convex(*other.polyhedron), ball.centre), margin, sink);
    case Geometry::Kind::kSphere:
    case Geometry::Kind::kMesh:
      return;
  }
}

void collide_plane(const Geometry& other, const Placement& place, double margin, Scratch& memory, Sink& sink) {
  memory.marks.clear();
  const bool is_capsule = other.kind == Geometry::Kind::kCapsule;
  const double radius = is_capsule ? other.size[0] : 0;
  const auto offer = [&](const Vector3d& vertex, std::size_t number) {
    const Vector3d p = place.R * vertex + place.p;
    if (p[2] - radius <= margin) memory.marks.push_back({p, p[2] - radius, static_cast<std::uint32_t>(number)});
  };
  if (is_capsule) {
    // Only the two ends of the line can be lowest.
    const CapsuleCore core(other.size);
    for (std::size_t v = 0; v < 2; ++v) offer(core.vertices[v], v);
  } else if (other.round == Geometry::Round::kCylinder) {
    offer_cylinder(other.size, place, margin, offer);
    keep_four(Vector3d::UnitZ(), kFaceBias * other.polyhedron->inner_radius, memory.marks);
  } else if (other.round == Geometry::Round::kEllipsoid) {
    // The normal of the ellipsoid points down where it is lowest.
    const Vector3d across = place.R.row(2).transpose().cwiseProduct(other.size);
    offer(-other.size.cwiseProduct(across) / across.norm(), 0);
  } else {
    const std::vector<Vector3d>& vertices = other.polyhedron->vertices;
    for (std::size_t v = 0; v < vertices.size(); ++v) offer(vertices[v], v);
    keep_four(Vector3d::UnitZ(), kFaceBias * other.polyhedron->inner_radius, memory.marks);
  }
  for (const Scratch::Mark& mark : memory.marks) {
    const Vector3d middle(mark.point[0], mark.point[1], mark.height / 2);
    sink.add({middle, Vector3d::UnitZ(), mark.height, mark.feature});
  }
}

void collide_capsules(const Vector3d& size_a, const Vector3d& size_b, const Placement& b, double margin, Sink& sink) {
  const double radii = size_a[0] + size_b[0];
  const double bias = kFaceBias * std::min(size_a[0], size_b[0]);
  const Line line_a{{0, 0, -size_a[1]}, {0, 0, 2 * size_a[1]}};
  const Vector3d half = b.R.col(2) * size_b[1];
  const Line line_b{b.p - half, 2 * half};
  const CapsuleEnd nearest = nearest_of_lines(line_a, line_b);
  if (nearest.distance() - radii > margin) return;
  std::array<CapsuleEnd, 3> contacts;
  std::array<CapsuleEnd, 2> ends;
  // Side by side they rest on two points: the ends of the length along which they face each other.
  int count = list_ends(line_a, line_b, margin + radii, bias, ends);
  double least = 1e300;
  for (int k = 0; k < count; ++k) {
    contacts[k] = ends[k];
    least = std::min(least, ends[k].distance());
  }
  // Where they cross, the crossing is nearer than the ends.
  if (nearest.distance() < least - bias) contacts[count++] = nearest;
  // By name, so that the order does not tell how they were found.
  std::sort(contacts.begin(), contacts.begin() + count,
            [](const CapsuleEnd& x, const CapsuleEnd& y) { return x.feature < y.feature; });
  for (int k = 0; k < count; ++k) {
    const CapsuleEnd& contact = contacts[k];
    const double distance = contact.distance();
    Vector3d normal;
    if (distance > 1e-12 * radii) {
      normal = (contact.on_b - contact.on_a) / distance;
    } else {
      // Lines that cut each other: out of both, else across the first.
      const Vector3d across = line_a.along.cross(line_b.along);
      normal =
          across.norm() > 1e-12 * line_a.along.norm() * line_b.along.norm() ? across.normalized() : Vector3d::UnitX();
    }
    const Vector3d middle = (contact.on_a + contact.on_b + (size_a[0] - size_b[0]) * normal) / 2;
    sink.add({middle, normal, distance - radii, contact.feature});
  }
}

}  // namespace espalier::geometry::detail
