#pragma once

// The document of run.json as a tree of values, whatever its version.

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "espalier/base/result.hpp"

namespace espalier::record::detail {

constexpr int kRunVersion = 2;
constexpr const char* kRunFile = "run.json";

// Errors: the folder holds no run; run.json is not one of ours, or of a version that is not known. One of version 1 is
// given the form of version 2. Its plan may be large, and is no tree of values here: `plan` is its text.
Result<nlohmann::ordered_json> read_run_json(const std::filesystem::path& folder);
// The document of run.json out of its text; `file` is for messages.
Result<nlohmann::ordered_json> parse_run_json(std::string_view text, const std::string& file);
// Writes the text under `plan` as the JSON it is.
Result<void> write_run_json(const std::filesystem::path& folder, const nlohmann::ordered_json& json);

}  // namespace espalier::record::detail
