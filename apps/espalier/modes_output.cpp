#include "apps/espalier/modes_output.hpp"

#include <complex>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/espalier/modes_input.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "apps/espalier/progress.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/modes.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {
namespace {

// As the ending of the file asks: a page, or its first chart.
Result<void> write_page(const std::string& file, const Result<draw::ModePage>& page) {
  ESPALIER_TRY(page);
  const std::string text = file.ends_with(".html") ? draw::draw_html(*page) : draw::draw_svg(page->charts.front());
  return files::write_text_file(file, text);
}

draw::ModePage without_motion(draw::ChartPage page) {
  return {std::move(page.title), std::move(page.text), {}, std::move(page.charts), std::move(page.command)};
}

// What to_json() of any answer of `modes` has written. What is no plain file, /dev/stdout say, is not asked.
bool is_own_document(const std::string& file) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code) || std::filesystem::file_size(file, code) == 0) return true;
  const Result<std::string> text = files::read_text_file(file);
  if (!text) return false;
  const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
  return json.is_object() && (json.contains("certainty") || json.contains("receptance"));
}

Result<void> check_target(const ModesCommand& command, const std::string& file, bool is_document) {
  std::error_code code;
  const auto refuse = [&](const char* message) {
    return make_error(ErrorCode::kOption, {file, 0, 0}, fmt::format("{}; name another file", message));
  };
  if (file.empty()) return {};
  if (std::filesystem::is_directory(file, code)) return refuse("is a folder");
  if (std::filesystem::equivalent(file, command.model, code)) return refuse("is the model itself");
  if (is_document && !is_own_document(file)) return refuse("holds something else than modes, and would be lost");
  return {};
}

}  // namespace

Result<void> check_targets(const ModesCommand& command) {
  for (const Result<void>& checked :
       {check_target(command, command.output, true), check_target(command, command.csv, false),
        check_target(command, command.plot, false)}) {
    ESPALIER_TRY(checked);
  }
  return {};
}

int finish(const comm::Comm& comm, const ModesCommand& command, const ModesOutput& output) {
  if (!comm.is_root()) return kDone;
  Result<void> written;
  if (!command.output.empty()) written = files::write_text_file(command.output, output.json());
  if (written && !command.csv.empty()) written = files::write_text_file(command.csv, output.csv());
  if (written && !command.plot.empty()) written = write_page(command.plot, output.page());
  if (!written) return report(written.error(), command.json);
  if (command.json) return print_result(output.json());
  if (command.quiet) return kDone;
  std::string text = output.text();
  for (const std::string& file : {command.output, command.csv, command.plot}) {
    if (!file.empty()) text += fmt::format("Wrote {}\n", file);
  }
  return print_result(text);
}

Result<int> run_response(const comm::Comm& comm, const ModesCommand& command) {
  const Result<study::ResponseOptions> options = comm::agree(comm, make_response_options(command));
  ESPALIER_TRY(options);
  const Result<study::LoadedModel> loaded = comm::agree(comm, study::load(command.model, command.load));
  ESPALIER_TRY(loaded);
  if (!comm.is_root()) return kDone;
  const Result<study::ResponseAnswer> answer = study::response(*loaded, *options);
  ESPALIER_TRY(answer);
  return finish(comm, command,
                {[&] { return study::to_json(*answer); }, [&] { return study::to_text(*answer, text_options()); },
                 [&] { return study::to_csv(*answer); },
                 [&] { return without_motion(study::make_page(*answer, command.line)); }});
}

Result<int> run_mode_sweep(const comm::Comm& comm, const ModesCommand& command) {
  Result<study::ModeSweepOptions> options = comm::agree(comm, make_sweep_options(command));
  ESPALIER_TRY(options);
  const Result<study::LoadedVariants> loaded = comm::agree(comm, study::load_variants(command.model, command.load));
  ESPALIER_TRY(loaded);
  std::optional<StatusLine> line(std::in_place, command.quiet || !comm.is_root());
  options->watch = [&](int searches, double value) {
    if (line->is_due()) line->show_text(fmt::format("search {}, {} = {:.6g}", searches, options->path, value));
  };
  const Result<study::ModeSweepAnswer> answer = study::sweep_modes(comm, *loaded, *options);
  line.reset();
  ESPALIER_TRY(answer);
  return finish(comm, command,
                {[&] { return study::to_json(*answer); }, [&] { return study::to_text(*answer, text_options()); },
                 [&] { return study::to_csv(*answer); },
                 [&] { return without_motion(study::make_page(*answer, command.line)); }});
}

Result<int> run_matrix(const comm::Comm& comm, const ModesCommand& command) {
  const Result<study::ModesOptions> others = comm::agree(comm, make_modes_options(command));
  ESPALIER_TRY(others);
  const Result<study::LoadedModel> loaded = comm::agree(comm, study::load(command.model, command.load));
  ESPALIER_TRY(loaded);
  std::optional<std::complex<double>> at;
  if (!command.at.empty()) at = {command.at[0], command.at[1]};
  const Result<study::MatrixAnswer> answer = comm::agree(comm, study::transfer_matrix(*loaded, at));
  ESPALIER_TRY(answer);
  if (!comm.is_root()) return kDone;
  return print_result(command.json ? study::to_json(*answer) : study::to_text(*answer, text_options()));
}

}  // namespace espalier::app
