#include "espalier/dynamics/detail/branch_inertia.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/detail/tree_pass.hpp"

namespace espalier::dynamics::detail {
namespace {

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

Block with_armature(Block inertia, std::span<const double> armature) {
  for (Eigen::Index k = 0; k < inertia.rows(); ++k) {
    if (k < static_cast<Eigen::Index>(armature.size())) inertia(k, k) += armature[to_index(k)];
  }
  return inertia;
}

std::vector<MotionSubspace> pass_outwards(const System& system, LinkArrays& links) {
  std::vector<MotionSubspace> motion(system->links.size());
  const std::vector<double> still(to_index(system->velocity_size), 0);
  for (std::size_t i = 1; i < system->links.size(); ++i)
    pass_to_link(system, static_cast<int>(i), system->drawn, still, links, motion[i]);
  return motion;
}

// Inertia of all that a link's joint carries, and what is left of it while all further joints are free to follow.
struct BranchInertia {
  std::vector<Inertia6> whole, free;  // by link
  std::vector<MotionSubspace> motion;

  explicit BranchInertia(const System& system)
      : whole(system->links.size(), Inertia6::Zero()), free(system->links.size(), Inertia6::Zero()) {
    LinkArrays links(system);
    motion = pass_outwards(system, links);
    for (std::size_t i = 1; i < system->links.size(); ++i) {
      whole[i] = math::spatial_matrix(math::transformed(links.pose[i], system->links[i].inertia));
      free[i] = whole[i];
    }
  }

  void pass_to_parent(const Link& link, std::size_t i, bool resists) {
    const auto parent = to_index(link.parent);
    whole[parent] += whole[i];
    free[parent] += free[i];
    // Where nothing resists, D has no inverse, and the branch is handed on as if it were rigid.
    if (!resists || link.freedom == 0) return;
    // (D5) and (D6) without loops, in plain matrices.
    const auto S = motion[i].s.column.leftCols(link.freedom);
    const Block U = free[i] * S;
    const Block left = with_armature(S.transpose() * U, link.armature);
    free[parent] -= U * left.ldlt().solve(U.transpose());
  }
};

}  // namespace

double least_resistance(const Columns& motion, const Inertia6& whole, const Inertia6& free,
                        std::span<const double> armature) {
  if (motion.count == 0) return 1;
  const auto S = motion.column.leftCols(motion.count);
  const Block carried = with_armature(S.transpose() * whole * S, armature);
  // The terms of a sum that is zero cancel to rounding alone.
  const Block size = with_armature(S.cwiseAbs().transpose() * whole.cwiseAbs() * S.cwiseAbs(), armature);
  if (!((carried.diagonal() - kSingular * size.diagonal()).minCoeff() > 0)) return 0;
  // Each coordinate in the unit in which the whole branch resists it with 1.
  const Eigen::VectorXd scale = carried.diagonal().cwiseSqrt().cwiseInverse();
  const Block left = with_armature(S.transpose() * free * S, armature);
  const Block scaled = scale.asDiagonal() * left * scale.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<Block>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

std::vector<MotionSubspace> drawn_motions(const System& system) {
  LinkArrays links(system);
  return pass_outwards(system, links);
}

std::vector<double> link_resistances(const System& system) {
  BranchInertia branch(system);
  // Tips first, as the recursion itself goes.
  std::vector<double> resistance(system->links.size(), 1);
  for (std::size_t i = system->links.size() - 1; i > 0; --i) {
    const Link& link = system->links[i];
    resistance[i] = least_resistance(branch.motion[i].s, branch.whole[i], branch.free[i], link.armature);
    branch.pass_to_parent(link, i, resistance[i] > 0);
  }
  return resistance;
}

}  // namespace espalier::dynamics::detail
