#pragma once

// The folder of a sweep and the work on it: blocks of runs that are claimed, computed and joined (sweep.hpp).

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::study::detail {

struct SweepRuns {
  std::filesystem::path folder;
  dynamics::SimulateOptions simulate;  // of each run
  std::string keyframe;                // to start from; empty: the drawn pose
  std::vector<std::string> accept;     // words of what the model's reader left out, for the run folders
  bool keep_frames = false;            // a run folder for each run: runs/000123
  bool csv = false;                    // with result.csv in it
  std::string quantities;              // of which runs.csv tells least, largest and end, and the columns of result.csv
  std::string command;                 // as it was typed, for the page of charts
  int threads = 1;                     // runs at a time on this rank
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t)> on_run = {};  // told how many runs this rank has done; one thread at a time
};

// As SweepAnswer has them.
struct SweepCounts {
  std::int64_t runs = 0, computed = 0;
  bool complete = false;
  std::int64_t failed = 0, refused = 0;
};

// Collective: the same arguments on all ranks, which share the folder. Errors: a folder of
// another sweep, a path that is no number of the model, files that cannot be written.
Result<SweepCounts> compute_runs(const comm::Comm& comm, const formats::ModelVariants& model,
                                 const formats::Sweep& sweep, const plan::Plan& plan, const SweepRuns& runs);

// Runs in a block, a function of their number and of what the sweep varies. `in_lanes`: nothing but how runs start, so
// that they are computed side by side (dynamics::simulate_batch) and a block holds eight at least where there are many.
std::int64_t block_size(std::int64_t runs, bool in_lanes);

}  // namespace espalier::study::detail
