#include "espalier/dynamics/detail/forces.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::dynamics {
namespace {

using detail::kFrictionSpeed;
using detail::kLimitFrequency;
using detail::kLimitOnset;
using detail::law_energy;
using detail::LawEnergy;
using model::JointType;

// Springs, dampers, friction and limits on every coordinate; rest positions near where the joint stands, so that whole
// turns play no part, and limits that are broken every other time.
void add_random_laws(ReferenceModel& reference, Random& random) {
  for (std::size_t j = 0; j < reference.spec.joints.size(); ++j) {
    model::JointSpec& joint = reference.spec.joints[j];
    const auto f = to_index(model::joint_kind(joint.type).freedom);
    const bool turns = joint.type == JointType::kSpherical || joint.type == JointType::kFree;
    for (std::size_t k = 0; k < f; ++k) {
      const double q = turns ? 0 : reference.state.position[j][k];
      joint.stiffness.push_back(random.uniform(1, 20));
      joint.damping.push_back(random.uniform(0.1, 2));
      joint.rest.push_back(q + random.uniform(-0.5, 0.5));
      joint.friction.push_back(random.uniform(0, 1));
      if (turns) continue;
      const double low = q - random.uniform(-0.01, 0.5);
      joint.limits.push_back({low, low + random.uniform(0, 0.5)});
    }
  }
}

// All joints in the tree: bodies are cut in two instead.
plan::Plan halved_plan(const plan::Network& network) {
  plan::PlanOptions options;
  options.cut_body = random_plan(network, 0).cut;
  return *plan::make_plan(network, options);
}

TEST(AddForces, LawsOfJointsActTheSameOnEveryTree) {
  for (ReferenceModel reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    Random random(3);
    add_random_laws(reference, random);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    Eigen::VectorXd expected;
    LawEnergy energy;
    for (std::uint32_t key = 0; key < 6; ++key) {
      const System system = make_system(*model, mechanism, key == 5 ? halved_plan(network) : random_plan(network, key));
      Workspace work(system);
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      evaluate(system, 0, q, v, work);
      const Eigen::VectorXd found = body_accelerations(system, work);
      const LawEnergy held = law_energy(system, q, v, work.links());
      if (key == 0) {
        expected = found;
        energy = held;
      }
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-8 * expected.cwiseAbs().maxCoeff()) << "tree " << key;
      EXPECT_NEAR(held.stored, energy.stored, 1e-9 * energy.stored) << "tree " << key;
      EXPECT_NEAR(held.power, energy.power, 1e-9 * std::abs(energy.power)) << "tree " << key;
      EXPECT_NEAR(held.rate, energy.rate, 1e-8 * (std::abs(energy.rate) + std::abs(energy.power))) << "tree " << key;
    }
  }
}

// What laws hold grows as their forces say, for springs of all kinds; stored energy is differentiated numerically.
TEST(LawEnergy, GrowsAtItsRate) {
  for (ReferenceModel reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    Random random(4);
    add_random_laws(reference, random);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    const System system = make_system(*model, mechanism, random_plan(network, 1));
    Workspace work(system);
    std::vector<double> q, v;
    gather_state(system, reference.state, q, v);
    for (double& rate : v) rate += random.uniform(-1, 1);
    project_velocities(system, 0, q, v, work);
    const auto stored = [&](double h) {
      std::vector<double> moved = q;
      move_positions(system, moved, v, h);
      update_kinematics(system, 0, moved, v, work);
      return law_energy(system, moved, v, work.links()).stored;
    };
    constexpr double h = 1e-6;
    const double expected = (stored(h) - stored(-h)) / (2 * h);
    update_kinematics(system, 0, q, v, work);
    const LawEnergy energy = law_energy(system, q, v, work.links());
    EXPECT_NEAR(energy.rate, expected, 1e-5 * (std::abs(expected) + energy.stored));
    EXPECT_LE(energy.power, 0);
  }
}

// A block of mass m on a rail along x: one coordinate.
model::ModelSpec make_block(double mass) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("block", mass, {0, 0, 0}, {1, 1, 1}));
  const math::Pose along_x{Eigen::Vector3d::Zero(), math::rotation_with_z(Eigen::Vector3d::UnitX())};
  spec.joints.push_back(make_joint("rail", JointType::kPrismatic, "ground", "block", along_x));
  return spec;
}

struct Motion {
  System system;
  Workspace work;
  double time = 0;
  std::vector<double> q, v;

  explicit Motion(const model::ModelSpec& spec)
      : system(planned_system(spec)), work(system), q(system.drawn()), v(system.drawn_rate()) {}
  void go(double duration, int steps) { run_steps(system, time, duration / steps, steps, q, v, work); }
};

