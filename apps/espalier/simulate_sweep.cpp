// simulate --sweep and --vary: many runs, on many threads and ranks.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/espalier/commands.hpp"
#include "apps/espalier/launch.hpp"
#include "apps/espalier/lost_rank.hpp"
#include "apps/espalier/output.hpp"
#include "apps/espalier/simulate_input.hpp"
#include "apps/espalier/stop_on_signal.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/agree.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/comm/session.hpp"
#include "espalier/study/ensemble.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct SweepInput {
  SimulateInput base;  // the model as it stands
  formats::ModelVariants model;
  formats::Sweep sweep;
};

Result<void> check_command(const SimulateCommand& command) {
  const auto bad = [](const char* message) { return make_error(ErrorCode::kOption, {}, message); };
  if (!command.restart.empty() || command.csv || command.no_files || command.checkpoint_every) {
    return bad(
        "--restart, --csv, --no-files and --checkpoint-every are for a single run; many runs go on by "
        "themselves where the same command is given again with the same -o");
  }
  if (!command.sweep.empty() && (!command.vary.empty() || command.runs || command.seed)) {
    return bad("--sweep brings its numbers along; leave --vary, --runs and --seed out");
  }
  if (command.ranks < 1) return bad("--ranks must be 1 or more");
  return {};
}

Result<formats::Sweep> read_sweep_words(const SimulateCommand& command) {
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

Result<SweepInput> read_input(const SimulateCommand& command) {
  const Result<void> checked = check_command(command);
  ESPALIER_TRY(checked);
  Result<formats::Sweep> sweep = read_sweep_words(command);
  ESPALIER_TRY(sweep);
  const Result<void> sound = formats::check_sweep(*sweep);
  ESPALIER_TRY(sound);
  SimulateCommand base = command;
  base.output.clear();
  base.no_files = true;
  Result<SimulateInput> input = read_simulate_input(base);
  ESPALIER_TRY(input);
  Result<formats::ModelVariants> model = formats::ModelVariants::read(command.model, command.read);
  ESPALIER_TRY(model);
  return SweepInput{*std::move(input), *std::move(model), *std::move(sweep)};
}

// One line on a terminal, or one every few seconds: this rank's share of the work.
std::function<void(std::int64_t)> progress(bool quiet, std::int64_t runs, Clock::time_point begin) {
  if (quiet) return nullptr;
  const bool on_terminal = isatty(STDERR_FILENO) == 1;
  return [=, last = begin](std::int64_t done) mutable {
    const Clock::time_point now = Clock::now();
    if (now - last < (on_terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000))) return;
    last = now;
    const double rate = static_cast<double>(done) / std::chrono::duration<double>(now - begin).count();
    fmt::print(stderr, "{}{} of {} runs here, {:.3g} a second{}", on_terminal ? "\r\033[K" : "", done, runs, rate,
               on_terminal ? "" : "\n");
    std::fflush(stderr);
  };
}

std::string sweep_text(const study::Ensemble& ensemble, const SimulateInput& base, const std::string& folder,
                       double seconds, int ranks) {
  const auto runs = [](std::int64_t count) { return counted(static_cast<std::size_t>(count), "run"); };
  std::string text =
      fmt::format("{} of {}, {} computed now in {:.3g} s on {}\n", ensemble.complete ? "All" : "Stopped within",
                  runs(ensemble.runs), ensemble.computed, seconds, counted(static_cast<std::size_t>(ranks), "rank"));
  text += reader_text(base.reader, "Reader  ");
  if (ensemble.failed > 0) text += fmt::format("{} failed; runs.csv says why\n", runs(ensemble.failed));
  if (ensemble.refused > 0) text += fmt::format("{} refused: their numbers make no model\n", runs(ensemble.refused));
  if (ensemble.complete) return text + fmt::format("Written {}/runs.csv\n", folder);
  return text + fmt::format("Next    the same command with -o {}\n", folder);
}

std::string sweep_json(const study::Ensemble& ensemble, const SimulateInput& base, const std::string& folder,
                       double seconds, int ranks) {
  const nlohmann::ordered_json json = {{"runs", ensemble.runs},
                                       {"computed", ensemble.computed},
                                       {"complete", ensemble.complete},
                                       {"failed", ensemble.failed},
                                       {"refused", ensemble.refused},
                                       {"ranks", ranks},
                                       {"seconds", seconds},
                                       {"folder", folder},
                                       {"table", folder + "/runs.csv"}};
  return with_reader(base.reader, json).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int fail(const comm::Comm& comm, const Error& error, bool json) {
  if (comm.is_root()) report(error, json);
  return error.code == ErrorCode::kFile ? kSolverFailed : kBadInput;
}

}  // namespace

int run_sweep(const SimulateCommand& command) {
  const comm::Session session;
  if (!session.is_parallel() && command.ranks != 1) return launch(command.words, command.ranks, command.json);
  const comm::Comm comm = comm::Comm::world();
  const LostRank lost(comm);
  const Result<SweepInput> input = comm::agree(comm, read_input(command));
  if (!input) {
    fail(comm, input.error(), command.json);
    return kBadInput;
  }
  std::string folder = command.output;
  if (folder.empty()) folder = record::new_run_folder(fs::path(command.model).stem().string()).string();
  folder = comm::broadcast(comm, folder);
  LostRank::set_way_out(comm, fmt::format("the same command with -o {} computes the runs that are missing", folder));
  const Clock::time_point begin = Clock::now();
  study::EnsembleOptions options;
  options.folder = folder;
  options.simulate = input->base.record.options;
  options.keyframe = command.keyframe;
  options.accept = input->base.reader.accepted;
  options.keep_frames = command.frames;
  options.version = ESPALIER_VERSION;
  options.threads = command.threads.value_or(1);
  options.stop = StopOnSignal::wanted();
  options.on_run = progress(command.quiet || !comm.is_root(), formats::run_count(input->sweep), begin);
  const StopOnSignal on_signal;
  const Result<study::Ensemble> ensemble =
      study::run_ensemble(comm, input->model, input->sweep, input->base.plan, options);
  if (!ensemble) return fail(comm, ensemble.error(), command.json);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (comm.is_root() && isatty(STDERR_FILENO) == 1 && !command.quiet) std::fputs("\r\033[K", stderr);
  if (comm.is_root() && (command.json || !command.quiet)) {
    const int printed = print_result(command.json ? sweep_json(*ensemble, input->base, folder, seconds, comm.size())
                                                  : sweep_text(*ensemble, input->base, folder, seconds, comm.size()));
    if (printed != kDone) return printed;
  }
  if (!ensemble->complete) return StopOnSignal::signal() != 0 ? 128 + StopOnSignal::signal() : kSolverFailed;
  return ensemble->failed > 0 ? kSolverFailed : kDone;
}

}  // namespace espalier::app
