#include "espalier/model/model.hpp"

#include <algorithm>
#include <variant>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"

namespace espalier::model {
namespace {

std::size_t index_of(const Model& model, const std::string& name) {
  const auto found =
      std::find_if(model.bodies.begin(), model.bodies.end(), [&](const Body& b) { return b.name == name; });
  // What is not found is the ground, body 0: a spec lists it only where it has shapes.
  return found == model.bodies.end() ? 0 : to_index(found - model.bodies.begin());
}

// A point of the drawn world is one of its body.
void fix_in_bodies(const Model& model, SpringSpec& spring) {
  const math::Pose& X_WA = model.bodies[index_of(model, spring.a)].X_WB;
  const math::Pose& X_WB = model.bodies[index_of(model, spring.b)].X_WB;
  if (spring.in_world) {
    spring.point_a = X_WA.inverse() * spring.point_a;
    spring.point_b = X_WB.inverse() * spring.point_b;
    spring.in_world = false;
  }
  // A length that was left out meant the drawn one: it is fixed before the bodies move.
  if (!spring.length) spring.length = (X_WB * spring.point_b - X_WA * spring.point_a).norm();
}

}  // namespace

Model placed(Model model, std::span<const math::Pose> body) {
  ESPALIER_CHECK(body.size() == model.bodies.size(), "every body has a pose");
  // Not the ground: it is the world's frame.
  for (std::size_t b = 1; b < body.size(); ++b) model.bodies[b].X_WB = body[b];
  for (Joint& joint : model.joints) {
    // Positions follow from the poses, as in compile().
    const math::Pose X_FM = math::relative_pose(drawn_frame_a(model, joint), drawn_frame_b(model, joint));
    joint.position = joint_position(joint.type, joint.pitch, X_FM);
  }
  return model;
}

ModelSpec placed(ModelSpec spec, const Model& model, std::span<const math::Pose> body,
                 std::vector<std::string>& notes) {
  for (BodySpec& drawn : spec.bodies) drawn.pose = body[index_of(model, drawn.name)];
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    // A frame in the world would stay behind when its bodies move.
    spec.joints[j].at.reset();
    spec.joints[j].in_a = model.joints[j].X_AF;
    spec.joints[j].in_b = model.joints[j].X_BM;
  }
  for (ForceSpec& force : spec.forces) {
    if (auto* spring = std::get_if<SpringSpec>(&force.law)) fix_in_bodies(model, *spring);
    auto* bushing = std::get_if<BushingSpec>(&force.law);
    if (bushing == nullptr) continue;
    const std::size_t a = index_of(model, bushing->a);
    if (bushing->in_world) bushing->frame = math::relative_pose(model.bodies[a].X_WB, bushing->frame);
    bushing->in_world = false;
    notes.push_back("the bushing between " + in_quotes(bushing->a) + " and " + in_quotes(bushing->b) +
                    " rests in the assembled pose: a file says only where its frame is drawn");
  }
  return spec;
}

}  // namespace espalier::model
