#pragma once

// What a user wants to know of modes beside their eigenvalues: shapes scaled as asked, the mass that takes part, where
// the energy is, and displacements along beams.
//   In:   ModeSet with its structure and tree
//   Out:  ModeResults; the shapes of the ModeSet as those of the results

#include <array>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/modes/cut.hpp"
#include "espalier/modes/energy.hpp"
#include "espalier/modes/mode_set.hpp"

namespace espalier::modes {

enum class Scaling {
  kLargest,  // the largest displacement of a vertex or along a beam is 1; of torsion alone the largest rotation
  kMass,     // the modal mass is 1
};

struct ResultOptions {
  Scaling scaling = Scaling::kLargest;
  int least_pieces = 8;  // of each elastic body
};

// Of one shape; shapes of an eigenvalue that is several ones are orthogonal to each other by mass.
struct ShapeResult {
  Shape shape;            // by vertex of the cut structure
  double modal_mass = 0;  // u* M u [kg]
  Energies energies;      // all 0 but the mass of a free motion
  // Into each rigid motion x y z rx ry rz: u* M r / u* M u, and |u* M r|^2 / u* M u [kg], [kg m^2]. The masses of all
  // modes add up to those of the structure, as far as rigid joints let it move, where damping is none or proportional.
  std::array<std::complex<double>, 6> participation{};
  std::array<double, 6> effective_mass{};
};

struct ModeResults {
  CutStructure cut;
  Scaling scaling = Scaling::kLargest;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // of the mass; rotations are about it
  std::array<double, 6> mass{};                      // of the rigid motions [kg], [kg m^2]
  std::vector<std::vector<ShapeResult>> modes;       // as in ModeSet, one for each multiplicity
};

// A sweep of the cut structure for each mode. Replaces the shapes of `set` by those found here, whose numbers are 0
// nowhere but where the mode is: a beam between two supports has no vertex that would tell of it.
Result<ModeResults> find_results(const Structure& structure, const Tree& tree, ModeSet& set,
                                 const ResultOptions& options = {});

}  // namespace espalier::modes
