#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/modes/detail/builder.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::string force_name(const model::Model& model, const model::Force& force, const char* kind) {
  if (!force.name.empty()) return force.name;
  return fmt::format("{}_{}", kind, &force - model.forces.data() + 1);
}

// An elastic body is held at its ends and where a joint holds it.
Result<int> item_at(const Builder& builder, model::BodyId id, const Vector3d& point, const model::Force& force) {
  const model::Body& body = builder.model.body(id);
  const int item = builder.items.at(builder.model, id, point);
  if (!body.beam) return item;
  const Vector3d axis = body.beam->to - body.beam->from;
  const double gap = (point - body.beam->from - builder.items.fraction(item) * axis).norm();
  if (gap <= 1e-6 * axis.norm()) return item;
  // In between there is no vertex on which the force could act.
  return make_error(ErrorCode::kTopology, force.where,
                    fmt::format("a force holds {} {} {:.4g} m away from its nearest end or joint; move it there, or "
                                "split the {} in two",
                                model::word(body.kind), in_quotes(body.name), gap, model::word(body.kind)));
}

// Ends at these points of the bodies; nothing where both are the same vertex, or both stand still.
Result<bool> place_ends(Builder& builder, const model::Force& force, std::array<model::BodyId, 2> body,
                        std::array<Vector3d, 2> point, const Matrix3d& axes, Element& element) {
  std::array<int, 2> item{};
  for (std::size_t end = 0; end < 2; ++end) {
    const Result<int> held = item_at(builder, body[end], point[end], force);
    ESPALIER_TRY(held);
    item[end] = *held;
  }
  if (builder.vertex_of[to_index(item[0])] == builder.vertex_of[to_index(item[1])]) {
    return false;
  }
  for (std::size_t end = 0; end < 2; ++end) {
    const Vector3d world = builder.model.body(body[end]).X_WB * point[end];
    const Port port = make_port(builder, item[end], world, fmt::format("{}.ground", element.name));
    element.vertex[end] = port.vertex;
    // The axes of a bushing are those of its frame on A, at both ends.
    element.to_local[end] = to_local(builder, port, axes, axes);
  }
  return true;
}

Result<void> add_law(Builder& builder, const model::Force& force, const model::Spring& spring) {
  if (spring.limits) {
    return make_error(ErrorCode::kUnsupported, force.where,
                      "a spring with `limits` is not linear; leave them out, or fix its ends to each other");
  }
  const Vector3d a = builder.model.body(spring.a).X_WB * spring.point_a;
  const Vector3d b = builder.model.body(spring.b).X_WB * spring.point_b;
  const double length = (b - a).norm();
  // A force in the drawn pose adds stiffness across the spring, which grows with it (geometric stiffness).
  const double tension = spring.stiffness * (length - spring.length) + spring.tension;
  if (std::abs(tension) > 1e-9 * std::max(spring.stiffness * length, std::abs(spring.tension))) {
    return make_error(ErrorCode::kUnsupported, force.where,
                      fmt::format("a spring carries {:.4g} N in the drawn pose, and the stiffness that this force "
                                  "brings is not known here; leave out `length` and `tension`",
                                  tension));
  }
  if (spring.stiffness == 0 && spring.damping == 0) return {};
  if (length == 0) {
    return make_error(ErrorCode::kValue, force.where,
                      "a spring of no length has no direction; give its two points a distance, or use a `bushing`");
  }
  Hinge hinge;
  // An element that sees one direction, the line of the spring.
  hinge.kind.fill(Hinge::Kind::kReleased);
  hinge.kind[0] = Hinge::Kind::kElastic;
  hinge.stiffness[0] = spring.stiffness;
  hinge.damping[0] = spring.damping;
  const Vector3d x = b - a;
  const Matrix3d axes = math::rotation_with_xy(x, model::default_y_axis(x)).toRotationMatrix().transpose();
  Element element;
  element.name = force_name(builder.model, force, "spring");
  element.law = hinge;
  const Result<bool> placed =
      place_ends(builder, force, {spring.a, spring.b}, {spring.point_a, spring.point_b}, axes, element);
  ESPALIER_TRY(placed);
  if (*placed) builder.structure.elements.push_back(std::move(element));
  return {};
}

Result<void> add_law(Builder& builder, const model::Force& force, const model::Bushing& bushing) {
  Hinge hinge;
  hinge.kind.fill(Hinge::Kind::kReleased);
  hinge.stiffness = bushing.stiffness;
  hinge.damping = bushing.damping;
  bool any = false;
  for (std::size_t k = 0; k < 6; ++k) {
    if (hinge.stiffness[k] == 0 && hinge.damping[k] == 0) continue;
    hinge.kind[k] = Hinge::Kind::kElastic;
    any = true;
  }
  if (!any) return {};
  const math::Pose X_WF = builder.model.body(bushing.a).X_WB * bushing.X_AF;
  Element element;
  element.name = force_name(builder.model, force, "bushing");
  element.law = hinge;
  const Result<bool> placed =
      place_ends(builder, force, {bushing.a, bushing.b}, {bushing.X_AF.position, bushing.X_BM.position},
                 X_WF.rotation.toRotationMatrix().transpose(), element);
  ESPALIER_TRY(placed);
  if (*placed) builder.structure.elements.push_back(std::move(element));
  return {};
}

// A constant load is part of the equilibrium; check_weight() asks what it changes.
Result<void> add_law(Builder&, const model::Force& force, const model::Load& load) {
  for (const model::Expression& value : load.value) {
    if (model::is_constant(value)) continue;
    if (!value.inputs.empty()) return model::refuse_coordinates(value, model::FormulaUse::kModes, force.where);
    return make_error(ErrorCode::kUnsupported, force.where,
                      fmt::format("the {} {} depends on time; modes are those of free vibrations: remove it",
                                  load.torque ? "torque" : "force", in_quotes(value.text)));
  }
  return {};
}

Result<void> add_law(Builder& builder, const model::Force& force, const model::Motion& motion) {
  const std::string& joint = builder.model.joint(motion.joint).name;
  return make_error(ErrorCode::kUnsupported, force.where,
                    fmt::format("joint {} is moved as a function of time; for the modes of the mechanism with this "
                                "joint held, make it `type: fixed` and remove the motion",
                                in_quotes(joint)));
}

Result<void> check_rest(const model::Model& model) {
  for (const model::Coupling& coupling : model.couplings) {
    return make_error(ErrorCode::kUnsupported, coupling.where,
                      "couplings of joints are not known to `modes`; replace it by an elastic hinge, or make the "
                      "coupled joints `type: fixed`");
  }
  if (model.contact && model.contact->on) {
    return make_error(ErrorCode::kUnsupported, {},
                      "contact has no linear meaning; switch it off with `contact: {engine: off}`, and hold what "
                      "touches by elastic hinges");
  }
  return {};
}

}  // namespace

Result<void> add_forces(Builder& builder) {
  const Result<void> rest = check_rest(builder.model);
  ESPALIER_TRY(rest);
  for (const model::Force& force : builder.model.forces) {
    const Result<void> done = std::visit([&](const auto& law) { return add_law(builder, force, law); }, force.law);
    ESPALIER_TRY(done);
  }
  return {};
}

}  // namespace espalier::modes::detail
