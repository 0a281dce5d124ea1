#include "espalier/dynamics/detail/implicit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/project_again.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// RODASP: the set of coefficients whose order does not fall where forces are stiff; in the form without products with
// the Jacobian.
constexpr double kGamma = 0.25;
constexpr std::array<double, 6> kTime = {0, 0.75, 0.21, 0.63, 1, 1};
constexpr std::array<double, 6> kByTime = {0.25, -0.5, -0.023504, -0.0362, 0, 0};
// The last stage adds the one before to the state of the fifth.
constexpr std::array<std::array<double, 5>, 6> kStage = {{
    {},
    {3},
    {1.831036793486759, 0.4955183967433795},
    {2.304376582692669, -0.05249275245743001, -1.176798761832782},
    {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401},
    {-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401, 1},
}};
constexpr std::array<std::array<double, 5>, 6> kCoupling = {{
    {},
    {-12},
    {-8.791795173947035, -2.207865586973518},
    {10.81793056857153, 6.780270611428266, 19.53485944642410},
    {34.19095006749676, 15.49671153725963, 54.74760875964130, 14.16005392148534},
    {34.62605830930532, 15.30084976114473, 56.99955578662667, 18.40807009793095, -5.714285714285717},
}};
constexpr std::array<double, 5> kDense2 = {25.09876703708589, 11.62013104361867, 28.49148307714626, -5.664021568594133,
                                           0};
constexpr std::array<double, 5> kDense3 = {1.638054557396973, -0.7373619806678748, 8.477918219238990, 15.99253148779520,
                                           -1.882352941176471};

// The numbers of a link whose rates depend on other positions: those of its quaternion. Where there is none, the rest
// of the link's coordinates change at their velocities.
struct Turn {
  Eigen::Index quaternion = 0;  // in q
  Eigen::Index spin = 0;        // in v
  int plain = 0;                // coordinates before it
};
bool has_turn(const Link& link, Turn& turn) {
  turn.plain = link.freedom;
  if (model::joint_row(link.type).quaternion < 0) return false;
  // Joints with a quaternion have it behind their lengths.
  turn.plain = link.freedom - 3;
  turn.quaternion = link.position + turn.plain;
  turn.spin = link.velocity + turn.plain;
  return true;
}

Eigen::Quaterniond quaternion_at(const double* numbers) { return {numbers[0], numbers[1], numbers[2], numbers[3]}; }
void put_quaternion(const Eigen::Quaterniond& q, double* numbers) {
  numbers[0] = q.w(), numbers[1] = q.x(), numbers[2] = q.y(), numbers[3] = q.z();
}
Eigen::Quaterniond half_spin(const double* w) { return {0, w[0] / 2, w[1] / 2, w[2] / 2}; }
Eigen::Quaterniond sum(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return Eigen::Quaterniond(a.coeffs() + b.coeffs());
}
Eigen::Quaterniond scaled(const Eigen::Quaterniond& q, double factor) {
  return Eigen::Quaterniond(q.coeffs() * factor);
}

// Solves a x - d(dq/dt)/dq x = r for the numbers of one quaternion that turns by w: the map is r -> r (0, w/2), whose
// square is -|w|^2/4.
Eigen::Quaterniond turned_back(const Eigen::Quaterniond& r, const double* w, double a) {
  const double square = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) / 4;
  // (a - N)^-1 = (a + N) / (a^2 - N^2), in closed form by that square.
  return scaled(sum(scaled(r, a), r * half_spin(w)), 1 / (a * a + square));
}

// The motion in which the numbers of quaternion q change by `change`; its length does not count.
Eigen::Vector3d motion_of(const Eigen::Quaterniond& change, const Eigen::Quaterniond& q) {
  return 2 * (q.conjugate() * change).vec();
}

