#include "espalier/dynamics/robotics.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// A reference model with armature at its joints, on one random tree, at its own pose and random velocities.
struct Sample {
  System system;
  std::vector<double> q, v;
};

Sample make_sample(ReferenceModel reference, std::uint32_t key) {
  Random random(5, key);
  for (model::JointSpec& joint : reference.spec.joints)
    joint.armature.assign(to_index(model::joint_kind(joint.type).freedom), random.uniform(0, 2));
  const Result<model::Model> model = model::compile(reference.spec);
  EXPECT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  Sample sample{make_system(*model, mechanism, random_plan(network, key)), {}, {}};
  gather_state(sample.system, reference.state, sample.q, sample.v);
  for (double& rate : sample.v) rate = random.uniform(-1, 1);
  return sample;
}

// Calls `check` with one sample of each reference model.
template <class Check>
void for_each_sample(const Check& check) {
  std::uint32_t key = 0;
  for (const ReferenceModel& reference : reference_models()) {
    SCOPED_TRACE(reference.name);
    check(make_sample(reference, key++));
  }
}

TEST(InverseDynamics, InvertsForwardDynamics) {
  for_each_sample([](const Sample& s) {
    Workspace forward(s.system);
    evaluate(s.system, 0, s.q, s.v, forward);
    Eigen::VectorXd expected = forward.effort();
    if (s.system.rows() > 0) expected += constraint_jacobian(s.system, 0, s.q).transpose() * forward.lambda();
    TreeWorkspace work(s.system);
    update_tree(s.system, s.q, s.v, work);
    Eigen::VectorXd tau(s.system.velocity_size());
    inverse_dynamics(s.system, {forward.qdd().data(), to_index(forward.qdd().size())}, work, tau,
                     forward.links().force);
    Eigen::VectorXd bias(s.system.velocity_size());
    bias_efforts(s.system, work, bias);
    const double scale = std::max(bias.cwiseAbs().maxCoeff(), expected.cwiseAbs().maxCoeff());
    EXPECT_LT((tau - expected).cwiseAbs().maxCoeff(), 1e-9 * scale);
  });
}

TEST(InverseDynamics, ItsColumnsAreTheMassMatrix) {
  for_each_sample([](const Sample& s) {
    TreeWorkspace work(s.system);
    update_tree(s.system, s.q, s.v, work);
    const Eigen::MatrixXd H = mass_matrix(s.system, s.q);
    Eigen::VectorXd bias(s.system.velocity_size()), column(s.system.velocity_size());
    bias_efforts(s.system, work, bias);
    for (Eigen::Index k = 0; k < column.size(); ++k) {
      std::vector<double> unit(s.v.size(), 0);
      unit[to_index(k)] = 1;
      inverse_dynamics(s.system, unit, work, column);
      EXPECT_LT((column - bias - H.col(k)).cwiseAbs().maxCoeff(),
                1e-11 * (H.cwiseAbs().maxCoeff() + bias.cwiseAbs().maxCoeff()));
    }
    const Eigen::VectorXd v = as_vector(s.v);
    EXPECT_NEAR(kinetic_energy(s.system, s.v, work), 0.5 * v.dot(H * v), 1e-11 * v.dot(H * v));
  });
}

TEST(BodyJacobian, IsTheRateOfPointsAndAxes) {
  for_each_sample([](const Sample& s) {
    constexpr double h = 1e-5;
    const Eigen::Vector3d p_B(0.3, -0.2, 0.1);
    TreeWorkspace work(s.system), before(s.system), after(s.system);
    std::vector<double> q_before = s.q, q_after = s.q;
    move_positions(s.system, q_before, s.v, -h);
    move_positions(s.system, q_after, s.v, h);
    update_tree(s.system, s.q, s.v, work);
    update_tree(s.system, q_before, s.v, before);
    update_tree(s.system, q_after, s.v, after);
    for (std::size_t b = 1; b < s.system.body_places().size(); ++b) {
      const BodyPlace& body_place = s.system.body_places()[b];
      const auto link = to_index(body_place.link);
      const math::Pose from = before.links().pose[link] * body_place.X_LB;
      const math::Pose to = after.links().pose[link] * body_place.X_LB;
      Eigen::Quaterniond turn = to.rotation * from.rotation.conjugate();
      if (turn.w() < 0) turn.coeffs() *= -1;
      Eigen::Matrix<double, 6, 1> expected;
      expected << turn.vec() / h, (to * p_B - from * p_B) / (2 * h);
      const Eigen::MatrixXd J = body_jacobian(s.system, work, model::BodyId(b), p_B);
      EXPECT_LT((J * as_vector(s.v) - expected).cwiseAbs().maxCoeff(), 1e-7) << "body " << b;
    }
  });
}

