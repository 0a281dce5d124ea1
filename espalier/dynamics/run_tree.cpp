#include "espalier/dynamics/run_tree.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/detail/branch_inertia.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/plain_system.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::dynamics {
namespace {

using detail::Columns;
using detail::Inertia6;
using detail::motion_subspace;
using plan::Mechanism;

// What equations ask for a joint's position, in words; nullptr where they do not.
const char* equation_on(const model::Laws& laws, const model::JointLaw& law) {
  if (!law.couplings.empty()) return "its coupling";
  const bool of_position = std::any_of(law.motions.begin(), law.motions.end(),
                                       [&](int motion) { return !laws.equations[to_index(motion)].of_velocity; });
  return of_position ? "its prescribed motion" : nullptr;
}

// Armature is inertia of a coordinate. A spring, a range, a formula or an equation needs the angle with its whole
// turns, which a cut joint does not have; its rate it has, so dampers, friction and loads act on it as well.
std::string need_of(const model::Joint& joint, const model::JointLaw& law, const char* equation) {
  const auto has_armature = [](const model::CoordinateLaw& coordinate) { return coordinate.armature != 0; };
  if (std::any_of(law.coordinates.begin(), law.coordinates.end(), has_armature)) return "its armature";
  const model::JointKind& kind = model::joint_kind(joint.type);
  for (std::size_t k = 0; k < kind.coordinates.size(); ++k) {
    // Lengths, and angles of which a cut joint knows all, serve as well cut as kept.
    if (!loses_turns(kind.type, static_cast<int>(k))) continue;
    const model::CoordinateLaw own = law.coordinates.empty() ? model::CoordinateLaw() : law.coordinates[k];
    if (own.stiffness != 0) return "its spring";
    if (own.limits) return "its range of limits";
    if (law.named[k]) return "a formula that names it";
    if (equation != nullptr) return equation;
  }
  return {};
}

// Inertia and motions of the drawn pose, in world axes.
class Masses {
 public:
  Masses(const model::Model& model, const Mechanism& mechanism) : model_(model), mechanism_(mechanism) {
    light_.assign(mechanism.bodies.size(), 0);
    std::vector<char> thin(mechanism.bodies.size(), 0);
    for (std::size_t v = 1; v < thin.size(); ++v) thin[v] = is_thin(static_cast<int>(v)) ? 1 : 0;
    for (std::size_t e = 0; e < mechanism.joints.size(); ++e) {
      const graph::Edge& edge = mechanism.graph.edges[e];
      for (const int v : {edge.a, edge.b}) {
        // Only thin bodies are asked, since it takes the joint's motions.
        if (thin[to_index(v)] != 0 && !resists(static_cast<int>(e), v)) light_[at(v)] = 1;
      }
    }
  }

  // Whether the body alone resists every motion of a joint at it. Half of the ground does: it weighs what it likes.
  bool resists(int edge, int vertex) const {
    if (vertex == 0) return true;
    const model::Joint& joint = model_.joint(mechanism_.joints[at(edge)]);
    const Columns motion = motion_subspace(joint.type, joint.pitch, model::drawn_frame_a(model_, joint),
                                           model::drawn_frame_b(model_, joint))
                               .s;
    const Inertia6 inertia = math::spatial_matrix(inertia_of(vertex));
    // The body alone, as if it ended a branch.
    return detail::least_resistance(motion, inertia, inertia, joint.spec.armature) > detail::kSingular;
  }
  // Whether some joint at it meets no inertia of its own.
  bool is_light(int vertex) const { return light_[at(vertex)] != 0; }
  bool has_light() const { return std::find(light_.begin(), light_.end(), 1) != light_.end(); }

 private:
  static std::size_t at(int index) { return to_index(index); }

  math::Inertia inertia_of(int vertex) const {
    math::Inertia sum;
    for (const model::BodyId id : mechanism_.bodies[at(vertex)])
      sum = sum + math::transformed(model_.body(id).X_WB, model_.body(id).inertia);
    return sum;
  }
  // A body that has mass and inertia about every axis resists any joint.
  bool is_thin(int vertex) const {
    const math::Inertia inertia = inertia_of(vertex);
    if (!(inertia.mass > 0)) return true;
    const Eigen::Vector3d moments = math::principal_moments(inertia.about_com);
    // Written so that moments that are no numbers count as thin.
    return !(moments[0] > detail::kSingular * moments[2]);
  }

