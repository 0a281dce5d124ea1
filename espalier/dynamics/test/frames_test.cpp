// What frames show of joints and forces: accelerations, efforts of drives and of joints, forces.

#include "espalier/dynamics/detail/frames.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"
#include "espalier/plan/network.hpp"

namespace espalier::dynamics {
namespace {

using Eigen::Vector3d;
using model::JointType;
using Numbers = std::vector<double>;

struct Shown {
  Numbers pose, position, velocity, acceleration, drive, passive, force, reaction;
};

Shown show(const System& system, double time, const Numbers& q, const Numbers& v) {
  Workspace work(system);
  EXPECT_TRUE(evaluate(system, time, q, v, work));
  update_links(system, work);
  detail::FrameArrays arrays(system);
  const model::Frame frame = detail::make_frame(system, time, q, v, 0, work, arrays);
  const auto copy = [](std::span<const double> from) { return Numbers(from.begin(), from.end()); };
  return {
      copy(frame.body_pose),   copy(frame.joint_position), copy(frame.joint_velocity), copy(frame.joint_acceleration),
      copy(frame.joint_drive), copy(frame.joint_passive),  copy(frame.force),          copy(frame.reaction)};
}

model::Expression expression(const std::string& text) { return *model::parse_expression(text); }

model::ForceSpec effort(const std::string& joint, bool torque, const std::string& value) {
  return {"", model::LoadSpec{torque, joint, "", {}, false, {expression(value)}}, {}};
}

// A pendulum on a hinge about y, its weight below: J = 0.2 + 2 * 0.5^2 about the hinge.
constexpr double kInertia = 0.7, kWeight = 2 * 9.81 * 0.5;
model::ModelSpec pendulum() {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("arm", 2, {0, 0, -0.5}, {0.1, 0.2, 0.1}));
  const math::Pose about_y{Vector3d::Zero(),
                           Eigen::Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX()))};
  spec.joints.push_back(make_joint("pin", JointType::kRevolute, "ground", "arm", about_y));
  return spec;
}

TEST(FramesShow, ThePendulumsAcceleration) {
  model::ModelSpec spec = pendulum();
  spec.joints[0].stiffness = {30};
  spec.joints[0].rest = {0.4};
  spec.joints[0].damping = {1.5};
  const System system = planned_system(spec);
  for (const double q : {-2.0, 0.1, 1.0, 9.0}) {
    const double v = 2 - q, passive = -30 * (q - 0.4) - 1.5 * v;
    const Shown shown = show(system, 0, {q}, {v});
    EXPECT_NEAR(shown.passive[0], passive, 1e-12 * std::abs(passive));
    EXPECT_NEAR(shown.acceleration[0], (passive - kWeight * std::sin(q)) / kInertia, 1e-12 * std::abs(passive));
    EXPECT_EQ(shown.drive[0], 0);
  }
}

// Inverse dynamics by hand: tau = J qdd + m g l sin q. The damper brakes what the motor moves.
TEST(FramesShow, TheTorqueOfAPrescribedMotion) {
  model::ModelSpec spec = pendulum();
  spec.joints[0].damping = {1.5};
  spec.forces.push_back({"motor", model::MotionSpec{"pin", false, expression("0.8*sin(3*t)")}, {}});
  const System system = planned_system(spec);
  for (const double t : {0.0, 0.3, 1.1}) {
    const double q = 0.8 * std::sin(3 * t), v = 2.4 * std::cos(3 * t), a = -9 * q;
    const Shown shown = show(system, t, {q}, {v});
    const double torque = kInertia * a + kWeight * std::sin(q) + 1.5 * v;
    EXPECT_NEAR(shown.drive[0], torque, 1e-10);
    EXPECT_NEAR(shown.force[0], torque, 1e-10);
    EXPECT_NEAR(shown.acceleration[0], a, 1e-10);
    EXPECT_NEAR(shown.passive[0], -1.5 * v, 1e-12);
  }
}

// The sum of the loads is held to the limit; each force shows what its formula asks for.
TEST(FramesShow, LoadsAndTheLimitOfTheirSum) {
  model::ModelSpec spec = pendulum();
  spec.joints[0].effort_limit = 5;
  spec.forces = {effort("pin", true, "4"), effort("pin", true, "10*(0.5 - q(pin)) - v(pin)")};
  const System system = planned_system(spec);
  const Shown within = show(system, 0, {0.5}, {3});
  EXPECT_EQ(within.force, (Numbers{4, -3}));
  EXPECT_EQ(within.drive[0], 1);
  const Shown beyond = show(system, 0, {-0.5}, {0});
  EXPECT_EQ(beyond.force, (Numbers{4, 10}));
  EXPECT_EQ(beyond.drive[0], 5);
  EXPECT_NEAR(beyond.acceleration[0], (5 + kWeight * std::sin(0.5)) / kInertia, 1e-12);
}

