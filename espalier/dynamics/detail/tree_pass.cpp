#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/tree_pass.hpp"

#include "espalier/base/index.hpp"

namespace espalier::dynamics::detail {
namespace {

// Pose of the link that hangs on `X_WP` by this joint at q.
math::Pose hang(const Link& link, const math::Pose& X_WP, std::span<const double> q) {
  const math::Pose X_AB = model::joint_pose(link.type, link.pitch, q);
  return X_WP * link.X_LA * X_AB * link.X_LB.inverse();
}

}  // namespace

void pass_to_link(const System& system, int index, std::span<const double> q, std::span<const double> v,
                  LinkArrays& links, MotionSubspace& motion) {
  const Link& link = system->links[to_index(index)];
  const auto parent = to_index(link.parent);
  const auto i = to_index(index);
  const auto size = to_index(model::joint_kind(link.type).position_size);
  links.pose[i] = hang(link, links.pose[parent], q.subspan(to_index(link.position), size));
  motion = motion_subspace(link.type, link.pitch, links.pose[parent] * link.X_LA, links.pose[i] * link.X_LB);

  SpatialVector relative = SpatialVector::Zero();
  for (int k = 0; k < link.freedom; ++k)
    relative += motion.s.column.col(k) * v[to_index(link.velocity + k)];
  // (D1)
  links.velocity[i] = links.velocity[parent] + relative;
  // dS/dt qd, each column carried along by its owner.
  links.acceleration[i] = links.acceleration[parent];
  for (int k = 0; k < link.freedom; ++k) {
    const bool owner_is_link = motion.owner_is_b[to_index(k)];
    const SpatialVector& owner = owner_is_link ? links.velocity[i] : links.velocity[parent];
    links.acceleration[i] +=
        math::cross_motion(owner, motion.s.column.col(k)) * v[to_index(link.velocity + k)];
  }
}

}  // namespace espalier::dynamics::detail
