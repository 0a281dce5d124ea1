#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/detail/step.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

const LocalBody& body_at(const Domain& domain, int place) { return domain.bodies[to_index(place)]; }

bool is_coupled(const LocalBody& local) { return local.body.constants.kind != Kind::kObstacle; }

// Ranks that hold a body of the constraint that moves; ascending.
void holders(const Domain& domain, const Constraint& constraint, std::vector<int>& ranks) {
  ranks.clear();
  for (const std::int64_t id : {std::int64_t{constraint.key.master}, std::int64_t{constraint.key.slave}}) {
    const int place = find_body(domain, id);
    // What stands couples nothing: nobody has to know of it.
    if (place < 0 || !is_coupled(body_at(domain, place))) continue;
    const std::vector<int>& more = body_at(domain, place).ranks;
    std::vector<int> both;
    std::set_union(ranks.begin(), ranks.end(), more.begin(), more.end(), std::back_inserter(both));
    ranks.swap(both);
  }
}

// How constraint `c` holds the body at `place`: handle, and sign of master or slave.
struct Grip {
  Handle handle;
  double sign = 1;
};
Grip grip_of(const Adjacency& adjacency, const Constraint& constraint, int c, int place) {
  const bool is_master = adjacency.master[to_index(c)] == place;
  return {is_master ? on_master(constraint) : on_slave(constraint), is_master ? 1.0 : -1.0};
}

// A gap may close and no more, (C18). Who would close it within the step rebounds at once, by Newton's share of the
// velocity before it: a gap left to close would be taken from the rebound. Overlaps are no matter of velocities.
double contact_bias(const Constraint& contact, double V, double h) {
  const double closing = std::max(contact.gap, 0.0) / h;
  return contact.restitution > 0 && V <= -closing ? contact.restitution * V : closing;
}

Row make_row(const Domain& domain, const Constraint& constraint, const Vector3d& V) {
  Row row;
  row.law = constraint.law;
  const double h = domain.settings.step;
  if (constraint.law == Law::kContact) {
    row.friction = constraint.friction;
    row.bias.z() = contact_bias(constraint, V.z(), h);
    return row;
  }
  if (constraint.law == Law::kSpring) {
    // As joints.cpp has made them, (C19).
    row.impulse = constraint.bias[0];
    row.damping = constraint.bias[1];
    row.friction = constraint.friction;
    row.stops = constraint.stops;
    return row;
  }
  if (constraint.law == Law::kLink) {
    // (C4), link: the way from slave to master, and how long it has to be.
    row.z = Vector3d(constraint.bias.data());
    row.length = constraint.stops[0];
    return row;
  }
  row.held = constraint.held;
  // (C17).
  // The mean of the step's velocities vanishes, and with it the displacement. At the start V is not yet what the joint
  // allows, and would go on for ever with changing sign.
  row.bias = Vector3d(constraint.bias.data());
  // The drift is that of the beginning of the step: the middle's would feed what V does back into V.
  if (domain.steps > 0) row.bias += (1 - domain.settings.joint_correction / 2) * V;
  return row;
}

// How a constraint moves a rigid body it holds: rows times velocity and angular velocity in world axes.
struct Lever {
  Matrix3d shift, turn;  // of v and of w
  Matrix3d turn_by_inertia;
};

Lever make_lever(const Constraint& constraint, const Grip& grip, const Eigen::Quaterniond& R, const Matrix3d& inverse) {
  const Matrix3d rows = grip.sign * axes(constraint);
  Lever lever;
  lever.shift = constraint.turn ? Matrix3d(Matrix3d::Zero()) : rows;
  lever.turn = constraint.turn ? rows : Matrix3d(-rows * math::skew(R * grip.handle.material));
  if (grip.handle.lead != 0) lever.turn += grip.handle.lead * rows;
  lever.turn_by_inertia = lever.turn * inverse;
  return lever;
}

struct Assembler {
  const Domain& domain;
  const Adjacency& adjacency;
  const std::vector<DeformationInverse>& deformation_inverse;
  const RowOrder& rows;
  LocalProblem problem = {};
  std::vector<Lever> levers = {};  // by place in adjacency.of

