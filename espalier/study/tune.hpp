#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/optimize/optimize.hpp"
#include "espalier/study/load.hpp"

namespace espalier::study {

// One design of a search: numbers put into a model, its modes, and what they are worth.
//   In:   ModelVariants and a Tuning (io); a value for each of its parameters
//   Out:  Judgement: frequencies, and a number for each goal

// A field of the model that a parameter sets.
struct TunedField {
  std::size_t parameter = 0;
  std::string path;
  double factor = 1;  // on the parameter: what the file has, or 1
};

// A tuning whose paths are found in its model. Frozen: threads may share it.
struct DesignSpace {
  formats::ModelVariants model;
  formats::Tuning tuning;
  std::vector<TunedField> fields;
  std::vector<double> drawn;  // by parameter: its value in the file, where its fields agree on one; else NaN
  int modes = 0;              // the lowest so many frequencies are needed,
  double upto = 0;            // and all up to this [Hz]
  // The tree of the model as drawn; designs with the same vertices and elements use it too.
  modes::Tree tree;
  std::vector<std::array<int, 2>> elements;
  std::size_t vertices = 0;
};

// Errors, with the line: a path that is no number of the model, a field that two parameters set, a factor on a field
// that the file leaves out or has as 0, a goal of damping where nothing dissipates, a model that has no modes.
Result<DesignSpace> make_design_space(formats::ModelVariants model, formats::Tuning tuning);

std::vector<formats::FieldValue> field_values(const DesignSpace& space, std::span<const double> parameters);

struct Judgement {
  std::string problem;              // the numbers make no model, or its modes are not certain; empty: all is well
  std::vector<double> frequencies;  // [Hz], ascending, with multiplicities, without free motions; at least those needed
  std::vector<double> damping;      // ratio of each
  modes::Certainty certainty = modes::Certainty::kNone;
  double mass = 0;            // of all that moves [kg]
  std::vector<double> goals;  // by goal of the tuning, without weight; NaN where there is a problem
  bool stopped = false;       // cut short: nothing of it counts
};

// O(modes * elements): up to five searches for modes, whose number is proved (undamped) or checked (damped) and each of
// which ends within the work that modes/detail/damped.hpp states. `stop`: end now.
Judgement judge(const DesignSpace& space, std::span<const double> parameters, const std::atomic<bool>* stop = nullptr);
// The same of the model as its file has it.
Judgement judge_drawn(const DesignSpace& space, const std::atomic<bool>* stop = nullptr);

// The numbers that a search makes small: one, weighed, or with `pareto` one for each goal that is no limit. Limits
// without a weight are none of them: they are to be held first.
int search_goals(const formats::Tuning& tuning);
bool has_constraints(const formats::Tuning& tuning);
// With constraints one number more in `searched`: the sum of what is not held of them.
void weigh(const formats::Tuning& tuning, std::span<const double> goals, std::span<double> searched);

// A goal that is a limit, and how a design stands to it.
struct LimitState {
  std::size_t goal = 0;  // of the tuning
  bool held = false;
  std::vector<double> frequencies;  // [Hz] inside the band, or of too little damping
};
std::vector<LimitState> limit_states(const DesignSpace& space, const Judgement& judgement);

// Design search: the numbers of a model that its goals like best.
//   In:     ModelVariants and a Tuning (io): what varies, what is good, by which algorithm
//   Out:    Tuned: the best design, the Pareto front where goals stand for themselves, and the history
// Read next: tune.hpp, what one design is worth; tune.hpp, the files of a search.
// The same seed gives the same bits on every number of ranks and threads, stopped and restarted or not.

// One generation. With several searched numbers, best and mean are of the first.
struct TuneStep {
  int generation = 0;                           // from 1: the drawn design, and others at random
  double best = 0;                              // the searched number of the best design so far; NaN: limits not held
  double mean = 0;                              // over the population
  std::vector<double> parameters, frequencies;  // of the best design; the frequencies that the goals need [Hz]
};

// All that a search remembers, to be written to a file and gone on with.
struct TuneState {
  std::uint64_t study = 0;  // study_hash(): what it is a search for
  optimize::SearchState search;
  std::vector<TuneStep> history;  // on the root rank
  double seconds = 0;             // of all calls
};

struct TuneOptions {
  int threads = 1;                          // designs at a time on this rank
  const TuneState* start = nullptr;         // go on from here; the root's counts
  const std::atomic<bool>* stop = nullptr;  // any rank's: end now, with the last whole generation
  std::function<void(std::size_t done, std::size_t of)> on_design = {};  // on the root rank: of a generation
  std::function<void(const TuneState&)> on_generation = {};              // on the root rank
};

// A design of the Pareto front.
struct FrontDesign {
  std::vector<double> parameters;
  std::vector<double> goals;  // by goal of the tuning, without weight
};

struct Tuned {
  TuneState state;
  std::vector<double> parameters;  // of the best design; none where it was stopped in the first generation
  // drawn: the model as its file has it. Of a search that was stopped, each may be `stopped` too where it takes long.
  Judgement drawn, best;
  std::vector<FrontDesign> front;  // by the first goal
  std::int64_t evaluations = 0;    // in this call, on all ranks
  double seconds = 0;              // of this call
  bool stopped = false;
};

// Of the model and of what is searched in it: all but how long.
Result<std::uint64_t> study_hash(const DesignSpace& space);

// What tune() would refuse: an algorithm that does not exist or cannot do several goals, a population too small for it,
// a start of another study.
Result<void> check_tune(const DesignSpace& space, const TuneOptions& options = {});

// Collective; the same arguments and the same answer on every rank. Errors: those of check_tune; no design whose goals
// are numbers.
Result<Tuned> tune(const comm::Comm& comm, const DesignSpace& space, const TuneOptions& options = {});

// A design search on disk. docs/file-formats.md lists the files and their fields.

// What checkpoint.json says: enough to go on.
struct TuneRecord {
  std::string model;  // its file
  std::string study;  // the file of the tuning; empty: the model's
  std::string algorithm;
  int population = 0, generations = 0;
  std::uint64_t seed = 1;
  bool pareto = false;
  std::optional<double> enough;
  std::vector<std::string> accept;  // words of what the model's reader left out and changes the modes
  TuneState state;
};

// JSON; every double comes back with all its bits. Whenever the program ends, the old or the new checkpoint is whole,
// and the one before stays beside it. Where the last one is damaged, that one is read, and a note says so.
Result<void> write_tune_checkpoint(const std::filesystem::path& folder, const TuneRecord& record);
Result<TuneRecord> read_tune_checkpoint(const std::filesystem::path& folder, std::vector<std::string>& notes);
// The same from its text; `file` is for messages.
Result<TuneRecord> read_tune_checkpoint_text(const std::string& text, const std::string& file);

// Makes the folder and locks it. Errors: there is a search in it already, another process writes one there, it cannot
// be written.
Result<files::FolderLock> make_tune_folder(const std::filesystem::path& folder);

// What came out: tune.json (`json`, as the command line prints it), history.csv, front.csv where there is a front,
// best.yaml, the best design as a native model, and charts: fitness.svg, frequencies.svg, front.svg, and index.html
// with all of them and `text`. Returns their names.
struct TuneFiles {
  std::string title, command, text, json;
};
Result<std::vector<std::string>> write_tune_results(const std::filesystem::path& folder, const DesignSpace& space,
                                                    const Tuned& tuned, const TuneFiles& files);

// The verb `tune`: a design search that keeps a checkpoint in a folder and can be gone on with.
//   In:   a model file, and its section `tune` or a file of its own that says what varies and what is good;
//         or the folder of a search to go on with
//   Out:  TuneAnswer, and the files that write_tune_results() (tune.hpp) makes of it
//
//   Result<TuneJob> job = study::open_tune(comm, {.model = "models/mlrs.yaml"});
//   Result<TuneAnswer> answer = study::run_tune(comm, *std::move(job));

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
