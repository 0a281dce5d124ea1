// How far runs of the reference models are from their published trajectories, one line a model: worst position error of
// all bodies and outputs, energy drift, loop gap, counts and seconds. Built with the benchmarks.
//   trajectory_errors [TOLERANCE [auto|runge|fixed|implicit [MODEL [END_TIME [STEP]]]]]
// Without arguments: tolerance 1e-10, explicit steps, all models over their whole time; STEP [s] is for fixed steps.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_run.hpp"

namespace espalier::dynamics {
namespace {

Integrator integrator_of(const std::string& name) {
  if (name == "auto") return Integrator::kAuto;
  if (name == "fixed") return Integrator::kFixed;
  return name == "implicit" ? Integrator::kImplicit : Integrator::kRunge;
}

bool print_line(const std::filesystem::path& file, const SimulateOptions& options, double end_time) {
  const ReferenceModel reference = read_reference(file);
  const System system = reference_system(reference);
  const ReferenceRun run = run_reference(reference, system, options, end_time);
  const RunStatus& status = run.status;
  std::printf("%-30s %8.3g %4zu %9.1e %9.1e %9.1e %9.1e %8lld %7lld %9lld %8.3f\n", reference.name.c_str(),
              status.end.state.time, run.outputs, run.position_error,
              status.energy_error / std::max(status.energy_scale, std::numeric_limits<double>::min()),
              status.loop_distance, status.loop_angle, static_cast<long long>(status.steps),
              static_cast<long long>(status.rejected), static_cast<long long>(status.evaluations), status.seconds);
  if (status.stiff_since) std::printf("  implicit steps since t = %g s\n", *status.stiff_since);
  if (!status.message.empty()) std::printf("  %s\n", status.message.c_str());
  return status.outcome == model::Outcome::kDone;
}

}  // namespace
}  // namespace espalier::dynamics

int main(int argc, char** argv) {
  using namespace espalier::dynamics;
  const auto argument = [&](int k, const char* otherwise) { return std::string(argc > k ? argv[k] : otherwise); };
  SimulateOptions options;
  options.tolerance = std::atof(argument(1, "1e-10").c_str());
  options.integrator = integrator_of(argument(2, "runge"));
  options.step = std::atof(argument(5, "0").c_str());
  std::printf("%-30s %8s %4s %9s %9s %9s %9s %8s %7s %9s %8s\n", "model", "time [s]", "outs", "error", "energy",
              "gap [m]", "gap [rad]", "steps", "refused", "evaluated", "seconds");
  bool good = true;
  for (const std::filesystem::path& file : reference_files()) {
    if (file.stem().string().find(argument(3, "")) == std::string::npos) continue;
    good = print_line(file, options, std::atof(argument(4, "1e300").c_str())) && good;
  }
  return good ? 0 : 1;
}
