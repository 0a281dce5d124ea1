#include "espalier/graph/spanning_trees.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::graph {
namespace {

// Entries of neighbour lists that are merged in one elimination, and in all of them together: each a second or less.
constexpr double kMostWork = 5e7;

__extension__ using Wide = unsigned __int128;

// Numbers modulo a prime below 2^62.
class Modular {
 public:
  using Number = std::uint64_t;
  explicit Modular(std::uint64_t prime) : prime_(prime) {}

  Number add(Number a, Number b) const { return (a + b) % prime_; }
  Number multiply(Number a, Number b) const { return static_cast<Number>(Wide{a} * b % prime_); }
  Number subtract(Number a, Number b) const { return (a + prime_ - b) % prime_; }
  Number power(Number a, std::uint64_t n) const {
    Number result = 1;
    for (; n > 0; n /= 2, a = multiply(a, a)) result = n % 2 == 1 ? multiply(result, a) : result;
    return result;
  }
  // Fermat: a^(p - 1) = 1.
  Number inverse(Number a) const { return power(a, prime_ - 2); }
  Number divide(Number a, Number b) const { return multiply(a, inverse(b)); }

 private:
  std::uint64_t prime_;
};

// Doubles: all numbers are positive and none is subtracted, so that no digit is lost.
struct Positive {
  using Number = double;
  static double add(double a, double b) { return a + b; }
  static double multiply(double a, double b) { return a * b; }
  static double inverse(double a) { return 1 / a; }
};

// Eliminates the vertices of a graph whose edges have weights. The number of trees is the determinant of the reduced
// Laplacian, hence the product of the pivots, which are the weighted degrees d of the vertices as they are eliminated;
// the Schur complement of v is again the Laplacian of a graph, in which neighbours i and j of v are joined by
// w(i, v) w(j, v) / d more (P24).
template <class Field>
class Elimination {
 public:
  using Number = typename Field::Number;

  Elimination(const Graph& graph, const Field& field) : field_(field), around_(to_index(graph.vertices)) {
    for (const Edge& edge : graph.edges) {
      // A self loop is in no tree.
      if (edge.a == edge.b) continue;
      around_[to_index(edge.a)].push_back({edge.b, 1});
      around_[to_index(edge.b)].push_back({edge.a, 1});
    }
    for (std::size_t v = 0; v < around_.size(); ++v) {
      merge_parallel(around_[v]);
      queue_.emplace(around_[v].size(), static_cast<int>(v));
    }
  }

  // The pivots, one less than vertices, or up to one that is zero: the graph is not connected, or seems so modulo the
  // prime. None: too much work. The order depends on the edges alone and is the same in every field.
  std::optional<std::vector<Number>> run() {
    std::vector<Number> pivots;
    while (queue_.size() > 1) {
      // Few neighbours first: that keeps the lists short, as in any sparse elimination.
      const int v = queue_.begin()->second;
      queue_.erase(queue_.begin());
      pivots.push_back(eliminate(v));
      if (pivots.back() == Number{}) break;
      if (work_ > kMostWork) return std::nullopt;
    }
    return pivots;
  }

  double work() const { return work_; }

 private:
  struct Neighbour {
    int vertex;
    Number weight;
  };
  using Neighbours = std::vector<Neighbour>;  // by vertex, increasing

  void merge_parallel(Neighbours& list) const {
    std::sort(list.begin(), list.end(), [](const Neighbour& a, const Neighbour& b) { return a.vertex < b.vertex; });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (kept > 0 && list[kept - 1].vertex == list[k].vertex) {
        list[kept - 1].weight = field_.add(list[kept - 1].weight, list[k].weight);
      } else {
        list[kept++] = list[k];
      }
    }
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
  }

  Number eliminate(int v) {
    const Neighbours gone = std::move(around_[to_index(v)]);
    Number degree{};
    for (const Neighbour& one : gone) degree = field_.add(degree, one.weight);
    if (degree == Number{}) return degree;
    const Number inverse = field_.inverse(degree);
    for (const Neighbour& one : gone) {
      Neighbours& list = around_[to_index(one.vertex)];
      // The set is ordered by these numbers: taken out before they change, put back after.
      queue_.erase({list.size(), one.vertex});
      list = joined(list, gone, {v, one.vertex}, field_.multiply(one.weight, inverse));
      queue_.emplace(list.size(), one.vertex);
      work_ += static_cast<double>(list.size() + gone.size());
    }
    return degree;
  }

  // The list without v, and with `share` of every weight of v's neighbours but the list's own vertex.
  Neighbours joined(const Neighbours& list, const Neighbours& gone, std::pair<int, int> leave_out, Number share) const {
    Neighbours sum;
    sum.reserve(list.size() + gone.size());
    auto own = list.begin();
    for (const Neighbour& other : gone) {
      for (; own != list.end() && own->vertex < other.vertex; ++own) {
        if (own->vertex != leave_out.first) sum.push_back(*own);
      }
      if (other.vertex == leave_out.second) continue;
      Number weight = field_.multiply(other.weight, share);
      if (own != list.end() && own->vertex == other.vertex) weight = field_.add(weight, (own++)->weight);
      sum.push_back({other.vertex, weight});
    }
    for (; own != list.end(); ++own) {
      if (own->vertex != leave_out.first) sum.push_back(*own);
    }
    return sum;
  }

