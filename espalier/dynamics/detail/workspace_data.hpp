#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/engine.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// What a Workspace holds.
struct WorkspaceData {
  explicit WorkspaceData(const System& system);

  LinkArrays links;
  Eigen::VectorXd input, effort, qdd;      // by coordinate
  Eigen::VectorXd residual, rate, lambda;  // by row
  int massless = -1;                       // link whose joint has no inertia to accelerate

  std::vector<int> touched;      // links whose motion force laws and drives ask for
  std::vector<DriveRow> drives;  // after update_kinematics and evaluate

  // Rows that others imply. Chosen at the first state that is evaluated; choose_rows chooses anew.
  std::vector<bool> dropped;
  bool rows_chosen = false;
  int threads = 1;
  std::unique_ptr<Engine> engine;  // made at the first evaluation, and anew where other rows are left out
  Eigen::VectorXd change;          // of velocities, by project_*
  Eigen::VectorXd nothing;         // zeros, by coordinate
};

}  // namespace espalier::dynamics::detail
