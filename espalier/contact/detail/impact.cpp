#include "espalier/contact/detail/impact.hpp"

#include <algorithm>
#include <array>

#include "espalier/base/disjoint_sets.hpp"
#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/gather_lists.hpp"
#include "espalier/contact/detail/response.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// The share of its restitution that a group keeps is found to a 64th.
constexpr int kHalvings = 6;
// Of what the impulses move: below it, work is rounding and what the solver has left.
constexpr double kLeastGain = 1e-9;

// What one row does to the energy of its bodies.
struct Blow {
  Key key;
  std::array<std::int32_t, 2> bodies{-1, -1};  // that move
  double work = 0, size = 0;                   // R (U + V) / 2 and |R| (|U| + |V| + |B|) / 2 [J]
  bool rebounds = false;
};

// A body, and the group to which it belongs.
struct Member {
  std::int32_t body = 0, group = 0;
};

bool is_rebounding(const Constraint& constraint, const Row& row) {
  return row.law == Law::kContact && constraint.restitution > 0 && row.bias.z() < 0;
}

class Bound {
 public:
  Bound(const comm::Comm& comm, Domain& domain, Prepared& prepared)
      : comm_(comm),
        domain_(domain),
        prepared_(prepared),
        tolerance_(std::max(kLeastGain, 10 * domain.settings.solve.tolerance)) {}

  std::vector<Blow> look(std::span<const Vector3d> R) const {
    Response response(domain_, prepared_);
    response.set(R);
    std::vector<Blow> blows;
    for (int i = 0; i < prepared_.rows.internal; ++i) {
      const auto c = to_index(prepared_.rows.constraint[to_index(i)]);
      const Constraint& constraint = domain_.constraints[c];
      const Row& row = prepared_.laws.rows[to_index(i)];
      const Vector3d& r = R[to_index(i)];
      if (row.law == Law::kContact && r.isZero(0)) continue;
      Blow blow{constraint.key, {moving(prepared_.adjacency.master[c]), moving(prepared_.adjacency.slave[c])}};
      // Joints only tell which bodies belong together.
      if (row.law == Law::kContact) {
        const Body& master = domain_.bodies[to_index(prepared_.adjacency.master[c])].body;
        const Body& slave = domain_.bodies[to_index(prepared_.adjacency.slave[c])].body;
        const Vector3d V = relative_velocity(constraint, master, slave, master.state.u, slave.state.u);
        const Vector3d& B = prepared_.laws.B[to_index(i)];
        const Vector3d U = B + response.at(i);
        // (C29). What the solver leaves is measured against B: at rest that is all there is.
        blow.work = r.dot(U + V) / 2;
        blow.size = r.norm() * (U.norm() + V.norm() + B.norm()) / 2;
        blow.rebounds = is_rebounding(constraint, row);
      }
      blows.push_back(blow);
    }
    return blows;
  }

  // The same on all ranks: bodies rebound, and some contact gives energy.
  bool is_doubtful(const std::vector<Blow>& blows) const {
    const auto any = [&](auto what) { return comm::any_of(comm_, std::any_of(blows.begin(), blows.end(), what)); };
    return any([](const Blow& blow) { return blow.rebounds; }) &&
           any([&](const Blow& blow) { return blow.work > tolerance_ * blow.size; });
  }

  // Groups that gain. Their members, ascending, on all ranks.
  void find_groups(std::vector<Blow> blows) {
    const std::vector<Blow> all = gather(std::move(blows));
    if (comm_.is_root()) join(all);
    members_ = comm::broadcast(comm_, std::move(members_));
    shares_.assign(to_index(comm::broadcast(comm_, groups_)), Share());
  }

  bool has_groups() const { return !shares_.empty(); }

  // What rebounds in a group keeps its share of the restitution that its surfaces have.
  void set_shares() {
    if (own_.empty()) {
      for (const Constraint& constraint : domain_.constraints) own_.push_back(constraint.restitution);
    }
    for (std::size_t c = 0; c < own_.size(); ++c) {
      if (own_[c] == 0) continue;
      const int group = group_of(prepared_.adjacency.master[c], prepared_.adjacency.slave[c]);
      if (group >= 0) domain_.constraints[c].restitution = shares_[to_index(group)].now * own_[c];
    }
    // Whoever assembles rows finds these laws.
    prepared_.laws = make_laws(domain_, prepared_.adjacency, prepared_.rows);
  }

  // Bisection of all shares at once, by what their last values have done.
  void halve(std::vector<Blow> blows, bool is_last) {
    const std::vector<Blow> all = gather(std::move(blows));
    if (comm_.is_root()) {
      const std::vector<Sum> sums = sums_of(all);
      for (std::size_t g = 0; g < shares_.size(); ++g) {
        Share& share = shares_[g];
        (sums[g].work > tolerance_ * sums[g].size ? share.gains : share.loses) = share.now;
      }
    }
    for (Share& share : shares_) share.now = is_last ? share.loses : (share.gains + share.loses) / 2;
    shares_ = comm::broadcast(comm_, std::move(shares_));
  }

