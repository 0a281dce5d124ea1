#include "apps/espalier/simulate_sweep.hpp"

#include <fmt/format.h>

#include "apps/espalier/output.hpp"
#include "apps/espalier/wording.hpp"
#include "apps/espalier/progress.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/processes.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/sweep.hpp"
#include "espalier/study/text.hpp"

namespace espalier::app {
namespace {

struct Input {
  study::LoadedModel model;
  formats::ModelVariants variants;
  formats::Sweep sweep;
};

Result<formats::Sweep> read_sweep(const SimulateCommand& command) {
  if (!command.sweep.empty()) return formats::read_sweep(command.sweep);
  formats::Sweep sweep;
  for (const std::string& text : command.vary) {
    Result<formats::SweepParameter> parameter = formats::parse_vary(text);
    ESPALIER_TRY(parameter);
    sweep.parameters.push_back(*std::move(parameter));
  }
  sweep.samples = command.runs.value_or(sweep.samples);
  sweep.seed = command.seed.value_or(sweep.seed);
  return sweep;
}

Result<Input> read_input(const SimulateCommand& command) {
  Result<formats::Sweep> sweep = read_sweep(command);
  ESPALIER_TRY(sweep);
  Result<study::LoadedModel> model = study::load(command.model, command.load);
  ESPALIER_TRY(model);
  Result<formats::ModelVariants> variants = formats::ModelVariants::read(command.model, command.load.read);
  ESPALIER_TRY(variants);
  return Input{*std::move(model), *std::move(variants), *std::move(sweep)};
}

int exit_code(const study::SweepAnswer& answer) {
  if (!answer.complete) return comm::StopOnSignal::signal() != 0 ? 128 + comm::StopOnSignal::signal() : kSolverFailed;
  return answer.failed > 0 ? kSolverFailed : kDone;
}

Result<study::SweepAnswer> compute(const comm::Comm& comm, const Input& input, const SimulateCommand& command,
                                   study::SweepOptions& options, bool& begun) {
  const bool tells = comm.is_root() && !command.quiet, prints = tells && !command.json;
  options.run.folder = comm::broadcast(comm, options.run.folder.string());
  options.on_begin = [&](const study::ResultSize& expected) {
    begun = true;
    if (prints) print(study::head_text(expected, text_options()));
  };
  comm::LostRank::set_way_out(
      comm, fmt::format("the same command with -o {} computes the runs that are missing", options.run.folder.string()));
  StatusLine status(!tells);
  options.run.stop = comm::StopOnSignal::wanted();
  options.on_run = [&](std::int64_t done) {
    if (!status.is_due()) return;
    status.show_text(fmt::format("{} of {} runs here, {:.3g} per second", done, formats::run_count(input.sweep),
                                 static_cast<double>(done) / status.seconds()));
  };
  const comm::StopOnSignal on_signal;
  return study::sweep(comm, input.model, input.variants, input.sweep, options);
}

}  // namespace

int run_sweep(const comm::Comm& comm, const SimulateCommand& command, const study::SimulateOptions& run) {
  const auto fail = [&](const Error& error) { return comm.is_root() ? report(error, command.json) : kBadInput; };
  const Result<Input> input = comm::agree(comm, read_input(command));
  if (!input) return fail(input.error());
  study::SweepOptions options;
  options.run = run;
  options.keep_frames = command.frames;
  bool begun = false;
  const Result<study::SweepAnswer> answer = compute(comm, *input, command, options, begun);
  if (!answer) {
    fail(answer.error());
    // What was read is sound where the sweep has begun: files that fail are its own.
    return begun && answer.error().code == ErrorCode::kFile ? kSolverFailed : kBadInput;
  }
  if (comm.is_root() && (command.json || !command.quiet)) {
    const int printed = print_result(command.json ? study::to_json(*answer) : study::to_text(*answer, text_options()));
    if (printed != kDone) return printed;
  }
  return exit_code(*answer);
}

}  // namespace espalier::app
