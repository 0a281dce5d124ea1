#include "espalier/dynamics/system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/drives.hpp"
#include "espalier/dynamics/detail/joint_state.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/robotics.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using detail::joint_state;
using detail::term_position;
using model::JointType;

model::Expression expression(const std::string& text) { return *model::parse_expression(text); }

model::ForceSpec make_motion(const std::string& joint, const std::string& value, bool is_velocity = false) {
  return {"", model::MotionSpec{joint, is_velocity, expression(value)}, {}};
}

model::CouplingSpec make_coupling(std::vector<std::string> joints, std::vector<double> ratio, double offset = 0,
                                  std::vector<double> polynomial = {}) {
  return {"", std::move(joints), std::move(ratio), offset, std::move(polynomial), {}};
}

std::vector<std::string> single_joints(const model::ModelSpec& spec) {
  std::vector<std::string> names;
  for (const model::JointSpec& joint : spec.joints) {
    if (model::joint_kind(joint.type).freedom == 1) names.push_back(joint.name);
  }
  return names;
}

// Equations that no others imply.
int rank(const Workspace& work) {
  return static_cast<int>(std::count(work.dropped().begin(), work.dropped().end(), false));
}

// Accelerations on four trees. False where the equations added no rank: they contradict the loops then, and which part
// of them wins is nobody's business.
bool compare_trees(const ReferenceModel& reference, const model::ModelSpec& driven, int drives) {
  const Result<model::Model> plain = model::compile(reference.spec);
  const Result<model::Model> model = model::compile(driven);
  EXPECT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  Eigen::VectorXd expected;
  double scale = 0;
  for (std::uint32_t key = 0; key < 4; ++key) {
    const plan::Plan tree = random_plan(network, key);
    const System system = make_system(*model, mechanism, tree);
    Workspace work(system);
    std::vector<double> q, v;
    gather_state(system, reference.state, q, v);
    evaluate(system, 0.3, q, v, work);
    const Eigen::VectorXd found = body_accelerations(system, work);
    if (key == 0) {
      const System free = make_system(*plain, mechanism, tree);
      Workspace free_work(free);
      evaluate(free, 0.3, q, v, free_work);
      if (rank(work) != rank(free_work) + drives) return false;
      expected = found;
      scale = std::max(found.cwiseAbs().maxCoeff(), body_accelerations(free, free_work).cwiseAbs().maxCoeff());
    }
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-8 * scale) << "tree " << key;
  }
  return true;
}

TEST(Drives, MotionsActTheSameOnEveryTree) {
  int compared = 0;
  for (const ReferenceModel& reference : reference_models()) {
    const std::vector<std::string> names = single_joints(reference.spec);
    for (std::size_t j = 0; j < names.size(); j += 1 + names.size() / 3) {
      SCOPED_TRACE(reference.name + " " + names[j]);
      model::ModelSpec driven = reference.spec;
      driven.forces.push_back(make_motion(names[j], "sin(3*t)", j % 2 == 1));
      compared += compare_trees(reference, driven, 1) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 20);
}

TEST(Drives, CouplingsActTheSameOnEveryTree) {
  int compared = 0;
  for (const ReferenceModel& reference : reference_models()) {
    const std::vector<std::string> names = single_joints(reference.spec);
    for (std::size_t j = 1; j < names.size(); j += 1 + names.size() / 3) {
      SCOPED_TRACE(reference.name + " " + names[j]);
      model::ModelSpec geared = reference.spec;
      geared.couplings.push_back(make_coupling({names[j - 1], names[j]}, {1, 2.5}, 0.1));
      compared += compare_trees(reference, geared, 1) ? 1 : 0;
      model::ModelSpec curved = reference.spec;
      curved.couplings.push_back(make_coupling({names[j - 1], names[j]}, {}, 0, {0.1, 0.5, 0.7, -0.3}));
      compared += compare_trees(reference, curved, 1) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 20);
}

model::ModelSpec make_rotor(double inertia) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("wheel", 2, {0.4, 0, 0}, {0.4, 0.4, inertia}));
  spec.joints.push_back(make_joint("hinge", JointType::kRevolute, "ground", "wheel"));
  spec.gravity = {0, -9.81, 0};
  return spec;
}

// A crank in the tree, and the same crank cut: after projection it stands at 10 t and turns with 10, and the multiplier
// is the torque that inverse dynamics asks for.
TEST(Drives, CrankFollowsItsMotionExactly) {
  model::ModelSpec spec = make_rotor(0.5);
  spec.forces.push_back(make_motion("hinge", "10*t+t^2"));
  const System system = planned_system(spec);
  Workspace work(system);
  std::vector<double> q = system.drawn(), v = system.drawn_rate();
  for (const double t : {0.0, 0.7, 3.0}) {
    EXPECT_LT(project_positions(system, t, q, 1e-13, work), 1e-13);
    EXPECT_LT(project_velocities(system, t, q, v, work), 1e-12);
    evaluate(system, t, q, v, work);
    EXPECT_NEAR(q[0], 10 * t + t * t, 1e-12);
    EXPECT_NEAR(v[0], 10 + 2 * t, 1e-12);
    EXPECT_NEAR(work.qdd()[0], 2, 1e-12);
    TreeWorkspace tree(system);
    update_tree(system, q, v, tree);
    Eigen::VectorXd torque(1);
    inverse_dynamics(system, {work.qdd().data(), 1}, tree, torque);
    EXPECT_NEAR(work.lambda()[0], torque[0], 1e-11);
    EXPECT_NEAR(torque[0], (0.5 + 2 * 0.16) * 2 + 2 * 9.81 * 0.4 * std::cos(q[0]), 1e-11);
  }
}

