// Moves a four-bar for two seconds and asks whether it kept its loop and its energy.
//
// Run from the repository root: build/dev/bin/example_04_simulate [FILE]
//
// Prints:
//   201 frames, loops closed to 1e-12 m: yes
//   energy kept to 1e-6 of what moved: yes

#include <cstdio>

#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/run_tree.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/formats/formats.hpp"

using namespace espalier;

int main(int argc, char** argv) {
  const Result<model::ModelSpec> spec = formats::read_model(argc > 1 ? argv[1] : "models/four_bar.yaml");
  const Result<model::Model> model = spec.and_then(model::compile);
  if (!model) return std::fprintf(stderr, "%s\n", to_string(model.error()).c_str()), 2;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  const Result<plan::Plan> plan = plan::make_plan(network, dynamics::options_for_run(*model, mechanism, {}));
  if (!plan) return std::fprintf(stderr, "%s\n", to_string(plan.error()).c_str()), 2;

  // The tree decides what is computed, not what comes out.
  const dynamics::System system = dynamics::make_system(*model, mechanism, *plan);
  const Result<std::vector<model::Note>> laws = dynamics::check_laws(system);
  if (!laws) return std::fprintf(stderr, "%s\n", to_string(laws.error()).c_str()), 2;
  int frames = 0;
  const auto count = [&](const model::Frame&) { return ++frames > 0; };
  const dynamics::RunState start = dynamics::start_run(system, dynamics::drawn_state(system));
  dynamics::SimulateOptions options;
  options.run.end_time = 2;  // [s]
  options.tolerance = 1e-9;
  const dynamics::RunStatus run = dynamics::simulate(system, start, count, options);
  if (run.outcome != model::Outcome::kDone) return std::fprintf(stderr, "%s\n", run.message.c_str()), 1;

  std::printf("%d frames, loops closed to 1e-12 m: %s\n", frames, run.loop_distance < 1e-12 ? "yes" : "no");
  std::printf("energy kept to 1e-6 of what moved: %s\n", run.energy_error < 1e-6 * run.energy_scale ? "yes" : "no");
}
