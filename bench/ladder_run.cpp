// Question: how long does a whole run take to the same exactness, beside MuJoCo and Simbody?
// [Gonzalez06] problem A02 with 40 loops: upright, 1 rad/s, 10 s, through its singular positions. The ladder moves like
// a pendulum, so that the end is known. Each program goes from coarse to fine until it ends within 1e-4 rad; its time
// is that of its shortest such run.
// Usage: ladder_run [CSV].

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "bench/models.hpp"
#include "bench/peers/entrants.hpp"
#include "bench/systems.hpp"

namespace {

using bench::kEntrants;
using bench::kPrograms;
using bench::make_system;
using bench::Program;

constexpr double kEndTime = 10;  // [s]
// Angle of the equivalent pendulum after 10 s, 10^6 steps of classical Runge-Kutta [rad].
constexpr double kLadder40Angle = 31.597433744;
constexpr double kWanted = 1e-4;  // [rad]

struct Finish {
  int entrant = 0;
  bench::Setting setting;
  bench::Run run;
  double error = 0;  // [rad]
};

// The least time of a few runs: the shorter a run, the more a busy machine disturbs it.
bench::Run shortest_run(const Program& program, const bench::Setting& setting) {
  bench::Run best = program.simulate(kEndTime, setting);
  for (int k = 0; k < 4 && best.seconds < 1; ++k) {
    best.seconds = std::min(best.seconds, program.simulate(kEndTime, setting).seconds);
  }
  return best;
}

// From coarse to fine until the end is as exact as wanted; one setting more shows that it was no accident.
std::vector<Finish> run_a02(int entrant, bool fixed) {
  std::vector<Finish> finishes;
  const Program program = kEntrants[entrant].maker(make_system(bench::make_ladder(40, 0, 1)));
  std::vector<bench::Setting> settings;
  for (const double step : {0.04, 0.03125, 0.025, 0.02, 0.01, 0.005, 0.004, 0.0025, 0.002, 0.001})
    settings.push_back({step, 0});
  if (!fixed) settings.clear();
  for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    if (!fixed) settings.push_back({0, accuracy});
  }
  bool reached = false;
  for (const bench::Setting& setting : settings) {
    const bench::Run run = shortest_run(program, setting);
    finishes.push_back({entrant, setting, run, std::abs(run.angle - kLadder40Angle)});
    if (reached) break;
    reached = run.done && finishes.back().error <= kWanted;
  }
  return finishes;
}

bool is_exact(const Finish& finish) { return finish.run.done && finish.error <= kWanted; }

// The shortest run of an entrant that is exact enough [s]; 0: none.
double best_seconds(const std::vector<Finish>& finishes, int entrant) {
  double best = 0;
  for (const Finish& finish : finishes) {
    if (finish.entrant != entrant || !is_exact(finish)) continue;
    if (best == 0 || finish.run.seconds < best) best = finish.run.seconds;
  }
  return best;
}

std::vector<Finish> measure_a02() {
  std::vector<Finish> finishes;
  for (int k = 0; k < kPrograms; ++k) {
    if (kEntrants[k].maker == nullptr) continue;
    for (const bool fixed : {true, false}) {
      const bool knows = k == 0 || fixed == (k == 1);
      if (!knows) continue;
      const std::vector<Finish> more = run_a02(k, fixed);
      finishes.insert(finishes.end(), more.begin(), more.end());
    }
  }
  return finishes;
}

void print_a02(const std::vector<Finish>& finishes) {
  std::printf("a02, 40 loops, %g s: time to end within %g rad\n", kEndTime, kWanted);
  for (const Finish& finish : finishes) {
    const bool fixed = finish.setting.step > 0;
    std::printf("%-9s %-8s %-7g %8ld steps %9.4f s  off by %.1e rad%s\n", kEntrants[finish.entrant].name,
                fixed ? "step" : "accuracy", fixed ? finish.setting.step : finish.setting.accuracy, finish.run.steps,
                finish.run.seconds, finish.error, is_exact(finish) ? "" : "  (not there)");
  }
  const double ours = best_seconds(finishes, 0);
  for (int k = 0; k < kPrograms; ++k) {
    const double best = best_seconds(finishes, k);
    if (best > 0) std::printf("%-9s %9.4f s  %8.2f of ours, aim 5 (mujoco)\n", kEntrants[k].name, best, best / ours);
  }
}

void write_a02(std::FILE* csv, const std::vector<Finish>& finishes) {
  std::fprintf(csv, "program,step_s,accuracy,steps,seconds,error_rad,done\n");
  for (const Finish& finish : finishes) {
    std::fprintf(csv, "%s,%g,%g,%ld,%.5f,%.3e,%d\n", kEntrants[finish.entrant].name, finish.setting.step,
                 finish.setting.accuracy, finish.run.steps, finish.run.seconds, finish.error, finish.run.done ? 1 : 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::use_one_core(argv);
  const std::vector<Finish> finishes = measure_a02();
  print_a02(finishes);
  if (argc < 2) return 0;
  std::FILE* csv = std::fopen(argv[1], "w");
  if (csv == nullptr) return 1;
  write_a02(csv, finishes);
  std::fclose(csv);
}
