#include "bench/peers/program.hpp"
#include "espalier/base/result.hpp"
#include "espalier/dynamics/system.hpp"

namespace bench {
namespace {

namespace dynamics = espalier::dynamics;
using espalier::model::JointType;

Joint peer_joint(JointType type) {
  switch (type) {
    case JointType::kRevolute:
      return Joint::kRevolute;
    case JointType::kPrismatic:
      return Joint::kPrismatic;
    case JointType::kUniversal:
      return Joint::kUniversal;
    case JointType::kSpherical:
      return Joint::kSpherical;
    case JointType::kFree:
      return Joint::kFree;
    default:
      ESPALIER_CHECK(false, "no mechanism that is compared has another joint");
  }
  return Joint::kFree;
}

std::vector<double> joint_efforts(const dynamics::System& system) {
  std::vector<double> by_joint(system.model().joints.size(), 0);
  for (const espalier::model::Force& force : system.model().forces) {
    const auto* load = std::get_if<espalier::model::Load>(&force.law);
    if (load != nullptr) by_joint[load->joint.index()] += espalier::model::evaluate(load->value[0], 0);
  }
  std::vector<double> efforts(static_cast<std::size_t>(system.velocity_size()), 0);
  for (const dynamics::Link& link : system.links()) {
    if (link.joint.valid() && link.freedom == 1) {
      efforts[static_cast<std::size_t>(link.velocity)] = by_joint[link.joint.index()];
    }
  }
  return efforts;
}

PeerTree::Link peer_link(const dynamics::System& system, const dynamics::Link& link) {
  const auto size = static_cast<std::size_t>(espalier::model::joint_kind(link.type).position_size);
  const std::span<const double> q(system.drawn().data() + link.position, size);
  return {.parent = link.parent,
          .joint = peer_joint(link.type),
          .X_LA = link.X_LA,
          .X_LB = link.X_LB,
          .inertia = {link.inertia.mass, link.inertia.com, link.inertia.about_com},
          .position = link.position,
          .velocity = link.velocity,
          .freedom = link.freedom,
          .X_AB = espalier::model::joint_pose(link.type, 0, q)};
}

}  // namespace

PeerTree make_peer_tree(const dynamics::System& system) {
  PeerTree tree;
  tree.links.emplace_back();
  for (std::size_t k = 1; k < system.links().size(); ++k) {
    if (system.links()[k].joint == espalier::model::JointId(0)) tree.joint_zero = static_cast<int>(k);
    tree.links.push_back(peer_link(system, system.links()[k]));
  }
  for (const dynamics::Closure& closure : system.closures()) {
    // A joint that holds nothing closes nothing.
    if (closure.rows == 0) continue;
    tree.loops.push_back({closure.a, closure.b, peer_joint(closure.type), closure.X_LA, closure.X_LB});
  }
  tree.gravity = system.gravity();
  tree.q = system.drawn();
  tree.v = system.drawn_rate();
  tree.effort = joint_efforts(system);
  return tree;
}

}  // namespace bench
