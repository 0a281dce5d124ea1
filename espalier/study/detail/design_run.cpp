#include "espalier/study/detail/design_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/study/detail/mechanism_input.hpp"
#include "espalier/study/detail/prepare_variant.hpp"
#include "espalier/study/detail/quantity_reading.hpp"
#include "espalier/study/detail/scene_input.hpp"
#include "espalier/study/detail/simulate_options.hpp"
#include "espalier/study/simulate.hpp"
#include "espalier/study/words.hpp"

namespace espalier::study::detail {
namespace {

using formats::TuningGoal;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A design may be so stiff that its steps never end; a search must not wait for it. The same bound on every machine.
constexpr std::int64_t kMostSteps = 1'000'000;

// An option of a run is a key of the tuning here.
tl::unexpected<Error> at_run(const formats::Tuning& tuning, Error error) {
  if (error.code == ErrorCode::kOption) {
    error.code = ErrorCode::kValue;
    error.option.clear();
  }
  if (error.where.file.empty()) error.where = tuning.run.where.line > 0 ? tuning.run.where : tuning.where;
  return tl::unexpected(std::move(error));
}

std::optional<double> last_time(const formats::Tuning& tuning) {
  std::optional<double> last;
  for (const TuningGoal& goal : tuning.goals) {
    if (!goal.times.empty()) last = std::max(last.value_or(0), goal.times.back());
  }
  return last;
}

Result<SimulateOptions> read_options(const formats::Tuning& tuning) {
  const formats::TuningRun& run = tuning.run;
  SimulateOptions options;
  options.end_time = run.end ? run.end : last_time(tuning);
  // A table of the start alone says nothing of how long a run is.
  if (options.end_time == 0) options.end_time.reset();
  options.output_step = run.output_step;
  options.tolerance = run.tolerance;
  options.step = run.step;
  options.keyframe = run.keyframe;
  const Result<void> words[] = {read_word<dynamics::Integrator>("integrator", run.integrator, options.integrator),
                                read_word<Engine>("engine", run.engine, options.engine)};
  for (const Result<void>& word : words) {
    ESPALIER_TRY(word);
  }
  return options;
}

// What the run of the model as drawn is made of; designs differ from it in numbers alone.
Result<void> set_drawn(const LoadedModel& drawn, DesignRuns& runs) {
  const EngineUse use{runs.engine, EngineUse::Runs::kOne, 1};
  for (const Result<void>& checked : {check_engine_options(runs.options, use), check_numbers(runs.options)}) {
    ESPALIER_TRY(checked);
  }
  if (runs.engine == Engine::kContact) {
    Result<SceneInput> scene = read_scene(comm::Comm::serial(), drawn, runs.options);
    ESPALIER_TRY(scene);
    runs.layout = std::move(scene->layout);
    runs.options.end_time = scene->record.options().end_time;
    return {};
  }
  Result<MechanismInput> mechanism = read_mechanism(drawn, runs.options);
  ESPALIER_TRY(mechanism);
  runs.layout = record::make_layout(mechanism->system);
  runs.plan = std::move(mechanism->plan);
  runs.mechanism = mechanism->record.mechanism().options;
  runs.mechanism.max_steps = kMostSteps;
  runs.options.end_time = runs.mechanism.run.end_time;
  return {};
}

tl::unexpected<Error> at_goal(const TuningGoal& goal, ErrorCode code, std::string_view message) {
  return make_error(code, goal.where, fmt::format("goal {}: {}", in_quotes(goal.name), message));
}

Result<record::Selection> choose_quantity(const TuningGoal& goal, const DesignRuns& runs) {
  Result<record::Selection> chosen = record::Selection::choose(runs.layout, goal.quantity);
  if (!chosen) return at_goal(goal, chosen.error().code, full_message(chosen.error()));
  const std::vector<record::Column>& columns = chosen->columns();
  if (columns.size() != 1) {
    constexpr std::size_t kFew = 6;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(columns.size(), kFew); ++k) names.push_back(columns[k].name);
    return at_goal(
        goal, ErrorCode::kName,
        fmt::format("{} stands for {}: {}{}; name one of them", in_quotes(goal.quantity),
                    counted(columns.size(), "number"), fmt::join(names, ", "), columns.size() > kFew ? ", ..." : ""));
  }
  const std::string& unit = columns.front().unit;
  if (!goal.table_unit.empty() && goal.table_unit != unit) {
    return at_goal(goal, ErrorCode::kUnsupported,
                   fmt::format("the table is in {}, {} in {}; write the table in {}", in_quotes(goal.table_unit),
                               columns.front().name, unit, unit));
  }
  if (!goal.times.empty() && goal.times.back() > *runs.options.end_time) {
    return at_goal(
        goal, ErrorCode::kValue,
        fmt::format("the table lasts until {} s, but runs end at {} s; leave `end` out, or give it the later "
                    "time",
                    number_text(goal.times.back()), number_text(*runs.options.end_time)));
  }
  return chosen;
}

// The values of all goals at every frame, thinned out evenly where there are too many to be drawn.
class CurveKeeper {
 public:
  explicit CurveKeeper(RunCurves& curves) : curves_(curves) {}

