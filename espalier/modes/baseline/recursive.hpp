#pragma once

// The searches of the literature, as baselines: the recursive grid search for minima of |f| [Bestle14], in one and two
// dimensions, and bisection on sign changes. Neither knows whether it has found all roots: a grid may step over them,
// and more samples do not mean more roots.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace espalier::modes::baseline {

// A place to look at: s = x + i y, or a frequency y.
struct Point {
  double x = 0, y = 0;
};

// |f|, or anything that grows with it, at many points: all of one level of the search at a time, so that they may be
// spread over threads and ranks. The second has the size of the first.
using BatchFunction = std::function<void(std::span<const Point>, std::span<double>)>;
using RealFunction = std::function<double(double)>;

// One direction of the search. lower == upper: the other direction alone is searched.
struct SearchAxis {
  double lower = 0, upper = 0;
  int samples = 0;        // on an interval, both its ends among them; at least 3
  double resolution = 0;  // of the last grid
};

struct RecursiveSearch {
  SearchAxis x, y;
  int max_levels = 60;
  std::int64_t max_evaluations = 100'000'000;
};

// From one corner to the other.
struct SearchRegion {
  Point lower, upper;
};

struct SearchResult {
  std::vector<Point> roots;        // by increasing y, then x; points of the last grids, as they are
  std::vector<SearchRegion> open;  // still to be searched where the limits ended it
  std::int64_t evaluations = 0;
  int levels = 0;
  bool complete = true;  // false: the limits of the search ended it
};

// A sample i is kept where f(i - 1) > f(i) <= f(i + 1) in each direction, and [i - 1, i + 1] is searched again with as
// many samples; never on the edge of an interval. An interval of width b needs n = ceil(b / resolution) + 1 samples to
// reach the resolution; a direction takes n where n is not above `samples`, and where that holds for both directions
// the kept points are the roots.
SearchResult find_minima(const BatchFunction& f, const RecursiveSearch& search);
// Roots as a SearchResult has them.
void sort_roots(std::vector<Point>& roots);

// Samples on [lower, upper], ends among them, then bisection of each interval over which the sign changes, down to an
// interval below the resolution; a sample where f is 0 is a root. Roots of even order, and pairs between two samples,
// stay unseen.
SearchResult find_sign_changes(const RealFunction& f, const SearchAxis& axis);

}  // namespace espalier::modes::baseline
