#include "espalier/study/tune.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::study {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

Result<void> check_settings(const TuneSettings& settings) {
  if (settings.model.empty() && settings.restart.empty()) {
    return make_option_error("model", "no model is named", "give a model file, or `restart` with a folder");
  }
  if (settings.threads && (*settings.threads < 1 || *settings.threads > 1024)) {
    return make_option_error("threads", fmt::format("`threads` is {}", *settings.threads),
                             "give a number from 1 to 1024");
  }
  if (settings.population && (*settings.population < 4 || *settings.population > formats::kMostDesigns)) {
    return make_option_error("population", fmt::format("`population` is {}", *settings.population),
                             fmt::format("give a number from 4 to {}", formats::kMostDesigns));
  }
  if (settings.generations && *settings.generations < 1) {
    return make_option_error("generations", fmt::format("`generations` is {}", *settings.generations),
                             "give 1 or more");
  }
  const bool another = settings.algorithm || settings.population || settings.seed || settings.pareto ||
                       !settings.study.empty() || !settings.output.empty();
  if (!settings.restart.empty() && another) {
    return make_option_error("restart", "`restart` continues the search as it was, in its own folder",
                             "leave `algorithm`, `population`, `seed`, `pareto`, `study` and `output` out");
  }
  return {};
}

// What a checkpoint says is checked as if it were typed.
Result<void> check_numbers(const TuneRecord& record, const std::string& folder) {
  const bool sound = record.population >= 4 && record.population <= formats::kMostDesigns && record.generations >= 1;
  if (sound) return {};
  return make_error(ErrorCode::kValue, {folder + "/checkpoint.json", 0, 0},
                    fmt::format("a search of {} generations with {} designs; there are 1 or more, of 4 to {} designs",
                                record.generations, record.population, formats::kMostDesigns));
}

// What was asked for before what the file says.
void override_search(const TuneSettings& settings, formats::Tuning& tuning) {
  tuning.algorithm = settings.algorithm.value_or(tuning.algorithm);
  tuning.population = settings.population.value_or(tuning.population);
  tuning.generations = settings.generations.value_or(tuning.generations);
  tuning.seed = settings.seed.value_or(tuning.seed);
  tuning.pareto = tuning.pareto || settings.pareto;
}

void override_search(const TuneRecord& record, formats::Tuning& tuning) {
  tuning.algorithm = record.algorithm;
  tuning.population = record.population;
  tuning.generations = record.generations;
  tuning.seed = record.seed;
  tuning.pareto = record.pareto;
  tuning.enough = record.enough;
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
  return record;
}

Result<void> check_pareto(const formats::Tuning& tuning) {
  if (!tuning.pareto || search_goals(tuning) >= 2) return {};
  return make_option_error(
      "pareto", "`pareto` needs two goals or more beside 'avoid' and 'damping', which are limits of all the others");
}

// The record of the search to go on with; an empty one where there is none.
Result<TuneRecord> read_before(const TuneSettings& settings, std::vector<std::string>& notes) {
  if (settings.restart.empty()) return TuneRecord{};
  Result<TuneRecord> record = read_tune_checkpoint(settings.restart, notes);
  ESPALIER_TRY(record);
  const Result<void> numbers = check_numbers(*record, settings.restart);
  ESPALIER_TRY(numbers);
  return record;
}