  void make_levers() {
    levers.resize(adjacency.of.size());
    for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
      const Body& body = domain.bodies[i].body;
      if (body.constants.kind != Kind::kRigid || adjacency.begin[i] == adjacency.begin[i + 1]) continue;
      const Eigen::Quaterniond R = rotation(body.q_mid);
      // Once per body, however many constraints hold it.
      const Matrix3d inverse = inverse_inertia(body);
      for (int k = adjacency.begin[i]; k < adjacency.begin[i + 1]; ++k) {
        const int c = adjacency.of[to_index(k)];
        const Constraint& constraint = domain.constraints[to_index(c)];
        levers[to_index(k)] =
            make_lever(constraint, grip_of(adjacency, constraint, c, static_cast<int>(i)), R, inverse);
      }
    }
  }

  // The share of body `place` in W between two constraints that hold it, given by their places in adjacency.of.
  Matrix3d share(int left, int right, int place) const {
    const Body& body = body_at(domain, place).body;
    if (body.constants.kind == Kind::kRigid) {
      // J^-1 is in one lever already: that half of the product is made once per constraint.
      const Lever& from = levers[to_index(left)];
      const Lever& to = levers[to_index(right)];
      return from.shift * to.shift.transpose() / body.constants.mass + from.turn_by_inertia * to.turn.transpose();
    }
    // Of bodies that are coupled the pseudo-rigid ones are left, which have no levers.
    const int c = adjacency.of[to_index(left)], d = adjacency.of[to_index(right)];
    const Constraint& first = domain.constraints[to_index(c)];
    const Constraint& second = domain.constraints[to_index(d)];
    const Grip grip_left = grip_of(adjacency, first, c, place), grip_right = grip_of(adjacency, second, d, place);
    const Matrix3d G = compliance(body, grip_left.handle, grip_right.handle, &deformation_inverse[to_index(place)]);
    return grip_left.sign * grip_right.sign * (axes(first) * G * axes(second).transpose());
  }

  // Where constraint c stands in the list of the body at `place`.
  int own_place(int c, int place) const {
    const auto first = adjacency.of.begin() + adjacency.begin[to_index(place)];
    const auto last = adjacency.of.begin() + adjacency.begin[to_index(place) + 1];
    return static_cast<int>(std::lower_bound(first, last, c) - adjacency.of.begin());
  }

  // Both bodies' constraints, each once, ascending; a constraint that shares both bodies gets both shares.
  void add_blocks(int c) {
    const std::array<int, 2> places = {adjacency.master[to_index(c)], adjacency.slave[to_index(c)]};
    std::array<int, 2> at{}, end{}, own{};
    for (std::size_t k = 0; k < 2; ++k) {
      at[k] = adjacency.begin[to_index(places[k])];
      end[k] = adjacency.begin[to_index(places[k]) + 1];
      own[k] = own_place(c, places[k]);
    }
    // Both lists are ascending, so that a merge gives the blocks of the row in the order of keys.
    constexpr int kNone = std::numeric_limits<int>::max();
    while (at[0] < end[0] || at[1] < end[1]) {
      const int first = at[0] < end[0] ? adjacency.of[to_index(at[0])] : kNone;
      const int second = at[1] < end[1] ? adjacency.of[to_index(at[1])] : kNone;
      const int d = std::min(first, second);
      Matrix3d block = Matrix3d::Zero();
      // The share of the master first: the order of this sum is the same on every rank.
      if (d == first) block += share(own[0], at[0]++, places[0]);
      if (d == second) block += share(own[1], at[1]++, places[1]);
      if (d == c) problem.diagonal.push_back(static_cast<int>(problem.block.size()));
      problem.column.push_back(rows.place[to_index(d)]);
      problem.block.push_back(block);
    }
  }
};

// Ranks that hold a body that is here and moves. Each names the other.
std::vector<int> sharers(const Domain& domain, int rank) {
  std::vector<int> ranks;
  for (const LocalBody& local : domain.bodies) {
    if (is_coupled(local)) ranks.insert(ranks.end(), local.ranks.begin(), local.ranks.end());
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::erase(ranks, rank);
  return ranks;
}

// By key, where they are: constraints are most of what a rank holds, and a copy of all would double it.
void sort_constraints(Domain& domain) {
  std::vector<Constraint>& all = domain.constraints;
  std::vector<int> from(all.size());
  std::iota(from.begin(), from.end(), 0);
  const auto place = [](int i) { return to_index(i); };
  std::sort(from.begin(), from.end(), [&](int a, int b) { return all[place(a)].key < all[place(b)].key; });
  // Cycle by cycle: each place gets what belongs there, and then stands for itself.
  for (std::size_t start = 0; start < from.size(); ++start) {
    if (place(from[start]) == start) continue;
    const Constraint first = all[start];
    const char internal = domain.internal[start];
    std::size_t to = start;
    while (place(from[to]) != start) {
      const std::size_t next = place(from[to]);
      all[to] = all[next];
      domain.internal[to] = domain.internal[next];
      from[to] = static_cast<int>(to);
      to = next;
    }
    all[to] = first;
    domain.internal[to] = internal;
    from[to] = static_cast<int>(to);
  }
}

// Of all constraints of the body at `place`, R of each by its number.
template <class OfConstraint>
Impulse impulse_on(const Domain& domain, const Adjacency& adjacency, std::size_t place, OfConstraint R) {
  Impulse impulse;
  // By key, so that the sum has the same bits on any number of ranks.
  for (int k = adjacency.begin[place]; k < adjacency.begin[place + 1]; ++k) {
    const int c = adjacency.of[to_index(k)];
    const Constraint& constraint = domain.constraints[to_index(c)];
    const Grip grip = grip_of(adjacency, constraint, c, static_cast<int>(place));
    add_impulse(domain.bodies[place].body, grip.handle, grip.sign * (axes(constraint).transpose() * R(c)), impulse);
  }
  return impulse;
}

}  // namespace

