// Limits of springs between points (ropes, struts, rods), and limits of drives.

#include <gtest/gtest.h>

#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using detail::kLimitFrequency;
using detail::kLimitOnset;
using model::JointType;

// A block that slides along z below (or above) a point of the ground, on a spring without stiffness.
model::ModelSpec make_hanging(double z, double low, double high) {
  model::ModelSpec spec;
  spec.gravity = {0, 0, -10};
  spec.bodies.push_back(make_body("block", 2, {0, 0, 0}, {1, 1, 1}));
  spec.bodies[0].pose.position.z() = z;
  spec.joints.push_back(make_joint("slide", JointType::kPrismatic, "ground", "block", {{0, 0, z}, {1, 0, 0, 0}}));
  model::SpringSpec spring;
  spring.a = "ground";
  spring.b = "block";
  spring.limits = std::array<double, 2>{low, high};
  spec.forces.push_back({"", spring, {}});
  return spec;
}

struct Ended {
  double z, v, energy_error;
};

Ended run(const model::ModelSpec& spec, double end) {
  const System system = planned_system(spec);
  SimulateOptions options;
  options.run.end_time = end;
  options.run.output_step = end;
  options.tolerance = 1e-9;
  const auto sink = [](const model::Frame&) { return true; };
  const RunStatus status = simulate(system, start_run(system, drawn_state(system)), sink, options);
  EXPECT_EQ(status.outcome, model::Outcome::kDone) << status.message;
  return {spec.bodies[0].pose.position.z() + status.end.state.q[0], status.end.state.v[0], status.energy_error};
}

// Slack, it falls freely; taut, it rests where the limit carries the weight: k (d - w/2) = m g with k = m w0^2.
TEST(Ropes, HoldAtTheirLength) {
  const Ended slack = run(make_hanging(-0.5, 0, 1), 0.3);
  EXPECT_NEAR(slack.z, -0.5 - 10 * 0.3 * 0.3 / 2, 1e-8);
  const Ended taut = run(make_hanging(-0.5, 0, 1), 5);
  const double sink = 10 / (kLimitFrequency * kLimitFrequency);
  const double w = kLimitOnset;
  const double depth = sink > w / 2 ? sink + w / 2 : std::sqrt(2 * w * sink);
  EXPECT_NEAR(taut.z, -1 - depth, 1e-6);
  EXPECT_LT(std::abs(taut.v), 1e-4);
  EXPECT_LT(taut.energy_error, 1e-5);
}

TEST(Ropes, StrutsAndRodsHoldToo) {
  EXPECT_NEAR(run(make_hanging(1.5, 1, 9), 3).z, 1, 1e-3);  // stands on a strut that does not get shorter than 1 m
  EXPECT_NEAR(run(make_hanging(-1, 1, 1), 1).z, -1, 1e-3);
  EXPECT_NEAR(run(make_hanging(1, 1, 1), 1).z, 1, 1e-3);
}

// Between two moving bodies of a loop the same on every tree.
TEST(Ropes, PullTheSameOnEveryTree) {
  for (const ReferenceModel& reference : {reference_models()[1], reference_models()[3]}) {
    SCOPED_TRACE(reference.name);
    model::ModelSpec spec = reference.spec;
    model::SpringSpec spring;
    spring.a = spec.bodies.front().name;
    spring.b = spec.bodies.back().name;
    spring.point_a = {0.1, 0.2, 0.3};
    spring.limits = std::array<double, 2>{0, 1e-3};
    spec.forces.push_back({"", spring, {}});
    const Result<model::Model> model = model::compile(spec);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    Eigen::VectorXd wanted;
    for (std::uint32_t key = 0; key < 4; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      Workspace work(system);
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      choose_rows(system, 0, q, work);
      EXPECT_TRUE(evaluate(system, 0, q, v, work));
      const Eigen::VectorXd found = body_accelerations(system, work);
      if (key == 0) wanted = found;
      EXPECT_LT((found - wanted).norm(), 1e-8 * wanted.norm()) << key;
    }
  }
}

TEST(Drives, EffortLimitHoldsTheSumOfAllLoads) {
  model::ModelSpec spec = make_hanging(-0.5, 0, 100);
  spec.gravity.setZero();
  spec.forces.clear();
  spec.joints[0].effort_limit = 3;
  model::LoadSpec load;
  load.joint = "slide";
  for (const double value : {5.0, 4.0, -8.0}) {
    load.value = {model::constant_expression(value)};
    spec.forces.push_back({"", load, {}});
    const System system = planned_system(spec);
    Workspace work(system);
    evaluate(system, 0, system.drawn(), system.drawn_rate(), work);
    // 5 and 9 N are held to 3, 1 N is not; the block weighs 2 kg.
    EXPECT_NEAR(work.qdd()[0], value == -8 ? 0.5 : 1.5, 1e-13);
  }
}

}  // namespace
}  // namespace espalier::dynamics