TEST(AddForces, SpringSwingsAtItsFrequency) {
  model::ModelSpec spec = make_block(2);
  spec.joints[0].stiffness = {50};
  spec.joints[0].rest = {0.3};
  spec.joints[0].armature = {0.5};
  Motion run(spec);
  // Amplitude 0.3 about 0.3, from 0.
  const double w = std::sqrt(50 / 2.5);
  run.go(1.0, 400);
  EXPECT_NEAR(run.q[0], 0.3 - 0.3 * std::cos(w), 1e-9);
  EXPECT_NEAR(run.v[0], 0.3 * w * std::sin(w), 1e-8);
}

TEST(AddForces, DamperSlowsExponentially) {
  model::ModelSpec spec = make_block(2);
  spec.joints[0].damping = {3};
  spec.joints[0].velocity = {5};
  Motion run(spec);
  run.go(1.0, 100);
  EXPECT_NEAR(run.v[0], 5 * std::exp(-1.5), 1e-9);
}

// Friction F stops a block at m v / F after m v^2 / 2 F. The regularisation makes it creep on for some v_s m / F.
TEST(AddForces, FrictionStopsABlock) {
  model::ModelSpec spec = make_block(2);
  spec.joints[0].friction = {4};
  spec.joints[0].velocity = {1};
  Motion run(spec);
  run.go(0.45, 300);
  EXPECT_NEAR(run.v[0], 0.1, 1e-9);
  run.go(0.15, 300);
  EXPECT_NEAR(run.q[0], 0.25, kFrictionSpeed * kFrictionSpeed);
  EXPECT_LT(run.v[0], 1e-12);
}

// A load below the friction moves the block no faster than v_s artanh(load / friction).
TEST(AddForces, FrictionHoldsASmallLoad) {
  model::ModelSpec spec = make_block(2);
  spec.joints[0].friction = {4};
  spec.forces.push_back({"", model::LoadSpec{false, "rail", "", {}, false, {model::constant_expression(3)}}, {}});
  Motion run(spec);
  run.go(0.05, 100);
  EXPECT_NEAR(run.v[0], kFrictionSpeed * std::atanh(0.75), 1e-9);
}

// A rod falls onto the limit of its hinge, bounces less and less, and rests where the limit carries its weight.
TEST(AddForces, LimitHoldsAFallingRod) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("rod", 3, {0.5, 0, 0}, {0.001, 0.25, 0.25}));
  const math::Pose about_y{Eigen::Vector3d::Zero(), math::rotation_with_z(Eigen::Vector3d::UnitY())};
  spec.joints.push_back(make_joint("hinge", JointType::kRevolute, "ground", "rod", about_y));
  spec.joints[0].limits = {{-0.5, 0.4}};
  Motion run(spec);
  double deepest = 0;
  double fastest = 0;
  for (int k = 0; k < 120; ++k) {
    run.go(0.006, 6);
    deepest = std::max(deepest, run.q[0]);
    fastest = std::max(fastest, std::abs(run.v[0]));
  }
  const double inertia = 0.25 + 3 * 0.25;
  EXPECT_LT(deepest, 0.4 + fastest / kLimitFrequency + kLimitOnset);
  const double weight = 3 * 9.81 * 0.5 * std::cos(0.4);
  EXPECT_NEAR(run.q[0], 0.4 + weight / (inertia * kLimitFrequency * kLimitFrequency), kLimitOnset);
  EXPECT_GT(run.q[0], 0.4);
  EXPECT_LT(std::abs(run.v[0]), 1e-6);
}

// An elastic mount in space: the slope of its force and couple at rest are its stiffnesses.
TEST(AddForces, ElasticMountPullsBack) {
  model::ModelSpec spec;
  spec.gravity.setZero();
  spec.bodies.push_back(make_body("hull", 2, {0, 0, 0}, {2, 2, 3}));
  spec.joints.push_back(make_joint("mount", JointType::kFree, "ground", "hull"));
  spec.joints[0].stiffness = {10, 20, 30, 40, 50, 60};
  Motion run(spec);
  run.q = {0.1, 0.2, 0.3, 1, 0, 0, 0};
  evaluate(run.system, 0, run.q, run.v, run.work);
  EXPECT_LT((run.work.qdd().head<3>() - Eigen::Vector3d(-0.5, -2, -4.5)).norm(), 1e-12);
  EXPECT_LT(run.work.qdd().tail<3>().norm(), 1e-12);
  const Eigen::Quaterniond turned = math::rotation_exp({0, 0.2, 0});
  run.q = {0, 0, 0, turned.w(), turned.x(), turned.y(), turned.z()};
  evaluate(run.system, 0, run.q, run.v, run.work);
  EXPECT_LT((run.work.qdd().tail<3>() - Eigen::Vector3d(0, -5, 0)).norm(), 1e-12);
}

TEST(AddForces, CallbackActsBesideTheModel) {
  model::ModelSpec spec = make_block(2);
  Motion run(spec);
  run.system.set_callback([](double time, LinkArrays& links) { links.force[1][3] += 6 + time; });
  evaluate(run.system, 2, run.q, run.v, run.work);
  EXPECT_NEAR(run.work.qdd()[0], 4, 1e-13);
}

}  // namespace
}  // namespace espalier::dynamics
