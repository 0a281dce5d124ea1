#pragma once

// The transfer matrix U(s) of an element: the state at its output from the state at its input, as the literature writes
// it [Rui14]. They are the classical way and the way to read the theory; the sweep (sweep.hpp) is the safe one.
//   State:  z = [x y z | rx ry rz | mx my mz | qx qy qz], complex amplitudes of exp(s t) [m], [rad], [N m], [N]
//   Signs:  q is the force of the input side on the output side, m the moment of the output side on the input side.
//           Hence qx = -EA x', mx = GJ rx', mz = EI y'', qy = EI y''', and the force and moment of the input side on
//           the output side, which do work on the displacements, are (q, -m).
// Lossless elements keep the pairing: U^T Omega U = Omega, det U = 1, for every s.
// All functions here take about a microsecond and do not allocate.

#include <complex>

#include <Eigen/Core>

#include "espalier/modes/structure.hpp"

namespace espalier::modes {

using Complex = std::complex<double>;
using Transfer = Eigen::Matrix<Complex, 12, 12>;
using BendingTransfer = Eigen::Matrix<Complex, 4, 4>;  // of [y, rz, mz, qy]

// Row of the force that does work on displacement 0..5, and the sign with which (q, -m) enters the state.
constexpr int force_row(int displacement) { return displacement < 3 ? 9 + displacement : 3 + displacement; }
constexpr double force_sign(int displacement) { return displacement < 3 ? 1 : -1; }

// Krylov's functions of w = z^4, divided by the power of z that makes them entire: (cosh z + cos z) / 2,
// (sinh z + sin z) / 2z, (cosh z - cos z) / 2z^2, (sinh z - sin z) / 2z^3.
struct Krylov {
  Complex S, T, U, V;
};
Krylov krylov(Complex w);

// Euler and Bernoulli's beam; `load` is the force a length against y, rho A s^2 + c s + k.
BendingTransfer bending_transfer(double length, Complex EI, Complex load);
// Timoshenko's; `moment` is rho I s^2 and `shear` is 1 / (kappa G A). Both 0: the above by another way.
BendingTransfer bending_transfer(double length, Complex EI, Complex load, Complex moment, Complex shear);

// In the element's own axes, from end 0 to end 1. Directions that pass no force (see `released`) are carried over as
// they are: who joins elements adds their jumps. Viscous damping and foundation act against x, y and z.
Transfer local_transfer(const Beam& beam, Complex s);
Transfer local_transfer(const Hinge& hinge, Complex s);

// Local directions in which the two ends of an element move without each other: released by a hinge, or bending of a
// rod. Their forces vanish.
Directions released(const Element& element);

// From the state of a vertex, at its point in world axes, to that of an end of an element in the element's axes.
Eigen::Matrix<double, 12, 12> port_transfer(const Matrix6& to_local);
// Back: the inverse of the above.
Eigen::Matrix<double, 12, 12> port_transfer_back(const Matrix6& to_local);

// From the point of vertex 0 to that of vertex 1, world axes.
Transfer transfer(const Element& element, Complex s);
// Through a vertex: its mass, stiffness and damping against the ground. All forces act at its point.
Transfer transfer(const Vertex& vertex, Complex s);

// Omega of the identity above.
Eigen::Matrix<double, 12, 12> symplectic_form();

}  // namespace espalier::modes
