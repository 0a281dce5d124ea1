#include "apps/espalier/modes_output.hpp"

#include <complex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/modes_words.hpp"
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

draw::ModePage without_motion(draw::ChartPage page) {
  return {std::move(page.title), std::move(page.text), {}, std::move(page.charts), std::move(page.command)};
}

}  // namespace

int finish(const comm::Comm& comm, const ModesCommand& command, const ModesOutput& output) {
  if (!comm.is_root()) return kDone;
  Result<void> written;
  if (!command.output.empty()) written = files::write_text_file(command.output, output.json());
  if (written && !command.csv.empty()) written = files::write_text_file(command.csv, output.csv());
  if (written && (!command.plot.empty() || !command.page.empty())) {
    const Result<draw::ModePage> page = output.page();
    if (!page) written = tl::unexpected(page.error());
    if (written && !command.plot.empty()) written = study::write_plot(command.plot, *page);
    if (written && !command.page.empty()) written = files::write_text_file(command.page, draw::draw_html(*page));
  }
  if (!written) return report(written.error(), command.json);
  if (command.json) return print_result(output.json());
  if (command.quiet) return kDone;
  std::string text = output.text();
  for (const std::string& file : {command.output, command.csv, command.plot, command.page}) {
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
