#include "espalier/contact/detail/joints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "espalier/base/index.hpp"
#include "espalier/comm/collectives.hpp"
#include "espalier/contact/detail/step.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/expression.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// Feature of a key: 0 rows that are held, then one for each row of a coordinate, last the row of a screw.
constexpr std::uint32_t kOfCoordinate = 1, kOfVector = 8, kOfScrew = 15;

void set(std::array<double, 3>& to, const Vector3d& from) { Eigen::Map<Vector3d>(to.data()) = from; }
void set(std::array<double, 9>& to, const Matrix3d& from) { Eigen::Map<Rows>(to.data()) = from; }
Quaterniond quaternion(const std::array<double, 4>& q) { return {q[0], q[1], q[2], q[3]}; }

// A rod holds its length and stores nothing.
bool is_rod(const Link& link) { return link.kind == Link::Kind::kSpring && link.law.low == link.law.high; }

bool is_obstacle(const Body& body) { return body.constants.kind == Kind::kObstacle; }

Key key_of(const Link& link, const Body& master, const Body& slave, bool turn, std::uint32_t feature) {
  // Two parts per link, beyond all that pairs of shapes have.
  return {static_cast<std::int32_t>(master.id), static_cast<std::int32_t>(slave.id),
          kJoint + 2 * static_cast<std::uint32_t>(link.number) + (turn ? 1U : 0U), feature};
}

// A link at mid step, with its frames in the world.
struct Placed {
  const Link& link;
  const Body& a;
  const Body& b;
  math::Pose F, M;

  Placed(const Link& of, const Body& on_a, const Body& on_b) : link(of), a(on_a), b(on_b) {
    F = {place(a, a.q_mid, Vector3d(link.on_a.data())), mid_pose(a).rotation * quaternion(link.turn_a)};
    M = {place(b, b.q_mid, Vector3d(link.on_b.data())), mid_pose(b).rotation * quaternion(link.turn_b)};
  }

  // The body that stands is the slave, else b.
  bool turned() const { return is_obstacle(a); }
  const Body& master() const { return turned() ? b : a; }
  const Body& slave() const { return turned() ? a : b; }
  // Of b against a, seen as master against slave.
  double sign() const { return turned() ? 1 : -1; }
  double distance() const { return (M.position - F.position).norm(); }
};

// How far M is turned from F in the directions that are held, as a vector in the world.
Vector3d turning_gap(const Placed& at) {
  const Vector3d z = at.F.rotation * Vector3d::UnitZ();
  if (model::joint_kind(at.link.type).axes == 2) {
    // The axes of a universal joint stay at right angles: one row about their common normal.
    const Vector3d x = at.F.rotation * Vector3d::UnitX(), y = at.M.rotation * Vector3d::UnitY();
    return -x.dot(y) * x.cross(y).normalized();
  }
  if (at.link.held_turn[2]) {
    Quaterniond turn = at.M.rotation * at.F.rotation.conjugate();
    // Of both quaternions of a rotation the one that turns less.
    if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
    return 2 * turn.vec();
  }
  // Free about z: how far the two z axes are apart.
  return z.cross(at.M.rotation * Vector3d::UnitZ());
}

// The coordinate `k` of the joint, and the direction along which velocity or spin of b against a are its rate.
struct Coordinate {
  double q = 0;
  bool turn = true, is_wrapped = false;
  Vector3d axis = Vector3d::UnitZ();
};

Coordinate free_coordinate(const Placed& at, int k) {
  Coordinate c;
  const Matrix3d axes = at.F.rotation.toRotationMatrix();
  const math::Pose X_FM = math::relative_pose(at.F, at.M);
  const bool shifts = k < model::joint_row(at.link.type).quaternion;
  const int row = k % 3;
  c.turn = !shifts;
  c.axis = axes.col(row);
  if (shifts) {
    c.q = X_FM.position[row];
    return c;
  }
  const Vector3d vector = math::rotation_log(X_FM.rotation);
  c.q = vector[row];
  // The rate of the rotation vector is J(v) w: this row of J.
  if (at.link.of_vector) c.axis = axes * math::rotation_vector_rate(vector).row(row).transpose();
  return c;
}

