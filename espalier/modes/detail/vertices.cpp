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

// As close as compile() asks of a joint at an end, of the length: joints at one place share the station.
constexpr double kSamePlace = 1e-6;

// What fixed joints hold together, by item: the lowest one.
std::vector<int> join_items(const model::Model& model, const Items& items) {
  DisjointSets sets(items.body.size());
  for (const model::Joint& joint : model.joints) {
    if (joint.type != model::JointType::kFixed) continue;
    sets.join(items.at(model, joint.a, joint.X_AF.position), items.at(model, joint.b, joint.X_BM.position));
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int first = Items::of_body(model::BodyId(b));
    // Both items of a rigid body are one; an elastic body has one for each end.
    if (!model.bodies[b].beam) sets.join(first, first + 1);
    // Obstacles stand still, like the ground.
    if (model.bodies[b].kind == model::BodyKind::kObstacle) sets.join(0, first);
  }
  std::vector<int> group(items.body.size());
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = sets.find(static_cast<int>(i));
  return group;
}

std::vector<Directions> group_moves(const model::Model& model, const Items& items, const std::vector<int>& group) {
  std::vector<Directions> moves(group.size());
  for (Directions& directions : moves) directions.fill(true);
  moves[0].fill(false);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Directions& active = model.body(items.body[i]).active;
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

// Its ends with the bits that the model has.
Vector3d held_point(const model::Body& body, double at) {
  const model::BeamSpec& beam = *body.beam;
  const Vector3d between = beam.from + at * (beam.to - beam.from);
  return body.X_WB * (at == 0 ? beam.from : at == 1 ? beam.to : between);
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

std::string held_name(const model::Body& body, double at) {
  if (at == 0 || at == 1) return fmt::format("{}.{}", body.name, at == 0 ? "from" : "to");
  return fmt::format("{}.{:.6g}m", body.name, at * (body.beam->to - body.beam->from).norm());
}

Items make_items(const model::Model& model) {
  Items items;
  items.stations.resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) items.body.insert(items.body.end(), 2, model::BodyId(b));
  const auto hold = [&](model::BodyId id, const Vector3d& point) {
    const std::optional<model::BeamSpec>& beam = model.body(id).beam;
    if (!beam) return;
    const Vector3d axis = beam->to - beam->from;
    const double at = axis.dot(point - beam->from) / axis.squaredNorm();
    if (at > kSamePlace && at < 1 - kSamePlace) items.stations[id.index()].push_back({at, 0});
  };
  for (const model::Joint& joint : model.joints) {
    hold(joint.a, joint.X_AF.position);
    hold(joint.b, joint.X_BM.position);
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    std::vector<Station>& stations = items.stations[b];
    std::sort(stations.begin(), stations.end(), [](const Station& a, const Station& c) { return a.at < c.at; });
    const auto same = [](const Station& a, const Station& c) { return c.at - a.at <= kSamePlace; };
    stations.erase(std::unique(stations.begin(), stations.end(), same), stations.end());
    for (Station& station : stations) {
      station.item = static_cast<int>(items.body.size());
      items.body.emplace_back(b);
    }
  }
  return items;
}

int Items::at(const model::Model& model, model::BodyId id, const Vector3d& point) const {
  const std::optional<model::BeamSpec>& beam = model.body(id).beam;
  if (!beam) return of_body(id);
  double nearest = (point - beam->from).squaredNorm();
  int item = of_end(id, 0);
  const auto compare = [&](double distance, int other) {
    if (distance >= nearest) return;
    nearest = distance;
    item = other;
  };
  compare((point - beam->to).squaredNorm(), of_end(id, 1));
  const std::vector<Station>& held = stations[id.index()];
  const Vector3d axis = beam->to - beam->from;
  const double along = axis.dot(point - beam->from) / axis.squaredNorm();
  auto next = std::lower_bound(held.begin(), held.end(), along,
                               [](const Station& station, double place) { return station.at < place; });
  // The stations before and behind the point.
  for (auto station = next == held.begin() ? next : next - 1; station != held.end() && station <= next; ++station) {
    compare((point - beam->from - station->at * axis).squaredNorm(), station->item);
  }
  return item;
}

double Items::fraction(int item) const {
  const std::vector<Station>& held = stations[body[to_index(item)].index()];
  // Ends come first, and the stations of a body one after the other.
  if (held.empty() || item < held.front().item) return item % 2;
  return held[to_index(item - held.front().item)].at;
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
  const Items& items = builder.items;
  const std::vector<int> group = join_items(model, items);
  const std::vector<Directions> may_move = group_moves(model, items, group);
  builder.vertex_of.assign(group.size(), -1);
  std::vector<Vertex>& vertices = builder.structure.vertices;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const model::Body& body = model.body(items.body[i]);
    const auto lowest = to_index(group[i]);
    // What stands still is no vertex; a support is made where something holds to it.
    if (may_move[lowest] == Directions{}) continue;
    if (lowest == i) {
      Vertex vertex;
      const int item = static_cast<int>(i);
      vertex.name = body.beam ? held_name(body, items.fraction(item)) : body.name;
      vertex.moves = may_move[i];
      if (body.beam) vertex.point = held_point(body, items.fraction(item));
      builder.vertex_of[i] = add_vertex(builder, std::move(vertex));
    }
    builder.vertex_of[i] = builder.vertex_of[lowest];
    Vertex& vertex = vertices[to_index(builder.vertex_of[i])];
    if (body.beam || i % 2 == 1) continue;
    // A vertex is named after its first rigid body, and after a beam's end only where there is none.
    if (vertex.bodies.empty()) vertex.name = body.name;
    vertex.bodies.push_back(items.body[i]);
  }
  for (Vertex& vertex : vertices) add_rigid_bodies(model, vertex);
  return {};
}

}  // namespace espalier::modes::detail
