#pragma once

// Who has which part of space: recursive coordinate bisection. The cells tile all of space; every rank knows all of
// them, P cells and P - 1 cuts.
//   In:   weighted points, spread over the ranks
//   Out:  Cells, the same on every rank
// The answers of the engine do not depend on the cells: they decide only where things are computed.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/comm/comm.hpp"
#include "espalier/contact/settings.hpp"
#include "espalier/geometry/geometry.hpp"

namespace espalier::contact::detail {

struct Zoltan;

struct Cells {
  // What lies at or above the cut along the axis goes to `high`, which has the higher ranks. A child below 0 is a rank:
  // ~child.
  struct Cut {
    int axis = 0;
    double at = 0;
    int low = -1, high = -1;
  };
  std::vector<Cut> cuts;                // the first is the root; none: all of space is rank 0's
  std::vector<geometry::Box> boxes;     // by rank; infinite where a cell is open
  std::shared_ptr<Zoltan> zoltan = {};  // what Zoltan remembers of its cuts
};

struct WeightedPoint {
  std::array<double, 3> x{};
  double weight = 1;  // more than 0
};

// All of space cut in halves by weight along the longest side of what a cell holds; ranks are shared out as evenly as
// their number allows. Cut directions of `before`, where given, are kept, so that little moves ([Devine02] calls it
// locked directions). A rank may be left without points.
// Collective. O(points log) for each of log2 P levels; messages do not grow with the points.
Cells bisect(const comm::Comm& comm, std::span<const WeightedPoint> points, Bisection by = Bisection::kOwn,
             const Cells* before = nullptr);

int cell_of(const Cells& cells, const Eigen::Vector3d& point);
// Ranks whose cells the box meets, ascending. Replaces what `ranks` holds.
void cells_of(const Cells& cells, const geometry::Box& box, std::vector<int>& ranks);

// Largest weight of a rank against the mean. Collective.
double imbalance(const comm::Comm& comm, double weight_here);

}  // namespace espalier::contact::detail
