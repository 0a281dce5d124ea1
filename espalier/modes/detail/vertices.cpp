#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/inertia.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/detail/builder.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// What fixed joints hold together, by item: the lowest one.
std::vector<int> join_items(const model::Model& model) {
  DisjointSets sets(2 * model.bodies.size());
  for (const model::Joint& joint : model.joints) {
    if (joint.type != model::JointType::kFixed) continue;
    sets.join(Items::at(model, joint.a, joint.X_AF.position), Items::at(model, joint.b, joint.X_BM.position));
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int first = Items::of_body(model::BodyId(b));
    // Both items of a rigid body are one; an elastic body has one for each end.
    if (!model.bodies[b].beam) sets.join(first, first + 1);
    // Obstacles stand still, like the ground.
    if (model.bodies[b].kind == model::BodyKind::kObstacle) sets.join(0, first);
  }
  std::vector<int> group(2 * model.bodies.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = sets.find(static_cast<int>(i));
  return group;
}

std::vector<Directions> group_moves(const model::Model& model, const std::vector<int>& group) {
  std::vector<Directions> moves(group.size());
  for (Directions& directions : moves) directions.fill(true);
  moves[0].fill(false);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Directions& active = model.bodies[i / 2].active;
    Directions& all = moves[to_index(group[i])];
    // What moves as one moves where all of it may.
    for (std::size_t k = 0; k < 6; ++k) all[k] = all[k] && active[k];
  }
  return moves;
}

// True where a rotation about any point is one about any other and a displacement that may be made as well.
bool point_is_free(const Directions& moves) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (moves[3 + k] && !(moves[(k + 1) % 3] && moves[(k + 2) % 3])) return false;
  }
  return true;
}

Matrix6 mass_about(const math::Inertia& inertia, const Vector3d& point) {
  // The theorem of Steiner, with the static moment beside it: the point need not be the centre of mass.
  const Matrix3d c = math::skew(inertia.com - point);
  Matrix6 mass = Matrix6::Zero();
  mass.topLeftCorner<3, 3>() = inertia.mass * Matrix3d::Identity();
  mass.topRightCorner<3, 3>() = -inertia.mass * c;
  mass.bottomLeftCorner<3, 3>() = inertia.mass * c;
  mass.bottomRightCorner<3, 3>() = inertia.about_com - inertia.mass * c * c;
  return mass;
}

// Rotations keep a point: the centre of mass where it does not matter which, since nothing is better conditioned; else
// the origin of the first body's frame, about which its author wrote `active`.
void add_rigid_bodies(const model::Model& model, Vertex& vertex) {
  if (vertex.bodies.empty()) return;
  math::Inertia total;
  for (const model::BodyId body : vertex.bodies) {
    total = total + math::transformed(model.body(body).X_WB, model.body(body).inertia);
  }
  vertex.point = model.body(vertex.bodies.front()).X_WB.position;
  if (total.mass > 0 && point_is_free(vertex.moves)) vertex.point = total.com;
  vertex.mass = mass_about(total, vertex.point);
}

std::string end_name(const model::Body& body, std::size_t item) {
  return fmt::format("{}.{}", body.name, item % 2 == 0 ? "from" : "to");
}

// Entries that are rounding alone become 0: a rigid hinge would hold a direction that it does not know.
Matrix3d without_rounding(const Matrix3d& matrix, double scale) {
  constexpr double kRounding = 1e-15;
  return (matrix.array().abs() > kRounding * scale).select(matrix, 0.0);
}

Result<void> check_kinds(const model::Model& model) {
  for (const model::Body& body : model.bodies) {
    if (body.kind != model::BodyKind::kPseudoRigid) continue;
    return make_error(ErrorCode::kUnsupported, body.where,
                      fmt::format("body {} is pseudo-rigid, which `modes` does not know; make it `kind: rigid`, or "
                                  "divide it into beams",
                                  in_quotes(body.name)));
  }
  return {};
}

}  // namespace

int Items::at(const model::Model& model, model::BodyId body, const Vector3d& point) {
  const std::optional<model::BeamSpec>& beam = model.body(body).beam;
  if (!beam) return of_body(body);
  // What holds an elastic body anywhere was checked to hold it at an end.
  return of_end(body, (point - beam->from).squaredNorm() <= (point - beam->to).squaredNorm() ? 0 : 1);
}

Port make_port(Builder& builder, int item, const Vector3d& point, const std::string& name) {
  const int vertex = builder.vertex_of[to_index(item)];
  if (vertex >= 0) return {vertex, point};
  Vertex support;
  support.name = name;
  support.point = point;
  // One support for each that is held there: supports are boundaries and have nothing in common.
  return {add_vertex(builder, std::move(support)), point};
}

Matrix6 to_local(const Builder& builder, const Port& port, const Matrix3d& translation, const Matrix3d& rotation) {
  const Vector3d& centre = builder.structure.vertices[to_index(port.vertex)].point;
  const double reach = port.point.norm() + centre.norm();
  Matrix6 matrix = Matrix6::Zero();
  matrix.topLeftCorner<3, 3>() = without_rounding(translation, 1);
  matrix.topRightCorner<3, 3>() = without_rounding(-translation * math::skew(port.point - centre), reach);
  matrix.bottomRightCorner<3, 3>() = without_rounding(rotation, 1);
  return matrix;
}

bool is_moved(const Vertex& vertex, const Matrix6& to_local, int row) {
  constexpr double kRounding = 1e-13;
  const double scale = to_local.row(row).cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < 6; ++k) {
    if (vertex.moves[k] && std::abs(to_local(row, static_cast<int>(k))) > kRounding * scale) return true;
  }
  return false;
}

bool moves(const Vertex& vertex) {
  return std::any_of(vertex.moves.begin(), vertex.moves.end(), [](bool direction) { return direction; });
}

int add_vertex(Builder& builder, Vertex vertex) {
  builder.structure.vertices.push_back(std::move(vertex));
  return static_cast<int>(builder.structure.vertices.size()) - 1;
}

Result<void> add_vertices(Builder& builder) {
  const model::Model& model = builder.model;
  const Result<void> kinds = check_kinds(model);
  ESPALIER_TRY(kinds);
  const std::vector<int> group = join_items(model);
  const std::vector<Directions> may_move = group_moves(model, group);
  builder.vertex_of.assign(group.size(), -1);
  std::vector<Vertex>& vertices = builder.structure.vertices;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const model::Body& body = model.bodies[i / 2];
    const auto lowest = to_index(group[i]);
    // What stands still is no vertex; a support is made where something holds to it.
    if (may_move[lowest] == Directions{}) continue;
    if (lowest == i) {
      Vertex vertex;
      vertex.name = body.beam ? end_name(body, i) : body.name;
      vertex.moves = may_move[i];
      if (body.beam) vertex.point = body.X_WB * (i % 2 == 0 ? body.beam->from : body.beam->to);
      builder.vertex_of[i] = add_vertex(builder, std::move(vertex));
    }
    builder.vertex_of[i] = builder.vertex_of[lowest];
    Vertex& vertex = vertices[to_index(builder.vertex_of[i])];
    if (body.beam || i % 2 == 1) continue;
    // A vertex is named after its first rigid body, and after a beam's end only where there is none.
    if (vertex.bodies.empty()) vertex.name = body.name;
    vertex.bodies.emplace_back(i / 2);
  }
  for (Vertex& vertex : vertices) add_rigid_bodies(model, vertex);
  return {};
}

}  // namespace espalier::modes::detail
