#include "espalier/study/design.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/record/run_folder.hpp"
#include "espalier/study/words.hpp"

namespace espalier::study {
namespace {

using Clock = std::chrono::steady_clock;

optimize::Problem make_problem(const DesignSpace& space, const std::atomic<bool>* stop) {
  optimize::Problem problem;
  for (const formats::TuningParameter& parameter : space.tuning.parameters) {
    problem.low.push_back(parameter.low);
    problem.high.push_back(parameter.high);
    problem.logarithmic.push_back(parameter.logarithmic);
  }
  problem.goals = search_goals(space.tuning);
  problem.limited = has_constraints(space.tuning);
  problem.evaluate = [&space, stop](std::span<const double> parameters, std::span<double> values) {
    weigh(space.tuning, judge(space, parameters, stop).goals, values);
  };
  return problem;
}

// The design as drawn, where the fields of a parameter differ the middle of its range.
std::vector<double> drawn_design(const DesignSpace& space) {
  std::vector<double> parameters = space.drawn;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const formats::TuningParameter& parameter = space.tuning.parameters[k];
    if (!std::isnan(parameters[k])) continue;
    // The middle of the scale that the search walks on.
    parameters[k] =
        parameter.logarithmic ? std::sqrt(parameter.low * parameter.high) : (parameter.low + parameter.high) / 2;
  }
  return parameters;
}

// The frequencies of a best design are computed again for the history, on the root alone, where it is a new one.
class History {
 public:
  History(const DesignSpace& space, const DesignSearch& options, TuneState& state)
      : space_(space), options_(options), state_(state), before_(state.seconds) {
    // A search that was stopped in the middle of this goes on as if it had not been.
    if (state_.history.empty() || !state_.history.back().frequencies.empty()) return;
    state_.history.back().frequencies = frequencies_of(state_.history.back().parameters);
  }

  void add(const optimize::Generation& generation, const optimize::SearchState& search) {
    const optimize::Design& best = generation.best;
    // Goals of a design that breaks a constraint say nothing.
    const double value = best.excess > 0 ? std::numeric_limits<double>::quiet_NaN() : best.goals.front();
    TuneStep step{generation.number, value, generation.mean, best.parameters, {}};
    // The best design is often the one of the generation before.
    if (!state_.history.empty() && state_.history.back().parameters == step.parameters) {
      step.frequencies = state_.history.back().frequencies;
    } else {
      step.frequencies = frequencies_of(step.parameters);
    }
    state_.history.push_back(std::move(step));
    state_.search = search;
    state_.seconds = before_ + seconds();
    if (options_.on_generation) options_.on_generation(state_);
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  // Those that the goals need; none where a stop comes in between.
  std::vector<double> frequencies_of(const std::vector<double>& parameters) const {
    if (space_.modes == 0) return {};
    Judgement judgement = judge_modes(space_, parameters, options_.stop);
    if (judgement.stopped) return {};
    judgement.frequencies.resize(std::min(judgement.frequencies.size(), to_index(space_.modes)));
    return judgement.frequencies;
  }

  const DesignSpace& space_;
  const DesignSearch& options_;
  TuneState& state_;
  double before_;
  Clock::time_point begin_ = Clock::now();
};

Result<optimize::SearchOptions> make_search_options(const DesignSpace& space, const DesignSearch& options) {
  const formats::Tuning& tuning = space.tuning;
  optimize::SearchOptions search;
  const auto known = read_word<optimize::Algorithm>("algorithm", std::optional(tuning.algorithm), search.algorithm);
  ESPALIER_TRY(known);
  const Result<std::uint64_t> study = study_hash(space);
  ESPALIER_TRY(study);
  if (options.start != nullptr && options.start->study != *study) {
    return make_error(ErrorCode::kOption, {},
                      "the search to continue is of another study: the model, a parameter, a goal, the algorithm, "
                      "the population or the seed is not what it was");
  }
  search.population = tuning.population;
  search.generations = tuning.generations;
  search.seed = tuning.seed;
  search.good_enough = tuning.enough.value_or(search.good_enough);
  search.patience = tuning.patience;
  search.threads = options.threads;
  search.stop = options.stop;
  search.on_design = options.on_design;
  search.guesses = {drawn_design(space)};
  if (options.start != nullptr) search.start = &options.start->search;
  const Result<void> sound = optimize::check_search(make_problem(space, nullptr), search);
  ESPALIER_TRY(sound);
  return search;
}

// What is looked at for the report of a search that was stopped has to be quick: nobody waits for it.
class Deadline {
 public:
  explicit Deadline(bool hurries) {
    if (hurries) {
      timer_ = std::jthread([this](const std::stop_token& done) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any never;
        if (!never.wait_for(lock, done, kForReport, [] { return false; }) && !done.stop_requested()) over_ = true;
      });
    }
  }
  const std::atomic<bool>* over() const { return &over_; }