// u.q from u.v: (I / (gamma h) - d(dq/dt)/dq) u.q = r.q + d(dq/dt)/dv u.v. `u` holds r.q and, where asked for, u.v.
void solve_positions(const Ode& ode, const Point& from, double a, bool with_velocities, Eigen::VectorXd& u) {
  const Eigen::Index first = ode.system->position_size;
  for (const Link& link : ode.system->links) {
    Turn turn;
    const bool turns = has_turn(link, turn);
    for (int k = 0; k < turn.plain; ++k) {
      const double velocity = with_velocities ? u[first + link.velocity + k] : 0;
      // A coordinate that changes at its velocity: a u.q = r.q + u.v.
      u[link.position + k] = (u[link.position + k] + velocity) / a;
    }
    if (!turns) continue;
    double* numbers = u.data() + turn.quaternion;
    Eigen::Quaterniond r = quaternion_at(numbers);
    const Eigen::Quaterniond q = quaternion_at(from.y.data() + turn.quaternion);
    // dq/dt = q (0, w/2): what a change of w brings.
    if (with_velocities) r = sum(r, q * half_spin(u.data() + first + turn.spin));
    put_quaternion(turned_back(r, from.y.data() + first + turn.spin, a), numbers);
  }
}

// (D16) matrix = I / (gamma h) - by_velocity - by_motion N, where N gives the motion that a unit of velocity brings.
void set_matrix(const Ode& ode, const Point& from, double a, ImplicitStages& s) {
  const Eigen::Index n = ode.system->velocity_size;
  const Eigen::Index first = ode.system->position_size;
  for (const Link& link : ode.system->links) {
    Turn turn;
    const bool turns = has_turn(link, turn);
    for (int k = 0; k < turn.plain; ++k)
      s.matrix.col(link.velocity + k) = -s.by_motion.col(link.velocity + k).head(n) / a;
    if (!turns) continue;
    const Eigen::Quaterniond q = quaternion_at(from.y.data() + turn.quaternion);
    // A quaternion's three directions mix within the step, by the rotation that the state's own velocity brings.
    Eigen::Matrix3d motions;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d unit = Eigen::Vector3d::Unit(k);
      motions.col(k) = motion_of(turned_back(q * half_spin(unit.data()), from.y.data() + first + turn.spin, a), q);
    }
    s.matrix.middleCols<3>(turn.spin) = -s.by_motion.middleCols<3>(turn.spin).topRows(n) * motions;
  }
  s.matrix -= s.by_velocity.topRows(n);
  // a - A_v - A_xi N, n x n instead of 2 n x 2 n.
  s.matrix.diagonal().array() += a;
  s.lu->compute(s.matrix);
}

// The differences that make the Jacobian, as a list of states a small step aside: of each coordinate k its motion, to
// one side or to both, then its velocity; at last a later time.
struct Differences {
  Differences(const Ode& ode, double tolerance)
      : sides(tolerance < kBothSidesBelow ? 2 : 1),
        small(sides == 2 ? 1e-5 : std::sqrt(std::numeric_limits<double>::epsilon())),
        count(2 * sides * ode.system->velocity_size + 1) {}
  Eigen::Index coordinate(Eigen::Index index) const { return index / (2 * sides); }
  bool is_first(Eigen::Index index) const { return index % (2 * sides) == 0; }
  bool is_motion(Eigen::Index index) const { return index % (2 * sides) < sides; }
  bool is_back(Eigen::Index index) const { return sides == 2 && index % 2 == 1; }
  double change(const Ode& ode, const Point& from, Eigen::Index index) const {
    if (is_motion(index)) return small;
    return small * (1 + std::abs(from.y[ode.system->position_size + coordinate(index)]));
  }

  int sides;
  double small;
  Eigen::Index count;
};

// The factors that project_again() takes. Evaluations use the same memory.
void factor_at(Ode& ode, const Point& from, ImplicitStages& s) {
  s.push = from.y.segment(ode.system->position_size, ode.system->velocity_size);
  project_velocities(ode.system, from.time, ode.q(from.y), {s.push.data(), ode.velocities}, ode.work);
}

// The part of a unit of coordinate k that closed loops leave free, to s.motion. Drives may ask for velocities of their
// own: it is measured from those the state has.
void set_direction(Ode& ode, const Point& from, Eigen::Index k, ImplicitStages& s) {
  s.motion.setZero();
  // Without loops every coordinate is free.
  s.motion[k] = 1;
  if (ode.system->rows == 0) return;
  const auto v = from.y.segment(ode.system->position_size, ode.system->velocity_size);
  // P e_k: what is left of a unit of coordinate k.
  s.motion += v;
  project_again(ode.system, from.time, ode.q(from.y), {s.motion.data(), ode.velocities}, ode.work);
  s.motion -= v;
}

