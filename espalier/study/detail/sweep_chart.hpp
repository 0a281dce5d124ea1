#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/record/result_file.hpp"

namespace espalier::study::detail {

// The charts of a sweep beside its runs.csv.
struct SweepCharts {
  std::filesystem::path folder;
  std::string model;                    // its name
  std::vector<std::string> varied;      // paths; their values stand behind the number of the run
  std::vector<record::Column> columns;  // quantities, of each of which the table has least, largest and end
  std::size_t first = 0;                // column of the table in which they begin
  std::string command;                  // that made them
};

// runs.html with a chart of each quantity over the first number that varies, and the first of them alone as runs.svg.
// `table` is the text of runs.csv. Nothing where no quantity was chosen.
Result<void> write_charts(const SweepCharts& charts, const std::string& table);

}  // namespace espalier::study::detail
