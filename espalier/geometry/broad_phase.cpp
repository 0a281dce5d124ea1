#include "espalier/geometry/geometry.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "espalier/base/index.hpp"

namespace espalier::geometry {
namespace {

using Cell = BroadPhase::Cell;

// A key is (class, z, y, x), so that cells in a row of x follow each other. Cells beyond the last are put into the
// last: neighbours stay neighbours, and only speed is lost.
constexpr int kBits = 20;
constexpr int kLastCell = (1 << kBits) - 1;
constexpr int kClasses = 16;
constexpr int kClassesBelow = 6;  // classes smaller than the one of most boxes
// How much of a cell a box may fill: the rest pays for rounding of cell numbers up to 2^20.
constexpr double kFill = 1 - 1e-6;

// Without branches: of neighbours in the grid about every third overlaps, which no processor can foresee.
int overlap(const Box& a, const Box& b) {
  return (a.low[0] <= b.high[0]) & (b.low[0] <= a.high[0]) & (a.low[1] <= b.high[1]) & (b.low[1] <= a.high[1]) &
         (a.low[2] <= b.high[2]) & (b.low[2] <= a.high[2]);
}

bool is_box(const Box& box) { return (box.low.array() <= box.high.array()).all(); }

// Infinite where it has no bounds, or none that can be counted in.
double extent(const Box& box) {
  const double largest = (box.high - box.low).maxCoeff();
  return std::isfinite(largest) ? largest : std::numeric_limits<double>::infinity();
}

struct Grid {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  double cell = 1;  // of class kClassesBelow [m]

  double cell_of(int size_class) const { return std::ldexp(cell, size_class - kClassesBelow); }
  // Nothing for boxes that are to be tried against all.
  std::optional<int> class_of(double box_extent) const {
    for (int c = 0; c < kClasses; ++c) {
      if (box_extent <= kFill * cell_of(c)) return c;
    }
    return std::nullopt;
  }
  std::array<int, 3> place(const Eigen::Vector3d& low, int size_class) const {
    std::array<int, 3> at;
    const double cells = 1 / cell_of(size_class);
    // No low corner lies below the origin: cutting off digits rounds down, as the number of a cell must.
    for (int i = 0; i < 3; ++i) at[i] = static_cast<int>(std::min((low[i] - origin[i]) * cells, 1.0 * kLastCell));
    return at;
  }
};

std::uint64_t make_key(int size_class, int z, int y, int x) {
  const auto bits = [](int number) { return static_cast<std::uint64_t>(number); };
  return ((bits(size_class) << kBits | bits(z)) << kBits | bits(y)) << kBits | bits(x);
}

// Nineteen of twenty boxes fit into the cells of class kClassesBelow.
Grid make_grid(std::span<const Box> boxes, BroadPhase& memory) {
  Grid grid;
  memory.extents.clear();
  grid.origin.setConstant(std::numeric_limits<double>::infinity());
  for (const Box& box : boxes) {
    // Boxes without bounds or without a point say nothing about how large cells should be.
    if (!is_box(box) || !std::isfinite(extent(box))) continue;
    memory.extents.push_back(extent(box));
    grid.origin = grid.origin.cwiseMin(box.low);
  }
  if (memory.extents.empty()) return grid;
  const auto most = memory.extents.begin() + static_cast<std::ptrdiff_t>(memory.extents.size() * 19 / 20);
  std::nth_element(memory.extents.begin(), most, memory.extents.end());
  // Points among points: any cell will do, so long as it can be divided by.
  grid.cell = std::clamp(*most / kFill * (1 + 1e-12), 1e-200, 1e200);
  return grid;
}

void fill_cells(std::span<const Box> boxes, const Grid& grid, BroadPhase& memory) {
  memory.cells.clear();
  memory.large.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    const Box& box = boxes[i];
    if (!is_box(box)) continue;
    const std::optional<int> size_class = grid.class_of(extent(box));
    if (!size_class) {
      memory.large.push_back(i);
      continue;
    }
    const auto [x, y, z] = grid.place(box.low, *size_class);
    memory.cells.push_back({make_key(*size_class, z, y, x), i});
  }
}

// Least significant digits first; digits that all keys share cost one look.
void sort_cells(std::vector<Cell>& cells, std::vector<Cell>& scratch) {
  constexpr int kDigit = 11;
  scratch.resize(cells.size());
  std::uint64_t differing = 0;
  for (const Cell& cell : cells) differing |= cell.key ^ cells[0].key;
  for (int shift = 0; shift < 64; shift += kDigit) {
    if ((differing >> shift & ((1u << kDigit) - 1)) == 0) continue;
    std::array<int, (1 << kDigit) + 1> begin{};
    const auto digit = [&](const Cell& cell) { return cell.key >> shift & ((1u << kDigit) - 1); };
    for (const Cell& cell : cells) ++begin[digit(cell) + 1];
    for (std::size_t d = 1; d < begin.size(); ++d) begin[d] += begin[d - 1];
    // In the order found, so that what lower digits have sorted stays sorted.
    for (const Cell& cell : cells) scratch[begin[digit(cell)]++] = cell;
    cells.swap(scratch);
  }
}

class PairFinder {
 public:
  explicit PairFinder(BroadPhase& memory) : memory_(memory), cells_(memory.cells) {}
  void finish() { memory_.found.resize(count_); }