void set_aside(Ode& ode, const Point& from, const Differences& all, Eigen::Index index, ImplicitStages& s,
               Point& point) {
  point.y = from.y;
  point.time = from.time;
  if (index + 1 == all.count) {
    // df/dt: drives and loads that depend on time.
    point.time += std::sqrt(std::numeric_limits<double>::epsilon()) * (1 + std::abs(from.time));
    if (ode.system->rows > 0) close_loops(ode, point.time, point.y);
    return;
  }
  // The same direction serves the motion and the velocity of a coordinate, and both sides.
  if (all.is_first(index)) set_direction(ode, from, all.coordinate(index), s);
  const double change = all.is_back(index) ? -all.change(ode, from, index) : all.change(ode, from, index);
  if (!all.is_motion(index)) {
    point.y.segment(ode.system->position_size, ode.system->velocity_size) += change * s.motion;
    return;
  }
  move_positions(ode.system, ode.q(point.y), {s.motion.data(), ode.velocities}, change);
  if (ode.system->rows > 0) project_again(ode.system, point.time, ode.q(point.y), ode.v(point.y), ode.work);
}

void take_difference(const Ode& ode, const Point& from, const Differences& all, Eigen::Index index, const Point& point,
                     ImplicitStages& s) {
  if (index + 1 == all.count) {
    s.by_time = (point.f - from.f) / (point.time - from.time);
    // The rates of positions are the state's own velocities, whatever time it is.
    s.by_time.head(ode.system->position_size).setZero();
    return;
  }
  const Eigen::Index rows = ode.system->velocity_size + 1;
  const double width = all.sides * all.change(ode, from, index);
  auto column = (all.is_motion(index) ? s.by_motion : s.by_velocity).col(all.coordinate(index));
  // The forward side came first and has been divided by the whole width.
  if (all.is_back(index)) {
    column -= point.f.tail(rows) / width;
    return;
  }
  // Accelerations and power alone: rates of positions are known by formula.
  column = point.f.tail(rows) / width;
  if (all.sides == 1) column -= from.f.tail(rows) / width;
}

// df/dy and df/dt by differences. False where a number broke.
bool set_jacobian(Ode& ode, const Point& from, double tolerance, ImplicitStages& s) {
  // Eight states at a time, in lanes where that pays.
  const Differences all(ode, tolerance);
  s.motion.setZero();
  for (Eigen::Index first = 0; first < all.count; first += kBatch) {
    const Eigen::Index count = std::min<Eigen::Index>(kBatch, all.count - first);
    const std::span<Point> points = s.batch.points(ode, to_index(count));
    factor_at(ode, from, s);
    for (Eigen::Index i = 0; i < count; ++i)
      set_aside(ode, from, all, first + i, s, points[to_index(i)]);
    // Evaluations use the memory of the factors, which are made again for each batch.
    if (!derivatives(ode, points, s.batch)) return false;
    for (Eigen::Index i = 0; i < count; ++i)
      take_difference(ode, from, all, first + i, points[to_index(i)], s);
  }
  return true;
}

// f at y: the rates of its own positions, but the accelerations and the power of the closed state next to it.
bool closed_derivative(Ode& ode, double time, const Eigen::VectorXd& y, ImplicitStages& s, Eigen::VectorXd& f) {
  if (ode.system->rows == 0) return derivative(ode, time, y, f);
  s.stage = y;
  if (!close_loops(ode, time, s.stage) || !derivative(ode, time, s.stage, f)) return false;
  set_position_rates(ode.system, y, f);
  return true;
}

