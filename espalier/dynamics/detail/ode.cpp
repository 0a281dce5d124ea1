#include "espalier/dynamics/detail/ode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <variant>

#include <Eigen/Geometry>

#include "espalier/base/index.hpp"
#include "espalier/base/text.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/workspace_data.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

// Loops that close to this many times the tolerance only must not stop the run: the gap is in the report.
constexpr double kSlack = 1e3;

bool has_quaternion(const Link& link) { return model::joint_row(link.type).quaternion >= 0; }

// First of the four numbers.
Eigen::Index quaternion_of(const Link& link) { return link.position + model::joint_row(link.type).quaternion; }

void normalise(const System& system, double* q) {
  for (const Link& link : system->links) {
    if (!has_quaternion(link)) continue;
    Eigen::Map<Eigen::Vector4d> quaternion(q + quaternion_of(link));
    // One that is of length one to rounding stays as it is, so that normalising twice changes no bit.
    const double excess = quaternion.squaredNorm() - 1;
    if (std::abs(excess) > 4 * std::numeric_limits<double>::epsilon()) quaternion /= std::sqrt(1 + excess);
  }
}

// A link in words: by its joint, or by its first body where it floats.
std::string hanging_on(const System& system, std::size_t link) {
  const model::JointId joint = system->links[link].joint;
  if (joint.valid()) return "what is attached to joint " + in_quotes(system->model.joint(joint).name);
  for (std::size_t b = 0; b < system->body_places.size(); ++b) {
    if (system->body_places[b].link == static_cast<int>(link)) return "body " + in_quotes(system->model.bodies[b].name);
  }
  return "half of a body";
}

}  // namespace

Ode::Ode(const System& made_from, double closed_to)
    : system(made_from),
      loop_tolerance(closed_to),
      positions(to_index(made_from->position_size)),
      velocities(to_index(made_from->velocity_size)),
      work(made_from),
      motion(Eigen::VectorXd::Zero(made_from->velocity_size)),
      measure(Eigen::VectorXd::Ones(made_from->position_size + made_from->velocity_size + 1)) {
  // A quaternion's numbers change by half an angle.
  for (const Link& link : system->links) {
    if (has_quaternion(link)) measure.segment<4>(quaternion_of(link)).setConstant(2);
  }
}

void set_position_rates(const System& system, const Eigen::VectorXd& y, Eigen::VectorXd& f) {
  // The quaternions' own numbers, not their directions: their equation is linear, and its solution keeps the length.
  for (const Link& link : system->links) {
    if (link.freedom == 0) continue;
    const auto size = to_index(model::joint_kind(link.type).position_size);
    const double* velocity = y.data() + system->position_size + link.velocity;
    model::position_rate(link.type, {y.data() + link.position, size}, {velocity, to_index(link.freedom)},
                         {f.data() + link.position, size});
  }
}

bool derivative(Ode& ode, double time, const Eigen::VectorXd& y, Eigen::VectorXd& f) {
  const System& system = ode.system;
  const std::span<const double> v = ode.v(y);
  const bool regular = evaluate(system, time, ode.q(y), v, ode.work);
  ++ode.evaluations;
  ode.time = time;
  set_position_rates(system, y, f);
  f.segment(system->position_size, system->velocity_size) = ode.work->qdd;
  // (D15): dw/dt = P.
  f[ode.size() - 1] = exchanged_power(system, time, ode.q(y), v, ode.work);
  return regular && f.allFinite();
}

bool close_loops(Ode& ode, double time, Eigen::VectorXd& y) {
  normalise(ode.system, y.data());
  // Newton's method on numbers that are none would not end.
  if (!y.allFinite()) return false;
  if (ode.system->rows == 0) return true;
  // To rounding, whatever gap is allowed: near a singular position at distance x a gap of g lets the velocities be
  // wrong by g / x^2, and the step control would go after that noise.
  const double gap = project_positions(ode.system, time, ode.q(y), 0, ode.work);
  // From farther away the step was too bold and has left its branch.
  if (!(gap <= kSlack * ode.loop_tolerance)) return false;
  project_velocities(ode.system, time, ode.q(y), ode.v(y), ode.work);
  return y.allFinite();
}

double error_norm(const Ode& ode, const Eigen::VectorXd& error, const Eigen::VectorXd& y0, const Eigen::VectorXd& y1,
                  double tolerance) {
  double worst = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i) {
    // The last number is work; the others are lengths, angles and their rates.
    const double unit = i + 1 < error.size() ? 1 : ode.energy_scale;
    const double size = unit + std::max(std::abs(y0[i]), std::abs(y1[i]));
    const double part = std::abs(error[i]) * ode.measure[i] / (tolerance * size);
    // A NaN must not lose against a number.
    if (!(part <= worst)) worst = part;
  }
  return worst;
}

