#pragma once

#include <cstdint>
#include <filesystem>
#include <variant>

#include "espalier/base/result.hpp"
#include "espalier/contact/contact.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/record/run_kind.hpp"

namespace espalier::record {

// All an engine needs to go on: of a mechanism, or of a scene with contact.
using RunState = std::variant<dynamics::RunState, contact::RunState>;

RunKind kind_of(const RunState& state);
// Frames handed out so far.
std::int64_t outputs_of(const RunState& state);
double time_of(const RunState& state);  // [s]
// Of every bit of the motion: a mechanism's time, q and v; a scene's time, bodies and reactions.
std::uint64_t state_hash(const dynamics::State& state);
std::uint64_t state_hash(const contact::RunState& state);

// A run that can go on: all bits of its state, and what it belongs to.
struct Checkpoint {
  std::uint64_t model_hash = 0;
  std::uint64_t plan_hash = 0;  // of a mechanism
  RunState run;
};

// Binary, little endian, with a sum over all bytes at its end (files/sealed_file.hpp); docs/formats/ has the table.
// Whenever the program or the machine ends, the old or the new checkpoint is whole; the one before stays beside it.
Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
// Errors: damaged, or the checkpoint of something else than a run through time.
Result<Checkpoint> read_checkpoint(const std::filesystem::path& path);

}  // namespace espalier::record