Result<TuneJob> read_job(const TuneSettings& settings) {
  const Result<void> checked = check_settings(settings);
  ESPALIER_TRY(checked);
  std::vector<std::string> notes;
  Result<TuneRecord> before = read_before(settings, notes);
  ESPALIER_TRY(before);
  const bool restarted = !settings.restart.empty();
  const std::string model = settings.model.empty() ? before->model : settings.model;
  const std::string study = settings.study.empty() ? before->study : settings.study;
  LoadOptions load = settings.load;
  load.accept.insert(load.accept.end(), before->accept.begin(), before->accept.end());
  Result<LoadedVariants> loaded = load_variants(model, load);
  ESPALIER_TRY(loaded);
  Result<ReaderNotes> reader = reader_notes(*loaded, model::Use::kModes);
  ESPALIER_TRY(reader);
  // The study may stand in the model's own file.
  Result<formats::Tuning> tuning = formats::read_tuning(study.empty() ? model : study);
  ESPALIER_TRY(tuning);
  // The record of a restart decides; check_settings() has left no other choice than that of the generations.
  if (restarted) override_search(*before, *tuning);
  override_search(settings, *tuning);
  const Result<void> several = check_pareto(*tuning);
  ESPALIER_TRY(several);
  TuneRecord record = make_record(model, study, *tuning);
  record.accept = reader->accepted;
  record.state = std::move(before->state);
  Result<DesignSpace> space = make_design_space(std::move(loaded->variants), *std::move(tuning));
  ESPALIER_TRY(space);
  TuneOptions options;
  if (restarted) options.start = &record.state;
  // Before a folder is made for it.
  const Result<void> sound = check_tune(*space, options);
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
Result<void> open_folder(const comm::Comm& comm, const TuneSettings& settings, TuneJob& job) {
  std::string folder = settings.restart.empty() ? settings.output : settings.restart;
  if (folder.empty()) folder = record::new_run_folder(fs::path(job.record.model).stem().string()).string();
  // Each rank may find another free name: the root's is taken.
  job.folder = comm::broadcast(comm, folder);
  const bool makes = comm.is_root() && !job.restarted;
  return comm::agree(comm, makes ? make_folder(job.folder, job.lock) : Result<void>());
}

// On the root: writes checkpoints. One that cannot be written ends the search.
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

}  // namespace

Result<TuneJob> open_tune(const comm::Comm& comm, const TuneSettings& settings) {
  Lock lock;
  const Result<void> locked = comm::agree_with_root(comm, lock_folder(comm, settings.restart, lock));
  ESPALIER_TRY(locked);
  Result<TuneJob> job = comm::agree(comm, read_job(settings));
  ESPALIER_TRY(job);
  if (lock) job->lock.emplace(*std::move(lock));
  const Result<void> opened = open_folder(comm, settings, *job);
  ESPALIER_TRY(opened);
  // Ranks have a core each, as a rule; one that is alone takes all there are.
  const int cores = comm.size() > 1 ? 1 : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u));
  job->threads = settings.threads.value_or(cores);
  return job;
}

Result<TuneAnswer> run_tune(const comm::Comm& comm, TuneJob job, const TuneWatch& watch) {
  std::atomic<bool> own = false;
  std::atomic<bool>& stop = watch.stop != nullptr ? *watch.stop : own;
  TuneRecord record = job.record;
  // The first checkpoint is written before the search has told its study.
  if (!job.restarted) record.state.study = study_hash(job.space).value_or(0);
  Keeper keeper(job.folder, std::move(record), stop);
  TuneOptions options;
  options.threads = job.threads;
  options.start = job.restarted ? &job.record.state : nullptr;
  options.stop = &stop;
  options.on_generation = [&](const TuneState& state) {
    keeper.keep(state);
    if (watch.on_generation) watch.on_generation(state);
  };
  options.on_design = watch.on_design;
  // A search that is stopped in its first generation can be gone on with too.
  if (comm.is_root() && !job.restarted) keeper.save();
  Result<Tuned> tuned = tune(comm, job.space, options);
  // Before an error of the search is looked at: the last state is worth keeping.
  std::optional<Error> problem = keeper.finish();
  ESPALIER_TRY(tuned);
  return TuneAnswer{std::move(job), comm.size(), *std::move(tuned), std::move(problem)};
}

bool limits_held(const TuneAnswer& answer) {
  const std::vector<LimitState> states = limit_states(answer.job.space, answer.tuned.best);
  return std::all_of(states.begin(), states.end(), [](const LimitState& state) { return state.held; });
}

std::string next_command(const TuneAnswer& answer) {
  return answer.tuned.stopped ? fmt::format("espalier tune --restart {}", shell_word(answer.job.folder))
                              : fmt::format("espalier modes {}", shell_word(answer.job.folder + "/best.yaml"));
}

}  // namespace espalier::study
