#include "espalier/draw/detail/scene_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Eigenvalues>

#include "espalier/base/index.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::draw::detail {
namespace {

using Eigen::Vector3d;
using model::Joint;
using model::JointType;
using model::Model;

Eigen::Quaterniond along(const Vector3d& direction) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), direction);
}

// The places of the joints of each body, in it.
std::vector<std::vector<Vector3d>> joint_points(const Model& model) {
  std::vector<std::vector<Vector3d>> points(model.bodies.size());
  const auto add = [&](model::BodyId body, const Vector3d& point) {
    // No bar stands for the ground, to which all bodies of a large model may be joined.
    if (body.index() == 0) return;
    std::vector<Vector3d>& list = points[body.index()];
    // Two joints at one place are one corner.
    const bool known =
        std::any_of(list.begin(), list.end(), [&](const Vector3d& p) { return (p - point).norm() < 1e-9; });
    if (!known) list.push_back(point);
  };
  for (const Joint& joint : model.joints) {
    // Where a free joint stands is no part of a body.
    if (joint.type == JointType::kFree) continue;
    add(joint.a, joint.X_AF.position);
    add(joint.b, joint.X_BM.position);
  }
  return points;
}

void add_bar(int body, const Vector3d& from, const Vector3d& to, double radius, Scene& scene) {
  const Vector3d way = to - from;
  // Bars in one line, of a piston say, are told apart by their thickness.
  const double thick = radius * (1 - 0.09 * (body % 3));
  Piece piece{body, PieceKind::kCapsule, PieceRole::kBar, -1, -1, {thick, way.norm(), 0}, {}};
  piece.pose.position = 0.5 * (from + to);
  if (way.norm() > 0) piece.pose.rotation = along(way);
  scene.pieces.push_back(piece);
}

// Three points: a frame with a thin plate in it. More: a star.
void add_plate(int body, const std::vector<Vector3d>& points, double radius, Scene& scene) {
  Vector3d centre = Vector3d::Zero();
  for (const Vector3d& p : points) centre += p / static_cast<double>(points.size());
  // Four points need not lie in a plane.
  if (points.size() != 3) {
    for (const Vector3d& p : points) add_bar(body, centre, p, radius, scene);
    return;
  }
  for (std::size_t k = 0; k < 3; ++k) add_bar(body, points[k], points[(k + 1) % 3], radius, scene);
  const Vector3d normal = (points[1] - points[0]).cross(points[2] - points[0]);
  if (normal.norm() < 1e-9) return;
  SceneMesh plate;
  // Both sides: seen from behind, one would be missing.
  for (const double side : {-0.4, 0.4}) {
    for (const Vector3d& p : points) plate.points.push_back(p + side * radius * normal.normalized());
  }
  plate.triangles = {{0, 2, 1}, {3, 4, 5}};
  scene.meshes.push_back(std::move(plate));
  const int mesh = static_cast<int>(scene.meshes.size()) - 1;
  scene.pieces.push_back({body, PieceKind::kMesh, PieceRole::kBar, -1, mesh, Vector3d::Zero(), {}});
}

// The symbol of a joint about z of its frame; radius and length as shares of the size of all symbols.
struct Symbol {
  PieceKind kind;
  Vector3d size;
};
Symbol symbol_of(JointType type, double r) {
  switch (type) {
    case JointType::kRevolute:
      return {PieceKind::kCylinder, {r, 3.2 * r, 0}};
    case JointType::kPrismatic:
      return {PieceKind::kBox, {1.7 * r, 1.7 * r, 3 * r}};
    case JointType::kScrew:
      return {PieceKind::kRing, {1.5 * r, 0, 0}};
    case JointType::kUniversal:
      return {PieceKind::kRing, {1.3 * r, 0, 0}};
    case JointType::kCylindrical:
      return {PieceKind::kCylinder, {0.8 * r, 5.5 * r, 0}};
    case JointType::kSpherical:
      return {PieceKind::kSphere, {1.5 * r, 0, 0}};
    case JointType::kPlanar:
      return {PieceKind::kBox, {5 * r, 5 * r, 0.7 * r}};
    case JointType::kFixed:
      return {PieceKind::kBox, {1.5 * r, 1.5 * r, 1.5 * r}};
    case JointType::kFree:
      break;
  }
  return {PieceKind::kSphere, Vector3d::Zero()};
}

void see(const Vector3d& point, Eigen::AlignedBox3d& box) { box.extend(point); }

// The smallest full length of a piece.
double thickness(const Scene& scene, const Piece& piece) { return 2 * half_lengths(scene, piece).minCoeff(); }

}  // namespace

Sizes measure(const Model& model, const Scene& scene) {
  Eigen::AlignedBox3d box;
  std::vector<double> thin;
  for (const Piece& piece : scene.pieces) {
    // Obstacles and the ground may be far larger than what moves.
    const model::Body& body = model.bodies[to_index(piece.body)];
    if (piece.body == 0 || body.kind == model::BodyKind::kObstacle) continue;
    const math::Pose X_WP = body.X_WB * piece.pose;
    // A ball around the piece, since its turn is not looked at.
    const double reach = half_lengths(scene, piece).norm();
    see(X_WP.position + Vector3d::Constant(reach), box);
    see(X_WP.position - Vector3d::Constant(reach), box);
    thin.push_back(thickness(scene, piece));
  }
  for (const Joint& joint : model.joints) {
    if (joint.type != JointType::kFree) see(model::drawn_frame_a(model, joint).position, box);
  }
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    // Bars end there.
    if (body.shapes.empty()) see(body.X_WB * body.inertia.com, box);
  }
  Sizes sizes;
  sizes.extent = box.isEmpty() ? 1 : std::max(1e-9, box.diagonal().norm());
  // Bars get thinner where there are many.
  const double crowd = 1 + static_cast<double>(model.bodies.size()) / 30;
  sizes.bar = sizes.extent * std::max(0.0035, 0.014 / std::sqrt(crowd));
  sizes.joint = 1.45 * sizes.bar;
  if (thin.empty()) return sizes;
  // Where bodies have shapes, joints are as thick as those are.
  std::nth_element(thin.begin(), thin.begin() + static_cast<std::ptrdiff_t>(thin.size() / 2), thin.end());
  sizes.joint = std::clamp(0.62 * thin[thin.size() / 2], 0.0025 * sizes.extent, sizes.joint);
  return sizes;
}

