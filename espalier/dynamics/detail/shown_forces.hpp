#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// What drives and laws do at an instant, as model::Frame shows it: joint_drive, joint_passive and force.
class ShownForces {
 public:
  explicit ShownForces(const System& system);

  // At an evaluated state, with update_links(); `lambda` are its multipliers. O(joints + forces), without allocation.
  void fill(const System& system, double time, std::span<const double> q, std::span<const double> v,
            const LinkArrays& links, const Eigen::VectorXd& lambda);

  std::vector<double> drive, passive, force;

 private:
  double* of_joint(model::JointId joint, std::vector<double>& efforts) const {
    return efforts.data() + first_effort_[joint.index()];
  }
  void add_passive(const System& system, std::span<const double> q, std::span<const double> v, const LinkArrays& links);
  void add_drives(const System& system, double time, std::span<const double> q, std::span<const double> v,
                  const LinkArrays& links, const Eigen::VectorXd& lambda);

  std::vector<std::size_t> first_effort_;  // by joint
};

}  // namespace espalier::dynamics::detail
