#pragma once

// The verb `tune`: a design search that keeps a checkpoint in a folder and can be gone on with.
//   In:   a model file, and its section `tune` or a file of its own that says what varies and what is good;
//         or the folder of a search to go on with
//   Out:  TuneAnswer, and the files that write_tune_results() (tune_folder.hpp) makes of it
//
//   Result<TuneJob> job = study::open_tune(comm, {.model = "models/mlrs.yaml"});
//   Result<TuneAnswer> answer = study::run_tune(comm, *std::move(job));

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/study/load.hpp"
#include "espalier/study/tune_folder.hpp"

namespace espalier::study {

// What is not given is as the file has it, or, with `restart`, as the search had it.
struct TuneSettings {
  std::string model;  // Its file; may be empty with `restart`.
  LoadOptions load;
  std::string study;                     // File of what varies and what is good; empty: the model's own section.
  std::optional<std::string> algorithm;  // genetic, nsga2, pso, aco, cmaes, de
  std::optional<int> population;         // [-] Designs of a generation. More find more and take longer, in proportion.
  std::optional<int> generations;        // [-] At most so many, the first among them; may be raised with `restart`.
  std::optional<std::uint64_t> seed;     // Another seed is another search; the same seed gives the same bits.
  bool pareto = false;                   // Each goal for itself: a front of designs instead of one weighed best.
  std::optional<int> threads;            // [-] Designs at a time on each rank; all cores, or 1 on several ranks.
  std::string output;                    // Folder for the results; empty: a new one named after the model.
  std::string restart;                   // Folder of the search to go on with.
};

// A search that is read, checked and has its folder, which nobody else may write while this lives.
struct TuneJob {
  TuneRecord record;  // of a restart with the state to go on from
  DesignSpace space;
  ReaderNotes reader;
  bool restarted = false;
  std::vector<std::string> notes;  // what there is to know of the restart
  std::string folder;
  int threads = 1;
  std::optional<files::FolderLock> lock;  // on the root rank
};

// Collective. Errors name the option, or the file and line, and the way out.
Result<TuneJob> open_tune(const comm::Comm& comm, const TuneSettings& settings);

struct TuneWatch {
  std::function<void(const TuneState&)> on_generation = {};              // on the root rank
  std::function<void(std::size_t done, std::size_t of)> on_design = {};  // on the root rank: of a generation
  // Any rank's: set to end with the last whole generation. Is set too where a checkpoint cannot be written.
  std::atomic<bool>* stop = nullptr;
};

struct TuneAnswer {
  TuneJob job;  // what was searched; its state is that of the begin
  int ranks = 1;
  Tuned tuned;                   // without parameters where it was stopped in the first generation
  std::optional<Error> problem;  // on the root rank: a checkpoint could not be written, which ended the search
};

// Collective. Writes a checkpoint before the first generation, after generations, at most five per second since each
// waits for the disk, and at the end. Errors: those of study::tune.
Result<TuneAnswer> run_tune(const comm::Comm& comm, TuneJob job, const TuneWatch& watch = {});

// Every band and every other limit, by the best design.
bool limits_held(const TuneAnswer& answer);
// The command that goes on from here.
std::string next_command(const TuneAnswer& answer);

}  // namespace espalier::study