void add_bars(const Model& model, const Sizes& sizes, Scene& scene) {
  const std::vector<std::vector<Vector3d>> joints = joint_points(model);
  std::vector<char> drawn(model.bodies.size(), 0);
  for (const Piece& piece : scene.pieces) drawn[to_index(piece.body)] = 1;
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    // Shapes say how a body looks.
    if (drawn[b]) continue;
    std::vector<Vector3d> points = joints[b];
    // A body on one joint would be a point; its centre of mass makes a bar of it.
    if (points.size() == 1 && (body.inertia.com - points[0]).norm() > 1e-9) points.push_back(body.inertia.com);
    if (points.size() < 2) {
      scene.pieces.push_back(inertia_box(static_cast<int>(b), body));
    } else if (points.size() == 2) {
      add_bar(static_cast<int>(b), points[0], points[1], sizes.bar, scene);
    } else {
      add_plate(static_cast<int>(b), points, sizes.bar, scene);
    }
  }
}

void add_joints(const Model& model, const Sizes& sizes, Scene& scene) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const Symbol symbol = symbol_of(joint.type, sizes.joint);
    // A free joint holds nothing that could be shown.
    if (symbol.size.isZero()) continue;
    scene.pieces.push_back({static_cast<int>(joint.a.index()), symbol.kind, PieceRole::kJoint, static_cast<int>(j), -1,
                            symbol.size, joint.X_AF});
  }
}

void add_lines(const Model& model, Scene& scene) {
  for (const model::Force& force : model.forces) {
    const auto* spring = std::get_if<model::Spring>(&force.law);
    if (!spring) continue;
    scene.lines.push_back({force.name, static_cast<int>(spring->a.index()), static_cast<int>(spring->b.index()),
                           spring->point_a, spring->point_b});
  }
}

Piece inertia_box(int index, const model::Body& body) {
  const double mass = body.inertia.mass;
  Piece piece{index, PieceKind::kBox, PieceRole::kBar, -1, -1, Vector3d::Constant(0.02), {}};
  piece.pose.position = body.inertia.com;
  // Without mass a small cube says that there is something.
  if (!(mass > 0)) return piece;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(body.inertia.about_com);
  const Vector3d moments = solver.eigenvalues();
  // Of a box with lengths a, b, c: I_x = m (b^2 + c^2) / 12.
  Vector3d squares = 6 / mass * (Vector3d::Constant(moments.sum()) - 2 * moments);
  if (!squares.allFinite() || squares.maxCoeff() <= 0) return piece;
  // Moments that no box has would give one of its sides an imaginary length.
  squares = squares.cwiseMax(1e-4 * squares.maxCoeff());
  piece.size = squares.cwiseSqrt();
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  piece.pose.rotation = Eigen::Quaterniond(axes);
  return piece;
}

SceneMesh triangles_of(const geometry::Geometry& geometry) {
  SceneMesh mesh;
  if (geometry.mesh) {
    mesh.points = geometry.mesh->vertices;
    mesh.triangles = geometry.mesh->triangles;
  } else if (geometry.polyhedron) {
    const geometry::Polyhedron& hull = *geometry.polyhedron;
    mesh.points = hull.vertices;
    for (std::size_t f = 0; f + 1 < hull.rim_begin.size(); ++f) {
      const auto begin = to_index(hull.rim_begin[f]), end = to_index(hull.rim_begin[f + 1]);
      // A fan from the first corner: faces of a hull are convex.
      for (std::size_t k = begin + 2; k < end; ++k)
        mesh.triangles.push_back({hull.rim[begin], hull.rim[k - 1], hull.rim[k]});
    }
  }
  return mesh;
}

std::optional<Vector3d> flat_view(const Model& model) {
  std::optional<Vector3d> normal;
  bool slides_out = false;
  for (const Joint& joint : model.joints) {
    if (joint.type == JointType::kFixed) continue;
    const Vector3d axis = model::drawn_frame_a(model, joint).rotation * Vector3d::UnitZ();
    if (joint.type == JointType::kPrismatic) {
      // A slide must stay in the plane that the hinges span.
      slides_out = slides_out || (normal && std::abs(normal->dot(axis)) > 1e-6);
      continue;
    }
    const bool turns = joint.type == JointType::kRevolute || joint.type == JointType::kPlanar;
    // One axis that differs makes it spatial.
    if (!turns || (normal && normal->cross(axis).norm() > 1e-6)) return std::nullopt;
    if (!normal) normal = axis;
  }
  if (!normal || slides_out) return std::nullopt;
  // Look at a vertical plane from -y, so that x points right, and down on a floor.
  Vector3d eye = *normal;
  if (eye.y() > 0.5 || eye.z() < -0.5 || eye.x() < -0.5) eye = -eye;
  return eye;
}

}  // namespace espalier::draw::detail
