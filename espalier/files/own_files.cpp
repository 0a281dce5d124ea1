#include "espalier/files/system_file.hpp"

#include <system_error>

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

}  // namespace espalier::files
