// Question: how much faster is one evaluation when threads share it, and how much faster should it be?
// Time on the wall, least of all passes, one and several threads in turns: on a machine with other work the ratio is a
// lower bound. The accelerations of both must be the same bit for bit. Tasks and levels: as planned, and as they
// counted themselves while they ran. `predicted`: list scheduling of these tasks with the constants of machine.hpp.
// Usage: threads [CSV [THREADS]].

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bench/models.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace {

namespace dynamics = espalier::dynamics;

constexpr double kBudget = 1;  // [s] a model and number of threads

struct Evaluation {
  Evaluation(const dynamics::System& made, int threads) : system(made), work(made) {
    dynamics::use_threads(system, threads, work);
  }
  void operator()() { dynamics::evaluate(system, 0, system.drawn(), system.drawn_rate(), work); }

  const dynamics::System& system;
  dynamics::Workspace work;
};

void compare(const espalier::model::ModelSpec& spec, int threads, std::FILE* csv) {
  const dynamics::System system = bench::make_system(spec);
  Evaluation alone(system, 1), together(system, threads);
  alone(), together();
  const std::vector<bench::Times> times =
      bench::time_in_turns({[&](int) { alone(); }, [&](int) { together(); }}, kBudget, bench::wall_seconds);
  const dynamics::Sharing sharing = dynamics::sharing(system, together.work);
  const bool same = alone.work.qdd() == together.work.qdd();
  const double tasks_run = static_cast<double>(sharing.tasks_run) / static_cast<double>(sharing.passes);
  const double measured = times[0].least / times[1].least;
  std::printf("%-12s %5d %3d %5d/%-7.7g %3d/%-3d %9.2f %9.2f %6.2f %6.2f  %s%s\n", spec.name.c_str(),
              system.velocity_size(), threads, sharing.tasks, tasks_run, sharing.levels, sharing.levels_run,
              1e6 * times[0].least, 1e6 * times[1].least, sharing.speed_up, measured,
              sharing.shared ? "shared" : "not shared", same ? "" : ", RESULTS DIFFER");
  std::fflush(stdout);
  if (csv == nullptr) return;
  for (int k = 0; k < 2; ++k) {
    std::fprintf(csv, "%s,%d,%d,%.3f,%.3f,%d,%d,%d,%.10g,%d,%d,%.3f,%.3f\n", spec.name.c_str(), system.velocity_size(),
                 k == 0 ? 1 : threads, 1e6 * times[k].least, 1e6 * times[k].median, times[k].passes, same ? 1 : 0,
                 sharing.tasks, tasks_run, sharing.levels, sharing.levels_run, k == 0 ? 1 : sharing.speed_up,
                 k == 0 ? 1 : measured);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  if (csv != nullptr)
    std::fprintf(
        csv, "model,n,threads,least_us,median_us,passes,same,tasks,tasks_run,levels,levels_run,predicted,measured\n");
  std::printf("%-12s %5s %3s %13s %7s %9s %9s %6s %6s\n", "time [us]", "n", "thr", "tasks/run", "levels", "1 thread",
              "shared", "predic", "faster");
  for (const int joints : {31, 127, 511, 2047}) compare(bench::make_tree(joints), threads, csv);
  for (const int loops : {40, 200, 2000}) compare(bench::make_ladder(loops, 0.3, 1), threads, csv);
  if (csv != nullptr) std::fclose(csv);
}
