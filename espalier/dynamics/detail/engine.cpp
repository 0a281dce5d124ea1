#include "espalier/dynamics/detail/engine.hpp"

#include <cstddef>
#include <cstring>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kLinkSize = sizeof(LinkState<double>) / sizeof(double);

// Fewer links are not worth waking another thread for (bench/threads).
constexpr int kWorthSharing = 600;

}  // namespace

struct Engine::Arena {
  explicit Arena(int threads) : inside(threads) {}
  tbb::task_arena inside;
};

Engine::Aligned Engine::allocate(std::size_t doubles) {
  const std::size_t bytes = (doubles * sizeof(double) + kCacheLine - 1) / kCacheLine * kCacheLine;
  auto* memory = static_cast<double*>(std::aligned_alloc(kCacheLine, std::max(bytes, kCacheLine)));
  ESPALIER_CHECK(memory != nullptr, "there is memory for the kernel");
  // Lanes that no state has filled yet are computed too, and must hold numbers.
  std::memset(memory, 0, std::max(bytes, kCacheLine));
  return Aligned(memory);
}

Engine::Engine(const System& system, const std::vector<bool>& dropped, int lanes)
    : program_(make_program(system, dropped)),
      table_(lanes == 1 ? &single_kernel() : &batch_kernel()),
      lanes_(lanes),
      links_(allocate(program_.links.size() * kLinkSize * to_index(lanes))),
      scratch_(allocate(to_index(program_.scratch) * to_index(lanes))),
      task_runs_(program_.task_tree.tasks.size()) {
  // Lanes stand side by side: number k of a link is kLanes numbers wide.
  memory_.program = &program_;
  memory_.links = links_.get();
  memory_.scratch = scratch_.get();
  // The world: axes x y z, and the upward acceleration that stands for gravity.
  for (int axis = 0; axis < 3; ++axis) {
    constexpr std::size_t kDrift = offsetof(LinkState<double>, drift.linear) / sizeof(double);
    std::fill_n(links_.get() + 4 * axis * lanes, lanes, 1.0);
    std::fill_n(links_.get() + (kDrift + to_index(axis)) * to_index(lanes), lanes, -system->gravity[axis]);
  }
  for (const Term& term : program_.terms) {
    if (term.drive) std::fill_n(scratch(term.ratio_at), lanes, term.ratio);
  }
}

void Engine::Dissolve::operator()(Arena* arena) const { delete arena; }

void Engine::use_threads(int threads) {
  // Tasks are the same with one thread and with many, so that this choice changes no bit.
  const bool pays = threads > 1 && links() >= kWorthSharing && program_.task_tree.tasks.size() > 2;
  arena_.reset(pays ? new Arena(threads) : nullptr);
}

// Runs visit(begin, end) on the links of every task, branches after the links they stand on.
template <class Visit>
void Engine::outwards(const Visit& visit) {
  const auto run = [&](auto& self, int index, int level) -> void {
    const plan::Task& task = program_.task_tree.tasks[to_index(index)];
    count_task(index, level);
    visit(task.begin, task.end);
    for_each_branch(task, [&](int branch) { self(self, branch, level + 1); });
  };
  run_all(run);
}

// The same, branches first.
template <class Visit>
void Engine::inwards(const Visit& visit) {
  const auto run = [&](auto& self, int index, int level) -> void {
    const plan::Task& task = program_.task_tree.tasks[to_index(index)];
    for_each_branch(task, [&](int branch) { self(self, branch, level + 1); });
    count_task(index, level);
    visit(task.begin, task.end);
  };
  run_all(run);
}

// From the root's task on.
template <class Run>
void Engine::run_all(Run& run) {
  const int root = static_cast<int>(program_.task_tree.tasks.size()) - 1;
  ++passes_;
  arena_ ? arena_->inside.execute([&] { run(run, root, 1); }) : run(run, root, 1);
}

void Engine::count_task(int index, int level) {
  TaskRun& run = task_runs_[to_index(index)];
  ++run.times;
  // Tests compare with the levels that were planned.
  run.level = level;
}

