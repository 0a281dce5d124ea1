#include "espalier/plan/detail/time_tree.hpp"

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/plan/schedule.hpp"
#include "espalier/plan/test/small_plans.hpp"

namespace espalier::plan::detail {
namespace {

Network network_of(const Result<model::ModelSpec>& spec) {
  EXPECT_TRUE(spec);
  const Result<model::Model> model = model::compile(*spec);
  EXPECT_TRUE(model);
  return make_network(*model, make_mechanism(*model), Weights::kLiu);
}

graph::Tree tree_of(const TimeTree& time, int vertices) {
  graph::Tree tree;
  for (int v = 0; v < vertices; ++v) {
    tree.parent.push_back(time.parent(v));
    tree.parent_edge.push_back(time.parent_edge(v));
    if (time.parent(v) < 0) tree.order.push_back(v);
  }
  tree.root = tree.order.front();
  for (std::size_t k = 0; k < tree.order.size(); ++k) {
    for (const int child : time.children(tree.order[k])) tree.order.push_back(child);
  }
  EXPECT_EQ(tree.order.size(), to_index(vertices));
  return tree;
}

// A random walk over trees, each change checked against the tree made anew, one in two taken back.
void walk(const Network& network, std::uint32_t key, int workers) {
  Random random(41, key);
  TimeTree time(network, {}, {}, workers);
  TimeTree anew(network, {}, {}, workers);
  const int root = network.ground >= 0 ? network.ground : random.below(network.graph.vertices);
  ASSERT_TRUE(time.set(graph::breadth_first_tree(graph::Adjacency(network.graph), network.graph.vertices, root)));
  for (int step = 0; step < 30; ++step) {
    const graph::Tree before = tree_of(time, network.graph.vertices);
    const double time_before = time.time();
    const std::vector<int> cuts = graph::chords(before, network.graph.edges.size());
    if (network.ground < 0 && random.below(3) == 0) {
      const std::span<const int> children = time.children(before.root);
      if (children.empty()) return;
      time.move_root(children[random.below(static_cast<int>(children.size()))]);
    } else {
      if (cuts.empty()) return;
      const int cut = cuts[random.below(static_cast<int>(cuts.size()))];
      const std::vector<int> loop = time.loop_edges(cut);
      if (loop.empty()) continue;
      time.exchange(cut, loop[random.below(static_cast<int>(loop.size()))]);
    }
    ASSERT_TRUE(anew.set(tree_of(time, network.graph.vertices)));
    EXPECT_EQ(time.count(), anew.count()) << "walk " << key << ", step " << step;
    EXPECT_NEAR(time.time(), anew.time(), 1e-12 * anew.time());
    EXPECT_NEAR(time.path(), anew.path(), 1e-12 * anew.path());
    if (random.below(2) == 0) continue;
    time.undo();
    EXPECT_EQ(tree_of(time, network.graph.vertices).parent_edge, before.parent_edge);
    EXPECT_EQ(time.time(), time_before);
  }
}

TEST(TimeTree, ChangedStepByStepIsTheTreeMadeAnew) {
  for (std::uint32_t key = 0; key < 120; ++key) walk(small_mechanism(key), key, key % 2 == 0 ? 1 : 4);
}

// Planar loops that share joints with spatial ones: exchanges change the number of independent equations.
TEST(TimeTree, FollowsLoopsThatBecomePlanar) {
  for (std::uint32_t key = 0; key < 60; ++key) {
    Network network = small_mechanism(key);
    Random random(42, key);
    for (int& f : network.freedom) {
      f = 1;
      JointAxis axis;
      axis.kind = JointAxis::Kind::kHinge;
      if (random.below(4) == 0) axis.in_a = axis.in_b = Eigen::Vector3d::UnitX();
      network.axes.push_back(axis);
    }
    walk(network, key, 1);
  }
}

TEST(TimeTree, OfLargerMechanismsToo) {
  walk(network_of(model::generate_lattice(5, 6)), 1, 1);
  walk(network_of(model::generate_strandbeest(2)), 2, 2);
  walk(network_of(model::generate_ladder(12)), 3, 1);
}

TEST(TimeTree, RefusesATreeThatTakesTooLong) {
  const Network network = network_of(model::generate_ladder(4));
  TimeTree time(network, {}, {}, 1);
  const graph::Tree tree = graph::breadth_first_tree(graph::Adjacency(network.graph), network.graph.vertices, 0);
  ASSERT_TRUE(time.set(tree));
  const double seconds = time.time();
  EXPECT_FALSE(time.set(tree, 0.99 * seconds));
  EXPECT_TRUE(time.set(tree, 1.01 * seconds));
}

}  // namespace
}  // namespace espalier::plan::detail