// A block on a slide along x, held by a spring to a point above, a bushing and a load in its own axes.
TEST(FramesShow, SpringsBushingsAndLoadsOnBodies) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("block", 2, {0, 0, 0}, {0.1, 0.1, 0.1}));
  const math::Pose along_x{Vector3d::Zero(),
                           Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitY()))};
  spec.joints.push_back(make_joint("slide", JointType::kPrismatic, "ground", "block", along_x));
  model::SpringSpec spring{"ground", "block", {0, 0, 2}, {0, 0, 0}, true, 50, 3, 1.5, 4};
  spec.forces.push_back({"spring", spring, {}});
  model::BushingSpec bushing;
  bushing.a = "ground";
  bushing.b = "block";
  bushing.in_world = true;
  bushing.stiffness = {10, 20, 30, 1, 2, 3};
  bushing.damping = {1, 1, 1, 1, 1, 1};
  spec.forces.push_back({"bush", bushing, {}});
  model::LoadSpec load{false, "", "block", Vector3d::Zero(), true, {expression("1"), expression("2"), expression("t")}};
  spec.forces.push_back({"push", load, {}});
  const System system = planned_system(spec);
  const double x = 1.5, v = -0.7;
  const Shown shown = show(system, 6, {x}, {v});
  // 1.5, 2 and 2.5: the ends of the spring are 2.5 apart.
  const double rate = v * 1.5 / 2.5, tension = 50 * (2.5 - 1.5) + 3 * rate + 4;
  ASSERT_EQ(shown.force.size(), 10u);
  EXPECT_NEAR(shown.force[0], tension, 1e-12);
  EXPECT_NEAR(shown.force[1], -10 * x - v, 1e-12);
  for (std::size_t k = 2; k < 7; ++k) EXPECT_NEAR(shown.force[k], 0, 1e-12);
  EXPECT_EQ(Numbers(shown.force.begin() + 7, shown.force.end()), (Numbers{1, 2, 6}));
  EXPECT_NEAR(shown.acceleration[0], (-tension * 1.5 / 2.5 - 10 * x - v + 1) / 2, 1e-12);
}

// A second method: the difference of the velocities a little later and a little before. States are moved along the
// accelerations, which closes loops up to third order.
void expect_rates_of_velocities(const System& system, const Numbers& q, const Numbers& v, const std::string& what) {
  constexpr double h = 1e-5;
  Workspace work(system);
  ASSERT_TRUE(evaluate(system, 0.4, q, v, work));
  const auto moved = [&](double dt) {
    Numbers later = q, rate = v, mean = v;
    for (std::size_t k = 0; k < v.size(); ++k) {
      rate[k] += dt * work.qdd()[static_cast<Eigen::Index>(k)];
      mean[k] += dt / 2 * work.qdd()[static_cast<Eigen::Index>(k)];
    }
    move_positions(system, later, mean, dt);
    return show(system, 0.4 + dt, later, rate).velocity;
  };
  const Numbers after = moved(h), before = moved(-h);
  const Shown shown = show(system, 0.4, q, v);
  for (std::size_t k = 0; k < after.size(); ++k) {
    const double slope = (after[k] - before[k]) / (2 * h);
    EXPECT_NEAR(shown.acceleration[k], slope, 1e-5 * (1 + std::abs(slope))) << what << ", number " << k;
  }
}

TEST(FramesShow, AccelerationsAreTheRatesOfVelocities) {
  for (const ReferenceModel& reference : reference_models()) {
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    Numbers expected;
    for (std::uint32_t key = 0; key < 4; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      Numbers q, v;
      gather_state(system, reference.state, q, v);
      expect_rates_of_velocities(system, q, v, reference.spec.name + ", tree " + std::to_string(key));
      // Whatever is cut.
      const Numbers found = show(system, 0, q, v).acceleration;
      if (key == 0) expected = found;
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(found[k], expected[k], 1e-6 * (1 + std::abs(expected[k]))) << reference.spec.name << " " << k;
      }
    }
  }
}

// A body on a joint of each type, seen from either body, and on a free joint beside it: with either of them cut.
TEST(FramesShow, AccelerationsOfEachTypeInTheTreeAndCut) {
  for (const model::JointKind& kind : model::joint_kinds()) {
    if (kind.freedom == 0) continue;
    for (const bool reversed : {false, true}) {
      model::ModelSpec spec;
      spec.bodies.push_back(make_body("b", 2, {0.1, 0.2, -0.3}, {0.2, 0.3, 0.25}));
      const math::Pose at{{0.3, -0.1, 0.2}, Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()))};
      spec.joints.push_back(make_joint("it", kind.type, reversed ? "b" : "ground", reversed ? "ground" : "b", at));
      if (kind.type == JointType::kScrew) spec.joints[0].pitch = 0.2;
      spec.joints.push_back(make_joint("beside", JointType::kFree, "ground", "b"));
      const Result<model::Model> model = model::compile(spec);
      ASSERT_TRUE(model) << model.error().message;
      const plan::Mechanism mechanism = plan::make_mechanism(*model);
      const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
      const auto without = [&](int joint) {
        plan::PlanOptions options;
        options.cut = {joint};
        return make_system(*model, mechanism, *plan::make_plan(network, options));
      };
      const System own = without(1), other = without(0);
      Numbers q = own.drawn(), v(to_index(own.velocity_size()));
      for (std::size_t k = 0; k < v.size(); ++k) v[k] = 0.5 + 0.3 * static_cast<double>(k);
      move_positions(own, q, v, 0.4);
      const std::string what = std::string(kind.name) + (reversed ? " from its other body" : "");
      expect_rates_of_velocities(own, q, v, what);
      const Shown shown = show(own, 0, q, v);
      JointState state;
      const auto p = static_cast<std::ptrdiff_t>(kind.position_size), f = static_cast<std::ptrdiff_t>(kind.freedom);
      state.position = {{shown.position.begin(), shown.position.begin() + p},
                        {shown.position.begin() + p, shown.position.end()}};
      state.velocity = {{shown.velocity.begin(), shown.velocity.begin() + f},
                        {shown.velocity.begin() + f, shown.velocity.end()}};
      gather_state(other, state, q, v);
      expect_rates_of_velocities(other, q, v, what + ", cut");
      const Numbers cut = show(other, 0, q, v).acceleration;
      ASSERT_EQ(cut.size(), shown.acceleration.size());
      for (std::size_t k = 0; k < cut.size(); ++k) EXPECT_NEAR(cut[k], shown.acceleration[k], 1e-9) << what;
    }
  }
}

