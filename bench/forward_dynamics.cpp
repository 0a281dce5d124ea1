// Question: how long does one evaluation of the equations of motion take, beside MuJoCo and Simbody on the same trees?
//   forward   accelerations of all bodies from positions, velocities and forces
//   inverse   efforts from accelerations, where there are no loops
//   a02       [Gonzalez06] A02 with 40 loops for 10 s: processor time to reach 1e-4 rad at the end
// Each table gives the least time of all passes [us] and how many times longer the others take. `differs` is the
// largest difference of any link's acceleration from ours, `opens` the largest acceleration at which a loop opens,
// both relative to the largest acceleration of all. MuJoCo's loops are soft: they open.
// Usage: forward_dynamics [CSV [PART]]: only models whose name holds PART.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "bench/peers/program.hpp"
#include "bench/timing.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace {

namespace dynamics = espalier::dynamics;
namespace model = espalier::model;
namespace plan = espalier::plan;
using bench::LinkAcceleration;
using bench::Program;
using bench::Times;
using Eigen::Vector3d;

constexpr double kBudget = 0.5;  // [s] a program and model
constexpr double kEndTime = 10;  // [s]
// Angle of the equivalent pendulum after 10 s, 10^6 steps of classical Runge-Kutta [rad].
constexpr double kLadder40Angle = 31.597433744;
constexpr double kWanted = 1e-4;  // [rad]

struct Case {
  std::string family;
  int size = 0;
  model::ModelSpec spec;
  double aim = 0;                              // wanted MuJoCo / Espalier; 0: none
  bool simbody = true;                         // false: would take minutes an evaluation
  std::optional<model::ModelSpec> other = {};  // the same mechanism with another tree for the peers to try
};

template <class T>
T need(espalier::Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "forward_dynamics: %s\n", espalier::to_string(result.error()).c_str());
  std::exit(1);
}

// Joints in `pinned` stay in the tree.
dynamics::System make_system(const model::ModelSpec& spec, const std::vector<std::string>& pinned = {}) {
  const model::Model compiled = need(model::compile(spec));
  const plan::Mechanism mechanism = plan::make_mechanism(compiled);
  plan::PlanOptions options;
  for (std::size_t e = 0; e < mechanism.joints.size(); ++e) {
    const std::string& name = compiled.joint(mechanism.joints[e]).name;
    if (std::find(pinned.begin(), pinned.end(), name) != pinned.end()) options.pin.push_back(static_cast<int>(e));
  }
  return dynamics::make_system(compiled, mechanism, need(plan::make_plan(compiled, options)));
}

// A program and the tree it was given.
struct Contender {
  dynamics::System system;
  Program program;
};
using Maker = Program (*)(const dynamics::System&);

template <Program (*make)(const bench::PeerTree&)>
Program make_peer(const dynamics::System& system) {
  return make(bench::make_peer_tree(system));
}

struct Entrant {
  const char* name;
  Maker maker;
};
// Ours first; the others are compared with it.
constexpr int kPrograms = 3;
constexpr Entrant kEntrants[kPrograms] = {
    {"espalier", bench::make_espalier},
#ifdef BENCH_MUJOCO
    {"mujoco", make_peer<bench::make_mujoco>},
#else
    {"mujoco", nullptr},
#endif
#ifdef BENCH_SIMBODY
    {"simbody", make_peer<bench::make_simbody>},
#else
    {"simbody", nullptr},
#endif
};

struct Row {
  std::string model;
  int n = 0;     // coordinates of our tree
  int rows = 0;  // equations of our tree
  int joints = 0;
  double aim = 0;
  std::string family;
  int size = 0;
  Times times[kPrograms];
  double bytes[kPrograms] = {};
  double difference[kPrograms] = {};
  double opening[kPrograms] = {};
};

Contender make_contender(Maker maker, dynamics::System system) {
  Program program = maker(system);
  return {std::move(system), std::move(program)};
}

double seconds_of_one(const Program& program) {
  program.forward(1);
  const double start = bench::thread_seconds();
  for (int k = 0; k < 20; ++k) program.forward(1);
  return (bench::thread_seconds() - start) / 20;
}

// The peers may choose the tree they are faster on.
std::optional<Contender> enter(const Case& given, int entrant) {
  const Entrant& chosen = kEntrants[entrant];
  if (chosen.maker == nullptr || (!given.simbody && entrant == 2)) return std::nullopt;
  Contender first = make_contender(chosen.maker, make_system(given.spec));
  if (!given.other || entrant == 0) return first;
  Contender second = make_contender(chosen.maker, make_system(*given.other, {given.other->joints.back().name}));
  return seconds_of_one(first.program) <= seconds_of_one(second.program) ? std::move(first) : std::move(second);
}

