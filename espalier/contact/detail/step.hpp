#pragma once

// The parts of one step, in their order; advance.cpp puts them together. All but 1 and 8 are collective.
//   0  cut space again where the load is out of balance (balance.hpp)
//   1  bodies to the middle of the step                  5  the rows of the local dynamics
//   2  bodies to the ranks that need them                6  colours
//   3  joints and contacts                               7  impulses
//   4  constraints to the ranks that need them           8  bodies to the end of the step
//                                                        9  overlaps taken back by displacement (correct.hpp)

#include <vector>

#include "espalier/contact/detail/domain.hpp"
#include "espalier/contact/solve.hpp"

namespace espalier::contact::detail {

// Pose of the shapes of a body at mid step; of a pseudo-rigid body the rotation nearest to F.
math::Pose mid_pose(const Body& body);

// Rows t1, t2, n for a normal n of length 1. A function of n alone.
Eigen::Matrix3d contact_axes(const Eigen::Vector3d& n);

inline bool is_obstacle(const LocalBody& local) { return local.body.constants.kind == Kind::kObstacle; }

// Place of a body by id; -1 where it is not here.
int find_body(const Domain& domain, std::int64_t id);

// Relative velocity of master against slave along the axes, mid pose.
Eigen::Vector3d relative_velocity(const Constraint& constraint, const Body& master, const Body& slave,
                                  const std::array<double, 12>& of_master, const std::array<double, 12>& of_slave);

// What obstacles reach: once, where all joints are known.
void place_obstacles(Domain& domain);

// 1. Owned bodies at mid step, with what they reach. Collective.
void begin_bodies(const comm::Comm& comm, Domain& domain);

// 2. Everyone gets the bodies its cell needs, as they are at mid step, with the impulses of their constraints of the
// last
//    step where they are new here; from neighbours alone unless `everyone` says that space has just been shared out.
void place_bodies(const comm::Comm& comm, Domain& domain, bool everyone);

// 3. Pairs of bodies that are near each other, and internal constraints: joints and contacts whose points lie in this
//    cell.
void find_near(Domain& domain);
void find_constraints(const comm::Comm& comm, Domain& domain);

// 4. External records, from and to all ranks that hold a body of a constraint. Puts all in order.
void exchange_constraints(const comm::Comm& comm, Domain& domain);

// Which constraints hold each body here: `of[begin[i]] ..` for body i, ascending. Obstacles have none.
struct Adjacency {
  std::vector<int> begin, of;
  std::vector<int> master, slave;  // place of the bodies, by constraint; -1: not here
};
Adjacency make_adjacency(const Domain& domain);

// Where the R of a constraint stands: internal ones first, then external ones, both by colour and ascending in each, as
// sweeps go through them.
struct RowOrder {
  std::vector<int> constraint;  // by place
  std::vector<int> place;       // by constraint
  int internal = 0;             // so many
};
RowOrder make_row_order(const Domain& domain, const std::vector<int>& colour);

// 5. U = B + W R: rows of the internal constraints; columns beyond them are external ones. Blocks of a row stand in the
//    order of keys, so that their sums do not depend on whose they are. Sweeps do without the blocks (response.hpp):
//    they take the laws and B alone.
struct Laws {
  std::vector<Row> rows;
  std::vector<Eigen::Vector3d> B;
};
Laws make_laws(const Domain& domain, const Adjacency& adjacency, const RowOrder& rows);
LocalProblem assemble(const Domain& domain, const Adjacency& adjacency,
                      const std::vector<DeformationInverse>& deformation_inverse, const RowOrder& rows);
// By body; only those of pseudo-rigid bodies are filled.
std::vector<DeformationInverse> make_deformation_inverses(const Domain& domain);

// With whom the R of which constraint is exchanged.
struct Boundary {
  std::vector<int> neighbours;         // ranks, ascending
  std::vector<std::vector<int>> send;  // internal constraints that neighbour i has as external, ascending
  std::vector<std::vector<int>> take;  // external ones that are neighbour i's, ascending
};
Boundary make_boundary(const Domain& domain, int rank);

// 6. Colours by [Jones93]: a constraint takes the lowest colour that no neighbour before it in a shuffled order of keys
//    has. The same as if one rank had done all.
std::vector<int> colour_constraints(const comm::Comm& comm, const Domain& domain, const Adjacency& adjacency,
                                    const Boundary& boundary);

// 7. Gauss-Seidel over all ranks, colour by colour, and Newton's method on the root where it is too slow. R by place.
struct Prepared;
Solved solve_together(const comm::Comm& comm, const Domain& domain, const Prepared& prepared,
                      std::span<Eigen::Vector3d> R);

// 8. Owned bodies at the end of the step; copies stay as they were in its middle.
void end_bodies(Domain& domain, const Adjacency& adjacency, const std::vector<DeformationInverse>& deformation_inverse,
                int rank);

// Displaces owned bodies by the velocities that impulses `pushes`, by place, would give them, over a whole step; their
// own velocities stay.
void displace_bodies(Domain& domain, const Prepared& prepared, int rank, std::span<const Eigen::Vector3d> pushes);

// What parts 1 to 6 make for the solver.
struct Prepared {
  Adjacency adjacency;
  std::vector<DeformationInverse> deformation_inverse;
  RowOrder rows;
  Laws laws;
  Boundary boundary;
  std::vector<int> colour;  // of Order::kKeys
  int colours = 0;
  bool shared_out = false;
  StepTimes times;
};

}  // namespace espalier::contact::detail
