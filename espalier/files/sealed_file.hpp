#pragma once

// Checkpoints: a line that says what it is, the state (words of eight bytes, little endian, or of a design search a
// text), and a sum over all of it.
//   espalier checkpoint 2 KIND
// The new one is written beside the old, which stays under another name until the next (below).

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::files {

void put(std::string& text, std::uint64_t word);
void put(std::string& text, double number);
// Their count, then the numbers.
void put(std::string& text, std::span<const double> numbers);

// Words one after the other. Past the end it gives zeros and remembers that.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  std::uint64_t word();
  double number();
  std::vector<double> numbers();
  // A count of things of at least `words` words each; 0 where the text is too short to hold them.
  std::uint64_t count(std::uint64_t words);
  bool at_end() const { return whole_ && text_.empty(); }

 private:
  std::string_view text_;
  bool whole_ = true;
};

struct Sealed {
  std::string kind;  // one word: what the checkpoint is of
  std::string body;
};
// Whenever the program or the machine ends, the old one or the new one is whole; the one before stays.
Result<void> write_sealed(const std::filesystem::path& path, const Sealed& sealed);
// Checkpoints of version 1 too, of mechanisms and of scenes. Errors: no checkpoint, one of another version, a sum that
// is wrong.
Result<Sealed> read_sealed(const std::filesystem::path& path);

// How a checkpoint is kept: the new one beside the old, which stays under another name until the next. Where the last
// one is damaged or gone, whoever goes on takes the one before.

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
