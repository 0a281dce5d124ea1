#include "espalier/record/run_folder.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/text.hpp"
#include "espalier/record/detail/last_act.hpp"
#include "espalier/record/detail/result_csv.hpp"
#include "espalier/record/selection.hpp"

namespace espalier::record {
namespace {

using files::FolderLock;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr const char* kResult = "result.h5";
constexpr const char* kCsv = "result.csv";
constexpr const char* kCheckpoint = "checkpoint.bin";
constexpr std::chrono::seconds kRowTime{1};  // between two blocks of frames, at most

// Decides how result.h5 is laid out. Rows of contacts are as many as there are contacts.
std::int64_t expected_frames(const RunRecord& record) {
  if (record.kind() == RunKind::kScene) return std::numeric_limits<std::int64_t>::max();
  const model::RunOptions& options = record.options();
  // Two more than the quotient: the frame of the start, and that of an end between two outputs.
  const double frames = options.output_step > 0 ? options.end_time / options.output_step + 2 : 1;
  // The file is laid out alike for 1e9 rows and for more, and the quotient may not fit an integer.
  return frames > 1e9 ? 1'000'000'000 : static_cast<std::int64_t>(std::max(frames, 1.0));
}

// Errors: it holds a run already; another process writes one there; it cannot be made.
Result<FolderLock> make_run_folder(const fs::path& folder) {
  Result<FolderLock> lock = FolderLock::make(folder);
  ESPALIER_TRY(lock);
  // Asked only now: before, another process may have been about to write it.
  if (!is_run_folder(folder)) return lock;
  return tl::unexpected(
      Error{ErrorCode::kOption,
            "holds a run already",
            {folder.string(), 0, 0},
            "folder",
            fmt::format("name another folder, or continue the run with `restart` {}", shell_word(folder.string()))});
}

}  // namespace

struct RunFolder::Parts {
  fs::path path;
  RunKind kind;
  std::uint64_t model_hash = 0, plan_hash = 0;
  double end_time = 0;  // [s]
  ResultWriter result;
  RunState kept;  // all frames up to here are on disk
  std::optional<detail::CsvWriter> csv = std::nullopt;
  Clock::time_point last_rows = Clock::now(), last_checkpoint = Clock::now();
  double interval = 0;  // of checkpoints [s]
  bool broken = false;  // something could not be written: states from here on may be ahead of the frames
  std::optional<FolderLock> lock = std::nullopt;

  Parts(const fs::path& folder, const RunRecord& record, ResultWriter writer, RunState start)
      : path(folder),
        kind(record.kind()),
        model_hash(record.model_hash),
        plan_hash(kind == RunKind::kMechanism ? record.mechanism().plan_hash : 0),
        end_time(record.options().end_time),
        result(std::move(writer)),
        kept(std::move(start)) {}

