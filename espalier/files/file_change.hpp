#pragma once

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

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "espalier/base/result.hpp"
#include "espalier/files/system_file.hpp"

namespace espalier::files {

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

}  // namespace espalier::files