  Field field_;
  std::vector<Neighbours> around_;
  std::set<std::pair<std::size_t, int>> queue_;  // by number of neighbours, then the lowest vertex
  double work_ = 0;
};

double log10_of_product(const std::vector<double>& factors) {
  double mantissa = 1;
  std::int64_t exponent = 0;
  for (const double factor : factors) {
    if (factor == 0) return -std::numeric_limits<double>::infinity();
    int shift = 0;
    // The product itself would leave the range of doubles near 10^308.
    mantissa = std::frexp(mantissa * factor, &shift);
    exponent += shift;
  }
  // One tree at least: rounding must not make it less.
  return std::max(0.0, elementary::log10(mantissa) + static_cast<double>(exponent) * elementary::log10(2));
}

// Miller and Rabin's test, with the bases that leave no doubt below 2^64.
bool is_prime(std::uint64_t n) {
  const Modular field(n);
  int twos = 0;
  std::uint64_t odd = n - 1;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  for (const std::uint64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    std::uint64_t x = field.power(base, odd);
    bool passes = x == 1 || x == n - 1;
    for (int k = 1; k < twos && !passes; ++k) {
      x = field.multiply(x, x);
      passes = x == n - 1;
    }
    if (!passes) return false;
  }
  return true;
}

std::uint64_t prime_below(std::uint64_t n) {
  // Odd numbers alone.
  n -= n % 2 == 0 ? 1 : 2;
  while (!is_prime(n)) n -= 2;
  return n;
}

// A whole number of any size, as limbs of 18 digits, lowest first.
class Digits {
 public:
  // this = this * factor + term
  void append(std::uint64_t factor, std::uint64_t term) {
    Wide carry = term;
    for (std::uint64_t& limb : limbs_) {
      carry += Wide{limb} * factor;
      limb = static_cast<std::uint64_t>(carry % kLimb);
      carry /= kLimb;
    }
    for (; carry > 0; carry /= kLimb) limbs_.push_back(static_cast<std::uint64_t>(carry % kLimb));
  }
  std::string text() const {
    if (limbs_.empty()) return "0";
    std::string text = fmt::format("{}", limbs_.back());
    for (std::size_t k = limbs_.size() - 1; k-- > 0;) text += fmt::format("{:018}", limbs_[k]);
    return text;
  }

 private:
  static constexpr std::uint64_t kLimb = 1'000'000'000'000'000'000;
  std::vector<std::uint64_t> limbs_;
};

// The number below the product of the primes with these remainders, by Garner's mixed radix:
// c_0 + p_0 (c_1 + p_1 (c_2 + ...)).
std::string combined(const std::vector<std::uint64_t>& primes, const std::vector<std::uint64_t>& remainders) {
  std::vector<std::uint64_t> mixed;
  for (std::size_t k = 0; k < primes.size(); ++k) {
    const Modular field(primes[k]);
    std::uint64_t known = 0, product = 1;
    for (std::size_t j = 0; j < k; ++j) {
      // What the primes before say of the number, modulo this one.
      known = field.add(known, field.multiply(mixed[j] % primes[k], product));
      product = field.multiply(product, primes[j] % primes[k]);
    }
    mixed.push_back(field.divide(field.subtract(remainders[k], known), product));
  }
  Digits digits;
  for (std::size_t k = primes.size(); k-- > 0;) digits.append(primes[k], mixed[k]);
  return digits.text();
}

// As many primes as the number needs, which the logarithm tells. A prime under which a pivot vanishes says nothing of
// the number, as the elimination then ends early: it is left out.
std::string exact_count(const Graph& graph, double log10) {
  const auto needed = static_cast<std::size_t>(log10 / 18.0) + 1;
  std::vector<std::uint64_t> primes, remainders;
  for (std::uint64_t prime = std::uint64_t{1} << 62; primes.size() < needed;) {
    prime = prime_below(prime);
    const Modular field(prime);
    std::uint64_t product = 1;
    const std::optional<std::vector<std::uint64_t>> pivots = Elimination(graph, field).run();
    for (const std::uint64_t pivot : *pivots) product = field.multiply(product, pivot);
    if (product == 0) continue;
    primes.push_back(prime);
    remainders.push_back(product);
  }
  return combined(primes, remainders);
}

}  // namespace

std::optional<TreeCount> count_spanning_trees(const Graph& graph) {
  Elimination elimination(graph, Positive());
  const std::optional<std::vector<double>> pivots = elimination.run();
  if (!pivots) return std::nullopt;
  TreeCount count{"0", log10_of_product(*pivots)};
  if (std::isinf(count.log10)) return count;
  count.digits.clear();
  // Modulo a prime an entry takes some four times as long.
  const bool fits = count.log10 < kMostExactDigits - 1e-6;
  if (fits && elimination.work() * (count.log10 / 18 + 1) * 4 < kMostWork) {
    count.digits = exact_count(graph, count.log10);
  }
  return count;
}

std::string to_text(const TreeCount& count) {
  if (!count.digits.empty() && count.digits.size() <= 9) return count.digits;
  const double whole = std::floor(count.log10);
  const double mantissa = elementary::pow(10, count.log10 - whole);
  // 9.96 would be printed as 10.
  const bool up = mantissa >= 9.95;
  return fmt::format("{:.1f}e{}", up ? 1.0 : mantissa, static_cast<std::int64_t>(whole) + (up ? 1 : 0));
}

}  // namespace espalier::graph
