#pragma once

#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/engine.hpp"

namespace espalier::dynamics::detail {

// What a BatchWorkspace holds.
struct BatchData {
  BatchData(const System& system, const std::vector<bool>& dropped);

  std::vector<Lanes> input, effort, qdd;  // by coordinate
  std::vector<Lanes> lambda;              // by row

  std::vector<int> touched;       // links whose motion force laws and drives ask for
  std::vector<LinkArrays> links;  // by lane
  std::vector<double> q, v;       // of the lane whose laws are evaluated
  Eigen::VectorXd lane_effort;    // the same
  std::vector<DriveRow> drives;   // by drive and lane
  Engine engine;                  // memory of all lanes
};

}  // namespace espalier::dynamics::detail
