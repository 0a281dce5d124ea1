#include "espalier/plan/task_tree.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::plan {
namespace {

// In depth-first order: each node stands on the one before it or on one of its ancestors.
std::vector<int> random_tree(int nodes, std::uint32_t key) {
  Random random(3, key);
  std::vector<int> parent = {-1};
  for (int i = 1; i < nodes; ++i) {
    int on = i - 1;
    while (on > 0 && random.below(3) == 0) on = parent[to_index(on)];
    parent.push_back(on);
  }
  return parent;
}

void add_binary(int on, int levels, std::vector<int>& parent) {
  if (levels == 0) return;
  const int node = static_cast<int>(parent.size());
  parent.push_back(on);
  add_binary(node, levels - 1, parent);
  add_binary(node, levels - 1, parent);
}

TaskTree tasks_of(const std::vector<int>& parent) {
  return make_task_tree(parent, std::vector<bool>(parent.size(), false));
}

TEST(MakeTaskTree, CountsOfABinaryTreeAreKnown) {
  std::vector<int> parent = {-1};
  add_binary(0, 11, parent);
  ASSERT_EQ(parent.size(), 2048U);
  // Branches of 2047 (with the root), 1023, 511, 255 and 127 nodes; on the last the two of 63 together.
  const TaskTree tree = tasks_of(parent);
  EXPECT_EQ(tree.tasks.size(), 1U + 2 + 4 + 8 + 16 + 16);
  EXPECT_EQ(tree.levels, 6);
}

TEST(MakeTaskTree, EveryNodeIsInOneTaskBesideOrBehindItsParents) {
  for (std::uint32_t key = 0; key < 30; ++key) {
    const std::vector<int> parent = random_tree(50 + 100 * static_cast<int>(key), key);
    const TaskTree tree = tasks_of(parent);
    std::vector<int> task_of(parent.size(), -1), below(tree.tasks.size(), -1);
    for (std::size_t t = 0; t < tree.tasks.size(); ++t) {
      const Task& task = tree.tasks[t];
      for (int i = task.begin; i < task.end; ++i) {
        EXPECT_EQ(task_of[to_index(i)], -1);
        task_of[to_index(i)] = static_cast<int>(t);
      }
      for (int b = task.first_branch; b < task.end_branch; ++b)
        below[to_index(tree.branches[to_index(b)])] = static_cast<int>(t);
    }
    for (std::size_t i = 1; i < parent.size(); ++i) {
      const int own = task_of[i], stands_on = task_of[to_index(parent[i])];
      ASSERT_GE(own, 0);
      EXPECT_TRUE(own == stands_on || below[to_index(own)] == stands_on) << key << " " << i;
    }
  }
}

// The longest way of tasks that wait for each other, with its handovers.
double longest_way(const TaskTree& tree, const std::vector<double>& seconds, double handover, std::size_t t) {
  const Task& task = tree.tasks[t];
  const bool forks = task.end_branch - task.first_branch > 1;
  double most = 0;
  for (int b = task.first_branch; b < task.end_branch; ++b) {
    const auto branch = to_index(tree.branches[to_index(b)]);
    most = std::max(most, longest_way(tree, seconds, handover, branch) + (forks ? handover : 0));
  }
  return most + seconds[t];
}

TEST(SharedTime, StaysWithinGrahamsBound) {
  for (std::uint32_t key = 0; key < 30; ++key) {
    const TaskTree tree = tasks_of(random_tree(3000, key));
    Random random(4, key);
    std::vector<double> seconds(tree.tasks.size());
    for (double& second : seconds) second = random.uniform(1, 2);
    const double total = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    const double path = longest_way(tree, seconds, 0, tree.tasks.size() - 1);
    EXPECT_EQ(shared_time(tree, seconds, 5, 1), total);
    for (const int workers : {2, 3, 8}) {
      const double time = shared_time(tree, seconds, 0, workers);
      EXPECT_GE(time, std::max(path, total / workers) - 1e-9);
      EXPECT_LE(time, total / workers + (1 - 1.0 / workers) * path + 1e-9);
      EXPECT_GT(shared_time(tree, seconds, 0.1, workers), time);
    }
    EXPECT_NEAR(shared_time(tree, seconds, 0.25, 10'000), longest_way(tree, seconds, 0.25, tree.tasks.size() - 1),
                1e-9);
  }
}

// Four branches of 65 nodes on the root, a task of one node and one of 64 on it, which is gone on with: two workers
// take two branches each, the root waits.
TEST(SharedTime, TwoWorkersTakeTwoBranchesEach) {
  std::vector<int> parent = {-1};
  for (int i = 0; i < 4 * 65; ++i) parent.push_back(i % 65 == 0 ? 0 : i);
  const TaskTree tree = tasks_of(parent);
  ASSERT_EQ(tree.tasks.size(), 9U);
  EXPECT_DOUBLE_EQ(shared_time(tree, std::vector<double>{2, 1, 2, 1, 2, 1, 2, 1, 1}, 0.5, 2), 2 * 3.5 + 1);
}

}  // namespace
}  // namespace espalier::plan