  const model::Model& model_;
  const Mechanism& mechanism_;
  std::vector<char> light_;  // by vertex
};

// How much is lost where a joint is cut: the larger, the sooner it is pinned.
enum class Loss { kNothing, kComfort, kCoordinate, kEquation, kRun };

std::vector<Loss> find_losses(const model::Model& model, const Mechanism& mechanism) {
  const Masses masses(model, mechanism);
  const model::Laws laws = model::resolve_laws(model);
  std::vector<Loss> losses(mechanism.joints.size(), Loss::kNothing);
  for (std::size_t e = 0; e < losses.size(); ++e) {
    const graph::Edge& ends = mechanism.graph.edges[e];
    if (ends.a == ends.b) continue;
    const std::size_t j = mechanism.joints[e].index();
    const int edge = static_cast<int>(e);
    const model::JointLaw& law = laws.joints[j];
    const char* equation = equation_on(laws, law);
    // Cut it works as well; kept, its equation has one number for each of its terms.
    if (!law.motions.empty() || !law.couplings.empty()) losses[e] = Loss::kComfort;
    // A light body must not end a branch: its joints are better kept.
    const bool light = masses.is_light(ends.a) || masses.is_light(ends.b);
    if (!light && need_of(model.joints[j], law, equation).empty()) continue;
    losses[e] = equation != nullptr ? Loss::kEquation : Loss::kCoordinate;
    // Neither end can be cut in two for it afterwards: it is now or never.
    if (!masses.resists(edge, ends.a) && !masses.resists(edge, ends.b)) losses[e] = Loss::kRun;
  }
  return losses;
}

class Keeper {
 public:
  Keeper(const model::Model& model, const Mechanism& mechanism, const plan::Plan& plan)
      : model_(model), mechanism_(mechanism), masses_(model, mechanism), tree_{plan, {}} {}

  // First all coordinates that laws need; each cut may leave a branch without mass, so branches are looked at last.
  RunTree keep() {
    keep_coordinates();
    while (masses_.has_light() && mend_branches()) {
    }
    return std::move(tree_);
  }

 private:
  static std::size_t at(int index) { return to_index(index); }

  void keep_coordinates() {
    const std::vector<std::string> needs = coordinate_needs(model_, model::resolve_laws(model_));
    const std::vector<int> depth = depths();
    std::vector<plan::GivenTree::Half> halves;
    for (const int e : tree_.plan.cut) {
      const std::string& need = needs[mechanism_.joints[at(e)].index()];
      if (need.empty()) continue;
      const int body = body_to_cut(e, depth);
      if (body >= 0) cut(e, body, need + " needs its coordinate", halves);
    }
    tree_.plan = plan::keep_joints(std::move(tree_.plan), halves);
  }

  // The half hangs on the end that is nearer to the root; the ground is cut last. -1 where neither end has mass.
  int body_to_cut(int edge, const std::vector<int>& depth) const {
    const graph::Edge ends = tree_.plan.network.graph.edges[at(edge)];
    if (ends.a == ends.b) return -1;
    std::array<int, 2> order = {ends.b, ends.a};
    // Hung on the longer way, the half would make the critical branch longer still.
    if (depth[at(ends.a)] > depth[at(ends.b)]) std::swap(order[0], order[1]);
    if (order[0] == 0) std::swap(order[0], order[1]);
    const auto body = std::find_if(order.begin(), order.end(), [&](int v) { return masses_.resists(edge, v); });
    return body == order.end() ? -1 : *body;
  }

  void cut(int edge, int body, std::string why, std::vector<plan::GivenTree::Half>& halves) {
    halves.push_back({edge, body});
    tree_.kept.push_back({mechanism_.joints[at(edge)], mechanism_.bodies[at(body)].front(), std::move(why)});
  }

  std::vector<int> depths() const {
    const graph::Tree& tree = tree_.plan.tree;
    std::vector<int> depth(tree.parent.size(), 0);
    for (const int v : tree.order) {
      if (tree.parent[at(v)] >= 0) depth[at(v)] = depth[at(tree.parent[at(v)])] + 1;
    }
    return depth;
  }

