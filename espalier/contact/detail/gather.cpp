#include "espalier/contact/detail/gather.hpp"

#include <algorithm>
#include <chrono>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/gather_lists.hpp"
#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/detail/step.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using model::ContactPoint;
using model::RankLoad;

struct Standing {
  std::int64_t id = 0;
  BodyState state;
};

// A body as a frame shows it.
struct Shown {
  std::int64_t id = 0;
  std::int32_t owner = 0;
  std::array<double, 7> pose{};
  std::array<double, 6> velocity{}, acceleration{};
  double kinetic = 0, potential = 0, strain = 0;
  Kind kind = Kind::kRigid;
  std::array<double, 12> q{};
};

struct Touching {
  Key key;
  ContactPoint contact;
};

// What `make` makes of each owned body and its place here, by id on the root.
template <class T, class Make>
std::vector<T> gather_by_id(const comm::Comm& comm, const Domain& domain, Make make) {
  std::vector<T> mine;
  for (std::size_t i = 0; i < domain.bodies.size(); ++i) {
    // Ghosts are spoken for by their owners.
    if (domain.bodies[i].owner == comm.rank()) mine.push_back(make(domain.bodies[i].body, i));
  }
  std::vector<T> all = gather_lists(comm, std::move(mine));
  // By id: a frame does not tell how many ranks have made it.
  std::sort(all.begin(), all.end(), [](const T& a, const T& b) { return a.id < b.id; });
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
  // R is an impulse: over the step it is a mean force.
  Eigen::Map<Vector3d>(contact.force.data()) = rows.transpose() * Vector3d(from.R.data()) / step;
  return contact;
}

std::vector<ContactPoint> gather_contacts(const comm::Comm& comm, const Domain& domain) {
  std::vector<Touching> mine;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    const Constraint& constraint = domain.constraints[c];
    // Internal ones, so that each contact comes from one rank.
    if (domain.internal[c] == 0 || constraint.law != Law::kContact) continue;
    mine.push_back({constraint.key, make_contact(constraint, domain.settings.step)});
  }
  std::vector<Touching> all = gather_lists(comm, std::move(mine));
  std::sort(all.begin(), all.end(), [](const Touching& a, const Touching& b) { return a.key < b.key; });
  std::vector<ContactPoint> contacts;
  for (const Touching& touching : all) contacts.push_back(touching.contact);
  return contacts;
}

// Velocity of the origin that the Model has, and angular, of a body in the pose of mid step.
void set_velocity(const Body& body, std::array<double, 6>& numbers) {
  Eigen::Map<Vector3d>(numbers.data()) = velocity(body, body.state.u, Vector3d(body.constants.origin.data()));
  Eigen::Map<Vector3d>(numbers.data() + 3) = spin_of(body);
}

// What the step has changed of the velocity, per time.
void set_acceleration(Body body, const BodyState& before, double step, Shown& shown) {
  // A copy: what the next step begins with stays as it is.
  body.state = before;
  body.q_mid = before.q;
  std::array<double, 6> old{};
  set_velocity(body, old);
  for (std::size_t k = 0; k < old.size(); ++k) shown.acceleration[k] = (shown.velocity[k] - old[k]) / step;
}

// `body` as it is at the end of the step, in the frame of its Model.
Shown show(Body body, const Vector3d& gravity, int owner) {
  // Functions of the mid pose are asked about the pose at the end.
  body.q_mid = body.state.q;
  const Eigen::Quaterniond R = mid_pose(body).rotation;
  const Vector3d origin(body.constants.origin.data());
  Shown shown;
  shown.id = body.id;
  shown.owner = owner;
  Eigen::Map<Vector3d>(shown.pose.data()) = place(body, body.state.q, origin);
  Eigen::Map<Eigen::Vector4d>(shown.pose.data() + 3) = Eigen::Vector4d(R.w(), R.x(), R.y(), R.z());
  set_velocity(body, shown.velocity);
  const Energy parts = energy(body);
  shown.kinetic = parts.kinetic;
  shown.strain = parts.strain;
  shown.potential = -body.constants.mass * gravity.dot(position(body.state.q));
  shown.kind = body.constants.kind;
  shown.q = body.state.q;
  return shown;
}

