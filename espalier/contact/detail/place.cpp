#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "espalier/base/index.hpp"
#include "espalier/base/result.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/body_data.hpp"
#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/detail/step.hpp"
#include "espalier/contact/detail/stretch.hpp"
#include "espalier/contact/detail/sweep.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

void include(geometry::Box& box, const Vector3d& point) {
  box.low = box.low.cwiseMin(point);
  box.high = box.high.cwiseMax(point);
}

// All of the body's shapes within the margin, its centre, and the points where joints hold it. Contacts and joints of
// the body lie inside.
geometry::Box find_reach(const Domain& domain, const LocalBody& local) {
  const Body& body = local.body;
  const Vector3d centre = position(body.q_mid);
  geometry::Box box{centre, centre};
  const math::Pose pose = mid_pose(body);
  for (std::size_t s = 0; local.shapes && s < local.shapes->size(); ++s) {
    const SceneShape& shape = shapes_of(local)[s];
    const geometry::Box of_shape = geometry::bounds(shape.geometry, pose * shape.pose);
    include(box, of_shape.low);
    include(box, of_shape.high);
  }
  // Rounding of contact points, and joints that have drifted apart.
  const double slack = domain.margin + 1e-9 * (box.high - box.low).norm();
  geometry::Box reach{box.low.array() - slack, box.high.array() + slack};
  // What is met on the way of a fast body is found before it is passed.
  if (is_fast(local, domain.settings.step)) {
    const Vector3d way = way_of(local, domain.settings.step);
    reach.low += way.cwiseMin(0);
    reach.high += way.cwiseMax(0);
  }
  // Joints act at points to which no shape may reach.
  const BodyData& body_data = domain.body_data;
  const auto id = static_cast<std::int32_t>(body.id);
  const auto first = std::lower_bound(body_data.links_of.begin(), body_data.links_of.end(), std::pair(id, 0));
  for (auto at = first; at != body_data.links_of.end() && at->first == id; ++at) {
    include_link(domain, body_data.links[to_index(at->second)], body, reach);
  }
  return reach;
}

