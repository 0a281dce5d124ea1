#include "espalier/modes/baseline/recursive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "espalier/base/result.hpp"

namespace espalier::modes::baseline {
namespace {

// The samples of one direction of a region. A direction that is not searched has one.
struct Samples {
  double lower = 0, upper = 0;
  int count = 1;
  bool reached = true;  // the resolution

  double at(int i) const { return count == 1 ? lower : lower + i * ((upper - lower) / (count - 1)); }
};

struct Region {
  Samples x, y;
  std::int64_t first = 0;  // of its samples in the level; y runs fastest

  std::int64_t samples() const { return static_cast<std::int64_t>(x.count) * y.count; }
};

Samples make_samples(const SearchAxis& axis, double lower, double upper) {
  if (axis.lower == axis.upper) return {axis.lower, axis.lower, 1, true};
  const double needed = std::ceil((upper - lower) / axis.resolution) + 1;
  const bool reached = needed <= axis.samples;
  // Fewer than three samples have none inside.
  return {lower, upper, reached ? std::max(3, static_cast<int>(needed)) : axis.samples, reached};
}

void append_points(const Region& region, std::vector<Point>& points) {
  for (int i = 0; i < region.x.count; ++i) {
    for (int j = 0; j < region.y.count; ++j) points.push_back({region.x.at(i), region.y.at(j)});
  }
}

// Whether the sample falls from its left and does not fall to its right neighbour: not L(i - 1) and L(i), where
// L(i) = [f(i) <= f(i + 1)]. `stride` is the step to a neighbour; a direction with one sample always holds.
bool is_low(const double* f, int i, int count, std::int64_t stride) {
  if (count == 1) return true;
  if (i == 0 || i == count - 1) return false;
  // Of equal neighbours the first one counts, so that a flat spot is one minimum.
  return f[-stride] > f[0] && f[0] <= f[stride];
}

// Calls visit(i, j) for each sample of the region that is low in both directions.
template <class Visit>
void for_minima(const Region& region, std::span<const double> values, const Visit& visit) {
  const int nx = region.x.count, ny = region.y.count;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      const double* f = values.data() + region.first + static_cast<std::int64_t>(i) * ny + j;
      if (is_low(f, i, nx, ny) && is_low(f, j, ny, 1)) visit(i, j);
    }
  }
}

Samples around(const Samples& samples, int i, const SearchAxis& axis) {
  if (samples.count == 1) return samples;
  // The neighbours are the new ends: between them the minimum lies, if f is smooth.
  return make_samples(axis, samples.at(i - 1), samples.at(i + 1));
}

void check_axis(const SearchAxis& axis) {
  if (axis.lower == axis.upper) return;
  ESPALIER_CHECK(axis.lower < axis.upper, "a search interval has a lower and an upper end");
  ESPALIER_CHECK(axis.samples >= 3 && axis.resolution > 0, "a search needs three samples and a resolution");
}

}  // namespace

SearchResult find_minima(const BatchFunction& f, const RecursiveSearch& search) {
  check_axis(search.x);
  check_axis(search.y);
  SearchResult result;
  std::vector<Region> level = {{make_samples(search.x, search.x.lower, search.x.upper),
                                make_samples(search.y, search.y.lower, search.y.upper), 0}};
  std::vector<Region> next;
  std::vector<Point> points;
  std::vector<double> values;
  while (!level.empty()) {
    // Where f is noise a level may be thousands of times as large as the last one: no memory before the limit is asked.
    std::int64_t samples = 0;
    for (Region& region : level) {
      region.first = samples;
      samples += region.samples();
    }
    if (result.levels == search.max_levels || result.evaluations + samples > search.max_evaluations) {
      result.complete = false;
      for (const Region& region : level) {
        result.open.push_back({{region.x.lower, region.y.lower}, {region.x.upper, region.y.upper}});
      }
      break;
    }
    // One call for the whole level, so that ranks and threads have as much work as there is.
    points.clear();
    for (const Region& region : level) append_points(region, points);
    result.evaluations += samples;
    ++result.levels;
    values.resize(points.size());
    f(points, values);
    next.clear();
    for (const Region& region : level) {
      for_minima(region, values, [&](int i, int j) {
        // As fine as was asked for: the sample itself is the answer.
        if (region.x.reached && region.y.reached) {
          result.roots.push_back({region.x.at(i), region.y.at(j)});
        } else {
          next.push_back({around(region.x, i, search.x), around(region.y, j, search.y), 0});
        }
      });
    }
    level.swap(next);
  }
  sort_roots(result.roots);
  return result;
}

void sort_roots(std::vector<Point>& roots) {
  std::sort(roots.begin(), roots.end(),
            [](const Point& a, const Point& b) { return std::tie(a.y, a.x) < std::tie(b.y, b.x); });
}

SearchResult find_sign_changes(const RealFunction& f, const SearchAxis& axis) {
  check_axis(axis);
  SearchResult result;
  const auto value = [&](double at) {
    ++result.evaluations;
    return f(at);
  };
  const Samples samples{axis.lower, axis.upper, axis.samples, false};
  double left = samples.at(0), f_left = value(left);
  for (int i = 1; i <= samples.count; ++i) {
    if (f_left == 0) result.roots.push_back({0, left});
    if (i == samples.count) break;
    const double right = samples.at(i), f_right = value(right);
    if (f_left * std::copysign(1.0, f_right) < 0 && f_right != 0) {
      double a = left, b = right;
      int level = 0;
      // Or until no double is left between the ends.
      while (b - a > axis.resolution && 0.5 * (a + b) > a && 0.5 * (a + b) < b) {
        const double middle = 0.5 * (a + b);
        (std::signbit(value(middle)) == std::signbit(f_left) ? a : b) = middle;
        ++level;
      }
      result.roots.push_back({0, 0.5 * (a + b)});
      result.levels = std::max(result.levels, level);
    }
    left = right;
    f_left = f_right;
  }
  return result;
}

}  // namespace espalier::modes::baseline
