#include "espalier/study/detail/sweep_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/files/folder_lock.hpp"
#include "espalier/files/system_file.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/plan/network.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/detail/result_size.hpp"
#include "espalier/study/detail/sweep_chart.hpp"
#include "espalier/study/detail/sweep_run.hpp"

namespace espalier::study::detail {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kTable = "runs.csv";
constexpr const char* kSweep = "sweep.json";

// Six digits keep a listing in order; more blocks than that only get longer names.
fs::path block_file(const fs::path& folder, std::int64_t block, const char* ending) {
  return folder / "blocks" / fmt::format("{:06}.{}", block, ending);
}

// A function of the sweep alone, so that any number of ranks finds the blocks of any other.
std::int64_t block_of(const SweepJob& job) { return block_size(formats::run_count(job.sweep), job.starts_alone); }
std::int64_t block_count(const SweepJob& job) {
  return (formats::run_count(job.sweep) + block_of(job) - 1) / block_of(job);
}

ordered_json parameter_json(const formats::SweepParameter& parameter) {
  // Keys as in a sweep file, so that sweep.json shows what to type.
  switch (parameter.kind) {
    case formats::SweepParameter::Kind::kValues:
      return {{"path", parameter.path}, {"values", parameter.values}};
    case formats::SweepParameter::Kind::kUniform:
      return {{"path", parameter.path}, {"range", {parameter.low, parameter.high}}};
    case formats::SweepParameter::Kind::kNormal:
      return {{"path", parameter.path}, {"normal", {parameter.low, parameter.high}}};
  }
  return {};
}

// All that decides what comes out: a folder continues only the sweep that it was begun for.
Result<std::string> sweep_json(const SweepJob& job) {
  // The model as drawn: what the sweep sets in it stands under `vary`.
  const Result<model::ModelSpec> spec = job.model.with({});
  ESPALIER_TRY(spec);
  const Result<std::uint64_t> hash = record::model_hash(*spec);
  ESPALIER_TRY(hash);
  ordered_json parameters = ordered_json::array();
  for (const formats::SweepParameter& parameter : job.sweep.parameters) parameters.push_back(parameter_json(parameter));
  // Threads and ranks are left out: they change no number.
  const dynamics::SimulateOptions& options = job.options.simulate;
  ordered_json json = {{"espalier_sweep", 1},
                       {"model", {{"name", spec->name}, {"hash", hash_text(*hash)}}},
                       {"plan_hash", hash_text(record::plan_hash(job.plan))},
                       {"vary", parameters},
                       {"samples", job.sweep.samples},
                       {"seed", job.sweep.seed},
                       {"runs", formats::run_count(job.sweep)},
                       {"block", block_of(job)},
                       {"end_time", options.run.end_time},
                       {"output_step", options.run.output_step},
                       {"integrator", word_of(options.integrator)},
                       {"tolerance", options.tolerance},
                       {"step", options.step},
                       {"loop_tolerance", options.loop_tolerance},
                       {"max_steps", options.max_steps},
                       {"keyframe", job.options.keyframe},
                       {"keep_frames", job.options.keep_frames}};
  // Left out where nothing was asked for: folders of before are continued.
  if (job.options.csv) json["csv"] = true;
  if (!job.options.quantities.empty()) json["quantities"] = job.options.quantities;
  // Compared as text below: the order of the keys is part of what is compared.
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

// Claims that a killed program has left would keep their blocks undone.
void remove_claims(const fs::path& folder) {
  std::error_code code;
  // Errors are left to whoever needs the folder next, and who can say what for.
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "blocks", code)) {
    const fs::path ending = entry.path().extension();
    if (ending == ".claim" || ending == ".part") fs::remove(entry.path(), code);
  }
}

Result<void> make_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code) return {};
  return make_error(ErrorCode::kFile, {folder.string(), 0, 0},
                    fmt::format("cannot be made a folder: {}", code.message()));
}

