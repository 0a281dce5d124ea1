#pragma once

// Binary files of ours: a line that says what it is, words of eight bytes, little endian, and a sum over all of it.

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

// Adds the sum and writes the file, whole or not at all; the one before stays (checkpoint_file.hpp).
Result<void> write_sealed(const std::filesystem::path& path, std::string text);
// What stands between the first line and the sum. Errors: another first line, a sum that is wrong.
Result<std::string> read_sealed(const std::filesystem::path& path, std::string_view first_line);

}  // namespace espalier::files
