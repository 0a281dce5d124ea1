#pragma once

// Design search: the numbers of a model that its goals like best.
//   In:     ModelVariants and a Tuning (io): what varies, what is good, by which algorithm
//   Out:    Tuned: the best design, the Pareto front where goals stand for themselves, and the history
// Read next: design.hpp, what one design is worth; tune_folder.hpp, the files of a search.
// The same seed gives the same bits on every number of ranks and threads, stopped and restarted or not.

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"
#include "espalier/optimize/optimize.hpp"
#include "espalier/study/design.hpp"

namespace espalier::study {

// One generation. With several searched numbers, best and mean are of the first.
struct TuneStep {
  int generation = 0;                           // from 1: the drawn design, and others at random
  double best = 0;                              // the searched number of the best design so far; NaN: limits not held
  double mean = 0;                              // over the population
  std::vector<double> parameters, frequencies;  // of the best design; the frequencies that the goals need [Hz]
};

// All that a search remembers, to be written to a file and gone on with.
struct TuneState {
  std::uint64_t study = 0;  // study_hash(): what it is a search for
  optimize::SearchState search;
  std::vector<TuneStep> history;  // on the root rank
  double seconds = 0;             // of all calls
};

struct TuneOptions {
  int threads = 1;                          // designs at a time on this rank
  const TuneState* start = nullptr;         // go on from here; the root's counts
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
  bool stopped = false;
};

// Of the model and of what is searched in it: all but how long.
Result<std::uint64_t> study_hash(const DesignSpace& space);

// What tune() would refuse: an algorithm that does not exist or cannot do several goals, a population too small for it,
// a start of another study.
Result<void> check_tune(const DesignSpace& space, const TuneOptions& options = {});

// Collective; the same arguments and the same answer on every rank. Errors: those of check_tune; no design whose goals
// are numbers.
Result<Tuned> tune(const comm::Comm& comm, const DesignSpace& space, const TuneOptions& options = {});

}  // namespace espalier::study
