// Puts a model on a tree: everything that system.hpp holds and that no later function changes.

#include "espalier/dynamics/system.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/make_laws.hpp"
#include "espalier/dynamics/detail/plain_system.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/system_drives.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics {
namespace {

using detail::add_drives;
using model::JointType;
using plan::Mechanism;
using plan::Plan;

// The frame of a group is that of its first body; the ground's is the world's.
math::Pose group_pose(const model::Model& model, const Mechanism& mechanism, int vertex) {
  return model.body(mechanism.bodies[to_index(vertex)].front()).X_WB;
}

math::Inertia group_inertia(const model::Model& model, const Mechanism& mechanism, int vertex) {
  const math::Pose X_WL = group_pose(model, mechanism, vertex);
  math::Inertia sum;
  for (const model::BodyId id : mechanism.bodies[to_index(vertex)]) {
    const model::Body& body = model.body(id);
    // About the link's own frame, in which the group never moves.
    sum = sum + math::transformed(math::relative_pose(X_WL, body.X_WB), body.inertia);
  }
  return sum;
}

math::Inertia part_of(math::Inertia inertia, int pieces) {
  inertia.mass /= pieces;
  // The parts lie on each other: the weld between them makes one body of them again, wherever the mass is.
  inertia.about_com /= pieces;
  return inertia;
}

// Frame of a joint in the link of the body that holds it.
math::Pose in_link(const model::Model& model, const Mechanism& mechanism, model::BodyId body, const math::Pose& X_BF) {
  const int vertex = mechanism.vertex_of[body.index()];
  return math::relative_pose(group_pose(model, mechanism, vertex), model.body(body).X_WB) * X_BF;
}

class Maker {
 public:
  Maker(model::Model model, const Mechanism& mechanism, const Plan& plan)
      : model_(std::move(model)), mechanism_(mechanism), plan_(plan) {
    const auto vertices = to_index(plan.network.graph.vertices);
    // Half bodies are vertices of the plan but not of the mechanism.
    link_of_.assign(vertices, -1);
    whole_.resize(vertices);
    std::iota(whole_.begin(), whole_.end(), 0);
    pieces_.assign(vertices, 1);
    // A body cut n - 1 times is in n parts, all of them vertices of the plan.
    for (const plan::HalfBody& half : plan.half_bodies) {
      whole_[to_index(half.vertex)] = half.other;
      ++pieces_[to_index(half.other)];
    }
  }

  // Laws come last: where they have limits, the inertia that these meet is measured on the system itself.
  System make() {
    make_links();
    const model::Laws laws = model::resolve_laws(system_->model);
    add_drives(laws, system_);
    system_->laws = detail::make_laws(system_, laws);
    return std::move(system_);
  }

  System make_plain() {
    make_links();
    return std::move(system_);
  }

 private:
  void make_links() {
    // 1  Links, each after its parent, with their coordinates numbered on the way.
    system_->links.emplace_back();  // the world
    for (const int v : branch_by_branch()) add_link(v);
    // 2  Closures: cut joints in the plan's order, then welds, so that rows of the user's joints come first.
    for (const int e : plan_.cut) add_closure(e);
    for (const plan::HalfBody& half : plan_.half_bodies) add_weld(link_of_[half.other], link_of_[half.vertex]);
    if (link_of_[0] != 0) add_weld(0, link_of_[0]);
    // 3  Where the model's own bodies and joints are on this tree.
    system_->gravity = model_.gravity;
    system_->model = model_;
    system_->body_places.resize(model_.bodies.size());
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const int vertex = mechanism_.vertex_of[b];
      system_->body_places[b] = {link_of_[vertex],
                                 math::relative_pose(group_pose(model_, mechanism_, vertex), model_.bodies[b].X_WB)};
    }
    system_->link_of.assign(model_.joints.size(), -1);
    for (std::size_t i = 0; i < system_->links.size(); ++i) {
      if (system_->links[i].joint.valid()) system_->link_of[system_->links[i].joint.index()] = static_cast<int>(i);
    }
  }

  // Every vertex right before its own branches, so that a branch is a range of links.
  std::vector<int> branch_by_branch() const {
    std::vector<std::vector<int>> children(link_of_.size());
    std::vector<int> waiting, order;
    for (const int v : plan_.tree.order) {
      const int parent = plan_.tree.parent[v];
      (parent < 0 ? waiting : children[to_index(parent)]).push_back(v);
    }
    // A stack hands out what was put in last: turned round, siblings keep the order of the plan.
    std::reverse(waiting.begin(), waiting.end());
    while (!waiting.empty()) {
      const int v = waiting.back();
      waiting.pop_back();
      order.push_back(v);
      const std::vector<int>& next = children[to_index(v)];
      waiting.insert(waiting.end(), next.rbegin(), next.rend());
    }
    return order;
  }

  // The vertex of the mechanism that stands for a vertex of the plan: a half body is its other half.
  int whole(int vertex) const { return whole_[to_index(vertex)]; }
  // Into how many parts the body of a vertex is cut.
  int pieces(int vertex) const { return pieces_[to_index(whole(vertex))]; }

