#include "espalier/optimize/detail/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"

namespace espalier::optimize::detail {

std::size_t values_of(const Problem& problem) {
  return to_index(problem.goals) + (problem.limited ? 1 : 0);
}

Evaluator::Evaluator(const comm::Comm& comm, const Problem& problem, const SearchOptions& options)
    : comm_(comm), problem_(problem), options_(options) {}

std::vector<double> Evaluator::evaluate(std::span<const double> parameters) {
  if (parameters.empty()) return {};
  // The root is the only one that knows the points; an empty list would end serve().
  const std::vector<double> all = comm::broadcast(comm_, std::vector<double>(parameters.begin(), parameters.end()));
  evaluations_ += static_cast<std::int64_t>(parameters.size() / problem_.low.size());
  std::vector<double> values = evaluate_share(all);
  if (interrupted_) return values;
  const std::size_t width = values_of(problem_);
  for (std::size_t i = 0; i < values.size(); i += width) {
    const std::span<const double> mine = std::span(values).subspan(i, width);
    // Counted here and not where they are evaluated: only complete generations count.
    without_number_ += std::ranges::any_of(mine, [](double value) { return std::isnan(value); });
  }
  if (watch_) watch_(parameters, values);
  return values;
}

// No points to evaluate mean that there will be none any more.
void Evaluator::finish() { comm::broadcast(comm_, std::vector<double>()); }

void Evaluator::serve() {
  for (;;) {
    const std::vector<double> parameters = comm::broadcast(comm_, std::vector<double>());
    if (parameters.empty()) return;
    evaluate_share(parameters);
  }
}

std::vector<double> Evaluator::evaluate_share(std::span<const double> parameters) {
  const std::size_t width = problem_.low.size(), goals = values_of(problem_);
  const std::size_t points = parameters.size() / width;
  const std::size_t rank = to_index(comm_.rank()), ranks = to_index(comm_.size());
  // Ranges that follow each other and differ by one point at most; threads then take what is next, as points take
  // differently long.
  const std::size_t begin = points * rank / ranks, end = points * (rank + 1) / ranks;
  // What a stop leaves out stays without a number; its generation is dropped in any case.
  std::vector<double> mine((end - begin) * goals, std::numeric_limits<double>::quiet_NaN());

  std::atomic<std::size_t> next = begin, done = 0;
  const auto is_stopped = [&] { return options_.stop != nullptr && options_.stop->load(); };
  const auto work = [&](bool tells) {
    for (std::size_t i = next++; i < end && !is_stopped(); i = next++) {
      problem_.evaluate(parameters.subspan(i * width, width), std::span(mine).subspan((i - begin) * goals, goals));
      // What was under way when the stop came may have been cut short.
      if (is_stopped()) return;
      ++done;
      if (tells && options_.on_design) options_.on_design(done, end - begin);
    }
  };
  const std::size_t wanted = std::min(to_index(options_.threads), end - begin);
  std::vector<std::thread> threads;
  // This thread is one of the workers, and the only one that tells: on_design is promised the root's own thread.
  for (std::size_t k = 1; k < wanted; ++k) threads.emplace_back(work, false);
  work(comm_.is_root());
  for (std::thread& thread : threads) thread.join();

  // Every rank comes here, stopped or not: the others wait for its part.
  interrupted_ = comm::any_of(comm_, done < end - begin);
  stop_is_wished_ = comm::any_of(comm_, is_stopped());
  // Shares come in the order of the ranks, which is that of the points.
  return comm::all_gather_v(comm_, std::span<const double>(mine)).values;
}

}  // namespace espalier::optimize::detail
