#pragma once

// Front door of the room: the best parameters of any cost function, found by many evaluations spread over ranks.
//   In:     Problem: bounds, goals, and a function from parameters to their values; SearchOptions
//   Out:    Search: the best design, the Pareto front where there are several goals, and the history
// The same seed gives the same designs on every number of ranks and threads: random numbers are keyed by generation and
// individual, and a generation is evaluated as a whole before anything is decided.

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::optimize {

struct Problem {
  std::vector<double> low, high;  // by parameter
  std::vector<bool> logarithmic;  // search in the logarithm of it; low > 0 then
  int goals = 1;                  // all to be as small as possible
  // One number for each goal; a value that is no number (NaN) is worse than any. Called by one thread at a time on each
  // rank unless SearchOptions::threads says otherwise.
  std::function<void(std::span<const double> parameters, std::span<double> goals)> evaluate;
};

enum class Algorithm {
  kGenetic,  // our own: tournaments, blend crossover, mutation that narrows, elitism; several goals by [Deb02]'s
             // ranking
  kNsga2,
  kPso,
  kAco,
  kCmaes,
  kDe,  // pagmo's
};
const char* word(Algorithm algorithm);

struct Design {
  std::vector<double> parameters;
  std::vector<double> goals;
};

struct Generation {
  int number = 0;
  Design best;      // by the first goal, of all so far
  double mean = 0;  // of the first goal over the generation
};

// All that a search remembers: written to a file and read back, it goes on as if it had never stopped.
struct SearchState {
  int generation = 0;
  std::vector<Design> population;
  Design best;
};

struct SearchOptions {
  Algorithm algorithm = Algorithm::kGenetic;
  int population = 64;
  int generations = 100;
  std::uint64_t seed = 1;
  double good_enough = 0;              // stop where the first goal is at most this; for one goal
  int threads = 1;                     // evaluations at a time on this rank
  const SearchState* start = nullptr;  // go on from here
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Generation&, const SearchState&)> on_generation;  // on the root rank
};

struct Search {
  Design best;
  std::vector<Design> front;  // of several goals: none is better in all
  std::vector<Generation> history;
  SearchState state;
  std::int64_t evaluations = 0;  // on all ranks
  bool stopped = false;
};

// Collective. Errors: bounds that are no interval, an algorithm that cannot do several goals.
Result<Search> find_best(const comm::Comm& comm, const Problem& problem, const SearchOptions& options);

}  // namespace espalier::optimize
