#pragma once

// A plan as the arrays of [Wang97]: what a program that computes along the tree reads. Here alone everything is counted
// from 1, as the paper does: entry v - 1 of an array belongs to vertex v, and 0 is "no vertex".

#include <cstddef>
#include <cstdint>
#include <vector>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/plan/plan.hpp"

namespace espalier::plan {

struct TopologyArrays {
  std::vector<int> parent;                // PR: by vertex, its parent; 0 for a root
  std::vector<int> cut;                   // CUT: by edge, 1 if it is cut and 0 if it is in the tree
  std::vector<int> forward;               // all vertices, parents before children
  std::vector<int> backward;              // the same from the tips to the root
  std::vector<std::vector<int>> levels;   // vertices by the number of joints up to their root, each increasing
  std::vector<std::vector<int>> chains;   // for each tip, by increasing number: the vertices from its root to it
  std::vector<std::vector<int>> loops;    // one a cut edge: its edges in cyclic order, the cut one first
  std::vector<std::vector<int>> centres;  // by root of the plan: all centres of its piece, increasing
  std::vector<int> critical_branch;       // the vertices from a root to the farthest tip
  double graph_weight = 0;                // WG: sum of w over all edges
  double tree_weight = 0;                 // WT: sum of w over the tree
  bool whole = true;                      // false if chains or loops were left out because of `most`
};

// Chains and loops together may be far larger than the graph: they end where their entries would pass `most`.
TopologyArrays make_arrays(const Plan& plan, std::size_t most = SIZE_MAX);

// Row by row.
template <class T>
struct Table {
  int rows = 0;
  int columns = 0;
  std::vector<T> entries;

  const T& at(int row, int column) const { return entries[place(row, column)]; }
  T& at(int row, int column) { return entries[place(row, column)]; }
  std::size_t place(int row, int column) const { return to_index(row) * to_index(columns) + to_index(column); }
};

struct EdgeEntry {
  int a = 0;  // vertices, from 1
  int b = 0;
  double weight = 0;
};

struct TopologyMatrices {
  Table<int> incidence;          // vertex by edge: how many ends of the edge lie on the vertex (2 for a joint of a body
                                 // with itself)
  Table<int> path;               // vertex i by vertex j: 1 if i lies on the way from the root to j; i = j is 1
  Table<double> adjacency;       // vertex by vertex: the weight of the edge between them, the lightest of several; 0
                                 // for none; the largest weight of the graph on the diagonal
  std::vector<EdgeEntry> edges;  // the edge array, in edge order
  Table<int> plain_adjacency;    // vertex by vertex: 1 where an edge joins the two, else 0, and so on the diagonal
};

// The largest number of entries that a matrix may have.
inline constexpr std::size_t kMostMatrixEntries = 4'000'000;

// An error for a graph whose matrices would be larger than that: V^2 or V E entries.
Result<TopologyMatrices> make_matrices(const Plan& plan);

}  // namespace espalier::plan
