#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::files {

// Writes to a temporary file beside `path` and renames it, so that a full disk leaves the old file whole.
Result<void> write_text_file(const std::filesystem::path& path, std::string_view text);
// Errors: no such file, a folder, a device, more than 1 GiB.
Result<std::string> read_text_file(const std::filesystem::path& path);

// A text as one field of a CSV table: quoted as RFC 4180 has it where it holds a comma, a quote or a line end.
std::string csv_field(std::string_view text);

// The first line of a CSV table that is neither empty nor a remark (#): the names of its columns.
struct CsvHead {
  std::vector<std::string> names;
  char separator = ',';  // comma, semicolon or tab, whichever stands in the line
  std::size_t end = 0;   // where the rows begin [bytes]
  int line = 1;          // of the names
  int next_line = 2;     // where the rows begin
};
// Errors: no such line; numbers where names should stand; more than 10 000 columns.
Result<CsvHead> read_csv_head(std::string_view text, const std::string& file);

// Some columns of a table, and the line of each row.
struct CsvRows {
  std::vector<std::vector<double>> columns;
  std::vector<int> line;
};
// Errors with their line: a row of another length than the head, what is no finite number.
Result<CsvRows> read_csv_rows(std::string_view text, const std::string& file, const CsvHead& head,
                              std::span<const std::size_t> columns);

}  // namespace espalier::files