// All ranks of one job share the folder, another job does not.
// (1) What the folder is to hold; (2) the lock; (3) what it holds already; (4) blocks without claims; (5) sweep.json.
Result<void> prepare_folder(const SweepJob& job, std::optional<files::FolderLock>& lock) {
  const fs::path& folder = job.options.folder;
  // (1) Before the folder is made: a sweep that cannot be described leaves nothing behind.
  const Result<std::string> wanted = sweep_json(job);
  ESPALIER_TRY(wanted);
  std::error_code code;
  const Result<void> made = make_folder(folder);
  ESPALIER_TRY(made);
  // (2) Locked before the first look: another job may be about to write sweep.json.
  Result<files::FolderLock> taken = files::FolderLock::take(folder);
  ESPALIER_TRY(taken);
  lock.emplace(*std::move(taken));
  // (3) A sweep may be continued, a folder with anything else is not touched.
  if (fs::exists(folder / kSweep, code)) {
    for (const fs::path& part : {folder, folder / "blocks"}) {
      // A link in the place of a file would let somebody else choose what is overwritten.
      const Result<void> own = files::check_own_files(part);
      ESPALIER_TRY(own);
    }
    const Result<std::string> there = files::read_text_file(folder / kSweep);
    ESPALIER_TRY(there);
    if (*there != *wanted) {
      return make_error(ErrorCode::kOption, {folder.string(), 0, 0},
                        "holds another sweep, or one of another model, plan or other options; name another folder");
    }
  } else if (record::is_run_folder(folder)) {
    return make_error(ErrorCode::kOption, {folder.string(), 0, 0}, "holds a single run; name another folder");
  } else {
    // A sweep that was killed before it had a sweep.json leaves no more than this.
    const Result<void> only = files::check_holds_only(folder, std::array<std::string_view, 2>{".lock", "blocks"});
    ESPALIER_TRY(only);
  }
  // (4) The folder of blocks may be there from before, and in it claims of a program that was killed.
  const Result<void> blocks = make_folder(folder / "blocks");
  ESPALIER_TRY(blocks);
  // Under the lock, so that no claim belongs to a program that still runs.
  remove_claims(folder);
  // (5) Written last, and written again where it is there: its presence says that the folder is prepared.
  return files::write_text_file(folder / kSweep, *wanted);
}

