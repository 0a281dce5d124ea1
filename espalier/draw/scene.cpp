#include "espalier/draw/scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/draw/detail/scene_parts.hpp"
#include "espalier/geometry/geometry.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::draw {
namespace {

using Eigen::Vector3d;
using model::Joint;
using model::JointType;
using model::Model;
using model::ShapeKind;

// More triangles than this in all make a page heavy and slow.
constexpr std::size_t kMostTriangles = 400'000;

// What is seen, where a body says so; else what is touched. Robot files give both of most bodies.
std::vector<const model::Shape*> drawn_shapes(const model::Body& body) {
  const bool has_visual = std::any_of(body.shapes.begin(), body.shapes.end(), [](const model::Shape& shape) {
    return shape.spec.role != model::ShapeRole::kCollision;
  });
  std::vector<const model::Shape*> shapes;
  for (const model::Shape& shape : body.shapes) {
    if (!has_visual || shape.spec.role != model::ShapeRole::kCollision) shapes.push_back(&shape);
  }
  return shapes;
}

PieceKind kind_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return PieceKind::kSphere;
    case ShapeKind::kBox:
      return PieceKind::kBox;
    case ShapeKind::kCapsule:
      return PieceKind::kCapsule;
    case ShapeKind::kCylinder:
      return PieceKind::kCylinder;
    case ShapeKind::kEllipsoid:
      return PieceKind::kEllipsoid;
    case ShapeKind::kPlane:
      return PieceKind::kPlane;
    case ShapeKind::kHull:
    case ShapeKind::kMesh:
      return PieceKind::kMesh;
  }
  return PieceKind::kBox;
}

class Builder {
 public:
  explicit Builder(const Model& model) : model_(model) {}

  Scene build() {
    // Shapes first: how thick bars and symbols are is taken from what they stand beside.
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) add_body(static_cast<int>(b));
    scene_.flat = detail::flat_view(model_);
    const detail::Sizes sizes = detail::measure(model_, scene_);
    detail::add_bars(model_, sizes, scene_);
    detail::add_joints(model_, sizes, scene_);
    detail::add_lines(model_, scene_);
    return std::move(scene_);
  }

 private:
  void add_body(int b) {
    const model::Body& body = model_.bodies[to_index(b)];
    for (const model::Shape* shape : drawn_shapes(body)) add_shape(b, shape->spec);
    if (body.beam) add_beam(b, *body.beam);
  }

  void add_shape(int b, const model::ShapeSpec& spec) {
    Piece piece{b, kind_of(spec.kind), PieceRole::kShape, -1, -1, spec.size, spec.pose};
    if (piece.kind != PieceKind::kMesh) {
      scene_.pieces.push_back(piece);
      return;
    }
    // A file that is missing costs its shape and not the picture.
    const Result<int> mesh = find_mesh(spec);
    if (mesh) {
      piece.mesh = *mesh;
      scene_.pieces.push_back(piece);
      return;
    }
    const model::Body& body = model_.bodies[to_index(b)];
    scene_.missing.push_back({spec.file.empty() ? "hull" : spec.file, body.name, mesh.error().message});
    // One box stands for all meshes of a body that are missing.
    if (boxed_ != b) scene_.pieces.push_back(detail::inertia_box(b, body));
    boxed_ = b;
  }

  // Bodies share meshes: one file in one scale is read once.
  Result<int> find_mesh(const model::ShapeSpec& spec) {
    if (spec.kind == ShapeKind::kHull) return add_mesh(spec);
    // With the file that names it, since paths are relative to that; errors are kept as well, and told once for each
    // body.
    const std::tuple key(spec.file, spec.where.file, spec.scale.x(), spec.scale.y(), spec.scale.z());
    const auto known = read_.find(key);
    if (known != read_.end()) return known->second;
    return read_.emplace(key, add_mesh(spec)).first->second;
  }

  Result<int> add_mesh(const model::ShapeSpec& spec) {
    Result<geometry::Geometry> geometry = geometry::make_geometry(spec);
    ESPALIER_TRY(geometry);
    SceneMesh mesh = detail::triangles_of(*geometry);
    triangles_ += mesh.triangles.size();
    if (triangles_ > kMostTriangles) {
      // Left out, it counts no longer: a smaller one behind it may still fit.
      triangles_ -= mesh.triangles.size();
      return make_error(ErrorCode::kLimit, spec.where, "has too many triangles for a page");
    }
    scene_.meshes.push_back(std::move(mesh));
    return static_cast<int>(scene_.meshes.size()) - 1;
  }

  // Along its axis, as thick as it is in its middle.
  void add_beam(int b, const model::BeamSpec& beam) {
    const Vector3d along = beam.to - beam.from;
    const double length = along.norm();
    const model::SectionSpec& section = beam.section;
    const auto middle = [](const model::SectionSpec::Ends& ends) { return 0.5 * (ends[0] + ends[1]); };
    Piece piece{b, PieceKind::kCylinder, PieceRole::kShape, -1, -1, Vector3d::Zero(), {}};
    piece.pose.position = 0.5 * (beam.from + beam.to);
    piece.pose.rotation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), along);
    // A general section is drawn as a circle of its area; nothing is too thin to be seen.
    double radius = 0.02 * length;
    if (section.kind == model::SectionKind::kCircle) radius = middle(section.radius);
    if (section.kind == model::SectionKind::kGeneral) radius = std::sqrt(middle(section.area) / std::numbers::pi);
    piece.size = {std::max(radius, 0.002 * length), length, 0};
    if (section.kind == model::SectionKind::kRectangle) {
      const Vector3d x = along.normalized();
      const Vector3d given = beam.y_axis ? *beam.y_axis : model::default_y_axis(along);
      // As the analysis takes the axis: what lies along the beam is no part of it.
      const Vector3d y = (given - x * x.dot(given)).normalized();
      Eigen::Matrix3d axes;
      axes << x, y, x.cross(y);
      piece.kind = PieceKind::kBox;
      piece.size = {length, std::max(middle(section.h), 0.002 * length), std::max(middle(section.b), 0.002 * length)};
      piece.pose.rotation = Eigen::Quaterniond(axes);
    }
    scene_.pieces.push_back(piece);
  }

  const Model& model_;
  Scene scene_;
  std::map<std::tuple<std::string, std::string, double, double, double>, Result<int>> read_;
  std::size_t triangles_ = 0;
  int boxed_ = -1;
};

}  // namespace

Scene make_scene(const Model& model) { return Builder(model).build(); }

Vector3d half_lengths(const Scene& scene, const Piece& piece) {
  const Vector3d& s = piece.size;
  switch (piece.kind) {
    case PieceKind::kSphere:
      return Vector3d::Constant(s.x());
    case PieceKind::kBox:
      return 0.5 * s;
    case PieceKind::kCapsule:
      return {s.x(), s.x(), s.x() + 0.5 * s.y()};
    case PieceKind::kCylinder:
      return {s.x(), s.x(), 0.5 * s.y()};
    case PieceKind::kEllipsoid:
      return s;
    case PieceKind::kRing:
      return {1.2 * s.x(), 1.2 * s.x(), 0.2 * s.x()};
    case PieceKind::kPlane:
      return Vector3d::Zero();
    case PieceKind::kMesh:
      break;
  }
  Vector3d half = Vector3d::Zero();
  // About the piece's own origin, as for all other kinds.
  for (const Vector3d& p : scene.meshes[to_index(piece.mesh)].points) half = half.cwiseMax(p.cwiseAbs());
  return half;
}

}  // namespace espalier::draw
