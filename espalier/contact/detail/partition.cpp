#include "espalier/contact/detail/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/zoltan.hpp"

namespace espalier::contact::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A cell that is still to be cut: the ranks it is for and the points of this rank in it.
struct Open {
  int first_rank = 0, ranks = 1;
  std::size_t begin = 0, end = 0;
  int cut_before = -1;  // of the earlier cells, whose direction is kept
  int parent = -1;      // cut that made it
  bool is_high = false;
};

struct Bisector {
  const comm::Comm& comm;
  std::vector<WeightedPoint> points;
  const Cells* before;
  Cells cells;

  // Lowest and highest coordinate of the points in each open cell, over all ranks: 6 numbers a cell.
  std::vector<double> extents(std::span<const Open> open) const {
    // The highest with their signs changed: one minimum over all ranks gives both.
    std::vector<double> low(6 * open.size(), kInfinity);
    for (std::size_t c = 0; c < open.size(); ++c) {
      for (std::size_t i = open[c].begin; i < open[c].end; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          low[6 * c + axis] = std::min(low[6 * c + axis], points[i].x[axis]);
          low[6 * c + 3 + axis] = std::min(low[6 * c + 3 + axis], -points[i].x[axis]);
        }
      }
    }
    comm::min(comm, std::span(low));
    return low;
  }

  int choose_axis(const Open& cell, const double* extent) const {
    // Directions that stay keep cells where they are, and few bodies change ranks.
    if (cell.cut_before >= 0) return before->cuts[to_index(cell.cut_before)].axis;
    // Else across the longest side: small boundaries mean few ghosts.
    int best = 0;
    for (int axis = 1; axis < 3; ++axis) {
      if (-extent[3 + axis] - extent[axis] > -extent[3 + best] - extent[best]) best = axis;
    }
    return best;
  }

  // Weight at or above a coordinate.
  double weight_above(const Open& cell, int axis, double at) const {
    double sum = 0;
    for (std::size_t i = cell.begin; i < cell.end; ++i) {
      if (points[i].x[to_index(axis)] >= at) sum += points[i].weight;
    }
    return sum;
  }

  // All cuts of a level at once: bisection of the coordinate until the share above is met or doubles run out.
  std::vector<double> find_cuts(std::span<const Open> open, std::span<const int> axis,
                                std::span<const double> extent) const {
    std::vector<double> low(open.size()), high(open.size()), goal(open.size());
    for (std::size_t c = 0; c < open.size(); ++c) {
      const auto a = to_index(axis[c]);
      low[c] = extent[6 * c + a];
      high[c] = -extent[6 * c + 3 + a];
      if (!(low[c] <= high[c])) low[c] = high[c] = 0;  // no points
      // Of an odd number of ranks the high half has one more.
      goal[c] = weight_above(open[c], axis[c], -kInfinity) * (open[c].ranks - open[c].ranks / 2) / open[c].ranks;
    }
    // Rounded as it comes: cells decide where things are computed and never what.
    comm::sum(comm, std::span(goal));
    // To 1e-12 of the extent: points that are closer to each other may fall on either side.
    constexpr int kHalvings = 40;
    std::vector<double> above(open.size());
    for (int k = 0; k < kHalvings; ++k) {
      for (std::size_t c = 0; c < open.size(); ++c) {
        above[c] = weight_above(open[c], axis[c], low[c] + (high[c] - low[c]) / 2);
      }
      // One message for all cells of the level.
      comm::sum(comm, std::span(above));
      for (std::size_t c = 0; c < open.size(); ++c) {
        // Every rank sees the same sums, and so all find the same cuts.
        (above[c] > goal[c] ? low[c] : high[c]) = low[c] + (high[c] - low[c]) / 2;
      }
    }
    return high;
  }

  // Cuts one cell and gives back its two halves.
  std::array<Open, 2> cut(const Open& cell, int axis, double at) {
    const int index = static_cast<int>(cells.cuts.size());
    cells.cuts.push_back({axis, at, -1, -1});
    if (cell.parent >= 0) set_child(cell, index);
    const auto middle =
        std::partition(points.begin() + static_cast<std::ptrdiff_t>(cell.begin),
                       points.begin() + static_cast<std::ptrdiff_t>(cell.end),
                       [&](const WeightedPoint& p) { return p.x[to_index(axis)] < at; });
    const auto place = to_index(middle - points.begin());
    const int low_ranks = cell.ranks / 2;
    Open low{cell.first_rank, low_ranks, cell.begin, place, -1, index, false};
    Open high{cell.first_rank + low_ranks, cell.ranks - low_ranks, place, cell.end, -1, index, true};
    // The old cuts of both halves lend them their directions.
    if (cell.cut_before >= 0) {
      const Cells::Cut& old = before->cuts[to_index(cell.cut_before)];
      low.cut_before = old.low;
      high.cut_before = old.high;
    }
    return {low, high};
  }

  void set_child(const Open& cell, int value) {
    Cells::Cut& parent = cells.cuts[to_index(cell.parent)];
    (cell.is_high ? parent.high : parent.low) = value;
  }

  void run() {
    const int ranks = comm.size();
    // Old directions are of use only where the old cells were for as many ranks.
    const bool locked =
        before != nullptr && !before->cuts.empty() && before->boxes.size() == to_index(ranks);
    std::vector<Open> open = {{0, ranks, 0, points.size(), locked ? 0 : -1, -1, false}};
    while (!open.empty()) {
      std::vector<Open> to_cut;
      for (const Open& cell : open) {
        if (cell.ranks > 1) {
          to_cut.push_back(cell);
        } else if (cell.parent >= 0) {
          // Leaves hold ~rank, which is negative: cuts count from 0.
          set_child(cell, ~cell.first_rank);
        }
      }
      open.clear();
      if (to_cut.empty()) break;
      // Level by level: as many rounds of messages as the tree is deep.
      const std::vector<double> extent = extents(to_cut);
      std::vector<int> axis;
      for (std::size_t c = 0; c < to_cut.size(); ++c) axis.push_back(choose_axis(to_cut[c], &extent[6 * c]));
      const std::vector<double> at = find_cuts(to_cut, axis, extent);
      for (std::size_t c = 0; c < to_cut.size(); ++c) {
        for (const Open& half : cut(to_cut[c], axis[c], at[c])) open.push_back(half);
      }
    }
  }
};

