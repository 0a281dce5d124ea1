#pragma once

#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// What a System holds. make_system fills it; after that nothing changes but the callback.
struct SystemData {
  std::vector<Link> links;                            // each right before its own branches; link 0 is the world
  std::vector<Closure> closures;                      // the cut joints and the welds of bodies cut in two
  std::vector<Drive> drives;                          // their rows follow those of the closures
  Laws laws;                                          // springs, limits, friction and loads
  std::vector<BodyPlace> body_places;                 // by body of the model
  std::vector<int> link_of;                           // by joint of the model: the link that hangs by it; -1: cut
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // [m/s^2]
  model::Model model;
  int position_size = 0;
  int velocity_size = 0;
  int rows = 0;
  ForceLaw callback;
  std::vector<double> drawn, drawn_rate;  // q and v of the drawn pose
};

}  // namespace espalier::dynamics::detail
