#pragma once

// Slopes of several states at once, a state a lane: evaluation.hpp, for the equation of ode.hpp. Every slope has
// the bits that derivative() gives.

#include <bitset>
#include <memory>
#include <span>
#include <vector>

#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/ode.hpp"
#include "espalier/dynamics/evaluation.hpp"

namespace espalier::dynamics::detail {

// Memory of all lanes; made at its first use, and anew where other rows are left out.
struct OdeBatch {
  // `count` states to be filled, of at most kBatch.
  std::span<Point> points(const Ode& ode, std::size_t count);

  std::vector<Point> point;
  std::unique_ptr<BatchWorkspace> work;
  std::vector<bool> dropped;  // of `work`
  Lanes time;
  std::vector<Lanes> q, v;
  Eigen::VectorXd effort, lambda;  // of one lane
};

// A state whose slope is asked for, and where it goes.
struct SlopeAt {
  double time = 0;  // [s]
  const Eigen::VectorXd* y = nullptr;
  Eigen::VectorXd* f = nullptr;
};

// f(t, y) of each, with the rows that `like` has chosen; leaves its memory and its counts alone. The lanes whose slope
// is finite; none where any joint has no inertia to move.
std::bitset<kBatch> derivatives_of(const Ode& like, std::span<const SlopeAt> asked, OdeBatch& batch);

// Poses and velocities of a lane to the memory of `ode`, for update_links(). What else an evaluation leaves there is
// not brought along.
void take_motion(const OdeBatch& batch, int lane, Ode& ode);

// As if derivative() were called for one point after the other until one fails, but for the memory of the evaluation:
// it is left at the point that failed, and means nothing where none did.
bool derivatives(Ode& ode, std::span<Point> points, OdeBatch& batch);

}  // namespace espalier::dynamics::detail
