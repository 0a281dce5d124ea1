#include "espalier/record/run_folder.hpp"

#include <chrono>
#include <cmath>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/hash.hpp"
#include "espalier/base/printable.hpp"
#include "espalier/base/text.hpp"
#include "espalier/record/checkpoint.hpp"
#include "espalier/record/detail/last_act.hpp"
#include "espalier/record/detail/result_csv.hpp"

namespace espalier::record {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr const char* kResult = "result.h5";
constexpr const char* kCsv = "result.csv";
constexpr const char* kCheckpoint = "checkpoint.bin";
constexpr std::chrono::seconds kRowTime{1};  // between two blocks of frames, at most

std::int64_t expected_frames(const dynamics::SimulateOptions& options) {
  const double frames = options.run.output_step > 0 ? options.run.end_time / options.run.output_step + 2 : 1;
  return frames > 1e9 ? 1'000'000'000 : static_cast<std::int64_t>(std::max(frames, 1.0));
}

}  // namespace

struct RunFolder::Parts {
  fs::path path;
  std::uint64_t model_hash = 0, plan_hash = 0;
  double end_time = 0;  // [s]
  ResultWriter result;
  std::optional<detail::CsvWriter> csv;
  dynamics::RunState kept;  // all frames up to here are on disk
  Clock::time_point last_rows = Clock::now(), last_checkpoint = Clock::now();
  double interval = 0;  // of checkpoints [s]
  bool broken = false;  // something could not be written: states from here on may be ahead of the frames
  std::optional<files::FolderLock> lock = std::nullopt;

  Result<void> write_rows(const dynamics::RunState& run) {
    last_rows = Clock::now();
    Result<void> written = result.flush();
    if (written && csv) written = csv->flush();
    if (written) kept = run;
    return written;
  }
  Result<void> write_checkpoint() {
    last_checkpoint = Clock::now();
    return record::write_checkpoint(path / kCheckpoint, {model_hash, plan_hash, kept});
  }
};

RunFolder::RunFolder(Parts parts) : parts_(std::make_unique<Parts>(std::move(parts))) {}
RunFolder::RunFolder(RunFolder&&) noexcept = default;
RunFolder& RunFolder::operator=(RunFolder&&) noexcept = default;
RunFolder::~RunFolder() = default;

Result<RunFolder> RunFolder::create(const fs::path& folder, const RunRecord& record, const ResultLayout& layout,
                                    const dynamics::RunState& start) {
  Result<files::FolderLock> lock = make_run_folder(folder);
  ESPALIER_TRY(lock);
  Result<ResultWriter> result = ResultWriter::create(folder / kResult, layout, expected_frames(record.options));
  ESPALIER_TRY(result);
  Parts parts{folder, record.model_hash, record.plan_hash, record.options.run.end_time, *std::move(result), std::nullopt,
              start};
  if (record.csv) {
    Result<detail::CsvWriter> csv = detail::CsvWriter::create(folder / kCsv, layout);
    ESPALIER_TRY(csv);
    parts.csv = *std::move(csv);
  }
  Result<void> written = parts.write_checkpoint();
  if (written) written = write_run(folder, record);
  ESPALIER_TRY(written);
  parts.lock.emplace(*std::move(lock));
  return RunFolder(std::move(parts));
}

Result<RunFolder> RunFolder::reopen(const fs::path& folder, const RunRecord& record, const ResultLayout& layout,
                                    const dynamics::RunState& start) {
  Result<ResultWriter> result = ResultWriter::reopen(folder / kResult, layout, start.outputs);
  ESPALIER_TRY(result);
  Parts parts{folder, record.model_hash, record.plan_hash, record.options.run.end_time, *std::move(result), std::nullopt,
              start};
  if (record.csv) {
    Result<detail::CsvWriter> csv = detail::CsvWriter::reopen(folder / kCsv, layout, start.outputs);
    ESPALIER_TRY(csv);
    parts.csv = *std::move(csv);
  }
  const Result<void> written = write_run(folder, record);
  ESPALIER_TRY(written);
  return RunFolder(std::move(parts));
}

void RunFolder::set_checkpoint_interval(double seconds) { parts_->interval = seconds; }

Result<void> RunFolder::append(const model::Frame& frame) {
  Result<void> appended = parts_->result.append(frame);
  if (appended && parts_->csv) appended = parts_->csv->append(frame);
  parts_->broken = parts_->broken || !appended;
  return appended;
}

Result<void> RunFolder::step(const dynamics::RunState& run) {
  const Clock::time_point now = Clock::now();
  // One of the end is the last act, after run.json: what was killed before that has a step to go.
  const bool checkpoint = parts_->interval > 0 && run.state.time < parts_->end_time &&
                          now - parts_->last_checkpoint >= std::chrono::duration<double>(parts_->interval);
  if (!checkpoint && now - parts_->last_rows < kRowTime) return {};
  Result<void> written = parts_->write_rows(run);
  if (written && checkpoint) written = parts_->write_checkpoint();
  parts_->broken = parts_->broken || !written;
  return written;
}

Result<void> RunFolder::finish(const dynamics::RunState& run, RunRecord record) {
  const Result<void> rows = parts_->broken ? Result<void>() : parts_->write_rows(run);
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

Result<std::uint64_t> model_hash(const model::ModelSpec& spec) {
  const Result<formats::WrittenModel> written = formats::write_model(spec, formats::Format::kNative);
  ESPALIER_TRY(written);
  return Hash().add(std::string_view(written->text)).value();
}

std::uint64_t plan_hash(const plan::Plan& plan) {
  Hash hash;
  for (const int root : plan.roots) hash.add(std::int64_t{root});
  for (const int edge : plan.tree.parent_edge) hash.add(std::int64_t{edge});
  for (const plan::HalfBody& half : plan.half_bodies) hash.add(std::int64_t{half.edge}).add(std::int64_t{half.other});
  return hash.value();
}

std::uint64_t state_hash(const dynamics::State& state) {
  return Hash().add(std::span(&state.time, 1)).add(state.q).add(state.v).value();
}

Result<files::FolderLock> make_run_folder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) {
    return make_error(ErrorCode::kFile, {folder.string(), 0, 0},
                      fmt::format("cannot be made a folder: {}", code.message()));
  }
  Result<files::FolderLock> lock = files::FolderLock::take(folder);
  ESPALIER_TRY(lock);
  // Asked only now: before, another process may have been about to write it.
  if (!is_run_folder(folder)) return lock;
  return make_error(ErrorCode::kOption, {folder.string(), 0, 0},
                    fmt::format("holds a run already; name another folder, or continue it: espalier simulate "
                                "--restart {}",
                                shell_word(folder.string())));
}

fs::path new_run_folder(const std::string& name) {
  std::error_code code;
  for (int number = 1;; ++number) {
    fs::path folder = fmt::format("{}-{}", name, number);
    if (!fs::exists(folder, code)) return folder;
  }
}

}  // namespace espalier::record
