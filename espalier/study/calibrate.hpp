#pragma once

// The constants of plan::MachineConstants for the machine this runs on: evaluations of generated mechanisms on good
// and bad trees are timed, and the constants fitted to what each of them consists of.

#include <string>
#include <vector>

#include "espalier/plan/machine.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::study {

// One mechanism on one tree.
struct Scene {
  std::string name;
  model::Model model;
  plan::Plan plan;
};
// Chains and trees of joints with one to six coordinates, ladders and strandbeests with few and with many open loops.
// In all of them as many equations are independent as plan::count_work says.
std::vector<Scene> calibration_scenes();

// The shortest of many evaluations in the drawn pose, at rest [s]. Takes about `budget` seconds.
double time_evaluation(const Scene& scene, double budget);

struct Timing {
  std::string name;
  plan::WorkCount work;
  double seconds = 0;    // measured
  double predicted = 0;  // with the fitted constants [s]
};

struct Calibration {
  plan::MachineConstants machine;
  std::vector<Timing> timings;
  double typical_error = 0;  // root of the mean square of predicted / measured - 1 [-]
  double largest_error = 0;  // [-]
};

// The constants, none negative, with the smallest sum of squares of predicted / measured - 1. `seconds` of the timings
// are given, `predicted` is filled.
Calibration fit_machine(std::vector<Timing> timings);

// Times all scenes, `budget` seconds each, and the handing over between two threads; that constant keeps its default
// where two threads never ran side by side.
Calibration calibrate(double budget = 0.03);

}  // namespace espalier::study
