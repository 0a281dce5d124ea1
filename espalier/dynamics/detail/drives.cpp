#include "espalier/dynamics/detail/drives.hpp"

#include <array>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"

namespace espalier::dynamics::detail {
namespace {

math::Pose frame_a(const JointPlace& place, const LinkArrays& links) {
  return links.pose[to_index(place.a)] * place.X_LA;
}
math::Pose frame_b(const JointPlace& place, const LinkArrays& links) {
  return links.pose[to_index(place.b)] * place.X_LB;
}

// Value, slope and curvature of sum_k coefficient_k x^k.
std::array<double, 3> polynomial_at(std::span<const double> coefficient, double x) {
  std::array<double, 3> value{};
  // Horner's rule, differentiated twice.
  for (std::size_t k = coefficient.size(); k-- > 0;) {
    value[2] = value[2] * x + 2 * value[1];
    value[1] = value[1] * x + value[0];
    value[0] = value[0] * x + coefficient[k];
  }
  return value;
}

}  // namespace

DriveRow drive_row(const Drive& drive, double time, std::span<const double> q, std::span<const double> v,
                   const LinkArrays& links) {
  const model::Jet value = model::evaluate_jet(drive.value, time);
  // (D11): a velocity leaves the position free, so there is no residual to close.
  if (drive.of_velocity) return {0, -value.value, -value.rate, 0};
  DriveRow row{-drive.offset - value.value, -value.rate, -value.second, 0};
  if (drive.polynomial.empty()) {
    // (D9)
    for (const DriveTerm& term : drive.terms) row.residual += term.ratio * term_position(term, q, links);
  } else {
    // (D10): the second term is the argument; alone, a joint is held at the constant p(0).
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
  // In the tree the coordinate itself, which counts its turns.
  if (term.position >= 0) return q[to_index(term.position)];
  double position = 0;
  const math::Pose X_AB = math::relative_pose(frame_a(term.place, links), frame_b(term.place, links));
  model::joint_position(term.place.type, term.place.pitch, X_AB, {&position, 1});
  return position;
}

double term_velocity(const DriveTerm& term, std::span<const double> v, const LinkArrays& links) {
  if (term.velocity >= 0) return v[to_index(term.velocity)];
  return term_wrench(term, links).dot(links.velocity[to_index(term.place.b)] - links.velocity[to_index(term.place.a)]);
}

math::SpatialVector term_wrench(const DriveTerm& term, const LinkArrays& links) {
  const math::Pose X_WA = frame_a(term.place, links);
  // A driven joint has one coordinate: its axis is in A as in B, and A will do for both.
  return coordinate_wrenches(term.place.type, X_WA, X_WA).column.col(0);
}

}  // namespace espalier::dynamics::detail
