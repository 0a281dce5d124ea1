#pragma once

// A structure as finite elements of order p, for the programs that ours is compared with: Euler-Bernoulli's beams with
// cubic shapes and Legendre's polynomials inside each element, elastic hinges, rigid vertices.

#include <vector>

#include <Eigen/SparseCore>

#include "espalier/modes/structure.hpp"

namespace bench {

// (s^2 M + s C + K) u = 0.
struct Pencil {
  Eigen::SparseMatrix<double> M, C, K;
};

// `order` of the shapes in bending, at least 3; axial motion and torsion have the same. Ends the program where the
// structure has what these elements have not: rigid directions of hinges, shear, Kelvin-Voigt damping.
Pencil assemble(const espalier::modes::Structure& structure, int order);

}  // namespace bench
