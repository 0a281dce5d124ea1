#include "espalier/formats/detail/write_tree.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::formats::detail {
namespace {

using model::BodyId;
using model::Joint;
using model::JointId;
using model::Model;

// A model that is nothing but a graph; body 0 is the ground.
Model graph(int bodies, const std::vector<std::pair<int, int>>& joints) {
  Model model;
  model.bodies.resize(to_index(bodies));
  for (const auto& [a, b] : joints) {
    Joint joint;
    joint.name = "J" + std::to_string(model.joints.size());
    joint.a = BodyId(a);
    joint.b = BodyId(b);
    model.joints.push_back(joint);
  }
  return model;
}

int all_alike(const Joint&) { return 0; }

int reversed_joints(const WriteTree& tree) {
  return static_cast<int>(
      std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const auto& n) { return n.reversed; }));
}

// Every body once, parents first, each joint between the body and its parent, all other joints closures.
void expect_tree(const Model& model, const WriteTree& tree) {
  ASSERT_EQ(tree.nodes.size(), model.bodies.size());
  EXPECT_EQ(tree.nodes[0].body, model::kGroundId);
  std::vector<bool> seen(model.bodies.size(), false);
  std::vector<bool> used(model.joints.size(), false);
  for (const WriteTree::Node& node : tree.nodes) {
    EXPECT_FALSE(seen[node.body.index()]);
    seen[node.body.index()] = true;
    EXPECT_EQ(node.parent.valid(), node.joint.valid());
    if (!node.parent.valid()) continue;
    EXPECT_TRUE(seen[node.parent.index()]);
    const Joint& joint = model.joint(node.joint);
    EXPECT_EQ(node.reversed ? joint.b : joint.a, node.parent);
    EXPECT_EQ(node.reversed ? joint.a : joint.b, node.body);
    used[node.joint.index()] = true;
  }
  for (const JointId id : tree.closures) {
    EXPECT_FALSE(used[id.index()]);
    used[id.index()] = true;
  }
  EXPECT_TRUE(std::is_sorted(tree.closures.begin(), tree.closures.end()));
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
}

//  ground -J0- 1 -J1- 2 -J2- 3 -J3- ground
TEST(WriteTree, OpensAFourBarAtItsLastJoint) {
  const Model model = graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  const WriteTree tree = make_write_tree(model, all_alike);
  expect_tree(model, tree);
  EXPECT_EQ(tree.closures, std::vector{JointId(3)});
  EXPECT_EQ(reversed_joints(tree), 0);
}

TEST(WriteTree, OpensWhereItsAuthorDid) {
  Model model = graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  model.joints[1].spec.closure = true;
  const WriteTree tree = make_write_tree(model, all_alike);
  expect_tree(model, tree);
  EXPECT_EQ(tree.closures, std::vector{JointId(1)});
  // 2 hangs on 3, and 3 on the ground by its b: both stand reversed.
  EXPECT_EQ(reversed_joints(tree), 2);
}

TEST(WriteTree, KeepsWhatTheFormatNeedsBeforeWhatTheAuthorMarked) {
  Model model = graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  model.joints[1].spec.closure = true;
  const WriteTree tree = make_write_tree(model, [](const Joint& j) { return j.name == "J2" ? -1 : 0; });
  expect_tree(model, tree);
  EXPECT_EQ(tree.closures, std::vector{JointId(2)});
}

TEST(WriteTree, HasSeveralPiecesWhereTheModelHas) {
  const Model model = graph(5, {{3, 2}, {3, 4}});
  const WriteTree tree = make_write_tree(model, all_alike);
  expect_tree(model, tree);
  EXPECT_EQ(tree.nodes[1].body, BodyId(1));
  EXPECT_EQ(tree.nodes[2].body, BodyId(3));
  EXPECT_EQ(reversed_joints(tree), 0);
}

// Reversed joints of a tree over bodies 1 .. n-1 when it hangs on `root`.
int reversed_from(int root, int bodies, const std::vector<std::pair<int, int>>& joints) {
  std::vector<bool> seen(to_index(bodies), false);
  seen[to_index(root)] = true;
  int count = 0;
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [a, b] : joints) {
      if (seen[a] == seen[b]) continue;
      count += seen[b] ? 1 : 0;
      seen[a] = seen[b] = grown = true;
    }
  }
  return count;
}

TEST(WriteTree, RootsAFloatingPieceWhereTheFewestJointsStandReversed) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Random random(7, seed);
    const int bodies = 2 + random.below(12);
    std::vector<std::pair<int, int>> joints;
    for (int b = 2; b < bodies; ++b) {
      const int other = 1 + random.below(b - 1);
      joints.push_back(random.below(2) == 0 ? std::pair(b, other) : std::pair(other, b));
    }
    const Model model = graph(bodies, joints);
    const WriteTree tree = make_write_tree(model, all_alike);
    expect_tree(model, tree);
    int best = 1;
    for (int root = 2; root < bodies; ++root) {
      if (reversed_from(root, bodies, joints) < reversed_from(best, bodies, joints)) best = root;
    }
    EXPECT_EQ(tree.nodes[1].body, BodyId(best)) << "seed " << seed;
    EXPECT_EQ(reversed_joints(tree), reversed_from(best, bodies, joints)) << "seed " << seed;
  }
}

TEST(WriteTree, CoversRandomGraphsWithTheBestKeepers) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Random random(8, seed);
    const int bodies = 2 + random.below(8);
    std::vector<std::pair<int, int>> joints;
    for (int k = random.below(16); k > 0; --k) {
      const int a = random.below(bodies);
      joints.emplace_back(a, (a + 1 + random.below(bodies - 1)) % bodies);
    }
    Model model = graph(bodies, joints);
    for (Joint& joint : model.joints) joint.pitch = random.below(3);
    const auto keep = [](const Joint& j) { return static_cast<int>(j.pitch); };
    const WriteTree tree = make_write_tree(model, keep);
    expect_tree(model, tree);
    // Kruskal's promise: no closure is kept more gladly than any joint on the way around its loop.
    std::vector<const WriteTree::Node*> node_of(model.bodies.size());
    for (const WriteTree::Node& node : tree.nodes) node_of[node.body.index()] = &node;
    for (const JointId id : tree.closures) {
      const auto path = [&](BodyId body) {
        std::vector<JointId> joints_up;
        for (; node_of[body.index()]->parent.valid(); body = node_of[body.index()]->parent)
          joints_up.push_back(node_of[body.index()]->joint);
        return joints_up;
      };
      std::vector<JointId> up = path(model.joint(id).a), down = path(model.joint(id).b), loop;
      std::sort(up.begin(), up.end());
      std::sort(down.begin(), down.end());
      std::set_symmetric_difference(up.begin(), up.end(), down.begin(), down.end(), std::back_inserter(loop));
      for (const JointId on_loop : loop)
        EXPECT_LE(keep(model.joint(id)), keep(model.joint(on_loop))) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace espalier::formats::detail
