#pragma once

namespace espalier::modes {

// A uniform beam that bends in one plane, part of a chain (transfer.hpp). By itself, so that code for other
// instruction sets can know it without Eigen.
struct BendingSegment {
  double length = 0, EI = 0, rho_A = 0;         // [m], [N m^2], [kg/m]
  double viscous = 0, foundation = 0, eta = 0;  // [N s/m^2], [N/m^2], Kelvin-Voigt [s]
};

}  // namespace espalier::modes
