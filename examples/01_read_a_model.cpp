// Reads a model file, checks it and counts its loops and freedoms.
//
// Run from the repository root: build/dev/bin/example_01_read_a_model [FILE]
//
// Prints:
//   flyball governor: 6 bodies, 8 movable joints, 2 loops, freedom 2
//   loop: ball_right fork_right sleeve pin_right
//   loop: ball_left fork_left sleeve pin_left

#include <cstdio>

#include "espalier/formats/formats.hpp"
#include "espalier/plan/network.hpp"

using namespace espalier;

int main(int argc, char** argv) {
  // A spec is what the file says, with names and line numbers; a model is checked and indexed.
  const Result<model::ModelSpec> spec = formats::read_model(argc > 1 ? argv[1] : "models/governor.yaml");
  const Result<model::Model> model = spec.and_then(model::compile);
  if (!model) {
    std::fprintf(stderr, "%s\n", to_string(model.error()).c_str());
    return 2;
  }
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Count count = plan::count(*model, mechanism);
  std::printf("%s: %d bodies, %d movable joints, %d loops, freedom %d\n", model->name.c_str(), count.bodies,
              count.movable_joints, count.loops, count.freedom);
  for (const auto& loop : plan::independent_loops(mechanism)) {
    std::printf("loop:");
    for (const model::JointId id : loop) std::printf(" %s", model->joint(id).name.c_str());
    std::printf("\n");
  }
}
