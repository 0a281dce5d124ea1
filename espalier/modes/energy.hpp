#pragma once

// What of a mode is where: energies of elements and vertices, and the mass that moves. All by integrals over the cut
// structure (cut.hpp), of which the displacements are known everywhere.
//
// With m = u* M u, k = u* K u, c = u* C u of a shape u at s, an eigenvalue with Im s != 0 has k = |s|^2 m and
// c = -2 Re s m, damped or not: kinetic and potential energy are equal over a cycle.

#include <array>
#include <complex>
#include <vector>

#include <Eigen/Core>

#include "espalier/modes/cut.hpp"
#include "espalier/modes/mode_set.hpp"

namespace espalier::modes {

// Twice the mean energies of a cycle, and the mean power that is lost, of a shape as it is scaled.
struct Energy {
  double kinetic = 0;    // |s|^2 u* M u
  double potential = 0;  // u* K u
  double lost = 0;       // |s|^2 u* C u

  Energy& operator+=(const Energy& other);
};

struct Energies {
  std::vector<Energy> elements, vertices;  // of the whole structure
  Energy total;
};

// `shape` has a displacement for each vertex of the cut structure. O(pieces).
Energies find_energies(const CutStructure& cut, const Shape& shape, std::complex<double> s);

// Numbers q of a shape whose products are those of the mass: q_u* q_v = u* M v. As many for each shape of a cut
// structure, in the same order; where two structures are cut alike, comparable between them.
Eigen::VectorXcd mass_coordinates(const CutStructure& cut, const Shape& shape, std::complex<double> s);

// The same for the six motions of the structure as one rigid body, x y z and rotations about `centre`, in those
// directions in which its vertices move at all.
Eigen::MatrixXcd rigid_mass_coordinates(const CutStructure& cut, const Eigen::Vector3d& centre);

// Of the kinetic energy of a vertex, the part of each of its rigid bodies.
std::vector<double> body_shares(const model::Model& model, const Vertex& vertex,
                                const std::array<std::complex<double>, 6>& displacement);

// Where the mass that can move has its centre.
Eigen::Vector3d mass_centre(const CutStructure& cut);

}  // namespace espalier::modes