// Along a coordinate a joint transmits nothing but what drives it and its own laws: the reaction, which is found by
// Newton's law body by body, agrees. In the tree, cut, and seen from either body.
model::ModelSpec with_laws(model::ModelSpec spec) {
  std::string sum = "1";
  for (model::JointSpec& joint : spec.joints) {
    if (model::joint_kind(joint.type).freedom != 1) continue;
    joint.stiffness = {7};
    joint.rest = {0.1};
    joint.damping = {0.3};
    joint.friction = {0.05};
    sum += " + v(" + joint.name + ")";
    const bool turns = model::joint_kind(joint.type).coordinates[0] == model::CoordinateKind::kAngle;
    spec.forces.push_back(effort(joint.name, turns, sum));
  }
  return spec;
}

double along_coordinate(const model::Joint& joint, const Shown& shown, std::size_t j) {
  const double* pose = shown.pose.data() + 7 * joint.a.index();
  const Vector3d z = Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]) * joint.X_AF.rotation * Vector3d::UnitZ();
  const double force = z.dot(Vector3d(shown.reaction.data() + 6 * j));
  const double couple = z.dot(Vector3d(shown.reaction.data() + 6 * j + 3));
  if (joint.type == JointType::kPrismatic) return force;
  return couple + (joint.type == JointType::kScrew ? joint.pitch / (2 * std::numbers::pi) * force : 0);
}

TEST(FramesShow, EffortsAreWhatJointsTransmitAlongTheirCoordinates) {
  int compared = 0;
  for (const ReferenceModel& reference : reference_models()) {
    const Result<model::Model> model = model::compile(with_laws(reference.spec));
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    for (std::uint32_t key = 0; key < 3; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      Numbers q, v;
      gather_state(system, reference.state, q, v);
      const Shown shown = show(system, 0, q, v);
      std::size_t first = 0;
      for (std::size_t j = 0; j < model->joints.size(); ++j) {
        const model::Joint& joint = model->joints[j];
        const int freedom = model::joint_kind(joint.type).freedom;
        if (freedom == 1) {
          const double efforts = shown.drive[first] + shown.passive[first];
          const double largest = Vector3d(shown.reaction.data() + 6 * j).norm() + std::abs(efforts);
          EXPECT_NEAR(along_coordinate(joint, shown, j), efforts, 1e-8 * (1 + largest))
              << reference.spec.name << ", " << joint.name << ", tree " << key;
          ++compared;
        }
        first += to_index(freedom);
      }
    }
  }
  EXPECT_GT(compared, 60);
}

// Gears take what a prescribed motion gives: the wheel turns with -2 times the pinion.
TEST(FramesShow, TheEffortOfACoupling) {
  model::ModelSpec spec;
  spec.gravity.setZero();
  for (const char* name : {"pinion", "wheel"}) {
    spec.bodies.push_back(make_body(name, 1, {0, 0, 0}, {1, 1, 0.5}));
    spec.joints.push_back(make_joint(name, JointType::kRevolute, "ground", name));
  }
  spec.couplings.push_back({"gear", {"wheel", "pinion"}, {1, 2}, 0, {}, {}});
  spec.forces.push_back(effort("pinion", true, "3"));
  const System system = planned_system(spec);
  const Shown shown = show(system, 0, {0, 0}, {0, 0});
  // (0.5 + 4 * 0.5) a = 3 on the pinion; the gear puts -2 of what it takes from the wheel on it.
  EXPECT_NEAR(shown.acceleration[0], 1.2, 1e-12);
  EXPECT_NEAR(shown.acceleration[1], -2.4, 1e-12);
  EXPECT_NEAR(shown.drive[0], 0.5 * 1.2, 1e-12);
  EXPECT_NEAR(shown.drive[1], -0.5 * 2.4, 1e-12);
}

}  // namespace
}  // namespace espalier::dynamics
