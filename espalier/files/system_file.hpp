#pragma once

// Files of the system, with every failure told: what is written here is on the disk, or there is a reason why not.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "espalier/base/result.hpp"

namespace espalier::files {

// An open file that closes itself. Negative: the call that made it failed, and errno says why.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }
  // Some file systems tell only here that they could not write. True where it went through.
  bool close();

 private:
  int number_;
};

// The words of the system for errno.
std::string system_reason();
// "PATH: cannot be written: REASON".
tl::unexpected<Error> cannot_write(const std::filesystem::path& path, const std::string& reason);

// All bytes, or false with errno: a call may take fewer than it was given.
bool write_all(int file, std::string_view bytes);
bool write_all_at(int file, std::string_view bytes, std::uint64_t offset);
// The bytes from `offset` on; zeros behind the end of the file.
bool read_all_at(int file, std::span<char> bytes, std::uint64_t offset);

// Waits until the disk has it. True as well where a file system knows no such thing.
bool sync(int file);
// The same for the names in the folder of `path`: that a file is there, or is another one now.
Result<void> sync_folder_of(const std::filesystem::path& path);

// Writes beside `path`, waits for the disk and renames: whenever the program or the machine ends, the old file or the
// new one is whole. With `before`, the old one stays under that name.
Result<void> replace_file(const std::filesystem::path& path, std::string_view bytes,
                          const std::filesystem::path& before = {});

}  // namespace espalier::files
