#include "espalier/files/sealed_file.hpp"

#include "espalier/files/system_file.hpp"

namespace espalier::files {

std::filesystem::path checkpoint_before(const std::filesystem::path& path) {
  return path.parent_path() / (path.stem().string() + ".before" + path.extension().string());
}

Result<void> write_checkpoint_file(const std::filesystem::path& path, std::string_view bytes) {
  // The old checkpoint stays until the new one has its name: a run that is killed in between finds one of the two.
  const Result<void> written = replace_file(path, bytes, checkpoint_before(path));
  return written ? sync_folder_of(path) : written;
}

}  // namespace espalier::files
