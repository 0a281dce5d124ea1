#include "espalier/contact/detail/balance.hpp"

#include <algorithm>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

std::array<double, 3> centre(const LocalBody& local) {
  const Vector3d x = position(local.body.state.q);
  return {x.x(), x.y(), x.z()};
}

// What the narrow phase has to look at.
std::int64_t vertices_of(const LocalBody& local) {
  std::int64_t vertices = 0;
  for (std::size_t s = 0; local.shapes && s < local.shapes->size(); ++s) {
    const geometry::Geometry& geometry = (*local.shapes)[s].geometry;
    vertices += geometry.polyhedron ? static_cast<std::int64_t>(geometry.polyhedron->vertices.size()) : 1;
  }
  return vertices;
}

// The body at `place`: how many velocities it has and how many constraints hold it.
struct Held {
  double velocities = 0, constraints = 0;
};
Held held_of(const Domain& domain, const Adjacency& adjacency, int place) {
  // A record may name a body that is not here.
  if (place < 0) return {};
  const auto i = to_index(place);
  return {static_cast<double>(velocity_size(domain.bodies[i].body.constants.kind)),
          static_cast<double>(adjacency.begin[i + 1] - adjacency.begin[i])};
}

// Velocities of the bodies that a constraint holds: what a row reads and changes.
double moved_by(const Domain& domain, const Adjacency& adjacency, std::size_t c) {
  return held_of(domain, adjacency, adjacency.master[c]).velocities +
         held_of(domain, adjacency, adjacency.slave[c]).velocities;
}

bool holds_one_body(const Domain& domain, const Constraint& constraint, int slave) {
  return constraint.law != Law::kContact && slave >= 0 && is_obstacle(domain.bodies[to_index(slave)]);
}

std::vector<WeightedPoint> count_objects(const Domain& domain, int rank) {
  std::vector<WeightedPoint> points;
  for (const LocalBody& local : domain.bodies) {
    if (local.owner == rank && !is_obstacle(local)) points.push_back({centre(local), 1});
  }
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] != 0) points.push_back({domain.constraints[c].point, 1});
  }
  return points;
}

// Seconds for each.
struct Rates {
  double body = 0, vertex = 0, velocity = 0;
};

Rates measure_rates(const comm::Comm& comm, const Workload& load) {
  // Three times, then the work that each was spent on, in the same order.
  std::array<double, 6> sums = {load.bodies,
                                load.detect,
                                load.rows,
                                static_cast<double>(load.body_count),
                                static_cast<double>(load.vertices),
                                load.moved_by_rows};
  comm::sum(comm, std::span<double>(sums));
  // All ranks' time over all ranks' work: one rank's clock says little about a handful of bodies.
  const auto rate = [&](std::size_t k) { return sums[k + 3] > 0 ? sums[k] / sums[k + 3] : 0; };
  return {rate(0), rate(1), rate(2)};
}

std::vector<WeightedPoint> weigh_by_time(const Domain& domain, int rank, const Rates& rates) {
  std::vector<WeightedPoint> points;
  for (const LocalBody& local : domain.bodies) {
    if (local.owner != rank || is_obstacle(local)) continue;
    points.push_back({centre(local), rates.body + rates.vertex * static_cast<double>(vertices_of(local))});
  }
  const Adjacency adjacency = make_adjacency(domain);
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] == 0) continue;
    points.push_back({domain.constraints[c].point, rates.velocity * moved_by(domain, adjacency, c)});
  }
  return points;
}

}  // namespace

