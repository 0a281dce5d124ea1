#pragma once

// A design search on disk. docs/file-formats.md lists the files and their fields.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/files/folder_lock.hpp"
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

// JSON; every double comes back with all its bits. Whenever the program ends, the old or the new checkpoint is whole,
// and the one before stays beside it. Where the last one is damaged, that one is read, and a note says so.
Result<void> write_tune_checkpoint(const std::filesystem::path& folder, const TuneRecord& record);
Result<TuneRecord> read_tune_checkpoint(const std::filesystem::path& folder, std::vector<std::string>& notes);
// The same from its text; `file` is for messages.
Result<TuneRecord> read_tune_checkpoint_text(const std::string& text, const std::string& file);

// Makes the folder and locks it. Errors: there is a search in it already, another process writes one there, it cannot
// be written.
Result<files::FolderLock> make_tune_folder(const std::filesystem::path& folder);

// What came out: tune.json (`json`, as the command line prints it), history.csv, front.csv where there is a front,
// best.yaml, the best design as a native model, and charts: fitness.svg, frequencies.svg, front.svg, and index.html
// with all of them and `text`. Returns their names.
struct TuneFiles {
  std::string title, command, text, json;
};
Result<std::vector<std::string>> write_tune_results(const std::filesystem::path& folder, const DesignSpace& space,
                                                    const Tuned& tuned, const TuneFiles& files);

}  // namespace espalier::study
