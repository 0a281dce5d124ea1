#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "espalier/base/result.hpp"

namespace espalier::files {

// Writes to a temporary file beside `path` and renames it, so that a full disk leaves the old file whole.
Result<void> write_text_file(const std::filesystem::path& path, std::string_view text);
// Errors: no such file, a folder, a device, more than 1 GiB.
Result<std::string> read_text_file(const std::filesystem::path& path);

// A text as one field of a CSV table: quoted as RFC 4180 has it where it holds a comma, a quote or a line end.
std::string csv_field(std::string_view text);

}  // namespace espalier::files