  void see(double time, std::span<const double> values) {
    if (seen_++ % stride_ != 0) return;
    if (curves_.times.size() >= kMost) thin();
    curves_.times.push_back(time);
    curves_.values.insert(curves_.values.end(), values.begin(), values.end());
  }

 private:
  static constexpr std::size_t kMost = 4096;  // frames

  // Every second frame is kept, also from here on.
  void thin() {
    const std::size_t width = curves_.values.size() / curves_.times.size();
    for (std::size_t k = 0; k < kMost / 2; ++k) {
      curves_.times[k] = curves_.times[2 * k];
      std::copy_n(curves_.values.begin() + static_cast<std::ptrdiff_t>(2 * k * width), width,
                  curves_.values.begin() + static_cast<std::ptrdiff_t>(k * width));
    }
    curves_.times.resize(kMost / 2);
    curves_.values.resize(kMost / 2 * width);
    stride_ *= 2;
  }

  RunCurves& curves_;
  std::size_t seen_ = 0, stride_ = 1;
};

// What goals see of a run.
class Watch {
 public:
  Watch(const DesignRuns& runs, const formats::Tuning& tuning, Judgement& judgement)
      : runs_(runs), judgement_(judgement), keeper_(judgement.curves), values_(tuning.goals.size(), kNaN) {
    judgement.curves = {};
    for (const TuningGoal& goal : tuning.goals) readings_.emplace_back(goal);
  }

  bool see(const model::Frame& frame) {
    for (std::size_t k = 0; k < runs_.quantities.size(); ++k) {
      if (!runs_.quantities[k]) continue;
      one_.clear();
      runs_.quantities[k]->take(frame, one_);
      values_[k] = one_.front();
      readings_[k].see(frame.time, values_[k]);
    }
    keeper_.see(frame.time, values_);
    return true;
  }

  void end() {
    for (std::size_t k = 0; k < readings_.size(); ++k) {
      if (runs_.quantities[k]) judgement_.quantities[k] = readings_[k].statistic();
    }
  }

