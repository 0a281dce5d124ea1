#include "espalier/dynamics/system.hpp"

#include <array>
#include <utility>

#include "espalier/base/index.hpp"

namespace espalier::dynamics {
namespace {

math::Pose frame_a(const JointPlace& place, const LinkArrays& links) {
  return links.pose[to_index(place.a)] * place.X_LA;
}
math::Pose frame_b(const JointPlace& place, const LinkArrays& links) {
  return links.pose[to_index(place.b)] * place.X_LB;
}

DriveTerm make_term(const System& system, model::JointId joint, double ratio) {
  DriveTerm term;
  term.place = joint_place(system, joint);
  term.slides = model::joint_kind(term.place.type).coordinates[0] == model::CoordinateKind::kLength;
  term.ratio = ratio;
  if (term.place.link >= 0) {
    term.position = system.links[to_index(term.place.link)].position;
    term.velocity = system.links[to_index(term.place.link)].velocity;
  }
  return term;
}

// Value, slope and curvature of sum_k coefficient_k x^k.
std::array<double, 3> polynomial_at(std::span<const double> coefficient, double x) {
  std::array<double, 3> value{};
  for (std::size_t k = coefficient.size(); k-- > 0;) {
    value[2] = value[2] * x + 2 * value[1];
    value[1] = value[1] * x + value[0];
    value[0] = value[0] * x + coefficient[k];
  }
  return value;
}

}  // namespace

void add_drives(const model::Laws& laws, System& system) {
  for (const model::Equation& equation : laws.equations) {
    Drive drive;
    for (const auto& [joint, ratio] : equation.terms) drive.terms.push_back(make_term(system, joint, ratio));
    drive.polynomial = equation.polynomial;
    drive.offset = equation.offset;
    drive.value = equation.value;
    drive.of_velocity = equation.of_velocity;
    drive.row = system.rows++;
    system.drives.push_back(std::move(drive));
  }
}

DriveRow drive_row(const Drive& drive, double time, std::span<const double> q, std::span<const double> v,
                   const LinkArrays& links) {
  const model::Jet value = model::evaluate_jet(drive.value, time);
  if (drive.of_velocity) return {0, -value.value, -value.rate, 0};
  DriveRow row{-drive.offset - value.value, -value.rate, -value.second, 0};
  if (drive.polynomial.empty()) {
    for (const DriveTerm& term : drive.terms) row.residual += term.ratio * term_position(term, q, links);
  } else {
    const double x = drive.terms.size() > 1 ? term_position(drive.terms[1], q, links) : 0;
    const double rate = drive.terms.size() > 1 ? term_velocity(drive.terms[1], v, links) : 0;
    const std::array<double, 3> wanted = polynomial_at(drive.polynomial, x);
    row.residual += term_position(drive.terms[0], q, links) - wanted[0];
    row.slope = -wanted[1];
    row.bias -= wanted[2] * rate * rate;
  }
  return row;
}

double term_slope(const Drive& drive, const DriveRow& row, std::size_t k) {
  return !drive.polynomial.empty() && k == 1 ? row.slope : drive.terms[k].ratio;
}

double term_position(const DriveTerm& term, std::span<const double> q, const LinkArrays& links) {
  if (term.position >= 0) return q[to_index(term.position)];
  double position = 0;
  const math::Pose X_AB = math::relative_pose(frame_a(term.place, links), frame_b(term.place, links));
  model::joint_position(term.place.type, term.place.pitch, X_AB, {&position, 1});
  return position;
}

double term_velocity(const DriveTerm& term, std::span<const double> v, const LinkArrays& links) {
  if (term.velocity >= 0) return v[to_index(term.velocity)];
  return term_wrench(term, links)
      .dot(links.velocity[to_index(term.place.b)] -
           links.velocity[to_index(term.place.a)]);
}

math::SpatialVector term_wrench(const DriveTerm& term, const LinkArrays& links) {
  const math::Pose X_WA = frame_a(term.place, links);
  return coordinate_wrenches(term.place.type, X_WA, X_WA).column.col(0);
}

void add_drive_wrenches(const System& system, double time, std::span<const double> q, std::span<const double> v,
                        const LinkArrays& links, const Eigen::VectorXd& lambda, std::span<math::SpatialVector> wrench) {
  for (const Drive& drive : system.drives) {
    const DriveRow row = drive_row(drive, time, q, v, links);
    for (std::size_t k = 0; k < drive.terms.size(); ++k) {
      const DriveTerm& term = drive.terms[k];
      if (term.velocity >= 0) continue;
      wrench[term.place.joint.index()] += lambda[drive.row] * term_slope(drive, row, k) * term_wrench(term, links);
    }
  }
}

}  // namespace espalier::dynamics
