#pragma once

#include <cstdint>
#include <filesystem>

#include "espalier/base/result.hpp"
#include "espalier/dynamics/dynamics.hpp"

namespace espalier::record {

// A run that can go on: all bits of its state, and what it belongs to.
struct Checkpoint {
  std::uint64_t model_hash = 0;
  std::uint64_t plan_hash = 0;
  dynamics::RunState run;
};

// Binary, little endian, with a sum over all bytes at its end; docs/file-formats.md has the table. Whenever the program
// or the machine ends, the old or the new checkpoint is whole; the one before stays beside it (checkpoint_file.hpp).
Result<void> write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
Result<Checkpoint> read_checkpoint(const std::filesystem::path& path);

}  // namespace espalier::record
