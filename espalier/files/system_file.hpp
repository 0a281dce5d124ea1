#pragma once

// Files of the system, with every failure told: what is written here is on the disk, or there is a reason why not.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
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

// A change of a file that happens whole or not at all, whenever the program or the machine ends. HDF5 alone cannot do
// that: killed while it writes, it leaves indices that point nowhere.
//
// All that is written gathers in pages in memory, and what is read sees them. commit() then goes in steps:
//   1. Pages behind the old end go to the file. Nothing in it points to them yet.
//   2. The pages that replace old bytes go to the file's journal, FILE.journal, with a sum over them.
//   3. The same pages go to the file, which gets its new length.
//   4. The journal is removed.
// Each step waits for the disk. Whoever ends before 2 is through leaves the old file; after it, the journal holds what
// is missing: open() completes it, and open_to_read() takes the file as if that had been done.

class FileChange {
 public:
  // A new file, empty; commit() puts it in the place of one that has its name.
  static FileChange create(std::filesystem::path path);
  // The file as it stands. Errors: it cannot be opened, is a link, or what a program left undone cannot be completed.
  static Result<FileChange> open(const std::filesystem::path& path);
  static Result<FileChange> open_to_read(const std::filesystem::path& path);

  // As they will be after the change. False: the disk could not be read, and reason() says why.
  bool read(std::uint64_t offset, std::span<char> bytes);
  bool write(std::uint64_t offset, std::string_view bytes);
  std::uint64_t size() const { return size_; }
  void set_size(std::uint64_t size) { size_ = size; }
  const std::string& reason() const { return reason_; }
  const std::filesystem::path& path() const { return path_; }

  // Once, as the last act.
  Result<void> commit();

  static std::filesystem::path journal_of(const std::filesystem::path& path);

 private:
  using Pages = std::map<std::uint64_t, std::string>;  // by number

  FileChange(std::filesystem::path path, std::optional<Descriptor> file, std::uint64_t size)
      : path_(std::move(path)), file_(std::move(file)), old_size_(size), size_(size) {}
  bool read_old(std::uint64_t offset, std::span<char> bytes);
  std::string* find_page(std::uint64_t number);
  bool write_pages(int file, Pages::const_iterator begin, Pages::const_iterator end) const;
  Result<void> commit_new();
  Result<void> commit_old();
  Result<void> add_tail(Pages::const_iterator tail);
  Result<void> write_journal(Pages::const_iterator tail) const;
  Result<void> replace_pages(Pages::const_iterator tail);
  Result<void> take_journal();

  std::filesystem::path path_;
  std::optional<Descriptor> file_;  // none: the file is new
  std::uint64_t old_size_ = 0;
  std::uint64_t size_ = 0;
  Pages pages_;
  std::string reason_;
};

// A folder that a run goes on in may come from somebody else. Errors: something in it is a link, a pipe or a device, so
// that what we write would land elsewhere.
Result<void> check_own_files(const std::filesystem::path& folder);

// A folder that a sweep or a search is begun in. Errors: it holds what has none of the names `own`; the way out is
// another folder, the option `folder` of the library.
Result<void> check_holds_only(const std::filesystem::path& folder, std::span<const std::string_view> own);

}  // namespace espalier::files