TEST(MassCentre, MovesAsItsMomentumSays) {
  for_each_sample([](const Sample& s) {
    constexpr double h = 1e-5;
    TreeWorkspace work(s.system), other(s.system);
    update_tree(s.system, s.q, s.v, work);
    const MassCentre centre = mass_centre(s.system, work);
    std::vector<double> q = s.q;
    move_positions(s.system, q, s.v, h);
    update_tree(s.system, q, s.v, other);
    const Eigen::Vector3d after = mass_centre(s.system, other).position;
    move_positions(s.system, q, s.v, -2 * h);
    update_tree(s.system, q, s.v, other);
    const Eigen::Vector3d before = mass_centre(s.system, other).position;
    EXPECT_LT(((after - before) / (2 * h) - centre.velocity).norm(), 1e-7);
    EXPECT_LT((centre.mass * centre.velocity - centre.momentum).norm(), 1e-12 * (1 + centre.momentum.norm()));
  });
}

// A dumbbell that turns about its centre while it flies: spin momentum 2 m r^2 w, none of the flight.
TEST(MassCentre, AngularMomentumIsAboutIt) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("dumbbell", 2, {1, 0, 0}, {0, 0.5, 0.5}));
  spec.bodies[0].velocity = model::VelocitySpec{{5, 0, 0}, {0, 0, 3}};
  const System system = planned_system(spec);
  TreeWorkspace work(system);
  update_tree(system, system.drawn(), system.drawn_rate(), work);
  const MassCentre centre = mass_centre(system, work);
  EXPECT_NEAR(centre.mass, 2, 1e-15);
  EXPECT_LT((centre.position - Eigen::Vector3d(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((centre.velocity - Eigen::Vector3d(5, 3, 0)).norm(), 1e-14);
  EXPECT_LT((centre.angular_momentum - Eigen::Vector3d(0, 0, 1.5)).norm(), 1e-14);
}

// Without velocity the bias is the slope of the potential energy, but for what springs do.
TEST(PotentialEnergy, FallsAsWeightPulls) {
  for_each_sample([](const Sample& s) {
    constexpr double h = 1e-5;
    const std::vector<double> still(s.v.size(), 0);
    TreeWorkspace work(s.system);
    update_tree(s.system, s.q, still, work);
    Eigen::VectorXd weight(s.system.velocity_size());
    bias_efforts(s.system, work, weight);
    System bare = s.system;
    bare->laws = {};
    std::vector<double> q = s.q, v = s.v;
    // A motion that the loops allow: halves of a body that is cut in two stay together.
    Workspace loops(s.system);
    project_velocities(s.system, 0, q, v, loops);
    move_positions(s.system, q, v, h);
    update_tree(bare, q, still, work);
    const double after = potential_energy(bare, q, work);
    move_positions(s.system, q, v, -2 * h);
    update_tree(bare, q, still, work);
    const double before = potential_energy(bare, q, work);
    // The ground, where it hangs on another body, has a weight of its own in the tree and none in the energy.
    if (s.system.body_places()[0].link != 0) return;
    EXPECT_NEAR((after - before) / (2 * h), weight.dot(as_vector(v)), 1e-5 * (1 + weight.norm()));
  });
}

}  // namespace
}  // namespace espalier::dynamics