// On the root all links that store energy, by number: owners of either body send them.
std::vector<Link> gather_springs(const comm::Comm& comm, const Domain& domain) {
  const auto is_mine = [&](std::int32_t id) {
    const int place = find_body(domain, id);
    return place >= 0 && domain.bodies[to_index(place)].owner == comm.rank();
  };
  std::vector<Link> mine;
  for (const Link& link : domain.body_data.links) {
    // Ghosts bring links along as well: owners alone speak for them.
    if (stores_energy(link) && (is_mine(link.a) || is_mine(link.b))) mine.push_back(link);
  }
  std::vector<Link> all = gather_lists(comm, std::move(mine));
  std::sort(all.begin(), all.end(), [](const Link& a, const Link& b) { return a.number < b.number; });
  // Owners of both bodies may have sent it.
  const auto same = [](const Link& a, const Link& b) { return a.number == b.number; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

double energy_of(const std::vector<Link>& springs, const std::vector<Shown>& all) {
  const auto body_at = [&](std::int32_t id) {
    // What a spring stores depends on kind and pose alone: no constants travel.
    Body body;
    body.constants.kind = all[to_index(id)].kind;
    body.q_mid = all[to_index(id)].q;
    return body;
  };
  // In the order of numbers, for the same bits on any number of ranks.
  double sum = 0;
  for (const Link& link : springs) sum += energy_of_link(link, body_at(link.a), body_at(link.b));
  return sum;
}

}  // namespace

double read_clock() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

RankLoad load_of(const comm::Comm& comm, const Domain& domain, const StepTimes& times) {
  RankLoad load;
  load.waiting = times.messages;
  load.busy = times.own();
  // The ground is nobody's work.
  load.bodies = std::count_if(domain.bodies.begin(), domain.bodies.end(),
                              [&](const LocalBody& local) { return local.owner == comm.rank() && local.body.id != 0; });
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    if (domain.internal[c] != 0 && domain.constraints[c].law == Law::kContact) ++load.contacts;
  }
  return load;
}

model::Frame gather_frame(const comm::Comm& comm, const Domain& domain, const RankLoad& load, FrameArrays& arrays) {
  model::Frame frame;
  frame.time = domain.time;
  frame.steps = domain.steps;
  const std::vector<Shown> all = gather_by_id<Shown>(comm, domain, [&](const Body& body, std::size_t place) {
    Shown shown = show(body, domain.gravity, comm.rank());
    set_acceleration(body, state_before(domain, place), domain.settings.step, shown);
    return shown;
  });
  const std::vector<Link> springs = gather_springs(comm, domain);
  arrays = {};
  arrays.contacts = gather_contacts(comm, domain);
  arrays.parts = show_parts(comm, domain);
  arrays.ranks = comm::gather(comm, load);
  frame.potential = energy_of(springs, all);
  // In the order of ids, for the same reason as in energy_of().
  for (const Shown& shown : all) {
    arrays.body_pose.insert(arrays.body_pose.end(), shown.pose.begin(), shown.pose.end());
    arrays.body_velocity.insert(arrays.body_velocity.end(), shown.velocity.begin(), shown.velocity.end());
    arrays.body_acceleration.insert(arrays.body_acceleration.end(), shown.acceleration.begin(),
                                    shown.acceleration.end());
    arrays.owner.push_back(shown.owner);
    frame.kinetic += shown.kinetic;
    frame.strain += shown.strain;
    frame.potential += shown.potential;
  }
  // The frame only points to these; the caller keeps them.
  frame.body_pose = arrays.body_pose;
  frame.body_velocity = arrays.body_velocity;
  frame.body_acceleration = arrays.body_acceleration;
  frame.joint_position = arrays.parts.joint_position;
  frame.joint_velocity = arrays.parts.joint_velocity;
  frame.joint_acceleration = arrays.parts.joint_acceleration;
  frame.joint_drive = arrays.parts.joint_drive;
  frame.joint_passive = arrays.parts.joint_passive;
  frame.force = arrays.parts.force;
  frame.owner = arrays.owner;
  frame.contacts = arrays.contacts;
  frame.ranks = arrays.ranks;
  return frame;
}

RunState gather_state(const comm::Comm& comm, const Domain& domain, std::int64_t outputs) {
  std::vector<Reaction> mine;
  for (std::size_t c = 0; c < domain.constraints.size(); ++c) {
    // A record would be there a second time.
    if (domain.internal[c] != 0) mine.push_back({domain.constraints[c].key, domain.constraints[c].R});
  }
  RunState state;
  state.time = domain.time;
  state.steps = domain.steps;
  state.outputs = outputs;
  state.reactions = gather_lists(comm, std::move(mine));
  std::sort(state.reactions.begin(), state.reactions.end(),
            [](const Reaction& a, const Reaction& b) { return a.key < b.key; });
  const auto make = [](const Body& body, std::size_t) { return Standing{body.id, body.state}; };
  for (const Standing& standing : gather_by_id<Standing>(comm, domain, make)) state.bodies.push_back(standing.state);
  return state;
}

}  // namespace espalier::contact::detail
