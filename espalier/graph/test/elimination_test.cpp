#include "espalier/graph/elimination.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "espalier/graph/test/random_graph.hpp"

namespace espalier::graph {
namespace {

using Ints = std::vector<int>;
using Reals = std::vector<double>;

// The second way: the whole matrix of scalars, eliminated column by column, every operation counted.
struct DenseElimination {
  DenseElimination(const Graph& pattern, const Ints& size, const Ints& order);
  void eliminate(int column);

  Ints block;                              // by scalar, in the order of elimination
  std::vector<std::vector<char>> nonzero;  // by scalar row and column
  Reals factor_flops;                      // by block
  Reals solve_flops;
};

DenseElimination::DenseElimination(const Graph& pattern, const Ints& size, const Ints& order)
    : factor_flops(size.size(), 0), solve_flops(size.size(), 0) {
  std::set<std::pair<int, int>> pairs;
  for (const Edge& edge : pattern.edges) pairs.insert({edge.a, edge.b});
  for (const int k : order) block.insert(block.end(), static_cast<std::size_t>(size[k]), k);
  nonzero.assign(block.size(), std::vector<char>(block.size(), 0));
  for (std::size_t i = 0; i < block.size(); ++i) {
    for (std::size_t j = 0; j < block.size(); ++j) {
      const bool joined = pairs.contains({block[i], block[j]}) || pairs.contains({block[j], block[i]});
      nonzero[i][j] = block[i] == block[j] || joined ? 1 : 0;
    }
  }
  for (std::size_t column = 0; column < block.size(); ++column) eliminate(static_cast<int>(column));
}

void DenseElimination::eliminate(int column) {
  Ints below;
  for (std::size_t i = static_cast<std::size_t>(column) + 1; i < block.size(); ++i) {
    if (nonzero[i][column]) below.push_back(static_cast<int>(i));
  }
  double& factor = factor_flops[block[column]];
  double& solve = solve_flops[block[column]];
  for (const int i : below) {
    factor += 1;  // l_i = a_i / d
    for (const int j : below) {
      if (j > i) continue;
      factor += 2;  // a_ij -= l_i (d l_j)
      nonzero[i][j] = nonzero[j][i] = 1;
    }
    solve += 4;  // y_i -= l_i y, and back: x -= l_i x_i
  }
  solve += 1;
}

// The blocks of L below the diagonal block of each block, as sets.
std::vector<std::set<int>> columns_of(const DenseElimination& dense, std::size_t blocks) {
  std::vector<std::set<int>> columns(blocks);
  for (std::size_t j = 0; j < dense.block.size(); ++j) {
    for (std::size_t i = j + 1; i < dense.block.size(); ++i) {
      if (dense.nonzero[i][j] && dense.block[i] != dense.block[j]) columns[dense.block[j]].insert(dense.block[i]);
    }
  }
  return columns;
}

Ints random_sizes(std::uint32_t key, int blocks) {
  Random random(15, key);
  Ints size(static_cast<std::size_t>(blocks));
  for (int& s : size) s = 1 + random.below(6);
  return size;
}

Ints random_order(std::uint32_t key, int blocks) {
  Random random(16, key);
  Ints order(static_cast<std::size_t>(blocks));
  std::iota(order.begin(), order.end(), 0);
  for (int k = blocks; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order;
}

int sum(const Ints& values) { return std::accumulate(values.begin(), values.end(), 0); }
double sum(const Reals& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

//  0 - 1 - 2 - 3, single columns, from one end: no fill, one entry a column but in the last
TEST(Eliminate, OfAChainFromItsEndFillsNothing) {
  const Graph chain = {4, {{0, 1}, {1, 2}, {2, 3}}};
  const Elimination result = eliminate(chain, Ints{1, 1, 1, 1}, Ints{0, 1, 2, 3});
  EXPECT_EQ(result.parent, (Ints{1, 2, 3, -1}));
  EXPECT_EQ(result.rows, (Ints{1, 1, 1, 0}));
  EXPECT_EQ(result.fill, 0);
  EXPECT_EQ(result.entries, 3);
  EXPECT_EQ(result.factor_flops, (Reals{3, 3, 3, 0}));
  EXPECT_EQ(result.solve_flops, (Reals{5, 5, 5, 1}));
}

TEST(Eliminate, OfAChainFromTheInsideJoinsTheNeighbours) {
  const Graph chain = {4, {{0, 1}, {1, 2}, {2, 3}}};
  const Elimination result = eliminate(chain, Ints{1, 1, 1, 1}, Ints{1, 2, 0, 3});
  EXPECT_EQ(result.parent, (Ints{3, 2, 0, -1}));
  EXPECT_EQ(result.rows, (Ints{1, 2, 2, 0}));
  EXPECT_EQ(result.fill, 2);
}

TEST(Eliminate, OfAStarFromItsCentreIsFullAndFromItsTipsIsNot) {
  const Graph star = {5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}};
  const Ints one(5, 1);
  EXPECT_EQ(eliminate(star, one, Ints{0, 1, 2, 3, 4}).fill, 6);
  const Elimination tips = eliminate(star, one, Ints{1, 2, 3, 4, 0});
  EXPECT_EQ(tips.fill, 0);
  EXPECT_EQ(critical_path(tips, Reals{10, 1, 2, 7, 4}), 17);
  EXPECT_EQ(least_time(tips, Reals{10, 1, 2, 7, 4}, 1), 24);
  EXPECT_EQ(least_time(tips, Reals{10, 1, 2, 7, 4}, 2), 17);
}

// n^3/3 + n^2/2 - 5n/6 flops: a full matrix in one block, or in many, costs the same.
TEST(Eliminate, OfAFullMatrixCostsTheTextbookCube) {
  const int n = 12;
  Graph full{n, {}};
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < a; ++b) full.edges.push_back({a, b});
  }
  const double expected = (2.0 * n * n * n + 3.0 * n * n - 5.0 * n) / 6;
  EXPECT_EQ(sum(eliminate(full, Ints(12, 1), random_order(1, n)).factor_flops), expected);
  EXPECT_EQ(sum(eliminate({1, {}}, Ints{n}, Ints{0}).factor_flops), expected);
  EXPECT_EQ(sum(eliminate({1, {}}, Ints{n}, Ints{0}).solve_flops), 2.0 * n * n - n);
}

TEST(Eliminate, CountsWhatADenseEliminationDoes) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    const Graph pattern = random_graph(key);
    const Ints size = random_sizes(key, pattern.vertices);
    const Ints order = random_order(key, pattern.vertices);
    const Elimination result = eliminate(pattern, size, order);
    const DenseElimination dense(pattern, size, order);
    const std::vector<std::set<int>> columns = columns_of(dense, size.size());
    EXPECT_EQ(result.factor_flops, dense.factor_flops) << "pattern " << key;
    EXPECT_EQ(result.solve_flops, dense.solve_flops) << "pattern " << key;
    std::set<std::pair<int, int>> pairs;
    for (const Edge& edge : pattern.edges) {
      if (edge.a != edge.b) pairs.insert(std::minmax(edge.a, edge.b));
    }
    EXPECT_EQ(sum(result.blocks), static_cast<int>(pairs.size()) + result.fill);
    int entries = 0;
    for (int k = 0; k < pattern.vertices; ++k) {
      int rows = 0;
      for (const int i : columns[k]) rows += size[i];
      EXPECT_EQ(result.blocks[k], static_cast<int>(columns[k].size()));
      EXPECT_EQ(result.rows[k], rows);
      entries += rows * size[k] + size[k] * (size[k] - 1) / 2;
      const auto next = std::find_if(order.begin(), order.end(), [&](int i) { return columns[k].contains(i); });
      EXPECT_EQ(result.parent[k], next == order.end() ? -1 : *next);
    }
    EXPECT_EQ(result.entries, entries);
  }
}

