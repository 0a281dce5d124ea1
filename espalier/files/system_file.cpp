#include "espalier/files/system_file.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "espalier/base/index.hpp"

namespace espalier::files {
namespace {

namespace fs = std::filesystem;

// What read, write and their kin leave undone; `one` does a part and returns how much.
template <class One>
bool all_of(std::size_t size, One one) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t part = one(done);
    // A signal interrupts a call without harm to what was done.
    if (part < 0 && errno == EINTR) continue;
    // A write of nothing without an error means that the device takes no more.
    if (part == 0) errno = ENOSPC;
    if (part <= 0) return false;
    done += to_index(part);
  }
  return true;
}

bool write_new(const fs::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  // fsync before the name changes: else a crash may leave the new name on an empty file.
  return file && write_all(file.get(), bytes) && sync(file.get()) && file.close();
}

// The same file under a second name; where a file system knows no such thing, under that one alone.
bool keep_as(const fs::path& path, const fs::path& before) {
  // ENOENT: there is nothing to keep yet.
  ::unlink(before.c_str());
  return ::link(path.c_str(), before.c_str()) == 0 || errno == ENOENT || ::rename(path.c_str(), before.c_str()) == 0;
}

}  // namespace

bool Descriptor::close() {
  const int number = std::exchange(number_, -1);
  // After EINTR the number is free all the same, on Linux.
  return number < 0 || ::close(number) == 0 || errno == EINTR;
}

std::string system_reason() { return std::generic_category().message(errno); }

tl::unexpected<Error> cannot_write(const fs::path& path, const std::string& reason) {
  return make_error(ErrorCode::kFile, {path.string(), 0, 0}, fmt::format("cannot be written: {}", reason));
}

bool write_all(int file, std::string_view bytes) {
  return all_of(bytes.size(),
                [&](std::size_t done) { return ::write(file, bytes.data() + done, bytes.size() - done); });
}

bool write_all_at(int file, std::string_view bytes, std::uint64_t offset) {
  return all_of(bytes.size(), [&](std::size_t done) {
    return ::pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
  });
}

bool read_all_at(int file, std::span<char> bytes, std::uint64_t offset) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t part = ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return false;
    // Past the end a file reads as zeros, as a page that was never written.
    if (part == 0) {
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(done), bytes.end(), '\0');
      return true;
    }
    done += to_index(part);
  }
  return true;
}

// Pipes, devices and some network file systems know no fsync; there is nothing to wait for.
bool sync(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS; }

Result<void> sync_folder_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  // A name is on the disk only when its folder is.
  const Descriptor folder(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be written to without being readable: then there is nothing to wait for.
  if (folder ? sync(folder.get()) : errno == EACCES) return {};
  return cannot_write(path, system_reason());
}

Result<void> replace_file(const fs::path& path, std::string_view bytes, const fs::path& before) {
  // Named after the process, so that two of them never write into the same part.
  const fs::path written = fmt::format("{}.{}.part", path.string(), ::getpid());
  if (write_new(written, bytes) && (before.empty() || keep_as(path, before)) &&
      ::rename(written.c_str(), path.c_str()) == 0) {
    return {};
  }
  // Before unlink, which sets a reason of its own.
  const std::string reason = system_reason();
  ::unlink(written.c_str());
  return cannot_write(path, reason);
}

}  // namespace espalier::files
