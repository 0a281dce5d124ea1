#include "espalier/optimize/detail/pagmo_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cmaes.hpp>
#include <pagmo/algorithms/de.hpp>
#include <pagmo/algorithms/gaco.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/pso_gen.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/s11n.hpp>

#include "espalier/optimize/detail/scale.hpp"

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::optimize::detail {

namespace {

// pagmo compares and computes with goals alone, so they must be finite and say of a design beyond the limits by how
// much it is [Deb00]: all its goals are kBeyond (1 + excess), which no goal of a design that holds them reaches. A
// power of two, so that the way back is exact. From kInfinite on a goal is infinite, at kNoNumber there is none.
constexpr double kBeyond = 0x1p660, kMostExcess = 1e90;
constexpr double kInfinite = 1e299;
constexpr double kNoNumber = 1e300;

double to_finite(double goal) { return std::isnan(goal) ? kNoNumber : std::clamp(goal, -kInfinite, kInfinite); }

double to_finite(double goal, double excess) {
  if (std::isnan(excess) || std::isnan(goal)) return kNoNumber;
  return excess > 0 ? kBeyond * (1 + std::min(excess, kMostExcess)) : to_finite(goal);
}

// The way back. Finite goals come through unchanged, bit for bit.
double from_finite(double goal) {
  if (goal >= kNoNumber) return std::numeric_limits<double>::quiet_NaN();
  return std::abs(goal) >= kInfinite ? std::copysign(std::numeric_limits<double>::infinity(), goal) : goal;
}

// What pagmo knows of a design. Beyond the limits its goals are lost, and count for nothing.
void set_values(const std::vector<double>& told, bool limited, Design& design) {
  const bool beyond = limited && told.front() >= kBeyond && told.front() < kInfinite;
  design.excess = beyond ? told.front() / kBeyond - 1 : 0;
  for (std::size_t k = 0; k < told.size(); ++k) design.goals[k] = beyond ? 0 : from_finite(told[k]);
}

// Our problem in the unit cube, as pagmo asks for one. pagmo copies it: it holds no more than where things are.
struct UnitProblem {
  const Scale* scale = nullptr;
  Evaluator* evaluator = nullptr;
  std::size_t goals = 1;
  bool limited = false;

  std::pair<std::vector<double>, std::vector<double>> get_bounds() const {
    return {std::vector<double>(scale->size(), 0.0), std::vector<double>(scale->size(), 1.0)};
  }
  std::vector<double>::size_type get_nobj() const { return goals; }
  // One point: differential evolution and the covariance search ask for no more at a time.
  std::vector<double> fitness(const std::vector<double>& units) const { return batch_fitness(units); }
  // Points end to end.
  std::vector<double> batch_fitness(const std::vector<double>& units) const {
    // All points of a generation at once, so that every rank and thread has its share.
    std::vector<double> parameters(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) parameters[i] = scale->from_unit(i % scale->size(), units[i]);
    const std::vector<double> found = evaluator->evaluate(parameters);
    const std::size_t numbers = goals + (limited ? 1 : 0), width = scale->size();
    std::vector<double> told;
    for (std::size_t i = 0; i * width < units.size(); ++i) {
      const auto own = std::span(found).subspan(i * numbers, numbers);
      for (std::size_t k = 0; k < goals; ++k) told.push_back(to_finite(own[k], limited ? own[goals] : 0));
    }
    return told;
  }
};

// pagmo takes one number for all it draws, of 32 bits.
unsigned keyed_seed(std::uint64_t seed, int generation) {
  // Individual 2^32 - 1 does not exist: no other stream has this key.
  return static_cast<unsigned>(Random(seed, static_cast<std::uint32_t>(generation), UINT32_MAX).bits());
}

template <class Batched>
pagmo::algorithm in_batches(Batched algorithm) {
  algorithm.set_bfe(pagmo::bfe());  // finds UnitProblem::batch_fitness
  return pagmo::algorithm(std::move(algorithm));
}

// With each call of evolve() pagmo puts its particles back on their best places; a swarm that never moves on is a poor
// search (Rosenbrock in 2 dimensions, 3200 evaluations: 1e-2 where ten moves a call reach 1e-4).
constexpr unsigned kSwarmMoves = 10;

// For one generation at a time, with memory where an algorithm has one; pagmo's own tolerances never stop it.
pagmo::algorithm make_algorithm(const Problem& problem, const SearchOptions& options) {
  // pagmo draws from a stream of its own; its seed is keyed, so that it depends on nothing else.
  const unsigned seed = keyed_seed(options.seed, 0);
  const auto population = static_cast<unsigned>(options.population);
  constexpr unsigned kNever = std::numeric_limits<unsigned>::max();
  // One generation in each call, and no reason of their own to stop. The other numbers are pagmo's defaults, but that
  // NSGA-II mutates one parameter on average and the ant colony's archive is as large as the population.
  switch (options.algorithm) {
    case Algorithm::kNsga2:
      return in_batches(pagmo::nsga2(1, 0.95, 10, 1.0 / static_cast<double>(problem.low.size()), 50, seed));
    case Algorithm::kPso:
      return in_batches(pagmo::pso_gen(kSwarmMoves, 0.7298, 2.05, 2.05, 0.5, 5, 2, 4, true, seed));
    case Algorithm::kAco:
      return in_batches(pagmo::gaco(1, population, 1, 0, 0.01, 1, 7, kNever, kNever, 0, true, seed));
    case Algorithm::kCmaes:
      return pagmo::algorithm(pagmo::cmaes(1, -1, -1, -1, -1, 0.5, 0, 0, true, true, seed));
    case Algorithm::kDe:
      return pagmo::algorithm(pagmo::de(1, 0.8, 0.9, 2, 0, 0, seed));
    case Algorithm::kGenetic:
      break;
  }
  return {};
}

// What must outlive a generation. The points in the unit cube are kept beside their parameters, because the way there
// and back rounds.
struct Memory {
  std::vector<std::vector<double>> units;
  pagmo::algorithm algorithm;
};

// pagmo 2.18 writes a swarm without its velocities, and a covariance search with numbers that were never set: its text
// differs from run to run.
bool is_written_whole(Algorithm algorithm) { return algorithm != Algorithm::kPso && algorithm != Algorithm::kCmaes; }

std::string to_text(const Memory& memory) {
  std::ostringstream text;
  boost::archive::text_oarchive archive(text);
  archive << memory.units << memory.algorithm;
  return text.str();
}

bool from_text(const std::string& text, Memory& memory) {
  try {
    std::istringstream stream(text);
    boost::archive::text_iarchive archive(stream);
    archive >> memory.units >> memory.algorithm;
  } catch (const std::exception&) {
    // Whatever the file was: the caller says what to do with it.
    return false;
  }
  return true;
}

Result<Memory> first_memory(const Problem& problem, const SearchOptions& options) {
  Memory memory = {{}, make_algorithm(problem, options)};
  if (options.start == nullptr || options.start->memory.empty()) return memory;
  const std::string name = memory.algorithm.get_name();
  const auto fits = [&](const std::vector<double>& point) { return point.size() == problem.low.size(); };
  if (!from_text(options.start->memory, memory) || memory.algorithm.get_name() != name ||
      memory.units.size() != options.start->population.size() || !std::ranges::all_of(memory.units, fits)) {
    return make_option_error(
        "start", fmt::format("the search to continue holds a memory that '{}' cannot read", word_of(options.algorithm)),
        "leave it out to begin again with its population");
  }
  return memory;
}

class PagmoSearch {
 public:
  PagmoSearch(const Problem& problem, const SearchOptions& options, Evaluator& evaluator, Memory memory)
      : scale_(problem),
        problem_(UnitProblem{&scale_, &evaluator, to_index(problem.goals), problem.limited}),
        limited_(problem.limited),
        seed_(options.seed),
        is_written_whole_(is_written_whole(options.algorithm)),
        memory_(std::move(memory)) {}
  PagmoSearch(const PagmoSearch&) = delete;
  PagmoSearch& operator=(const PagmoSearch&) = delete;

  void step(SearchState& state) {
    if (memory_.units.empty()) {
      for (const Design& design : state.population) memory_.units.push_back(scale_.to_unit(design.parameters));
    }
    // Built anew for each generation, as after a restart.
    pagmo::population population(problem_, 0, keyed_seed(seed_, state.generation));
    for (std::size_t i = 0; i < memory_.units.size(); ++i) {
      const Design& design = state.population[i];
      std::vector<double> told;
      for (const double goal : design.goals) told.push_back(to_finite(goal, design.excess));
      population.push_back(memory_.units[i], told);
    }
    // The limits are in the goals by now, and goals are finite: pagmo needs no more than that.
    population = memory_.algorithm.evolve(population);
    memory_.units = population.get_x();
    for (std::size_t i = 0; i < memory_.units.size(); ++i) {
      Design& design = state.population[i];
      design.parameters = scale_.from_unit(memory_.units[i]);
      set_values(population.get_f()[i], limited_, design);
    }
    state.memory = is_written_whole_ ? to_text(memory_) : std::string();
  }

 private:
  Scale scale_;
  pagmo::problem problem_;
  bool limited_;
  std::uint64_t seed_;
  bool is_written_whole_;
  Memory memory_;
};

}  // namespace

Result<Step> pagmo_step(const Problem& problem, const SearchOptions& options, Evaluator& evaluator) {
  Result<Memory> memory = first_memory(problem, options);
  ESPALIER_TRY(memory);
  auto search = std::make_shared<PagmoSearch>(problem, options, evaluator, *std::move(memory));
  return [search](SearchState& state) { search->step(state); };
}

}  // namespace espalier::optimize::detail