void as_motion(const System& system, const Eigen::VectorXd& change, const Eigen::VectorXd& y, Eigen::VectorXd& motion) {
  for (const Link& link : system->links) {
    const bool turns = has_quaternion(link);
    const int plain = turns ? link.freedom - 3 : link.freedom;
    for (int k = 0; k < plain; ++k) motion[link.velocity + k] = change[link.position + k];
    if (!turns) continue;
    const Eigen::Index at = quaternion_of(link);
    const Eigen::Quaterniond q(y[at], y[at + 1], y[at + 2], y[at + 3]);
    const Eigen::Quaterniond dq(change[at], change[at + 1], change[at + 2], change[at + 3]);
    motion.segment<3>(link.velocity + plain) = 2 * (q.conjugate() * dq).vec();
  }
}

double free_error_norm(Ode& ode, const Point& to, const Eigen::VectorXd& error, double tolerance) {
  const Eigen::Index n = ode.system->velocity_size;
  const auto v = to.y.segment(ode.system->position_size, n);
  const Eigen::Index w = ode.size() - 1;
  // Work is in no loop, and all of its error is free.
  double worst = std::abs(error[w]) / (tolerance * (ode.energy_scale + std::abs(to.y[w])));
  as_motion(ode.system, error, to.y, ode.motion);
  for (const bool of_positions : {true, false}) {
    if (!of_positions) ode.motion = error.segment(ode.system->position_size, n);
    const double size = ode.motion.cwiseAbs().maxCoeff();
    // A number that broke refuses the step, whatever loops leave free.
    if (!std::isfinite(size)) return size;
    if (size == 0) continue;
    // Drives may ask for velocities of their own: the change is measured from those the state has.
    // Scaled to 1 first: the projection is linear, and its own rounding then is as small a part of the error.
    ode.motion = v + ode.motion / size;
    project_velocities(ode.system, to.time, ode.q(to.y), {ode.motion.data(), ode.velocities}, ode.work);
    ode.motion = (ode.motion - v) * size;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double part = std::abs(ode.motion[k]) / (tolerance * (1 + (of_positions ? 0 : std::abs(v[k]))));
      if (!(part <= worst)) worst = part;
    }
  }
  return worst;
}

std::string what_broke(const Ode& ode) {
  const System& system = ode.system;
  if (ode.work->massless >= 0) return hanging_on(system, to_index(ode.work->massless)) + " has no inertia";
  for (std::size_t i = 1; i < system->links.size(); ++i) {
    const Link& link = system->links[i];
    if (!ode.work->links.force[i].allFinite())
      return "the force on " + hanging_on(system, i) + " is not a finite number";
    if (!ode.work->qdd.segment(link.velocity, link.freedom).allFinite())
      return "the acceleration of " + hanging_on(system, i) + " is not a finite number";
  }
  return {};
}

std::string broken_formula(const Ode& ode) {
  const model::Model& model = ode.system->model;
  for (const model::Force& force : model.forces) {
    const auto* load = std::get_if<model::Load>(&force.law);
    const auto* motion = std::get_if<model::Motion>(&force.law);
    const std::span<const model::Expression> values = load     ? std::span<const model::Expression>(load->value)
                                                      : motion ? std::span(&motion->value, 1)
                                                               : std::span<const model::Expression>();
    for (const model::Expression& value : values) {
      const model::Jet jet = model::evaluate_jet(value, ode.time, ode.work->links.watched);
      if (std::isfinite(jet.value) && (load || (std::isfinite(jet.rate) && std::isfinite(jet.second)))) continue;
      const model::JointId joint = load ? load->joint : motion->joint;
      const std::string owner = !force.name.empty() ? "of force " + in_quotes(force.name)
                                : joint.valid()     ? "that acts on joint " + in_quotes(model.joint(joint).name)
                                                    : "that acts on body " + in_quotes(model.body(load->body).name);
      return "the formula " + in_quotes(value.text) + " " + owner + " gives no finite number";
    }
  }
  return {};
}

Interpolant::Interpolant(Eigen::Index size)
    : y0(Eigen::VectorXd::Zero(size)),
      r1(Eigen::VectorXd::Zero(size)),
      r2(Eigen::VectorXd::Zero(size)),
      r3(Eigen::VectorXd::Zero(size)),
      r4(Eigen::VectorXd::Zero(size)) {}

void Interpolant::set_ends(double start_time, double step_size, const Eigen::VectorXd& at_start,
                           const Eigen::VectorXd& at_end, const Eigen::VectorXd& slope_start,
                           const Eigen::VectorXd& slope_end) {
  start = start_time;
  step = step_size;
  y0 = at_start;
  r1 = at_end - at_start;
  r2 = step * slope_start - r1;
  r3 = r1 - step * slope_end - r2;
  r4.setZero();
}

void Interpolant::at(double time, Eigen::VectorXd& y) const {
  const double s = (time - start) / step;
  const double t = 1 - s;
  // Each term vanishes at both ends of those before it, so that r4 changes neither end nor their slopes.
  y = y0 + s * (r1 + t * (r2 + s * (r3 + t * r4)));
}

}  // namespace espalier::dynamics::detail
