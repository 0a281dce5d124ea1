// Every verb of study/: what the command line calls, called from a program.
// Run from the repository root: build/dev/bin/example_08_all_verbs
// Prints:
//   generate: a ladder of 7 bodies with 3 loops
//   check: 1 degree of freedom, 9 redundant equations
//   plan: cuts 3 joints, optimal
//   simulate: 101 frames, loops closed: yes; ten boxes on each other: 40 contacts
//   sweep: 3 runs
//   modes: 10 found, proved
//   tune: 16 designs in 2 generations
//   convert: read back as URDF, 8 things changed
//   view: a page of 3 bodies
//   calibrate: constants from 40 trees

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "espalier/study/calibrate.hpp"
#include "espalier/study/check.hpp"
#include "espalier/study/convert.hpp"
#include "espalier/study/generate.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/plan.hpp"
#include "espalier/study/sweep.hpp"
#include "espalier/study/tune.hpp"
#include "espalier/study/view.hpp"

using namespace espalier;
auto value(auto result) {
  if (!result) std::exit((std::fprintf(stderr, "%s\n", to_string(result.error()).c_str()), 2));
  return *std::move(result);
}

int main() {
  const comm::Comm comm = comm::Comm::serial();
  const study::GenerateAnswer ladder = value(study::generate("ladder", {.sizes = {3}}));
  std::printf("generate: a ladder of %d bodies with %d loops\n", ladder.count.bodies, ladder.count.loops);
  const dynamics::ConstraintReport rank = value(study::check(*ladder.loaded)).closing.constraints;
  std::printf("check: %d degree of freedom, %zu redundant equations\n", rank.freedom, rank.redundant.size());
  const plan::Plan plan = value(study::plan(*ladder.loaded, {.beta = 0.5})).plan;
  std::printf("plan: cuts %zu joints, %s\n", plan.cut.size(), plan.optimal ? "optimal" : "not proved");
  const study::SimulateAnswer moved = value(study::simulate(comm, *ladder.loaded));
  const study::SimulateAnswer stood = value(study::simulate(comm, *value(study::generate("stack")).loaded));
  std::printf("simulate: %d frames, loops closed: %s; ten boxes on each other: %d contacts\n", int(moved.frames),
              moved.mechanism->loop_distance < 1e-11 ? "yes" : "no", stood.scene->contacts);
  const formats::Sweep masses = {.parameters = {value(formats::parse_vary("bodies.rocker.mass=1:2:3"))}};
  study::SweepOptions runs;
  std::filesystem::remove_all(runs.run.folder = std::filesystem::temp_directory_path() / "espalier_example_08");
  std::printf("sweep: %d runs\n", int(value(study::sweep_file(comm, "models/four_bar.yaml", masses, runs)).runs));
  const study::ModesAnswer modes = value(study::modes(comm, value(study::load("models/y_frame.yaml"))));
  std::printf("modes: %d found, %s\n", modes.set.found, word_of(modes.set.certainty));
  const auto tuned = value(study::tune(comm, {.model = "models/mlrs.yaml", .population = 8, .generations = 2})).tuned;
  std::printf("tune: %d designs in %d generations\n", int(tuned.evaluations), tuned.state.search.generation);
  const study::ConvertAnswer urdf = value(study::convert(*ladder.loaded, {.to = formats::Format::kUrdf}));
  std::printf("convert: read back as URDF, %zu things changed\n", urdf.conversion.changes.size());
  std::printf("view: a page of %zu bodies\n", value(study::view("models/four_bar.yaml")).bodies);
  std::printf("calibrate: constants from %zu trees\n", study::calibrate({.seconds = 1e-3}).timings.size());
}