template <class Visit>
void Engine::for_each_branch(const plan::Task& task, const Visit& visit) {
  const std::vector<int>& branches = program_.task_tree.branches;
  if (!arena_ || task.end_branch - task.first_branch < 2) {
    for (int b = task.first_branch; b < task.end_branch; ++b) visit(branches[to_index(b)]);
    return;
  }
  // Each branch is a unit of work by itself, however many threads there are.
  tbb::parallel_for(
      tbb::blocked_range<int>(task.first_branch, task.end_branch, 1),
      [&](const tbb::blocked_range<int>& part) {
        for (int b = part.begin(); b < part.end(); ++b) visit(branches[to_index(b)]);
      },
      tbb::simple_partitioner());
}

// Runs visit(begin, end) on [0, count) in pieces that know nothing of each other.
template <class Visit>
void Engine::in_pieces(int count, const Visit& visit) {
  // Each angle and each row has its own place, so that no order is needed.
  constexpr int kPiece = 128;
  if (!arena_ || count <= kPiece) return visit(0, count);
  arena_->inside.execute([&] {
    tbb::parallel_for(0, (count + kPiece - 1) / kPiece,
                      [&](int piece) { visit(piece * kPiece, std::min(count, (piece + 1) * kPiece)); });
  });
}

void Engine::forward(const double* q, const double* v) {
  in_pieces(static_cast<int>(program_.angles.size()),
            [&](int begin, int end) { table_->angles(memory_, begin, end, q); });
  outwards([&](int begin, int end) { table_->forward(memory_, begin, end, q, v); });
}

void Engine::rows() {
  in_pieces(static_cast<int>(program_.terms.size()), [&](int begin, int end) { table_->rows(memory_, begin, end); });
}

void Engine::get_motion(int i, int lane, LinkState<double>& state) const {
  constexpr std::size_t kMotion = offsetof(LinkState<double>, drift) / sizeof(double);
  const double* from = links_.get() + to_index(i) * kLinkSize * to_index(lanes_) + lane;
  auto* to = reinterpret_cast<double*>(&state);
  // Up to the drift alone: what stands behind it in a link belongs to the passes.
  for (std::size_t k = 0; k < kMotion; ++k) to[k] = from[k * to_index(lanes_)];
}

void Engine::set_outer(int i, int lane, const Pair<double>& wrench) {
  constexpr std::size_t kOuter = offsetof(LinkState<double>, outer) / sizeof(double);
  double* to =
      links_.get() + (to_index(i) * kLinkSize + kOuter) * to_index(lanes_) + lane;
  const auto* from = reinterpret_cast<const double*>(&wrench);
  for (std::size_t k = 0; k < 6; ++k) to[k * to_index(lanes_)] = from[k];
}

bool Engine::factor(const double* effort) {
  // The highest link that fails is the cause: those below it are spoilt by it.
  memory_.failed = -1;
  std::fill(scratch(program_.zeroed.begin), scratch(program_.zeroed.end), 0.0);
  inwards([&](int begin, int end) { table_->factor(memory_, begin, end, effort); });
  return memory_.failed < 0;
}

bool Engine::factor_alone(const double* effort, Selection& selection) {
  // On one thread: rows are chosen one after the other, and their least share is one number for all.
  std::unique_ptr<Arena, Dissolve> shared = std::move(arena_);
  selection.mobility.assign(to_index(program_.lambdas.end - program_.lambdas.begin), 0);
  selection.dropped.assign(selection.mobility.size(), false);
  memory_.selection = &selection;
  const bool regular = factor(effort);
  memory_.selection = nullptr;
  arena_ = std::move(shared);
  return regular;
}

void Engine::resolve() {
  inwards([&](int begin, int end) { table_->resolve(memory_, begin, end); });
}

void Engine::outward(double* qdd) {
  outwards([&](int begin, int end) { table_->outward(memory_, begin, end, qdd); });
}

}  // namespace espalier::dynamics::detail