// True for one of all threads of all ranks.
Result<bool> claim(const fs::path& path) {
  // O_EXCL asks and takes in one step, also between processes.
  const int fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  // That the file is there already is an answer, all else is a fault of the disk.
  if (fd < 0 && errno != EEXIST) {
    return make_error(ErrorCode::kFile, {path.string(), 0, 0},
                      fmt::format("cannot be written: {}", std::generic_category().message(errno)));
  }
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

// The threads of one rank.
// Threads take blocks from one counter and ranks by claims in the folder: nobody hands out work, and nobody waits.
class Workers {
 public:
  explicit Workers(const SweepJob& job) : job_(job), runs_(formats::run_count(job.sweep)) {}

  Result<std::int64_t> work() {
    std::vector<std::thread> threads;
    // The calling thread is one of them.
    for (int k = 1; k < job_.options.threads; ++k) threads.emplace_back([this] { take_blocks(); });
    take_blocks();
    for (std::thread& thread : threads) thread.join();
    if (problem_) return tl::unexpected(*problem_);
    return done_;
  }

 private:
  // Looked at between blocks and between groups of runs, so that an answer comes within seconds.
  bool stopped() const { return failed_ || (job_.options.stop != nullptr && job_.options.stop->load()); }

  void take_blocks() {
    const std::int64_t blocks = block_count(job_);
    std::error_code code;
    while (!stopped()) {
      // Each rank walks over all blocks; claims decide who computes which.
      const std::int64_t block = next_++;
      if (block >= blocks) return;
      const fs::path done = block_file(job_.options.folder, block, "csv");
      const fs::path mine = block_file(job_.options.folder, block, "claim");
      // Done by another rank, or before the sweep was stopped.
      if (fs::exists(done, code)) continue;
      const Result<bool> claimed = claim(mine);
      if (!claimed) return fail(claimed.error());
      if (!*claimed) continue;
      // Another rank may have finished it between the two questions.
      if (!fs::exists(done, code)) work_on(block, done);
      // Last: where the block was finished, its file is there by now.
      fs::remove(mine, code);
    }
  }

  void work_on(std::int64_t block, const fs::path& done) {
    // The last block may be shorter.
    const std::int64_t end = std::min((block + 1) * block_of(job_), runs_);
    std::string text;
    for (std::int64_t run = block * block_of(job_); run < end; run += runs_at_once(job_)) {
      const Result<std::vector<std::string>> lines = run_lines(job_, run, std::min(run + runs_at_once(job_), end));
      // The claim of this block stays until the next call removes it: this rank has given up anyway.
      if (!lines) return fail(lines.error());
      for (const std::string& line : *lines) {
        // Half a block is no block: all of its runs are computed again.
        if (line.empty() || stopped()) return;
        text += line;
        count();
      }
    }
    // The name of this file is what says that the block is done.
    const Result<void> written = files::write_text_file(done, text);
    if (!written) fail(written.error());
  }

  void count() {
    // The caller's function is called by one thread at a time.
    const std::lock_guard lock(mutex_);
    ++done_;
    if (job_.options.on_run) job_.options.on_run(done_);
  }
  void fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    // All threads of this rank end; other ranks finish their blocks, which are right.
    failed_ = true;
    if (!problem_) problem_ = error;
  }

  const SweepJob& job_;
  std::int64_t runs_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::int64_t done_ = 0;
  std::optional<Error> problem_;
};

// All blocks one after the other, or nothing where one is not there.
Result<std::optional<std::string>> join_blocks(const SweepJob& job) {
  // In the order of the runs, whoever computed them: the table is the same for any number of ranks.
  std::string table = table_head(job);
  std::error_code code;
  for (std::int64_t block = 0; block < block_count(job); ++block) {
    const fs::path path = block_file(job.options.folder, block, "csv");
    // The sweep was stopped. A table of a part of the runs would look like the whole one.
    if (!fs::exists(path, code)) return std::nullopt;
    const Result<std::string> lines = files::read_text_file(path);
    ESPALIER_TRY(lines);
    table += *lines;
  }
  return table;
}

// Counted from the table and not while computing: most blocks may come from earlier calls.
std::int64_t count_outcome(const std::string& table, const std::string& outcome, std::size_t column) {
  std::int64_t count = 0;
  std::size_t place = 0;
  bool quoted = false;
  std::string word;
  for (const char c : table) {
    // Quotes within quotes come in pairs, which switch twice.
    if (c == '"') quoted = !quoted;
    // A comma or line end within quotes belongs to a message.
    if (!quoted && (c == ',' || c == '\n')) {
      count += place == column && word == outcome ? 1 : 0;
      place = c == '\n' ? 0 : place + 1;
      word.clear();
    } else {
      word += c;
    }
  }
  return count;
}

SweepCharts charts_of(const SweepJob& job) {
  SweepCharts charts{job.options.folder, job.layout.model, {}, job.selection.columns(), 0, job.options.command};
  for (const formats::SweepParameter& parameter : job.sweep.parameters) charts.varied.push_back(parameter.path);
  // Three columns of each quantity at the end of the table.
  charts.first = table_columns(job).size() - 3 * charts.columns.size();
  return charts;
}