// The torque of the drive, put on the same joint as a load in place of the drive, gives the same accelerations.
TEST(Drives, MultiplierIsTheTorqueOfTheDrive) {
  const ReferenceModel& reference = reference_models()[1];
  const std::string joint = reference.spec.joints[0].name;
  model::ModelSpec driven = reference.spec;
  driven.forces.push_back(make_motion(joint, "sin(2*t)+3*t", true));
  const Result<model::Model> model = model::compile(driven);
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  for (std::uint32_t key = 0; key < 6; ++key) {
    const plan::Plan tree = random_plan(network, key);
    const System system = make_system(*model, mechanism, tree);
    Workspace work(system);
    std::vector<double> q, v;
    gather_state(system, reference.state, q, v);
    project_velocities(system, 0.4, q, v, work);
    evaluate(system, 0.4, q, v, work);
    update_links(system, work);
    double position = 0, velocity = 0;
    joint_state(system, model::JointId(0), work.links(), {&position, 1}, {&velocity, 1});
    EXPECT_NEAR(velocity, std::sin(0.8) + 1.2, 1e-10);
    model::ModelSpec loaded = reference.spec;
    const double torque = work.lambda()[system->drives[0].row];
    loaded.forces.push_back(
        {"", model::LoadSpec{true, joint, "", {}, false, {model::constant_expression(torque)}}, {}});
    const System other = make_system(*model::compile(loaded), mechanism, tree);
    Workspace other_work(other);
    evaluate(other, 0.4, q, v, other_work);
    EXPECT_LT((work.qdd() - other_work.qdd()).norm(), 1e-9 * (1 + work.qdd().norm()));
  }
}

// Two wheels with 2 q1 + 5 q2 = 0: the first feels J1 + (2/5)^2 J2.
TEST(Drives, GearPairIsOneInertia) {
  model::ModelSpec spec;
  spec.gravity.setZero();
  spec.bodies.push_back(make_body("pinion", 1, {0, 0, 0}, {1, 1, 0.3}));
  spec.bodies.push_back(make_body("wheel", 1, {0, 0, 0}, {4, 4, 4}));
  spec.joints.push_back(make_joint("first", JointType::kRevolute, "ground", "pinion"));
  spec.joints.push_back(make_joint("second", JointType::kRevolute, "ground", "wheel"));
  spec.joints[1].armature = {1};
  spec.couplings.push_back(make_coupling({"first", "second"}, {2, 5}));
  spec.forces.push_back({"", model::LoadSpec{true, "first", "", {}, false, {model::constant_expression(7)}}, {}});
  const System system = planned_system(spec);
  Workspace work(system);
  evaluate(system, 0, system.drawn(), system.drawn_rate(), work);
  const double first = 7 / (0.3 + 0.16 * 5);
  const int i = system.links()[to_index(system->link_of[0])].velocity;
  EXPECT_NEAR(work.qdd()[i], first, 1e-12);
  EXPECT_NEAR(work.qdd()[1 - i], -0.4 * first, 1e-12);
}

// q0 = p(q1): positions, rates and accelerations of two rails.
TEST(Drives, PolynomialCouplesValueRateAndAcceleration) {
  model::ModelSpec spec;
  for (const char* name : {"a", "b"}) {
    spec.bodies.push_back(make_body(name, 1, {0, 0, 0}, {1, 1, 1}));
    spec.joints.push_back(make_joint(std::string("rail_") + name, JointType::kPrismatic, "ground", name));
  }
  spec.couplings.push_back(make_coupling({"rail_a", "rail_b"}, {}, 0, {1, 2, 3, 4}));
  const System system = planned_system(spec);
  Workspace work(system);
  const auto a = to_index(system.links()[to_index(system->link_of[0])].velocity);
  const std::size_t b = 1 - a;
  std::vector<double> q(2), v(2);
  q[b] = 0.5, v[b] = 0.7;
  project_positions(system, 0, q, 1e-13, work);
  const double x = q[b];
  EXPECT_NEAR(q[a], 1 + 2 * x + 3 * x * x + 4 * x * x * x, 1e-12);
  project_velocities(system, 0, q, v, work);
  const double slope = 2 + 6 * x + 12 * x * x;
  EXPECT_NEAR(v[a], slope * v[b], 1e-12);
  evaluate(system, 0, q, v, work);
  const auto qdd = [&](std::size_t k) { return work.qdd()[static_cast<Eigen::Index>(k)]; };
  EXPECT_NEAR(qdd(a), slope * qdd(b) + (6 + 24 * x) * v[b] * v[b], 1e-12);
}

// A plan cuts a driven hinge: it stays in the tree, so that it counts its turns.
TEST(Drives, DrivenHingeCountsItsTurnsWhereAPlanCutsIt) {
  ReferenceModel reference = reference_models()[1];
  model::ModelSpec driven = reference.spec;
  driven.forces.push_back(make_motion(driven.joints[0].name, "0"));
  const Result<model::Model> model = model::compile(driven);
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  plan::PlanOptions options;
  options.cut = {0};
  System system = make_system(*model, mechanism, *plan::make_plan(network, options));
  ASSERT_GE(system->drives[0].terms[0].position, 0);
  Workspace work(system);
  std::vector<double> q, v;
  gather_state(system, reference.state, q, v);
  update_kinematics(system, 0, q, v, work);
  const double start = term_position(system->drives[0].terms[0], q, work.links());
  for (const double turns : {0.0, 0.25, 1.0, 7.25}) {
    system->drives[0].value = model::constant_expression(start + 2 * std::numbers::pi * turns);
    update_kinematics(system, 0, q, v, work);
    EXPECT_NEAR(work.residual()[system->drives[0].row], -2 * std::numbers::pi * turns, 1e-12);
  }
}

}  // namespace
}  // namespace espalier::dynamics
