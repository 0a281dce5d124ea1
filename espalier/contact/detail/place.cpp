#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "espalier/base/check.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

void include(Box& box, const Vector3d& point) {
  box.low = box.low.cwiseMin(point);
  box.high = box.high.cwiseMax(point);
}

// All of the body's shapes within the margin, its centre, and the points where joints hold it. Contacts and joints of
// the body lie inside.
Box find_reach(const Domain& domain, const Body& body) {
  const Scene& scene = *domain.scene;
  const Vector3d centre = position(body.q_mid);
  Box box{centre, centre};
  const math::Pose pose = mid_pose(body);
  for (int s = body.constants.shape_begin; s < body.constants.shape_end; ++s) {
    const SceneShape& shape = scene.shapes[static_cast<std::size_t>(s)];
    const Box of_shape = bounds(shape.geometry, pose * shape.pose);
    include(box, of_shape.low);
    include(box, of_shape.high);
  }
  // Rounding of contact points, and joints that have drifted apart.
  const double slack = scene.margin + 1e-9 * (box.high - box.low).norm();
  Box reach{box.low.array() - slack, box.high.array() + slack};
  const auto id = static_cast<std::int32_t>(body.id);
  const auto first = std::lower_bound(scene.links_of.begin(), scene.links_of.end(), std::pair(id, 0));
  for (auto at = first; at != scene.links_of.end() && at->first == id; ++at) {
    include_link(domain, scene.links[static_cast<std::size_t>(at->second)], body, reach);
  }
  return reach;
}

void find_ranks(const comm::Comm& comm, const Domain& domain, const Box& reach, std::vector<int>& ranks) {
  if (domain.settings.storage == Storage::kEfficient) {
    cells_of(domain.cells, reach, ranks);
    return;
  }
  ranks.resize(static_cast<std::size_t>(comm.size()));
  for (int r = 0; r < comm.size(); ++r) ranks[static_cast<std::size_t>(r)] = r;
}

// A body that is new to a rank.
struct Travelling {
  Body body;
  std::array<double, 6> reach{};
};

// What changes of a rigid body that the rank has already: q_mid, u, u_free, reach.
struct Refresh {
  std::int64_t id = 0;
  std::array<double, 7> q_mid{};
  std::array<double, 6> u{}, u_free{}, reach{};
};

std::array<double, 6> numbers(const Box& box) {
  return {box.low.x(), box.low.y(), box.low.z(), box.high.x(), box.high.y(), box.high.z()};
}
Box box_of(const std::array<double, 6>& numbers) { return {Vector3d(numbers.data()), Vector3d(numbers.data() + 3)}; }

Refresh refresh_of(const Present& present) {
  Refresh sent;
  sent.id = present.body.id;
  std::copy_n(present.body.q_mid.begin(), 7, sent.q_mid.begin());
  std::copy_n(present.body.state.u.begin(), 6, sent.u.begin());
  std::copy_n(present.body.u_free.begin(), 6, sent.u_free.begin());
  sent.reach = numbers(present.reach);
  return sent;
}

void apply(const Refresh& arrived, Present& present) {
  std::copy_n(arrived.q_mid.begin(), 7, present.body.q_mid.begin());
  std::copy_n(arrived.u.begin(), 6, present.body.state.u.begin());
  std::copy_n(arrived.u_free.begin(), 6, present.body.u_free.begin());
  present.reach = box_of(arrived.reach);
}

bool stands(const Present& present) { return present.body.constants.kind == Kind::kObstacle; }

// How far what this rank moves reaches out of its cell, along any axis [m].
double overhang(const comm::Comm& comm, const Domain& domain) {
  const Box& cell = domain.cells.boxes[static_cast<std::size_t>(comm.rank())];
  double most = 0;
  for (const Present& present : domain.bodies) {
    if (present.owner != comm.rank() || stands(present)) continue;
    most = std::max({most, (cell.low - present.reach.low).maxCoeff(), (present.reach.high - cell.high).maxCoeff()});
  }
  return most;
}

// Ranks that may have to do with each other: their cells are not farther apart than anything hangs over. While
// obstacles are shared out, all ranks.
std::vector<int> find_neighbours(const comm::Comm& comm, const Domain& domain, bool everyone) {
  std::vector<int> neighbours;
  const double reach = comm::max(comm, overhang(comm, domain));
  const Box& mine = domain.cells.boxes[static_cast<std::size_t>(comm.rank())];
  for (int rank = 0; rank < comm.size(); ++rank) {
    const Box& other = domain.cells.boxes[static_cast<std::size_t>(rank)];
    const bool near = ((mine.low.array() - reach) <= other.high.array()).all() &&
                      ((other.low.array() - reach) <= mine.high.array()).all();
    if (rank != comm.rank() && (everyone || near)) neighbours.push_back(rank);
  }
  return neighbours;
}

// The impulses of the last step on each body: places in Domain::reactions, by body id.
std::vector<std::pair<std::int64_t, std::size_t>> by_body(const std::vector<Reaction>& reactions) {
  std::vector<std::pair<std::int64_t, std::size_t>> result;
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    result.emplace_back(reactions[i].key.master, i);
    result.emplace_back(reactions[i].key.slave, i);
  }
  std::sort(result.begin(), result.end());
  return result;
}

// By neighbour.
struct Outgoing {
  std::vector<std::vector<Travelling>> bodies;
  std::vector<std::vector<Refresh>> refreshes;
  std::vector<std::vector<Reaction>> reactions;
};

