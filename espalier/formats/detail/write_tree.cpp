#include "espalier/formats/detail/write_tree.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "espalier/base/disjoint_sets.hpp"

namespace espalier::formats::detail {
namespace {

using model::BodyId;
using model::Joint;
using model::JointId;
using model::Model;

// Kruskal's rule: keep the best joints that close no loop.
std::vector<bool> choose_tree(const Model& model, const std::function<int(const Joint&)>& keep) {
  std::vector<int> order(model.joints.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
    const Joint& a = model.joints[i];
    const Joint& b = model.joints[j];
    // Stable, so that joints of equal rank keep the order of the file.
    if (keep(a) != keep(b)) return keep(a) > keep(b);
    // The author's own closures are cut before others.
    return !a.spec.closure && b.spec.closure;
  });
  DisjointSets sets(model.bodies.size());
  std::vector<bool> in_tree(model.joints.size(), false);
  for (const int j : order) in_tree[j] = sets.join(model.joints[j].a.value(), model.joints[j].b.value());
  return in_tree;
}

struct Step {
  JointId joint;
  BodyId to;
  bool reversed;
};
using Adjacency = std::vector<std::vector<Step>>;

Adjacency tree_adjacency(const Model& model, const std::vector<bool>& in_tree) {
  Adjacency steps(model.bodies.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (!in_tree[j]) continue;
    const Joint& joint = model.joints[j];
    // Both directions: the tree may pass a joint from either side.
    steps[joint.a.index()].push_back({JointId(j), joint.b, false});
    steps[joint.b.index()].push_back({JointId(j), joint.a, true});
  }
  return steps;
}

// Appends the piece that hangs on `root`, breadth first.
void append_piece(const Adjacency& steps, BodyId root, std::vector<bool>& seen, std::vector<WriteTree::Node>& nodes) {
  std::size_t next = nodes.size();
  nodes.push_back({root, BodyId(), JointId(), false});
  seen[root.index()] = true;
  for (; next < nodes.size(); ++next) {
    const BodyId body = nodes[next].body;
    for (const Step& step : steps[body.index()]) {
      if (seen[step.to.index()]) continue;
      seen[step.to.index()] = true;
      nodes.push_back({step.to, body, step.joint, step.reversed});
    }
  }
}

// The root of the piece that hangs on `start`: moving the root over one joint changes the number of reversed joints by
// one, so one walk finds the best. `seen` comes back as it was: thousands of loose bodies share it.
BodyId best_root(const Adjacency& steps, BodyId start, std::vector<bool>& seen) {
  std::vector<WriteTree::Node> nodes;
  append_piece(steps, start, seen, nodes);
  std::map<BodyId, int> change = {{start, 0}};
  BodyId best = start;
  for (const WriteTree::Node& node : nodes) {
    seen[node.body.index()] = false;
    if (!node.parent.valid()) continue;
    // Passing a joint against its direction makes it right, passing it along makes it wrong.
    const int here = change[node.body] = change[node.parent] + (node.reversed ? -1 : 1);
    const int difference = here - change[best];
    // Ties go to the lowest body, so that the same model always has the same root.
    if (difference < 0 || (difference == 0 && node.body < best)) best = node.body;
  }
  return best;
}

}  // namespace

WriteTree make_write_tree(const Model& model, const std::function<int(const Joint&)>& keep) {
  const std::vector<bool> in_tree = choose_tree(model, keep);
  const Adjacency steps = tree_adjacency(model, in_tree);
  WriteTree tree;
  std::vector<bool> seen(model.bodies.size(), false);
  // What the ground holds is rooted there; only floating pieces choose.
  append_piece(steps, model::kGroundId, seen, tree.nodes);
  for (std::size_t b = 1; b < model.bodies.size(); ++b) {
    if (!seen[b]) append_piece(steps, best_root(steps, BodyId(b), seen), seen, tree.nodes);
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (!in_tree[j]) tree.closures.push_back(JointId(j));
  }
  return tree;
}

}  // namespace espalier::formats::detail
