#include "espalier/contact/detail/correct.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/response.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// Of the smaller shape: what rests overlaps by this, so that its contacts do not come and go.
constexpr double kAllowedOverlap = 1e-4;
// Limits of joints that are passed by less than this, and joints of limits, are left to rounding [m] or [rad].
constexpr double kAllowedPassing = 1e-7;
// What is left of a displacement comes back in the next step: iterations need not end.
constexpr int kIterations = 50;
constexpr double kTolerance = 1e-3;

// Whether anything here is deeper or farther than it may be.
bool is_needed(const Domain& domain) {
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Constraint& constraint = domain.constraints[c];
    if (domain.internal[c] == 0) continue;
    if (constraint.law == Law::kContact && constraint.gap < -constraint.allowed) return true;
    if (constraint.law == Law::kSpring && std::abs(constraint.bias[2]) > kAllowedPassing) return true;
  }
  return false;
}

// The rows of a step once more, for displacements by h instead of velocities: U is now what is added to the velocities
// that the impulses have left, for the way of this step alone.
struct Maker {
  double h, share;
  Laws made = {};

  // (C30) Contacts: the gap at the next mid step is gap + h U. Of what it is short of half of the allowed overlap a
  // share comes back, and nothing else may become as deep.
  void add_contact(const Constraint& constraint, Row row, double U) {
    const double room = (constraint.gap + constraint.allowed / 2 + h * U) / h;
    row.bias.z() = room < 0 ? share * room : room;
    push(row);
  }

  // Limits, of which a share of what is beyond comes back. What is driven stays where it is.
  void add_spring(const Constraint& constraint, Row row, double U) {
    const double beyond = constraint.bias[2];
    const bool is_driven = row.stops[0] == row.stops[1];
    for (double& stop : row.stops) stop = is_driven ? 0 : stop - U;
    // Rounding of the velocities opens no limit.
    row.stops[0] = std::min(row.stops[0], 0.0);
    row.stops[1] = std::max(row.stops[1], 0.0);
    const double left = beyond > 0 ? std::max(0.0, beyond - h * U) : std::min(0.0, beyond - h * U);
    if (!is_driven && left != 0) row.stops[left > 0 ? 0 : 1] = share * left / h;
    row.impulse = row.damping = row.friction = 0;
    push(row);
  }

  void add(const Constraint& constraint, Row row, const Vector3d& U) {
    switch (row.law) {
      case Law::kContact:
        return add_contact(constraint, row, U.z());
      case Law::kSpring:
        return add_spring(constraint, row, U.z());
      case Law::kLink:
        // Its length is exact already.
        row.law = Law::kDirection;
        [[fallthrough]];
      case Law::kPoint:
      case Law::kDirection:
        row.bias.setZero();
        push(row);
    }
  }

  // Measures are told against B: what is asked for stands there.
  void push(Row row) {
    Vector3d B = Vector3d::Zero();
    if (row.law == Law::kContact) std::swap(B.z(), row.bias.z());
    if (row.law == Law::kSpring) {
      B.z() = row.stops[0] > 0 ? -row.stops[0] : row.stops[1] < 0 ? -row.stops[1] : 0;
      for (double& stop : row.stops) stop += B.z();
    }
    made.rows.push_back(row);
    made.B.push_back(B);
  }
};

Laws make_displacement(const Domain& domain, const Prepared& prepared, std::span<const Vector3d> R) {
  Response response(domain, prepared);
  response.set(R);
  Maker maker{domain.settings.step, domain.settings.correction};
  for (int i = 0; i < prepared.rows.internal; ++i) {
    const Constraint& constraint = domain.constraints[to_index(prepared.rows.constraint[to_index(i)])];
    const Vector3d U = prepared.laws.B[to_index(i)] + response.at(i);
    maker.add(constraint, prepared.laws.rows[to_index(i)], U);
  }
  return std::move(maker.made);
}

}  // namespace

double allowed_overlap(const SceneShape& one, const SceneShape& other) {
  double size = std::numeric_limits<double>::infinity();
  for (const SceneShape* shape : {&one, &other}) {
    // Planes and meshes have no size to compare with.
    const double own = shape->geometry.size.norm();
    if (own > 0) size = std::min(size, own);
  }
  return std::isfinite(size) ? kAllowedOverlap * size : 0;
}

void correct_positions(const comm::Comm& comm, Domain& domain, Prepared& prepared, std::span<const Vector3d> R) {
  if (domain.settings.correction <= 0) return;
  if (comm::max(comm, is_needed(domain) ? 1 : 0) == 0) return;
  Laws laws = make_displacement(domain, prepared, R);
  // The solver reads the laws of the step and its options: both are lent.
  std::swap(prepared.laws, laws);
  SolveOptions options{.solver = Solver::kGaussSeidel, .tolerance = kTolerance, .max_sweeps = kIterations};
  std::swap(domain.settings.solve, options);
  std::vector<Vector3d> pushes(R.size(), Vector3d::Zero());
  solve_together(comm, domain, prepared, pushes);
  std::swap(domain.settings.solve, options);
  std::swap(prepared.laws, laws);
  displace_bodies(domain, prepared, comm.rank(), pushes);
}

}  // namespace espalier::contact::detail
