// Question: does every step of a scene with contact converge, while it falls and when it rests, and what does it take?
// Scenes of `generate` with default settings; a scene is settled in its last second. Processor time of one core; the
// overlap is the deepest of the phase; the drift is how far the centre of a body went in it at most, against the size
// of a grain, 0.1 m.
// Usage: piles_converge [CSV [SCENE...]]; without scenes all of them, which takes hours.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"

namespace {

using namespace espalier;

constexpr double kGrain = 0.1;    // [m]
constexpr double kSettled = 1.0;  // [s]

struct Question {
  std::string name;
  Result<model::ModelSpec> (*make)();
  double end = 2;  // [s]
};

const std::vector<Question>& questions() {
  using model::Grain;
  static const std::vector<Question> all = {
      {"spheres_200", [] { return model::generate_pile(200, Grain::kSphere, 1); }, 2.5},
      {"boxes_200", [] { return model::generate_pile(200, Grain::kBox, 1); }},
      {"mixed_200", [] { return model::generate_pile(200, Grain::kMixed, 1); }, 2.5},
      {"stack_20", [] { return model::generate_stack(20); }},
      {"arch_27", [] { return model::generate_arch(27, 0.12); }},
      {"beads_20", [] { return model::generate_beads(20); }},
      {"spheres_1000", [] { return model::generate_pile(1000, Grain::kSphere, 1); }, 3},
      {"boxes_1000", [] { return model::generate_pile(1000, Grain::kBox, 1); }, 3},
      {"mixed_1000", [] { return model::generate_pile(1000, Grain::kMixed, 1); }, 3},
      {"silo_2000", [] { return model::generate_silo(2000, 1); }, 3},
  };
  return all;
}

// What the steps of one phase took.
struct Phase {
  int steps = 0, unconverged = 0, contacts = 0;
  double sweeps = 0, iterations = 0, seconds = 0, slowest = 0, residual = 0, overlap = 0, drift = 0;

  void add(const contact::StepReport& report, double took) {
    ++steps;
    if (!report.solved.converged) ++unconverged;
    contacts = std::max(contacts, report.contacts);
    sweeps += report.solved.sweeps;
    iterations += report.solved.iterations;
    seconds += took;
    slowest = std::max(slowest, took);
    residual = std::max(residual, report.solved.accuracy.natural);
    overlap = std::max(overlap, report.penetration);
  }
};

// How far the origin of any body is from where it was.
double farthest(const std::vector<double>& before, std::span<const double> now) {
  double most = 0;
  for (std::size_t i = 0; i + 6 < before.size(); i += 7) {
    most = std::max(most, std::hypot(now[i] - before[i], now[i + 1] - before[i + 1], now[i + 2] - before[i + 2]));
  }
  return most / kGrain;
}

void run(const Question& question, std::array<Phase, 2>& phases) {
  const comm::Comm comm = comm::Comm::serial();
  contact::Scene scene = bench::need(contact::make_scene(bench::need(model::compile(bench::need(question.make())))));
  contact::SimulateOptions options;
  options.run.end_time = question.end;
  options.run.output_step = question.end - kSettled;
  double since = bench::thread_seconds();
  options.on_step = [&](const contact::Progress& progress) {
    const double now = bench::thread_seconds();
    phases[progress.time > question.end - kSettled + 1e-9 ? 1 : 0].add(progress.last, now - since);
    since = now;
  };
  std::vector<double> rest;
  const auto sink = [&](const model::Frame& frame) {
    if (!rest.empty()) phases[1].drift = farthest(rest, frame.body_pose);
    if (frame.time > 0) rest.assign(frame.body_pose.begin(), frame.body_pose.end());
    return true;
  };
  const contact::RunState start = contact::start_run(scene);
  contact::simulate(comm, std::move(scene), start, sink, options);
}

void report(const std::string& name, const std::array<Phase, 2>& phases, std::FILE* csv) {
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const Phase& phase = phases[k];
    const double steps = std::max(1, phase.steps);
    const char* word = k == 0 ? "falling" : "settled";
    std::printf(
        "%-13s %s %5d steps, %4d unconverged, %6d contacts, %7.1f sweeps, %6.2f iterations, %7.2f ms per step, "
        "slowest %7.0f, residual %.1e, overlap %.1e m, drift %.1e\n",
        name.c_str(), word, phase.steps, phase.unconverged, phase.contacts, phase.sweeps / steps,
        phase.iterations / steps, 1e3 * phase.seconds / steps, 1e3 * phase.slowest, phase.residual, phase.overlap,
        phase.drift);
    if (csv == nullptr) continue;
    std::fprintf(csv, "%s,%s,%d,%d,%d,%.4g,%.4g,%.4g,%.4g,%.3e,%.3e,%.3e\n", name.c_str(), word, phase.steps,
                 phase.unconverged, phase.contacts, phase.sweeps / steps, phase.iterations / steps,
                 1e3 * phase.seconds / steps, 1e3 * phase.slowest, phase.residual, phase.overlap, phase.drift);
    std::fflush(csv);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (csv != nullptr) {
    std::fprintf(csv,
                 "scene,phase,steps,unconverged,contacts,sweeps,iterations,step_ms,slowest_ms,residual,overlap_m,"
                 "drift_grains\n");
  }
  for (const Question& question : questions()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), question.name) == wanted.end()) continue;
    std::array<Phase, 2> phases;
    run(question, phases);
    report(question.name, phases, csv);
  }
  if (csv != nullptr) std::fclose(csv);
  return 0;
}
