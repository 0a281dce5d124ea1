#pragma once

// The verb `sweep`: many runs of one model with other numbers in it, spread over threads and ranks.
//   In:   the model, its ModelVariants, a formats::Sweep (which numbers, which values), the options of each run
//   Out:  a folder with runs.csv, one line per run in order, and a run folder for each where asked for
// Runs are worked on in blocks; whoever is free takes the next one by making a file that no other can make. A block
// that is done stays done: the same call again computes what is missing. Runs that differ in nothing but their start
// are computed side by side. runs.csv holds nothing that depends on time or place: it is the same, byte for byte, for
// every number of threads and ranks.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/study/load.hpp"
#include "espalier/study/simulate.hpp"

namespace espalier::study {

struct SweepOptions {
  SimulateOptions run;                            // Of each run. `threads` are runs at a time on this rank.
  bool keep_frames = false;                       // Keep a run folder for each run, runs/000123; files grow with it.
  // On every rank, where the model and its plan are read and sound: what the run folders will take together, 0 without.
  std::function<void(const ResultSize& expected)> on_begin = {};
  std::function<void(std::int64_t)> on_run = {};  // Told how many runs this rank has done; one thread at a time.
};

struct SweepAnswer {
  std::int64_t runs = 0;
  std::int64_t computed = 0;  // now, on all ranks
  bool complete = false;      // false: stopped before the end
  // Of all runs, where complete.
  std::int64_t failed = 0;   // the solver gave up
  std::int64_t refused = 0;  // these numbers make no model
  int ranks = 1;
  double seconds = 0;
  std::string folder;
  std::vector<std::string> files;  // written when all runs were done: the table, and charts of chosen quantities
  ReaderNotes reader;
};

// Collective: the same arguments on all ranks, which share the folder SweepOptions::run.folder. All runs share one
// plan, that of the model as it stands. Errors: options that are for single runs, a folder of another sweep, a path
// that is no number of the model, files that cannot be written.
Result<SweepAnswer> sweep(const comm::Comm& comm, const LoadedModel& model, const formats::ModelVariants& variants,
                          const formats::Sweep& sweep, const SweepOptions& options);
// The same for a file, which is read as it stands and kept as its author wrote it, so that numbers can be put into it.
Result<SweepAnswer> sweep_file(const comm::Comm& comm, const std::filesystem::path& file, const formats::Sweep& sweep,
                               const SweepOptions& options, const LoadOptions& load_options = {});

}  // namespace espalier::study
