#include "espalier/dynamics/detail/frame_changes.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/QR>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"
#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/joint.hpp"

namespace espalier::dynamics::detail {
namespace {

using math::Pose;

constexpr int kPerJoint = 12;
constexpr int kPerFrame = 6;
// Directions of the conditions that are seen this much less than the best seen one are rounding.
constexpr double kSeen = 1e-8;
constexpr Eigen::Index kMostDense = 4'000'000;  // entries of a matrix that is factored as a dense one

// Twelve numbers for each joint: F first, then M, each with its turn before its shift.
int first_of(model::JointId joint, bool frame_b) {
  return kPerJoint * static_cast<int>(joint.index()) + (frame_b ? kPerFrame : 0);
}

Pose pose_of(const Eigen::VectorXd& change, int first, const FrameBounds& bounds) {
  // Turned by a rotation vector: small turns about three axes have no order that matters.
  return {bounds.distance * change.segment<3>(first + 3), math::rotation_exp(bounds.angle * change.segment<3>(first))};
}

// Turns about the axes of the frame through its origin, then shifts along them, each by what is allowed.
Columns frame_motions(const Pose& X_WF, const FrameBounds& bounds) {
  const Eigen::Matrix3d axes = X_WF.rotation.toRotationMatrix();
  Columns columns;
  columns.count = kPerFrame;
  columns.column.setZero();
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = axes.col(k);
    // In parts of what is allowed: the smallest change in these numbers spares what may change least.
    columns.column.col(k) << bounds.angle * axis, bounds.angle * X_WF.position.cross(axis);
    columns.column.col(3 + k).tail<3>() = bounds.distance * axis;
  }
  return columns;
}

class Slopes {
 public:
  Slopes(const System& system, const ConstraintRows& rows, const FrameBounds& bounds)
      : system_(system), rows_(rows), bounds_(bounds) {}

  SparseRows make() {
    for (const Closure& closure : system_->closures) {
      const Pose X_WA = at(closure.a) * closure.X_LA;
      const Pose X_WB = at(closure.b) * closure.X_LB;
      const Columns wrenches = constraint_wrenches(closure.type, closure.pitch, X_WA, X_WB);
      // A change of frame F moves body a's side of the joint, one of M the other side.
      // Our own welds have no frames that a file could have rounded.
      if (closure.joint.valid()) {
        add(closure.row, wrenches, closure.joint, X_WA, false, -1);
        add(closure.row, wrenches, closure.joint, X_WB, true, 1);
      }
      add_tree(closure, wrenches);
    }
    SparseRows E(system_->rows, frame_change_size(system_));
    E.setFromTriplets(entries_.begin(), entries_.end());
    return E;
  }

 private:
  const Pose& at(int link) const { return rows_.links.pose[to_index(link)]; }

  // The joints on the ways of the closure to where they meet, as in add_path_rows.
  void add_tree(const Closure& closure, const Columns& wrenches) {
    int a = closure.a;
    int b = closure.b;
    while (a != b) {
      int& deeper = a > b ? a : b;
      const Link& link = system_->links[to_index(deeper)];
      const double sign = a > b ? -1 : 1;
      if (link.joint.valid()) {
        // In the tree frame F moves what is beyond the joint forwards, M backwards.
        add(closure.row, wrenches, link.joint, at(link.parent) * link.X_LA, false, sign);
        add(closure.row, wrenches, link.joint, at(deeper) * link.X_LB, true, -sign);
      }
      deeper = link.parent;
    }
  }

  void add(int row, const Columns& wrenches, model::JointId joint, const Pose& X_WF, bool frame_b, double sign) {
    const Columns motions = frame_motions(X_WF, bounds_);
    for (int k = 0; k < wrenches.count; ++k) {
      for (int c = 0; c < kPerFrame; ++c)
        entries_.emplace_back(row + k, first_of(joint, frame_b) + c,
                              sign * wrenches.column.col(k).dot(motions.column.col(c)));
    }
  }

