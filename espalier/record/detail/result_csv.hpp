#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/record/detail/quantity.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/record/selection.hpp"

namespace espalier::record::detail {

// result.csv: time, then every quantity that has names for it (quantity.hpp), or the columns of a selection with their
// units, one line per frame. Numbers read back as the same bits. Lines are gathered and written in blocks as those of
// ResultWriter.
class CsvWriter {
 public:
  // A selection without columns stands for the usual ones.
  static Result<CsvWriter> create(const std::filesystem::path& path, const ResultLayout& layout,
                                  const Selection& selection = {});
  // Goes on behind the first `rows` lines below the head; drops what comes after them.
  static Result<CsvWriter> reopen(const std::filesystem::path& path, const ResultLayout& layout, std::int64_t rows,
                                  const Selection& selection = {});

  Result<void> append(const model::Frame& frame);
  Result<void> flush();

 private:
  CsvWriter(std::filesystem::path path, const ResultLayout& layout, Selection selection);
  std::string head() const;
  void take(const model::Frame& frame);

  std::filesystem::path path_;
  Selection selection_;
  std::vector<Quantity> table_;  // those in result.csv where nothing was selected
  std::vector<double> values_;   // of one line, without the time
  std::string block_;
};

}  // namespace espalier::record::detail
