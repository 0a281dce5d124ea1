#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "espalier/comm/collectives.hpp"
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
    const Link& link = scene.links[static_cast<std::size_t>(at->second)];
    const Vector3d material(link.a == id ? link.on_a.data() : link.on_b.data());
    const Vector3d point = place(body, body.q_mid, material);
    const double drift = 1e-2 * (1 + material.norm());
    include(reach, point.array() - drift);
    include(reach, point.array() + drift);
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

struct Travelling {
  Body body;
  std::array<double, 6> reach{};
};

Travelling pack(const Present& present) {
  Travelling sent{present.body, {}};
  Eigen::Map<Vector3d>(sent.reach.data()) = present.reach.low;
  Eigen::Map<Vector3d>(sent.reach.data() + 3) = present.reach.high;
  return sent;
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

struct Outgoing {
  std::vector<std::vector<Travelling>> bodies;
  std::vector<std::vector<Reaction>> reactions;
};

Outgoing pack_all(const comm::Comm& comm, Domain& domain) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  Outgoing out{std::vector<std::vector<Travelling>>(ranks), std::vector<std::vector<Reaction>>(ranks)};
  const auto index = by_body(domain.reactions);
  std::vector<int> now;
  for (Present& present : domain.bodies) {
    find_ranks(comm, domain, present.reach, now);
    for (const int rank : now) {
      if (rank == comm.rank()) continue;
      out.bodies[static_cast<std::size_t>(rank)].push_back(pack(present));
      if (std::binary_search(present.ranks.begin(), present.ranks.end(), rank)) continue;
      const std::pair<std::int64_t, std::size_t> first(present.body.id, 0);
      for (auto i = std::lower_bound(index.begin(), index.end(), first);
           i != index.end() && i->first == present.body.id; ++i) {
        out.reactions[static_cast<std::size_t>(rank)].push_back(domain.reactions[i->second]);
      }
    }
    present.ranks = now;
    present.owner = cell_of(domain.cells, position(present.body.q_mid));
  }
  return out;
}

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

void begin_bodies(Domain& domain) {
  for (Present& present : domain.bodies) {
    const Wrench weight{present.body.constants.mass * domain.scene->gravity, Vector3d::Zero()};
    begin_step(present.body, weight, domain.settings.step, domain.settings.implicit);
    present.reach = find_reach(domain, present.body);
  }
}

void place_bodies(const comm::Comm& comm, Domain& domain) {
  const Outgoing out = pack_all(comm, domain);
  const auto bodies = comm::all_to_all_v(comm, out.bodies);
  take_reactions(comm::all_to_all_v(comm, out.reactions), domain.reactions);
  std::erase_if(domain.bodies, [&](const Present& present) {
    return !std::binary_search(present.ranks.begin(), present.ranks.end(), comm.rank());
  });
  for (const auto& list : bodies) {
    for (const Travelling& arrived : list) {
      Present present;
      present.body = arrived.body;
      present.reach = {Vector3d(arrived.reach.data()), Vector3d(arrived.reach.data() + 3)};
      present.owner = cell_of(domain.cells, position(present.body.q_mid));
      find_ranks(comm, domain, present.reach, present.ranks);
      domain.bodies.push_back(std::move(present));
    }
  }
  std::sort(domain.bodies.begin(), domain.bodies.end(),
            [](const Present& a, const Present& b) { return a.body.id < b.body.id; });
}

}  // namespace espalier::contact::detail