 private:
  const DesignRuns& runs_;
  Judgement& judgement_;
  CurveKeeper keeper_;
  std::vector<QuantityReading> readings_;
  std::vector<double> values_, one_;
};

// Why a run has no end.
Result<void> ended(model::Outcome outcome, const std::string& message, Judgement& judgement) {
  judgement.stopped = judgement.stopped || outcome == model::Outcome::kStopped;
  if (outcome == model::Outcome::kDone || judgement.stopped) return {};
  return make_error(ErrorCode::kValue, {}, fmt::format("its run failed: {}", message));
}

Result<void> run_mechanism(const DesignRuns& runs, const model::Model& model, const std::atomic<bool>* stop,
                           Watch& watch, Judgement& judgement) {
  const Result<dynamics::Prepared> prepared = prepare_variant(model, runs.plan, runs.options.keyframe);
  ESPALIER_TRY(prepared);
  // A number may block a joint: the quantity of a goal would then be another one.
  if (record::make_layout(prepared->system) != runs.layout) {
    return make_error(ErrorCode::kTopology, {}, "its run has other numbers than that of the model as drawn");
  }
  dynamics::SimulateOptions options = runs.mechanism;
  options.threads = 1;
  options.run.stop = stop;
  const dynamics::RunStatus status = dynamics::simulate(
      prepared->system, dynamics::start_run(prepared->system, prepared->start.state),
      [&](const model::Frame& frame) { return watch.see(frame); }, options);
  return ended(status.outcome, status.message, judgement);
}

Result<void> run_scene(const DesignRuns& runs, const model::ModelSpec& spec, const model::Model& model,
                       const std::atomic<bool>* stop, Watch& watch, Judgement& judgement) {
  SimulateOptions options = runs.options;
  options.stop = stop;
  options.on_frame = [&](const model::Frame& frame) { return watch.see(frame); };
  const LoadedModel loaded{runs.file, formats::Format::kNative, {}, spec, model};
  const Result<SimulateAnswer> answer = simulate(comm::Comm::serial(), loaded, options);
  ESPALIER_TRY(answer);
  return ended(answer->outcome.value_or(model::Outcome::kFailed), answer->message, judgement);
}

}  // namespace

// (1) Options and engine; (2) the run of the model as drawn; (3) the quantity of each goal.
Result<DesignRuns> make_design_runs(const formats::ModelVariants& variants, const formats::Tuning& tuning) {
  // (1) Words first, which cost nothing to refuse.
  Result<SimulateOptions> options = read_options(tuning);
  if (!options) return at_run(tuning, options.error());
  Result<model::ModelSpec> spec = variants.with({});
  ESPALIER_TRY(spec);
  const Result<LoadedModel> drawn = load_spec(*std::move(spec), variants.file());
  ESPALIER_TRY(drawn);
  DesignRuns runs;
  runs.file = drawn->file;
  runs.options = *std::move(options);
  runs.engine = runs.options.engine = engine_of(*drawn, runs.options);
  // (2) A model that cannot run as it is drawn is an error of the search, not of a design.
  const Result<void> sound = set_drawn(*drawn, runs);
  if (!sound) return at_run(tuning, sound.error());
  // (3) Names are looked up in what the run has.
  for (const TuningGoal& goal : tuning.goals) {
    std::optional<record::Selection>& quantity = runs.quantities.emplace_back();
    if (goal.kind != TuningGoal::Kind::kQuantity) continue;
    Result<record::Selection> chosen = choose_quantity(goal, runs);
    ESPALIER_TRY(chosen);
    quantity = *std::move(chosen);
  }
  return runs;
}

std::vector<std::pair<std::string, std::string>> options_of_runs(const DesignSpace& space) {
  const formats::TuningRun& run = space.tuning.run;
  std::vector<std::pair<std::string, std::string>> options = {{"end_time", number_text(space.run_end)}};
  for (const auto& [field, number] :
       {std::pair("output_step", run.output_step), {"tolerance", run.tolerance}, {"step", run.step}}) {
    if (number) options.emplace_back(field, number_text(*number));
  }
  for (const auto& [field, word] :
       {std::pair("integrator", run.integrator), {"engine", run.engine}, {"keyframe", run.keyframe}}) {
    if (!word.empty()) options.emplace_back(field, word);
  }
  return options;
}

Result<void> run_design(const DesignRuns& runs, const formats::Tuning& tuning, const model::ModelSpec& spec,
                        const model::Model& model, const std::atomic<bool>* stop, Judgement& judgement) {
  Watch watch(runs, tuning, judgement);
  const Result<void> run = runs.engine == Engine::kContact ? run_scene(runs, spec, model, stop, watch, judgement)
                                                           : run_mechanism(runs, model, stop, watch, judgement);
  ESPALIER_TRY(run);
  watch.end();
  return {};
}

}  // namespace espalier::study::detail
