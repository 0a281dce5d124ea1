#include "espalier/study/tune.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/study/detail/design_run.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

Result<void> check_options(const TuneOptions& options) {
  if (options.model.empty() && options.restart.empty()) {
    return make_option_error("model", "no model is named", "give a model file, or `restart` with a folder");
  }
  if (options.threads && (*options.threads < 1 || *options.threads > 1024)) {
    return make_option_error("threads", fmt::format("`threads` is {}", *options.threads),
                             "give a number from 1 to 1024");
  }
  if (options.population && (*options.population < 4 || *options.population > formats::kMostDesigns)) {
    return make_option_error("population", fmt::format("`population` is {}", *options.population),
                             fmt::format("give a number from 4 to {}", formats::kMostDesigns));
  }
  if (options.generations && *options.generations < 1) {
    return make_option_error("generations", fmt::format("`generations` is {}", *options.generations), "give 1 or more");
  }
  if (options.patience && *options.patience < 1) {
    return make_option_error("patience", fmt::format("`patience` is {}", *options.patience), "give 1 or more");
  }
  const bool another = options.algorithm || options.population || options.seed || options.pareto ||
                       !options.study.empty() || !options.folder.empty();
  if (!options.restart.empty() && another) {
    return make_option_error("restart", "`restart` continues the search as it was, in its own folder",
                             "leave `algorithm`, `population`, `seed`, `pareto`, `study` and `folder` out");
  }
  return {};
}

// What a checkpoint says is checked as if it were typed.
Result<void> check_numbers(const TuneRecord& record, const std::string& folder) {
  const bool sound = record.population >= 4 && record.population <= formats::kMostDesigns && record.generations >= 1 &&
                     record.patience >= 0;
  if (sound) return {};
  return make_error(ErrorCode::kValue, {folder + "/checkpoint.bin", 0, 0},
                    fmt::format("a search of {} generations with {} designs; there are 1 or more, of 4 to {} designs",
                                record.generations, record.population, formats::kMostDesigns));
}

// What was asked for before what the file says.
void override_search(const TuneOptions& options, formats::Tuning& tuning) {
  tuning.algorithm = options.algorithm.value_or(tuning.algorithm);
  tuning.population = options.population.value_or(tuning.population);
  tuning.generations = options.generations.value_or(tuning.generations);
  tuning.patience = options.patience.value_or(tuning.patience);
  tuning.seed = options.seed.value_or(tuning.seed);
  tuning.pareto = tuning.pareto || options.pareto;
}

void override_search(const TuneRecord& record, formats::Tuning& tuning) {
  tuning.algorithm = record.algorithm;
  tuning.population = record.population;
  tuning.generations = record.generations;
  tuning.seed = record.seed;
  tuning.pareto = record.pareto;
  tuning.enough = record.enough;
  tuning.patience = record.patience;
}

TuneRecord make_record(const std::string& model, const std::string& study, const formats::Tuning& tuning) {
  TuneRecord record;
  record.model = model;
  record.study = study;
  record.algorithm = tuning.algorithm;
  record.population = tuning.population;
  record.generations = tuning.generations;
  record.seed = tuning.seed;
  record.pareto = tuning.pareto;
  record.enough = tuning.enough;
  record.patience = tuning.patience;
  return record;
}

Result<void> check_pareto(const formats::Tuning& tuning) {
  if (!tuning.pareto || search_goals(tuning) >= 2) return {};
  return make_option_error(
      "pareto",
      "`pareto` needs two goals or more beside limits ('avoid', 'damping', 'at_most', 'at_least'), which are held by "
      "all the others");
}

// The record of the search to go on with; an empty one where there is none.
Result<TuneRecord> read_before(const TuneOptions& options, std::vector<std::string>& notes) {
  if (options.restart.empty()) return TuneRecord{};
  Result<TuneRecord> record = read_tune_checkpoint(options.restart, notes);
  ESPALIER_TRY(record);
  const Result<void> numbers = check_numbers(*record, options.restart);
  ESPALIER_TRY(numbers);
  return record;
}

// What the reader left out changes modes and motions alike; what touches, only a scene.
Result<ReaderNotes> read_notes(const LoadedVariants& loaded, const formats::Tuning& tuning) {
  const bool runs = std::ranges::all_of(
      tuning.goals, [](const formats::TuningGoal& goal) { return goal.kind == formats::TuningGoal::Kind::kQuantity; });
  const model::Use use = tuning.run.engine == word_of(Engine::kContact) ? model::Use::kContact
                         : runs                                         ? model::Use::kMotion
                                                                        : model::Use::kModes;
  return reader_notes(loaded, use);
}

