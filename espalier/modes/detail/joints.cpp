#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/modes/detail/builder.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kOpen = 1e-6;    // a joint that lacks more is not closed [m, rad]
constexpr double kLoaded = 1e-9;  // a spring that is farther from its rest carries a force [m, rad]

// Position in velocity order: quaternions as rotation vectors.
std::vector<double> small_position(const model::Joint& joint) {
  const int quaternion = model::joint_row(joint.type).quaternion;
  if (quaternion < 0) return joint.position;
  const auto turned = to_index(quaternion);
  const std::vector<double>& q = joint.position;
  const Vector3d rotation =
      math::rotation_log(Eigen::Quaterniond(q[turned], q[turned + 1], q[turned + 2], q[turned + 3]));
  std::vector<double> small(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(turned));
  small.insert(small.end(), rotation.begin(), rotation.end());
  return small;
}

double entry(const std::vector<double>& list, std::size_t k) { return list.empty() ? 0 : list[k]; }

Result<void> check_drawn(const model::Model& model, const model::Joint& joint) {
  const math::PoseGap gap = model::drawn_gap(model, joint);
  if (gap.distance > kOpen || gap.angle > kOpen) {
    return make_error(ErrorCode::kValue, joint.where,
                      fmt::format("joint {} is open by {:.3g} m and {:.3g} rad in the drawn pose; modes are those "
                                  "about a pose with all joints closed: draw that one",
                                  in_quotes(joint.name), gap.distance, gap.angle));
  }
  const std::vector<double> position = small_position(joint);
  for (std::size_t k = 0; k < position.size(); ++k) {
    const double away = position[k] - entry(joint.spec.rest, k);
    // A spring without stiffness carries no force, wherever its rest is.
    if (entry(joint.spec.stiffness, k) == 0 || std::abs(away) <= kLoaded) continue;
    return make_error(ErrorCode::kUnsupported, joint.where,
                      fmt::format("the spring of joint {} is {:.3g} away from its rest in the drawn pose, and the "
                                  "stiffness that its force brings is not known here; draw it at rest, or set `rest` "
                                  "to the drawn position",
                                  in_quotes(joint.name), away));
  }
  return {};
}

Hinge make_hinge(const model::Joint& joint) {
  Hinge hinge;
  hinge.kind.fill(Hinge::Kind::kRigid);
  const std::span<const model::CoordinateMotion> motions = model::joint_row(joint.type).motions;
  for (std::size_t k = 0; k < motions.size(); ++k) {
    const auto d = to_index(motions[k].direction);
    hinge.stiffness[d] = entry(joint.spec.stiffness, k);
    hinge.damping[d] = entry(joint.spec.damping, k);
    // Of the joint's coordinates; all other directions stay rigid.
    const bool elastic = hinge.stiffness[d] != 0 || hinge.damping[d] != 0;
    hinge.kind[d] = elastic ? Hinge::Kind::kElastic : Hinge::Kind::kReleased;
  }
  return hinge;
}

bool is_free(const Hinge& hinge) {
  for (const Hinge::Kind kind : hinge.kind) {
    if (kind != Hinge::Kind::kReleased) return false;
  }
  return true;
}

// Rows: the axes in which a joint's coordinates turn, those of M, and of a universal joint x of F and y of M.
Matrix3d rotation_axes(model::JointType type, const Matrix3d& R_WF, const Matrix3d& R_WM) {
  Matrix3d rows = R_WM.transpose();
  if (model::joint_kind(type).axes == 2) {
    rows.row(0) = R_WF.col(0).transpose();
    // The direction that a universal joint holds is across both of its axes.
    rows.row(2) = R_WF.col(0).cross(R_WM.col(1)).transpose();
  }
  return rows;
}

