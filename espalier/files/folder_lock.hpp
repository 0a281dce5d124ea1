#pragma once

#include <filesystem>

#include "espalier/base/result.hpp"

namespace espalier::files {

// While it lives, no other process gets a FolderLock of the same folder: two that write one run destroy it. The system
// gives the lock back however the process ends. On file systems without locks it keeps nobody out.
class FolderLock {
 public:
  // Removes what a process that was killed left half-written. Errors: another process has it (the message names it);
  // the folder is not there, or cannot be written.
  static Result<FolderLock> take(const std::filesystem::path& folder);
  // Makes the folder first where it is not there.
  static Result<FolderLock> make(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  FolderLock(std::filesystem::path file, int descriptor);

  std::filesystem::path file_;
  int descriptor_;
};

}  // namespace espalier::files
