#include "espalier/record/run_folder.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/sealed_file.hpp"

namespace espalier::record {
namespace {

using contact::Reaction;
using files::put;
using files::WordReader;

// The words that a checkpoint may hold are those of the list beside the enumeration.
constexpr std::uint64_t kIntegrators = words(dynamics::Integrator()).size();
constexpr std::uint64_t kBodyWords = 24, kReactionWords = 7;

void put_count(std::string& text, std::int64_t count) { put(text, static_cast<std::uint64_t>(count)); }

void put_state(std::string& text, const dynamics::RunState& run) {
  // The order of the words is the format: read_state() takes them in the same one.
  put_count(text, static_cast<std::int64_t>(run.integrator));
  put_count(text, run.outputs);
  for (const double number : {run.state.time, run.step, run.exchanged}) put(text, number);
  for (const std::vector<double>* numbers : {&run.state.q, &run.state.v, &run.memory}) put(text, std::span(*numbers));
}

void put_state(std::string& text, const contact::RunState& run) {
  put_count(text, run.steps);
  put_count(text, run.outputs);
  put(text, run.time);
  // Counts stand before their lists: the reader takes nothing that a damaged file only claims.
  put(text, std::uint64_t{run.bodies.size()});
  // In the order of their numbers, whichever ranks own them: a restart may have other ranks.
  for (const contact::BodyState& state : run.bodies) {
    for (const double number : state.q) put(text, number);
    for (const double number : state.u) put(text, number);
  }
  // The iterations of the next step start from these: without them its bits would be others.
  put(text, std::uint64_t{run.reactions.size()});
  for (const Reaction& reaction : run.reactions) {
    put_count(text, reaction.key.master);
    put_count(text, reaction.key.slave);
    put(text, std::uint64_t{reaction.key.part});
    put(text, std::uint64_t{reaction.key.feature});
    for (const double number : reaction.R) put(text, number);
  }
}

bool read_state(WordReader& reader, dynamics::RunState& run) {
  const std::uint64_t integrator = reader.word();
  run.outputs = static_cast<std::int64_t>(reader.word());
  run.state.time = reader.number();
  run.step = reader.number();
  run.exchanged = reader.number();
  run.state.q = reader.numbers();
  run.state.v = reader.numbers();
  run.memory = reader.numbers();
  // The remainder keeps the cast within the enumeration until the word itself is refused below.
  run.integrator = static_cast<dynamics::Integrator>(integrator % kIntegrators);
  return integrator < kIntegrators && run.outputs >= 0;
}

bool read_state(WordReader& reader, contact::RunState& run) {
  run.steps = static_cast<std::int64_t>(reader.word());
  run.outputs = static_cast<std::int64_t>(reader.word());
  run.time = reader.number();
  // count() answers 0 where the text is too short, so that a damaged number asks for no memory.
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
  return run.steps >= 0 && run.outputs >= 0;
}

std::optional<Checkpoint> parse(std::string_view body, RunKind kind) {
  WordReader reader(body);
  Checkpoint checkpoint;
  checkpoint.model_hash = reader.word();
  // Only a mechanism runs on a plan: the file of a scene has no word for it.
  if (kind == RunKind::kMechanism) checkpoint.plan_hash = reader.word();
  if (kind == RunKind::kScene) checkpoint.run = contact::RunState();
  const bool sound = std::visit([&](auto& run) { return read_state(reader, run); }, checkpoint.run);
  // Words that are left over show that what was read is not what was written.
  return sound && reader.at_end() ? std::optional(std::move(checkpoint)) : std::nullopt;
}

}  // namespace

// The order of the variant is that of the kinds: mechanisms first.
RunKind kind_of(const RunState& state) { return state.index() == 0 ? RunKind::kMechanism : RunKind::kScene; }

std::int64_t outputs_of(const RunState& state) {
  // Both engines count them: a result file is cut to as many frames.
  return std::visit([](const auto& run) { return run.outputs; }, state);
}

double time_of(const RunState& state) {
  const auto* mechanism = std::get_if<dynamics::RunState>(&state);
  return mechanism != nullptr ? mechanism->state.time : std::get<contact::RunState>(state).time;
}

std::uint64_t state_hash(const dynamics::State& state) {
  return Hash().add(std::span(&state.time, 1)).add(state.q).add(state.v).value();
}

std::uint64_t state_hash(const contact::RunState& state) {
  // Sums of a run in one go and of a run in parts are compared: both go through the bits in one order.
  Hash hash;
  hash.add(std::span(&state.time, 1));
  for (const contact::BodyState& body : state.bodies) hash.add(body.q).add(body.u);
  // With other impulses equal bodies would move apart.
  for (const Reaction& reaction : state.reactions) {
    for (const std::int64_t word : {std::int64_t{reaction.key.master}, std::int64_t{reaction.key.slave},
                                    std::int64_t{reaction.key.part}, std::int64_t{reaction.key.feature}}) {
      hash.add(word);
    }
    hash.add(reaction.R);
  }
  return hash.value();
}

Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  // The kind is not stored beside the state: the two could contradict each other.
  const RunKind kind = kind_of(checkpoint.run);
  files::Sealed sealed{word_of(kind), ""};
  put(sealed.body, checkpoint.model_hash);
  if (kind == RunKind::kMechanism) put(sealed.body, checkpoint.plan_hash);
  std::visit([&](const auto& run) { put_state(sealed.body, run); }, checkpoint.run);
  return files::write_sealed(path, sealed);
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& path) {
  const Result<files::Sealed> sealed = files::read_sealed(path);
  ESPALIER_TRY(sealed);
  const Where where{path.string(), 0, 0};
  const std::optional<RunKind> kind = find_word<RunKind>(sealed->kind);
  // A design search is sealed the same way, but what it keeps is study's to read.
  if (!kind || *kind == RunKind::kTune) {
    return make_error(ErrorCode::kFormat, where,
                      fmt::format("a checkpoint of the kind {}, not of a run through time", in_quotes(sealed->kind)));
  }
  std::optional<Checkpoint> checkpoint = parse(sealed->body, *kind);
  if (!checkpoint) return make_error(ErrorCode::kFormat, where, "the checkpoint is damaged");
  return *std::move(checkpoint);
}

}  // namespace espalier::record
