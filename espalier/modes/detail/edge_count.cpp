#include "espalier/modes/detail/edge_count.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/modes/detail/approach.hpp"

namespace espalier::modes::detail {
namespace {

using Complex = std::complex<double>;

// Clenshaw-Curtis on [-1, 1]: nodes cos(k pi / n) and weights, n even. Those of n / 2 are every other one of n.
double node(int k, int n) { return elementary::cos(std::numbers::pi * k / n); }
double weight(int k, int n) {
  double sum = 1;
  for (int j = 1; j <= n / 2; ++j) {
    const double half = j == n / 2 ? 1 : 2;
    sum -= half * elementary::cos(2 * std::numbers::pi * j * k / n) / (4.0 * j * j - 1);
  }
  return sum * (k == 0 || k == n ? 1.0 : 2.0) / n;
}

struct Node {
  Complex s;
  Complex ds;  // of the integral along the upper half, counter-clockwise
};

// On the axis half of a node belongs to the mirror image.
std::vector<Node> nodes_of(const Region& region, int n) {
  const double r = region.right, l = region.left, t = region.top;
  std::vector<Node> nodes;
  // Of the upright sides the upper half alone: values below are conjugate.
  const auto side = [&](int k, double x, double sign) {
    nodes.push_back({{x, 2 * k == n ? 0.0 : t * node(k, n)}, {0, sign * t * weight(k, n) * (2 * k == n ? 0.5 : 1)}});
  };
  for (int k = n / 2; k >= 0; --k) side(k, r, 1);
  for (int k = 0; k <= n; ++k) {
    nodes.push_back({{(r + l) / 2 + (r - l) / 2 * node(k, n), t}, {-(r - l) / 2 * weight(k, n), 0}});
  }
  for (int k = 0; k <= n / 2; ++k) side(k, l, -1);
  return nodes;
}

}  // namespace

// Every other node, from the first one on, is one of half as many: n / 2 + 1 of the right side end with an even index
// where n is a multiple of 4.
bool EdgeCount::sample(Slopes& slopes, int intervals) {
  const std::vector<Node> nodes = nodes_of(region_, intervals);
  // What was sampled before is half of what is needed now, and each sample is an evaluation of the whole structure.
  const bool refines = intervals == 2 * intervals_;
  std::vector<Complex> fresh;
  std::vector<std::size_t> place;
  std::vector<Complex> values(nodes.size());
  // Where the node k of a side's own list stands: sides begin at 0, n / 2 + 1 and 3 n / 2 + 2.
  const auto n = to_index(intervals);
  const std::size_t begin[3] = {0, n / 2 + 1, 3 * n / 2 + 2}, size[3] = {n / 2 + 1, n + 1, n / 2 + 1};
  const std::size_t before[3] = {0, n / 4 + 1, 3 * n / 4 + 2};
  for (std::size_t side = 0; side < 3; ++side) {
    for (std::size_t k = 0; k < size[side]; ++k) {
      const std::size_t at = begin[side] + k;
      if (refines && k % 2 == 0) {
        values[at] = slopes_[before[side] + k / 2];
        continue;
      }
      fresh.push_back(nodes[at].s);
      place.push_back(at);
    }
  }
  const std::vector<Complex> found = slopes.at(fresh);
  // Stopped, or out of evaluations: the samples of before stay as they are.
  if (found.size() != fresh.size()) return false;
  for (std::size_t k = 0; k < found.size(); ++k) values[place[k]] = found[k];
  points_.clear();
  for (const Node& one : nodes) points_.push_back(one.s);
  slopes_ = std::move(values);
  intervals_ = intervals;
  return true;
}

std::vector<Complex> EdgeCount::left_over(std::span<const ComplexRoot> known) const {
  std::vector<Complex> values;
  for (std::size_t k = 0; k < points_.size(); ++k) values.push_back(slopes_[k] - known_part(known, points_[k]));
  return values;
}

// (1 / 2 pi i) times the integral along the whole edge, which is twice the imaginary part along the upper half; less
// the known roots outside, whose part is nothing, and with those inside, whose part is their number.
double EdgeCount::integral(std::span<const ComplexRoot> known, int stride) const {
  // Other weights for the same points.
  const std::vector<Node> nodes = nodes_of(region_, intervals_ / stride);
  const auto n = to_index(intervals_), m = n / to_index(stride);
  const std::size_t begin[3] = {0, n / 2 + 1, 3 * n / 2 + 2}, size[3] = {m / 2 + 1, m + 1, m / 2 + 1};
  double sum = 0;
  std::size_t next = 0;
  for (std::size_t side = 0; side < 3; ++side) {
    for (std::size_t k = 0; k < size[side]; ++k, ++next) {
      const std::size_t at = begin[side] + k * to_index(stride);
      sum += ((slopes_[at] - known_part(known, points_[at])) * nodes[next].ds).imag();
    }
  }
  return sum / std::numbers::pi;
}

double EdgeCount::missing(std::span<const ComplexRoot> known) const { return integral(known, 1); }
double EdgeCount::missing_by_half(std::span<const ComplexRoot> known) const { return integral(known, 2); }

}  // namespace espalier::modes::detail