Result<TuneJob> read_job(const TuneOptions& options) {
  const Result<void> checked = check_options(options);
  ESPALIER_TRY(checked);
  std::vector<std::string> notes;
  Result<TuneRecord> before = read_before(options, notes);
  ESPALIER_TRY(before);
  const bool restarted = !options.restart.empty();
  const std::string model = options.model.empty() ? before->model : options.model;
  const std::string study = options.study.empty() ? before->study : options.study;
  LoadOptions load = options.load;
  load.accept.insert(load.accept.end(), before->accept.begin(), before->accept.end());
  Result<LoadedVariants> loaded = load_variants(model, load);
  ESPALIER_TRY(loaded);
  // The study may stand in the model's own file.
  Result<formats::Tuning> tuning = formats::read_tuning(study.empty() ? model : study);
  ESPALIER_TRY(tuning);
  Result<ReaderNotes> reader = read_notes(*loaded, *tuning);
  ESPALIER_TRY(reader);
  // The record of a restart decides; check_options() has left no other choice than that of the generations.
  if (restarted) override_search(*before, *tuning);
  override_search(options, *tuning);
  const Result<void> several = check_pareto(*tuning);
  ESPALIER_TRY(several);
  TuneRecord record = make_record(model, study, *tuning);
  record.accept = reader->accepted;
  record.state = std::move(before->state);
  Result<DesignSpace> space = make_design_space(std::move(loaded->variants), *std::move(tuning));
  ESPALIER_TRY(space);
  DesignSearch search;
  if (restarted) search.start = &record.state;
  // Before a folder is made for it.
  const Result<void> sound = check_search(*space, search);
  ESPALIER_TRY(sound);
  return TuneJob{std::move(record), *std::move(space), *std::move(reader), restarted, std::move(notes), "", 1, {}};
}

using Lock = std::optional<files::FolderLock>;

// On the root, before anything is read of a search to go on with.
Result<void> lock_folder(const comm::Comm& comm, const std::string& folder, Lock& lock) {
  std::error_code code;
  if (!comm.is_root() || folder.empty() || !fs::is_directory(folder, code)) return {};
  Result<files::FolderLock> taken = files::FolderLock::take(folder);
  ESPALIER_TRY(taken);
  lock.emplace(*std::move(taken));
  return {};
}

Result<void> make_folder(const std::string& folder, Lock& lock) {
  Result<files::FolderLock> made = make_tune_folder(folder);
  ESPALIER_TRY(made);
  lock.emplace(*std::move(made));
  return {};
}

// The root's folder, on every rank.
Result<void> open_folder(const comm::Comm& comm, const TuneOptions& options, TuneJob& job) {
  // Each rank may have found another free name: the root's is taken.
  job.folder = comm::broadcast(comm, options.restart.empty() ? options.folder.string() : options.restart);
  const bool makes = comm.is_root() && !job.restarted && !job.folder.empty();
  return comm::agree(comm, makes ? make_folder(job.folder, job.lock) : Result<void>());
}

// On the root: writes checkpoints, where there is a folder. One that cannot be written ends the search.
class Keeper {
 public:
  Keeper(std::string folder, TuneRecord record, std::atomic<bool>& stop)
      : folder_(std::move(folder)), record_(std::move(record)), stop_(stop) {}

  void keep(const TuneState& state) {
    record_.state = state;
    unsaved_ = true;
    // Checkpoints of a fast search would take longer than its generations.
    if (!saved_ || Clock::now() - *saved_ >= kBetween) save();
  }

  void save() {
    if (folder_.empty()) return;
    const Result<void> written = write_tune_checkpoint(folder_, record_);
    saved_ = Clock::now();
    unsaved_ = false;
    if (written || problem_) return;
    problem_ = written.error();
    stop_ = true;
  }

  // The last state; what went wrong.
  std::optional<Error> finish() {
    if (unsaved_ && !problem_) save();
    return problem_;
  }

 private:
  static constexpr std::chrono::milliseconds kBetween{200};