  void add_link(int vertex) {
    const int parent = plan_.tree.parent[vertex];
    // The ground is the world unless the plan hangs it elsewhere.
    if (parent < 0 && vertex == 0) {
      link_of_[0] = 0;
      return;
    }
    Link link;
    if (parent < 0) {
      set_floating(link, vertex);
    } else {
      set_joint(link, vertex, parent);
    }
    // The ground is held by equations wherever it hangs: its weight does not matter, as long as it has some.
    link.inertia = whole(vertex) == 0 ? math::sphere_inertia(1, 1)
                                      : part_of(group_inertia(model_, mechanism_, whole(vertex)), pieces(vertex));
    const model::JointKind& kind = model::joint_kind(link.type);
    link.freedom = kind.freedom;
    link.position = system_->position_size;
    link.velocity = system_->velocity_size;
    // A quaternion has four numbers and three rates, so q and v are counted apart.
    system_->position_size += kind.position_size;
    system_->velocity_size += kind.freedom;
    link_of_[vertex] = static_cast<int>(system_->links.size());
    system_->links.push_back(link);
  }

  void set_floating(Link& link, int vertex) {
    link.parent = 0;
    link.type = JointType::kFree;
    const std::vector<double> position =
        model::joint_position(JointType::kFree, 0, group_pose(model_, mechanism_, whole(vertex)));
    system_->drawn.insert(system_->drawn.end(), position.begin(), position.end());
    add_base_rate(whole(vertex));
  }

  // Velocity of the origin in world axes, angular velocity in the body's own.
  void add_base_rate(int vertex) {
    const model::Body& body = model_.body(mechanism_.bodies[to_index(vertex)].front());
    const model::VelocitySpec velocity = body.velocity.value_or(model::VelocitySpec{});
    // A free joint's rates turn about the axes of B.
    const Eigen::Vector3d spin = body.X_WB.rotation.conjugate() * velocity.angular;
    for (const Eigen::Vector3d& part : {velocity.linear, spin}) {
      system_->drawn_rate.insert(system_->drawn_rate.end(), part.begin(), part.end());
    }
  }

  void set_joint(Link& link, int vertex, int parent) {
    const int edge = plan_.tree.parent_edge[vertex];
    const model::JointId id = mechanism_.joints[to_index(edge)];
    const model::Joint& joint = model_.joint(id);
    link.parent = link_of_[parent];
    link.type = joint.type;
    link.pitch = joint.pitch;
    link.joint = id;
    link.X_LA = in_link(model_, mechanism_, joint.a, joint.X_AF);
    link.X_LB = in_link(model_, mechanism_, joint.b, joint.X_BM);
    link.reversed = mechanism_.vertex_of[joint.b.index()] == whole(parent);
    std::vector<double> position = joint.position;
    std::vector<double> rate = joint.spec.velocity;
    rate.resize(to_index(model::joint_kind(joint.type).freedom), 0);
    // Seen from b the same joint has its frames exchanged, and turned such that it is a joint of its type again.
    if (link.reversed) {
      std::swap(link.X_LA, link.X_LB);
      const math::Pose turn{Eigen::Vector3d::Zero(), model::exchange_turn(link.type)};
      link.X_LA = link.X_LA * turn;
      link.X_LB = link.X_LB * turn;
      model::exchange_coordinates(link.type, position, rate);
    }
    system_->drawn.insert(system_->drawn.end(), position.begin(), position.end());
    system_->drawn_rate.insert(system_->drawn_rate.end(), rate.begin(), rate.end());
    std::copy(joint.spec.armature.begin(), joint.spec.armature.end(), link.armature.begin());
    // The two axes of a universal joint change places with its bodies.
    if (link.reversed && model::joint_kind(link.type).axes == 2) std::swap(link.armature[0], link.armature[1]);
  }

  void add_closure(int edge) {
    const model::JointId id = mechanism_.joints[to_index(edge)];
    const model::Joint& joint = model_.joint(id);
    Closure closure;
    closure.a = link_of_[mechanism_.vertex_of[joint.a.index()]];
    closure.b = link_of_[mechanism_.vertex_of[joint.b.index()]];
    closure.type = joint.type;
    closure.pitch = joint.pitch;
    closure.joint = id;
    closure.X_LA = in_link(model_, mechanism_, joint.a, joint.X_AF);
    closure.X_LB = in_link(model_, mechanism_, joint.b, joint.X_BM);
    add(closure);
  }

  void add_weld(int a, int b) {
    Closure weld;
    weld.a = a;
    weld.b = b;
    add(weld);
  }

  void add(Closure& closure) {
    closure.row = system_->rows;
    closure.rows = model::joint_kind(closure.type).constraint;
    system_->rows += closure.rows;
    system_->closures.push_back(closure);
  }

  const model::Model model_;
  const Mechanism& mechanism_;
  const Plan& plan_;
  System system_;
  std::vector<int> link_of_;         // by vertex of the plan
  std::vector<int> whole_, pieces_;  // by vertex of the plan
};

}  // namespace

System make_system(const model::Model& model, const Mechanism& mechanism, const Plan& plan) {
  const model::Model closed = model::close_welds(model);
  // Joints whose coordinate a law needs are taken back into the tree.
  const RunTree tree = make_run_tree(closed, mechanism, plan);
  return Maker(closed, mechanism, tree.plan).make();
}

System make_planned_system(const model::Model& model, const Mechanism& mechanism, const Plan& plan) {
  return Maker(model::close_welds(model), mechanism, plan).make();
}

System detail::make_plain_system(const model::Model& model, const Mechanism& mechanism, const Plan& plan) {
  return Maker(model, mechanism, plan).make_plain();
}

}  // namespace espalier::dynamics
