#include "espalier/dynamics/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/reaction_data.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/system_drives.hpp"
#include "espalier/dynamics/detail/welds.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {
namespace {

using detail::add_cut_wrenches;
using detail::add_drive_wrenches;
using detail::Columns;
using detail::constraint_wrenches;
using math::Pose;

// I a + v x* I v without forces: what the rest of the world does to a link beyond its weight.
SpatialVector momentum_rate(const Link& link, const Pose& X_WL, const SpatialVector& velocity,
                            const SpatialVector& acceleration) {
  const math::SpatialMatrix inertia = math::spatial_matrix(math::transformed(X_WL, link.inertia));
  return inertia * acceleration + math::cross_force(velocity, inertia * velocity);
}

// What cut joints transmit by their equations and drives, and its opposite: wrenches on the links they hold, like outer
// ones. on_b holds the part of the drives already.
void add_closures(const System& system, const Workspace& work, Reactions& reactions) {
  for (const Closure& closure : system->closures) {
    const auto a = to_index(closure.a);
    const auto b = to_index(closure.b);
    // T lambda, the part of the joint's equations; (D3) has it as G^T lambda.
    const Columns wrenches = constraint_wrenches(closure.type, closure.pitch, work->links.pose[a] * closure.X_LA,
                                                 work->links.pose[b] * closure.X_LB);
    SpatialVector on_b = wrenches.column.leftCols(closure.rows) * work->lambda.segment(closure.row, closure.rows);
    // A weld of two halves is no joint of the model: what it carries is no reaction of anyone's.
    if (closure.joint.valid()) {
      on_b += reactions->on_b[closure.joint.index()];
      reactions->on_b[closure.joint.index()] = on_b;
    }
    reactions->on_link[b] -= on_b;
    reactions->on_link[a] += on_b;
  }
}

// From the tips to the root: a link needs from above what moves it and all it carries, less what others do to it.
void add_links(const System& system, const Workspace& work, Reactions& reactions) {
  SpatialVector upwards = SpatialVector::Zero();
  upwards.tail<3>() = -system->gravity;
  // (D12) link by link, without the projection on S: the whole wrench is what the joint transmits.
  for (std::size_t i = system->links.size() - 1; i > 0; --i) {
    const Link& link = system->links[i];
    SpatialVector& needed = reactions->on_link[i];
    needed += momentum_rate(link, work->links.pose[i], work->links.velocity[i], work->links.acceleration[i] + upwards) -
              work->links.force[i];
    reactions->on_link[to_index(link.parent)] += needed;
    if (link.joint.valid()) reactions->on_b[link.joint.index()] = link.reversed ? SpatialVector(-needed) : needed;
  }
}

}  // namespace

LoopGap loop_gap(const System& system, const Workspace& work) {
  LoopGap gap;
  for (const Closure& closure : system->closures) {
    double distance = 0, angle = 0;
    for (int k = 0; k < closure.rows; ++k) {
      // Rows along an axis are lengths, rows about one are angles.
      const double residual = work->residual[closure.row + k];
      (is_length(model::joint_row(closure.type).rows[to_index(k)]) ? distance : angle) +=
          residual * residual;
    }
    gap.distance = std::max(gap.distance, std::sqrt(distance));
    gap.angle = std::max(gap.angle, std::sqrt(angle));
  }
  return gap;
}

detail::ReactionData::ReactionData(const System& system)
    : on_b(system->model.joints.size(), SpatialVector::Zero()),
      on_link(system->links.size(), SpatialVector::Zero()),
      welds(system) {}

Reactions::Reactions(const System& system) : data_(std::make_unique<detail::ReactionData>(system)) {}
Reactions::Reactions(Reactions&& other) noexcept = default;
Reactions& Reactions::operator=(Reactions&& other) noexcept = default;
Reactions::~Reactions() = default;

std::span<const SpatialVector> Reactions::on_b() const { return data_->on_b; }
std::span<const SpatialVector> Reactions::on_link() const { return data_->on_link; }

void find_reactions(const System& system, double time, std::span<const double> q, std::span<const double> v,
                    const Workspace& work, Reactions& reactions) {
  std::fill(reactions->on_b.begin(), reactions->on_b.end(), SpatialVector::Zero());
  std::fill(reactions->on_link.begin(), reactions->on_link.end(), SpatialVector::Zero());
  add_drive_wrenches(system, time, q, v, work->links, work->lambda, reactions->on_b);
  add_closures(system, work, reactions);
  add_links(system, work, reactions);
  // Those of cut joints are among the outer wrenches of the links.
  add_cut_wrenches(system, time, work->links, reactions->on_b);
  reactions->welds.add(system, time, work, reactions->on_b);
}

}  // namespace espalier::dynamics
