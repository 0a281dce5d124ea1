#include "espalier/plan/task_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/plan/detail/list_schedule.hpp"

namespace espalier::plan {
namespace {

class TaskMaker {
 public:
  TaskMaker(std::span<const int> parent, const std::vector<bool>& anchored)
      : anchored_(anchored), children_(parent.size()), size_(parent.size(), 1) {
    for (std::size_t i = 1; i < parent.size(); ++i) {
      children_[to_index(parent[i])].push_back(static_cast<int>(i));
    }
    // From the tips: an anchored node is a task of its own, so that its branch does not count for its parent.
    for (std::size_t i = parent.size(); i-- > 1;) {
      if (!anchored_[i]) size_[to_index(parent[i])] += size_[i];
    }
  }

  TaskTree make() {
    made_.levels = add_task(0).second;
    return std::move(made_);
  }

 private:
  using Made = std::pair<int, int>;  // task, levels

  // 1. The nodes of the task: a chain as far as it goes on without a fork.
  // 2. Its branches: large ones are tasks, small neighbours are put together until they are worth one.
  // 3. The task itself behind them, since whoever walks inwards needs them first.
  Made add_task(int node) {
    Task task;
    task.begin = node;
    const int last = last_of_chain(node);
    task.end = last + 1;
    int levels = 0;
    std::vector<int> branches;
    std::pair<int, int> small(0, 0);
    // Nodes [first, second) of small branches that follow each other without a gap.
    const auto finish_small = [&] {
      if (small.second > small.first) {
        branches.push_back(add({small.first, small.second, 0, 0}));
        levels = std::max(levels, 1);
      }
      small = {0, 0};
    };
    for (const int child : children_[to_index(last)]) {
      if (is_large(child)) {
        const auto [made, below] = add_task(child);
        branches.push_back(made);
        levels = std::max(levels, below);
        continue;
      }
      // A large branch in between leaves a gap, and a task of one range has none.
      if (small.second != child || small.second - small.first >= kTaskGrain) finish_small();
      if (small.second == 0) small.first = child;
      small.second = child + size_[to_index(child)];
    }
    finish_small();
    task.first_branch = static_cast<int>(made_.branches.size());
    made_.branches.insert(made_.branches.end(), branches.begin(), branches.end());
    task.end_branch = static_cast<int>(made_.branches.size());
    return {add(task), levels + 1};
  }

  // A node with one large branch goes on with it: no fork in between.
  int last_of_chain(int node) const {
    while (children_[to_index(node)].size() == 1 && !anchored_[to_index(node)] &&
           is_large(children_[to_index(node)].front())) {
      node = children_[to_index(node)].front();
    }
    return node;
  }

  // An anchored node is large by definition: its branch may be as small as it likes.
  bool is_large(int node) const {
    return anchored_[to_index(node)] || size_[to_index(node)] > kTaskGrain;
  }

  int add(const Task& task) {
    made_.tasks.push_back(task);
    return static_cast<int>(made_.tasks.size()) - 1;
  }

  const std::vector<bool>& anchored_;
  std::vector<std::vector<int>> children_;
  std::vector<int> size_;  // nodes of the branch
  TaskTree made_;
};

}  // namespace

TaskTree make_task_tree(std::span<const int> parent, const std::vector<bool>& anchored) {
  return TaskMaker(parent, anchored).make();
}

double shared_time(const TaskTree& tree, std::span<const double> seconds, double handover, int workers) {
  ESPALIER_CHECK(workers >= 1 && seconds.size() == tree.tasks.size(), "every task has a time, and there is a worker");
  // One worker waits for nobody and hands nothing over: the plain sum, without the rounding of a schedule.
  if (workers == 1) return std::accumulate(seconds.begin(), seconds.end(), 0.0);
  detail::Steps steps(tree.tasks.size());
  for (std::size_t t = 0; t < seconds.size(); ++t) steps.cost[t] = seconds[t];
  // Inwards: a task waits for its branches. Those stand before it, so that the ways are known from the root on.
  for (std::size_t t = tree.tasks.size(); t-- > 0;) {
    const Task& task = tree.tasks[t];
    steps.ahead[t] += steps.cost[t];
    steps.before[t] = task.end_branch - task.first_branch;
    if (steps.before[t] == 0) steps.first.push_back(static_cast<int>(t));
    for (int b = task.first_branch; b < task.end_branch; ++b) {
      const auto branch = to_index(tree.branches[to_index(b)]);
      // A single branch is gone on with by whoever had it: nothing is handed over.
      if (steps.before[t] > 1) steps.cost[branch] += handover;
      steps.ahead[branch] = steps.ahead[t];
      steps.after[branch].push_back(static_cast<int>(t));
    }
  }
  return detail::end_of(detail::list_schedule(std::move(steps), workers));
}

}  // namespace espalier::plan
