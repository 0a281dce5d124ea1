#pragma once

// A program under measurement, with one mechanism in it: Espalier or another. All of them get the same tree, the same
// numbers and the same state, the drawn one. This header is C++17, which is all that Simbody's headers bear, and with
// it all that it includes.

#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "espalier/math/pose.hpp"

namespace espalier::dynamics {
class System;
}

namespace bench {

// Joints the peers are given; frames and coordinates as in model::JointType.
enum class Joint { kRevolute, kPrismatic, kUniversal, kSpherical, kFree };

// dynamics::System without what peers do not know.
struct PeerTree {
  // math::Inertia, whose header is C++20.
  struct Inertia {
    double mass = 0;            // [kg]
    Eigen::Vector3d com;        // [m]
    Eigen::Matrix3d about_com;  // [kg m^2]
  };
  struct Link {
    int parent = -1;
    Joint joint = Joint::kRevolute;
    espalier::math::Pose X_LA, X_LB;
    Inertia inertia;
    int position = 0;
    int velocity = 0;
    int freedom = 0;
    espalier::math::Pose X_AB;  // drawn
  };
  // Point on point; where the joint is revolute the loop is planar and two equations do.
  struct Loop {
    int a = 0, b = 0;
    Joint joint = Joint::kSpherical;
    espalier::math::Pose X_LA, X_LB;
  };
  std::vector<Link> links;  // links[0] is the world
  std::vector<Loop> loops;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // [m/s^2]
  std::vector<double> q, v, effort;                   // drawn; effort: constant loads on joints
  int joint_zero = 0;                                 // the link that hangs on the model's joint 0
};
PeerTree make_peer_tree(const espalier::dynamics::System& system);

// Of a link's frame, world axes.
struct LinkAcceleration {
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // [rad/s^2]
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   // of its origin [m/s^2]
};

// How exact a run is to be: by a fixed step or by an accuracy of the program's own.
struct Setting {
  double step = 0;      // [s]
  double accuracy = 0;  // where step is 0
};

struct Run {
  double seconds = 0;  // processor time [s]
  double angle = 0;    // of joint 0 at the end [rad]
  long steps = 0;
  bool done = false;
};

struct Program {
  std::string name;
  double bytes = 0;  // taken for this mechanism, what the program itself needs of the model included
  // Accelerations at the drawn positions and `factor` times the drawn velocities, with all forces; nothing is kept from
  // the call before.
  std::function<void(double factor)> forward;
  // By link, after forward.
  std::function<std::vector<LinkAcceleration>()> accelerations;
  // The efforts that make all coordinates accelerate by 1. Empty where the mechanism has loops.
  std::function<void(double factor)> inverse;
  // By coordinate, after inverse.
  std::function<std::vector<double>()> efforts;
  // From the drawn state to `end` [s]. Fixed steps are of classical Runge-Kutta; MuJoCo knows no others, Simbody none.
  std::function<Run(double end, const Setting& setting)> simulate;
};

Program make_espalier(const espalier::dynamics::System& system);
Program make_mujoco(const PeerTree& tree);
Program make_simbody(const PeerTree& tree);

}  // namespace bench