Coordinate coordinate_of(const Placed& at) {
  const int k = at.link.coordinate;
  const auto& [kind, quaternion, motions, rows, slides, threaded] = model::joint_row(at.link.type);
  if (quaternion >= 0) return free_coordinate(at, k);
  std::array<double, 3> q{};
  const auto count = to_index(kind.position_size);
  model::joint_position(kind.type, at.link.pitch, math::relative_pose(at.F, at.M), std::span(q).first(count));
  Coordinate c;
  c.q = q[to_index(k)];
  const model::CoordinateMotion& motion = motions[to_index(k)];
  c.turn = !is_length(motion.direction);
  c.is_wrapped = loses_turns(kind.type, k);
  // The normal of a planar joint is held: z of F turns about it as well as z of M, and needs no second frame.
  const bool goes_with_m = motion.of_m && kind.axes == 2;
  c.axis = (goes_with_m ? at.M : at.F).rotation * Vector3d::Unit(model::axis_of(motion.direction));
  return c;
}

struct Maker {
  const Domain& domain;
  const Placed& at;
  std::vector<Constraint>& made;

  double h() const { return domain.settings.step; }
  double formula(std::int32_t which, double time) const {
    return model::evaluate(domain.formulas[to_index(which)], time, domain.inputs);
  }

  Constraint start(bool turn, std::uint32_t feature) const {
    Constraint row;
    row.law = Law::kPoint;
    row.turn = turn;
    row.key = key_of(at.link, at.master(), at.slave(), turn, feature);
    const Vector3d point = link_point(at.link, at.a, at.b);
    set(row.point, point);
    set(row.on_master, material_point(at.master(), point));
    set(row.on_slave, material_point(at.slave(), point));
    // Joints have no gap: its place says how far the point may go in a step, for include_link().
    row.gap = stride(point);
    return row;
  }

  // The point goes with either body.
  double stride(const Vector3d& point) const {
    double speed = 0;
    for (const Body* body : {&at.a, &at.b}) {
      const Vector3d material = material_point(*body, point);
      speed = std::max(
          {speed, velocity(*body, body->state.u, material).norm(), velocity(*body, body->u_free, material).norm()});
    }
    return h() * speed;
  }

  // Rows that are held; turned back by a share of what is open.
  void hold() {
    const Link& link = at.link;
    // Gaps are those of b against a, U is that of master against slave.
    const double rate = at.sign() * domain.settings.joint_correction / h();
    const Matrix3d axes = at.F.rotation.toRotationMatrix().transpose();
    const Vector3d gap = axes * (at.M.position - at.F.position);
    if (link.held_point[0] || link.held_point[1] || link.held_point[2]) {
      Constraint row = start(false, 0);
      row.held = link.held_point;
      set(row.axes, axes);
      set(row.bias, rate * gap);
      made.push_back(row);
    }
    if (link.held_turn[0] || link.held_turn[1] || link.held_turn[2]) {
      Constraint row = start(true, 0);
      row.held = link.held_turn;
      const Vector3d x = at.F.rotation * Vector3d::UnitX(), y = at.M.rotation * Vector3d::UnitY();
      const Matrix3d turning = model::joint_kind(link.type).axes == 2 ? contact_axes(x.cross(y).normalized()) : axes;
      set(row.axes, turning);
      set(row.bias, rate * (turning * turning_gap(at)));
      made.push_back(row);
    }
    if (!model::joint_row(link.type).threaded) return;
    // n (v + lead w) = 0: the nut advances by what it turns.
    Constraint row = start(false, kOfScrew);
    row.held = {false, false, true};
    row.lead = -link.pitch / math::kTurn;
    double angle = 0;
    model::joint_position(link.type, link.pitch, math::relative_pose(at.F, at.M), std::span(&angle, 1));
    set(row.axes, axes);
    set(row.bias, rate * Vector3d(0, 0, gap.z() + row.lead * angle));
    made.push_back(row);
  }