void set_boxes(Cells& cells, int ranks) {
  const geometry::Box all{Eigen::Vector3d::Constant(-kInfinity), Eigen::Vector3d::Constant(kInfinity)};
  cells.boxes.assign(to_index(ranks), all);
  std::vector<std::pair<int, geometry::Box>> open;
  if (!cells.cuts.empty()) open.emplace_back(0, all);
  while (!open.empty()) {
    const auto [node, box] = open.back();
    open.pop_back();
    if (node < 0) {
      cells.boxes[to_index(~node)] = box;
      continue;
    }
    const Cells::Cut& cut = cells.cuts[to_index(node)];
    geometry::Box low = box, high = box;
    low.high[cut.axis] = cut.at;
    high.low[cut.axis] = cut.at;
    open.emplace_back(cut.low, low);
    open.emplace_back(cut.high, high);
  }
}

}  // namespace

Cells bisect(const comm::Comm& comm, std::span<const WeightedPoint> points, Bisection by, const Cells* before) {
  // For one rank there is nothing to cut.
  Cells of_zoltan;
  if (by == Bisection::kZoltan && is_zoltan_built_in() && comm.size() > 1) {
    of_zoltan = bisect_by_zoltan(comm, points, before != nullptr ? before->zoltan : nullptr);
    if (!of_zoltan.cuts.empty()) return of_zoltan;
  }
  Bisector bisector{comm, {points.begin(), points.end()}, before, {}};
  bisector.run();
  set_boxes(bisector.cells, comm.size());
  // Zoltan may do better with the next points, and then reuses its cuts.
  bisector.cells.zoltan = std::move(of_zoltan.zoltan);
  return std::move(bisector.cells);
}

int cell_of(const Cells& cells, const Eigen::Vector3d& point) {
  if (cells.cuts.empty()) return 0;
  int node = 0;
  while (node >= 0) {
    const Cells::Cut& cut = cells.cuts[to_index(node)];
    // On the cut is above it, as weight_above() counts.
    node = point[cut.axis] >= cut.at ? cut.high : cut.low;
  }
  return ~node;
}

void cells_of(const Cells& cells, const geometry::Box& box, std::vector<int>& ranks) {
  ranks.clear();
  if (cells.cuts.empty()) {
    ranks.push_back(0);
    return;
  }
  std::array<int, 64> open{};  // deeper than any tree of cells: its depth is log2 of the ranks
  int count = 0;
  open[to_index(count++)] = 0;
  while (count > 0) {
    const int node = open[to_index(--count)];
    if (node < 0) {
      ranks.push_back(~node);
      continue;
    }
    const Cells::Cut& cut = cells.cuts[to_index(node)];
    // A point on the cut is above it: a box that ends there needs both sides.
    if (box.high[cut.axis] >= cut.at) open[to_index(count++)] = cut.high;
    if (box.low[cut.axis] < cut.at) open[to_index(count++)] = cut.low;
  }
}

double imbalance(const comm::Comm& comm, double weight_here) {
  const double most = comm::max(comm, weight_here);
  const double sum = comm::sum(comm, weight_here);
  return sum > 0 ? most * comm.size() / sum : 1;
}

}  // namespace espalier::contact::detail
