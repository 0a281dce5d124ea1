#pragma once

// What the run.json of a mechanism and that of a scene have in common.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "espalier/base/hash.hpp"
#include "espalier/base/result.hpp"
#include "espalier/formats/formats.hpp"

namespace espalier::record::detail {

constexpr int kRunVersion = 1;

// Errors: the folder holds no run; run.json is not one of ours, or of another version.
// Its plan may be large, and is no tree of values here: `plan` is its text.
Result<nlohmann::ordered_json> read_run_json(const std::filesystem::path& folder);
// The document of run.json out of its text; `file` is for messages.
Result<nlohmann::ordered_json> parse_run_json(std::string_view text, const std::string& file);
// Writes the text under `plan` as the JSON it is.
Result<void> write_run_json(const std::filesystem::path& folder, const nlohmann::ordered_json& json);
// run.json of this folder is damaged; `why` says how.
tl::unexpected<Error> broken_run(const std::filesystem::path& folder, const std::string& why);

// A number that is not finite is written as null: it stays what it was. Throws what nlohmann throws where the field is
// not there or of another type.
template <class T>
void read_field(const nlohmann::ordered_json& json, const char* key, T& value) {
  const nlohmann::ordered_json& entry = json.at(key);
  if (!entry.is_null()) entry.get_to(value);
}

// Throws where it is none.
std::uint64_t read_hash(const nlohmann::ordered_json& json);

// Which model a run is of, and how its file was read.
template <class Record>
nlohmann::ordered_json model_json(const Record& record) {
  nlohmann::ordered_json model = {{"name", record.model_name}, {"file", record.model_file}};
  if (record.read.base) model["base"] = *record.read.base == formats::Base::kFixed ? "fixed" : "floating";
  if (!record.read.spherical.empty()) model["spherical"] = record.read.spherical;
  if (!record.accept.empty()) model["accept"] = record.accept;
  model["hash"] = hash_text(record.model_hash);
  return model;
}

// Who made the run, of which model, and how far it went. Throws as read_field().
template <class Record>
void read_common(const nlohmann::ordered_json& json, Record& record) {
  read_field(json, "version", record.version);
  read_field(json, "command", record.command);
  const nlohmann::ordered_json& model = json.at("model");
  read_field(model, "name", record.model_name);
  read_field(model, "file", record.model_file);
  if (model.contains("base")) record.read.base = model.at("base") == "fixed" ? formats::Base::kFixed : formats::Base::kFloating;
  record.read.spherical = model.value("spherical", "");
  record.accept = model.value("accept", std::vector<std::string>());
  record.model_hash = read_hash(model.at("hash"));
  read_field(json, "outcome", record.outcome);
  read_field(json, "message", record.message);
  read_field(json, "time", record.time);
  record.state_hash = read_hash(json.at("state_hash"));
}

// Lists of (word, value).
template <class List, class T>
const char* word_of(const List& list, T value) {
  for (const auto& [name, entry] : list) {
    if (entry == value) return name;
  }
  return "";
}

template <class T, class List>
std::optional<T> find_word(const List& list, const std::string& word) {
  for (const auto& [name, entry] : list) {
    if (word == name) return entry;
  }
  return std::nullopt;
}

}  // namespace espalier::record::detail
