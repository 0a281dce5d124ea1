#pragma once

// Designs: numbers put into a model, what its modes and its run are worth then, and the search for the best of them.
//   In:   formats::ModelVariants, and a formats::Tuning: what varies, what is good, by which algorithm
//   Out:  Judgement of one design; Tuned, the best one, the Pareto front where goals stand for themselves, the history
// Read next: tune.hpp, the verb, which keeps such a search in a folder; optimize/optimize.hpp, the algorithms.
// The same seed gives the same bits on every number of ranks and threads, stopped and continued or not.
//
//   Result<DesignSpace> space = study::make_design_space(model, tuning);
//   Result<Tuned> best = study::find_design(comm, *space);

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/modes/modes.hpp"
#include "espalier/optimize/optimize.hpp"

namespace espalier::study {

namespace detail {
struct DesignRuns;
}

// A field of the model that a parameter sets.
struct TunedField {
  std::size_t parameter = 0;
  std::string path;
  double factor = 1;  // on the parameter: what the file has, or 1
};

// A tuning whose paths are found in its model. Frozen: threads may share it.
struct DesignSpace {
  formats::ModelVariants model;
  formats::Tuning tuning;
  std::vector<TunedField> fields;
  std::vector<double> drawn;  // by parameter: its value in the file, where its fields agree on one; else NaN
  int modes = 0;              // the lowest so many frequencies are needed,
  double upto = 0;            // and all up to this [Hz]
  bool vibrates = true;       // a goal looks at modes, or at the mass of a structure that no run moves
  // The tree of the model as drawn; designs with the same vertices and elements use it too.
  modes::Tree tree;
  std::vector<std::array<int, 2>> elements;
  std::size_t vertices = 0;
  // Of goals on quantities; none looks at a run where this is empty.
  std::shared_ptr<const detail::DesignRuns> runs;
  std::vector<std::string> units;  // by goal: of its quantity
  double run_end = 0;              // [s]
};

// Errors, with the line: a path that is no number of the model, a field that two parameters set, a factor on a field
// that the file leaves out or has as 0, a goal of damping where nothing dissipates; a model that has no modes, or no
// run to its end, where a goal looks at them; a goal on a quantity that a run does not have.
Result<DesignSpace> make_design_space(formats::ModelVariants model, formats::Tuning tuning);

std::vector<formats::FieldValue> field_values(const DesignSpace& space, std::span<const double> parameters);

// Error, with the line of the goal: one that keeps its value whatever the parameters are, so that no search can change
// it. The design as drawn and eight others across the ranges are judged at most, as a rule one other. Limits that all
// of them hold are no error.
Result<void> check_goals(const DesignSpace& space);

// Quantities of a run at its frames, every second, fourth, ... of a long one.
struct RunCurves {
  std::vector<double> times;   // [s]
  std::vector<double> values;  // frame after frame, by goal of the tuning; NaN of those that look at no run
};

struct Judgement {
  // The numbers make no model, its modes are not certain, or its run has no end; empty: all is well.
  std::string problem;
  std::vector<double> frequencies;  // [Hz], ascending, with multiplicities, without free motions; at least those needed
  std::vector<double> damping;      // ratio of each
  modes::Certainty certainty = modes::Certainty::kNone;
  double mass = 0;                 // of all that moves [kg]
  std::vector<double> quantities;  // by goal of the tuning: the statistic of its quantity; NaN of the others
  RunCurves curves;
  std::vector<double> goals;  // by goal of the tuning, without weight; NaN where there is a problem
  bool stopped = false;       // cut short: nothing of it counts
};

// O(modes * elements): up to five searches for modes, whose number is proved (undamped) or checked (damped) and each of
// which ends within the work that modes/detail/damped.hpp states; and one run of a million steps at most. `stop`: end
// now.
Judgement judge(const DesignSpace& space, std::span<const double> parameters, const std::atomic<bool>* stop = nullptr);
// The same of the model as its file has it.
Judgement judge_drawn(const DesignSpace& space, const std::atomic<bool>* stop = nullptr);
// Its frequencies alone: goals on runs have no number.
Judgement judge_modes(const DesignSpace& space, std::span<const double> parameters,
                      const std::atomic<bool>* stop = nullptr);

// The numbers that a search makes small: one, weighed, or with `pareto` one for each goal that is no limit. Limits
// without a weight are none of them: they are to be held first.
int search_goals(const formats::Tuning& tuning);
bool has_constraints(const formats::Tuning& tuning);
// With constraints one number more in `searched`: the sum of what is not held of them.
void weigh(const formats::Tuning& tuning, std::span<const double> goals, std::span<double> searched);

// A goal that is a limit, and how a design stands to it.
struct LimitState {
  std::size_t goal = 0;  // of the tuning
  bool held = false;
  std::vector<double> frequencies;  // [Hz] inside the band, or of too little damping; none of a quantity
};
std::vector<LimitState> limit_states(const DesignSpace& space, const Judgement& judgement);

// One generation. With several searched numbers, best and mean are of the first.
struct TuneStep {
  int generation = 0;                           // from 1: the drawn design, and others at random
  double best = 0;                              // the searched number of the best design so far; NaN: limits not held
  double mean = 0;                              // over the population
  std::vector<double> parameters, frequencies;  // of the best design; the frequencies that the goals need [Hz]
};

// All that a search remembers, to be written to a file and continued.
struct TuneState {
  std::uint64_t study = 0;  // study_hash(): what it is a search for
  optimize::SearchState search;
  std::vector<TuneStep> history;  // on the root rank
  double seconds = 0;             // of all calls
};

struct DesignSearch {
  int threads = 1;                          // designs at a time on this rank
  const TuneState* start = nullptr;         // continue from here; the root's counts
  const std::atomic<bool>* stop = nullptr;  // any rank's: end now, with the last whole generation
  std::function<void(std::size_t done, std::size_t of)> on_design = {};  // on the root rank: of a generation
  std::function<void(const TuneState&)> on_generation = {};              // on the root rank
};

// A design of the Pareto front.
struct FrontDesign {
  std::vector<double> parameters;
  std::vector<double> goals;  // by goal of the tuning, without weight
};

struct Tuned {
  TuneState state;
  std::vector<double> parameters;  // of the best design; none where it was stopped in the first generation
  // drawn: the model as its file has it. Of a search that was stopped, each may be `stopped` too where it takes long.
  Judgement drawn, best;
  std::vector<FrontDesign> front;  // by the first goal
  std::int64_t evaluations = 0;    // in this call, on all ranks
  double seconds = 0;              // of this call
  optimize::End end = optimize::End::kGenerations;
  bool stopped = false;  // `end` is kStopped
};

// Of the model and of what is searched in it: all but how long.
Result<std::uint64_t> study_hash(const DesignSpace& space);

// What find_design() would refuse: an algorithm that does not exist or cannot do several goals, a population too small
// for it, a start of another study.
Result<void> check_search(const DesignSpace& space, const DesignSearch& how = {});

// Collective; the same arguments and the same answer on every rank. Errors: those of check_search; no design whose
// goals are numbers.
Result<Tuned> find_design(const comm::Comm& comm, const DesignSpace& space, const DesignSearch& how = {});

}  // namespace espalier::study
