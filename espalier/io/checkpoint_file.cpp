#include "espalier/io/checkpoint_file.hpp"

#include "espalier/io/detail/system_file.hpp"

namespace espalier::io {

std::filesystem::path checkpoint_before(const std::filesystem::path& path) {
  return path.parent_path() / (path.stem().string() + ".before" + path.extension().string());
}

Result<void> write_checkpoint_file(const std::filesystem::path& path, std::string_view bytes) {
  const Result<void> written = detail::replace_file(path, bytes, checkpoint_before(path));
  return written ? detail::sync_folder_of(path) : written;
}

}  // namespace espalier::io
