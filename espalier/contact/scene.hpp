#pragma once

// A Model as the contact engine takes it: compiled on one rank, then shared out.
//   In:   Model
//   Out:  Scene: bodies, their shapes, what joins and loads them; engine.hpp distributes them

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "espalier/base/result.hpp"
#include "espalier/contact/body.hpp"
#include "espalier/geometry/geometry.hpp"
#include "espalier/model/model.hpp"

namespace espalier::contact {

struct SceneShape {
  geometry::Geometry geometry;
  math::Pose pose;  // from the centre of mass, in body axes
  double friction = 0, restitution = 0;
};

// What acts on one coordinate q of a joint or bushing, or on the length q of a spring. Units follow the coordinate.
struct CoordinateLaw {
  double stiffness = 0, rest = 0;  // [N/m] or [N m/rad]; [m] or [rad]
  double damping = 0;              // [N s/m] or [N m s/rad]
  double force = 0;                // constant, against growing q [N] or [N m]
  double friction = 0;             // of a brake [N] or [N m]
  double armature = 0;             // inertia of the drive [kg] or [kg m^2]
  double low = -kNoLimit, high = kNoLimit;
  std::int32_t position = -1, velocity = -1,
               effort = -1;  // Scene::formulas: q, its rate, a force for growing q; -1: none

  static constexpr double kNoLimit = 1e300;
};

// What a joint or a force of the Model does between two bodies. Plain numbers, so that it can travel with them.
struct Link {
  enum class Kind : std::uint8_t {
    kHold,        // a block of rows that hold a point, and one that holds directions
    kCoordinate,  // one row: a law on a coordinate of a joint or bushing
    kSpring,      // one row: a law on the distance of two points
  };
  std::int32_t number = 0;                        // place in Scene::links
  std::int32_t a = 0, b = 0;                      // bodies that hold the frames F and M
  std::array<double, 3> on_a{}, on_b{};           // origins of F and M, from the centres of mass
  std::array<double, 4> turn_a{}, turn_b{};       // axes of F and M in the bodies, quaternions w x y z
  std::array<bool, 3> held_point{}, held_turn{};  // along x y z of F, at the middle of the step
  Kind kind = Kind::kHold;
  model::JointType type = model::JointType::kFree;
  bool slides = false;         // the origin of M may go away from that of F
  std::int8_t coordinate = 0;  // kCoordinate: place in the velocities of the joint
  bool of_vector = false;      // kCoordinate of a ball or free joint: component of the rotation vector, not of the spin
  double pitch = 0;            // screw [m/rev]
  CoordinateLaw law;
};

// A force or couple on a body, a function of time. Few: all ranks know all.
struct BodyLoad {
  std::int32_t body = 0;
  bool torque = false, in_body = false;  // a couple; components along body axes
  std::array<double, 3> point{};         // from the centre of mass, body axes [m]
  std::array<std::int32_t, 3> value{};   // Scene::formulas [N] or [N m]
};

// All shapes of a body. Bodies with the same shapes share one.
using BodyShapes = std::vector<SceneShape>;

struct Scene {
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  double margin = 0;  // contacts are made within this gap [m]
  std::vector<std::shared_ptr<const BodyShapes>> shapes;
  std::vector<Link> links;                                      // ascending numbers
  std::vector<BodyLoad> loads;                                  // ascending bodies
  std::vector<model::Expression> formulas;                      // of links and loads
  std::vector<std::pair<std::int32_t, std::int32_t>> excluded;  // low, high; ascending; joined bodies too
  std::vector<Body> bodies;                                     // by id
  std::vector<std::string> notes;
};

// Errors, with the line: a body that moves and has no mass, what this engine does not do (beams, couplings, joints that
// turn pseudo-rigid bodies), shapes that cannot be used.
Result<Scene> make_scene(const model::Model& model);

// Two coefficients of friction make the smaller one, two of restitution the larger: what a pair of materials does.
double pair_friction(double a, double b);
double pair_restitution(double a, double b);

}  // namespace espalier::contact
