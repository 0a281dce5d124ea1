#pragma once

// The recursive search over ranks and threads. Whoever computes a sample, its value is the same, and so is the result
// on every number of ranks and threads.

#include <complex>
#include <cstdint>
#include <functional>
#include <span>

#include "espalier/comm/comm.hpp"
#include "espalier/modes/baseline/recursive.hpp"
#include "espalier/modes/mode_set.hpp"

namespace espalier::modes::baseline {

// Items [begin, end) of a rank.
struct Share {
  std::int64_t begin = 0, end = 0;
};

// The literature's shares: p = ceil(items / ranks) for each rank but the last, which has what is left. Where that is
// less than nothing (9 items on 8 ranks), shares end where the items do.
Share published_share(std::int64_t items, int ranks, int rank);

// Collective. By kDynamic or kPaper. Several threads call f at a time, with some points each. The published
// distribution asks for the limit of evaluations in each interval by itself.
SearchResult find_minima(const comm::Comm& comm, const BatchFunction& f, const RecursiveSearch& search,
                         const SpreadOptions& options = {});

// |f|, or anything that grows with it, out of parts that are computed apart.
struct PartedFunction {
  int parts = 0;    // the same on every number of ranks, and so is what they join to
  int numbers = 0;  // of a part
  std::function<void(const Point&, int part, std::span<std::complex<double>> numbers)> compute;
  std::function<double(const Point&, std::span<const std::complex<double>> numbers)> join;  // those of all parts
};

// Collective. By kElements: each rank computes its published share of the parts of a sample, the root joins them. One
// gather a sample, one broadcast a level.
SearchResult find_minima(const comm::Comm& comm, const PartedFunction& f, const RecursiveSearch& search,
                         const SpreadOptions& options = {});

}  // namespace espalier::modes::baseline
