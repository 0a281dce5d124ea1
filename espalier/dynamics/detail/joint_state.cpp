#include "espalier/dynamics/detail/joint_state.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {

void joint_state(const Link& link, std::span<const double> q, std::span<const double> v, std::span<double> position,
                 std::span<double> velocity) {
  std::copy_n(q.begin() + link.position, position.size(), position.begin());
  std::copy_n(v.begin() + link.velocity, velocity.size(), velocity.begin());
  // As the model has the joint, whichever way the tree runs.
  if (link.reversed) model::exchange_coordinates(link.type, position, velocity);
}

void joint_state(const System& system, model::JointId joint, const LinkArrays& links, std::span<double> position,
                 std::span<double> velocity) {
  const model::Joint& held = system->model.joint(joint);
  const BodyPlace& a = system->body_places[held.a.index()];
  const BodyPlace& b = system->body_places[held.b.index()];
  const auto link_a = to_index(a.link);
  const auto link_b = to_index(b.link);
  const math::Pose X_WA = links.pose[link_a] * a.X_LB * held.X_AF;
  const math::Pose X_WB = links.pose[link_b] * b.X_LB * held.X_BM;
  model::joint_position(held.type, held.pitch, math::relative_pose(X_WA, X_WB), position);
  // Rates need no turns: those of a cut joint are as good as any.
  joint_rate(held.type, X_WA, X_WB, links.velocity[link_b] - links.velocity[link_a], velocity);
}

JointPlace joint_place(const System& system, model::JointId id) {
  const model::Joint& joint = system->model.joint(id);
  const BodyPlace& a = system->body_places[joint.a.index()];
  const BodyPlace& b = system->body_places[joint.b.index()];
  JointPlace place{id, joint.type, joint.pitch, a.link, b.link, a.X_LB * joint.X_AF, b.X_LB * joint.X_BM, -1};
  place.link = system->link_of[id.index()];
  if (place.link < 0) return place;
  // One of the bodies may be cut in two: the joint is at the half that the tree says.
  const Link& link = system->links[to_index(place.link)];
  (link.reversed ? place.a : place.b) = place.link;
  (link.reversed ? place.b : place.a) = link.parent;
  return place;
}

}  // namespace espalier::dynamics::detail
