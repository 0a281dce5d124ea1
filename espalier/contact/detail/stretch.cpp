#include "espalier/contact/detail/stretch.hpp"

#include <algorithm>

#include <Eigen/LU>

#include "espalier/base/index.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// `from` stands at `pose` in the body; what comes back stands in its centre, along its axes. An affine map leaves faces
// flat and edges between the same faces.
geometry::Polyhedron stretched(const geometry::Polyhedron& from, const math::Pose& pose, const Matrix3d& stretch) {
  geometry::Polyhedron to = from;
  // Normals go with the inverse transpose, or faces would lean.
  const Matrix3d of_normals = stretch.inverse().transpose();
  for (Vector3d& v : to.vertices) v = stretch * (pose * v);
  for (std::size_t f = 0; f < to.normals.size(); ++f) {
    to.normals[f] = (of_normals * (pose.rotation * from.normals[f])).normalized();
    const auto rim = to.rim.begin() + to.rim_begin[f], end = to.rim.begin() + to.rim_begin[f + 1];
    to.offsets[f] = to.normals[f].dot(to.vertices[to_index(*rim)]);
    for (auto v = rim; v != end; ++v) {
      to.offsets[f] = std::max(to.offsets[f], to.normals[f].dot(to.vertices[to_index(*v)]));
    }
  }
  to.centre = stretch * (pose * from.centre);
  to.inner_radius = to.offsets[0] - to.normals[0].dot(to.centre);
  for (std::size_t f = 1; f < to.offsets.size(); ++f) {
    to.inner_radius = std::min(to.inner_radius, to.offsets[f] - to.normals[f].dot(to.centre));
  }
  return to;
}

}  // namespace

const BodyShapes& shapes_of(const LocalBody& local) { return local.stretched ? *local.stretched : *local.shapes; }

void stretch_shapes(LocalBody& local) {
  local.stretched = nullptr;
  if (local.body.constants.kind != Kind::kPseudoRigid || !local.shapes) return;
  const Matrix3d F = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(local.body.q_mid.data() + 3);
  // Turned inside out, it has no shape: the drawn one is kept.
  if (!(F.determinant() > 0)) return;
  const Matrix3d stretch = mid_pose(local.body).rotation.conjugate().toRotationMatrix() * F;
  auto shapes = std::make_shared<BodyShapes>(*local.shapes);
  for (SceneShape& shape : *shapes) {
    // Round shapes keep their form and go where F takes their middle.
    if (!shape.geometry.polyhedron) {
      shape.pose.position = stretch * shape.pose.position;
      continue;
    }
    auto made =
        std::make_shared<const geometry::Polyhedron>(stretched(*shape.geometry.polyhedron, shape.pose, stretch));
    Vector3d half = Vector3d::Zero();
    for (const Vector3d& v : made->vertices) half = half.cwiseMax(v.cwiseAbs());
    shape.geometry.kind = geometry::Geometry::Kind::kPolyhedron;
    shape.geometry.round = geometry::Geometry::Round::kNone;
    shape.geometry.size = half;
    shape.geometry.polyhedron = std::move(made);
    // The vertices stand in the body by now.
    shape.pose = {};
  }
  local.stretched = std::move(shapes);
}

}  // namespace espalier::contact::detail