std::vector<WeightedPoint> weigh_by_formula(const Domain& domain, int rank, double factor) {
  std::vector<WeightedPoint> points;
  std::vector<double> alone(domain.bodies.size(), 0);  // weights of constraints that hold one body alone
  const Adjacency adjacency = make_adjacency(domain);
  // (C20). What holds one body alone goes with that body, (C21).
  const auto add = [&](const Constraint& constraint, int master, int slave) {
    double weight = 0;
    for (const int place : {master, slave}) {
      const Held held = held_of(domain, adjacency, place);
      // Each other constraint of a body is one more block in the row.
      weight += held.velocities + factor * held.velocities * (held.constraints - 1);
    }
    if (holds_one_body(domain, constraint, slave)) {
      alone[to_index(master)] += weight;
    } else {
      points.push_back({constraint.point, weight});
    }
  };
  // Those on an owned body may be another rank's, whose record is here.
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Constraint& constraint = domain.constraints[c];
    const bool single = holds_one_body(domain, constraint, adjacency.slave[c]);
    if (single || domain.internal[c] != 0) add(constraint, adjacency.master[c], adjacency.slave[c]);
  }
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    const LocalBody& local = domain.bodies[i];
    if (local.owner != rank || is_obstacle(local)) continue;
    points.push_back({centre(local), velocity_size(local.body.constants.kind) + alone[i]});
  }
  return points;
}

std::vector<WeightedPoint> weigh(const comm::Comm& comm, const Domain& domain) {
  switch (domain.settings.weighing) {
    case Weighing::kFormula:
      return weigh_by_formula(domain, comm.rank(), domain.settings.weight_factor);
    case Weighing::kCounted:
      return count_objects(domain, comm.rank());
    case Weighing::kMeasured:
      break;
  }
  const Rates rates = measure_rates(comm, domain.load);
  // Nothing has been measured yet.
  if (!(rates.body > 0)) return weigh_by_formula(domain, comm.rank(), 1);
  return weigh_by_time(domain, comm.rank(), rates);
}

bool is_out_of_balance(const Domain& domain) {
  const Workload& load = domain.load;
  const double allowed = domain.settings.imbalance;
  if (load.steps < domain.settings.balance_every) return false;
  // Cutting pays where what was lost by waiting since the last cut is more than that had cost.
  return allowed < 1 || (load.most > allowed * load.mean && load.most - load.mean > load.cost);
}

void share_out(const comm::Comm& comm, Domain& domain) {
  const std::vector<WeightedPoint> points = weigh(comm, domain);
  domain.cells = bisect(comm, points, domain.settings.bisection, domain.is_new ? nullptr : &domain.cells);
  // All points, and those that lie in the cell of another rank by now.
  std::array<std::int64_t, 2> counts = {static_cast<std::int64_t>(points.size()), 0};
  for (const WeightedPoint& point : points) {
    if (cell_of(domain.cells, Vector3d(point.x.data())) != comm.rank()) ++counts[1];
  }
  comm::sum(comm, std::span<std::int64_t>(counts));
  // Measured again for the new cells; what a cut costs is remembered.
  const double cost = domain.load.cost;
  domain.load = {};
  domain.load.cost = cost;
  domain.load.moved = counts[0] > 0 ? static_cast<double>(counts[1]) / static_cast<double>(counts[0]) : 0;
}

void note_efforts(std::span<const Effort> efforts, Domain& domain) {
  double most = 0, sum = 0, balance = 0;
  for (const Effort& effort : efforts) {
    // Without what cutting took: it would be a reason to cut again.
    const double busy = effort.busy - effort.balance;
    most = std::max(most, busy);
    sum += busy;
    balance = std::max(balance, effort.balance);
  }
  Workload& load = domain.load;
  ++load.steps;
  load.most += most;
  load.mean += sum / static_cast<double>(efforts.size());
  // Most steps cut nothing and have no news of the cost.
  if (balance > 0) load.cost = balance;
}

void note_work(const StepTimes& times, const Adjacency& adjacency, int rank, Domain& domain) {
  Workload& load = domain.load;
  load.bodies += times.bodies;
  load.detect += times.broad + times.narrow;
  load.rows += times.assemble + times.solve;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] != 0) load.moved_by_rows += moved_by(domain, adjacency, c);
  }
  for (const LocalBody& local : domain.bodies) {
    if (local.owner != rank || is_obstacle(local)) continue;
    ++load.body_count;
    load.vertices += vertices_of(local);
  }
}

}  // namespace espalier::contact::detail