// (I / (gamma h) - df/dy) u = u, in place.
void solve(const Ode& ode, const Point& from, double a, ImplicitStages& s, Eigen::VectorXd& u) {
  const Eigen::Index n = ode.system->velocity_size;
  const Eigen::Index first = ode.system->position_size;
  // Positions without their velocities first: these are found from what is left, then added.
  s.stage = u;
  solve_positions(ode, from, a, false, s.stage);
  as_motion(ode.system, s.stage, from.y, s.motion);
  // r_v + A_xi N r_q, the right side of (D16).
  s.push = u.segment(first, n);
  s.push.noalias() += s.by_motion.topRows(n) * s.motion;
  u.segment(first, n) = s.lu->solve(s.push);
  solve_positions(ode, from, a, true, u);
  as_motion(ode.system, u, from.y, s.motion);
  // The work depends on motion and velocity and nothing depends on it.
  double& work = u[first + n];
  work = (work + s.by_motion.row(n).dot(s.motion) + s.by_velocity.row(n).dot(u.segment(first, n))) / a;
}

}  // namespace

ImplicitStages::ImplicitStages(const Ode& ode)
    : stage(Eigen::VectorXd::Zero(ode.size())),
      by_time(Eigen::VectorXd::Zero(ode.size())),
      motion(Eigen::VectorXd::Zero(ode.system->velocity_size)),
      push(Eigen::VectorXd::Zero(ode.system->velocity_size)) {
  u.fill(Eigen::VectorXd::Zero(ode.size()));
}

void ImplicitStages::make_room(const Ode& ode) {
  // Runs that stay explicit never need n^2 numbers.
  if (lu) return;
  const Eigen::Index n = ode.system->velocity_size;
  by_motion.setZero(n + 1, n);
  by_velocity.setZero(n + 1, n);
  matrix.setZero(n, n);
  lu.emplace(n);
}

double implicit_step(Ode& ode, const Point& from, double h, double tolerance, ImplicitStages& s, Point& to) {
  // Phases:
  //   1. the Jacobian, where the last step has not left it
  //   2. one matrix for all six stages, (D16)
  //   3. the stages: state, slope of the closed state beside it, coupling with those before, one solve each
  //   4. the last stage is the error; the end is closed, and its slope is that of the next step
  s.make_room(ode);
  if (!s.has_jacobian && !set_jacobian(ode, from, tolerance, s)) return kInfinity;
  s.has_jacobian = true;
  // A Jacobian serves several tries of one step; only the matrix knows the step's length.
  const double a = 1 / (kGamma * h);
  // 2.
  set_matrix(ode, from, a, s);
  // 3.
  for (std::size_t i = 0; i < 6; ++i) {
    to.y = from.y;
    for (std::size_t j = 0; j < i; ++j) to.y += kStage[i][j] * s.u[j];
    if (i == 0) {
      s.u[i] = from.f;
    } else if (!closed_derivative(ode, from.time + kTime[i] * h, to.y, s, s.u[i])) {
      return kInfinity;
    }
    // Stages before it enter by the coefficients, without a product with the Jacobian.
    for (std::size_t j = 0; j < i; ++j) s.u[i] += kCoupling[i][j] / h * s.u[j];
    s.u[i] += kByTime[i] * h * s.by_time;
    solve(ode, from, a, s, s.u[i]);
  }
  // The last stage is the error, and its state plus it the end.
  to.y += s.u[5];
  const double error = error_norm(ode, s.u[5], from.y, to.y, tolerance);
  to.time = from.time + h;
  if (!(error <= 1) && ode.system->rows == 0) return error;
  if (!close_loops(ode, to.time, to.y)) return kInfinity;
  // A step that is refused is judged again by the part of its error that closed loops leave free.
  const double free = error <= 1 ? error : free_error_norm(ode, to, s.u[5], tolerance);
  return free <= 1 && !derivative(ode, to.time, to.y, to.f) ? kInfinity : free;
}

void set_implicit_interpolant(const ImplicitStages& stages, const Point& from, const Point& to, Interpolant& between) {
  between.start = from.time;
  between.step = to.time - from.time;
  between.y0 = from.y;
  between.r1 = to.y - from.y;
  between.r2.setZero();
  between.r3.setZero();
  between.r4.setZero();
  for (std::size_t i = 0; i < 5; ++i) {
    between.r2 += kDense2[i] * stages.u[i];
    between.r3 += kDense3[i] * stages.u[i];
  }
}

}  // namespace espalier::dynamics::detail
