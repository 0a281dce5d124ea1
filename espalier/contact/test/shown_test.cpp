// What frames of scenes show of joints and forces, against closed forms and the change of momentum.

#include "espalier/contact/detail/shown.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/contact/detail/joints.hpp"
#include "espalier/contact/test/trial.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using model::JointType;

// A body of mass 2 and inertia (1, 1, 0.5).
model::ModelSpec lump_spec() {
  model::ModelSpec spec = empty_space();
  model::BodySpec& body = add_body(spec, "lump", sphere_shape(0.1), Vector3d::Zero());
  body.mass = 2;
  body.inertia = Vector3d(1, 1, 0.5).asDiagonal();
  return spec;
}

template <class Law>
void add_force(model::ModelSpec& spec, const Law& law) {
  model::ForceSpec force;
  force.law = law;
  spec.forces.push_back(force);
}

void add_load(model::ModelSpec& spec, const std::string& joint, bool torque, const std::string& value) {
  model::LoadSpec load;
  load.torque = torque;
  load.joint = joint;
  load.value = {formula(value)};
  add_force(spec, load);
}

ShownNumbers shown(Trial& run) {
  if (run.domain.steps == 0) watch(run.comm, run.domain);
  return show_parts(run.comm, run.domain);
}

// A wheel on a hinge about z, which gravity does not turn: what drives it and its own laws turn it and its rotor.
TEST(Shown, EffortsTurnTheWheel) {
  const double h = 1e-3, k = 8, d = 0.6, friction = 0.05, armature = 0.25;
  model::ModelSpec spec = lump_spec();
  spec.bodies[1].velocity = model::VelocitySpec{Vector3d::Zero(), {0, 0, 2}};
  model::JointSpec& joint = add_joint(spec, JointType::kRevolute, model::kGround, "lump");
  joint.stiffness = {k};
  joint.rest = {0.3};
  joint.damping = {d};
  joint.friction = {friction};
  joint.armature = {armature};
  add_load(spec, "joint0", true, "1.2*cos(5*t)");
  add_load(spec, "joint0", true, "3*t");
  Trial run(spec, fine_settings(h, 1e-13));
  const ShownNumbers start = shown(run);
  EXPECT_EQ(start.joint_acceleration[0], 0);
  EXPECT_NEAR(start.joint_passive[0], -k * (0 - 0.3) - d * 2, 1e-12);
  EXPECT_NEAR(start.joint_drive[0], 1.2, 1e-12);
  double before = 2, angle = 0;
  for (int step = 0; step < 200; ++step) {
    run.one();
    const ShownNumbers now = shown(run);
    const double mid = run.domain.time - h / 2, rate = run.spin(1).z(),
                 q = 2 * std::atan2(run.body(1).state.q[6], run.body(1).state.q[3]);
    EXPECT_NEAR(now.joint_velocity[0], rate, 1e-12);
    EXPECT_NEAR(now.joint_position[0], q, 1e-12);
    EXPECT_NEAR(now.joint_acceleration[0], (rate - before) / h, 1e-9);
    EXPECT_NEAR(now.joint_drive[0], 1.2 * std::cos(5 * mid) + 3 * mid, 1e-12);
    EXPECT_NEAR(now.force[0], 1.2 * std::cos(5 * mid), 1e-12);
    EXPECT_NEAR(now.force[1], 3 * mid, 1e-12);
    // Momentum: exact, but for the tolerance of the impulses.
    EXPECT_NEAR((0.5 + armature) * now.joint_acceleration[0], now.joint_drive[0] + now.joint_passive[0], 1e-7);
    if (std::min(std::abs(rate), std::abs(before)) > 0.1) {
      const double law = -k * ((q + angle) / 2 - 0.3) - d * (rate + before) / 2 - std::copysign(friction, rate);
      EXPECT_NEAR(now.joint_passive[0], law, 1e-4);
    }
    before = rate;
    angle = q;
  }
}

// Inverse dynamics: a hinge that is to turn with 3 sin 4t takes J a + d v, whatever else pulls at it.
TEST(Shown, AMotionTakesWhatItNeeds) {
  const double h = 1e-3;
  model::ModelSpec spec = lump_spec();
  add_joint(spec, JointType::kRevolute, model::kGround, "lump").damping = {0.4};
  add_load(spec, "joint0", true, "7");
  add_force(spec, model::MotionSpec{"joint0", true, formula("3*sin(4*t)")});
  Trial run(spec, fine_settings(h, 1e-13));
  run.to(0.3);
  for (int step = 0; step < 5; ++step) {
    run.one();
    const ShownNumbers now = shown(run);
    const double t = run.domain.time, mid = t - h / 2;
    EXPECT_NEAR(now.joint_velocity[0], 3 * std::sin(4 * t), 1e-9);
    EXPECT_NEAR(now.joint_acceleration[0], 12 * std::cos(4 * mid), 1e-4);
    EXPECT_NEAR(now.joint_drive[0], 0.5 * 12 * std::cos(4 * mid) + 0.4 * 3 * std::sin(4 * mid), 1e-4);
    EXPECT_NEAR(now.force[0], 7, 1e-12);
    EXPECT_NEAR(now.force[1], now.joint_drive[0] - 7, 1e-12);
  }
}

