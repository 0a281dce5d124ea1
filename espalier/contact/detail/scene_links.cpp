#include "espalier/contact/detail/scene_links.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using model::JointType;

std::array<double, 3> numbers(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
std::array<double, 4> numbers(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

void set_held(const model::JointRow& row, Link& link) {
  using enum model::Direction;
  link.held_point = {holds(row, kX), holds(row, kY), holds(row, kZ)};
  // The row about the normal of two axes takes the place of that about z; a screw's own row is made apart.
  link.held_turn = {holds(row, kAboutX), holds(row, kAboutY), holds(row, kAboutZ) || holds(row, kAboutNormal)};
  link.slides = row.slides;
}

struct Builder {
  const model::Model& model;
  const model::Laws& laws;
  Scene& scene;

  bool is_obstacle(model::BodyId id) const { return scene.bodies[id.index()].constants.kind == Kind::kObstacle; }

  Link between(model::BodyId a, model::BodyId b, const math::Pose& X_AF, const math::Pose& X_BM) const {
    Link link;
    link.a = static_cast<std::int32_t>(a.index());
    link.b = static_cast<std::int32_t>(b.index());
    // From the centre of mass, where bodies have their origin here.
    link.on_a = numbers(Vector3d(X_AF.position - model.bodies[a.index()].inertia.com));
    link.on_b = numbers(Vector3d(X_BM.position - model.bodies[b.index()].inertia.com));
    link.turn_a = numbers(X_AF.rotation);
    link.turn_b = numbers(X_BM.rotation);
    return link;
  }

  Link along(std::size_t number) const {
    const model::Joint& joint = model.joints[number];
    Link link = between(joint.a, joint.b, joint.X_AF, joint.X_BM);
    link.type = joint.type;
    link.pitch = joint.pitch;
    set_held(model::joint_row(joint.type), link);
    return link;
  }

  void add(Link link) {
    link.number = static_cast<std::int32_t>(scene.links.size());
    scene.links.push_back(link);
  }

  std::int32_t add_formula(const model::Expression& formula) {
    scene.formulas.push_back(formula);
    return static_cast<std::int32_t>(scene.formulas.size()) - 1;
  }

  // 1. Joints.

  static CoordinateLaw placed(const model::CoordinateLaw& resolved) {
    CoordinateLaw law;
    law.stiffness = resolved.stiffness;
    law.rest = resolved.rest;
    law.damping = resolved.damping;
    law.friction = resolved.friction;
    law.armature = resolved.armature;
    if (resolved.limits) law.low = (*resolved.limits)[0], law.high = (*resolved.limits)[1];
    return law;
  }

  static bool acts(const CoordinateLaw& law) {
    return law.stiffness != 0 || law.damping != 0 || law.friction != 0 || law.armature != 0 ||
           law.low > -CoordinateLaw::kNoLimit || law.high < CoordinateLaw::kNoLimit || law.position >= 0 ||
           law.velocity >= 0 || law.effort >= 0;
  }

  // Springs of ball and free joints pull at the rotation vector, all else at the spin: two rows.
  void add_coordinate(Link link, std::size_t k, const CoordinateLaw& law) {
    link.kind = Link::Kind::kCoordinate;
    link.coordinate = static_cast<std::int8_t>(k);
    const int quaternion = model::joint_row(link.type).quaternion;
    const bool turns_freely = quaternion >= 0 && static_cast<int>(k) >= quaternion;
    link.law = law;
    if (!turns_freely) {
      if (acts(law)) add(link);
      return;
    }
    // All but the spring acts at the spin.
    link.law.stiffness = 0;
    if (acts(link.law)) add(link);
    if (law.stiffness == 0) return;
    // The spring alone, at the rotation vector.
    link.of_vector = true;
    link.law = {};
    link.law.stiffness = law.stiffness;
    link.law.rest = law.rest;
    add(link);
  }

  // What was added since there were `first` links is shown as this joint's or force's.
  void show_laws(std::size_t first, std::int32_t joint, std::int32_t force) {
    for (std::size_t k = first; k < scene.links.size(); ++k) {
      const Link& link = scene.links[k];
      if (link.kind != Link::Kind::kHold) scene.shown.laws.push_back({link, joint, force});
    }
  }

  // The forces that act on a joint's coordinate join its own law, so that it has one row.
  Result<void> add_joint(std::size_t number) {
    const std::size_t first = scene.links.size();
    Link shown = along(number);
    shown.kind = Link::Kind::kCoordinate;
    scene.shown.joints.push_back(shown);
    const Result<void> added = add_joint_links(number);
    show_laws(first, static_cast<std::int32_t>(number), -1);
    return added;
  }

  Result<void> add_joint_links(std::size_t number) {
    const model::Joint& joint = model.joints[number];
    const model::JointLaw& law = laws.joints[number];
    // Nothing moves that could be held.
    if (is_obstacle(joint.a) && is_obstacle(joint.b)) return {};
    const Link link = along(number);
    // A free joint holds nothing, and its bodies may touch.
    if (model::joint_kind(joint.type).constraint > 0) {
      add(link);
      // Bodies that a joint holds together overlap as they are drawn.
      scene.excluded.emplace_back(std::min(link.a, link.b), std::max(link.a, link.b));
    }
    std::optional<model::Expression> effort;
    if (law.effort >= 0) {
      Result<model::Expression> sum = model::as_expression(laws.efforts[to_index(law.effort)]);
      ESPALIER_TRY(sum);
      effort = *std::move(sum);
    }
    const auto freedom = to_index(model::joint_kind(joint.type).freedom);
    for (std::size_t k = 0; k < freedom; ++k) {
      CoordinateLaw own = law.coordinates.empty() ? CoordinateLaw() : placed(law.coordinates[k]);
      for (const int motion : law.motions) {
        const model::Equation& equation = laws.equations[to_index(motion)];
        (equation.of_velocity ? own.velocity : own.position) = add_formula(equation.value);
      }
      if (effort) {
        own.effort = add_formula(*effort);
        own.own_position = place_of(number, k, false);
        own.own_rate = place_of(number, k, true);
      }
      add_coordinate(link, k, own);
    }
    return {};
  }

  // In Model::watched; -1: no formula names it.
  std::int32_t place_of(std::size_t joint, std::size_t coordinate, bool is_rate) const {
    const auto found = std::find_if(model.watched.begin(), model.watched.end(), [&](const model::Watched& watched) {
      return watched.joint.index() == joint && to_index(watched.coordinate) == coordinate &&
             watched.is_rate == is_rate;
    });
    return found == model.watched.end() ? -1 : static_cast<std::int32_t>(found - model.watched.begin());
  }

  void add_watched(const model::Watched& watched) {
    Link link = along(watched.joint.index());
    link.kind = Link::Kind::kCoordinate;
    link.coordinate = static_cast<std::int8_t>(watched.coordinate);
    const std::vector<double>& drawn = model.joint(watched.joint).position;
    scene.watched.push_back({link, watched.is_rate, drawn[to_index(watched.coordinate)]});
  }

  // 2. Forces.

  void add_spring(const model::Spring& spring) {
    // Between points of one body, or of two that stand, it does nothing.
    if (spring.a == spring.b || (is_obstacle(spring.a) && is_obstacle(spring.b))) return;
    const auto at = [](const Vector3d& point) { return math::Pose{point, Eigen::Quaterniond::Identity()}; };
    Link link = between(spring.a, spring.b, at(spring.point_a), at(spring.point_b));
    link.kind = Link::Kind::kSpring;
    // Its ends may be as far apart as those of a slide: reaches must follow.
    link.slides = true;
    link.law.stiffness = spring.stiffness;
    link.law.rest = spring.length;
    link.law.damping = spring.damping;
    link.law.force = spring.tension;
    if (const auto range = model::length_range(spring)) {
      // Open ends become the numbers that mean no limit.
      link.law.low = std::max((*range)[0], -CoordinateLaw::kNoLimit);
      link.law.high = std::min((*range)[1], CoordinateLaw::kNoLimit);
    }
    add(link);
  }

  void add_bushing(const model::Bushing& bushing) {
    if (bushing.a == bushing.b || (is_obstacle(bushing.a) && is_obstacle(bushing.b))) return;
    Link link = between(bushing.a, bushing.b, bushing.X_AF, bushing.X_BM);
    // A free joint with springs on all of its coordinates.
    link.type = JointType::kFree;
    link.slides = true;
    for (std::size_t k = 0; k < 6; ++k) {
      add_coordinate(link, k, {.stiffness = bushing.stiffness[k], .damping = bushing.damping[k]});
    }
  }

  void add_load(const model::Load& load) {
    // A load of a joint is in that joint's law.
    if (load.joint.valid() || is_obstacle(load.body)) return;
    const Vector3d arm = load.point - model.bodies[load.body.index()].inertia.com;
    BodyLoad made;
    made.body = static_cast<std::int32_t>(load.body.index());
    made.torque = load.torque;
    made.in_body = load.in_body;
    made.point = numbers(arm);
    for (std::size_t k = 0; k < 3; ++k) made.value[k] = add_formula(load.value[k]);
    scene.loads.push_back(made);
  }

  void add_force(std::size_t number) {
    const std::size_t first = scene.links.size();
    const model::Force& force = model.forces[number];
    ShownParts::Force shown;
    shown.size = model::force_size(force);
    if (const auto* spring = std::get_if<model::Spring>(&force.law)) {
      add_spring(*spring);
      shown.kind = ShownParts::Force::Kind::kSpring;
    }
    if (const auto* bushing = std::get_if<model::Bushing>(&force.law)) {
      add_bushing(*bushing);
      shown.kind = ShownParts::Force::Kind::kBushing;
    }
    if (const auto* load = std::get_if<model::Load>(&force.law)) {
      add_load(*load);
      show_load(*load, shown);
    }
    if (const auto* motion = std::get_if<model::Motion>(&force.law)) {
      shown.kind = ShownParts::Force::Kind::kMotion;
      shown.owner = static_cast<std::int32_t>(motion->joint.index());
    }
    show_laws(first, -1, static_cast<std::int32_t>(number));
    scene.shown.forces.push_back(shown);
  }

  void show_load(const model::Load& load, ShownParts::Force& shown) {
    shown.kind = load.joint.valid() ? ShownParts::Force::Kind::kOnJoint : ShownParts::Force::Kind::kOnBody;
    shown.owner = static_cast<std::int32_t>(load.joint.valid() ? load.joint.index() : load.body.index());
    shown.in_body = load.in_body;
    // Its own formula: a joint's law has the sum of all its loads.
    for (std::size_t k = 0; k < load.value.size(); ++k) shown.value[k] = add_formula(load.value[k]);
    if (!load.joint.valid()) return;
    const int effort = laws.joints[load.joint.index()].effort;
    shown.is_only = laws.efforts[to_index(effort)].values.size() == 1;
  }
};

}  // namespace

Result<void> add_links(const model::Model& model, const model::Laws& laws, Scene& scene) {
  Builder builder{model, laws, scene};
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Result<void> added = builder.add_joint(j);
    ESPALIER_TRY(added);
  }
  for (const model::Watched& watched : model.watched) builder.add_watched(watched);
  for (std::size_t f = 0; f < model.forces.size(); ++f) builder.add_force(f);
  // By body, as load_on() looks for them; of one body in the order of the file.
  std::stable_sort(scene.loads.begin(), scene.loads.end(),
                   [](const BodyLoad& a, const BodyLoad& b) { return a.body < b.body; });
  return {};
}

}  // namespace espalier::contact::detail
