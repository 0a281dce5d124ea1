#pragma once

#include <array>
#include <span>

#include <Eigen/Core>

#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/system.hpp"

namespace espalier::dynamics::detail {

// Adds what all laws of the model and System::callback give at the poses and velocities of `links`: to links.force the
// wrenches on links, to `effort` (by coordinate) the efforts on coordinates of the tree. A law on a joint acts on its
// coordinates where the joint is in the tree, else as a pair of wrenches on its two bodies. Gravity is no wrench: it is
// an acceleration of the world. Allocates nothing.
void add_forces(const System& system, double time, std::span<const double> q, std::span<const double> v,
                LinkArrays& links, Eigen::Ref<Eigen::VectorXd> effort);

// What single laws give there. Springs between points: their tension [N]. Between frames: the wrench on b, in world
// axes about the world's origin. Joints: efforts on their coordinates.
double spring_tension(const PointSpring& spring, const LinkArrays& links);
math::SpatialVector frame_wrench(const FrameLaw& law, const LinkArrays& links);
std::array<double, 3> joint_efforts(const System& system, const JointLaw& law, std::span<const double> q,
                                    std::span<const double> v, const LinkArrays& links);

// What springs between points, bushings, springs of joints and limits hold, how fast that grows, and the power of what
// is lost beside them. The power of all laws of these kinds together is power - rate.
struct LawEnergy {
  double stored = 0;  // [J]
  double rate = 0;    // d stored / dt [W]
  double power = 0;   // of dampers, friction and the damping of limits on the mechanism, never positive [W]
};
LawEnergy law_energy(const System& system, std::span<const double> q, std::span<const double> v,
                     const LinkArrays& links);

// Adds, by joint of the model, the wrench on body b from springs, dampers, friction, limits and loads of cut joints, in
// world axes about the world's origin. Those of tree joints are part of what the tree transmits.
void add_cut_wrenches(const System& system, double time, const LinkArrays& links,
                      std::span<math::SpatialVector> wrench);

}  // namespace espalier::dynamics::detail
