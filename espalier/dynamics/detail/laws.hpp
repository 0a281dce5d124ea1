#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "espalier/dynamics/detail/joint_place.hpp"
#include "espalier/model/model.hpp"

namespace espalier::dynamics::detail {

// The force laws of a System: those of its model (model/model.hpp), placed. Links stand in place of bodies, points and
// frames in the frames of links: what detail/forces.hpp evaluates at every step without a search and without
// allocation. docs/theory/dynamics.md has the formulas.

// Friction is as good as fully developed at a few times this speed, in [rad/s] and in [m/s].
inline constexpr double kFrictionSpeed = 1e-3;
// A limit is a spring on which the inertia seen at the coordinate would swing this fast [rad/s], damped by this part of
// the critical damping [-].
inline constexpr double kLimitFrequency = 300;
inline constexpr double kLimitDamping = 0.5;
// A limit sets in over this part of its range [-], and at most over this much [rad] or [m].
inline constexpr double kLimitOnset = 1e-3;

// One coordinate: stiffness (rest - q) - damping qd - friction tanh(qd / kFrictionSpeed), and what its limits add.
struct CoordinateLaw {
  double stiffness = 0;  // [N m/rad] or [N/m]
  double rest = 0;       // [rad] or [m]
  double damping = 0;    // [N m s/rad] or [N s/m]
  double friction = 0;   // [N m] or [N]
  bool limited = false;
  double low = 0, high = 0;    // [rad] or [m]
  double limit_stiffness = 0;  // [N m/rad] or [N/m]
  double limit_damping = 0;    // [N m s/rad] or [N s/m]
  double limit_onset = 0;      // the way over which the limit sets in [rad] or [m]
};
struct JointLaw {
  JointPlace place;
  int count = 0;  // coordinates
  std::array<CoordinateLaw, 3> coordinate;
};

// Six springs, dampers and friction between frame A in a and frame B in b: along the axes of A, and about them on the
// rotation vector. Bushings, elastic free joints, springs of spherical joints.
struct FrameLaw {
  JointPlace place;                         // `joint` is invalid for a bushing
  using Six = Eigen::Matrix<double, 6, 1>;  // x y z rx ry rz
  Six stiffness = Six::Zero(), damping = Six::Zero(), rest = Six::Zero(), friction = Six::Zero();
};

struct PointSpring {
  int a = 0, b = 0;                  // links
  Eigen::Vector3d point_a, point_b;  // in them [m]
  double stiffness = 0, damping = 0, length = 0, tension = 0;
  CoordinateLaw range;  // of its length: a rope does not grow, a strut does not shrink beyond it
};

// What drives put on a joint's coordinate.
struct JointLoad {
  JointPlace place;
  model::Effort effort;
};

struct BodyLoad {
  int link = 0;
  Eigen::Vector3d point;  // in the link [m]
  bool torque = false;
  bool in_body = false;
  Eigen::Quaterniond axes;  // of the body in the link
  std::array<model::Expression, 3> value;
};

// A coordinate or rate that formulas name.
struct Watched {
  JointPlace place;
  int coordinate = 0;
  bool is_rate = false;
};

struct Laws {
  std::vector<PointSpring> springs;
  std::vector<FrameLaw> frames;
  std::vector<JointLaw> joints;
  std::vector<JointLoad> joint_loads;
  std::vector<BodyLoad> body_loads;
  std::vector<Watched> watched;  // as model::Model::watched
};

// What a law of one coordinate gives: effort on the coordinate, energy its spring and limits hold, power of what is
// lost or brought (damping, friction).
struct LawValue {
  double effort = 0;  // [N m] or [N]
  double energy = 0;  // [J]
  double power = 0;   // [W]
};
LawValue evaluate_law(const CoordinateLaw& law, double q, double velocity);

}  // namespace espalier::dynamics::detail
