#include "espalier/dynamics/detail/system_drives.hpp"

#include <utility>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_state.hpp"
#include "espalier/dynamics/detail/system_data.hpp"

namespace espalier::dynamics::detail {
namespace {

DriveTerm make_term(const System& system, model::JointId joint, double ratio) {
  DriveTerm term;
  term.place = joint_place(system, joint);
  term.slides = model::joint_kind(term.place.type).coordinates[0] == model::CoordinateKind::kLength;
  term.ratio = ratio;
  // The first number of a driven joint is its only one, and the same seen from either body.
  if (term.place.link >= 0) {
    term.position = system->links[to_index(term.place.link)].position;
    term.velocity = system->links[to_index(term.place.link)].velocity;
  }
  return term;
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
    // Behind the rows of all closures, so that leaving motions out renumbers no loop.
    drive.row = system->rows++;
    system->drives.push_back(std::move(drive));
  }
}

void add_drive_wrenches(const System& system, double time, std::span<const double> q, std::span<const double> v,
                        const LinkArrays& links, const Eigen::VectorXd& lambda, std::span<math::SpatialVector> wrench) {
  for (const Drive& drive : system->drives) {
    const DriveRow row = drive_row(drive, time, q, v, links);
    for (std::size_t k = 0; k < drive.terms.size(); ++k) {
      const DriveTerm& term = drive.terms[k];
      // A tree joint transmits its drive with all else that the links beyond it need.
      if (term.velocity >= 0) continue;
      wrench[term.place.joint.index()] += lambda[drive.row] * term_slope(drive, row, k) * term_wrench(term, links);
    }
  }
}

}  // namespace espalier::dynamics::detail
