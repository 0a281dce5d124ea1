#pragma once

// What a pass does at each vertex, worked out once: sizes, constant maps, and where everything lies.
//
// A front is the symmetric matrix that a vertex has when all below it is eliminated,
//   [ S  G ]  d coordinates e of the vertex: S e + G lambda is the force that the vertex needs,
//   [ G' H ]  rows: G' e + H lambda is how far the cuts are open.
// Rows that close here come before those that are carried on.

#include <cstddef>
#include <vector>

#include "espalier/math/double_double.hpp"

namespace espalier::modes::detail {

// A slice of a beam; lengths and rotations in units of the structure's length. Where a field is not there, -1.
struct BeamLaw {
  double length = 0;
  double EA = 0, GJ = 0, EIy = 0, EIz = 0;
  double rho_A = 0, rho_Ip = 0, rho_Iy = 0, rho_Iz = 0, shear_y = 0, shear_z = 0;
  double viscous = 0, kelvin_voigt = 0, foundation = 0;
  int axial = -1, torsion = -1;  // number of the direction
  int bend_y = -1, bend_z = -1;  // of the displacement; the rotation is the next one
  int slices = 1;                // equal ones, so short that none resonates
};

struct HingeLaw {
  int elastic = 0;  // directions; the others are rigid and come after them
  std::vector<double> stiffness, damping;
};

// Offsets into PassProgram::constants.
using Offset = std::size_t;

// An element on the way from one vertex to the next, and the vertex before it: one that only two elements hold is
// passed without being eliminated. All directions of a way are as many.
struct Hop {
  bool is_beam = false;
  BeamLaw beam;
  HingeLaw hinge;
  int element = -1;  // of the structure; -1: none, the way ends at a root
  // Of the vertex before the element; not of the first hop, whose vertex is the step's own. Coordinates are the
  // displacements of the element's end.
  int vertex = -1;
  Offset basis = 0;                             // 6 x n: displacements from coordinates
  bool straight = true;                         // the axes stay the same
  Offset axes = 0, axes_force = 0;              // n x n: from the end of the element before
  bool bare = true;                             // the vertex has no law of its own
  Offset mass = 0, stiffness = 0, damping = 0;  // n x n
};

// Eliminates one vertex.
struct Step {
  int vertex = -1;  // of the structure; -1: none, as in the middle of a beam
  int d = 0;        // coordinates
  int closing = 0;  // rows
  int carried = 0;
  Offset basis = 0;                             // 6 x d: displacements from coordinates
  Offset mass = 0, stiffness = 0, damping = 0;  // d x d

  std::vector<Hop> hops;       // to the parent; none: a root, which eliminates all it has together
  int parent = -1;             // step; -1: a root, at the end of the hops where there are some
  int n = 0;                   // directions of the elements
  int seen = 0;                // coordinates that the first element sees; the others are eliminated first
  Offset axes = 0;             // d x d, orthogonal: seen coordinates, then the others
  Offset into = 0;             // n x seen: e of the element from those seen
  Offset load = 0;             // n x seen: with it, force of the element from that of those seen
  Offset reaction = 0;         // n x (n - seen): forces that nothing seen feels
  Offset onto = 0;             // n x d of the parent
  int free = 0;                // directions in which rigid rows of a hinge leave those seen free
  Offset free_basis = 0;       // seen x free
  std::vector<int> row_place;  // by carried row: its place in the parent's front, counted from its first row
};

// One row of a cut joint: a force between two vertices along a direction.
struct CutRow {
  bool rigid = true;
  double stiffness = 0, damping = 0;
  struct Side {
    int step = -1;
    int place = -1;    // in the front, counted from its first row
    Offset along = 0;  // d of the step
  };
  Side sides[2];
  int closes = -1;  // step
  int element = -1;
};

struct PassProgram {
  std::vector<Step> steps;  // children before parents
  std::vector<CutRow> rows;
  std::vector<double> constants;
  std::vector<double> constants_low;  // what they lack of double-double; empty where no pass asks for it
  double length_unit = 1;
  int motions = 0;           // of all vertices together, as far as rigid joints leave them free
  double row_stiffness = 1;  // in which the forces of rigid rows are counted
};

// The constants in double-double; of a program that was made for it.
std::vector<math::DoubleDouble> precise_constants(const PassProgram& program);

}  // namespace espalier::modes::detail
