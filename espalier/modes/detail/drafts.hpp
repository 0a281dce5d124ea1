#pragma once

// Steps of a pass while they are made (make_program.cpp): with their matrices, and with what holds them.

#include <vector>

#include <Eigen/Core>

#include "espalier/modes/detail/both.hpp"
#include "espalier/modes/detail/pass_program.hpp"
#include "espalier/modes/structure.hpp"

namespace espalier::modes::detail {

// Directions that differ by less are the same: maps hold numbers near 1.
inline constexpr double kSame = 1e-9;

// The directions that a map sees, and those that it does not, on both sides of it.
struct Split {
  Eigen::MatrixXd left, right;  // orthogonal, those of the nonzero values first
  int rank = 0;
};
Split split(const Eigen::MatrixXd& a);

// A step while it is made: with its matrices, and with what holds it.
struct Draft {
  Step step;
  Hop hop;                    // the element to the parent
  bool reversed = false;      // the element's second end is here
  Eigen::MatrixXd near;       // n x d: the element's near end from coordinates
  Eigen::MatrixXd onto;       // n x d of the parent: its far end
  bool held_by_rows = false;  // a loop is cut here
  Eigen::MatrixXd moves;      // 6 x k: admissible motions before constraints, scaled
  Eigen::MatrixXd held;       // rows in scaled displacements that must vanish
  Eigen::MatrixXd basis;      // 6 x d, scaled
  Eigen::MatrixXd ahead;      // n x 6: the element's far end from scaled displacements of the parent
  Both mass = zero(), stiffness = zero(), damping = zero();
  std::vector<int> children;

  static Both zero() { return Eigen::MatrixXd(Eigen::MatrixXd::Zero(6, 6)); }
};

// Element ends in scaled directions.
struct Ends {
  Eigen::MatrixXd near, far;  // n x 6
};

// Rigid rows count in this, so that their numbers are like those of their neighbours.
double typical_stiffness(const std::vector<Draft>& drafts);

}  // namespace espalier::modes::detail
