#pragma once

#include <string>
#include <vector>

#include "espalier/record/result_file.hpp"
#include "espalier/record/selection.hpp"
#include "espalier/study/detail/sweep_folder.hpp"

namespace espalier::study::detail {

// What all runs share.
struct SweepJob {
  const formats::ModelVariants& model;
  const formats::Sweep& sweep;
  const plan::Plan& plan;
  const SweepRuns& options;
  std::string plan_document;    // for run folders
  record::ResultLayout layout;  // of the model as it was read
  record::Selection selection;  // SweepRuns::quantities
  bool starts_alone = false;    // the sweep changes nothing but how runs start: they share one System
};

// SweepJob::starts_alone: velocities of joints and bodies, and keyframes.
bool varies_starts_alone(const formats::ModelVariants& model, const formats::Sweep& sweep);

// The columns of runs.csv; those of chosen quantities stand last, three of each: least, largest and end.
std::vector<std::string> table_columns(const SweepJob& job);
// The same as its first line.
std::string table_head(const SweepJob& job);

// Runs [first, end); their lines of runs.csv, and nothing for one that was stopped. The error: a folder cannot be
// written. Runs that share a System march side by side.
Result<std::vector<std::string>> run_lines(const SweepJob& job, std::int64_t first, std::int64_t end);
// How many to give to run_lines at once: as many as share the machine's vectors, or one.
std::int64_t runs_at_once(const SweepJob& job);

// "runs/000123".
std::filesystem::path folder_of_run(const SweepJob& job, std::int64_t run);

}  // namespace espalier::study::detail
