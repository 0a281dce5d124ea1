#pragma once

// The verb `simulate`: a model moved through time, by either engine, and the run written down.
//   In:   LoadedModel and SimulateOptions, or the folder of a run to continue
//   Out:  SimulateAnswer, and a run folder where one is named (docs/formats/run-folder.md)
// The same input gives the same bits for every number of threads and ranks, stopped and continued or not.
// Read next: simulation.hpp, what can be asked and what is answered; sweep.hpp, many runs of one model.

#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/study/load.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study {

// Collective; the model counts on the root alone, and so does the answer. Errors: options or a model that the engine
// refuses, loops that do not close, a folder that cannot be made. A run that fails on its way is an answer.
Result<SimulateAnswer> simulate(const comm::Comm& comm, const LoadedModel& model, const SimulateOptions& options = {});

// Collective. Continues a run that was stopped or has failed, or one that is done to a later end. Of the options those
// may be given that change no number of the run (check_engine_options). Errors: as of simulate(); a folder without a
// run, another model, a run that has reached its end.
Result<SimulateAnswer> restart(const comm::Comm& comm, const Restart& from, const SimulateOptions& options = {});

// The engine that simulate() takes.
Engine engine_of(const LoadedModel& model, const SimulateOptions& options);

// Simulated time per wall time of this part of the run [-]; 0 before it ends.
double real_time_factor(const SimulateAnswer& answer);
// The busiest rank's own time against the mean [-]; 1 where all have the same work.
double imbalance(const std::vector<model::RankLoad>& ranks);
// energy_error / energy_scale; nothing where nothing moved.
std::optional<double> relative_energy_error(const MechanismAnswer& mechanism);
// A sentence where that is above 100 times the tolerance.
std::optional<std::string> energy_problem(const MechanismAnswer& mechanism);
// "3 of 100 steps did not reach the tolerance 1e-06; the worst is at 2e-05". Empty where all did.
std::string unconverged_text(const SimulateAnswer& answer);
// "four_bar.yaml: the step became too small ...": files that could not be written, or why the run of the model in
// `file` failed. Empty where it did not.
std::string problem_text(const SimulateAnswer& answer, const std::string& file);
// The same of what unconverged_text() says. Empty where all steps converged.
std::string doubt_text(const SimulateAnswer& answer, const std::string& file);
// Whether a strict caller takes the run for a failure: steps that did not converge, or energy that was not kept.
bool is_doubtful(const SimulateAnswer& answer);
// The command that continues the run; empty where no files were written.
std::string next_command(const SimulateAnswer& answer);

}  // namespace espalier::study
