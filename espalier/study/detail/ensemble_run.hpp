#pragma once

#include <string>
#include <vector>

#include "espalier/io/result_file.hpp"
#include "espalier/study/ensemble.hpp"

namespace espalier::study {

// What all runs share.
struct EnsembleJob {
  const io::ModelVariants& model;
  const io::Sweep& sweep;
  const plan::Plan& plan;
  const EnsembleOptions& options;
  std::string plan_document;  // for run folders
  io::ResultLayout layout;    // of the model as it was read
};

// The first line of runs.csv.
std::string table_head(const EnsembleJob& job);

// One run; its line of runs.csv. The error: its folder cannot be written. Nothing where it was stopped.
Result<std::string> run_line(const EnsembleJob& job, std::int64_t run);

// "runs/000123".
std::filesystem::path folder_of_run(const EnsembleJob& job, std::int64_t run);

}  // namespace espalier::study
