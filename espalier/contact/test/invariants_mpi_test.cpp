// What holds at every step, on any number of ranks (I1 to I14 of docs/theory/contact.md), and the table of five bodies,
// four constraints and three processors that the distributed form is known by.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/balance.hpp"
#include "espalier/contact/detail/step.hpp"
#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// One body on one rank.
struct Seen {
  std::int64_t id = 0;
  int rank = 0, owner = 0, ranks = 0;
  std::array<double, 12> q{}, u{}, u_free{};
  bool is_obstacle = false;
};

// One constraint on one rank.
struct Held {
  Constraint constraint;
  int rank = 0;
  bool internal = false;
};

// All of all ranks, on every rank.
struct Snapshot {
  std::vector<Seen> bodies;
  std::vector<Held> constraints;
};

Snapshot look_at(const comm::Comm& comm, const Domain& domain) {
  std::vector<Seen> bodies;
  for (const LocalBody& local : domain.bodies) {
    bodies.push_back({local.body.id, comm.rank(), local.owner, static_cast<int>(local.ranks.size()), local.body.q_mid,
                      local.body.state.u, local.body.u_free, local.body.constants.kind == Kind::kObstacle});
  }
  std::vector<Held> constraints;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    constraints.push_back({domain.constraints[c], comm.rank(), domain.internal[c] != 0});
  }
  return {comm::all_gather_v(comm, std::span<const Seen>(bodies)).values,
          comm::all_gather_v(comm, std::span<const Held>(constraints)).values};
}

// I1 to I4 and I11: each body has one owner; copies are where it reaches, and equal to it, and nothing else is stored.
void check_bodies(const Snapshot& all, std::size_t bodies) {
  std::map<std::int64_t, const Seen*> owned;
  std::map<std::int64_t, int> stored;
  for (const Seen& seen : all.bodies) {
    ++stored[seen.id];
    if (seen.owner != seen.rank) continue;
    EXPECT_TRUE(owned.emplace(seen.id, &seen).second) << "body " << seen.id << " has two owners";
  }
  EXPECT_EQ(owned.size(), bodies);
  for (const Seen& seen : all.bodies) {
    ASSERT_TRUE(owned.count(seen.id));
    const Seen& parent = *owned[seen.id];
    EXPECT_EQ(seen.owner, parent.rank);
    EXPECT_EQ(seen.q, parent.q);
    EXPECT_EQ(seen.u, parent.u);
    EXPECT_EQ(seen.u_free, parent.u_free);
    EXPECT_EQ(stored[seen.id], parent.ranks) << "body " << seen.id << " is not exactly where it reaches";
  }
}

bool holds(const Constraint& constraint, std::int64_t id) {
  return constraint.key.master == id || constraint.key.slave == id;
}

// I5 to I7 and I10: each constraint is internal once, where its point lies; its bodies are there, and all their
// constraints.
void check_constraints(const comm::Comm& comm, const Domain& domain, const Snapshot& all) {
  std::map<Key, int> internal;
  for (const Held& held : all.constraints) {
    if (held.internal) ++internal[held.constraint.key];
  }
  for (const auto& [key, times] : internal) EXPECT_EQ(times, 1);
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Constraint& constraint = domain.constraints[c];
    EXPECT_TRUE(internal.count(constraint.key));
    if (domain.internal[c] == 0) continue;
    EXPECT_EQ(cell_of(domain.cells, Vector3d(constraint.point.data())), comm.rank());
    for (const std::int64_t id : {std::int64_t{constraint.key.master}, std::int64_t{constraint.key.slave}}) {
      const int place = find_body(domain, id);
      ASSERT_GE(place, 0);
      if (domain.bodies[to_index(place)].body.constants.kind == Kind::kObstacle) continue;
      const auto is_of_body = [&](const Constraint& other) { return holds(other, id); };
      const auto here = std::count_if(domain.constraints.begin(), domain.constraints.end(), is_of_body);
      const auto anywhere = std::count_if(all.constraints.begin(), all.constraints.end(), [&](const Held& held) {
        return held.internal && is_of_body(held.constraint);
      });
      EXPECT_EQ(here, anywhere) << "row of a constraint on body " << id << " is not complete";
    }
  }
}

// I13: no cell weighs more than the mean by more than one object for each cut above it.
void check_balance(const comm::Comm& comm, const Cells& cells, const std::vector<WeightedPoint>& points) {
  std::vector<double> weight(to_index(comm.size()), 0);
  double heaviest = 0;
  for (const WeightedPoint& point : points) {
    weight[to_index(cell_of(cells, Vector3d(point.x.data())))] += point.weight;
    heaviest = std::max(heaviest, point.weight);
  }
  comm::sum(comm, std::span<double>(weight));
  const double mean = std::accumulate(weight.begin(), weight.end(), 0.0) / comm.size();
  const double cuts = std::ceil(std::log2(comm.size()));
  EXPECT_LE(*std::max_element(weight.begin(), weight.end()), mean + cuts * comm::max(comm, heaviest));
}

