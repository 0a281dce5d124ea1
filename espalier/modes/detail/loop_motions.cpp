#include "espalier/modes/detail/loop_motions.hpp"

#include <cmath>

#include <Eigen/SVD>

#include "espalier/base/index.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;

// x = own q + follow x_parent.
struct Motion {
  MatrixXd own, follow;
  bool made = false;
};

Motion make_motion(const RigidJoint& joint) {
  Motion motion;
  motion.made = true;
  const Index d = joint.coordinates, rigid = joint.near.rows();
  // Nothing of the joint is rigid, so that all coordinates are free and nothing follows the parent.
  if (rigid == 0) {
    motion.own = MatrixXd::Identity(d, d);
    return motion;
  }
  const Eigen::JacobiSVD<MatrixXd> svd(joint.near, Eigen::ComputeFullU | Eigen::ComputeFullV);
  // near x = far x_parent: a particular solution follows the parent, the null space is the vertex' own.
  motion.own = svd.matrixV().rightCols(d - rigid);
  motion.follow = svd.solve(joint.far);
  return motion;
}

}  // namespace

std::vector<RowMotions> find_row_motions(const std::vector<RigidJoint>& joints, const std::vector<RigidRow>& rows) {
  std::vector<int> column(joints.size());
  int next = 0;
  for (std::size_t v = 0; v < joints.size(); ++v) {
    column[v] = next;
    next += joints[v].coordinates;
  }
  // Made when a row first needs them: most vertices of a structure lie on no loop.
  std::vector<Motion> motions(joints.size());
  std::vector<RowMotions> found(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t side = 0; side < 2; ++side) {
      RowVectorXd along = rows[r].along[side];
      for (int v = rows[r].vertex[side]; v >= 0;) {
        const auto i = to_index(v);
        if (!motions[i].made) motions[i] = make_motion(joints[i]);
        const RowVectorXd own = along * motions[i].own;
        for (Index k = 0; k < own.size(); ++k) found[r].push_back({v, column[i] + static_cast<int>(k), own[k]});
        // A joint without rigid rows passes no motion of its parent on.
        if (joints[i].near.rows() == 0) break;
        along = along * motions[i].follow;
        v = joints[i].parent;
      }
    }
  }
  return found;
}

bool IndependentRows::accept(const RowMotions& row, const std::vector<char>& keep, double least) {
  double whole = 0;
  std::vector<double> rest(to_index(places_), 0.0);
  // Both ways of a row may share vertices, where their parts add up.
  for (const RowMotion& motion : row) {
    whole += motion.value * motion.value;
    if (keep[to_index(motion.vertex)] == 0) continue;
    const auto c = to_index(motion.column);
    if (place_.size() <= c) place_.resize(c + 1, -1);
    if (place_[c] < 0) {
      place_[c] = places_++;
      rest.push_back(0);
    }
    rest[to_index(place_[c])] += motion.value;
  }
  // Twice: what rounding left of the first time.
  for (int time = 0; time < 2; ++time) {
    for (const std::vector<double>& other : basis_) {
      double part = 0;
      for (std::size_t k = 0; k < other.size(); ++k) part += other[k] * rest[k];
      for (std::size_t k = 0; k < other.size(); ++k) rest[k] -= part * other[k];
    }
  }
  // What no other row holds.
  double left = 0;
  for (const double x : rest) left += x * x;
  if (!(left > least * least * whole)) return false;
  for (double& x : rest) x /= std::sqrt(left);
  basis_.push_back(std::move(rest));
  return true;
}

}  // namespace espalier::modes::detail
