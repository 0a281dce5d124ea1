#pragma once

// What `simulate` prints, whichever engine ran.

#include <string>

#include "espalier/study/simulate.hpp"
#include "espalier/study/sweep.hpp"

namespace espalier::app {

// What is known before the run: the mechanism and its tree, or the scene, and what is odd about it.
std::string simulate_head(const study::SimulateAnswer& answer, int ranks);
// What was done, how well, what was written, and the next command.
std::string simulate_text(const study::SimulateAnswer& answer);
// What went wrong, for standard error: files that could not be written, a run that failed in the model `file`, and,
// with `doubts`, steps that did not converge. Empty where all went well.
std::string problem_text(const study::SimulateAnswer& answer, const std::string& file, bool doubts);
// What continues a run where a process of it is gone.
std::string way_out_text(const std::string& folder);
std::string sweep_text(const study::SweepAnswer& answer);

// "t 1.25 s  12 %  x 34.1  ETA 0:12  loop 2e-13 m  energy 3e-09 J", or
// "t 0.25 s  25 %  ETA 0:12  312 contacts  40 iterations  residual 3e-07  imbalance 1.1"; `seconds` of wall time so
// far.
std::string progress_text(const study::RunProgress& progress, double seconds);

}  // namespace espalier::app
