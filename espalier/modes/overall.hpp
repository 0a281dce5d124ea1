#pragma once

// The overall transfer equation of a structure [Rui14]: one square matrix over the states of the boundaries, for
// chains, trees and closed loops alike, singular at the eigenvalues.
//   In:   Structure, and the tree that spans its moving vertices
//   Out:  OverallEquation; its matrix and determinant at an s
// Each element passes the state of its input to its output, towards a root. A vertex sums the forces of all its inputs
// and asks that their displacements be equal (the geometry equations). A loop is opened at one end of an element; the
// state there is unknown and enters both sides. A direction that passes no force adds its jump to the unknowns.
// Forward products: right to read and to check against, but they lose digits with every mode (bending_chain.hpp).

#include <complex>
#include <span>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/result.hpp"
#include "espalier/modes/structure.hpp"
#include "espalier/modes/sweep.hpp"
#include "espalier/modes/transfer.hpp"

namespace espalier::modes {

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
