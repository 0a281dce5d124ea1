#include "espalier/files/system_file.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::files {

namespace fs = std::filesystem;

Result<void> check_own_files(const fs::path& folder) {
  // A run continues by opening files of the folder for writing: through a link it would write elsewhere.
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const fs::file_status status = entry.symlink_status(code);
    if (fs::is_regular_file(status) || fs::is_directory(status)) continue;
    return make_error(ErrorCode::kFile, {entry.path().string(), 0, 0},
                      "a link, a pipe or a device: a folder to continue in holds files of its own; remove it");
  }
  return {};
}

Result<void> check_holds_only(const fs::path& folder, std::span<const std::string_view> own) {
  std::error_code code;
  std::string other;
  // The first by name: the order of a folder differs from disk to disk.
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (std::find(own.begin(), own.end(), name) == own.end() && (other.empty() || name < other)) other = name;
  }
  if (other.empty()) return {};
  return tl::unexpected(Error{ErrorCode::kOption,
                              fmt::format("holds something else, {}", in_quotes(other)),
                              {folder.string(), 0, 0},
                              "folder",
                              "name another folder, or an empty one"});
}

}  // namespace espalier::files
