#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "espalier/dynamics/detail/kernel.hpp"
#include "espalier/dynamics/detail/program.hpp"

namespace espalier::dynamics::detail {

// The kernel of a Workspace for `lanes` states at once (1 or kLanes), its program and its memory.
class Engine {
 public:
  Engine(const System& system, const std::vector<bool>& dropped, int lanes = 1);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Program& program() const { return program_; }
  const KernelTable& table() const { return *table_; }
  KernelMemory& memory() { return memory_; }
  int links() const { return static_cast<int>(program_.links.size()); }

  // Of one lane.
  LinkState<double>& link(std::size_t i) { return static_cast<LinkState<double>*>(memory_.links)[i]; }
  const LinkState<double>& link(std::size_t i) const { return static_cast<const LinkState<double>*>(memory_.links)[i]; }
  // Of lane `lane` of several: pose and velocity alone, the rest of `state` stays as it is.
  void get_motion(int i, int lane, LinkState<double>& state) const;
  void set_outer(int i, int lane, const Pair<double>& wrench);
  double* scratch(int at) { return static_cast<double*>(memory_.scratch) + at * lanes_; }

  // Threads that share the passes where the tree is large enough; the numbers do not depend on it.
  void use_threads(int threads);
  bool is_shared() const { return arena_ != nullptr; }

  // Counted by each task itself while it runs, in memory of its own.
  struct TaskRun {
    std::int64_t times = 0;
    int level = 0;  // of the last time: 1 at the root, 1 more than the task that waited for it
  };
  std::span<const TaskRun> task_runs() const { return task_runs_; }
  std::int64_t passes() const { return passes_; }

  void forward(const double* q, const double* v);
  void rows();
  // False where a joint has no inertia to accelerate: memory().failed is its link.
  bool factor(const double* effort);
  // The same by one thread: what `selection` sums has one order.
  bool factor_alone(const double* effort, Selection& selection);
  void resolve();
  void outward(double* qdd);

 private:
  struct Free {
    void operator()(double* memory) const { std::free(memory); }
  };
  using Aligned = std::unique_ptr<double[], Free>;
  static Aligned allocate(std::size_t doubles);
  struct Arena;
  struct Dissolve {
    void operator()(Arena* arena) const;
  };
  template <class Visit>
  void outwards(const Visit& visit);
  template <class Visit>
  void inwards(const Visit& visit);
  template <class Run>
  void run_all(Run& run);
  template <class Visit>
  void for_each_branch(const plan::Task& task, const Visit& visit);
  void count_task(int index, int level);
  template <class Visit>
  void in_pieces(int count, const Visit& visit);

  Program program_;
  const KernelTable* table_;
  int lanes_;
  Aligned links_, scratch_;
  KernelMemory memory_;
  std::unique_ptr<Arena, Dissolve> arena_;
  std::vector<TaskRun> task_runs_;  // by task
  std::int64_t passes_ = 0;         // over the tree
};

}  // namespace espalier::dynamics::detail
