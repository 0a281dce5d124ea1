// Finds the vibration modes of an elastic frame below 50 Hz, and proves that none is missing.
//
// Run from the repository root: build/dev/bin/example_05_modes [FILE]
//
// Prints:
//   4.0120 Hz, 5.8381 Hz, 9.7572 Hz, 18.8184 Hz, 21.1678 Hz, 22.8931 Hz
//   6 found, 6 counted: proved

#include <cstdio>
#include <numbers>

#include "espalier/formats/formats.hpp"
#include "espalier/modes/modes.hpp"

using namespace espalier;

int main(int argc, char** argv) {
  const Result<model::ModelSpec> spec = formats::read_model(argc > 1 ? argv[1] : "models/y_frame.yaml");
  const Result<model::Model> model = spec.and_then(model::compile);
  if (!model) return std::fprintf(stderr, "%s\n", to_string(model.error()).c_str()), 2;

  // Rigid bodies and ends of beams are vertices, beams and joints are elements; plan/ hangs them on a tree.
  const Result<modes::Structure> structure = modes::make_structure(*model);
  if (!structure) return std::fprintf(stderr, "%s\n", to_string(structure.error()).c_str()), 2;
  const Result<modes::Tree> tree = modes::plan_tree(*structure);
  modes::ModesOptions options;
  options.max_frequency = 2 * std::numbers::pi * 50;  // [rad/s]
  const Result<modes::ModeSet> set = modes::find_modes(comm::Comm::serial(), *structure, *tree, options);
  if (!set) return std::fprintf(stderr, "%s\n", to_string(set.error()).c_str()), 2;

  const char* comma = "";
  for (const modes::Mode& mode : set->modes) {
    std::printf("%s%.4f Hz", comma, mode.s.imag() / (2 * std::numbers::pi));
    comma = ", ";
  }
  std::printf("\n%d found, %d counted: %s\n", set->found, set->counted, word_of(set->certainty));
}
