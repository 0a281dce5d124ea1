#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/text.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/modes.hpp"

namespace espalier::study {
namespace {

bool is_page(const std::string& file) { return file.ends_with(".html"); }

// What to_json() of any answer about vibrations has written. What is no plain file, /dev/stdout say, is not asked.
bool is_own_document(const std::string& file) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code) || std::filesystem::file_size(file, code) == 0) return true;
  const Result<std::string> text = files::read_text_file(file);
  if (!text) return false;
  const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
  return json.is_object() && (json.contains("certainty") || json.contains("receptance"));
}

Result<void> check_target(const std::string& file, const std::string& model) {
  std::error_code code;
  const auto refuse = [&](const char* message) {
    return make_error(ErrorCode::kOption, {file, 0, 0}, fmt::format("{}; name another file", message));
  };
  if (file.empty()) return {};
  if (std::filesystem::is_directory(file, code)) return refuse("is a folder");
  if (std::filesystem::equivalent(file, model, code)) return refuse("is the model itself");
  return {};
}

}  // namespace

Result<void> check_files(const ModesFiles& files, const std::string& model) {
  for (const std::string& file : {files.output, files.csv, files.plot, files.page}) {
    const Result<void> free = check_target(file, model);
    ESPALIER_TRY(free);
  }
  // A search may last an hour: its document must not take the place of another hour's work.
  if (!files.output.empty() && !is_own_document(files.output)) {
    return make_error(ErrorCode::kOption, {files.output, 0, 0},
                      "holds something else than modes, and would be lost; name another file");
  }
  if (files.plot.empty() || is_page(files.plot) || files.plot.ends_with(".svg")) return {};
  return make_option_error("plot", fmt::format("`plot` is {}", in_quotes(files.plot)),
                           "the file must end in .svg or .html");
}

Result<void> write_plot(const std::string& file, const draw::ModePage& page) {
  return files::write_text_file(file, is_page(file) ? draw::draw_html(page) : draw::draw_svg(page.charts.front()));
}

}  // namespace espalier::study