  // U is the rate of q. The spring acts at the mean of its lengths at both ends of the step, the damper at the mean of
  // its rates: implicit, of second order, and a spring alone keeps its energy. Stops let a gap close and no more.
  void set_law(Constraint& row, double q, bool is_wrapped) const {
    const CoordinateLaw& law = at.link.law;
    const double V = relative_velocity(row, at.master(), at.slave(), at.master().state.u, at.slave().state.u).z();
    const double stretch = (is_wrapped ? math::nearest_turn(q, law.rest) : q) - law.rest;
    // (C19): what does not depend on U, then what U does as a damper.
    double impulse = -h() * (law.stiffness * (stretch - h() / 4 * V) + law.damping / 2 * V + law.force);
    impulse += law.armature * V;
    double damper = h() * (h() / 4 * law.stiffness + law.damping / 2) + law.armature;
    if (law.effort >= 0) {
      impulse += h() * formula(law.effort, domain.time + h() / 2);
      if (const double answer = h() * answer_of(law, domain.time + h() / 2); answer > 0) {
        impulse += answer * V;
        damper += answer;
      }
    }
    row.bias = {impulse, damper, beyond_limits(q, is_wrapped)};
    row.friction = h() * law.friction;
    row.stops = drive_of(q, V, is_wrapped);
  }

  // An effort that falls with its own coordinate and rate acts as their spring and damper do: implicit by its slopes.
  // One that grows stays explicit.
  double answer_of(const CoordinateLaw& law, double time) const {
    const model::Expression& effort = domain.formulas[to_index(law.effort)];
    double answer = 0;
    if (law.own_position >= 0) answer -= h() / 4 * model::input_slope(effort, time, domain.inputs, law.own_position);
    if (law.own_rate >= 0) answer -= model::input_slope(effort, time, domain.inputs, law.own_rate) / 2;
    return std::isfinite(answer) ? std::max(answer, 0.0) : 0;
  }

  std::array<double, 2> drive_of(double q, double V, bool is_wrapped) const {
    const CoordinateLaw& law = at.link.law;
    if (law.velocity >= 0) {
      // U is the rate at the end of the step.
      const double v = formula(law.velocity, domain.time + h());
      return {v, v};
    }
    const double rate = domain.settings.joint_correction / h();
    if (law.position >= 0) {
      const model::Expression& motion = domain.formulas[to_index(law.position)];
      // Of the beginning of the step, as with joints that are held.
      const double wanted = model::evaluate(motion, domain.time), found = q - h() / 2 * V;
      const double off = (is_wrapped ? math::nearest_turn(found, wanted) : found) - wanted;
      const double v = model::evaluate_jet(motion, domain.time + h()).rate - rate * off;
      return {v, v};
    }
    if (law.low <= -CoordinateLaw::kNoLimit && law.high >= CoordinateLaw::kNoLimit) return {law.low, law.high};
    const double x = near_limits(q, is_wrapped);
    // Within a limit the gap may close as in (C18). What is beyond goes no farther; it comes back by displacement, as
    // overlaps do.
    return {std::min(0.0, law.low - x) / h(), std::max(0.0, law.high - x) / h()};
  }

  double near_limits(double q, bool is_wrapped) const {
    const CoordinateLaw& law = at.link.law;
    return is_wrapped ? math::nearest_turn(q, (law.low + law.high) / 2) : q;
  }

  double beyond_limits(double q, bool is_wrapped) const {
    const CoordinateLaw& law = at.link.law;
    const bool is_driven = law.velocity >= 0 || law.position >= 0;
    const bool is_free = law.low <= -CoordinateLaw::kNoLimit && law.high >= CoordinateLaw::kNoLimit;
    if (is_driven || is_free) return 0;
    const double x = near_limits(q, is_wrapped);
    return std::max(0.0, law.low - x) + std::min(0.0, law.high - x);
  }