 private:
  static constexpr std::chrono::milliseconds kForReport{400};
  std::atomic<bool> over_ = false;
  std::jthread timer_;
};

std::vector<FrontDesign> judge_front(const DesignSpace& space, const std::vector<optimize::Design>& front,
                                     const std::atomic<bool>* over) {
  std::vector<FrontDesign> designs;
  for (const optimize::Design& design : front) {
    const Judgement judgement = judge(space, design.parameters, over);
    // A front that is cut short is better than a report that does not come.
    if (judgement.stopped) break;
    designs.push_back({design.parameters, judgement.goals});
  }
  return designs;
}

void add_quantity(const formats::TuningGoal& goal, Hash& hash) {
  hash.add(static_cast<std::int64_t>(goal.statistic)).add(goal.quantity);
  for (const std::optional<double>& wish : {goal.target, goal.at_most, goal.at_least}) {
    hash.add(std::int64_t{wish.has_value()}).add(std::vector<double>{wish.value_or(0)});
  }
  // The table by what is in it: its file may lie elsewhere by then.
  hash.add(std::vector<double>{goal.scale}).add(goal.times).add(goal.values);
}

void add_goals(const formats::Tuning& tuning, Hash& hash) {
  for (const formats::TuningParameter& parameter : tuning.parameters) {
    hash.add(parameter.name).add(std::int64_t{parameter.logarithmic});
    hash.add(std::vector<double>{parameter.low, parameter.high});
  }
  for (const formats::TuningGoal& goal : tuning.goals) {
    hash.add(static_cast<std::int64_t>(goal.kind)).add(std::int64_t{goal.maximise}).add(std::int64_t{goal.mode});
    hash.add(std::vector<double>{goal.weight, goal.low, goal.high}).add(std::int64_t{goal.weighed});
    hash.add(goal.targets).add(goal.target_weights);
    for (const std::string& name : goal.names) hash.add(name);
    if (goal.kind == formats::TuningGoal::Kind::kQuantity) add_quantity(goal, hash);
  }
}

void add_run(const formats::TuningRun& run, Hash& hash) {
  for (const std::optional<double>& number : {run.end, run.output_step, run.tolerance, run.step}) {
    hash.add(std::vector<double>{number.value_or(0)});
  }
  hash.add(run.integrator).add(run.engine).add(run.keyframe);
}

}  // namespace

Result<std::uint64_t> study_hash(const DesignSpace& space) {
  const Result<model::ModelSpec> spec = space.model.with({});
  ESPALIER_TRY(spec);
  const Result<std::uint64_t> model = record::model_hash(*spec);
  ESPALIER_TRY(model);
  const formats::Tuning& tuning = space.tuning;
  Hash hash;
  hash.add(static_cast<std::int64_t>(*model)).add(std::int64_t{tuning.pareto}).add(tuning.algorithm);
  // Neither generations nor patience are in it: a longer search continues a shorter one.
  hash.add(std::int64_t{tuning.population}).add(static_cast<std::int64_t>(tuning.seed));
  for (const TunedField& field : space.fields) hash.add(field.path).add(static_cast<std::int64_t>(field.parameter));
  add_goals(tuning, hash);
  if (space.runs) add_run(tuning.run, hash);
  return hash.value();
}

Result<void> check_search(const DesignSpace& space, const DesignSearch& options) {
  const Result<optimize::SearchOptions> search = make_search_options(space, options);
  ESPALIER_TRY(search);
  return {};
}

Result<Tuned> find_design(const comm::Comm& comm, const DesignSpace& space, const DesignSearch& options) {
  Result<optimize::SearchOptions> search_options = comm::agree(comm, make_search_options(space, options));
  ESPALIER_TRY(search_options);
  Tuned tuned;
  if (options.start != nullptr) tuned.state = *options.start;
  tuned.state.study = *study_hash(space);
  History history(space, options, tuned.state);
  search_options->on_generation = [&](const optimize::Generation& generation, const optimize::SearchState& state) {
    history.add(generation, state);
  };
  Result<optimize::Search> search = optimize::find_best(comm, make_problem(space, options.stop), *search_options);
  ESPALIER_TRY(search);
  tuned.evaluations = search->evaluations;
  tuned.end = search->end;
  tuned.stopped = search->stopped;
  tuned.state.search = std::move(search->state);
  tuned.seconds = history.seconds();
  // Stopped before the first design was judged.
  if (search->best.goals.empty()) return tuned;
  // No design has a number, not even the best: the reason of one stands for all.
  if (std::isnan(search->best.goals.front())) {
    const Judgement judgement = judge(space, search->best.parameters);
    return make_error(ErrorCode::kValue, space.tuning.where,
                      fmt::format("none of {} has goals that are numbers; of one of them: {}",
                                  counted(to_index(tuned.state.search.evaluations), "design"), judgement.problem));
  }
  tuned.parameters = search->best.parameters;
  const Deadline deadline(tuned.stopped);
  tuned.best = judge(space, tuned.parameters, deadline.over());
  tuned.drawn = judge_drawn(space, deadline.over());
  tuned.front = judge_front(space, search->front, deadline.over());
  tuned.seconds = history.seconds();
  return tuned;
}

}  // namespace espalier::study