  std::string folder_;
  TuneRecord record_;
  std::atomic<bool>& stop_;
  std::optional<Error> problem_;
  std::optional<Clock::time_point> saved_;
  bool unsaved_ = false;
};

// Collective.
Result<TuneJob> open_job(const comm::Comm& comm, const TuneOptions& options) {
  Lock lock;
  const Result<void> locked = comm::agree_with_root(comm, lock_folder(comm, options.restart, lock));
  ESPALIER_TRY(locked);
  Result<TuneJob> job = comm::agree(comm, read_job(options));
  ESPALIER_TRY(job);
  // On the root alone, which every rank would do alike; a search that continues was looked at when it began.
  const bool begins = comm.is_root() && !job->restarted;
  const Result<void> reached = comm::agree_with_root(comm, begins ? check_goals(job->space) : Result<void>());
  ESPALIER_TRY(reached);
  if (lock) job->lock.emplace(*std::move(lock));
  const Result<void> opened = open_folder(comm, options, *job);
  ESPALIER_TRY(opened);
  // Ranks have a core each, as a rule; one that is alone takes all there are.
  const int cores = comm.size() > 1 ? 1 : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
  job->threads = options.threads.value_or(cores);
  return job;
}

// Collective.
Result<TuneAnswer> search_job(const comm::Comm& comm, TuneJob job, const TuneOptions& options) {
  std::atomic<bool> own = false;
  std::atomic<bool>& stop = options.stop != nullptr ? *options.stop : own;
  TuneRecord record = job.record;
  // The first checkpoint is written before the search has told its study.
  if (!job.restarted) record.state.study = study_hash(job.space).value_or(0);
  Keeper keeper(job.folder, std::move(record), stop);
  DesignSearch search;
  search.threads = job.threads;
  search.start = job.restarted ? &job.record.state : nullptr;
  search.stop = &stop;
  search.on_generation = [&](const TuneState& state) {
    keeper.keep(state);
    if (options.on_generation) options.on_generation(state);
  };
  search.on_design = options.on_design;
  // A search that is stopped in its first generation can be continued too.
  if (comm.is_root() && !job.restarted) keeper.save();
  Result<Tuned> tuned = find_design(comm, job.space, search);
  // Before an error of the search is looked at: the last state is worth keeping.
  std::optional<Error> problem = keeper.finish();
  ESPALIER_TRY(tuned);
  return TuneAnswer{std::move(job), comm.size(), *std::move(tuned), {}, std::move(problem)};
}

// On the root. A search that has no design yet has no results.
void write_results(const TuneOptions& options, TuneAnswer& answer) {
  if (answer.job.folder.empty() || answer.problem || answer.tuned.parameters.empty()) return;
  Result<std::vector<std::string>> written =
      write_tune_results(answer.job.folder, answer.job.space, answer.tuned,
                         {fmt::format("Design search of {}", answer.job.record.model), options.command,
                          to_text(answer, options.text), to_json(answer)});
  if (written) {
    answer.files = *std::move(written);
  } else {
    answer.problem = written.error();
  }
}

}  // namespace

Result<TuneAnswer> tune(const comm::Comm& comm, const TuneOptions& options) {
  Result<TuneJob> job = open_job(comm, options);
  ESPALIER_TRY(job);
  if (options.on_begin) options.on_begin(*job);
  Result<TuneAnswer> answer = search_job(comm, *std::move(job), options);
  if (answer && comm.is_root()) write_results(options, *answer);
  return answer;
}

bool limits_held(const TuneAnswer& answer) {
  const std::vector<LimitState> states = limit_states(answer.job.space, answer.tuned.best);
  return std::all_of(states.begin(), states.end(), [](const LimitState& state) { return state.held; });
}

std::string next_command(const TuneAnswer& answer) {
  if (answer.job.folder.empty()) return "";
  if (answer.tuned.stopped) return fmt::format("espalier tune --restart {}", shell_word(answer.job.folder));
  const std::string best = shell_word(answer.job.folder + "/best.yaml");
  if (answer.job.space.vibrates) return fmt::format("espalier modes {}", best);
  std::string command = fmt::format("espalier simulate {}", best);
  for (const auto& [field, value] : detail::options_of_runs(answer.job.space)) {
    command += fmt::format(" --{} {}",
                           field == "end_time"      ? "end"
                           : field == "output_step" ? "output-step"
                                                    : field,
                           shell_word(value));
  }
  return command;
}

}  // namespace espalier::study
