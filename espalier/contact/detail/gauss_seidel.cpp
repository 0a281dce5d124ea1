#include "espalier/contact/detail/gauss_seidel.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::contact::detail {
namespace {

constexpr int kLookBack = 50;  // iterations

}  // namespace

ColourOrder order_by_colour(std::span<const int> colour, int colours) {
  ColourOrder order;
  order.begin.assign(to_index(colours) + 1, 0);
  for (const int c : colour) ++order.begin[to_index(c) + 1];
  for (int c = 0; c < colours; ++c) order.begin[to_index(c) + 1] += order.begin[to_index(c)];
  order.rows.resize(colour.size());
  std::vector<int> next(order.begin.begin(), order.begin.end() - 1);
  // Within a colour in the order of rows.
  for (std::size_t i = 0; i < colour.size(); ++i) {
    order.rows[to_index(next[to_index(colour[i])]++)] = static_cast<int>(i);
  }
  return order;
}

int iterations_to_next_check(const SolveOptions& options, int iterations, double natural) {
  // A warm start may be there after one or two iterations: twice as many each time.
  if (iterations < options.check_every) return std::min(iterations, options.check_every - iterations);
  // Far from the tolerance half as many measures are enough.
  return natural > 100 * options.tolerance ? 2 * options.check_every : options.check_every;
}

bool is_too_slow(Forecast& forecast, int iterations, double natural) {
  forecast.best = std::min(forecast.best, natural);
  // The first measure is what later ones are compared with.
  if (forecast.then == 0) {
    forecast.then = forecast.best;
    forecast.since = iterations;
  }
  const int passed = iterations - forecast.since;
  if (passed < kLookBack || forecast.best <= forecast.tolerance) return false;
  // Once contacts keep their states the residual falls by the same factor per iteration, so its logarithm by the same
  // amount.
  const double fallen = elementary::log(forecast.then / forecast.best) / passed;
  const double needed = elementary::log(forecast.best / forecast.tolerance);
  forecast.then = forecast.best;
  forecast.since = iterations;
  return needed > fallen * (forecast.max_sweeps - iterations);
}

}  // namespace espalier::contact::detail
