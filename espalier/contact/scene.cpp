#include "espalier/contact/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include <Eigen/LU>
#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/contact/detail/check_laws.hpp"
#include "espalier/contact/detail/scene_links.hpp"

namespace espalier::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::BodyKind;

constexpr double kDefaultFriction = 0.5;
constexpr double kDefaultRestitution = 0;

std::array<double, 3> numbers(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
std::array<double, 4> numbers(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }
std::array<double, 9> numbers(const Matrix3d& m) {
  std::array<double, 9> result{};
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(result.data()) = m;
  return result;
}

bool is_obstacle(const model::Body& body, std::size_t id) { return id == 0 || body.kind == BodyKind::kObstacle; }

Error refuse(const Where& where, std::string message) { return Error{ErrorCode::kValue, std::move(message), where}; }

// lambda and mu of St Venant-Kirchhoff from E and G.
Result<void> set_softness(const model::Model& model, const model::Body& body, BodyConstants& constants) {
  const model::MaterialSpec* material = body.material.valid() ? &model.materials[body.material.index()] : nullptr;
  if (material == nullptr || !material->young || !material->density) {
    return tl::unexpected(
        refuse(body.where,
               fmt::format("body {} is pseudo-rigid: give it a material with E and density", in_quotes(body.name))));
  }
  const double E = *material->young;
  const double G = material->shear.value_or(E / 2.5);  // Poisson's number 0.25
  // Towards G = E/3 the body is incompressible and lambda has no bounds.
  if (!(G > E / 3 && G < E)) {
    return tl::unexpected(refuse(material->where, fmt::format("E = {} and G = {} have no Poisson's number between -0.5 "
                                                              "and 0.5; G lies between E/3 and E",
                                                              E, G)));
  }
  constants.lame_mu = G;
  constants.lame_lambda = G * (E - 2 * G) / (3 * G - E);
  // From the mass, as shapes may overlap or be rougher than the body.
  constants.volume = body.inertia.mass / *material->density;
  return {};
}

Result<Body> make_body(const model::Model& model, std::size_t id) {
  const model::Body& from = model.bodies[id];
  Body body;
  body.id = static_cast<std::int64_t>(id);
  BodyConstants& constants = body.constants;
  const Eigen::Quaterniond R = from.X_WB.rotation;
  const Vector3d com = from.X_WB * from.inertia.com;
  Eigen::Map<Vector3d>(body.state.q.data()) = com;
  // A body moves about its centre of mass; frames show the origin that its Model has.
  constants.origin = numbers(Vector3d(-from.inertia.com));
  if (is_obstacle(from, id)) {
    constants.kind = Kind::kObstacle;
  } else {
    constants.mass = from.inertia.mass;
    Matrix3d inertia = from.inertia.about_com;
    // A point has no inertia of its own: its mass at 1 m keeps J invertible.
    if (from.kind == BodyKind::kPoint) inertia = Matrix3d::Identity() * from.inertia.mass;
    if (from.kind == BodyKind::kPseudoRigid) {
      constants.kind = Kind::kPseudoRigid;
      // Euler's tensor, the second moments of mass: what dF/dt is weighed by.
      inertia = inertia.trace() / 2 * Matrix3d::Identity() - inertia;
      const Result<void> set = set_softness(model, from, constants);
      ESPALIER_TRY(set);
    }
    constants.inertia = numbers(inertia);
    constants.inverse = numbers(Matrix3d(inertia.inverse()));
  }
  const model::VelocitySpec velocity = from.velocity.value_or(model::VelocitySpec{});
  // Given at the origin of the body, kept at its centre of mass.
  const Vector3d v = velocity.linear + velocity.angular.cross(com - from.X_WB.position);
  if (constants.kind == Kind::kPseudoRigid) {
    // Drawn and set going as a rigid body is: F = R, dF/dt = omega x F.
    const Matrix3d F = R.toRotationMatrix();
    Matrix3d rate;
    for (int c = 0; c < 3; ++c) rate.col(c) = velocity.angular.cross(F.col(c));
    const std::array<double, 9> f = numbers(F), r = numbers(rate);
    std::copy(f.begin(), f.end(), body.state.q.begin() + 3);
    std::copy(r.begin(), r.end(), body.state.u.begin() + 3);
  } else {
    const std::array<double, 4> q = numbers(R);
    std::copy(q.begin(), q.end(), body.state.q.begin() + 3);
    if (constants.kind == Kind::kRigid) {
      // Angular velocities are those of body axes.
      Eigen::Map<Vector3d>(body.state.u.data() + 3) = R.conjugate() * velocity.angular;
    }
  }
  if (constants.kind != Kind::kObstacle) Eigen::Map<Vector3d>(body.state.u.data()) = v;
  // Before the first step, what is asked of mid step is answered by the start.
  body.q_mid = body.state.q;
  body.u_free = body.state.u;
  return body;
}

void append(std::string& text, std::span<const double> values) {
  // Bits and not digits: names are equal where shapes are.
  const auto bytes = std::as_bytes(values);
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// The same for equal shapes. Obstacles have lists of their own, which ranks keep.
std::string name_shapes(const BodyShapes& shapes, const model::Body& from, bool is_obstacle) {
  std::string name = is_obstacle ? "o" : "m";
  for (const SceneShape& shape : shapes) {
    const Eigen::Quaterniond& q = shape.pose.rotation;
    append(name, std::array{static_cast<double>(shape.geometry.kind), shape.friction, shape.restitution, q.w(), q.x(),
                            q.y(), q.z()});
    append(name, numbers(shape.geometry.size));
    append(name, numbers(shape.pose.position));
  }
  // What sizes do not tell: the points of hulls, the files of meshes and their scales.
  for (const model::Shape& shape : from.shapes) {
    if (shape.spec.role == model::ShapeRole::kVisual) continue;
    for (const Vector3d& point : shape.spec.points) append(name, numbers(point));
    append(name, numbers(shape.spec.scale));
    if (!shape.spec.file.empty()) name += shape.spec.where.file + '\n' + shape.spec.file;
  }
  return name;
}

// Places in Scene::shapes, by name.
using ShapesByName = std::map<std::string, std::int32_t>;

void assign_shapes(BodyShapes shapes, const model::Body& from, ShapesByName& shapes_by_name, Scene& scene, Body& body) {
  if (shapes.empty()) return;
  // Equal shapes are kept once, and travel once to each rank.
  const auto number = static_cast<std::int32_t>(scene.shapes.size());
  const auto [found, is_new] =
      shapes_by_name.emplace(name_shapes(shapes, from, body.constants.kind == Kind::kObstacle), number);
  if (is_new) scene.shapes.push_back(std::make_shared<const BodyShapes>(std::move(shapes)));
  body.constants.shapes = found->second;
}

Result<void> add_shapes(const model::Model& model, const model::Body& from, ShapesByName& shapes_by_name, Scene& scene,
                        Body& body) {
  BodyShapes shapes;
  // Places of shapes count from the centre of mass.
  const math::Pose centre{from.inertia.com, Eigen::Quaterniond::Identity()};
  for (const model::Shape& shape : from.shapes) {
    if (shape.spec.role == model::ShapeRole::kVisual) continue;
    const bool obstacle_only =
        shape.spec.kind == model::ShapeKind::kMesh || shape.spec.kind == model::ShapeKind::kPlane;
    if (obstacle_only && body.constants.kind != Kind::kObstacle) {
      return tl::unexpected(
          refuse(shape.spec.where, fmt::format("body {} moves; planes and meshes belong to the ground or "
                                               "to an obstacle, give it a hull",
                                               in_quotes(from.name))));
    }
    Result<geometry::Geometry> geometry = geometry::make_geometry(shape.spec);
    ESPALIER_TRY(geometry);
    SceneShape made;
    made.geometry = *std::move(geometry);
    made.pose = centre.inverse() * shape.spec.pose;
    // The material of the shape, else that of its body, else what the section `contact` says.
    const model::MaterialId id = shape.material.valid() ? shape.material : from.material;
    const model::MaterialSpec* material = id.valid() ? &model.materials[id.index()] : nullptr;
    made.friction = model.contact ? model.contact->friction.value_or(kDefaultFriction) : kDefaultFriction;
    made.restitution = model.contact ? model.contact->restitution.value_or(kDefaultRestitution) : kDefaultRestitution;
    if (material != nullptr) {
      made.friction = material->friction.value_or(made.friction);
      made.restitution = material->restitution.value_or(made.restitution);
    }
    shapes.push_back(std::move(made));
  }
  assign_shapes(std::move(shapes), from, shapes_by_name, scene, body);
  return {};
}

// Planes touch round surfaces exactly, all else their polyhedra: said where there is something else.
void note_round_shapes(Scene& scene) {
  using Round = geometry::Geometry::Round;
  std::size_t others = 0;
  std::array<bool, 3> found{};
  for (const Body& body : scene.bodies) {
    if (body.constants.shapes < 0) continue;
    bool is_flat = true;
    for (const SceneShape& shape : *scene.shapes[to_index(body.constants.shapes)]) {
      found[static_cast<std::size_t>(shape.geometry.round)] = true;
      is_flat = is_flat && shape.geometry.kind == geometry::Geometry::Kind::kPlane;
    }
    if (!is_flat) ++others;
  }
  if (others < 2) return;
  if (found[static_cast<std::size_t>(Round::kCylinder)]) {
    scene.notes.emplace_back(
        "Cylinders touch planes as they are drawn, and all other shapes as prisms of 24 sides, up to 0.9 % of the "
        "radius inside: on a box or a mesh they do not roll freely.");
  }
  if (found[static_cast<std::size_t>(Round::kEllipsoid)]) {
    scene.notes.emplace_back(
        "Ellipsoids touch planes as they are drawn, and all other shapes as hulls of 162 points, up to 2 % inside.");
  }
}

}  // namespace

// Of two surfaces the more slippery and the more elastic decide.
double pair_friction(double a, double b) { return std::min(a, b); }
double pair_restitution(double a, double b) { return std::max(a, b); }

Result<Scene> make_scene(const model::Model& model) {
  const model::Laws laws = model::resolve_laws(model);
  // What this engine would compute wrongly is refused before anything is made.
  Result<std::vector<std::string>> notes = detail::check_laws(model, laws);
  ESPALIER_TRY(notes);
  Scene scene;
  scene.notes = *std::move(notes);
  scene.gravity = model.gravity;
  if (model.contact) {
    scene.margin = model.contact->margin;
    for (const auto& [a, b] : model.contact->exclude) {
      // The lower number first, so that a pair named twice is found.
      const auto low = static_cast<std::int32_t>(std::min(a, b).index());
      const auto high = static_cast<std::int32_t>(std::max(a, b).index());
      scene.excluded.emplace_back(low, high);
    }
  }
  ShapesByName shapes_by_name;
  for (std::size_t id = 0; id < model.bodies.size(); ++id) {
    Result<Body> body = make_body(model, id);
    ESPALIER_TRY(body);
    const Result<void> added = add_shapes(model, model.bodies[id], shapes_by_name, scene, *body);
    ESPALIER_TRY(added);
    scene.bodies.push_back(*std::move(body));
  }
  note_round_shapes(scene);
  const Result<void> linked = detail::add_links(model, laws, scene);
  ESPALIER_TRY(linked);
  // Joints have excluded the bodies they hold, some of them more than once.
  std::sort(scene.excluded.begin(), scene.excluded.end());
  scene.excluded.erase(std::unique(scene.excluded.begin(), scene.excluded.end()), scene.excluded.end());
  return scene;
}

}  // namespace espalier::contact
