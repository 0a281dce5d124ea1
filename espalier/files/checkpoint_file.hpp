#pragma once

// How a checkpoint is kept: the new one beside the old, which stays under another name until the next. Where the last
// one is damaged or gone, whoever goes on takes the one before.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::files {

// checkpoint.before.bin of checkpoint.bin.
std::filesystem::path checkpoint_before(const std::filesystem::path& path);

// Whenever the program or the machine ends, the old one or the new one is whole.
Result<void> write_checkpoint_file(const std::filesystem::path& path, std::string_view bytes);

// What `read` makes of the file, or, where it makes nothing of it, of the one before it; a note then says so.
template <class Read>
auto read_last_checkpoint(const std::filesystem::path& path, Read read, std::vector<std::string>& notes) {
  auto last = read(path);
  if (last) return last;
  auto before = read(checkpoint_before(path));
  if (!before) return last;
  notes.push_back(to_string(last.error()) + "; the run continues from the checkpoint before it.");
  return before;
}

}  // namespace espalier::files
