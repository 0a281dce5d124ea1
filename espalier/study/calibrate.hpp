#pragma once

// The verb `calibrate`: the constants of plan::MachineConstants for the machine this runs on. Evaluations of generated
// mechanisms on good and bad trees are timed, and the constants fitted to what each of them consists of.
//   In:   how long to measure
//   Out:  Calibration: the constants, and how well they predict what was measured
// Read next: plan/options.hpp, what the constants are of; record/plan_file.hpp, which keeps them; documents.hpp.

#include <optional>
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
  std::string family = {};  // the same for trees that differ in size alone; empty for one that stands alone
};
// Chains and trees of joints with one to six coordinates, ladders and strandbeests with few and with many open loops.
// In all of them as many equations are independent as plan::count_work says.
std::vector<CalibrationTree> calibration_trees();

// The shortest of many evaluations in the drawn pose, at rest [s]. Takes about `budget` seconds.
double time_evaluation(const CalibrationTree& tree, double budget);

struct TreeTiming {
  std::string name;
  plan::WorkCount work;
  double seconds = 0;       // measured
  double predicted = 0;     // with the fitted constants [s]
  std::string family = {};  // of the tree
  int equations = 0;        // N(T)
};

struct CalibrateOptions {
  double seconds = 0.03;  // [s] Spent on each tree. Twice as long is some percent nearer on a busy machine.
};

// What beta of L + beta W stands for on this machine: beta = 2 b / a. One unit of W is two equations more, (P2). Of the
// trees of one family, from size to size, b is what one equation more takes. `value` is the middle one of what it is on
// the faster trees, as a plan finds them.
struct BetaRange {
  double value = 0, least = 0, most = 0;  // [-] over all families, good trees and bad ones
  double level_seconds = 0;               // a: one level of a tree of hinges [s]
  double equation_seconds = 0;            // b of `value`: dS2/dN [s]
};

// A plain value.
struct Calibration {
  std::string written;  // the file a door wrote the constants to
  plan::MachineConstants machine;
  std::vector<TreeTiming> timings;
  double typical_error = 0;       // root of the mean square of predicted / measured - 1 [-]
  double largest_error = 0;       // [-]
  std::optional<BetaRange> beta;  // no value where no family has two sizes
};

// The constants, none negative, with the smallest sum of squares of predicted / measured - 1. `seconds` of the timings
// are given, `predicted` is filled.
Calibration fit_machine(std::vector<TreeTiming> timings);

// Times all trees, and the handing over between two threads; that constant keeps its default where two threads never
// ran side by side. Takes about a second in all.
Calibration calibrate(const CalibrateOptions& options = {});

}  // namespace espalier::study
