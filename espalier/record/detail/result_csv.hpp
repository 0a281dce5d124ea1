#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "espalier/base/result.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record::detail {

// result.csv: time, the position of every joint, energies and gaps, one line a frame. Numbers read back as the same
// bits. Lines are gathered and written in blocks as those of ResultWriter.
class CsvWriter {
 public:
  static Result<CsvWriter> create(const std::filesystem::path& path, const ResultLayout& layout);
  // Goes on behind the first `rows` lines below the head; drops what comes after them.
  static Result<CsvWriter> reopen(const std::filesystem::path& path, const ResultLayout& layout, std::int64_t rows);

  Result<void> append(const model::Frame& frame);
  Result<void> flush();

 private:
  explicit CsvWriter(std::filesystem::path path);

  std::filesystem::path path_;
  std::string block_;
};

}  // namespace espalier::record::detail
