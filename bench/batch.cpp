// Question: what do eight states at once gain over one after the other, on one core?
// First single evaluations, then whole runs from 64 starts. Processor time for each state or run, least of all passes,
// both in turns. Every lane must give the bits of the single state.
// Usage: batch [CSV].

#include <cstdio>
#include <vector>

#include "bench/models.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace {

namespace dynamics = espalier::dynamics;

constexpr double kBudget = 0.6;  // [s] a model and way of computing

void compare(const espalier::model::ModelSpec& spec, std::FILE* csv) {
  const dynamics::System system = bench::make_system(spec);
  dynamics::Workspace single(system);
  dynamics::evaluate(system, 0, system.drawn(), system.drawn_rate(), single);
  dynamics::BatchWorkspace batch(system, single.dropped());
  std::vector<dynamics::Lanes> q(system.drawn().size()), v(system.drawn_rate().size());
  for (int lane = 0; lane < dynamics::kBatch; ++lane) {
    dynamics::set_lane(system.drawn(), lane, q);
    dynamics::set_lane(system.drawn_rate(), lane, v);
  }
  const std::vector<bench::Times> times =
      bench::time_in_turns({[&](int) { dynamics::evaluate(system, 0, system.drawn(), system.drawn_rate(), single); },
                            [&](int) { dynamics::evaluate_batch(system, {}, q, v, batch); }},
                           kBudget);
  bool same = true;
  for (int k = 0; k < system.velocity_size(); ++k)
    same = same && batch.qdd()[static_cast<std::size_t>(k)].of[dynamics::kBatch - 1] == single.qdd()[k];
  const double one = 1e6 * times[0].least, of_eight = 1e6 * times[1].least / dynamics::kBatch;
  std::printf("%-12s %5d %10.3f %10.3f %7.2f%s\n", spec.name.c_str(), system.velocity_size(), one, of_eight,
              one / of_eight, same ? "" : "  RESULTS DIFFER");
  std::fflush(stdout);
  if (csv == nullptr) return;
  std::fprintf(csv, "evaluation,%s,%d,%.4f,%.4f,%d\n", spec.name.c_str(), system.velocity_size(), one, of_eight,
               same ? 1 : 0);
}

constexpr int kRuns = 64;

// The drawn positions with velocities from half the drawn ones to one and a half of them.
std::vector<dynamics::RunState> make_starts(const dynamics::System& system) {
  std::vector<dynamics::RunState> starts(kRuns, dynamics::start_run(system, dynamics::drawn_state(system)));
  for (int run = 0; run < kRuns; ++run) {
    for (double& number : starts[static_cast<std::size_t>(run)].state.v) number *= 0.5 + double(run) / kRuns;
  }
  return starts;
}

void compare_runs(const espalier::model::ModelSpec& spec, double end_time, std::FILE* csv) {
  const dynamics::System system = bench::make_system(spec);
  const std::vector<dynamics::RunState> starts = make_starts(system);
  const std::vector<espalier::model::Sink> sinks(kRuns, [](const espalier::model::Frame&) { return true; });
  dynamics::SimulateOptions options;
  options.run.end_time = options.run.output_step = end_time;
  options.integrator = dynamics::Integrator::kRunge;
  std::vector<dynamics::RunStatus> alone(kRuns), in_lanes;
  const std::vector<bench::Times> times =
      bench::time_in_turns({[&](int) {
                              for (std::size_t k = 0; k < kRuns; ++k)
                                alone[k] = dynamics::simulate(system, starts[k], sinks[k], options);
                            },
                            [&](int) { in_lanes = dynamics::simulate_batch(system, starts, sinks, options); }},
                           kBudget);
  bool same = true;
  for (std::size_t k = 0; k < kRuns; ++k) {
    same = same && alone[k].end.state.q == in_lanes[k].end.state.q && alone[k].end.state.v == in_lanes[k].end.state.v &&
           alone[k].outcome == espalier::model::Outcome::kDone;
  }
  const double one = 1e3 * times[0].least / kRuns, of_many = 1e3 * times[1].least / kRuns;
  std::printf("%-12s %5d %10.4f %10.4f %7.2f%s\n", spec.name.c_str(), system.velocity_size(), one, of_many,
              one / of_many, same ? "" : "  RESULTS DIFFER");
  std::fflush(stdout);
  if (csv == nullptr) return;
  std::fprintf(csv, "run,%s,%d,%.1f,%.1f,%d\n", spec.name.c_str(), system.velocity_size(), 1e3 * one, 1e3 * of_many,
               same ? 1 : 0);
}

void measure_runs(std::FILE* csv) {
  std::printf("\n%-12s %5s %10s %10s %7s\n", "runs [ms]", "n", "single", "in lanes", "faster");
  for (const int joints : {8, 16, 32}) compare_runs(bench::make_chain(joints), 1, csv);
  compare_runs(bench::make_humanoid(), 0.5, csv);
  for (const int loops : {1, 10}) compare_runs(bench::make_ladder(loops, 0.3, 1), 5, csv);
  compare_runs(bench::make_stewart(), 0.5, csv);
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (argc > 1 && csv == nullptr) return 1;
  if (csv != nullptr) std::fprintf(csv, "what,model,n,single_us,in_lanes_us,same\n");
  std::printf("%-12s %5s %10s %10s %7s\n", "time [us]", "n", "single", "of eight", "faster");
  for (const int joints : {8, 32, 128, 512}) compare(bench::make_chain(joints), csv);
  for (const int joints : {31, 127, 511, 2047}) compare(bench::make_tree(joints), csv);
  compare(bench::make_humanoid(), csv);
  for (const int loops : {1, 10, 40, 200, 2000}) compare(bench::make_ladder(loops, 0.3, 1), csv);
  compare(bench::make_stewart(), csv);
  measure_runs(csv);
  if (csv != nullptr) std::fclose(csv);
}