  Constraint row_of(const Coordinate& c) const {
    const auto feature =
        static_cast<std::uint32_t>(at.link.coordinate) + (at.link.of_vector ? kOfVector : kOfCoordinate);
    Constraint row = start(c.turn, feature);
    row.law = Law::kSpring;
    const double size = c.axis.norm();
    Matrix3d axes = contact_axes(at.sign() * c.axis / size);
    // The rate of q is this much longer than what is measured along a unit axis.
    axes.row(2) *= size;
    set(row.axes, axes);
    return row;
  }

  void add_coordinate() {
    const Coordinate c = coordinate_of(at);
    Constraint row = row_of(c);
    set_law(row, c.q, c.is_wrapped);
    made.push_back(row);
  }

  Constraint row_of_spring(double length) const {
    Constraint row = start(false, kOfCoordinate);
    row.law = Law::kSpring;
    const Vector3d line = at.sign() * (at.M.position - at.F.position);
    // Each end at its own point: the impulse acts along the line between them.
    set(row.on_master, Vector3d(at.turned() ? at.link.on_b.data() : at.link.on_a.data()));
    set(row.on_slave, Vector3d(at.turned() ? at.link.on_a.data() : at.link.on_b.data()));
    set(row.axes, contact_axes(length > 0 ? Vector3d(line / length) : Vector3d::UnitZ()));
    return row;
  }

  void add_spring() {
    const double length = at.distance();
    Constraint row = row_of_spring(length);
    const CoordinateLaw& law = at.link.law;
    // Equal limits make a link, the length of which is exact.
    if (is_rod(at.link)) {
      row.law = Law::kLink;
      row.bias = {0, 0, length};
      row.stops = {law.low, law.high};
    } else {
      set_law(row, length, false);
    }
    made.push_back(row);
  }
};

const Constraint* last_row(const Domain& domain, const Key& from) {
  const auto found =
      std::lower_bound(domain.constraints.begin(), domain.constraints.end(), from,
                       [](const Constraint& constraint, const Key& key) { return constraint.key < key; });
  // Any row of the link will do: all have its point and its stride.
  const bool is_of_link = found != domain.constraints.end() && found->key.master == from.master &&
                          found->key.slave == from.slave && found->key.part / 2 == from.part / 2;
  return is_of_link ? &*found : nullptr;
}

void include(geometry::Box& box, const Vector3d& point, double around) {
  box.low = box.low.cwiseMin((point.array() - around).matrix());
  box.high = box.high.cwiseMax((point.array() + around).matrix());
}

double value_of(const Domain& domain, const Watched& watched, const Body& a, const Body& b) {
  const Placed at(watched.link, a, b);
  const Coordinate c = coordinate_of(at);
  if (!watched.is_rate) return c.is_wrapped ? math::nearest_turn(c.q, watched.near) : c.q;
  std::vector<Constraint> none;
  const Constraint row = Maker{domain, at, none}.row_of(c);
  return relative_velocity(row, at.master(), at.slave(), at.master().state.u, at.slave().state.u).z();
}

// The bodies of watched joints, of all ranks, by id. What stands is the same wherever it is held, and its owner need
// not hold it.
std::vector<Body> gather_watched(const comm::Comm& comm, const Domain& domain) {
  std::vector<Body> mine;
  for (const LocalBody& local : domain.bodies) {
    const auto id = static_cast<std::int32_t>(local.body.id);
    if ((local.owner == comm.rank() || is_obstacle(local)) &&
        std::any_of(domain.watched.begin(), domain.watched.end(),
                    [&](const Watched& watched) { return watched.link.a == id || watched.link.b == id; }))
      mine.push_back(local.body);
  }
  std::vector<Body> all = comm::all_gather_v(comm, std::span<const Body>(mine)).values;
  std::sort(all.begin(), all.end(), [](const Body& a, const Body& b) { return a.id < b.id; });
  return all;
}

}  // namespace