Result<std::vector<std::int64_t>> write_table(const SweepJob& job) {
  const Result<std::optional<std::string>> table = join_blocks(job);
  ESPALIER_TRY(table);
  // Three plain numbers, complete or not and two counts, since ranks exchange them as they are.
  if (!*table) return std::vector<std::int64_t>{0, 0, 0};
  const Result<void> written = files::write_text_file(job.options.folder / kTable, **table);
  ESPALIER_TRY(written);
  const Result<void> drawn = write_charts(charts_of(job), **table);
  ESPALIER_TRY(drawn);
  // After the number of the run and the parameters (table_columns).
  const std::size_t column = 1 + job.sweep.parameters.size();
  return std::vector<std::int64_t>{1, count_outcome(**table, "failed", column),
                                   count_outcome(**table, "refused", column)};
}

Result<SweepJob> make_job(const formats::ModelVariants& model, const formats::Sweep& sweep, const plan::Plan& plan,
                          const SweepRuns& options) {
  const Result<void> sound = formats::check_sweep(sweep);
  ESPALIER_TRY(sound);
  // A path that leads nowhere is a mistake of the sweep, not a run that is refused.
  const Result<model::ModelSpec> first = model.with(formats::sample(sweep, 0));
  ESPALIER_TRY(first);
  const Result<model::ModelSpec> spec = model.with({});
  ESPALIER_TRY(spec);
  const Result<model::Model> compiled = model::compile(*spec);
  ESPALIER_TRY(compiled);
  Result<std::string> document = record::plan_json(plan, {});
  ESPALIER_TRY(document);
  // Only for the columns of the table, which follow from the joints and not from their numbers.
  const dynamics::System system = dynamics::make_system(*compiled, plan::make_mechanism(*compiled), plan);
  record::ResultLayout layout = record::make_layout(system);
  Result<record::Selection> selection = choose_quantities(layout, options.quantities);
  ESPALIER_TRY(selection);
  return SweepJob{model,
                  sweep,
                  plan,
                  options,
                  *std::move(document),
                  std::move(layout),
                  *std::move(selection),
                  varies_starts_alone(model, sweep)};
}

}  // namespace

std::int64_t block_size(std::int64_t runs, bool in_lanes) {
  // Fewer runs than this are better spread over threads than over lanes.
  constexpr std::int64_t kWorthLanes = 64;
  const std::int64_t least = in_lanes && runs >= kWorthLanes ? dynamics::kBatch : 1;
  // Some 256 blocks, so that threads end at about the same time; at most 64 runs are lost when the program is killed.
  return std::clamp<std::int64_t>(runs / 256, least, 64);
}

Result<SweepCounts> compute_runs(const comm::Comm& comm, const formats::ModelVariants& model,
                                 const formats::Sweep& sweep, const plan::Plan& plan, const SweepRuns& options) {
  // Every rank makes the job for itself, so that an error is the same on all of them.
  const Result<SweepJob> job = comm::agree(comm, make_job(model, sweep, plan, options));
  ESPALIER_TRY(job);
  // Held by the root until the table is written.
  std::optional<files::FolderLock> lock;
  const Result<void> prepared = comm::agree(comm, comm.is_root() ? prepare_folder(*job, lock) : Result<void>());
  ESPALIER_TRY(prepared);
  // All ranks meet here, also those that had nothing left to do.
  const Result<std::int64_t> done = comm::agree(comm, Workers(*job).work());
  ESPALIER_TRY(done);
  SweepCounts counted;
  counted.runs = formats::run_count(sweep);
  counted.computed = comm::sum(comm, *done);
  // All ranks have come back from their blocks: what is not there now was given up.
  Result<std::vector<std::int64_t>> counts = comm::agree(
      comm, comm.is_root() ? write_table(*job) : Result<std::vector<std::int64_t>>(std::vector<std::int64_t>(3)));
  ESPALIER_TRY(counts);
  comm::broadcast(comm, std::span(*counts));
  counted.complete = (*counts)[0] != 0;
  counted.failed = (*counts)[1];
  counted.refused = (*counts)[2];
  return counted;
}

}  // namespace espalier::study::detail
