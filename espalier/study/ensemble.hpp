#pragma once

// Many runs of one model with other numbers in it, spread over threads and ranks.
//   In:   ModelVariants and a Sweep (io): which numbers, which values; a Plan, the same for all runs
//   Out:  a folder with runs.csv, one line a run in order, and a run folder for each where asked for
// Runs are worked on in blocks; whoever is free takes the next one by making a file that no other can make. A block
// that is done stays done: the same call again goes on where the last one ended. Runs that differ in nothing but their
// start march side by side. runs.csv holds nothing that depends on
// time or place: it is the same, byte for byte, for every number of threads and ranks.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/formats/model_variants.hpp"
#include "espalier/formats/sweep.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::study {

struct EnsembleOptions {
  std::filesystem::path folder;
  dynamics::SimulateOptions simulate;  // of each run
  std::string keyframe;                // to start from; empty: the drawn pose
  std::vector<std::string> accept;     // words of what the model's reader left out, for the run folders
  bool keep_frames = false;            // a run folder for each run: runs/000123
  std::string version;                 // of the program, for those folders
  int threads = 1;                     // runs at a time on this rank
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t)> on_run;  // told how many runs this rank has done; one thread at a time
};

struct Ensemble {
  std::int64_t runs = 0;
  std::int64_t computed = 0;  // now, on all ranks
  bool complete = false;      // false: stopped before the end
  // Of all runs, where complete.
  std::int64_t failed = 0;   // the solver gave up
  std::int64_t refused = 0;  // these numbers make no model
};

// Collective: the same arguments on all ranks, which share the folder. Errors: a folder of another ensemble, a path
// that is no number of the model, files that cannot be written.
Result<Ensemble> run_ensemble(const comm::Comm& comm, const formats::ModelVariants& model, const formats::Sweep& sweep,
                              const plan::Plan& plan, const EnsembleOptions& options);

// Runs in a block, a function of their number and of what the sweep varies. `in_lanes`: nothing but how runs start,
// so that they march side by side (dynamics::simulate_batch) and a block holds eight at least where there are many.
std::int64_t block_size(std::int64_t runs, bool in_lanes);

}  // namespace espalier::study
