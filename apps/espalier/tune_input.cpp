#include "apps/espalier/tune_input.hpp"

#include <utility>

#include <fmt/format.h>

namespace espalier::app {
namespace {

tl::unexpected<Error> refuse(const std::string& text) { return make_error(ErrorCode::kOption, {}, text); }

Result<void> check_command(const TuneCommand& command) {
  if (command.model.empty() && command.restart.empty()) return refuse("give a model file, or --restart FOLDER");
  if (command.threads && (*command.threads < 1 || *command.threads > 1024)) {
    return refuse(fmt::format("--threads {}: give a number from 1 to 1024", *command.threads));
  }
  if (command.ranks < 1) return refuse(fmt::format("--ranks {}: give 1 or more", command.ranks));
  if (command.population && (*command.population < 4 || *command.population > formats::kMostDesigns)) {
    return refuse(fmt::format("--population {}: give a number from 4 to {}", *command.population, formats::kMostDesigns));
  }
  if (command.generations && *command.generations < 1) {
    return refuse(fmt::format("--generations {}: give 1 or more", *command.generations));
  }
  const bool another = command.algorithm || command.population || command.seed || command.pareto ||
                       !command.study.empty() || !command.output.empty();
  if (!command.restart.empty() && another) {
    return refuse(
        "--restart goes on with the search as it was, in its own folder; leave --algorithm, --population, --seed, "
        "--pareto, --study and -o out");
  }
  return {};
}

// What a checkpoint says is checked as if it were typed.
Result<void> check_numbers(const study::TuneRecord& record, const std::string& folder) {
  const bool sound = record.population >= 4 && record.population <= formats::kMostDesigns && record.generations >= 1;
  if (sound) return {};
  return make_error(ErrorCode::kValue, {folder + "/checkpoint.json", 0, 0},
                    fmt::format("a search of {} generations with {} designs; there are 1 or more, of 4 to {} designs",
                                record.generations, record.population, formats::kMostDesigns));
}

// The command's words before those of the file.
void override_search(const TuneCommand& command, formats::Tuning& tuning) {
  tuning.algorithm = command.algorithm.value_or(tuning.algorithm);
  tuning.population = command.population.value_or(tuning.population);
  tuning.generations = command.generations.value_or(tuning.generations);
  tuning.seed = command.seed.value_or(tuning.seed);
  tuning.pareto = tuning.pareto || command.pareto;
}

void override_search(const study::TuneRecord& record, formats::Tuning& tuning) {
  tuning.algorithm = record.algorithm;
  tuning.population = record.population;
  tuning.generations = record.generations;
  tuning.seed = record.seed;
  tuning.pareto = record.pareto;
  tuning.enough = record.enough;
}

study::TuneRecord make_record(const std::string& model, const std::string& study, const formats::Tuning& tuning) {
  study::TuneRecord record;
  record.model = model;
  record.study = study;
  record.algorithm = tuning.algorithm;
  record.population = tuning.population;
  record.generations = tuning.generations;
  record.seed = tuning.seed;
  record.pareto = tuning.pareto;
  record.enough = tuning.enough;
  return record;
}

Result<void> check_pareto(const formats::Tuning& tuning) {
  if (!tuning.pareto || study::search_goals(tuning) >= 2) return {};
  return refuse("--pareto needs two goals or more beside `avoid` and `damping`, which are limits of all the others");
}

}  // namespace

Result<TuneInput> read_tune_input(const TuneCommand& command) {
  const Result<void> checked = check_command(command);
  ESPALIER_TRY(checked);
  study::TuneRecord before;
  std::vector<std::string> notes;
  if (!command.restart.empty()) {
    Result<study::TuneRecord> read = study::read_tune_checkpoint(command.restart, notes);
    ESPALIER_TRY(read);
    before = *std::move(read);
    const Result<void> numbers = check_numbers(before, command.restart);
    ESPALIER_TRY(numbers);
  }
  const std::string model = command.model.empty() ? before.model : command.model;
  const std::string study = command.study.empty() ? before.study : command.study;
  Result<formats::ModelVariants> variants = formats::ModelVariants::read(model, command.read);
  ESPALIER_TRY(variants);
  std::vector<std::string> accept = command.accept;
  accept.insert(accept.end(), before.accept.begin(), before.accept.end());
  Result<ReaderNotes> reader = study::reader_notes(model, variants->notes(), model::Use::kModes, accept);
  ESPALIER_TRY(reader);
  Result<formats::Tuning> tuning = formats::read_tuning(study.empty() ? model : study);
  ESPALIER_TRY(tuning);
  if (!command.restart.empty()) override_search(before, *tuning);
  override_search(command, *tuning);
  const Result<void> several = check_pareto(*tuning);
  ESPALIER_TRY(several);
  study::TuneRecord record = make_record(model, study, *tuning);
  record.accept = reader->accepted;
  record.state = std::move(before.state);
  Result<study::DesignSpace> space = study::make_design_space(*std::move(variants), *std::move(tuning));
  ESPALIER_TRY(space);
  study::TuneOptions options;
  if (!command.restart.empty()) options.start = &record.state;
  const Result<void> sound = study::check_tune(*space, options);
  ESPALIER_TRY(sound);
  return TuneInput{std::move(record), *std::move(space), !command.restart.empty(), *std::move(reader), std::move(notes)};
}

}  // namespace espalier::app