TEST(CriticalPath, IsTheHeaviestBranchOfTheEliminationTree) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Graph pattern = random_graph(key);
    const Ints size = random_sizes(key, pattern.vertices);
    const Elimination result = eliminate(pattern, size, random_order(key, pattern.vertices));
    double longest = 0;
    for (int k = 0; k < pattern.vertices; ++k) {
      double branch = 0;
      for (int up = k; up >= 0; up = result.parent[up]) branch += result.factor_flops[up];
      longest = std::max(longest, branch);
    }
    EXPECT_EQ(critical_path(result, result.factor_flops), longest);
    EXPECT_EQ(least_time(result, result.factor_flops, 1), sum(result.factor_flops));
    EXPECT_EQ(least_time(result, result.factor_flops, 1000), longest);
  }
}

// The definition, on a matrix of booleans.
Ints minimum_degree_by_definition(const Graph& pattern, const Ints& size) {
  const int n = pattern.vertices;
  std::vector<std::set<int>> near(static_cast<std::size_t>(n));
  for (const Edge& edge : pattern.edges) {
    if (edge.a == edge.b) continue;
    near[edge.a].insert(edge.b);
    near[edge.b].insert(edge.a);
  }
  Ints order;
  std::set<int> left;
  for (int k = 0; k < n; ++k) left.insert(k);
  const auto remove = [&](int k) {
    order.push_back(k);
    left.erase(k);
    for (const int other : near[k]) near[other].erase(k);
  };
  const auto rows = [&](int k) {
    return std::accumulate(near[k].begin(), near[k].end(), 0, [&](int so_far, int i) { return so_far + size[i]; });
  };
  while (!left.empty()) {
    const int pivot = *std::min_element(left.begin(), left.end(), [&](int a, int b) { return rows(a) < rows(b); });
    const std::set<int> joined = near[pivot];
    remove(pivot);
    for (const int a : joined) near[a].insert(joined.begin(), joined.end());
    for (const int a : joined) near[a].erase(a);
    Ints covered;
    for (const int a : joined) {
      if (std::includes(joined.begin(), joined.end(), near[a].begin(), near[a].end())) covered.push_back(a);
    }
    for (const int a : covered) remove(a);
  }
  return order;
}

