#pragma once

// What bounds and search both need to know of a problem, made once: the lightest tree, the excess c of every edge, and
// the shortest paths under mixtures of length and excess.

#include <vector>

#include "espalier/graph/paths.hpp"
#include "espalier/plan/detail/problem.hpp"

namespace espalier::plan::detail {

struct Landscape {
  explicit Landscape(const Problem& given);

  // a l + b c by edge, valid until the next call; infinite where c is, even for b = 0: no tree holds such an edge.
  std::span<const double> mix(double a, double b);

  const Problem& problem;
  graph::Lightest lightest;
  graph::ShortestPaths paths;

 private:
  std::vector<double> mixture_;
};

}  // namespace espalier::plan::detail