// By body of the model, the ground left out: the same whatever the tree. No body here is welded to another.
std::vector<LinkAcceleration> by_body(const Contender& contender) {
  const std::vector<LinkAcceleration> links = contender.program.accelerations();
  std::vector<LinkAcceleration> result;
  for (std::size_t b = 1; b < contender.system.seats.size(); ++b) {
    result.push_back(links[static_cast<std::size_t>(contender.system.seats[b].link)]);
  }
  return result;
}

double largest(const std::vector<LinkAcceleration>& all) {
  double result = 0;
  for (const LinkAcceleration& a : all) result = std::max({result, a.angular.norm(), a.linear.norm()});
  return result;
}

double difference(const std::vector<LinkAcceleration>& a, const std::vector<LinkAcceleration>& b) {
  double result = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    result = std::max({result, (a[k].angular - b[k].angular).norm(), (a[k].linear - b[k].linear).norm()});
  }
  return result / std::max(largest(a), 1e-30);
}

// The largest acceleration of a loop's two points away from each other, in the drawn state.
double opening(const Contender& contender) {
  const dynamics::System& system = contender.system;
  if (system.rows == 0) return 0;
  const std::vector<LinkAcceleration> all = contender.program.accelerations();
  dynamics::Workspace work(system);
  dynamics::update_kinematics(system, 0, system.drawn, system.drawn_rate, work);
  const auto of_point = [&](int link, const Vector3d& point) -> Vector3d {
    const auto k = static_cast<std::size_t>(link);
    const Vector3d arm = work.links.pose[k].rotation * point;
    const Vector3d w = work.links.velocity[k].head<3>();
    return all[k].linear + all[k].angular.cross(arm) + w.cross(w.cross(arm));
  };
  double result = 0;
  for (const dynamics::Closure& closure : system.closures) {
    if (closure.rows == 0) continue;
    const Vector3d gap = of_point(closure.a, closure.X_LA.position) - of_point(closure.b, closure.X_LB.position);
    result = std::max(result, gap.norm());
  }
  return result / std::max(largest(all), 1e-30);
}

Row measure_forward(const Case& given) {
  Row row;
  std::vector<std::optional<Contender>> contenders;
  std::vector<std::function<void(int)>> calls;
  for (int k = 0; k < kPrograms; ++k) {
    contenders.push_back(enter(given, k));
    calls.emplace_back();
    if (!contenders.back()) continue;
    // Two velocities by turns: a program that kept its last answer would give itself away.
    calls.back() = [forward = contenders.back()->program.forward](int call) { forward(call % 2 == 0 ? 1 : 1.0001); };
  }
  const std::vector<Times> times = bench::time_in_turns(calls, kBudget);
  for (int k = 0; k < kPrograms; ++k) {
    if (!contenders[k]) continue;
    contenders[k]->program.forward(1);
    row.times[k] = times[k];
    row.bytes[k] = contenders[k]->program.bytes;
    if (contenders[0]) row.difference[k] = difference(by_body(*contenders[0]), by_body(*contenders[k]));
    row.opening[k] = opening(*contenders[k]);
  }
  const dynamics::System system = make_system(given.spec);
  row.n = system.velocity_size;
  row.rows = system.rows;
  row.joints = static_cast<int>(given.spec.joints.size());
  row.model = given.spec.name;
  row.family = given.family;
  row.size = given.size;
  row.aim = given.aim;
  return row;
}

std::vector<Case> make_cases() {
  std::vector<Case> cases;
  for (const int n : {8, 32, 128, 512, 2048}) cases.push_back({"chain", n, bench::make_chain(n), n == 32 ? 5.0 : 0});
  for (const int n : {7, 31, 127, 511, 2047}) cases.push_back({"tree", n, bench::make_tree(n), n == 127 ? 3.5 : 0});
  cases.push_back({"humanoid", 36, bench::make_humanoid(), 4});
  for (const int n : {1, 10, 40, 200, 2000}) {
    cases.push_back({"ladder", n, bench::make_ladder(n, 0.3, 1), n == 40 || n == 200 ? 4.0 : 0, n < 2000});
  }
  cases.push_back({"stewart", 6, bench::make_stewart(), 1.5, true, bench::make_stewart(true)});
  return cases;
}

