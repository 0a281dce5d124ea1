#pragma once

// A design search on disk. docs/file-formats.md lists the files and their fields.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/study/tune.hpp"

namespace espalier::study {

// What checkpoint.json says: enough to go on.
struct TuneRecord {
  std::string model;  // its file
  std::string study;  // the file of the tuning; empty: the model's
  std::string algorithm;
  int population = 0, generations = 0;
  std::uint64_t seed = 1;
  bool pareto = false;
  std::optional<double> enough;
  std::vector<std::string> accept;  // words of what the model's reader left out and changes the modes
  TuneState state;
};

// JSON; every double comes back with all its bits. Written to a temporary file that is renamed: whenever the program
// ends, the old or the new checkpoint is whole.
Result<void> write_tune_checkpoint(const std::filesystem::path& folder, const TuneRecord& record);
Result<TuneRecord> read_tune_checkpoint(const std::filesystem::path& folder);
// The same from its text; `file` is for messages.
Result<TuneRecord> read_tune_checkpoint_text(const std::string& text, const std::string& file);

// Makes the folder. Errors: there is a search in it already, it cannot be written.
Result<void> make_tune_folder(const std::filesystem::path& folder);

// What came out: tune.json (`json`, as the command line prints it), history.csv, front.csv where there is a front,
// best.yaml, the best design as a native model, and charts: fitness.svg, frequencies.svg, front.svg, and index.html
// with all of them and `text`. Returns their names.
struct TuneFiles {
  std::string title, command, text, json;
};
Result<std::vector<std::string>> write_tune_results(const std::filesystem::path& folder, const DesignSpace& space,
                                                    const Tuned& tuned, const TuneFiles& files);

}  // namespace espalier::study