  // A branch that nothing resists gets a half of the body with which a cut joint closes it; one a round, since what it
  // gets may be enough for the links above it. False where no branch can be mended.
  bool mend_branches() {
    // Resistances are those of the whole tree as it is now, with what rounds before have hung on it.
    const System system = detail::make_plain_system(model_, mechanism_, tree_.plan);
    const std::vector<double> resistance = detail::link_resistances(system);
    std::vector<plan::GivenTree::Half> halves;
    int mended = static_cast<int>(system->links.size());  // the branch of this link and all behind it
    for (int i = mended - 1; i > 0; --i) {
      if (resistance[at(i)] > detail::kSingular) continue;
      const int end = end_of_branch(system, i);
      // Not a branch that holds one mended in this round: what hangs there has changed.
      if (end > mended) continue;
      for (const int e : tree_.plan.cut) {
        const graph::Edge& ends = tree_.plan.network.graph.edges[at(e)];
        const bool near_a = lies_in(system, ends.a, i, end), near_b = lies_in(system, ends.b, i, end);
        // A cut joint with both ends in the branch, or none, brings it nothing from outside.
        if (near_a == near_b || !masses_.resists(e, near_a ? ends.b : ends.a)) continue;
        const model::Body& light = model_.body(mechanism_.bodies[at(near_a ? ends.a : ends.b)].front());
        cut(e, near_a ? ends.b : ends.a, fmt::format("nothing would resist body {}", in_quotes(light.name)), halves);
        mended = i;
        break;
      }
    }
    tree_.plan = plan::keep_joints(std::move(tree_.plan), halves);
    return !halves.empty();
  }

  // Whether a body is in the branch of links [begin, end).
  bool lies_in(const System& system, int vertex, int begin, int end) const {
    const int link = system->body_places[mechanism_.bodies[at(vertex)].front().index()].link;
    return link >= begin && link < end;
  }

  // A branch is a range of links.
  static int end_of_branch(const System& system, int link) {
    int end = link + 1;
    while (end < static_cast<int>(system->links.size()) && system->links[at(end)].parent >= link) ++end;
    return end;
  }

  const model::Model& model_;
  const Mechanism& mechanism_;
  const Masses masses_;
  RunTree tree_;
};

}  // namespace

std::vector<std::string> coordinate_needs(const model::Model& model, const model::Laws& laws) {
  std::vector<std::string> needs;
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    needs.push_back(need_of(model.joints[j], laws.joints[j], equation_on(laws, laws.joints[j])));
  return needs;
}

plan::PlanOptions options_for_run(const model::Model& model, const Mechanism& mechanism, plan::PlanOptions options) {
  const std::vector<Loss> losses = find_losses(model, mechanism);
  std::vector<int> order(losses.size());
  std::iota(order.begin(), order.end(), 0);
  // Kruskal's method with losses for weights: a tree that keeps the most important joints first.
  std::stable_sort(order.begin(), order.end(), [&](int e, int f) { return losses[to_index(e)] > losses[to_index(f)]; });
  std::vector<char> decided(losses.size(), 0);
  // What the user has said of a joint stands.
  for (const std::vector<int>* edges : {&options.pin, &options.cut, &options.cut_body}) {
    for (const int e : *edges) decided[to_index(e)] = 1;
  }
  DisjointSets joined(to_index(mechanism.graph.vertices));
  const auto join = [&](int e) {
    const graph::Edge& edge = mechanism.graph.edges[to_index(e)];
    return joined.join(edge.a, edge.b);
  };
  // They are in the tree already: what would close a loop with them cannot be kept.
  for (const int e : options.pin) join(e);
  for (const int e : order) {
    const auto place = to_index(e);
    if (losses[place] == Loss::kNothing) break;
    if (decided[place] == 0 && join(e)) options.pin.push_back(e);
  }
  return options;
}

RunTree make_run_tree(const model::Model& model, const Mechanism& mechanism, const plan::Plan& plan) {
  return Keeper(model, mechanism, plan).keep();
}

std::string kept_text(const model::Model& model, const KeptJoint& kept) {
  return fmt::format("joint {} stays in the tree, since {}; body {} is cut in two instead",
                     in_quotes(model.joint(kept.joint).name), kept.why, in_quotes(model.body(kept.body).name));
}

}  // namespace espalier::dynamics
