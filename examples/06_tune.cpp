// Searches the height and width of a cantilever so that it is stiff and light: a front of designs.
//
// Run from the repository root: build/dev/bin/example_06_tune
//
// Prints:
//   lightest:  8.36 Hz, 0.79 kg
//   stiffest: 33.42 Hz, 3.14 kg
//   all as narrow as can be: yes

#include <algorithm>
#include <cstdio>

#include "espalier/study/design.hpp"

using namespace espalier;

constexpr const char* kModel = R"(espalier: 1
gravity: [0, 0, 0]
active: [y, rz]
materials: {steel: {density: 7850, E: 2.1e+11, G: 8.1e+10}}
bodies:
  - {name: beam, kind: beam, from: [0, 0, 0], to: [1, 0, 0], y_axis: [0, 1, 0], section: {b: 0.02, h: 0.02},
     material: steel}
joints:
  - {name: clamp, type: fixed, between: [ground, beam], at: {position: [0, 0, 0]}}
tune:
  vary:
    width: {path: bodies.beam.section.b, range: [0.01, 0.05]}
    height: {path: bodies.beam.section.h, range: [0.01, 0.04]}
  goals: [{maximise: {frequency: 1}}, {minimise: mass}]
  pareto: true
  population: 32
  generations: 60
)";

int main() {
  const Result<formats::ModelVariants> model = formats::ModelVariants::read_text(kModel, "beam.yaml");
  const Result<formats::Tuning> tuning = formats::read_tuning_text(kModel, "beam.yaml");
  if (!model || !tuning) return std::fprintf(stderr, "the model cannot be read\n"), 2;
  const Result<study::DesignSpace> space = study::make_design_space(*model, *tuning);
  if (!space) return std::fprintf(stderr, "%s\n", to_string(space.error()).c_str()), 2;

  // Evaluations are spread over the ranks of the communicator; the answer does not depend on their number.
  const Result<study::Tuned> tuned = study::find_design(comm::Comm::serial(), *space);
  if (!tuned) return std::fprintf(stderr, "%s\n", to_string(tuned.error()).c_str()), 2;

  // By the first goal, which is the negative frequency: stiffest first.
  const study::FrontDesign& stiffest = tuned->front.front();
  const study::FrontDesign& lightest = tuned->front.back();
  std::printf("lightest: %5.2f Hz, %.2f kg\n", -lightest.goals[0], lightest.goals[1]);
  std::printf("stiffest: %5.2f Hz, %.2f kg\n", -stiffest.goals[0], stiffest.goals[1]);
  const bool narrow = std::all_of(tuned->front.begin(), tuned->front.end(),
                                  [](const study::FrontDesign& design) { return design.parameters[0] < 0.0102; });
  std::printf("all as narrow as can be: %s\n", narrow ? "yes" : "no");
}