struct Packer {
  const comm::Comm& comm;
  Domain& domain;
  const std::vector<int>& neighbours;
  std::vector<std::pair<std::int64_t, std::size_t>> index = by_body(domain.reactions);
  Outgoing out = {std::vector<std::vector<Travelling>>(neighbours.size()),
                  std::vector<std::vector<Refresh>>(neighbours.size()),
                  std::vector<std::vector<Reaction>>(neighbours.size())};

  void send_reactions(std::int64_t id, std::size_t neighbour) {
    for (auto i = std::lower_bound(index.begin(), index.end(), std::pair<std::int64_t, std::size_t>(id, 0));
         i != index.end() && i->first == id; ++i) {
      out.reactions[neighbour].push_back(domain.reactions[i->second]);
    }
  }

  void pack(Present& present) {
    std::vector<int> now;
    find_ranks(comm, domain, present.reach, now);
    for (const int rank : now) {
      if (rank == comm.rank()) continue;
      const auto found = std::lower_bound(neighbours.begin(), neighbours.end(), rank);
      ESPALIER_CHECK(found != neighbours.end() && *found == rank, "a body reaches farther than it was said to");
      const auto neighbour = static_cast<std::size_t>(found - neighbours.begin());
      const bool known = std::binary_search(present.ranks.begin(), present.ranks.end(), rank);
      if (known && present.body.constants.kind == Kind::kRigid) {
        out.refreshes[neighbour].push_back(refresh_of(present));
      } else {
        out.bodies[neighbour].push_back({present.body, numbers(present.reach)});
      }
      if (!known) send_reactions(present.body.id, neighbour);
    }
    present.ranks = std::move(now);
    present.owner = cell_of(domain.cells, position(present.body.q_mid));
  }
};

void take_reactions(const std::vector<std::vector<Reaction>>& arrived, std::vector<Reaction>& reactions) {
  for (const auto& list : arrived) reactions.insert(reactions.end(), list.begin(), list.end());
  std::sort(reactions.begin(), reactions.end(), [](const Reaction& a, const Reaction& b) { return a.key < b.key; });
  const auto end = std::unique(reactions.begin(), reactions.end(),
                               [](const Reaction& a, const Reaction& b) { return a.key == b.key; });
  reactions.erase(end, reactions.end());
}

}  // namespace

math::Pose mid_pose(const Body& body) {
  if (body.constants.kind != Kind::kPseudoRigid) return {position(body.q_mid), rotation(body.q_mid)};
  // The rotation of F = R U.
  const Eigen::Matrix3d F = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(body.q_mid.data() + 3);
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {position(body.q_mid), Eigen::Quaterniond(Eigen::Matrix3d(svd.matrixU() * svd.matrixV().transpose()))};
}

int find_body(const Domain& domain, std::int64_t id) {
  const auto found =
      std::lower_bound(domain.bodies.begin(), domain.bodies.end(), id,
                       [](const Present& present, std::int64_t value) { return present.body.id < value; });
  if (found == domain.bodies.end() || found->body.id != id) return -1;
  return static_cast<int>(found - domain.bodies.begin());
}

void begin_bodies(Domain& domain, int rank) {
  for (Present& present : domain.bodies) {
    if (present.owner != rank) continue;
    go_to_middle(present.body, domain.settings.step);
    begin_step(present.body, load_on(domain, present.body), domain.settings.step, domain.settings.implicit);
    present.reach = find_reach(domain, present.body);
  }
}

void place_bodies(const comm::Comm& comm, Domain& domain, bool everyone) {
  // Obstacles stay where they were put when space was shared out.
  if (everyone) std::erase_if(domain.bodies, [&](const Present& p) { return stands(p) && p.owner != comm.rank(); });
  const bool is_redundant = domain.settings.storage == Storage::kRedundant;
  const std::vector<int> neighbours = find_neighbours(comm, domain, everyone || is_redundant);
  Packer packer{comm, domain, neighbours};
  std::vector<char> keep(domain.bodies.size(), 0);
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    Present& present = domain.bodies[i];
    const bool rests = stands(present) && !everyone;
    if (present.owner == comm.rank() && !rests) {
      if (everyone && stands(present)) present.ranks.clear();
      packer.pack(present);
      keep[i] = std::binary_search(present.ranks.begin(), present.ranks.end(), comm.rank()) ? 1 : 0;
    } else if (rests) {
      keep[i] = 1;
    }
  }
  const auto bodies = comm::exchange(comm, neighbours, packer.out.bodies);
  const auto refreshes = comm::exchange(comm, neighbours, packer.out.refreshes);
  take_reactions(comm::exchange(comm, neighbours, packer.out.reactions), domain.reactions);
  const auto renew = [&](Present& present) {
    present.owner = cell_of(domain.cells, position(present.body.q_mid));
    find_ranks(comm, domain, present.reach, present.ranks);
  };
  for (const auto& list : refreshes) {
    for (const Refresh& arrived : list) {
      const int place = find_body(domain, arrived.id);
      ESPALIER_CHECK(place >= 0, "a copy is to be refreshed that is not here");
      apply(arrived, domain.bodies[static_cast<std::size_t>(place)]);
      renew(domain.bodies[static_cast<std::size_t>(place)]);
      keep[static_cast<std::size_t>(place)] = 1;
    }
  }
  std::vector<Present> now;
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    if (keep[i] != 0) now.push_back(std::move(domain.bodies[i]));
  }
  for (const auto& list : bodies) {
    for (const Travelling& arrived : list) {
      now.push_back({arrived.body, box_of(arrived.reach), 0, {}});
      renew(now.back());
    }
  }
  std::sort(now.begin(), now.end(), [](const Present& a, const Present& b) { return a.body.id < b.body.id; });
  domain.bodies = std::move(now);
}

}  // namespace espalier::contact::detail
