#include "espalier/record/contact_run.hpp"

#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/hash.hpp"
#include "espalier/record/detail/last_act.hpp"
#include "espalier/files/sealed_file.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::record {
namespace {

using contact::Reaction;
using contact::RunState;
using files::put;
namespace fs = std::filesystem;

constexpr const char* kResult = "result.h5";
constexpr const char* kCheckpoint = "checkpoint.bin";
constexpr std::string_view kMagic = "espalier scene checkpoint 1\n";
constexpr std::chrono::seconds kRowTime{1};  // between two blocks of frames, at most
constexpr std::uint64_t kBodyWords = 24, kReactionWords = 7;

std::optional<SceneCheckpoint> parse(std::string_view body) {
  files::WordReader reader(body);
  SceneCheckpoint checkpoint;
  RunState& run = checkpoint.run;
  checkpoint.model_hash = reader.word();
  run.steps = static_cast<std::int64_t>(reader.word());
  run.outputs = static_cast<std::int64_t>(reader.word());
  run.time = reader.number();
  run.bodies.resize(reader.count(kBodyWords));
  for (contact::BodyState& state : run.bodies) {
    for (double& number : state.q) number = reader.number();
    for (double& number : state.u) number = reader.number();
  }
  run.reactions.resize(reader.count(kReactionWords));
  for (Reaction& reaction : run.reactions) {
    reaction.key.master = static_cast<std::int32_t>(reader.word());
    reaction.key.slave = static_cast<std::int32_t>(reader.word());
    reaction.key.part = static_cast<std::uint32_t>(reader.word());
    reaction.key.feature = static_cast<std::uint32_t>(reader.word());
    for (double& number : reaction.R) number = reader.number();
  }
  if (!reader.at_end() || run.steps < 0 || run.outputs < 0) return std::nullopt;
  return checkpoint;
}

}  // namespace

SceneLayout make_layout(const model::Model& model) {
  SceneLayout layout{model.name, {}};
  for (const model::Body& body : model.bodies) layout.bodies.push_back(body.name);
  return layout;
}

std::uint64_t state_hash(const RunState& state) {
  Hash hash;
  hash.add(std::span(&state.time, 1));
  for (const contact::BodyState& body : state.bodies) hash.add(body.q).add(body.u);
  for (const Reaction& reaction : state.reactions) {
    for (const std::int64_t word : {std::int64_t{reaction.key.master}, std::int64_t{reaction.key.slave},
                                    std::int64_t{reaction.key.part}, std::int64_t{reaction.key.feature}}) {
      hash.add(word);
    }
    hash.add(reaction.R);
  }
  return hash.value();
}

Result<void> write_scene_checkpoint(const fs::path& path, const SceneCheckpoint& checkpoint) {
  std::string text(kMagic);
  const RunState& run = checkpoint.run;
  put(text, checkpoint.model_hash);
  put(text, static_cast<std::uint64_t>(run.steps));
  put(text, static_cast<std::uint64_t>(run.outputs));
  put(text, run.time);
  put(text, std::uint64_t{run.bodies.size()});
  for (const contact::BodyState& state : run.bodies) {
    for (const double number : state.q) put(text, number);
    for (const double number : state.u) put(text, number);
  }
  put(text, std::uint64_t{run.reactions.size()});
  for (const Reaction& reaction : run.reactions) {
    put(text, static_cast<std::uint64_t>(reaction.key.master));
    put(text, static_cast<std::uint64_t>(reaction.key.slave));
    put(text, std::uint64_t{reaction.key.part});
    put(text, std::uint64_t{reaction.key.feature});
    for (const double number : reaction.R) put(text, number);
  }
  return files::write_sealed(path, std::move(text));
}

Result<SceneCheckpoint> read_scene_checkpoint(const fs::path& path) {
  const Result<std::string> body = files::read_sealed(path, kMagic);
  ESPALIER_TRY(body);
  std::optional<SceneCheckpoint> checkpoint = parse(*body);
  if (!checkpoint) return make_error(ErrorCode::kFormat, {path.string(), 0, 0}, "the checkpoint is damaged");
  return *std::move(checkpoint);
}

SceneFolder::SceneFolder(fs::path path, std::uint64_t model_hash, SceneWriter result)
    : path_(std::move(path)), model_hash_(model_hash), result_(std::move(result)) {}

Result<SceneFolder> SceneFolder::create(const fs::path& folder, const SceneRecord& record, const SceneLayout& layout,
                                        const RunState& start) {
  Result<files::FolderLock> lock = make_run_folder(folder);
  ESPALIER_TRY(lock);
  Result<SceneWriter> result = SceneWriter::create(folder / kResult, layout);
  ESPALIER_TRY(result);
  SceneFolder files(folder, record.model_hash, *std::move(result));
  const Result<void> saved = write_scene_checkpoint(folder / kCheckpoint, {record.model_hash, start});
  ESPALIER_TRY(saved);
  const Result<void> written = write_scene_run(folder, record);
  ESPALIER_TRY(written);
  files.lock_.emplace(*std::move(lock));
  return files;
}

Result<SceneFolder> SceneFolder::reopen(const fs::path& folder, const SceneRecord& record, const SceneLayout& layout,
                                        const RunState& start) {
  Result<SceneWriter> result = SceneWriter::reopen(folder / kResult, layout, start.outputs);
  ESPALIER_TRY(result);
  const Result<void> written = write_scene_run(folder, record);
  ESPALIER_TRY(written);
  return SceneFolder(folder, record.model_hash, *std::move(result));
}

Result<void> SceneFolder::append(const model::Frame& frame) {
  Result<void> written = result_.append(frame);
  const auto now = std::chrono::steady_clock::now();
  if (written && now - last_rows_ >= kRowTime) {
    last_rows_ = now;
    written = result_.flush();
  }
  broken_ = broken_ || !written;
  return written;
}

Result<void> SceneFolder::save(const RunState& run) {
  Result<void> written = result_.flush();
  if (written) written = write_scene_checkpoint(path_ / kCheckpoint, {model_hash_, run});
  broken_ = broken_ || !written;
  return written;
}

Result<void> SceneFolder::finish(const RunState& run, SceneRecord record) {
  const Result<void> frames = broken_ ? Result<void>() : result_.flush();
  return detail::write_last(
      frames, record, [&] { return write_scene_run(path_, record); },
      // Where frames are missing, the checkpoint before stays.
      [&] { return broken_ || !frames ? Result<void>() : save(run); });
}

std::vector<std::string> SceneFolder::files() const { return {"run.json", kResult, kCheckpoint}; }

}  // namespace espalier::record