void print_time(const Times& times, int width) {
  if (times.known()) {
    std::printf(" %*.2f", width, 1e6 * times.least);
  } else {
    std::printf(" %*s", width, "-");
  }
}

void print_ratio(const Row& row, int k) {
  if (row.times[k].known() && row.times[0].known()) {
    std::printf(" %8.2f", row.times[k].least / row.times[0].least);
  } else {
    std::printf(" %8s", "-");
  }
}

void print_head() {
  std::printf("%-12s %5s %5s | %10s %11s %11s | %8s %8s %5s | %8s %8s %8s | %7s %7s %7s\n", "forward [us]", "n", "rows",
              "espalier", "mujoco", "simbody", "mujoco/", "simbody/", "aim", "differs", "opens", "differs", "B/joint",
              "mujoco", "simbody");
}

void print_row(const Row& row) {
  std::printf("%-12s %5d %5d |", row.model.c_str(), row.n, row.rows);
  print_time(row.times[0], 10), print_time(row.times[1], 11), print_time(row.times[2], 11);
  std::printf(" |");
  print_ratio(row, 1), print_ratio(row, 2);
  if (row.aim > 0) {
    std::printf(" %5.1f", row.aim);
  } else {
    std::printf(" %5s", "");
  }
  std::printf(" | %8.1e %8.1e %8.1e |", row.difference[1], row.opening[1], row.difference[2]);
  for (const double bytes : row.bytes) std::printf(" %7.0f", bytes / row.joints);
  std::printf("\n");
  std::fflush(stdout);
}

// Time ~ n^e between neighbouring sizes of a family.
void print_growth(const std::vector<Row>& rows) {
  std::printf("\ngrowth of the time, exponent of n\n");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].family != rows[i - 1].family) continue;
    std::printf("%-8s %4d to %4d ", rows[i].family.c_str(), rows[i - 1].size, rows[i].size);
    for (int k = 0; k < kPrograms; ++k) {
      const Times &a = rows[i - 1].times[k], &b = rows[i].times[k];
      if (!a.known() || !b.known()) continue;
      const double exponent = std::log(b.least / a.least) / std::log(static_cast<double>(rows[i].n) / rows[i - 1].n);
      std::printf("  %s %.2f", kEntrants[k].name, exponent);
    }
    std::printf("\n");
  }
}

void write_rows(std::FILE* csv, const char* what, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    for (int k = 0; k < kPrograms; ++k) {
      if (!row.times[k].known()) continue;
      std::fprintf(csv, "%s,%s,%d,%d,%s,%.4f,%.4f,%d,%.0f,%.3e,%.3e\n", what, row.model.c_str(), row.n, row.rows,
                   kEntrants[k].name, 1e6 * row.times[k].least, 1e6 * row.times[k].median, row.times[k].passes,
                   row.bytes[k], row.difference[k], row.opening[k]);
    }
  }
}

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
  std::printf("\na02, 40 loops, %g s: time to end within %g rad\n", kEndTime, kWanted);
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
  for (const Finish& finish : finishes) {
    const bool fixed = finish.setting.step > 0;
    std::fprintf(csv, "a02 %s %g,ladder 40,81,200,%s,%.1f,%.1f,1,0,%.3e,0\n", fixed ? "step" : "accuracy",
                 fixed ? finish.setting.step : finish.setting.accuracy, kEntrants[finish.entrant].name,
                 1e6 * finish.run.seconds, 1e6 * finish.run.seconds, finish.error);
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Simbody's LAPACK would else use all cores, and the time of one thread would not tell.
  if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  const std::string part = argc > 2 ? argv[2] : "";
  std::vector<Row> rows;
  print_head();
  for (const Case& given : make_cases()) {
    if (given.spec.name.find(part) == std::string::npos) continue;
    rows.push_back(measure_forward(given));
    print_row(rows.back());
  }
  print_growth(rows);
  std::vector<Finish> finishes;
  if (std::string("a02").find(part) != std::string::npos) finishes = measure_a02();
  if (!finishes.empty()) print_a02(finishes);
  if (argc > 1) {
    std::FILE* csv = std::fopen(argv[1], "w");
    if (csv == nullptr) return 1;
    std::fprintf(csv, "what,model,n,rows,program,least_us,median_us,passes,bytes,difference,opening\n");
    write_rows(csv, "forward", rows);
    write_a02(csv, finishes);
    std::fclose(csv);
  }
}