  // Boxes of one class: each with those behind it in its row, and with the four rows behind its own. As the boxes come
  // in the order of keys, the rows are read once, from front to end.
  void within_class(std::size_t begin, std::size_t end) {
    std::array<std::size_t, 4> from;
    from.fill(begin);
    constexpr std::array<std::array<int, 2>, 4> kRows = {{{0, 1}, {1, -1}, {1, 0}, {1, 1}}};  // (dz, dy)
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint64_t key = cells_[k].key;
      const int x = static_cast<int>(key & kLastCell);
      const int y = static_cast<int>(key >> kBits & kLastCell);
      const int z = static_cast<int>(key >> 2 * kBits & kLastCell);
      // No box is larger than its cell: what overlaps it in this row begins one cell farther on at most.
      const std::uint64_t last = x < kLastCell ? key + 1 : key;
      try_until(k, k + 1, end, last);
      for (std::size_t r = 0; r < kRows.size(); ++r) {
        const auto [dz, dy] = kRows[r];
        // Beyond the grid there is no row, and y - 1 would borrow from z.
        if (z + dz > kLastCell || y + dy < 0 || y + dy > kLastCell) continue;
        const std::uint64_t row = make_key(static_cast<int>(key >> 3 * kBits), z + dz, y + dy, 0);
        try_row(k, row, x, from[r], end);
      }
    }
  }

  // Boxes of a class with those of a larger one.
  void between_classes(std::size_t begin, std::size_t end, std::size_t large_begin, std::size_t large_end,
                       const Grid& grid) {
    const int large_class = static_cast<int>(cells_[large_begin].key >> 3 * kBits);
    std::array<std::size_t, 9> from;
    from.fill(large_begin);
    for (std::size_t k = begin; k < end; ++k) {
      // A large box that overlaps may begin a cell before the one of this box, or a cell after it: nine rows.
      const auto [x, y, z] = grid.place(memory_.sorted[k].low, large_class);
      for (int dz = -1; dz <= 1; ++dz) {
        for (int dy = -1; dy <= 1; ++dy) {
          if (z + dz < 0 || z + dz > kLastCell || y + dy < 0 || y + dy > kLastCell) continue;
          const std::uint64_t row = make_key(large_class, z + dz, y + dy, 0);
          // One place per row: from box to box it moves little, and seek() begins there.
          std::size_t& at = from[3 * (dz + 1) + dy + 1];
          at = seek(row + static_cast<std::uint64_t>(std::max(x - 1, 0)), at, large_begin, large_end);
          try_row(k, row, x, at, large_end);
        }
      }
    }
  }

 private:
  // Box k with those from m on whose key is not above `last`.
  void try_until(std::size_t k, std::size_t m, std::size_t end, std::uint64_t last) {
    const Box box = memory_.sorted[k];
    const int number = cells_[k].box;
    for (; m < end && cells_[m].key <= last; ++m) {
      // Room for one more: the pair is written before it is known whether it counts.
      if (count_ == memory_.found.size()) memory_.found.resize(2 * count_ + 64);
      memory_.found[count_] = {number, cells_[m].box};
      count_ += to_index(overlap(box, memory_.sorted[m]));
    }
  }

