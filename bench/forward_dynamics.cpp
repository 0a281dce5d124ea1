// Question: how long does one evaluation of the equations of motion take, beside MuJoCo and Simbody on the same trees?
//   forward   accelerations of all bodies from positions, velocities and forces
//   inverse   efforts from accelerations, where there are no loops
// Each table gives the least time of all passes [us] and how many times longer the others take. `differs` is the
// largest difference of any link's acceleration from ours, `opens` the largest acceleration at which a loop opens,
// both relative to the largest acceleration of all. MuJoCo's loops are soft: they open.
// Usage: forward_dynamics [CSV [PART]]: only models whose name holds PART.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/models.hpp"
#include "bench/peers/entrants.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace {

namespace dynamics = espalier::dynamics;
namespace model = espalier::model;
namespace plan = espalier::plan;
using bench::kEntrants;
using bench::kPrograms;
using bench::LinkAcceleration;
using bench::make_system;
using bench::Program;
using bench::Times;
using Eigen::Vector3d;

constexpr double kBudget = 0.5;  // [s] a program and model

struct Case {
  std::string family;
  int size = 0;
  model::ModelSpec spec;
  double aim = 0;                              // wanted MuJoCo / Espalier; 0: none
  bool simbody = true;                         // false: would take minutes an evaluation
  std::optional<model::ModelSpec> other = {};  // the same mechanism with another tree for the peers to try
};

// A program and the tree it was given.
struct Contender {
  dynamics::System system;
  Program program;
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

Contender make_contender(bench::Maker maker, dynamics::System system) {
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
  const bench::Entrant& chosen = kEntrants[entrant];
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
  for (std::size_t b = 1; b < contender.system.body_places().size(); ++b) {
    result.push_back(links[static_cast<std::size_t>(contender.system.body_places()[b].link)]);
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
  if (system.rows() == 0) return 0;
  const std::vector<LinkAcceleration> all = contender.program.accelerations();
  dynamics::Workspace work(system);
  dynamics::update_kinematics(system, 0, system.drawn(), system.drawn_rate(), work);
  const auto of_point = [&](int link, const Vector3d& point) -> Vector3d {
    const auto k = static_cast<std::size_t>(link);
    const Vector3d arm = work.links().pose[k].rotation * point;
    const Vector3d w = work.links().velocity[k].head<3>();
    return all[k].linear + all[k].angular.cross(arm) + w.cross(w.cross(arm));
  };
  double result = 0;
  for (const dynamics::Closure& closure : system.closures()) {
    if (closure.rows == 0) continue;
    const Vector3d gap = of_point(closure.a, closure.X_LA.position) - of_point(closure.b, closure.X_LB.position);
    result = std::max(result, gap.norm());
  }
  return result / std::max(largest(all), 1e-30);
}

Row describe(const Case& given) {
  const dynamics::System system = make_system(given.spec);
  Row row;
  row.model = given.spec.name;
  row.n = system.velocity_size();
  row.rows = system.rows();
  row.joints = static_cast<int>(given.spec.joints.size());
  row.aim = given.aim;
  row.family = given.family;
  row.size = given.size;
  return row;
}

Row measure_forward(const Case& given) {
  Row row = describe(given);
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
  return row;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 1e-30, result = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, std::abs(a[k]));
    result = std::max(result, std::abs(a[k] - b[k]));
  }
  return result / most;
}

// Open mechanisms only.
Row measure_inverse(const Case& given) {
  Row row = describe(given);
  std::vector<std::optional<Contender>> contenders;
  std::vector<std::function<void(int)>> calls;
  for (int k = 0; k < kPrograms; ++k) {
    contenders.push_back(enter(given, k));
    calls.emplace_back();
    if (!contenders.back()) continue;
    calls.back() = [inverse = contenders.back()->program.inverse](int call) { inverse(call % 2 == 0 ? 1 : 1.0001); };
  }
  const std::vector<Times> times = bench::time_in_turns(calls, kBudget);
  for (int k = 0; k < kPrograms; ++k) {
    if (!contenders[k]) continue;
    contenders[k]->program.inverse(1);
    row.times[k] = times[k];
    row.difference[k] = difference(contenders[0]->program.efforts(), contenders[k]->program.efforts());
  }
  row.aim = 0;
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

void print_head(const char* what) {
  std::printf("%-12s %5s %5s | %10s %11s %11s | %8s %8s %5s | %8s %8s %8s | %7s %7s %7s\n", what, "n", "rows",
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

}  // namespace

int main(int argc, char** argv) {
  bench::use_one_core(argv);
  const std::string part = argc > 2 ? argv[2] : "";
  std::vector<Case> cases = make_cases();
  std::erase_if(cases, [&](const Case& given) { return given.spec.name.find(part) == std::string::npos; });
  std::vector<Row> forward, inverse;
  print_head("forward [us]");
  for (const Case& given : cases) {
    forward.push_back(measure_forward(given));
    print_row(forward.back());
  }
  print_growth(forward);
  std::printf("\n");
  print_head("inverse [us]");
  for (const Case& given : cases) {
    if (given.family == "ladder" || given.family == "stewart") continue;
    inverse.push_back(measure_inverse(given));
    print_row(inverse.back());
  }
  if (argc < 2) return 0;
  std::FILE* csv = std::fopen(argv[1], "w");
  if (csv == nullptr) return 1;
  std::fprintf(csv, "what,model,n,rows,program,least_us,median_us,passes,bytes,difference,opening\n");
  write_rows(csv, "forward", forward);
  write_rows(csv, "inverse", inverse);
  std::fclose(csv);
}
