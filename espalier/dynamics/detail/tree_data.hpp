#pragma once

#include <vector>

#include "espalier/dynamics/detail/joint_motion.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// What a TreeWorkspace holds.
struct TreeData {
  explicit TreeData(const System& system);

  LinkArrays links;                    // acceleration: with qdd = 0 and without gravity; force: scratch
  std::vector<MotionSubspace> motion;  // by link
  std::vector<SpatialVector> gain;     // by link: the part of its acceleration that qdd and gravity bring
};

}  // namespace espalier::dynamics::detail
