#pragma once

// The local dynamics: U = B + W R with a law between U and R in every row, three numbers a row: t1 t2 n, as [Koziara11]
// has them (contact.hpp says how they come about). W is kept as block rows. A row's blocks are
// added up in the order they stand in: put in order of ids, they give the same bits wherever the row is.
//   In:   bodies and constraints of a step, or a file of a friction problem
//   Out:  what solve.hpp works on
// R are impulses [N s], U relative velocities of master against slave [m/s], n out of the slave.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/base/numbers.hpp"

namespace espalier::contact {

enum class Law : std::uint8_t {
  kContact,    // Signorini and Coulomb: 0 <= U_N + bias perpendicular to R_N >= 0, |R_T| <= mu R_N against the sliding
  kPoint,      // U + bias = 0 in the directions that are held (a joint, a prescribed velocity), R = 0 in the others
  kDirection,  // R_T = 0, U_N + bias = 0
  kLink,       // R_T = 0, |z + step/2 U| = length
  kSpring,     // R_T = 0, R_N = impulse - damping U_N - brake + stop; U_N between the stops, which push back only when
               // reached; the brake is as large as `friction` against U_N, and anything below where it holds U_N at 0
};

struct Row {
  Law law = Law::kContact;
  double friction = 0;                             // contact: mu [-]; spring: of its brake [N s]
  Eigen::Vector3d bias = Eigen::Vector3d::Zero();  // contact: n alone (restitution, gap); [m/s]
  std::array<bool, 3> held = {true, true, true};   // point
  Eigen::Vector3d z = Eigen::Vector3d::Zero();     // link: from slave to master at mid step, local axes [m]
  double length = 0;                               // link [m]
  double impulse = 0, damping = 0;                 // spring: [N s], [kg]
  std::array<double, 2> stops = {-1e300, 1e300};   // spring: U_N stays within, the first not above the other [m/s]
};

struct LocalProblem {
  std::vector<Row> rows;
  std::vector<Eigen::Vector3d> B;
  std::vector<int> begin = {0};        // blocks begin[i] .. begin[i + 1] belong to row i
  std::vector<int> column;             // may be beyond rows: rows of other ranks, whose R is given
  std::vector<Eigen::Matrix3d> block;  // W
  std::vector<int> diagonal;           // place of W_ii
  double step = 0;                     // [s], of kLink
};

// The point of the cone |S_T| <= mu S_N that is nearest to S.
Eigen::Vector3d project_on_cone(const Eigen::Vector3d& S, double friction);

// Velocity of one row [m/s]: B + W R.
Eigen::Vector3d velocity_of(const LocalProblem& problem, int row, std::span<const Eigen::Vector3d> R);

// What is left of one row's law at U and R; zero where both obey it. Contact: R - P_K(R - F) with
// F = (U_T, U_N + bias + mu |U_T|). Others: their equations, the link's as the velocity by which it is missed.
Eigen::Vector3d law_residual(const Row& row, const Eigen::Vector3d& U, const Eigen::Vector3d& R, double step);

// How well R solves it; all three are reported [Koziara11].
struct Accuracy {
  double energy = 0;   // g(R): sum of C W_ii^-1 C over that of B W_ii^-1 B, C what is left of each law
  double change = 0;   // |dR| / |R| of the last sweep
  double natural = 0;  // |C| / |B|, all of C, in numbers of SI units
};

// The sums it is made of. They are exact: those of all ranks, added up in any order, give the same bits.
struct AccuracySums {
  ExactSum spurious, available;  // energies
  ExactSum left, given;          // squares of C and of B
  ExactSum change, size;         // squares of dR and of R: filled by sweeps
};
Accuracy accuracy_of(const AccuracySums& sums);

// Adds a row to the sums, all but the change: its law, its own block of W, and B, U and R.
void measure_row(const Row& row, const Eigen::Matrix3d& own, const Eigen::Vector3d& B, const Eigen::Vector3d& U,
                 const Eigen::Vector3d& R, double step, AccuracySums& sums);
// Adds rows to the sums; all but the change.
void measure_rows(const LocalProblem& problem, std::span<const int> rows, std::span<const Eigen::Vector3d> R,
                  AccuracySums& sums);
// Of all rows here.
Accuracy measure(const LocalProblem& problem, std::span<const Eigen::Vector3d> R);

}  // namespace espalier::contact
