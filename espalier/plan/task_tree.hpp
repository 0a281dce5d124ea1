#pragma once

// How one pass over a tree is cut into tasks for several workers, and how long they then need. dynamics works on these
// tasks and no others. They do not depend on the number of workers, so neither does any result.

#include <span>
#include <vector>

namespace espalier::plan {

// A task that is worth handing to another worker [nodes]: some 5 us of work.
inline constexpr int kTaskGrain = 64;

// Nodes [begin, end), one after the other, and the branches that stand on the last of them. Branches know nothing of
// each other; outwards they come after the task's own nodes, inwards before. Nodes of a task without branches are
// walked through as they stand.
struct Task {
  int begin = 0;
  int end = 0;
  int first_branch = 0;  // in TaskTree::branches
  int end_branch = 0;
};

struct TaskTree {
  std::vector<Task> tasks;    // the last is the root's, with all others beneath it
  std::vector<int> branches;  // tasks
  int levels = 0;             // tasks one of which waits for the next, at most
};

// `parent` by node, 0 is the root; a node's branch follows it without a gap, but where the node is anchored: such a
// node is a task of its own. Branches of more than kTaskGrain nodes become tasks, smaller neighbours are put together.
// O(nodes).
TaskTree make_task_tree(std::span<const int> parent, const std::vector<bool>& anchored);

// Time until the last task is done, by list scheduling: whoever is free takes the task with the longest way still ahead
// [Graham69]. `seconds` by task: of all passes together, inwards and outwards take the same time. Handing a task over
// costs `handover` besides; one worker hands nothing over.
double shared_time(const TaskTree& tree, std::span<const double> seconds, double handover, int workers);

}  // namespace espalier::plan
