// Question: how much faster is one evaluation when two threads share it?
// Time on the wall, least of all passes, one and two threads in turns: on a machine with other work the ratio is a
// lower bound. The accelerations of both must be the same bit for bit.
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
  void operator()() { dynamics::evaluate(system, 0, system.drawn, system.drawn_rate, work); }

  const dynamics::System& system;
  dynamics::Workspace work;
};

void compare(const espalier::model::ModelSpec& spec, int threads, std::FILE* csv) {
  const dynamics::System system = bench::make_system(spec);
  Evaluation alone(system, 1), together(system, threads);
  alone(), together();
  const dynamics::Sharing sharing = dynamics::sharing(system, together.work);
  const std::vector<bench::Times> times =
      bench::time_in_turns({[&](int) { alone(); }, [&](int) { together(); }}, kBudget, bench::wall_seconds);
  const bool same = alone.work.qdd == together.work.qdd;
  std::printf("%-12s %5d %10.2f %10.2f %7.2f  %s, %d tasks on %d levels%s\n", spec.name.c_str(), system.velocity_size,
              1e6 * times[0].least, 1e6 * times[1].least, times[0].least / times[1].least,
              sharing.shared ? "shared" : "not shared", sharing.tasks, sharing.levels, same ? "" : ", RESULTS DIFFER");
  std::fflush(stdout);
  if (csv == nullptr) return;
  for (int k = 0; k < 2; ++k) {
    std::fprintf(csv, "%s,%d,%d,%.3f,%.3f,%d,%d\n", spec.name.c_str(), system.velocity_size, k == 0 ? 1 : threads,
                 1e6 * times[k].least, 1e6 * times[k].median, times[k].passes, same ? 1 : 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  if (csv != nullptr) std::fprintf(csv, "model,n,threads,least_us,median_us,passes,same\n");
  std::printf("%-12s %5s %10s %10s %7s\n", "time [us]", "n", "1 thread", "shared", "faster");
  for (const int joints : {31, 127, 511, 2047}) compare(bench::make_tree(joints), threads, csv);
  for (const int loops : {40, 200, 2000}) compare(bench::make_ladder(loops, 0.3, 1), threads, csv);
  if (csv != nullptr) std::fclose(csv);
}
