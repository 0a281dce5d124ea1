#pragma once

// Bodies as the contact engine moves them: state, inertia, and how a point of a body answers an impulse.
// A body is plain numbers, so that it can travel between ranks.
//   rigid         q = (x of the centre of mass, quaternion w x y z), u = (v, W), W the angular velocity in body axes
//   pseudo-rigid  q = (x, F row by row), u = (v, dF/dt row by row): x(X) = F (X - X0) + x
//   obstacle      stands still; it does not make two contacts neighbours of each other

#include <array>
#include <cstdint>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "espalier/math/pose.hpp"

namespace espalier::contact {

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

struct Energy {
  double kinetic = 0, strain = 0;  // [J]
};
Energy energy(const Body& body);
// Linear, and angular about the origin of the world.
std::array<Eigen::Vector3d, 2> momentum(const Body& body);

}  // namespace espalier::contact
