#pragma once

#include <filesystem>

#include "espalier/base/result.hpp"

namespace espalier::files {

// A folder that a run goes on in may come from somebody else. Errors: something in it is a link, a pipe or a device, so
// that what we write would land elsewhere.
Result<void> check_own_files(const std::filesystem::path& folder);

}  // namespace espalier::files
