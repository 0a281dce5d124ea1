#pragma once

// Front door of the room: the best parameters of any cost function, found by many evaluations spread over ranks.
//   In:     Problem: bounds, goals, and a function from parameters to their values; SearchOptions
//   Out:    Search: the best design, the Pareto front where there are several goals, and the history
// The same seed gives the same designs on every number of ranks and threads: random numbers are keyed by generation and
// individual, and a generation is evaluated as a whole before anything is decided.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/base/text.hpp"
#include "espalier/comm/comm.hpp"

namespace espalier::optimize {

struct Problem {
  std::vector<double> low, high;  // by parameter
  std::vector<bool> logarithmic;  // search in the logarithm of it; low > 0 then. Empty: of none
  int goals = 1;                  // all to be as small as possible
  // Limits that a design must hold before its goals count [Deb00]: of two that hold them the one with the better goals
  // is better, one that holds them is better than one that does not, and of two that do not the one with less excess.
  bool limited = false;
  // One number for each goal, and where `limited` one more: the excess, 0 where all limits are held. A design with a
  // value that is no number (NaN) is worse than any without. Called by one thread at a time on each rank unless
  // SearchOptions::threads says otherwise. Must not throw, nor communicate.
  std::function<void(std::span<const double> parameters, std::span<double> values)> evaluate;
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
constexpr Words<Algorithm, 6> words(Algorithm) {
  return {{{"genetic", Algorithm::kGenetic},
           {"nsga2", Algorithm::kNsga2},
           {"pso", Algorithm::kPso},
           {"aco", Algorithm::kAco},
           {"cmaes", Algorithm::kCmaes},
           {"de", Algorithm::kDe}}};
}

struct Design {
  std::vector<double> parameters;
  std::vector<double> goals;
  double excess = 0;  // over the limits
};

struct Generation {
  int number = 0;   // from 1: the random start
  Design best;      // by the first goal, of all so far; those that hold the limits first
  double mean = 0;  // of the first goal over the population, designs without a number or beyond the limits left out
};

// What a search had when it last got better, by which SearchOptions::patience is counted.
struct Gain {
  int generation = 0;           // 0: in none yet
  std::vector<Design> designs;  // its best design; of several goals those of its archive behind it
};

// All that a search remembers: written to a file and read back, it goes on as if it had never stopped, given the same
// problem and options. Only kPso and kCmaes begin anew with the population: pagmo does not write down all they know.
struct SearchState {
  int generation = 0;  // so many are evaluated
  std::vector<Design> population;
  Design best;  // of all so far, by the first goal
  // Of several goals: of all designs so far those that none other is better than in one goal and no worse in the rest.
  // Where they are more than kMostArchived, those with the most room around them.
  std::vector<Design> archive;
  std::string
      memory;  // what pagmo's algorithms keep beside the population, as text; empty for kGenetic, kPso and kCmaes
  Gain gain;
  std::int64_t evaluations = 0;     // from the beginning, on all ranks
  std::int64_t without_number = 0;  // of them: a goal was NaN
};

inline constexpr std::size_t kMostArchived = 256;

struct SearchOptions {
  Algorithm algorithm = Algorithm::kGenetic;
  int population = 64;    // at least 4
  int generations = 100;  // in all, the random start and those before `start` included; kPso moves 10 times in each
  std::uint64_t seed = 1;
  double good_enough = -std::numeric_limits<double>::infinity();  // stop where the goal is at most this; for one goal
  // Stop after this many generations without a gain, which (O4) of docs/theory/optimize.md defines; 0: do not.
  int patience = 0;
  int threads = 1;                                // evaluations at a time on this rank
  std::vector<std::vector<double>> guesses = {};  // designs of the first generation; the others are random
  const SearchState* start = nullptr;             // go on from here; the root's counts
  // Any rank's: end now. A generation that is not complete by then is left out. No design is begun any more; the
  // problem's function may look at it too, and what it then returns does not matter.
  const std::atomic<bool>* stop = nullptr;
  // On the root rank, in its own thread: so many designs of a generation's share of this rank are done.
  std::function<void(std::size_t done, std::size_t of)> on_design = {};
  std::function<void(const Generation&, const SearchState&)> on_generation = {};  // on the root rank
};

// Why a search ended.
enum class End {
  kGenerations,  // all that were asked for
  kGoodEnough,
  kNoGain,  // SearchOptions::patience
  kStopped,
};
constexpr Words<End, 4> words(End) {
  return {{{"generations", End::kGenerations},
           {"enough", End::kGoodEnough},
           {"patience", End::kNoGain},
           {"stopped", End::kStopped}}};
}

struct Search {
  Design best;                      // nothing in it where not even the first generation was complete
  std::vector<Design> front;        // of several goals: none of these is better than another in all; by the first goal
  std::vector<Generation> history;  // of this call
  SearchState state;
  std::int64_t evaluations = 0;  // on all ranks, in this call
  End end = End::kGenerations;
  bool stopped = false;  // `end` is kStopped
};

// Errors: bounds that are no interval, a population below 4, a guess or a start that does not fit, an algorithm that
// cannot do several goals.
Result<void> check_search(const Problem& problem, const SearchOptions& options);

// Collective; the same problem and options on every rank, and the same answer. The root decides, the other ranks
// evaluate. Errors: those of check_search.
Result<Search> find_best(const comm::Comm& comm, const Problem& problem, const SearchOptions& options);

}  // namespace espalier::optimize
