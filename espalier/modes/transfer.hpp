#pragma once

// The transfer matrix U(s) of an element: the state at its output from the state at its input, as the literature writes
// it [Rui14]. They are the classical way and the way to read the theory; the pass (pass.hpp) is the safe one.
//   State:  z = [x y z | rx ry rz | mx my mz | qx qy qz], complex amplitudes of exp(s t) [m], [rad], [N m], [N]
//   Signs:  q is the force of the input side on the output side, m the moment of the output side on the input side.
//           Hence qx = -EA x', mx = GJ rx', mz = EI y'', qy = EI y''', and the force and moment of the input side on
//           the output side, which do work on the displacements, are (q, -m).
// Lossless elements keep the pairing: U^T Omega U = Omega, det U = 1, for every s.
// All functions here take about a microsecond and do not allocate.

#include <complex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/modes/bending_segment.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/pass.hpp"

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

// A chain of beam segments that bend in one plane, clamped at its first and free at its last end: the literature's
// damped beam, and the example of where products of transfer matrices fail. Two determinants with the same zeros:
//   plain     of the product. A difference of products of growing solutions; at mode j it has lost about
//             (j - 1/2) pi / ln 10 digits, however many segments there are
//   compound  of the products' minors, carried along as unknowns of their own: nothing cancels

// The segments in order from the support, where the structure is such a chain in the plane x-y of its segments: Euler
// and Bernoulli's beams end to end, no masses, one support, the last end free.
std::optional<std::vector<BendingSegment>> find_bending_chain(const Structure& structure);

// u33 u44 - u34 u43 of the product: zero at an eigenvalue. About 0.1 microseconds a segment; does not allocate.
std::complex<double> plain_determinant(std::span<const BendingSegment> segments, std::complex<double> s);
// The same at many s, as many at a time as the machine's registers hold: the same bits.
void plain_determinants(std::span<const BendingSegment> segments, std::span<const std::complex<double>> s,
                        std::span<std::complex<double>> out);

// The product itself, of [y, rz, mz, qy]: what a part of a chain does to the state at its first end.
BendingTransfer plain_product(std::span<const BendingSegment> segments, std::complex<double> s);

// The same number by the six minors of two columns, rescaled at each segment.
Scaled<std::complex<double>> compound_determinant(std::span<const BendingSegment> segments, std::complex<double> s);

// The overall transfer equation of a structure [Rui14]: one square matrix over the states of the boundaries, for
// chains, trees and closed loops alike, singular at the eigenvalues.
//   In:   Structure, and the tree that spans its moving vertices
//   Out:  OverallEquation; its matrix and determinant at an s
// Each element passes the state of its input to its output, towards a root. A vertex sums the forces of all its inputs
// and asks that their displacements be equal (the geometry equations). A loop is opened at one end of an element; the
// state there is unknown and enters both sides. A direction that passes no force adds its jump to the unknowns.
// Forward products: right to read and to check against, but they lose digits with every mode (transfer.hpp).

// A group of unknowns: the columns first, first + 1, ..., count of them.
struct OverallUnknown {
  enum class Kind {
    kRoot,       // boundary to which the states flow
    kTip,        // any other boundary
    kCut,        // all states in use, where a loop is opened
    kRelease,    // jump in a direction that passes no force
    kRestraint,  // force on a vertex that may not move in a direction which others use
  };
  Kind kind = Kind::kTip;
  bool fixed = false;  // boundary at a support: its forces are unknown, else its displacements
  int vertex = -1;     // of a boundary or restraint
  int element = -1;    // of a support, cut or release; -1
  int direction = -1;  // of a release in local axes, of a restraint in the world's; -1
  int first = 0, count = 0;
};

// The way through an element from one of its vertices to the other, in the states in use.
struct OverallStep {
  std::variant<Beam, Hinge> law;  // of negative length and stiffness where the way is from end 1 to end 0
  std::vector<int> local;         // local states in use, of 0..11
  Eigen::MatrixXd enter, leave;   // from a vertex' states to local ones, and back
  std::vector<int> releases;      // unknowns
};

// What flows into a vertex: the states of another one, or unknowns.
struct OverallInput {
  int child = -1;         // position in OverallEquation::vertices, or
  int unknown = -1;       // a tip or a cut
  int step = -1;          // element on the way; -1: none
  bool opposite = false;  // the second side of a cut: forces with the other sign
};

struct OverallVertex {
  int vertex = -1;
  Eigen::MatrixXd mass, damping, stiffness;  // from displacements in use to forces in use
  std::vector<OverallInput> inputs;
  std::vector<int> restraints;  // unknowns
  int root = -1;                // unknown, where the states end here
  int root_step = -1;           // element to that boundary; -1: none
};

struct OverallEquation {
  std::vector<int> displacements;  // in use, of 0..5
  std::vector<int> states;         // in use, of 0..11: displacements, moments, forces
  std::vector<OverallUnknown> unknowns;
  std::vector<OverallVertex> vertices;  // children before parents
  std::vector<OverallStep> steps;
  int boundaries = 0, loops = 0, releases = 0, restraints = 0;
  int order = 0;  // displacements in use * (boundaries + 2 loops) + releases + restraints
};

// Rooted on a boundary: at the root of the tree if there is one, else at that of the lowest vertex. A structure without
// boundaries gets a free one at the root of the tree. A structure in several parts has a root for each.
// Error: directions in use that an element couples with others, which nothing holds.
Result<OverallEquation> make_overall(const Structure& structure, const Tree& tree);

// O(elements * order), and a few allocations. Real, as complex numbers, where s is imaginary and nothing dissipates.
Eigen::MatrixXcd overall_matrix(const OverallEquation& equation, std::complex<double> s);
// The same in two parts, so that ranks can share the first: the transfer matrix of a step, and what is assembled of
// those of all steps.
Transfer step_transfer(const OverallStep& step, std::complex<double> s);
Eigen::MatrixXcd overall_matrix(const OverallEquation& equation, std::complex<double> s,
                                std::span<const Transfer> transfers);
// By LU with partial pivoting; O(order^3).
Scaled<std::complex<double>> determinant(Eigen::MatrixXcd matrix);

}  // namespace espalier::modes