  const System& system_;
  const ConstraintRows& rows_;
  const FrameBounds& bounds_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

Eigen::Index frame_change_size(const System& system) {
  return kPerJoint * static_cast<Eigen::Index>(system->model.joints.size());
}

Eigen::VectorXd joint_sizes(const Eigen::VectorXd& change) {
  Eigen::VectorXd sizes(change.size() / kPerJoint);
  for (Eigen::Index j = 0; j < sizes.size(); ++j) {
    const auto both = [&](Eigen::Index part) {
      return elementary::hypot(change.segment<3>(kPerJoint * j + part).norm(),
                               change.segment<3>(kPerJoint * j + kPerFrame + part).norm());
    };
    // Rotations and shifts are bounded separately.
    sizes[j] = std::max(both(0), both(3));
  }
  return sizes;
}

System with_frames(const System& system, const Eigen::VectorXd& change, const FrameBounds& bounds) {
  System changed = system;
  for (Link& link : changed->links) {
    if (!link.joint.valid()) continue;
    link.X_LA = link.X_LA * pose_of(change, first_of(link.joint, false), bounds);
    link.X_LB = link.X_LB * pose_of(change, first_of(link.joint, true), bounds);
  }
  for (Closure& closure : changed->closures) {
    if (!closure.joint.valid()) continue;
    closure.X_LA = closure.X_LA * pose_of(change, first_of(closure.joint, false), bounds);
    closure.X_LB = closure.X_LB * pose_of(change, first_of(closure.joint, true), bounds);
  }
  return changed;
}

SparseRows frame_slopes(const System& system, const ConstraintRows& rows, const FrameBounds& bounds) {
  return Slopes(system, rows, bounds).make();
}

void set_correction(const System& system, const Eigen::VectorXd& change, const FrameBounds& bounds,
                    Correction& correction) {
  for (std::size_t j = 0; j < system->model.joints.size(); ++j) {
    const model::JointId id(static_cast<int>(j));
    Pose a = pose_of(change, first_of(id, false), bounds);
    Pose b = pose_of(change, first_of(id, true), bounds);
    const int link = system->link_of[j];
    if (link >= 0 && system->links[to_index(link)].reversed) {
      const Pose turn{Eigen::Vector3d::Zero(), model::exchange_turn(system->model.joint(id).type)};
      // The tree's frame A is the model's frame M where the joint runs backwards.
      std::swap(a, b);
      // The model's own frames: the tree runs against the joint there.
      a = turn * a * turn.inverse();
      b = turn * b * turn.inverse();
    }
    JointCorrection joint{id, a, b, 0, 0};
    joint.angle = bounds.angle * elementary::hypot(change.segment<3>(first_of(id, false)).norm(),
                                                   change.segment<3>(first_of(id, true)).norm());
    joint.distance = bounds.distance * elementary::hypot(change.segment<3>(first_of(id, false) + 3).norm(),
                                                         change.segment<3>(first_of(id, true) + 3).norm());
    // Most joints lie in no loop that disagrees.
    if (joint.angle == 0 && joint.distance == 0) continue;
    correction.angle = std::max(correction.angle, joint.angle);
    correction.distance = std::max(correction.distance, joint.distance);
    correction.joints.push_back(joint);
  }
}

Eigen::VectorXd least_norm_solution(const Eigen::SparseMatrix<double>& A, const Eigen::VectorXd& b) {
  if (A.rows() == 0) return Eigen::VectorXd::Zero(A.cols());
  if (A.rows() * A.cols() <= kMostDense) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors(A.rows(), A.cols());
    factors.setThreshold(kSeen);
    return factors.compute(Eigen::MatrixXd(A)).solve(b);
  }
  // From zero on the iterates stay in the row space: the smallest of all solutions.
  Eigen::LeastSquaresConjugateGradient<Eigen::SparseMatrix<double>, Eigen::IdentityPreconditioner> iteration;
  iteration.setTolerance(1e-15);
  iteration.setMaxIterations(2000);
  iteration.compute(A);
  return iteration.solve(b);
}

}  // namespace espalier::dynamics::detail
