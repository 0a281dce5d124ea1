#pragma once

// The document of run.json as a tree of values, whatever its version.

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"

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

// A number that is not finite is written as null: it stays what it was. Throws what nlohmann throws where the field is
// not there or of another type.
template <class T>
void read_field(const nlohmann::ordered_json& json, const char* key, T& value) {
  const nlohmann::ordered_json& entry = json.at(key);
  if (!entry.is_null()) entry.get_to(value);
}

// Throws where the field is none of the words of T.
template <class T>
void read_word(const nlohmann::ordered_json& json, const char* key, T& value) {
  const std::string text = json.at(key).get<std::string>();
  const std::optional<T> found = find_word<T>(text);
  if (!found) throw std::invalid_argument(std::string(key) + " is one of " + all_words<T>());
  value = *found;
}

// Throws where it is none.
std::uint64_t read_hash(const nlohmann::ordered_json& json);

}  // namespace espalier::record::detail
