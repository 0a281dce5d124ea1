#include "espalier/contact/detail/gather.hpp"

#include <algorithm>
#include <chrono>

#include <Eigen/LU>

#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct Standing {
  std::int64_t id = 0;
  std::int32_t owner = 0;
  BodyState state;
};

struct Touching {
  Key key;
  ContactPoint contact;
};

template <class T>
std::vector<T> gather_lists(const comm::Comm& comm, std::vector<T> mine) {
  std::vector<std::vector<T>> out(static_cast<std::size_t>(comm.size()));
  out[0] = std::move(mine);
  std::vector<T> all;
  for (const std::vector<T>& list : comm::all_to_all_v(comm, out)) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Standing> gather_standing(const comm::Comm& comm, const Domain& domain) {
  std::vector<Standing> mine;
  for (const Present& present : domain.bodies) {
    if (present.owner == comm.rank()) mine.push_back({present.body.id, comm.rank(), present.body.state});
  }
  std::vector<Standing> all = gather_lists(comm, std::move(mine));
  std::sort(all.begin(), all.end(), [](const Standing& a, const Standing& b) { return a.id < b.id; });
  return all;
}

ContactPoint make_contact(const Constraint& from, double step) {
  ContactPoint contact;
  contact.master = from.key.master;
  contact.slave = from.key.slave;
  contact.point = from.point;
  contact.gap = from.gap;
  const Matrix3d rows = axes(from);
  Eigen::Map<Vector3d>(contact.normal.data()) = rows.row(2);
  Eigen::Map<Vector3d>(contact.force.data()) = rows.transpose() * Vector3d(from.R.data()) / step;
  return contact;
}

std::vector<ContactPoint> gather_contacts(const comm::Comm& comm, const Domain& domain) {
  std::vector<Touching> mine;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Constraint& constraint = domain.constraints[c];
    if (domain.internal[c] == 0 || constraint.law != Law::kContact) continue;
    mine.push_back({constraint.key, make_contact(constraint, domain.settings.step)});
  }
  std::vector<Touching> all = gather_lists(comm, std::move(mine));
  std::sort(all.begin(), all.end(), [](const Touching& a, const Touching& b) { return a.key < b.key; });
  std::vector<ContactPoint> contacts;
  for (const Touching& touching : all) contacts.push_back(touching.contact);
  return contacts;
}

// Angular velocity of F = R U as a whole: the skew part of dF/dt F^-1.
Vector3d spin(const Matrix3d& rate, const Matrix3d& F) {
  const Matrix3d L = rate * F.inverse();
  return Vector3d(L(2, 1) - L(1, 2), L(0, 2) - L(2, 0), L(1, 0) - L(0, 1)) / 2;
}

void append(std::vector<double>& to, const Vector3d& v) { to.insert(to.end(), v.data(), v.data() + 3); }

// `body` as it is at the end of the step, in the frame of its Model.
void add_motion(Body& body, const Vector3d& centre, SceneFrame& frame) {
  body.q_mid = body.state.q;
  const Eigen::Quaterniond R = mid_pose(body).rotation;
  append(frame.body_pose, place(body, body.state.q, -centre));
  for (const double number : {R.w(), R.x(), R.y(), R.z()}) frame.body_pose.push_back(number);
  append(frame.body_velocity, velocity(body, body.state.u, -centre));
  const bool soft = body.constants.kind == Kind::kPseudoRigid;
  append(frame.body_velocity, soft ? spin(Rows(body.state.u.data() + 3), Rows(body.state.q.data() + 3))
                                   : angular_velocity(body, body.state.u));
}

double energy_of_springs(const Scene& scene, const std::vector<Standing>& all) {
  const auto body_at = [&](std::int32_t id) {
    Body body = scene.bodies[static_cast<std::size_t>(id)];
    body.state = all[static_cast<std::size_t>(id)].state;
    body.q_mid = body.state.q;
    return body;
  };
  double sum = 0;
  for (const Link& link : scene.links) {
    if (link.kind != Link::Kind::kHold) sum += energy_of_link(link, body_at(link.a), body_at(link.b));
  }
  return sum;
}

}  // namespace

Clock read_clock(const comm::Comm& comm) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(now).count(), comm.seconds()};
}

RankLoad load_since(const comm::Comm& comm, const Domain& domain, const Clock& before) {
  const Clock now = read_clock(comm);
  RankLoad load;
  load.waiting = now.in_messages - before.in_messages;
  load.busy = now.all - before.all - load.waiting;
  load.bodies = std::count_if(domain.bodies.begin(), domain.bodies.end(),
                              [&](const Present& present) { return present.owner == comm.rank(); });
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] != 0 && domain.constraints[c].law == Law::kContact) ++load.contacts;
  }
  return load;
}

SceneFrame gather_frame(const comm::Comm& comm, const Domain& domain, const RankLoad& load) {
  SceneFrame frame;
  frame.time = domain.time;
  frame.steps = domain.steps;
  const std::vector<Standing> all = gather_standing(comm, domain);
  frame.contacts = gather_contacts(comm, domain);
  frame.ranks = comm::gather(comm, load);
  if (!comm.is_root()) return frame;
  frame.potential = energy_of_springs(*domain.scene, all);
  for (const Standing& standing : all) {
    const auto id = static_cast<std::size_t>(standing.id);
    Body body = domain.scene->bodies[id];
    body.state = standing.state;
    add_motion(body, domain.scene->centres[id], frame);
    frame.owner.push_back(standing.owner);
    const Energy parts = energy(body);
    frame.kinetic += parts.kinetic;
    frame.strain += parts.strain;
    frame.potential -= body.constants.mass * domain.scene->gravity.dot(position(body.state.q));
  }
  return frame;
}

RunState gather_state(const comm::Comm& comm, const Domain& domain, std::int64_t outputs) {
  std::vector<Reaction> mine;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] != 0) mine.push_back({domain.constraints[c].key, domain.constraints[c].R});
  }
  RunState state;
  state.time = domain.time;
  state.steps = domain.steps;
  state.outputs = outputs;
  state.reactions = gather_lists(comm, std::move(mine));
  std::sort(state.reactions.begin(), state.reactions.end(),
            [](const Reaction& a, const Reaction& b) { return a.key < b.key; });
  for (const Standing& standing : gather_standing(comm, domain)) state.bodies.push_back(standing.state);
  return state;
}

}  // namespace espalier::contact::detail
