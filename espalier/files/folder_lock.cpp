#include "espalier/files/folder_lock.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/system_file.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = ".lock";

std::string machine_name() {
  std::array<char, 256> name = {};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

// "process 1234", from what its owner wrote into the file.
std::string owner_of(const Descriptor& file) {
  std::array<char, 300> text = {};
  const ssize_t size = ::pread(file.get(), text.data(), text.size() - 1, 0);
  const std::string words(text.data(), size > 0 ? to_index(size) : 0);
  const std::size_t space = words.find(' '), end = words.find('\n');
  // The file may come from anywhere; only a number is printed, never what else it holds.
  if (space == std::string::npos || end == std::string::npos || end < space) return "another process";
  const std::string number = words.substr(0, space), machine = words.substr(space + 1, end - space - 1);
  if (number.find_first_not_of("0123456789") != std::string::npos) return "another process";
  return machine == machine_name() ? "process " + number : fmt::format("process {} on {}", number, in_quotes(machine));
}

// The owner before may have removed the name after this file was opened and before it was locked.
bool has_name(const Descriptor& file, const fs::path& path) {
  struct stat here = {}, there = {};
  return ::fstat(file.get(), &here) == 0 && ::lstat(path.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
         here.st_dev == there.st_dev;
}

// NAME.PROCESS.part, as replace_file() writes them.
void remove_parts(const fs::path& folder) {
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const std::string number = entry.path().stem().extension().string();
    const bool ours = entry.path().extension() == ".part" && number.size() > 1 &&
                      number.find_first_not_of("0123456789", 1) == std::string::npos;
    if (ours) fs::remove(entry.path(), code);
  }
}

}  // namespace

Result<FolderLock> FolderLock::take(const fs::path& folder) {
  const fs::path path = folder / kLock;
  // Each round either holds the lock on the file that has the name, or learns who does.
  for (;;) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (!file) return cannot_write(folder, system_reason());
    // The system gives a lock back when its process ends, however it ends: no lock outlives a run that was killed.
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno == EWOULDBLOCK) {
        return make_error(ErrorCode::kOption, {folder.string(), 0, 0},
                          fmt::format("{} is writing in this folder; wait until it has ended, or name another folder",
                                      owner_of(file)));
      }
    } else if (!has_name(file, path)) {
      continue;
    }
    // Under the lock nobody else is writing here, so that parts of files are remains.
    remove_parts(folder);
    // For messages alone: a disk that is full is met where something counts.
    const std::string owner = fmt::format("{} {}\n", ::getpid(), machine_name());
    if (::ftruncate(file.get(), 0) == 0) (void)write_all_at(file.get(), owner, 0);
    return FolderLock(path, file.release());
  }
}

Result<FolderLock> FolderLock::make(const fs::path& folder) {
  std::error_code code;
  // A folder that is there already is no error.
  fs::create_directories(folder, code);
  if (!code) return take(folder);
  return make_error(ErrorCode::kFile, {folder.string(), 0, 0},
                    fmt::format("cannot be made a folder: {}", code.message()));
}

FolderLock::FolderLock(fs::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  // First the name, then the lock: in the reverse order another run could lose the name of its own lock.
  ::unlink(file_.c_str());
  ::close(descriptor_);
}

}  // namespace espalier::files
