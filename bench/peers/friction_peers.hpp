#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/contact/local_problem.hpp"

namespace bench {

// A solver of another program: its own tolerance, then R and the iterations it says it took.
struct FrictionPeer {
  std::string name;
  std::function<int(const espalier::contact::LocalProblem&, double tolerance, std::span<Eigen::Vector3d> R,
                    double& seconds)>
      solve;
};

// Those of Siconos; there only where it is (BENCH_SICONOS).
std::vector<FrictionPeer> friction_peers();

}  // namespace bench