struct Block {
  Key row, column;
  std::array<double, 9> value{};
};

// I8: records of others are known to them, and W is symmetric across ranks.
void check_symmetry(const comm::Comm& comm, const Domain& domain, const Prepared& prepared, const Snapshot& all) {
  std::size_t sent = 0, external = 0;
  for (const std::vector<int>& list : prepared.boundary.send) sent += list.size();
  for (const Held& held : all.constraints) external += held.internal ? 0 : 1;
  EXPECT_EQ(comm::sum(comm, sent), external);
  std::vector<Block> blocks;
  const LocalProblem problem = assemble(domain, prepared.adjacency, prepared.deformation_inverse, prepared.rows);
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    for (int k = problem.begin[i]; k < problem.begin[i + 1]; ++k) {
      const auto key_at = [&](int place) { return domain.constraints[prepared.rows.constraint[place]].key; };
      Block block{key_at(static_cast<int>(i)), key_at(problem.column[k]), {}};
      Eigen::Map<Eigen::Matrix3d>(block.value.data()) = problem.block[k];
      blocks.push_back(block);
    }
  }
  std::map<std::pair<Key, Key>, Eigen::Matrix3d> W;
  for (const Block& block : comm::all_gather_v(comm, std::span<const Block>(blocks)).values) {
    W[{block.row, block.column}] = Eigen::Matrix3d(block.value.data());
  }
  for (const auto& [place, block] : W) {
    const auto mirrored = W.find({place.second, place.first});
    ASSERT_NE(mirrored, W.end());
    EXPECT_LE((block - mirrored->second.transpose()).norm(), 1e-12 * block.norm());
  }
}

// I12: momentum changes by weight and by what obstacles push, and by nothing else.

Vector3d total(const comm::Comm& comm, const Vector3d& mine) {
  std::array<double, 3> sum = {mine.x(), mine.y(), mine.z()};
  comm::sum(comm, std::span<double>(sum));
  return Vector3d(sum.data());
}

Vector3d momentum_here(const comm::Comm& comm, const Domain& domain, bool is_weight) {
  Vector3d sum = Vector3d::Zero();
  for (const LocalBody& local : domain.bodies) {
    if (local.owner != comm.rank() || local.body.constants.kind == Kind::kObstacle) continue;
    sum += is_weight ? Vector3d(local.body.constants.mass * domain.gravity) : momentum(local.body)[0];
  }
  return total(comm, sum);
}

Vector3d pushed_by_obstacles(const comm::Comm& comm, const Domain& domain) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Constraint& constraint = domain.constraints[c];
    if (domain.internal[c] != 0 && constraint.key.slave == 0) {
      sum += axes(constraint).transpose() * Vector3d(constraint.R.data());
    }
  }
  return total(comm, sum);
}

// I9 and I14: contacts and impulses are those of one rank alone.
void check_same(const comm::Comm& comm, const Domain& together, const Domain& alone) {
  std::map<Key, std::array<double, 3>> expected;
  for (const Constraint& constraint : alone.constraints) expected[constraint.key] = constraint.R;
  std::size_t internal = 0;
  for (std::size_t c = 0; c < together.constraints.size(); ++c) {
    const auto found = expected.find(together.constraints[c].key);
    ASSERT_NE(found, expected.end());
    EXPECT_EQ(found->second, together.constraints[c].R);
    internal += together.internal[c] != 0 ? 1 : 0;
  }
  EXPECT_EQ(comm::sum(comm, internal), expected.size());
}

TEST(Invariants, HoldAtEveryStepOfAPile) {
  const comm::Comm comm = comm::Comm::world(), serial = comm::Comm::serial();
  const Scene scene = compile_scene(pile(48));
  Settings settings;
  settings.step = 1e-2;
  settings.balance_every = 5;
  settings.imbalance = 0;
  settings.weighing = Weighing::kFormula;
  settings.solve.max_sweeps = 50;
  Domain domain = make_domain(comm, scene, settings), alone = make_domain(serial, scene, settings);
  int most = 0;
  for (int k = 0; k < 60; ++k) {
    const std::vector<WeightedPoint> points = weigh(comm, domain);
    Prepared prepared = prepare_step(comm, domain);
    const Snapshot all = look_at(comm, domain);
    check_bodies(all, scene.bodies.size());
    check_constraints(comm, domain, all);
    check_symmetry(comm, domain, prepared, all);
    if (k % 5 == 0 && k > 0) {  // I13
      EXPECT_TRUE(prepared.shared_out);
      check_balance(comm, domain.cells, points);
    }
    const Vector3d before = momentum_here(comm, domain, false);
    const Vector3d weight = momentum_here(comm, domain, true);
    const StepReport report = finish_step(comm, domain, prepared);
    most = std::max(most, report.contacts);
    const Vector3d change = momentum_here(comm, domain, false) - before;
    const Vector3d given = settings.step * weight + pushed_by_obstacles(comm, domain);
    EXPECT_LE((change - given).norm(), 1e-12 * (1 + weight.norm()));
    step(serial, alone);
    check_same(comm, domain, alone);
  }
  EXPECT_GT(most, 100) << "hardly anything touched";
}

