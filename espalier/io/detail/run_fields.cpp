#include "espalier/io/detail/run_fields.hpp"

#include <fmt/format.h>

#include "espalier/base/text.hpp"

namespace espalier::io::detail {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr const char* kRun = "run.json";

}  // namespace

Result<ordered_json> read_run_json(const fs::path& folder) {
  const fs::path file = folder / kRun;
  std::error_code code;
  if (!fs::exists(file, code)) {
    return make_error(ErrorCode::kFile, {folder.string(), 0, 0},
                      "holds no run (there is no run.json in it); name the folder that espalier simulate wrote");
  }
  const Result<std::string> text = read_text_file(file);
  ESPALIER_TRY(text);
  ordered_json json = ordered_json::parse(*text, nullptr, false);
  const Where where{file.string(), 0, 0};
  if (!json.is_object() || !json.contains("espalier_run")) {
    return make_error(ErrorCode::kFormat, where, "not a run.json of espalier simulate, or broken");
  }
  if (json["espalier_run"] != kRunVersion) {
    return make_error(ErrorCode::kFormat, where, fmt::format("of another version; I read version {}", kRunVersion));
  }
  return json;
}

Result<void> write_run_json(const fs::path& folder, const ordered_json& json) {
  return write_text_file(folder / kRun, json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

tl::unexpected<Error> broken_run(const fs::path& folder, const std::string& why) {
  return make_error(ErrorCode::kFormat, {(folder / kRun).string(), 0, 0}, fmt::format("broken: {}", in_quotes(why)));
}

std::uint64_t read_hash(const ordered_json& json) { return std::stoull(json.get<std::string>(), nullptr, 16); }

}  // namespace espalier::io::detail
