#pragma once

#include <vector>

#include "espalier/dynamics/detail/shown_forces.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/model/run.hpp"

namespace espalier::dynamics::detail {

// Memory behind model::Frame; made once for a run.
struct FrameArrays {
  explicit FrameArrays(const System& system);

  Reactions reactions;
  ShownForces forces;
  std::vector<double> joint_position, joint_velocity, joint_acceleration;
  std::vector<double> body_pose, body_velocity, body_acceleration;
  std::vector<double> reaction;
  std::vector<std::uint8_t> reaction_unique;  // the caller's to fill
};

// The frame of an evaluated state, with update_links(). It points into `arrays` and to q and v. O(bodies + joints).
model::Frame make_frame(const System& system, double time, std::span<const double> q, std::span<const double> v,
                        double exchanged, const Workspace& work, FrameArrays& arrays);

}  // namespace espalier::dynamics::detail
