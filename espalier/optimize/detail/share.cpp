#include "espalier/optimize/detail/share.hpp"

#include <span>

#include "espalier/comm/collectives.hpp"

namespace espalier::optimize::detail {

namespace {

std::vector<Design> share_designs(const comm::Comm& comm, const std::vector<Design>& designs) {
  // Lengths ahead of numbers: the ranks need not know how many goals there are.
  std::vector<std::size_t> sizes;
  std::vector<double> values;
  for (const Design& design : designs) {
    sizes.insert(sizes.end(), {design.parameters.size(), design.goals.size()});
    values.push_back(design.excess);
    values.insert(values.end(), design.parameters.begin(), design.parameters.end());
    values.insert(values.end(), design.goals.begin(), design.goals.end());
  }
  sizes = comm::broadcast(comm, std::move(sizes));
  values = comm::broadcast(comm, std::move(values));
  std::vector<Design> shared(sizes.size() / 2);
  auto next = values.cbegin();
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const double excess = *next++;
    const auto middle = next + static_cast<std::ptrdiff_t>(sizes[2 * i]);
    const auto end = middle + static_cast<std::ptrdiff_t>(sizes[2 * i + 1]);
    shared[i] = {{next, middle}, {middle, end}, excess};
    next = end;
  }
  return shared;
}

std::vector<Generation> share_history(const comm::Comm& comm, const std::vector<Generation>& history) {
  std::vector<int> numbers;
  std::vector<double> means;
  std::vector<Design> best;
  for (const Generation& generation : history) {
    numbers.push_back(generation.number);
    means.push_back(generation.mean);
    best.push_back(generation.best);
  }
  numbers = comm::broadcast(comm, std::move(numbers));
  means = comm::broadcast(comm, std::move(means));
  best = share_designs(comm, best);
  std::vector<Generation> shared;
  for (std::size_t i = 0; i < numbers.size(); ++i) shared.push_back({numbers[i], best[i], means[i]});
  return shared;
}

}  // namespace

Search share(const comm::Comm& comm, Search search) {
  // The root has all of it already.
  if (comm.size() == 1) return search;
  // Every rank broadcasts the same parts in the same order; what another rank than the root holds is overwritten.
  const std::vector<Design> best = share_designs(comm, {search.best, search.state.best});
  search.best = best[0];
  search.state.best = best[1];
  search.front = share_designs(comm, search.front);
  search.history = share_history(comm, search.history);
  search.state.generation = comm::broadcast(comm, search.state.generation);
  search.state.population = share_designs(comm, search.state.population);
  search.state.archive = share_designs(comm, search.state.archive);
  search.state.gain.generation = comm::broadcast(comm, search.state.gain.generation);
  search.state.gain.designs = share_designs(comm, search.state.gain.designs);
  search.state.memory = comm::broadcast(comm, std::move(search.state.memory));
  search.state.evaluations = comm::broadcast(comm, search.state.evaluations);
  search.state.without_number = comm::broadcast(comm, search.state.without_number);
  search.evaluations = comm::broadcast(comm, search.evaluations);
  search.end = comm::broadcast(comm, search.end);
  search.stopped = comm::broadcast(comm, search.stopped);
  return search;
}

}  // namespace espalier::optimize::detail