  // Others may read the file while the run goes on, and see frames at most this old.
  bool rows_are_due() const { return Clock::now() - last_rows >= kRowTime; }
  Result<void> write_rows() {
    last_rows = Clock::now();
    const Result<void> written = result.flush();
    return written && csv ? csv->flush() : written;
  }
  Result<void> write_rows(const RunState& state) {
    const Result<void> written = write_rows();
    // Only a state whose frames are on disk may become a checkpoint.
    if (written) kept = state;
    return written;
  }
  Result<void> write_checkpoint() {
    last_checkpoint = Clock::now();
    return record::write_checkpoint(path / kCheckpoint, {model_hash, plan_hash, kept});
  }
  Result<void> note(const Result<void>& written) {
    // Remembered for finish(): frames may be missing from now on, whatever is written later.
    broken = broken || !written;
    return written;
  }
};

RunFolder::RunFolder(Parts parts) : parts_(std::make_unique<Parts>(std::move(parts))) {}
RunFolder::RunFolder(RunFolder&&) noexcept = default;
RunFolder& RunFolder::operator=(RunFolder&&) noexcept = default;
RunFolder::~RunFolder() = default;

Result<RunFolder> RunFolder::create(const fs::path& folder, const RunRecord& record, const ResultLayout& layout,
                                    const RunState& start) {
  // Locked before the first file of the run is made.
  Result<FolderLock> lock = make_run_folder(folder);
  ESPALIER_TRY(lock);
  Result<ResultWriter> result = ResultWriter::create(folder / kResult, layout, expected_frames(record));
  ESPALIER_TRY(result);
  // The start is kept: until the first block all frames up to it are on disk, as there are none.
  Parts parts(folder, record, *std::move(result), start);
  if (record.csv) {
    const Result<Selection> selection = Selection::choose(layout, record.quantities);
    ESPALIER_TRY(selection);
    Result<detail::CsvWriter> csv = detail::CsvWriter::create(folder / kCsv, layout, *selection);
    ESPALIER_TRY(csv);
    parts.csv = *std::move(csv);
  }
  // run.json is last: without it the folder is no run, and whoever was killed before can use it again.
  Result<void> written = parts.write_checkpoint();
  if (written) written = write_run(folder, record);
  ESPALIER_TRY(written);
  parts.lock.emplace(*std::move(lock));
  return RunFolder(std::move(parts));
}

Result<RunFolder> RunFolder::reopen(const fs::path& folder, const RunRecord& record, const ResultLayout& layout,
                                    const RunState& start) {
  // Cut to the frames that the checkpoint counts; the caller has locked the folder.
  Result<ResultWriter> result = ResultWriter::reopen(folder / kResult, layout, outputs_of(start));
  ESPALIER_TRY(result);
  Parts parts(folder, record, *std::move(result), start);
  if (record.csv) {
    const Result<Selection> selection = Selection::choose(layout, record.quantities);
    ESPALIER_TRY(selection);
    Result<detail::CsvWriter> csv = detail::CsvWriter::reopen(folder / kCsv, layout, outputs_of(start), *selection);
    ESPALIER_TRY(csv);
    parts.csv = *std::move(csv);
  }
  // It has no outcome from here on: whoever is killed now continues from the checkpoint.
  const Result<void> written = write_run(folder, record);
  ESPALIER_TRY(written);
  return RunFolder(std::move(parts));
}

void RunFolder::set_checkpoint_interval(double seconds) { parts_->interval = seconds; }

Result<void> RunFolder::append(const model::Frame& frame) {
  Result<void> appended = parts_->result.append(frame);
  if (appended && parts_->csv) appended = parts_->csv->append(frame);
  // The states of a mechanism come after every step, and its frames are written with them.
  if (appended && parts_->kind == RunKind::kScene && parts_->rows_are_due()) appended = parts_->write_rows();
  return parts_->note(appended);
}

Result<void> RunFolder::step(const dynamics::RunState& state) {
  // One of the end is the last act, after run.json: what was killed before that has a step to go.
  const bool checkpoint = parts_->interval > 0 && state.state.time < parts_->end_time &&
                          Clock::now() - parts_->last_checkpoint >= std::chrono::duration<double>(parts_->interval);
  // After most steps neither is due.
  if (!checkpoint && !parts_->rows_are_due()) return {};
  return checkpoint ? save(state) : parts_->note(parts_->write_rows(state));
}

Result<void> RunFolder::save(const RunState& state) {
  // Frames first: a checkpoint must not be ahead of them.
  Result<void> written = parts_->write_rows(state);
  if (written) written = parts_->write_checkpoint();
  return parts_->note(written);
}

Result<void> RunFolder::finish(const RunState& state, RunRecord record) {
  // After an error frames may be missing; the state that was kept is then the last one to continue from.
  const Result<void> rows = parts_->broken ? Result<void>() : parts_->write_rows(state);
  return detail::write_last(
      rows, record, [&] { return write_run(parts_->path, record); }, [&] { return parts_->write_checkpoint(); });
}

std::optional<double> RunFolder::first_balance() const { return parts_->result.first_balance(); }

const fs::path& RunFolder::path() const { return parts_->path; }

std::vector<std::string> RunFolder::files() const {
  std::vector<std::string> names = {"run.json", kResult};
  if (parts_->csv) names.emplace_back(kCsv);
  names.emplace_back(kCheckpoint);
  return names;
}

fs::path checkpoint_of(const fs::path& folder) { return folder / kCheckpoint; }

// Another process may take the name before create() locks the folder; create() then says so.
fs::path new_run_folder(const std::string& name) {
  std::error_code code;
  for (int number = 1;; ++number) {
    fs::path folder = fmt::format("{}-{}", name, number);
    if (!fs::exists(folder, code)) return folder;
  }
}

}  // namespace espalier::record