TEST(MinimumDegreeOrder, IsTheOneOfTheDefinition) {
  for (std::uint32_t key = 0; key < 300; ++key) {
    for (const Graph& pattern : {random_graph(key), random_connected_graph(key, 40, 30)}) {
      const Ints size = random_sizes(key, pattern.vertices);
      EXPECT_EQ(minimum_degree_order(pattern, size), minimum_degree_by_definition(pattern, size)) << "pattern " << key;
    }
  }
}

TEST(MinimumDegreeOrder, FillsNothingInATree) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    const Graph tree = random_connected_graph(key, 60, 0);
    const Ints size(static_cast<std::size_t>(tree.vertices), 1);
    EXPECT_EQ(eliminate(tree, size, minimum_degree_order(tree, size)).fill, 0);
  }
}

// A grid of k x k cells, row by row, fills about k^3 blocks; minimum degree far fewer.
TEST(MinimumDegreeOrder, BeatsTheRowOrderOnAGrid) {
  const int k = 30;
  Graph grid{k * k, {}};
  for (int i = 0; i < k * k; ++i) {
    if (i % k > 0) grid.edges.push_back({i - 1, i});
    if (i >= k) grid.edges.push_back({i - k, i});
  }
  const Ints size(static_cast<std::size_t>(grid.vertices), 1);
  Ints rows(size.size());
  std::iota(rows.begin(), rows.end(), 0);
  const Elimination plain = eliminate(grid, size, rows);
  const Elimination best = eliminate(grid, size, minimum_degree_order(grid, size));
  EXPECT_LT(2 * best.fill, plain.fill);
  EXPECT_LT(2 * sum(best.factor_flops), sum(plain.factor_flops));
}

TEST(Eliminate, TakesAnEmptyPattern) {
  const Elimination result = eliminate({0, {}}, Ints{}, Ints{});
  EXPECT_EQ(result.entries, 0);
  EXPECT_EQ(critical_path(result, Reals{}), 0);
  EXPECT_TRUE(minimum_degree_order({0, {}}, Ints{}).empty());
}

}  // namespace
}  // namespace espalier::graph
