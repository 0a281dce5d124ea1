#include "apps/espalier/contact_input.hpp"

#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "apps/espalier/run_bounds.hpp"
#include "apps/espalier/simulate_options.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/agree.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/files/checkpoint_file.hpp"
#include "espalier/record/run_folder.hpp"

namespace espalier::app {
namespace {

namespace fs = std::filesystem;

// Words of the other engine.
Result<void> check_words(const SimulateCommand& command) {
  const SimulateCommand none;
  const auto foreign = [](const char* option, const char* why) {
    return bad_option(fmt::format("{} is not for the contact engine: {}; leave it out", option, why));
  };
  if (command.integrator) return foreign("--integrator", "it has one, with steps of --step");
  if (command.threads) return foreign("--threads", "it spreads the work with --ranks");
  if (!command.plan.empty() || command.beta || command.objective != none.objective || command.root != none.root) {
    return foreign("--plan, --objective, --beta or --root", "it needs no plan");
  }
  if (!command.keyframe.empty()) return foreign("--keyframe", "bodies start where they are drawn");
  if (command.csv) return foreign("--csv", "result.h5 holds everything");
  if (command.no_files && (!command.output.empty() || command.checkpoint_every)) {
    return bad_option("--no-files and -o or --checkpoint-every contradict each other; leave one out");
  }
  if (command.ranks < 1) return bad_option("--ranks must be 1 or more");
  return check_model_named(command);
}

template <class T, class Find>
Result<void> read_word(const char* option, const std::optional<std::string>& word, const char* known, Find find,
                       T& value) {
  if (!word) return {};
  const std::optional<T> found = find(*word);
  if (!found) return bad_option(fmt::format("{} {} is unknown; it is one of {}", option, in_quotes(*word), known));
  value = *found;
  return {};
}

// "measured", "counted" or the factor of the formula.
Result<void> set_weights(const std::optional<std::string>& word, contact::Settings& settings) {
  if (!word) return {};
  const std::optional<contact::Weighing> found = record::find_weighing(*word);
  if (found && *found != contact::Weighing::kFormula) {
    settings.weighing = *found;
    return {};
  }
  const std::optional<double> factor = parse_number(*word);
  if (!factor || !(*factor >= 0 && *factor <= 1)) {
    return bad_option(
        fmt::format("--weights {} is unknown; it is measured, counted or a number from 0 to 1", in_quotes(*word)));
  }
  settings.weighing = contact::Weighing::kFormula;
  settings.weight_factor = *factor;
  return {};
}

// What may change where a run goes on: how long it lasts and who computes it.
Result<void> set_sharing(const SimulateCommand& command, contact::SimulateOptions& options) {
  options.run.end_time = command.end.value_or(options.run.end_time);
  options.checkpoint_every = checkpoint_interval(command);
  contact::Settings& settings = options.settings;
  const Result<void> storage =
      read_word("--storage", command.storage, "efficient, redundant", record::find_storage, settings.storage);
  ESPALIER_TRY(storage);
  const Result<void> bisection =
      read_word("--bisection", command.bisection, "own, zoltan", record::find_bisection, settings.bisection);
  ESPALIER_TRY(bisection);
  if (command.bisection && settings.bisection == contact::Bisection::kZoltan && !contact::has_zoltan()) {
    return bad_option("--bisection zoltan: this program was built without Zoltan; leave the option out");
  }
  return set_weights(command.weights, settings);
}

Result<void> set_numbers(const SimulateCommand& command, contact::SimulateOptions& options) {
  contact::Settings& settings = options.settings;
  settings.step = command.step.value_or(settings.step);
  settings.solve.tolerance = command.tolerance.value_or(settings.solve.tolerance);
  options.run.output_step = command.output_step.value_or(std::max(options.run.output_step, settings.step));
  const Result<void> order = read_word("--order", command.order, "keys, ranks", record::find_order, settings.order);
  ESPALIER_TRY(order);
  return read_word("--solver", command.solver, "auto, gauss_seidel, newton", record::find_solver, settings.solve.solver);
}

struct Read {
  model::Model model;
  std::uint64_t hash = 0;
  ReaderNotes reader;
};

Result<Read> read_scene_model(const SimulateCommand& command, std::optional<model::ModelSpec> known) {
  const Result<model::ModelSpec> spec = known ? *std::move(known) : formats::read_model(command.model, command.read);
  ESPALIER_TRY(spec);
  Result<ReaderNotes> reader = study::reader_notes(command.model, spec->notes, model::Use::kContact, command.accept);
  ESPALIER_TRY(reader);
  Result<model::Model> model = model::compile(*spec);
  ESPALIER_TRY(model);
  const Result<std::uint64_t> hash = record::model_hash(*spec);
  ESPALIER_TRY(hash);
  return Read{*std::move(model), *hash, *std::move(reader)};
}

std::string overlap_note(const model::Model& model, const contact::Overlap& overlap) {
  const auto name = [&](std::int32_t id) { return in_quotes(model.bodies[static_cast<std::size_t>(id)].name); };
  return fmt::format(
      "{} into each other at the start; the deepest, {} and {}, by {:.3g} m. Contact does not push them "
      "apart: draw them apart if that is not meant.",
      overlap.pairs == 1 ? "2 bodies reach" : fmt::format("{} pairs of bodies reach", overlap.pairs), name(overlap.a),
      name(overlap.b), overlap.depth);
}

Result<ContactInput> make_input(const Read& read) {
  const model::Model& model = read.model;
  Result<contact::Scene> scene = contact::make_scene(model);
  ESPALIER_TRY(scene);
  ContactInput input;
  input.scene = *std::move(scene);
  input.bodies = model.bodies.size() - 1;
  input.joints = model.joints.size();
  input.layout = record::make_layout(model);
  input.notes = input.scene.notes;
  input.reader = read.reader;
  return input;
}

Result<ContactInput> read_new(const SimulateCommand& command, std::optional<model::ModelSpec> spec) {
  contact::SimulateOptions options;
  for (const Result<void>& set : {set_numbers(command, options), set_sharing(command, options)}) ESPALIER_TRY(set);
  const Result<void> bounded = check_bounds(options, 0, "");
  ESPALIER_TRY(bounded);
  const Result<Read> read = read_scene_model(command, std::move(spec));
  ESPALIER_TRY(read);
  Result<ContactInput> input = make_input(*read);
  ESPALIER_TRY(input);
  begin_record(command, read->model.name, read->hash, input->record);
  input->record.options = options;
  input->record.accept = read->reader.accepted;
  input->start = contact::start_run(input->scene);
  if (const std::optional<contact::Overlap> overlap = contact::find_overlap(input->scene)) {
    std::string note = overlap_note(read->model, *overlap);
    const model::Body& body = read->model.bodies[static_cast<std::size_t>(overlap->a)];
    if (command.strict) return make_error(ErrorCode::kValue, body.where, std::move(note));
    input->notes.push_back(std::move(note));
  }
  input->folder = folder_of(command);
  return input;
}

Result<void> check_restart(const SimulateCommand& command) {
  if (!command.output.empty() || command.no_files || command.output_step || command.tolerance || command.step ||
      command.solver || command.order) {
    return bad_option(
        "--restart goes on with the options of the run; only --end, --ranks, --storage, --bisection, --weights "
        "and --checkpoint-every may be given with it");
  }
  return {};
}

Result<ContactInput> read_restart(SimulateCommand command) {
  const Result<void> allowed = check_restart(command);
  ESPALIER_TRY(allowed);
  std::optional<files::FolderLock> lock;
  const Result<void> locked = lock_folder(command, lock);
  ESPALIER_TRY(locked);
  Result<record::SceneRecord> record = record::read_scene_run(command.restart);
  ESPALIER_TRY(record);
  take_model(*record, command);
  const Result<void> shared = set_sharing(command, record->options);
  ESPALIER_TRY(shared);
  const Result<Read> read = read_scene_model(command, std::nullopt);
  ESPALIER_TRY(read);
  const fs::path file = fs::path(command.restart) / "checkpoint.bin";
  std::vector<std::string> notes;
  Result<record::SceneCheckpoint> checkpoint = files::read_last_checkpoint(file, record::read_scene_checkpoint, notes);
  ESPALIER_TRY(checkpoint);
  if (read->hash != record->model_hash) return another_model(command);
  if (checkpoint->model_hash != read->hash || checkpoint->run.bodies.size() != read->model.bodies.size()) {
    return make_error(ErrorCode::kValue, {file.string(), 0, 0},
                      "made by another run: it does not fit the model in run.json");
  }
  const double time = checkpoint->run.time;
  const Result<void> bounded = check_bounds(record->options, time, (fs::path(command.restart) / "run.json").string());
  ESPALIER_TRY(bounded);
  const bool has_ended = record->options.run.end_time <= time + record->options.settings.step / 2;
  const Result<void> end = check_end(command, has_ended, time);
  ESPALIER_TRY(end);
  Result<ContactInput> input = make_input(*read);
  ESPALIER_TRY(input);
  if (lock) input->lock.emplace(*std::move(lock));
  input->notes.insert(input->notes.begin(), notes.begin(), notes.end());
  input->record = *std::move(record);
  input->record.accept = read->reader.accepted;
  input->record.outcome = "running";
  input->continued = true;
  input->start = std::move(checkpoint->run);
  input->folder = command.restart;
  return input;
}

Result<ContactInput> read_on_root(const SimulateCommand& command, std::optional<model::ModelSpec> spec) {
  for (const Result<void>& checked : {check_words(command), check_numbers(command)}) ESPALIER_TRY(checked);
  return command.restart.empty() ? read_new(command, std::move(spec)) : read_restart(command);
}

// What all ranks must know of the options.
struct Pace {
  contact::Settings settings;
  double end_time = 0, output_step = 0;
};

}  // namespace

Result<Engine> choose_engine(const SimulateCommand& command) {
  if (!command.restart.empty()) return Engine{record::is_scene_folder(command.restart), std::nullopt};
  if (command.engine != "auto" || command.model.empty()) return Engine{command.engine == "contact", std::nullopt};
  Result<model::ModelSpec> spec = formats::read_model(command.model, command.read);
  ESPALIER_TRY(spec);
  const bool is_contact = spec->contact && spec->contact->on;
  return Engine{is_contact, *std::move(spec)};
}

Result<ContactInput> read_contact_input(const comm::Comm& comm, const SimulateCommand& command,
                                        std::optional<model::ModelSpec> spec) {
  Result<ContactInput> input =
      comm::agree_with_root(comm, comm.is_root() ? read_on_root(command, std::move(spec)) : ContactInput());
  ESPALIER_TRY(input);
  contact::SimulateOptions& options = input->record.options;
  const Pace pace = comm::broadcast(comm, Pace{options.settings, options.run.end_time, options.run.output_step});
  options.settings = pace.settings;
  options.run.end_time = pace.end_time;
  options.run.output_step = pace.output_step;
  return input;
}

}  // namespace espalier::app