  // The first cell of begin .. end not below `key`. Boxes that follow each other ask for cells near the last.
  std::size_t seek(std::uint64_t key, std::size_t last, std::size_t begin, std::size_t end) const {
    constexpr int kSteps = 4;
    // A few cells ahead before halving: the last place is nearly right.
    if (last == begin || cells_[last - 1].key < key) {
      for (int step = 0; step < kSteps; ++step, ++last) {
        if (last == end || cells_[last].key >= key) return last;
      }
      begin = last;
    } else {
      end = last;
    }
    const auto first = cells_.begin();
    const auto at =
        std::lower_bound(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end), key,
                         [](const Cell& cell, std::uint64_t wanted) { return cell.key < wanted; });
    return to_index(at - first);
  }

  // Box k with the cells x - 1 .. x + 1 of a row; `from` moves to the first of them.
  void try_row(std::size_t k, std::uint64_t row, int x, std::size_t& from, std::size_t end) {
    const std::uint64_t low = row + static_cast<std::uint64_t>(std::max(x - 1, 0));
    const std::uint64_t high = row + static_cast<std::uint64_t>(std::min(x + 1, kLastCell));
    while (from < end && cells_[from].key < low) ++from;
    try_until(k, from, end, high);
  }

  BroadPhase& memory_;
  const std::vector<Cell>& cells_;
  std::size_t count_ = 0;
};

void find_in_grid(const Grid& grid, BroadPhase& memory) {
  std::array<std::size_t, kClasses + 1> begin{};
  // Keys begin with the class, so that counts tell where each class lies.
  for (const Cell& cell : memory.cells) ++begin[(cell.key >> 3 * kBits) + 1];
  for (int c = 0; c < kClasses; ++c) begin[c + 1] += begin[c];
  PairFinder finder(memory);
  for (int c = 0; c < kClasses; ++c) {
    finder.within_class(begin[c], begin[c + 1]);
    // Each pair of classes once, from the side of the smaller boxes.
    for (int d = c + 1; d < kClasses; ++d) {
      if (begin[d] < begin[d + 1]) finder.between_classes(begin[c], begin[c + 1], begin[d], begin[d + 1], grid);
    }
  }
  finder.finish();
}

void find_large(std::span<const Box> boxes, BroadPhase& memory) {
  // Few boxes are this large, or are planes without bounds: to try all against them costs least.
  for (std::size_t i = 0; i < memory.large.size(); ++i) {
    const int a = memory.large[i];
    for (std::size_t k = 0; k < memory.cells.size(); ++k) {
      if (overlap(boxes[a], memory.sorted[k])) memory.found.push_back({a, memory.cells[k].box});
    }
    // Each pair of large boxes once.
    for (std::size_t j = i + 1; j < memory.large.size(); ++j) {
      if (overlap(boxes[a], boxes[memory.large[j]])) memory.found.push_back({a, memory.large[j]});
    }
  }
}

// By the lower box with a count, then each box's few partners among themselves.
void order_pairs(std::size_t boxes, BroadPhase& memory) {
  std::vector<int>& begin = memory.begin;
  begin.assign(boxes + 1, 0);
  for (auto& [i, j] : memory.found) {
    // Low number first: a pair is the same whichever walk over the grid has found it.
    if (j < i) std::swap(i, j);
    ++begin[i + 1];
  }
  for (std::size_t i = 0; i < boxes; ++i) begin[i + 1] += begin[i];
  memory.pairs.resize(memory.found.size());
  for (const auto& pair : memory.found) memory.pairs[begin[pair[0]]++] = pair;
  // Each begin has moved to the end of its box.
  for (std::size_t i = 0; i < boxes; ++i) {
    const int first = i == 0 ? 0 : begin[i - 1];
    std::sort(memory.pairs.begin() + first, memory.pairs.begin() + begin[i]);
  }
}

}  // namespace

void find_pairs(std::span<const Box> boxes, BroadPhase& memory) {
  const Grid grid = make_grid(boxes, memory);
  fill_cells(boxes, grid, memory);
  sort_cells(memory.cells, memory.scratch);
  // The boxes in the order of keys: neighbours in the grid are neighbours in memory.
  memory.sorted.clear();
  for (const Cell& cell : memory.cells) memory.sorted.push_back(boxes[cell.box]);
  // The finder writes into it and cuts it to length: no growing while it looks.
  memory.found.resize(memory.found.capacity());
  find_in_grid(grid, memory);
  find_large(boxes, memory);
  order_pairs(boxes.size(), memory);
}

}  // namespace espalier::geometry