void find_ranks(const comm::Comm& comm, const Domain& domain, const geometry::Box& reach, std::vector<int>& ranks) {
  if (domain.settings.storage == Storage::kEfficient) {
    cells_of(domain.cells, reach, ranks);
    return;
  }
  // Redundant storage: everything everywhere.
  ranks.resize(to_index(comm.size()));
  for (int r = 0; r < comm.size(); ++r) ranks[to_index(r)] = r;
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

std::array<double, 6> numbers(const geometry::Box& box) {
  return {box.low.x(), box.low.y(), box.low.z(), box.high.x(), box.high.y(), box.high.z()};
}
geometry::Box box_of(const std::array<double, 6>& numbers) {
  return {Vector3d(numbers.data()), Vector3d(numbers.data() + 3)};
}

Refresh refresh_of(const LocalBody& local) {
  Refresh sent;
  sent.id = local.body.id;
  // A rigid body uses no more than these of its twelve numbers.
  std::copy_n(local.body.q_mid.begin(), 7, sent.q_mid.begin());
  std::copy_n(local.body.state.u.begin(), 6, sent.u.begin());
  std::copy_n(local.body.u_free.begin(), 6, sent.u_free.begin());
  sent.reach = numbers(local.reach);
  return sent;
}

void apply(const Refresh& arrived, LocalBody& local) {
  std::copy_n(arrived.q_mid.begin(), 7, local.body.q_mid.begin());
  std::copy_n(arrived.u.begin(), 6, local.body.state.u.begin());
  std::copy_n(arrived.u_free.begin(), 6, local.body.u_free.begin());
  local.reach = box_of(arrived.reach);
}

// How far what this rank moves reaches out of its cell, along any axis [m].
double overhang(const comm::Comm& comm, const Domain& domain) {
  const geometry::Box& cell = domain.cells.boxes[to_index(comm.rank())];
  double most = 0;
  for (const LocalBody& local : domain.bodies) {
    // Obstacles may reach anywhere and would make neighbours of all ranks.
    if (local.owner != comm.rank() || is_obstacle(local)) continue;
    most = std::max({most, (cell.low - local.reach.low).maxCoeff(), (local.reach.high - cell.high).maxCoeff()});
  }
  return most;
}

// Ranks that may have to do with each other: their cells are not farther apart than anything hangs over. While
// obstacles are shared out, all ranks.
std::vector<int> find_neighbours(const comm::Comm& comm, const Domain& domain, bool everyone) {
  std::vector<int> neighbours;
  // The largest of all ranks, so that neighbours name each other.
  const double reach = comm::max(comm, overhang(comm, domain));
  const geometry::Box& mine = domain.cells.boxes[to_index(comm.rank())];
  for (int rank = 0; rank < comm.size(); ++rank) {
    const geometry::Box& other = domain.cells.boxes[to_index(rank)];
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

// What goes to one neighbour, in one message.
struct Outgoing {
  std::vector<Travelling> bodies = {};
  std::vector<Refresh> refreshes = {};
  std::vector<Reaction> reactions = {};
  BodyDataMessage body_data = {};

  std::vector<std::byte> wrap() const {
    comm::Parcel parcel;
    parcel.put(bodies);
    parcel.put(refreshes);
    parcel.put(reactions);
    body_data.put_into(parcel);
    return parcel.bytes();
  }
};

struct Packer {
  const comm::Comm& comm;
  Domain& domain;
  const std::vector<int>& neighbours;
  std::vector<std::pair<std::int64_t, std::size_t>> index = by_body(domain.reactions);
  std::vector<Outgoing> out = std::vector<Outgoing>(neighbours.size());

  void send_reactions(std::int64_t id, Outgoing& to) {
    for (auto i = std::lower_bound(index.begin(), index.end(), std::pair<std::int64_t, std::size_t>(id, 0));
         i != index.end() && i->first == id; ++i) {
      to.reactions.push_back(domain.reactions[i->second]);
    }
  }

  void pack(LocalBody& local) {
    std::vector<int> now;
    find_ranks(comm, domain, local.reach, now);
    for (const int rank : now) {
      if (rank == comm.rank()) continue;
      // Neighbours were chosen by the largest overhang: whoever this body reaches is among them.
      const auto found = std::lower_bound(neighbours.begin(), neighbours.end(), rank);
      ESPALIER_CHECK(found != neighbours.end() && *found == rank, "a body reaches farther than it was said to");
      Outgoing& to = out[to_index(found - neighbours.begin())];
      const bool known = std::binary_search(local.ranks.begin(), local.ranks.end(), rank);
      // A rank that has the body needs only what has changed; of a pseudo-rigid one that is nearly all.
      if (known && local.body.constants.kind == Kind::kRigid) {
        to.refreshes.push_back(refresh_of(local));
      } else {
        to.bodies.push_back({local.body, numbers(local.reach)});
      }
      // Impulses, joints and shapes came with the body when it was new there.
      if (known) continue;
      send_reactions(local.body.id, to);
      to.body_data.rank = rank;
      to.body_data.pack(domain.body_data, local);
    }
    // By the pose of mid step, from which every rank finds the same.
    local.ranks = std::move(now);
    local.owner = cell_of(domain.cells, position(local.body.q_mid));
  }
};

// Unpacked.
struct Arrived {
  std::vector<Travelling> bodies;
  std::vector<Refresh> refreshes;
};

Arrived take_parcels(const std::vector<std::vector<std::byte>>& parcels, Domain& domain) {
  Arrived arrived;
  bool has_body_data = false;
  for (const std::vector<std::byte>& parcel : parcels) {
    comm::ParcelReader reader(parcel);
    const auto bodies = reader.take<Travelling>();
    const auto refreshes = reader.take<Refresh>();
    const auto reactions = reader.take<Reaction>();
    arrived.bodies.insert(arrived.bodies.end(), bodies.begin(), bodies.end());
    arrived.refreshes.insert(arrived.refreshes.end(), refreshes.begin(), refreshes.end());
    domain.reactions.insert(domain.reactions.end(), reactions.begin(), reactions.end());
    add_body_data(reader, domain.body_data);
    has_body_data = has_body_data || !bodies.empty();
  }
  // Only bodies that are new bring some along.
  if (has_body_data) sort_body_data(domain.body_data);
  return arrived;
}

void sort_reactions(std::vector<Reaction>& reactions) {
  std::sort(reactions.begin(), reactions.end(), [](const Reaction& a, const Reaction& b) { return a.key < b.key; });
  // An impulse may have come twice, once with each of its bodies.
  const auto end = std::unique(reactions.begin(), reactions.end(),
                               [](const Reaction& a, const Reaction& b) { return a.key == b.key; });
  reactions.erase(end, reactions.end());
}

}  // namespace

void place_obstacles(Domain& domain) {
  for (LocalBody& local : domain.bodies) {
    if (is_obstacle(local)) local.reach = find_reach(domain, local);
  }
}

math::Pose mid_pose(const Body& body) {
  if (body.constants.kind != Kind::kPseudoRigid) return {position(body.q_mid), rotation(body.q_mid)};
  // The rotation of F = R U.
  const Eigen::Matrix3d F = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>(body.q_mid.data() + 3);
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {position(body.q_mid), Eigen::Quaterniond(Eigen::Matrix3d(svd.matrixU() * svd.matrixV().transpose()))};
}

int find_body(const Domain& domain, std::int64_t id) {
  const auto found = std::lower_bound(domain.bodies.begin(), domain.bodies.end(), id,
                                      [](const LocalBody& local, std::int64_t value) { return local.body.id < value; });
  if (found == domain.bodies.end() || found->body.id != id) return -1;
  return static_cast<int>(found - domain.bodies.begin());
}

void begin_bodies(const comm::Comm& comm, Domain& domain) {
  // Owners alone compute: ghosts get the same bits by message.
  const auto is_computed = [&](const LocalBody& local) { return local.owner == comm.rank() && !is_obstacle(local); };
  for (LocalBody& local : domain.bodies) {
    if (is_computed(local)) go_to_middle(local.body, domain.settings.step);
  }
  // Loads may depend on where other bodies are by then.
  watch(comm, domain);
  for (LocalBody& local : domain.bodies) {
    if (!is_computed(local)) continue;
    begin_step(local.body, load_on(domain, local.body), domain.settings.step, scheme_of(domain.settings));
    stretch_shapes(local);
    local.reach = find_reach(domain, local);
  }
}

void place_bodies(const comm::Comm& comm, Domain& domain, bool everyone) {
  // Obstacles stay where they were put when space was shared out.
  if (everyone) {
    std::erase_if(domain.bodies, [&](const LocalBody& p) { return is_obstacle(p) && p.owner != comm.rank(); });
    forget_sent(domain.body_data);
  }
  const bool is_redundant = domain.settings.storage == Storage::kRedundant;
  const std::vector<int> neighbours = find_neighbours(comm, domain, everyone || is_redundant);
  // 2.1 Owned bodies to whom they reach. Owners follow from the centre at mid step: it may have changed cells.
  Packer packer{comm, domain, neighbours};
  std::vector<char> keep(domain.bodies.size(), 0);
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    LocalBody& local = domain.bodies[i];
    const bool rests = is_obstacle(local) && !everyone;
    if (local.owner == comm.rank() && !rests) {
      // After a cut nobody else has it any more.
      if (everyone && is_obstacle(local)) local.ranks.clear();
      packer.pack(local);
      // A body that has left the cell altogether is its new owner's alone.
      keep[i] = std::binary_search(local.ranks.begin(), local.ranks.end(), comm.rank()) ? 1 : 0;
    } else if (rests) {
      keep[i] = 1;
    }
  }
  // 2.2 One message per neighbour.
  std::vector<std::vector<std::byte>> parcels;
  for (const Outgoing& out : packer.out) parcels.push_back(out.wrap());
  // What was packed is in the parcels: its memory is free before theirs arrive.
  packer.out.clear();
  const Arrived arrived = take_parcels(comm::exchange(comm, neighbours, parcels), domain);
  sort_reactions(domain.reactions);
  // 2.3 What is said of a ghost arrives with it; whose it is, and who else has it, follows from boxes and cells.
  const auto renew = [&](LocalBody& local) {
    local.owner = cell_of(domain.cells, position(local.body.q_mid));
    find_ranks(comm, domain, local.reach, local.ranks);
  };
  for (const Refresh& refresh : arrived.refreshes) {
    const int place = find_body(domain, refresh.id);
    ESPALIER_CHECK(place >= 0, "a copy is to be refreshed that is not here");
    apply(refresh, domain.bodies[to_index(place)]);
    renew(domain.bodies[to_index(place)]);
    keep[to_index(place)] = 1;
  }
  // 2.4 What stays and what is new, by id. The rest has left this cell.
  std::vector<LocalBody> now;
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    if (keep[i] != 0) now.push_back(std::move(domain.bodies[i]));
  }
  for (const Travelling& body : arrived.bodies) {
    now.push_back({body.body, box_of(body.reach), 0, {}, find_shapes(domain.body_data, body.body.constants.shapes)});
    renew(now.back());
  }
  std::sort(now.begin(), now.end(), [](const LocalBody& a, const LocalBody& b) { return a.body.id < b.body.id; });
  domain.bodies = std::move(now);
  if (everyone) drop_body_data(domain);
}

}  // namespace espalier::contact::detail