// Both ends are taken at the origin of M: what a joint lets slide is where M is, seen from F.
void place_hinge(Builder& builder, const model::Joint& joint, Element& element) {
  const math::Pose X_WF = model::drawn_frame_a(builder.model, joint);
  const math::Pose X_WM = model::drawn_frame_b(builder.model, joint);
  const Matrix3d R_WF = X_WF.rotation.toRotationMatrix();
  const Matrix3d axes = rotation_axes(joint.type, R_WF, X_WM.rotation.toRotationMatrix());
  const std::array<int, 2> item = {builder.items.at(builder.model, joint.a, joint.X_AF.position),
                                   builder.items.at(builder.model, joint.b, joint.X_BM.position)};
  for (std::size_t end = 0; end < 2; ++end) {
    const Port port = make_port(builder, item[end], X_WM.position, fmt::format("{}.ground", joint.name));
    element.vertex[end] = port.vertex;
    Matrix6 matrix = to_local(builder, port, R_WF.transpose(), axes);
    // A screw holds z - pitch rz / 2 pi. That displacement does the work of the force along z, and rz then that of all
    // that turns, so that the law of the hinge stays as it is.
    if (model::joint_row(joint.type).threaded) matrix.row(2) -= joint.pitch / (2 * std::numbers::pi) * matrix.row(5);
    element.to_local[end] = matrix;
  }
}

// The inertia of a drive belongs to the coordinate: to a vertex alone where the other one stands still.
Result<void> add_armature(Builder& builder, const model::Joint& joint, const Element& element) {
  const std::span<const model::CoordinateMotion> motions = model::joint_row(joint.type).motions;
  for (std::size_t k = 0; k < joint.spec.armature.size(); ++k) {
    if (joint.spec.armature[k] == 0) continue;
    for (std::size_t end = 0; end < 2; ++end) {
      Vertex& vertex = builder.structure.vertices[to_index(element.vertex[end])];
      const Vertex& other = builder.structure.vertices[to_index(element.vertex[1 - end])];
      const Eigen::Matrix<double, 1, 6> row =
          element.to_local[end].row(static_cast<Eigen::Index>(motions[k].direction));
      if (!moves(other)) {
        // Inertia of a coordinate is that of a mass which sees its direction alone.
        vertex.mass += joint.spec.armature[k] * row.transpose() * row;
      } else if (moves(vertex)) {
        return make_error(ErrorCode::kUnsupported, joint.where,
                          fmt::format("joint {} has an armature between two bodies that move, which `modes` does not "
                                      "know; remove it, or add its inertia to a body",
                                      in_quotes(joint.name)));
      }
    }
  }
  return {};
}

void note_nonlinear(Builder& builder, const model::Joint& joint) {
  for (const double friction : joint.spec.friction) {
    if (friction == 0) continue;
    builder.structure.notes.push_back(
        {fmt::format("joint {}: Coulomb friction has no linear meaning; these are the modes without it",
                     in_quotes(joint.name)),
         joint.where});
    return;
  }
}

Result<void> add_joint(Builder& builder, model::JointId id) {
  const model::Joint& joint = builder.model.joint(id);
  const Result<void> drawn = check_drawn(builder.model, joint);
  ESPALIER_TRY(drawn);
  // Its bodies are one vertex.
  if (joint.type == model::JointType::kFixed) return {};
  const auto vertex_at = [&](model::BodyId body, const Vector3d& point) {
    return builder.vertex_of[to_index(builder.items.at(builder.model, body, point))];
  };
  if (vertex_at(joint.a, joint.X_AF.position) == vertex_at(joint.b, joint.X_BM.position)) {
    builder.structure.notes.push_back(
        {fmt::format("joint {} joins what is rigid without it and moves nothing", in_quotes(joint.name)), joint.where});
    return {};
  }
  note_nonlinear(builder, joint);
  Hinge hinge = make_hinge(joint);
  hinge.joint = id;
  // Nothing is transmitted and nothing moves along with the coordinate.
  if (is_free(hinge) && joint.spec.armature.empty()) return {};
  Element element;
  element.name = joint.name;
  element.law = hinge;
  place_hinge(builder, joint, element);
  const Result<void> armature = add_armature(builder, joint, element);
  ESPALIER_TRY(armature);
  builder.structure.elements.push_back(std::move(element));
  return {};
}

}  // namespace

Result<void> add_joints(Builder& builder) {
  for (std::size_t j = 0; j < builder.model.joints.size(); ++j) {
    const Result<void> done = add_joint(builder, model::JointId(j));
    ESPALIER_TRY(done);
  }
  return {};
}

}  // namespace espalier::modes::detail
