#pragma once

// The verb `calibrate`: the constants of plan::MachineConstants for the machine this runs on. Evaluations of generated
// mechanisms on good and bad trees are timed, and the constants fitted to what each of them consists of.
//   In:   how long to measure
//   Out:  Calibration: the constants, and how well they predict what was measured
// Read next: plan/options.hpp, what the constants are of; record/plan_file.hpp, which keeps them; documents.hpp.

#include <string>
#include <vector>

#include "espalier/plan/options.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::study {

// One mechanism on one tree.
struct CalibrationTree {
  std::string name;
  model::Model model;
  plan::Plan plan;
};
// Chains and trees of joints with one to six coordinates, ladders and strandbeests with few and with many open loops.
// In all of them as many equations are independent as plan::count_work says.
std::vector<CalibrationTree> calibration_trees();

// The shortest of many evaluations in the drawn pose, at rest [s]. Takes about `budget` seconds.
double time_evaluation(const CalibrationTree& tree, double budget);

struct TreeTiming {
  std::string name;
  plan::WorkCount work;
  double seconds = 0;    // measured
  double predicted = 0;  // with the fitted constants [s]
};

struct CalibrateOptions {
  double seconds = 0.03;  // [s] Spent on each tree. Twice as long is some percent nearer on a busy machine.
};

// A plain value.
struct Calibration {
  std::string written;  // the file a door wrote the constants to
  plan::MachineConstants machine;
  std::vector<TreeTiming> timings;
  double typical_error = 0;  // root of the mean square of predicted / measured - 1 [-]
  double largest_error = 0;  // [-]
};

// The constants, none negative, with the smallest sum of squares of predicted / measured - 1. `seconds` of the timings
// are given, `predicted` is filled.
Calibration fit_machine(std::vector<TreeTiming> timings);

// Times all trees, and the handing over between two threads; that constant keeps its default where two threads never
// ran side by side. Takes about a second in all.
Calibration calibrate(const CalibrateOptions& options = {});

}  // namespace espalier::study