void watch(const comm::Comm& comm, Domain& domain) {
  if (domain.watched.empty()) return;
  const std::vector<Body> bodies = gather_watched(comm, domain);
  const auto find = [&](std::int32_t id) -> const Body& {
    const auto found = std::lower_bound(bodies.begin(), bodies.end(), id,
                                        [](const Body& body, std::int32_t value) { return body.id < value; });
    ESPALIER_CHECK(found != bodies.end() && found->id == id, "a watched body is on no rank");
    return *found;
  };
  domain.inputs.resize(domain.watched.size());
  for (std::size_t i = 0; i < domain.watched.size(); ++i) {
    const Watched& watched = domain.watched[i];
    domain.inputs[i] = value_of(domain, watched, find(watched.link.a), find(watched.link.b));
  }
}

Vector3d link_point(const Link& link, const Body& a, const Body& b) {
  const bool on_b = link.kind == Link::Kind::kSpring ? is_obstacle(a) : link.slides || is_obstacle(b);
  return on_b ? place(b, b.q_mid, Vector3d(link.on_b.data())) : place(a, a.q_mid, Vector3d(link.on_a.data()));
}

void make_link_rows(const Domain& domain, const Link& link, const Body& a, const Body& b,
                    std::vector<Constraint>& made) {
  const Placed placed(link, a, b);
  Maker maker{domain, placed, made};
  switch (link.kind) {
    case Link::Kind::kHold:
      return maker.hold();
    case Link::Kind::kCoordinate:
      return maker.add_coordinate();
    case Link::Kind::kSpring:
      return maker.add_spring();
  }
}

void include_link(const Domain& domain, const Link& link, const Body& body, geometry::Box& reach) {
  const bool is_a = link.a == static_cast<std::int32_t>(body.id);
  const Vector3d material(is_a ? link.on_a.data() : link.on_b.data());
  // Joints may have drifted apart a little.
  const double drift = 1e-2 * (1 + material.norm());
  const Vector3d own = place(body, body.q_mid, material);
  include(reach, own, drift);
  if (!link.slides) return;
  // Where something may slide along what stands cannot be told: it is everywhere.
  if (is_obstacle(body)) {
    reach.low.setConstant(-std::numeric_limits<double>::infinity());
    reach.high.setConstant(std::numeric_limits<double>::infinity());
    return;
  }
  if (domain.is_new) {
    // All bodies are here, as they are at the beginning of the step.
    const int other = find_body(domain, is_a ? link.b : link.a);
    if (other < 0) return;
    const Body& partner = domain.bodies[to_index(other)].body;
    const Vector3d far(is_a ? link.on_b.data() : link.on_a.data());
    const Vector3d point = place(partner, partner.state.q, far);
    const double stride = domain.settings.step * Vector3d(partner.state.u.data()).norm();
    include(reach, point, drift + 0.1 * (point - own).norm() + 3 * stride);
    return;
  }
  const Key from = {link.a, link.b, kJoint + 2 * static_cast<std::uint32_t>(link.number), 0};
  const Constraint* last = last_row(domain, from);
  // None where a stands: the point is then on b, which has it already.
  if (last == nullptr) return;
  const Vector3d point(last->point.data());
  include(reach, point, drift + 0.1 * (point - own).norm() + 3 * last->gap);
}

Vector3d spin_of(const Body& body) {
  if (body.constants.kind != Kind::kPseudoRigid) return angular_velocity(body, body.state.u);
  const Matrix3d rate = Rows(body.state.u.data() + 3), F = Rows(body.state.q.data() + 3);
  const Matrix3d L = rate * F.inverse();
  return Vector3d(L(2, 1) - L(1, 2), L(0, 2) - L(2, 0), L(1, 0) - L(0, 1)) / 2;
}

BodyState state_before(const Domain& domain, std::size_t i) {
  Body body = domain.bodies[i].body;
  if (domain.steps == 0 || domain.before.empty() || is_obstacle(body)) return body.state;
  body.state = {body.q_mid, domain.before[i]};
  go_to_middle(body, -domain.settings.step);
  return {body.q_mid, domain.before[i]};
}

LinkFrames frames_of_link(const Link& link, const Body& a, const Body& b) {
  const Placed at(link, a, b);
  return {at.F, at.M};
}

