// Question: how fast are friction problems solved to a given accuracy, beside Siconos 4.4?
// Problems of the FCLIB collection in local form, from rest. All solvers are judged by one measure,
// |r - P_K(r - (u + mu |u_T| n))| / |q|: those of Siconos stop by norms of their own, so each is tried with tolerances
// of 1, 0.1, ... 1e-5 times the one asked for, and the first that is enough counts. Time of the processor, least of
// three. Reference: the fastest of Siconos' NSGS, ADMM and PROX that gets there.
// Usage: friction [CSV [FOLDER]]; FOLDER holds *.fc3d, by default ../shared/data/friction.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/peers/friction_peers.hpp"
#include "bench/timing.hpp"
#include "espalier/contact/friction_file.hpp"
#include "espalier/contact/solve.hpp"

namespace {

namespace contact = espalier::contact;
using Impulses = std::vector<Eigen::Vector3d>;

struct Outcome {
  std::string solver;
  int iterations = 0;
  double seconds = 0;
  double residual = 1;
};

Outcome run_ours(const contact::LocalProblem& problem, const char* name, contact::Solver solver, double tolerance) {
  Outcome best = {.solver = name, .iterations = 0, .seconds = 1e300};
  for (int pass = 0; pass < 3; ++pass) {
    Impulses R(problem.rows.size(), Eigen::Vector3d::Zero());
    const double begin = bench::thread_seconds();
    const contact::ColourOrder order = contact::order_by_colour(contact::colour_rows(problem));
    const int most = solver == contact::Solver::kGaussSeidel ? 5000 : 1000;
    const contact::Solved solved =
        contact::solve(problem, order, {.solver = solver, .tolerance = tolerance, .max_sweeps = most}, R);
    best.seconds = std::min(best.seconds, bench::thread_seconds() - begin);
    best.iterations = solved.sweeps + solved.iterations;
    best.residual = contact::measure(problem, R).natural;
  }
  return best;
}

Outcome run_peer(const contact::LocalProblem& problem, const bench::FrictionPeer& peer, double tolerance) {
  Outcome outcome;
  for (double factor = 1; factor > 5e-6; factor *= 0.1) {
    outcome = {.solver = peer.name, .iterations = 0, .seconds = 1e300};
    double spent = 0;
    for (int pass = 0; pass < 3 && spent < 2; ++pass) {
      Impulses R(problem.rows.size(), Eigen::Vector3d::Zero());
      double seconds = 0;
      outcome.iterations = peer.solve(problem, factor * tolerance, R, seconds);
      outcome.seconds = std::min(outcome.seconds, seconds);
      outcome.residual = contact::measure(problem, R).natural;
      spent += seconds;
    }
    if (outcome.residual <= tolerance || spent > 10) break;
  }
  return outcome;
}

std::vector<bench::FrictionPeer> peers() {
#ifdef BENCH_SICONOS
  return bench::friction_peers();
#else
  return {};
#endif
}

void report(const std::string& name, double tolerance, const std::vector<Outcome>& outcomes, std::FILE* csv) {
  std::printf("%-28.28s %.0e", name.c_str(), tolerance);
  for (const Outcome& outcome : outcomes) {
    const bool reached = outcome.residual <= tolerance;
    std::printf(reached ? " | %-8s %5d %9.3f" : " | %-8s %5d %8.3f!", outcome.solver.c_str(), outcome.iterations,
                1e3 * outcome.seconds);
    if (csv != nullptr) {
      std::fprintf(csv, "%s,%g,%s,%d,%.6g,%.3e,%d\n", name.c_str(), tolerance, outcome.solver.c_str(),
                   outcome.iterations, 1e3 * outcome.seconds, outcome.residual, reached ? 1 : 0);
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".fc3d") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 2 ? argv[2] : ESPALIER_SOURCE_DIR "/../shared/data/friction";
  const auto files = files_in(folder);
  if (files.empty()) {
    std::printf("no friction problems (*.fc3d) in %s: nothing to measure\n", folder.c_str());
    return 0;
  }
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (csv != nullptr) std::fprintf(csv, "problem,tolerance,solver,iterations,cpu_ms,residual,reached\n");
  std::printf("problem, tolerance | solver, iterations, processor time [ms], ! where it does not get there\n");
  for (const auto& file : files) {
    std::ifstream stream(file);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const auto problem = contact::parse_friction_problem(text, file.string());
    if (!problem) {
      std::fprintf(stderr, "%s\n", to_string(problem.error()).c_str());
      return 2;
    }
    for (const double tolerance : {1e-4, 1e-8}) {
      std::vector<Outcome> outcomes = {run_ours(*problem, "auto", contact::Solver::kAuto, tolerance),
                                       run_ours(*problem, "sweeps", contact::Solver::kGaussSeidel, tolerance),
                                       run_ours(*problem, "newton", contact::Solver::kNewton, tolerance)};
      for (const auto& peer : peers()) outcomes.push_back(run_peer(*problem, peer, tolerance));
      report(file.stem().string(), tolerance, outcomes, csv);
    }
  }
  if (csv != nullptr) std::fclose(csv);
  return 0;
}