// The cells of three ranks, and five balls in them; what touches is marked by its number.
//
//               a
//               1          rank 2
//     ----------b-------------------
//              /  3   |
//            2    - - d - 4 - e
//            c        |
//          rank 0     |    rank 1
TEST(Invariants, FiveBodiesOnThreeProcessorsAreSharedOutAsKnown) {
  const comm::Comm world = comm::Comm::world();
  if (world.size() < 3) GTEST_SKIP() << "this table is about three ranks";
  const bool takes_part = world.rank() < 3;
  const comm::Comm comm = world.split(takes_part ? 0 : 1);
  if (!takes_part) return;
  model::ModelSpec spec = ground_spec(0.5, 0);
  spec.bodies.front().shapes.clear();
  const auto ball = [&](const char* name, double x, double y, double radius) {
    add_body(spec, name, sphere_shape(radius + 1e-3), {x, y, 0});
  };
  ball("a", -0.2, 2.2, 0.7);
  ball("b", -0.2, 0.5, 1);
  ball("c", -1.1192, -0.2714, 0.2);
  ball("d", 0.1, -1.5, 1.0224);
  ball("e", 1.5, -1.5, 0.3776);
  const Scene scene = compile_scene(spec);
  Domain domain = make_domain(comm, scene, {});
  domain.cells.cuts = {{1, 0, 1, ~2}, {0, 0, ~0, ~1}};
  const double inf = std::numeric_limits<double>::infinity();
  domain.cells.boxes = {
      {{-inf, -inf, -inf}, {0, 0, inf}}, {{0, -inf, -inf}, {inf, 0, inf}}, {{-inf, 0, -inf}, {inf, inf, inf}}};
  prepare_step(comm, domain);

  using Names = std::set<char>;
  const auto name = [](std::int64_t id) { return static_cast<char>('a' + id - 1); };
  // 1 = (a, b), 2 = (b, c), 3 = (b, d), 4 = (d, e).
  const std::map<std::pair<char, char>, char> numbers = {
      {{'a', 'b'}, '1'}, {{'b', 'c'}, '2'}, {{'b', 'd'}, '3'}, {{'d', 'e'}, '4'}};
  Names parents, children, internal, external, minimal;
  for (const LocalBody& local : domain.bodies) {
    if (local.body.id == 0) continue;
    (local.owner == comm.rank() ? parents : children).insert(name(local.body.id));
  }
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Key& key = domain.constraints[c].key;
    const auto number = numbers.find({name(key.master), name(key.slave)});
    ASSERT_NE(number, numbers.end());
    (domain.internal[c] != 0 ? internal : external).insert(number->second);
  }
  // The smallest set that rows need: those that share a body with an internal one.
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] != 0) continue;
    for (std::size_t d = 0; d < domain.constraints.size(); ++d) {
      const Key& key = domain.constraints[c].key;
      const Constraint& own = domain.constraints[d];
      if (domain.internal[d] == 0 || (!holds(own, key.master) && !holds(own, key.slave))) continue;
      minimal.insert(numbers.at({name(key.master), name(key.slave)}));
    }
  }
  const std::array<Names, 3> known_parents = {Names{'c'}, Names{'d', 'e'}, Names{'a', 'b'}};
  const std::array<Names, 3> known_children = {Names{'b', 'd'}, Names{'b'}, Names{}};
  const std::array<Names, 3> known_internal = {Names{'2', '3'}, Names{'4'}, Names{'1'}};
  const std::array<Names, 3> known_minimal = {Names{'1', '4'}, Names{'3'}, Names{'2', '3'}};
  // Ours go to every rank that holds a body of theirs, whether or not it has a row there.
  const std::array<Names, 3> known_external = {Names{'1', '4'}, Names{'1', '2', '3'}, Names{'2', '3'}};
  const auto rank = to_index(comm.rank());
  EXPECT_EQ(parents, known_parents[rank]);
  EXPECT_EQ(children, known_children[rank]);
  EXPECT_EQ(internal, known_internal[rank]);
  EXPECT_EQ(minimal, known_minimal[rank]);
  EXPECT_EQ(external, known_external[rank]);
}

}  // namespace
}  // namespace espalier::contact::detail