LinkEffort effort_of_link(const Domain& domain, const Link& link, const SteppedBody& a, const SteppedBody& b,
                          std::optional<double> impulse) {
  const Placed at(link, a.body, b.body);
  const bool is_spring = link.kind == Link::Kind::kSpring;
  const Coordinate c = is_spring ? Coordinate{at.distance()} : coordinate_of(at);
  std::vector<Constraint> none;
  const Maker maker{domain, at, none};
  const Constraint row = is_spring ? maker.row_of_spring(c.q) : maker.row_of(c);
  const auto rate = [&](const std::array<double, 12>& of_a, const std::array<double, 12>& of_b) {
    return relative_velocity(row, at.master(), at.slave(), at.turned() ? of_b : of_a, at.turned() ? of_a : of_b).z();
  };
  const double h = domain.settings.step, V = rate(a.before.u, b.before.u), U = rate(a.body.state.u, b.body.state.u);
  const CoordinateLaw& law = link.law;
  LinkEffort effort;
  effort.axis = at.sign() * Eigen::Matrix3d(axes(row)).row(2).transpose();
  // The parts of (C19) by themselves.
  const double stretch = (c.is_wrapped ? math::nearest_turn(c.q, law.rest) : c.q) - law.rest;
  double own = -law.stiffness * (stretch + h / 4 * (U - V)) - law.damping / 2 * (U + V) - law.force;
  if (law.effort >= 0) {
    const double time = domain.steps > 0 ? domain.time - h / 2 : domain.time;
    effort.load = maker.formula(law.effort, time) + maker.answer_of(law, time) * (V - U);
  }
  const bool is_driven = law.velocity >= 0 || law.position >= 0;
  // Before the first step nobody knows what limits, rods and motions will take.
  effort.passive = is_rod(link) ? 0 : own;
  if (!impulse) return effort;
  const double rest = *impulse / h - effort.load - law.armature * (V - U) / h;
  if (is_driven && U != 0) own -= std::copysign(law.friction, U);
  effort.passive = is_driven ? own : rest;
  effort.motion = is_driven ? rest - own : 0;
  return effort;
}

Wrench load_on(const Domain& domain, const Body& body) {
  Wrench sum{body.constants.mass * domain.gravity, Vector3d::Zero()};
  const std::vector<BodyLoad>& loads = domain.loads;
  const auto first = std::lower_bound(loads.begin(), loads.end(), body.id,
                                      [](const BodyLoad& load, std::int64_t id) { return load.body < id; });
  for (auto load = first; load != loads.end() && load->body == body.id; ++load) {
    Vector3d value;
    for (int k = 0; k < 3; ++k) {
      const auto which = to_index(load->value[to_index(k)]);
      // At mid step, as all forces of (C13).
      value[k] = model::evaluate(domain.formulas[which], domain.time + domain.settings.step / 2, domain.inputs);
    }
    if (load->in_body) value = mid_pose(body).rotation * value;
    if (load->torque) {
      sum.torque += value;
      continue;
    }
    sum.force += value;
    const Vector3d point(load->point.data());
    if (point.squaredNorm() > 0) sum.torque += (place(body, body.q_mid, point) - position(body.q_mid)).cross(value);
  }
  return sum;
}

bool stores_energy(const Link& link) {
  return !is_rod(link) && link.kind != Link::Kind::kHold && (link.law.stiffness != 0 || link.law.force != 0);
}

double energy_of_link(const Link& link, const Body& a, const Body& b) {
  const CoordinateLaw& law = link.law;
  if (!stores_energy(link)) return 0;
  const Placed at(link, a, b);
  const Coordinate c = link.kind == Link::Kind::kSpring ? Coordinate{at.distance()} : coordinate_of(at);
  const double stretch = (c.is_wrapped ? math::nearest_turn(c.q, law.rest) : c.q) - law.rest;
  return law.stiffness * stretch * stretch / 2 + law.force * c.q;
}

}  // namespace espalier::contact::detail