Vector3d relative_velocity(const Constraint& constraint, const Body& master, const Body& slave,
                           const std::array<double, 12>& of_master, const std::array<double, 12>& of_slave) {
  Vector3d difference = Vector3d::Zero();
  if (!constraint.turn) {
    difference = velocity(master, of_master, on_master(constraint).material) -
                 velocity(slave, of_slave, on_slave(constraint).material);
  }
  // A screw has both, n (v + lead w); a row that turns has the angular velocity alone.
  if (constraint.turn || constraint.lead != 0) {
    const Vector3d turning = angular_velocity(master, of_master) - angular_velocity(slave, of_slave);
    difference += constraint.turn ? turning : Vector3d(constraint.lead * turning);
  }
  return axes(constraint) * difference;
}

void exchange_constraints(const comm::Comm& comm, Domain& domain) {
  const std::vector<int> neighbours = sharers(domain, comm.rank());
  std::vector<std::vector<Constraint>> out(neighbours.size());
  std::vector<int> ranks;
  for (const Constraint& constraint : domain.constraints) {
    // To all that hold one of its bodies: their rows feel its impulse.
    holders(domain, constraint, ranks);
    for (const int rank : ranks) {
      if (rank == comm.rank()) continue;
      const auto place = std::lower_bound(neighbours.begin(), neighbours.end(), rank) - neighbours.begin();
      out[to_index(place)].push_back(constraint);
    }
  }
  const auto arrived = comm::exchange(comm, neighbours, out);
  // What is here was found here; what arrives is a record.
  domain.internal.assign(domain.constraints.size(), 1);
  std::size_t all = domain.constraints.size();
  for (const auto& list : arrived) all += list.size();
  // With room to spare, or each step would copy everything once more.
  if (all > domain.constraints.capacity()) domain.constraints.reserve(all + all / 8);
  for (const auto& list : arrived) domain.constraints.insert(domain.constraints.end(), list.begin(), list.end());
  // Records keep a zero; sorting takes both lists along.
  domain.internal.resize(domain.constraints.size(), 0);
  sort_constraints(domain);
}

Adjacency make_adjacency(const Domain& domain) {
  Adjacency adjacency;
  const std::size_t bodies = domain.bodies.size();
  adjacency.begin.assign(bodies + 1, 0);
  adjacency.master.reserve(domain.constraints.size());
  adjacency.slave.reserve(domain.constraints.size());
  const auto is_listed = [&](int place) { return place >= 0 && is_coupled(body_at(domain, place)); };
  for (const Constraint& constraint : domain.constraints) {
    adjacency.master.push_back(find_body(domain, constraint.key.master));
    adjacency.slave.push_back(find_body(domain, constraint.key.slave));
    for (const int place : {adjacency.master.back(), adjacency.slave.back()}) {
      if (is_listed(place)) ++adjacency.begin[to_index(place) + 1];
    }
  }
  for (std::size_t i = 0; i < bodies; ++i) adjacency.begin[i + 1] += adjacency.begin[i];
  adjacency.of.resize(to_index(adjacency.begin.back()));
  std::vector<int> next(adjacency.begin.begin(), adjacency.begin.end() - 1);
  // In the order of constraints, so that the list of each body stands by key.
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    for (const int place : {adjacency.master[c], adjacency.slave[c]}) {
      if (!is_listed(place)) continue;
      adjacency.of[to_index(next[to_index(place)]++)] = static_cast<int>(c);
    }
  }
  return adjacency;
}

std::vector<DeformationInverse> make_deformation_inverses(const Domain& domain) {
  const auto is_soft = [](const LocalBody& local) { return local.body.constants.kind == Kind::kPseudoRigid; };
  if (std::none_of(domain.bodies.begin(), domain.bodies.end(), is_soft)) return {};
  std::vector<DeformationInverse> deformation_inverse(domain.bodies.size());
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    if (is_soft(domain.bodies[i])) {
      deformation_inverse[i] =
          make_deformation_inverse(domain.bodies[i].body, domain.settings.step, scheme_of(domain.settings));
    }
  }
  return deformation_inverse;
}

