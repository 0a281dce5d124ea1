// Question: what do eight states at once gain over one after the other, on one core?
// Processor time for each state, least of all passes, both in turns. Every lane must give the bits of the single state.
// Usage: batch [CSV].

#include <cstdio>
#include <vector>

#include "bench/models.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/dynamics/batch.hpp"

namespace {

namespace dynamics = espalier::dynamics;

constexpr double kBudget = 0.6;  // [s] a model and way of computing

void compare(const espalier::model::ModelSpec& spec, std::FILE* csv) {
  const dynamics::System system = bench::make_system(spec);
  dynamics::Workspace single(system);
  dynamics::evaluate(system, 0, system.drawn, system.drawn_rate, single);
  dynamics::BatchWorkspace batch(system, single.dropped);
  std::vector<dynamics::Lanes> q(system.drawn.size()), v(system.drawn_rate.size());
  for (int lane = 0; lane < dynamics::kBatch; ++lane) {
    dynamics::set_lane(system.drawn, lane, q);
    dynamics::set_lane(system.drawn_rate, lane, v);
  }
  const std::vector<bench::Times> times =
      bench::time_in_turns({[&](int) { dynamics::evaluate(system, 0, system.drawn, system.drawn_rate, single); },
                            [&](int) { dynamics::evaluate_batch(system, {}, q, v, batch); }},
                           kBudget);
  bool same = true;
  for (int k = 0; k < system.velocity_size; ++k)
    same = same && batch.qdd[static_cast<std::size_t>(k)].of[dynamics::kBatch - 1] == single.qdd[k];
  const double one = 1e6 * times[0].least, of_eight = 1e6 * times[1].least / dynamics::kBatch;
  std::printf("%-12s %5d %10.3f %10.3f %7.2f%s\n", spec.name.c_str(), system.velocity_size, one, of_eight,
              one / of_eight, same ? "" : "  RESULTS DIFFER");
  std::fflush(stdout);
  if (csv == nullptr) return;
  std::fprintf(csv, "%s,%d,%.4f,%.4f,%d\n", spec.name.c_str(), system.velocity_size, one, of_eight, same ? 1 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  if (csv != nullptr) std::fprintf(csv, "model,n,single_us,of_eight_us,same\n");
  std::printf("%-12s %5s %10s %10s %7s\n", "time [us]", "n", "single", "of eight", "faster");
  for (const int joints : {8, 32, 128, 512}) compare(bench::make_chain(joints), csv);
  for (const int joints : {31, 127, 511, 2047}) compare(bench::make_tree(joints), csv);
  compare(bench::make_humanoid(), csv);
  for (const int loops : {1, 10, 40, 200, 2000}) compare(bench::make_ladder(loops, 0.3, 1), csv);
  compare(bench::make_stewart(), csv);
  if (csv != nullptr) std::fclose(csv);
}
