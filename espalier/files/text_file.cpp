#include "espalier/files/text_file.hpp"

#include <array>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/files/system_file.hpp"

namespace espalier::files {
namespace {

// Larger than any mechanism; a plain graph of 10^6 edges has 20 MB.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;

}  // namespace

Result<std::string> read_text_file(const std::filesystem::path& path) {
  const Where where{path.string(), 0, 0};
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) {
    return make_error(ErrorCode::kFile, where, "no such file; check the path");
  }
  if (std::filesystem::is_directory(status)) {
    return make_error(ErrorCode::kFile, where, "this is a folder; name a model file in it");
  }
  // /dev/zero never ends; a pipe (/dev/stdin, <(...)) does.
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status)) {
    return make_error(ErrorCode::kFile, where, "this is a device; name a model file");
  }
  // Only a regular file has a size that can be trusted; a pipe is measured while it is read.
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, code) > kLargestFile) {
    return make_error(ErrorCode::kLimit, where, "larger than 1 GiB; no model file is");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> block;
  do {
    stream.read(block.data(), block.size());
    text.append(block.data(), to_index(stream.gcount()));
    if (text.size() > kLargestFile) return make_error(ErrorCode::kLimit, where, "more than 1 GiB; no model is");
  } while (stream);
  if (!stream.eof())
    return make_error(ErrorCode::kFile, where, fmt::format("cannot be read: {}", system_reason()));
  return text;
}

Result<void> write_text_file(const std::filesystem::path& path, std::string_view text) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  // What a link points to is replaced, not the link.
  const fs::path target = fs::is_symlink(path, code) ? fs::weakly_canonical(path, code) : path;
  if (!fs::exists(target, code) || fs::is_regular_file(target, code)) return replace_file(target, text);
  // A device such as /dev/stdout cannot be renamed onto; /dev/full is how the full disk is tested.
  Descriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
  if (file && write_all(file.get(), text) && file.close()) return {};
  return cannot_write(target, system_reason());
}

}  // namespace espalier::files