// A servo that answers within its step puts on the slide what the slide gains of momentum.
TEST(Shown, AServoShowsWhatItPutOnTheSlide) {
  const double h = 5e-3;
  model::ModelSpec spec = lump_spec();
  const math::Pose along_z = at_point(Vector3d::Zero());
  add_joint(spec, JointType::kPrismatic, model::kGround, "lump", along_z);
  add_load(spec, "joint0", false, "400*(0.2 - q(joint0)) - 30*v(joint0)");
  Trial run(spec, fine_settings(h, 1e-13));
  double before = 0;
  for (int step = 0; step < 400; ++step) {
    run.one();
    const ShownNumbers now = shown(run);
    EXPECT_NEAR(2 * (run.speed(1).z() - before) / h, now.joint_drive[0] - 2 * 10, 1e-7);
    EXPECT_EQ(now.force[0], now.joint_drive[0]);
    before = run.speed(1).z();
  }
  // At rest it carries the weight, 20 N below 0.2 m by 20 / 400.
  EXPECT_NEAR(run.at(1).z(), 0.15, 1e-5);
  EXPECT_NEAR(shown(run).joint_drive[0], 20, 1e-3);
}

// Ends of a limit push: the joint's own effort holds the weight when the slide lies on it.
TEST(Shown, ALimitIsAnEffortOfTheJoint) {
  model::ModelSpec spec = lump_spec();
  add_joint(spec, JointType::kPrismatic, model::kGround, "lump").limits = {{-0.01, 1}};
  Trial run(spec, fine_settings(1e-3));
  run.to(0.2);
  const ShownNumbers now = shown(run);
  EXPECT_NEAR(now.joint_passive[0], 20, 1e-6);
  EXPECT_EQ(now.joint_drive[0], 0);
}

// What hangs on a spring, on a rope at its end and on a rod: each pulls with the weight.
TEST(Shown, SpringsRopesAndRodsCarryTheWeight) {
  for (const int kind : {0, 1, 2}) {
    model::ModelSpec spec = lump_spec();
    model::SpringSpec spring;
    spring.a = model::kGround;
    spring.b = "lump";
    spring.point_a = {0, 0, 1};
    spring.in_world = true;
    spring.length = 0.9;
    if (kind == 0) spring.stiffness = 1000, spring.damping = 90;
    if (kind == 1) spring.limits = {0, 1};
    if (kind == 2) spring.limits = {1, 1};
    add_force(spec, spring);
    Trial run(spec, fine_settings(1e-3));
    EXPECT_NEAR(shown(run).force[0], kind == 0 ? 1000 * (1 - 0.9) : 0, 1e-9);
    run.to(1);
    EXPECT_NEAR(shown(run).force[0], 20, 1e-4) << kind;
  }
}

// A bushing between the ground and a lump at rest: force and couple balance weight and load.
TEST(Shown, ABushingCarriesWeightAndCouple) {
  model::ModelSpec spec = lump_spec();
  model::BushingSpec bushing;
  bushing.a = model::kGround;
  bushing.b = "lump";
  // Its z lies along x of the world.
  bushing.frame.rotation = Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitY());
  bushing.in_world = true;
  bushing.stiffness = {900, 900, 900, 50, 50, 50};
  bushing.damping = {80, 80, 80, 12, 12, 12};
  add_force(spec, bushing);
  model::LoadSpec load;
  load.body = "lump";
  load.torque = true;
  load.value = {formula("0"), formula("2"), formula("0")};
  add_force(spec, load);
  Trial run(spec, fine_settings(1e-3));
  run.to(3);
  const ShownNumbers now = shown(run);
  ASSERT_EQ(now.force.size(), 9u);
  // z of the world is -x of the frame, y is y.
  const std::vector<double> expected = {-20, 0, 0, 0, -2, 0, 0, 2, 0};
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(now.force[k], expected[k], 1e-3) << k;
}

// A ball joint with springs on its rotation vector, turned about one axis: a couple about it, in axes of the body.
TEST(Shown, ABallJointsSpringsTurnTheBodyBack) {
  model::ModelSpec spec = lump_spec();
  spec.gravity.setZero();
  spec.bodies[1].pose.rotation = Eigen::AngleAxisd(0.4, Vector3d::UnitZ());
  model::JointSpec& joint = add_joint(spec, JointType::kSpherical, model::kGround, "lump");
  joint.at.reset();
  joint.in_b = {};
  joint.stiffness = {3, 4, 5};
  joint.damping = {0.1, 0.2, 0.3};
  Trial run(spec, fine_settings(1e-3, 1e-13));
  const ShownNumbers start = shown(run);
  EXPECT_NEAR(start.joint_passive[2], -5 * 0.4, 1e-12);
  run.one();
  const ShownNumbers now = shown(run);
  EXPECT_NEAR(0.5 * now.joint_acceleration[2], now.joint_passive[2], 1e-7);
  EXPECT_NEAR(now.joint_passive[2], -5 * 0.4, 1e-2);
}

}  // namespace
}  // namespace espalier::contact::detail