RowOrder make_row_order(const Domain& domain, const std::vector<int>& colour) {
  RowOrder rows;
  const auto count = static_cast<int>(domain.constraints.size());
  rows.constraint.reserve(domain.constraints.size());
  // Own rows first: places below `internal` are those that this rank solves.
  for (const char wanted : {1, 0}) {
    for (int c = 0; c < count; ++c) {
      if (domain.internal[to_index(c)] == wanted) rows.constraint.push_back(c);
    }
    if (wanted == 1) rows.internal = static_cast<int>(rows.constraint.size());
  }
  if (!colour.empty()) {
    const auto is_before = [&](int a, int b) { return colour[to_index(a)] < colour[to_index(b)]; };
    // Stable: within a colour the order of keys stays.
    std::stable_sort(rows.constraint.begin(), rows.constraint.begin() + rows.internal, is_before);
    std::stable_sort(rows.constraint.begin() + rows.internal, rows.constraint.end(), is_before);
  }
  rows.place.resize(domain.constraints.size());
  for (int i = 0; i < count; ++i) rows.place[to_index(rows.constraint[to_index(i)])] = i;
  return rows;
}

Laws make_laws(const Domain& domain, const Adjacency& adjacency, const RowOrder& rows) {
  Laws laws;
  laws.rows.reserve(to_index(rows.internal));
  laws.B.reserve(to_index(rows.internal));
  for (int i = 0; i < rows.internal; ++i) {
    const auto c = to_index(rows.constraint[to_index(i)]);
    const Constraint& constraint = domain.constraints[c];
    const Body& master = body_at(domain, adjacency.master[c]).body;
    const Body& slave = body_at(domain, adjacency.slave[c]).body;
    const Vector3d V = relative_velocity(constraint, master, slave, master.state.u, slave.state.u);
    laws.rows.push_back(make_row(domain, constraint, V));
    laws.B.push_back(relative_velocity(constraint, master, slave, master.u_free, slave.u_free));
  }
  return laws;
}

LocalProblem assemble(const Domain& domain, const Adjacency& adjacency,
                      const std::vector<DeformationInverse>& deformation_inverse, const RowOrder& rows) {
  Assembler assembler{domain, adjacency, deformation_inverse, rows};
  LocalProblem& problem = assembler.problem;
  Laws laws = make_laws(domain, adjacency, rows);
  // B of (C1): the velocity that no impulse has changed yet, (C13).
  problem.rows = std::move(laws.rows);
  problem.B = std::move(laws.B);
  problem.step = domain.settings.step;
  assembler.make_levers();
  for (int i = 0; i < rows.internal; ++i) {
    assembler.add_blocks(rows.constraint[to_index(i)]);
    problem.begin.push_back(static_cast<int>(problem.column.size()));
  }
  return std::move(problem);
}

Boundary make_boundary(const Domain& domain, int rank) {
  Boundary boundary;
  boundary.neighbours = sharers(domain, rank);
  boundary.send.resize(boundary.neighbours.size());
  boundary.take.resize(boundary.neighbours.size());
  std::vector<int> ranks;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const auto place_of = [&](int r) {
      return to_index(std::lower_bound(boundary.neighbours.begin(), boundary.neighbours.end(), r) -
                      boundary.neighbours.begin());
    };
    // Both ranks list these constraints by key, so that impulses travel without their names.
    if (domain.internal[c] == 0) {
      boundary.take[place_of(cell_of(domain.cells, Vector3d(domain.constraints[c].point.data())))].push_back(
          static_cast<int>(c));
      continue;
    }
    holders(domain, domain.constraints[c], ranks);
    for (const int r : ranks) {
      if (r != rank) boundary.send[place_of(r)].push_back(static_cast<int>(c));
    }
  }
  return boundary;
}

void end_bodies(Domain& domain, const Adjacency& adjacency, const std::vector<DeformationInverse>& deformation_inverse,
                int rank) {
  domain.before.resize(domain.bodies.size());
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    LocalBody& local = domain.bodies[i];
    if (local.owner != rank) continue;
    domain.before[i] = local.body.state.u;
    const Impulse impulse =
        impulse_on(domain, adjacency, i, [&](int c) { return Vector3d(domain.constraints[to_index(c)].R.data()); });
    end_step(local.body, load_on(domain, local.body), impulse, domain.settings.step,
             deformation_inverse.empty() ? nullptr : &deformation_inverse[i]);
  }
}

void displace_bodies(Domain& domain, const Prepared& prepared, int rank, std::span<const Vector3d> pushes) {
  const std::vector<DeformationInverse>& inverses = prepared.deformation_inverse;
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    LocalBody& local = domain.bodies[i];
    if (local.owner != rank || is_obstacle(local)) continue;
    const Impulse push = impulse_on(domain, prepared.adjacency, i,
                                    [&](int c) { return pushes[to_index(prepared.rows.place[to_index(c)])]; });
    displace(local.body, push, domain.settings.step, inverses.empty() ? nullptr : &inverses[i]);
  }
}

}  // namespace espalier::contact::detail
