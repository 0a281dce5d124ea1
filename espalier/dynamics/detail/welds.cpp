#include "espalier/dynamics/detail/welds.hpp"

#include <algorithm>
#include <variant>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/forces.hpp"
#include "espalier/dynamics/detail/make_laws.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"

namespace espalier::dynamics::detail {
namespace {

using math::SpatialVector;
using model::JointType;

bool acts_on_joint(const model::Force& force) {
  const model::Load* load = std::get_if<model::Load>(&force.law);
  return load != nullptr && load->joint.valid();
}

}  // namespace

Welds::Welds(const System& system) : needed_(system->body_places.size(), SpatialVector::Zero()) {
  find_welds(system);
  if (welds_.empty()) return;
  first_body_.assign(system->links.size(), 0);
  // Backwards, so that the lowest body of a link is what stays.
  for (std::size_t b = system->body_places.size(); b-- > 0;) first_body_[to_index(system->body_places[b].link)] = b;
  make_body_system(system);
}

// Breadth first over fixed joints, from the lowest body of each link.
void Welds::find_welds(const System& system) {
  const std::vector<model::Joint>& joints = system->model.joints;
  std::vector<bool> reached(system->body_places.size(), false);
  std::vector<std::vector<std::size_t>> fixed(system->body_places.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].type != JointType::kFixed) continue;
    fixed[joints[j].a.index()].push_back(j);
    fixed[joints[j].b.index()].push_back(j);
  }
  std::vector<std::size_t> queue;
  for (std::size_t root = 0; root < system->body_places.size(); ++root) {
    if (reached[root]) continue;
    // Breadth first, so that no weld is farther from its root than it must be.
    reached[root] = true;
    queue.assign(1, root);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const std::size_t j : fixed[queue[next]]) {
        const bool is_b = joints[j].a.index() == queue[next];
        const std::size_t body = is_b ? joints[j].b.index() : joints[j].a.index();
        if (reached[body]) continue;
        reached[body] = true;
        // Outer bodies come later, so that backwards each body knows what those beyond it need.
        welds_.push_back({j, body, queue[next], is_b});
        queue.push_back(body);
      }
    }
  }
}

void Welds::make_body_system(const System& system) {
  by_body_->model = system->model;
  std::erase_if(by_body_->model.forces, acts_on_joint);
  for (model::Joint& joint : by_body_->model.joints) joint.spec = {};
  // A system with a link for each body: laws then act on bodies instead of welded groups.
  by_body_->links.resize(system->body_places.size());
  by_body_->link_of.assign(system->model.joints.size(), -1);
  for (std::size_t b = 0; b < system->body_places.size(); ++b)
    by_body_->body_places.push_back({static_cast<int>(b), {}});
  by_body_->laws = make_laws(by_body_, model::resolve_laws(by_body_->model));
  // Taken from the tree, where angles have their whole turns.
  by_body_->laws.watched.clear();
}

// needed = I a + v x* I v - weight - forces between bodies - all joints that are not fixed.
void Welds::set_needs(const System& system, double time, const Workspace& work, std::span<const SpatialVector> on_b) {
  LinkArrays bodies(by_body_);
  LinkArrays own(system);
  SpatialVector upwards = SpatialVector::Zero();
  upwards.tail<3>() = -system->gravity;
  for (std::size_t b = 0; b < system->body_places.size(); ++b) {
    const auto link = to_index(system->body_places[b].link);
    bodies.pose[b] = work->links.pose[link] * system->body_places[b].X_LB;
    bodies.velocity[b] = work->links.velocity[link];
    const math::SpatialMatrix inertia =
        math::spatial_matrix(math::transformed(bodies.pose[b], system->model.bodies[b].inertia));
    needed_[b] = inertia * (work->links.acceleration[link] + upwards) +
                 math::cross_force(bodies.velocity[b], inertia * bodies.velocity[b]);
  }
  bodies.watched = work->links.watched;
  Eigen::VectorXd no_effort(0);
  add_forces(by_body_, time, {}, {}, bodies, no_effort);
  for (std::size_t b = 0; b < system->body_places.size(); ++b) needed_[b] -= bodies.force[b];
  if (system->callback) {
    own.pose = work->links.pose;
    own.velocity = work->links.velocity;
    system->callback(time, own);
    for (std::size_t i = 0; i < own.force.size(); ++i) needed_[first_body_[i]] -= own.force[i];
  }
  for (std::size_t j = 0; j < on_b.size(); ++j) {
    // What joints bring is not left for welds.
    needed_[system->model.joints[j].b.index()] -= on_b[j];
    needed_[system->model.joints[j].a.index()] += on_b[j];
  }
}

void Welds::add(const System& system, double time, const Workspace& work, std::span<SpatialVector> on_b) {
  if (welds_.empty()) return;
  set_needs(system, time, work, on_b);
  for (std::size_t w = welds_.size(); w-- > 0;) {
    const Weld& weld = welds_[w];
    // The outer body has this weld alone towards the root.
    on_b[weld.joint] = weld.is_b ? needed_[weld.body] : SpatialVector(-needed_[weld.body]);
    needed_[weld.inner] += needed_[weld.body];
  }
}

}  // namespace espalier::dynamics::detail
