#include <algorithm>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/graph/graph.hpp"
#include "espalier/study/detail/view_run.hpp"

namespace espalier::study::detail {
namespace {

// The vertices from the farthest leaf up to its root, without the root.
std::vector<int> critical_branch(const plan::Plan& plan) {
  const std::vector<double> depth = graph::depths(plan.tree, plan.network.length);
  std::vector<int> branch;
  if (depth.empty()) return branch;
  // The first of equals, as the plan's own report has it.
  auto vertex = static_cast<int>(std::max_element(depth.begin(), depth.end()) - depth.begin());
  for (; plan.tree.parent[to_index(vertex)] >= 0; vertex = plan.tree.parent[to_index(vertex)]) {
    branch.push_back(vertex);
  }
  return branch;
}

std::vector<std::string> facts_of(const plan::Plan& plan) {
  std::vector<std::string> facts = {
      fmt::format("critical branch {}", number_text(plan.measure.length)),
      fmt::format("weight {}", number_text(plan.measure.weight)),
  };
  if (plan.equations) facts.push_back(counted(to_index(*plan.equations), "equation"));
  if (plan.optimal) facts.emplace_back("proved optimal");
  return facts;
}

// Halves of a body that was cut are vertices behind the others.
std::vector<int> bodies_of(const plan::Mechanism& mechanism, const plan::Plan& plan, int vertex) {
  for (const plan::HalfBody& half : plan.half_bodies) {
    // A half shows the bodies of its other half.
    if (half.vertex == vertex) return bodies_of(mechanism, plan, half.other);
  }
  std::vector<int> bodies;
  for (const model::BodyId id : mechanism.bodies[to_index(vertex)]) {
    bodies.push_back(static_cast<int>(id.index()));
  }
  return bodies;
}

}  // namespace

draw::ViewTree view_tree(const model::Model& model, const plan::Mechanism& mechanism, const plan::Plan& plan,
                         const CutReasons& reasons) {
  draw::ViewTree tree;
  const auto joint_of = [&](int edge) {
    return edge < 0 ? -1 : static_cast<int>(mechanism.joints[to_index(edge)].index());
  };
  const auto vertices = static_cast<int>(plan.tree.parent.size());
  for (int v = 0; v < vertices; ++v) {
    // A vertex is a group of welded bodies: the page marks all of them.
    tree.vertices.push_back({plan::vertex_name(plan.network, v), bodies_of(mechanism, plan, v)});
    tree.joint.push_back(joint_of(plan.tree.parent_edge[to_index(v)]));
  }
  tree.parent = plan.tree.parent;
  tree.level = graph::levels(plan.tree);
  tree.critical = critical_branch(plan);
  tree.facts = facts_of(plan);
  for (const int edge : plan.cut) {
    const graph::Edge& ends = plan.network.graph.edges[to_index(edge)];
    tree.cut.push_back({joint_of(edge), ends.a, ends.b, ""});
  }
  for (draw::ViewTree::Cut& cut : tree.cut) {
    const std::string& name = model.joints[to_index(cut.joint)].name;
    const auto reason = reasons.find(name);
    if (reason != reasons.end()) cut.why = fmt::format("Joint {} is cut: {}.", name, reason->second);
  }
  return tree;
}

}  // namespace espalier::study::detail
