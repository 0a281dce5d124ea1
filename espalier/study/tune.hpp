#pragma once

// The verb `tune`: the numbers of a model that its goals like best, searched with checkpoints in a folder.
//   In:   TuneOptions: a model file, and its section `tune` or a file of its own that says what varies and what is
//         good; or the folder of a search to continue
//   Out:  TuneAnswer, and with a folder the files that write_tune_results() makes of it
// Read next: design.hpp, what a design is worth and how the best is found; docs/formats/tuning.md, the files.
//
//   Result<TuneAnswer> answer = study::tune(comm, {.model = "models/mlrs.yaml", .generations = 20});

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/study/design.hpp"
#include "espalier/study/load.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {

struct TuneJob;

// What is not given is as the file has it, or, with `restart`, as the search had it.
struct TuneOptions {
  std::string model;  // Its file; may be empty with `restart`.
  LoadOptions load = {};
  std::string study = {};                     // File of what varies and what is good; empty: the model's own section.
  std::optional<std::string> algorithm = {};  // genetic, nsga2, pso, aco, cmaes, de
  std::optional<int> population = {};         // [-] Designs of a generation. More find more and take longer.
  std::optional<int> generations = {};        // [-] At most so many, the first included; may be raised with `restart`.
  std::optional<int> patience = {};           // [-] Generations without a gain after which it ends; may be given with
                                              // `restart`. A small one may end before the mutations are fine.
  std::optional<std::uint64_t> seed = {};     // Another seed is another search; the same seed gives the same bits.
  bool pareto = false;                        // Each goal for itself: a front of designs instead of one weighed best.
  std::optional<int> threads = {};            // [-] Designs at a time on each rank; all cores, or 1 on several ranks.
  // Files.
  std::filesystem::path folder = {};  // For checkpoints and results; empty: no files. The root's counts.
  std::string restart = {};           // Folder of the search to continue.
  std::string command = {};           // How the search was asked for, for the page of results.
  TextOptions text = {};              // Of the report on that page.
  // Asked and told while it runs.
  std::atomic<bool>* stop = nullptr;  // Any rank's: set to end with the last whole generation. Is set too where a
                                      // checkpoint cannot be written.
  std::function<void(const TuneJob&)> on_begin = {};                     // On every rank, before the first generation.
  std::function<void(const TuneState&)> on_generation = {};              // On the root rank.
  std::function<void(std::size_t done, std::size_t of)> on_design = {};  // On the root rank: of a generation.
};

// What checkpoint.bin says: enough to go on.
struct TuneRecord {
  std::string model;  // its file
  std::string study;  // the file of the tuning; empty: the model's
  std::string algorithm;
  int population = 0, generations = 0;
  std::uint64_t seed = 1;
  bool pareto = false;
  std::optional<double> enough;
  int patience = 0;
  std::vector<std::string> accept;  // words of what the model's reader left out and changes the modes
  TuneState state;
};

// A search that is read, checked and has its folder, which nobody else may write while this lives.
struct TuneJob {
  TuneRecord record;  // of a restart with the state to go on from
  DesignSpace space;
  ReaderNotes reader;
  bool restarted = false;
  std::vector<std::string> notes;  // what there is to know of the restart
  std::string folder;              // empty: no files
  int threads = 1;
  std::optional<files::FolderLock> lock;  // on the root rank
};

struct TuneAnswer {
  TuneJob job;  // what was searched; its state is that of the begin
  int ranks = 1;
  Tuned tuned;                     // without parameters where it was stopped in the first generation
  std::vector<std::string> files;  // on the root rank: names of those written with the answer
  std::optional<Error> problem;    // on the root rank: a file could not be written; a checkpoint ends the search
};

// Collective; the same options on every rank. With a folder it writes a checkpoint before the first generation, after
// generations, at most five per second since each waits for the disk, and at the end, then the results. Errors name the
// option, or the file and line, and the way out; no design whose goals are numbers.
Result<TuneAnswer> tune(const comm::Comm& comm, const TuneOptions& options);

// Every band and every other limit, by the best design.
bool limits_held(const TuneAnswer& answer);
// The command that continues from here, as JSON documents hold it.
std::string next_command(const TuneAnswer& answer);

// The files of a search. docs/formats/tuning.md lists them and their fields.

// JSON; every double comes back with all its bits. Whenever the program ends, the old or the new checkpoint is whole,
// and the one before stays beside it. Where the last one is damaged, that one is read, and a note says so.
Result<void> write_tune_checkpoint(const std::filesystem::path& folder, const TuneRecord& record);
Result<TuneRecord> read_tune_checkpoint(const std::filesystem::path& folder, std::vector<std::string>& notes);
// The same from its text; `file` is for messages.
Result<TuneRecord> read_tune_checkpoint_text(const std::string& text, const std::string& file);

// Makes the folder and locks it. Errors: there is a search in it already, another process writes one there, it cannot
// be written.
Result<files::FolderLock> make_tune_folder(const std::filesystem::path& folder);

// What came out: tune.json (`json`, the document of the verb), history.csv, front.csv where there is a front,
// best.yaml, the best design as a native model, and charts: fitness.svg, frequencies.svg, bands.svg, front.svg, and
// index.html with all of them, the moving shapes of the best design, and `text`. Returns their names.
struct TuneFiles {
  std::string title, command, text, json;
};
Result<std::vector<std::string>> write_tune_results(const std::filesystem::path& folder, const DesignSpace& space,
                                                    const Tuned& tuned, const TuneFiles& files);

}  // namespace espalier::study
