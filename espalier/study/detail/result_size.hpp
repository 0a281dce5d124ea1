#pragma once

// What a run will write, before it begins.

#include <cstdint>
#include <filesystem>
#include <string>

#include "espalier/base/result.hpp"
#include "espalier/record/result_file.hpp"
#include "espalier/record/run_record.hpp"
#include "espalier/record/selection.hpp"
#include "espalier/study/simulation.hpp"

namespace espalier::study::detail {

// What is left to write of a run that has handed out `outputs` frames: result.h5, and result.csv where it is asked for.
ResultSize result_size(const record::RunRecord& record, const record::ResultLayout& layout, std::int64_t outputs);

// Error (option output_step): less is free where `folder` is, or will be.
Result<void> check_free_space(const std::filesystem::path& folder, const ResultSize& size);

// SimulateOptions::quantities of a run of this layout. Error (option csv): a name that names nothing.
Result<record::Selection> choose_quantities(const record::ResultLayout& layout, const std::string& words);

}  // namespace espalier::study::detail