 private:
  // Restitution with which a group gains and loses energy, against its own.
  struct Share {
    double gains = 1, loses = 0, now = 0.5;
  };
  struct Sum {
    double work = 0, size = 0;
    bool rebounds = false;
  };

  std::int32_t moving(int place) const {
    // A record of another rank's constraint may name a body that is not here.
    if (place < 0) return -1;
    const LocalBody& local = domain_.bodies[to_index(place)];
    return is_obstacle(local) ? -1 : static_cast<std::int32_t>(local.body.id);
  }

  // On the root by key: sums do not depend on who had which row.
  std::vector<Blow> gather(std::vector<Blow> mine) const {
    std::vector<Blow> all = gather_lists(comm_, std::move(mine));
    std::sort(all.begin(), all.end(), [](const Blow& a, const Blow& b) { return a.key < b.key; });
    return all;
  }

  int group_of_body(std::int32_t body) const {
    const auto found = std::lower_bound(members_.begin(), members_.end(), body,
                                        [](const Member& member, std::int32_t id) { return member.body < id; });
    return found != members_.end() && found->body == body ? found->group : -1;
  }
  int group_of(const Blow& blow) const { return group_of_body(blow.bodies[blow.bodies[0] >= 0 ? 0 : 1]); }
  int group_of(int master, int slave) const {
    const std::int32_t body = moving(master);
    return group_of_body(body >= 0 ? body : moving(slave));
  }

  std::vector<Sum> sums_of(const std::vector<Blow>& all) const {
    std::vector<Sum> sums(to_index(groups_));
    for (const Blow& blow : all) {
      const int group = group_of(blow);
      if (group < 0) continue;
      Sum& sum = sums[to_index(group)];
      sum.work += blow.work;
      sum.size += blow.size;
      sum.rebounds = sum.rebounds || blow.rebounds;
    }
    return sums;
  }

  // Bodies that rows join, numbered from 0; then only those groups that gain.
  void join(const std::vector<Blow>& all) {
    std::vector<std::int32_t> bodies;
    for (const Blow& blow : all) bodies.insert(bodies.end(), blow.bodies.begin(), blow.bodies.end());
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    std::erase(bodies, -1);
    const auto place = [&](std::int32_t body) {
      return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
    };
    DisjointSets sets(bodies.size());
    for (const Blow& blow : all) {
      if (blow.bodies[0] >= 0 && blow.bodies[1] >= 0) sets.join(place(blow.bodies[0]), place(blow.bodies[1]));
    }
    groups_ = static_cast<int>(bodies.size());
    members_.clear();
    for (const std::int32_t body : bodies) members_.push_back({body, sets.find(place(body))});
    const std::vector<Sum> sums = sums_of(all);
    std::vector<int> number(bodies.size(), -1);
    groups_ = 0;
    for (std::size_t g = 0; g < sums.size(); ++g) {
      if (sums[g].rebounds && sums[g].work > tolerance_ * sums[g].size) number[g] = groups_++;
    }
    for (Member& member : members_) member.group = number[to_index(member.group)];
    std::erase_if(members_, [](const Member& member) { return member.group < 0; });
  }

  const comm::Comm& comm_;
  Domain& domain_;
  Prepared& prepared_;
  double tolerance_;
  std::vector<Member> members_;  // ascending bodies
  int groups_ = 0;               // on the root
  std::vector<Share> shares_;
  std::vector<double> own_;  // restitution by constraint [-]
};

}  // namespace

Solved bound_impacts(const comm::Comm& comm, Domain& domain, Prepared& prepared, const Solved& solved,
                     std::span<Vector3d> R) {
  if (!domain.rebounds) return solved;
  Bound bound(comm, domain, prepared);
  // 7.3 Work of the rows, (C29), and groups that gain by it.
  std::vector<Blow> blows = bound.look(R);
  if (!bound.is_doubtful(blows)) return solved;
  bound.find_groups(std::move(blows));
  if (!bound.has_groups()) return solved;
  // 7.4 The largest share of restitution with which each does not.
  Solved all = solved;
  const auto solve_again = [&] {
    bound.set_shares();
    const Solved again = solve_together(comm, domain, prepared, R);
    all = {again.converged, all.sweeps + again.sweeps, all.iterations + again.iterations, again.accuracy};
  };
  for (int k = 0; k < kHalvings; ++k) {
    solve_again();
    bound.halve(bound.look(R), k + 1 == kHalvings);
  }
  solve_again();
  return all;
}

}  // namespace espalier::contact::detail
