#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "espalier/comm/comm.hpp"
#include "espalier/optimize/optimize.hpp"

namespace espalier::optimize::detail {

// Numbers that the problem's function writes for a design.
std::size_t values_of(const Problem& problem);

// The cost function over all ranks and threads. The root asks with evaluate() as often as it likes and ends with
// finish(); meanwhile every other rank is in serve(). Each rank takes an equal share of the points, its threads one
// point after the other, and every value goes to the place of its point: neither number changes a bit of the answer.
class Evaluator {
 public:
  // All three outlive it.
  Evaluator(const comm::Comm& comm, const Problem& problem, const SearchOptions& options);
  Evaluator(comm::Comm&&, const Problem&, const SearchOptions&) = delete;

  // Root. The values of each point, end to end, for parameters end to end: its goals, and its excess where the problem
  // is limited.
  std::vector<double> evaluate(std::span<const double> parameters);
  // Root. Once: the other ranks return from serve().
  void finish();
  // Other ranks.
  void serve();

  // Root. Points evaluated so far.
  std::int64_t evaluations() const { return evaluations_; }
  // Root. Of them, those where a goal was NaN.
  std::int64_t without_number() const { return without_number_; }
  // Root. Whether any rank wished to stop when the last evaluation ended,
  bool stop_is_wished() const { return stop_is_wished_; }
  // and whether that left any of its points out.
  bool is_interrupted() const { return interrupted_; }
  // Root. All points with their values, as they come.
  void watch(std::function<void(std::span<const double> parameters, std::span<const double> values)> watch) {
    watch_ = std::move(watch);
  }

 private:
  // Collective. What evaluate() and serve() do together.
  std::vector<double> evaluate_share(std::span<const double> parameters);

  const comm::Comm& comm_;
  const Problem& problem_;
  const SearchOptions& options_;
  std::int64_t evaluations_ = 0, without_number_ = 0;
  bool stop_is_wished_ = false, interrupted_ = false;
  std::function<void(std::span<const double>, std::span<const double>)> watch_;
};

}  // namespace espalier::optimize::detail
