#pragma once

// A scene: a Model as the contact engine takes it, its bodies, and what joins and loads them.
//   In:   Model
//   Out:  Scene, which contact.hpp distributes; the step of one body under impulses
// Read next: contact.hpp, the front door of the room; settings.hpp, what a step is told.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "espalier/base/result.hpp"
#include "espalier/geometry/geometry.hpp"
#include "espalier/math/pose.hpp"
#include "espalier/model/model.hpp"

namespace espalier::contact {

// Bodies as the contact engine moves them: state, inertia, and how a point of a body answers an impulse.
// A body is plain numbers, so that it can travel between ranks.
//   rigid         q = (x of the centre of mass, quaternion w x y z), u = (v, W), W the angular velocity in body axes
//   pseudo-rigid  q = (x, F row by row), u = (v, dF/dt row by row): x(X) = F (X - X0) + x
//   obstacle      stands still; it does not make two contacts neighbours of each other

enum class Kind : std::uint8_t { kObstacle, kRigid, kPseudoRigid };

// What never changes.
struct BodyConstants {
  Kind kind = Kind::kRigid;
  std::int32_t shapes = -1;             // place in Scene::shapes; -1: nothing to touch
  double mass = 0;                      // [kg]
  std::array<double, 3> origin{};       // of the body frame of the Model, from the centre of mass [m]
  std::array<double, 9> inertia{};      // rigid: J about the centre of mass; pseudo-rigid: Euler tensor [kg m^2]
  std::array<double, 9> inverse{};      // of it
  double volume = 0;                    // pseudo-rigid [m^3]
  double lame_lambda = 0, lame_mu = 0;  // pseudo-rigid: St Venant-Kirchhoff [Pa]
  double damping = 0;                   // pseudo-rigid: eta, proportional to stiffness [s]
};

struct BodyState {
  std::array<double, 12> q{};  // 7 or 12 numbers
  std::array<double, 12> u{};  // 6 or 12
};

struct Body {
  std::int64_t id = 0;  // index in the Model; the ground is 0
  BodyConstants constants;
  BodyState state;                  // at the beginning of the step
  std::array<double, 12> q_mid{};   // at its middle
  std::array<double, 12> u_free{};  // at its end, were there no constraints
};

// Of a pseudo-rigid body: A^-1 of its nine numbers F at mid step, A = M + (eta h / 2 + h^2 / 4) K where the step is
// linearly implicit, else M alone. A function of the body at mid step, so that every rank makes its own.
using DeformationInverse = Eigen::Matrix<double, 9, 9>;

int velocity_size(Kind kind);  // 0, 6, 12
Eigen::Vector3d position(const std::array<double, 12>& q);
Eigen::Quaterniond rotation(const std::array<double, 12>& q);  // rigid and obstacle

// Where a material point (given from the centre of mass, in body axes) is and moves.
Eigen::Vector3d place(const Body& body, const std::array<double, 12>& q, const Eigen::Vector3d& material);
Eigen::Vector3d velocity(const Body& body, const std::array<double, 12>& u,
                         const Eigen::Vector3d& material);  // mid pose
Eigen::Vector3d angular_velocity(const Body& body,
                                 const std::array<double, 12>& u);  // in the world; of F: its skew part
// The material point that is at `point` in the middle of the step.
Eigen::Vector3d material_point(const Body& body, const Eigen::Vector3d& point);

// What acts from outside, in the world: force at the centre of mass and couple [N], [N m].
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
};

// How the elastic forces of a pseudo-rigid body enter a step.
enum class Scheme : std::uint8_t { kExplicit, kImplicit };

// First half of a step. q_mid, which no load changes, so that loads may be asked for there:
void go_to_middle(Body& body, double step);
// then u_free. The gyroscopic term is taken at mid step, [Koziara11].
void begin_step(Body& body, const Wrench& load, double step, Scheme scheme);
DeformationInverse make_deformation_inverse(const Body& body, double step, Scheme scheme);

// Where a constraint holds a body.
struct Handle {
  Eigen::Vector3d material = Eigen::Vector3d::Zero();
  bool turn = false;  // it speaks of angular velocity and couples; rigid bodies and obstacles alone
  double lead = 0;    // of a screw: so many metres of angular velocity are added to the point's velocity [m/rad]
};
// J^-1 in world axes, mid pose; rigid.
Eigen::Matrix3d inverse_inertia(const Body& body);
// Velocity at handle i from an impulse at handle j, mid pose: a 3x3 matrix in world axes. `softness` of a pseudo-rigid
// body, else null.
Eigen::Matrix3d compliance(const Body& body, const Handle& i, const Handle& j,
                           const DeformationInverse* deformation_inverse);

// The impulses of all constraints on a body, conjugate to u.
struct Impulse {
  std::array<double, 12> p{};
};
void add_impulse(const Body& body, const Handle& at, const Eigen::Vector3d& impulse, Impulse& sum);

// Second half: u and q at the end. Rigid rotation keeps the spatial angular momentum exactly (scheme b of
// docs/theory/contact.md): the constraints hold for the velocity before that correction, which is of second order.
void end_step(Body& body, const Wrench& load, const Impulse& impulse, double step,
              const DeformationInverse* deformation_inverse);

// Where the impulses of `push` would take the body in a step, without a change of its velocity.
void displace(Body& body, const Impulse& push, double step, const DeformationInverse* deformation_inverse);

struct Energy {
  double kinetic = 0, strain = 0;  // [J]
};
Energy energy(const Body& body);
// Linear, and angular about the origin of the world.
std::array<Eigen::Vector3d, 2> momentum(const Body& body);

// A Model as the contact engine takes it: compiled on one rank, then shared out.
//   In:   Model
//   Out:  Scene: bodies, their shapes, what joins and loads them; contact.hpp distributes them

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
  std::int32_t own_position = -1, own_rate = -1;  // Scene::watched: q and its rate where `effort` may name them

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

// A coordinate of a joint, or its rate, that formulas name. Few: all ranks know all.
struct Watched {
  Link link;  // of kind kCoordinate
  bool is_rate = false;
  double near = 0;  // an angle is the one of all its turns that is nearest to this [rad]
};

// What frames show of the joints and forces of a Model, by their numbers there.
struct ShownParts {
  // A link with a law, and whose effort that is a part of; -1: of none.
  struct Law {
    Link link;
    std::int32_t joint = -1, force = -1;
  };
  struct Force {
    enum class Kind : std::uint8_t { kNone, kSpring, kBushing, kOnJoint, kOnBody, kMotion } kind = Kind::kNone;
    int size = 1;                         // model::force_size()
    std::int32_t owner = -1;              // kOnJoint, kMotion: the joint; kOnBody: the body
    std::array<std::int32_t, 3> value{};  // kOnJoint, kOnBody: Scene::formulas
    bool in_body = false;                 // kOnBody: along body axes
    bool is_only = false;                 // kOnJoint: its joint has no other load
  };
  std::vector<Link> joints;  // of kind kCoordinate, without a law
  std::vector<Law> laws;     // ascending numbers
  std::vector<Force> forces;
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
  std::vector<Watched> watched;                                 // the inputs of formulas
  ShownParts shown;
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
