#pragma once

// The closed pose nearest to a drawing, found without a tree, so that it is the same for every tree. The measure is
//   sum over the groups of welded bodies of |shift of the middle of its joints|^2 / l^2 + (angle turned)^2
// with l the typical length of the model without a tree. docs/theory/dynamics.md, Assembly.

#include <span>
#include <vector>

#include "espalier/dynamics/assembly.hpp"

namespace espalier::dynamics::detail {

struct NearestPose {
  std::vector<math::Pose> body;  // X_WB, as near to closed as was reached
  double worst = 0;              // largest residual of a joint, drive or limit [m or rad]
  double measure = 0;            // without units
  int iterations = 0;
  bool blocked = false;  // closed outside limits: within them loops do not close
};

// From `drawing`, poses X_WB of the bodies of `model`, whose welds must be closed. Until the largest residual is below
// `goal` and nothing nearer is found close by. `gentle`: residuals that only a motion along directions that the
// equations hardly see would close are left as they are. `start`: poses to begin with in place of the drawing, as near
// to closed as is known.
NearestPose find_nearest_pose(const model::Model& model, std::span<const math::Pose> drawing,
                              const AssemblyOptions& options, double goal, bool gentle,
                              std::span<const math::Pose> start = {});

}  // namespace espalier::dynamics::detail
