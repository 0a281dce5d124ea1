#include "espalier/record/detail/run_json.hpp"

#include <optional>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/files/json.hpp"
#include "espalier/files/system_file.hpp"
#include "espalier/files/text_file.hpp"

namespace espalier::record::detail {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kPlan = "plan";

// The text of the value under `plan`; empty where there is none.
Result<std::string_view> find_plan(std::string_view text, const std::string& file) {
  files::JsonScanner scanner(text, file);
  std::string_view plan;
  if (!scanner.take('{')) return plan;
  do {
    const std::optional<std::string_view> key = scanner.peek() == '"' ? scanner.string() : std::nullopt;
    // What is no JSON is the parser's to say.
    if (!key || !scanner.take(':')) break;
    // peek() steps over white space: the plan begins at its first character.
    scanner.peek();
    const std::size_t begin = scanner.position();
    if (!scanner.skip()) return tl::unexpected(scanner.error());
    if (*key == kPlan && !plan.empty()) return make_error(ErrorCode::kName, {file, 0, 0}, "holds two plans; keep one");
    if (*key == kPlan) plan = text.substr(begin, scanner.position() - begin);
  } while (scanner.take(','));
  return plan;
}

// Version 1 had all options and counts in one list each, and said `engine` of scenes alone. What is not there is found
// missing by the reader of the fields.
void upgrade(ordered_json& json) {
  ordered_json engine = {{"name", json.value("engine", ordered_json("recursive"))}};
  for (const char* key : {"options", "counts", "seed", "integrator", "plan_hash", "ranks"}) {
    if (json.contains(key)) engine[key] = json[key];
  }
  json["engine"] = std::move(engine);
  // Scenes started as drawn, and had no table.
  if (!json.contains("options") || !json["options"].is_object()) return;
  json["options"].emplace("keyframe", "");
  json["options"].emplace("csv", false);
}

}  // namespace

Result<ordered_json> read_run_json(const fs::path& folder) {
  const fs::path file = folder / kRunFile;
  std::error_code code;
  if (!fs::exists(file, code)) {
    return make_error(ErrorCode::kFile, {folder.string(), 0, 0},
                      "holds no run (there is no run.json in it); name the folder that `simulate` wrote");
  }
  // A folder may come from somebody else, with links in it that lead elsewhere.
  const Result<void> own = files::check_own_files(folder);
  ESPALIER_TRY(own);
  const Result<std::string> text = files::read_text_file(file);
  ESPALIER_TRY(text);
  return parse_run_json(*text, file.string());
}

Result<ordered_json> parse_run_json(std::string_view text, const std::string& file) {
  const Result<std::string_view> plan = find_plan(text, file);
  ESPALIER_TRY(plan);
  // With null in place of the plan the rest is a small tree of values, however large the model.
  std::string rest(text);
  if (!plan->empty()) rest.replace(to_index(plan->data() - text.data()), plan->size(), "null");
  const Result<void> small = files::check_json_text(rest, file);
  ESPALIER_TRY(small);
  ordered_json json = ordered_json::parse(rest, nullptr, false);
  const Where where{file, 0, 0};
  if (!json.is_object() || !json.contains("espalier_run")) {
    return make_error(ErrorCode::kFormat, where, "not a run.json of espalier simulate, or broken");
  }
  if (json["espalier_run"] != kRunVersion && json["espalier_run"] != 1) {
    return make_error(ErrorCode::kFormat, where,
                      fmt::format("of another version; I read versions 1 and {}: continue with the program that wrote "
                                  "it, or start a new run in another folder",
                                  kRunVersion));
  }
  // One form for all that follows, whatever version wrote it.
  if (json["espalier_run"] == 1) upgrade(json);
  if (!plan->empty()) json[kPlan] = *plan;
  return json;
}

Result<void> write_run_json(const fs::path& folder, const ordered_json& json) {
  ordered_json shown = json;
  std::string plan;
  if (const auto found = shown.find(kPlan); found != shown.end() && found->is_string()) {
    plan = found->get<std::string>();
    // As a tree of values the plan would take many times its text: null holds its place until the rest is text.
    *found = nullptr;
  }
  std::string text = shown.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  // One blank is the indentation of the first level, and line ends within texts are escaped: the place is unique.
  const std::string place = fmt::format("\n \"{}\": ", kPlan);
  if (!plan.empty()) {
    plan.erase(plan.find_last_not_of(" \n") + 1);
    text.replace(text.rfind(place) + place.size(), std::string_view("null").size(), plan);
  }
  return files::write_text_file(folder / kRunFile, text);
}

}  // namespace espalier::record::detail
