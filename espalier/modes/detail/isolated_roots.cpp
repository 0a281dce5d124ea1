#include "espalier/modes/detail/isolated_roots.hpp"

#include <cmath>

#include "espalier/base/numbers.hpp"

namespace espalier::modes::detail {
namespace {

// Each pass places the roots by where the one before has put the others.
constexpr int kPasses = 12;
// A guess stays so far inside its interval, as a part of it.
constexpr double kInside = 1e-3;

// ln of how the factors of all others change over the interval of root k.
double log_change(const IsolatedRoots& known, std::size_t k) {
  const double low = known.roots[k].low, high = known.roots[k].high;
  double product = 1;
  for (std::size_t j = 0; j < known.roots.size(); ++j) {
    if (j == k) continue;
    const double change = (high - known.roots[j].at) / (low - known.roots[j].at);
    // A product of ratios first: one logarithm instead of one per root.
    for (int m = 0; m < known.roots[j].multiplicity; ++m) product *= change;
  }
  double sum = elementary::log(std::abs(product));
  if (known.at_zero > 0) sum += known.at_zero * elementary::log(high / low);
  return sum;
}

}  // namespace

void guess_roots(IsolatedRoots& known) {
  for (IsolatedRoot& root : known.roots) root.at = (root.low + root.high) / 2;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t k = 0; k < known.roots.size(); ++k) {
      IsolatedRoot& root = known.roots[k];
      // |D(high) / D(low)| without the others is ((high - x) / (x - low))^m, solved for x.
      const double part = 1 / (1 + elementary::exp((root.log_ratio - log_change(known, k)) / root.multiplicity));
      root.at = root.low + (root.high - root.low) * (part > kInside && part < 1 - kInside ? part : 0.5);
    }
  }
}

double others_part(const IsolatedRoots& known, std::size_t k, double x) {
  double sum = known.at_zero / x;
  for (std::size_t j = 0; j < known.roots.size(); ++j) {
    if (j != k) sum += known.roots[j].multiplicity / (x - known.roots[j].at);
  }
  return sum;
}

}  // namespace espalier::modes::detail
