#include "espalier/study/sweep.hpp"

#include <chrono>
#include <utility>

#include "espalier/comm/collectives.hpp"
#include "espalier/study/detail/mechanism_input.hpp"
#include "espalier/study/detail/result_size.hpp"
#include "espalier/study/detail/simulate_options.hpp"
#include "espalier/study/detail/sweep_folder.hpp"

namespace espalier::study {
namespace {

// The model as it stands, ready to run: its plan and its options are those of all runs, and a model that cannot run is
// refused before a folder is made.
Result<detail::MechanismInput> read_base(const LoadedModel& model, const formats::Sweep& sweep,
                                         const SimulateOptions& run, int ranks) {
  // Options of single runs are refused before the plan, which takes longer.
  const EngineUse use{engine_of(model, run), EngineUse::Runs::kMany, ranks};
  for (const Result<void>& checked :
       {check_engine_options(run, use), detail::check_numbers(run), formats::check_sweep(sweep)}) {
    ESPALIER_TRY(checked);
  }
  return detail::read_mechanism(model, run);
}

// A table of each run needs a folder of each run; runs.csv tells of quantities alone.
Result<void> check_table(const SweepOptions& options) {
  if (!options.run.csv || options.keep_frames || !options.run.quantities.empty()) return {};
  return make_option_error("csv", "`csv` of many runs names quantities, of which runs.csv tells least, largest and end",
                           "name some, as in `csv` energy, or keep the `frames` of each run");
}

}  // namespace

Result<SweepAnswer> sweep(const comm::Comm& comm, const LoadedModel& model, const formats::ModelVariants& variants,
                          const formats::Sweep& sweep, const SweepOptions& options) {
  // With the plan: this is the time that the user waited.
  const auto begin = std::chrono::steady_clock::now();
  const Result<void> table = check_table(options);
  ESPALIER_TRY(table);
  Result<detail::MechanismInput> base = comm::agree(comm, read_base(model, sweep, options.run, comm.size()));
  ESPALIER_TRY(base);
  ResultSize expected;
  if (options.keep_frames) {
    const auto runs_in_all = static_cast<double>(formats::run_count(sweep));
    expected = detail::result_size(base->record, record::make_layout(base->system), 0);
    expected.bytes *= runs_in_all;
    expected.frames *= runs_in_all;
  }
  const Result<void> fits = comm::agree(comm, detail::check_free_space(options.run.folder, expected));
  ESPALIER_TRY(fits);
  if (options.on_begin) options.on_begin(expected);
  // The options as the first reading resolved them, so that every run has the same.
  detail::SweepRuns runs;
  runs.folder = options.run.folder;
  runs.simulate = base->record.mechanism().options;
  runs.keyframe = options.run.keyframe;
  runs.accept = base->reader.accepted;
  runs.keep_frames = options.keep_frames;
  runs.csv = options.keep_frames && base->record.csv;
  runs.quantities = options.run.quantities;
  runs.command = options.run.command;
  // Threads go to runs and not into an evaluation: runs need not wait for each other.
  runs.threads = options.run.threads.value_or(1);
  runs.stop = options.run.stop;
  runs.on_run = options.on_run;
  const Result<detail::SweepCounts> counts = detail::compute_runs(comm, variants, sweep, base->plan, runs);
  ESPALIER_TRY(counts);
  SweepAnswer answer;
  answer.runs = counts->runs;
  answer.computed = counts->computed;
  answer.complete = counts->complete;
  // Of the whole table, also of what earlier calls computed.
  answer.failed = counts->failed;
  answer.refused = counts->refused;
  answer.ranks = comm.size();
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  answer.folder = options.run.folder.string();
  if (answer.complete) answer.files = {"runs.csv"};
  if (answer.complete && !options.run.quantities.empty()) {
    answer.files.insert(answer.files.end(), {"runs.svg", "runs.html"});
  }
  answer.reader = std::move(base->reader);
  return answer;
}

Result<SweepAnswer> sweep_file(const comm::Comm& comm, const std::filesystem::path& file, const formats::Sweep& sweep,
                               const SweepOptions& options, const LoadOptions& load_options) {
  const Result<LoadedModel> model = comm::agree(comm, load(file, load_options));
  ESPALIER_TRY(model);
  const Result<formats::ModelVariants> variants =
      comm::agree(comm, formats::ModelVariants::read(file, load_options.read));
  ESPALIER_TRY(variants);
  return study::sweep(comm, *model, *variants, sweep, options);
}

}  // namespace espalier::study
