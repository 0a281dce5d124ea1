#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/record/detail/quantity.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::record::detail {

// result.csv: time, then every quantity that has names for it (quantity.hpp), one line per frame. Numbers read back as
// the same bits. Lines are gathered and written in blocks as those of ResultWriter.
class CsvWriter {
 public:
  static Result<CsvWriter> create(const std::filesystem::path& path, const ResultLayout& layout);
  // Goes on behind the first `rows` lines below the head; drops what comes after them.
  static Result<CsvWriter> reopen(const std::filesystem::path& path, const ResultLayout& layout, std::int64_t rows);

  Result<void> append(const model::Frame& frame);
  Result<void> flush();

 private:
  CsvWriter(std::filesystem::path path, const ResultLayout& layout);
  std::string head() const;

  std::filesystem::path path_;
  std::vector<Quantity> table_;  // those in result.csv
  std::vector<double> values_;   // of one quantity
  std::string block_;
};

}  // namespace espalier::record::detail
