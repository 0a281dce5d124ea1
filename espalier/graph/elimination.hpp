#pragma once

// What a block LDL^T factorisation of a symmetric matrix will cost, from its pattern alone.
//
// The vertices of the pattern are the blocks; block k has size[k] scalar columns, all of whose diagonal block is
// counted as full. An edge is a block pair that is not zero. Eliminating a block joins all its remaining neighbours.
// Let r be the entries below the diagonal in one scalar column of L. The column then takes
//   r divisions by the pivot, r (r+1)/2 multiplications and as many subtractions   r (r+2) flops to factorise
//   r multiplications and subtractions forwards, 1 division, the same backwards    4 r + 1 flops to solve
// A block of s columns with c rows below its diagonal block has r = c + s-1, ..., c. [Liu90] for the elimination tree.

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/graph/graph.hpp"

namespace espalier::graph {

struct Elimination {
  std::vector<int> order;            // the blocks as they are eliminated
  std::vector<int> parent;           // elimination tree by block: the first block eliminated later in its column of L,
                                     // which waits for it; -1: none
  std::vector<int> blocks;           // by block: blocks of L below its diagonal block
  std::vector<int> rows;             // by block: c, the scalar rows of those
  std::vector<double> factor_flops;  // by block [-]
  std::vector<double> solve_flops;   // by block, forwards and backwards together [-]
  std::int64_t fill = 0;             // blocks of L below the diagonal that are zero in the pattern
  std::int64_t entries = 0;          // scalar entries of L below the diagonal
};

// `order` lists every block once; `size` is by block, none negative. Parallel edges and self loops say nothing new.
// O(blocks of L) time, O(V + E) memory.
Elimination eliminate(const Graph& pattern, std::span<const int> size, std::span<const int> order);

// The longest sum of `cost` (by block) from a leaf of the elimination tree to its root: the time that no number of
// workers beats, where a block waits for its children and one worker does a block. O(V).
double critical_path(const Elimination& elimination, std::span<const double> cost);

// No schedule for so many workers is faster: the critical path, or all work shared evenly. O(V).
double least_time(const Elimination& elimination, std::span<const double> cost, int workers);

// The reference order: each step eliminates the block with the fewest scalar rows below it, of equal ones the lowest,
// and with it, in increasing order, all blocks whose neighbours it has just joined to each other: they add no fill.
// Exact degrees in a quotient graph [George89]. Time and memory stay near the size of L on patterns of local loops.
std::vector<int> minimum_degree_order(const Graph& pattern, std::span<const int> size);

}  // namespace espalier::graph
