// Loads whose formulas name coordinates and rates of joints.

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/batch.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/system.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;
using model::Outcome;

const model::Sink kNoSink = [](const model::Frame&) { return true; };

model::ForceSpec effort(const std::string& joint, bool torque, const std::string& value) {
  return {"", model::LoadSpec{torque, joint, "", {}, false, {*model::parse_expression(value)}}, {}};
}

// A heavy arm on a hinge about y.
model::ModelSpec arm() {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("arm", 2, {0, 0, -0.5}, {0.1, 0.2, 0.1}));
  const math::Pose about_y{Eigen::Vector3d::Zero(),
                           Eigen::Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Eigen::Vector3d::UnitX()))};
  spec.joints.push_back(make_joint("pin", JointType::kRevolute, "ground", "arm", about_y));
  return spec;
}

State end_of(const model::ModelSpec& spec, Integrator integrator, double rate = 0) {
  const System system = planned_system(spec);
  SimulateOptions options;
  options.run.end_time = 0.5;
  options.tolerance = 1e-10;
  options.integrator = integrator;
  State state = drawn_state(system);
  state.v[0] = rate;
  const RunStatus run = simulate(system, start_run(system, state), kNoSink, options);
  EXPECT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_LT(run.energy_error, 1e-6 * run.energy_scale);
  return run.end.state;
}

// A servo of gains 100 and 5 is a spring and a damper, which the joint has as fields of its own.
TEST(Formulas, AServoIsASpringAndADamper) {
  model::ModelSpec servo = arm(), sprung = arm();
  servo.forces.push_back(effort("pin", true, "100*(0.5 - q(pin)) - 5*v(pin)"));
  sprung.joints[0].stiffness = {100};
  sprung.joints[0].rest = {0.5};
  sprung.joints[0].damping = {5};
  for (const Integrator integrator : {Integrator::kRunge, Integrator::kImplicit}) {
    const State found = end_of(servo, integrator), expected = end_of(sprung, integrator);
    EXPECT_GT(std::abs(expected.q[0]), 0.1);
    EXPECT_NEAR(found.q[0], expected.q[0], 1e-8);
    EXPECT_NEAR(found.v[0], expected.v[0], 1e-7);
  }
}

// Stiff enough that explicit steps would be limited by stability: the implicit ones see the formula's slopes.
TEST(Formulas, AStiffServoIsTakenImplicitly) {
  model::ModelSpec servo = arm();
  servo.forces.push_back(effort("pin", true, "1e6*(0.5 - q(pin)) - 1e5*v(pin)"));
  const System system = planned_system(servo);
  SimulateOptions options;
  options.run.end_time = 2;
  options.tolerance = 1e-6;
  options.integrator = Integrator::kImplicit;
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, options);
  EXPECT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_LT(run.steps, 300);
  EXPECT_NEAR(run.end.state.q[0], 0.5, 1e-4);
}

// At 10 rad/s the arm turns round and round: after 3.7 turns the servo still pulls back all of them.
TEST(Formulas, AnglesKeepTheirTurns) {
  model::ModelSpec spec = arm();
  spec.forces.push_back(effort("pin", true, "-2*q(pin)"));
  const System system = planned_system(spec);
  Workspace work(system);
  const double q = 2 * std::numbers::pi * 3.7, v = 0;
  evaluate(system, 0, {&q, 1}, {&v, 1}, work);
  EXPECT_EQ(work.links().watched[0], q);
  EXPECT_DOUBLE_EQ(work.effort()[0], -2 * q);
}

// Work of a constant and of a damping formula, by hand: P = (3 - 0.5 v) v.
TEST(Formulas, PowerIsThatOfTheEffort) {
  model::ModelSpec spec = arm();
  spec.joints[0].effort_limit = 2;
  spec.forces = {effort("pin", true, "3 - 0.5*v(pin)")};
  const System system = planned_system(spec);
  Workspace work(system);
  for (const double v : {1.0, 4.0}) {
    const double q = 0.3;
    evaluate(system, 0, {&q, 1}, {&v, 1}, work);
    update_links(system, work);
    EXPECT_DOUBLE_EQ(energies(system, 0, {&q, 1}, {&v, 1}, work).power, std::min(3 - 0.5 * v, 2.0) * v);
  }
}

// Every reference mechanism with laws that name each of its joints with one coordinate, pulled at the first body and at
// the joints: body accelerations, whatever tree.
model::ModelSpec with_formulas(model::ModelSpec spec) {
  std::string sum = "1";
  for (const model::JointSpec& joint : spec.joints) {
    const model::JointKind& kind = model::joint_kind(joint.type);
    if (kind.position_size != kind.freedom) continue;
    for (int k = 0; k < kind.freedom; ++k)
      sum += fmt::format(" + 3*sin(q({0}, {1})) - 0.7*v({0}, {1})", joint.name, k + 1);
  }
  for (const model::JointSpec& joint : spec.joints) {
    if (model::joint_kind(joint.type).freedom != 1) continue;
    const bool turns = model::joint_kind(joint.type).coordinates[0] == model::CoordinateKind::kAngle;
    spec.forces.push_back(effort(joint.name, turns, sum));
  }
  model::LoadSpec load;
  load.body = spec.bodies.front().name;
  load.value = {*model::parse_expression(sum), *model::parse_expression("2"), *model::parse_expression(sum)};
  spec.forces.push_back({"", load, {}});
  return spec;
}

TEST(Formulas, GiveTheSameAccelerationsOnEveryTree) {
  for (const ReferenceModel& reference : reference_models()) {
    SCOPED_TRACE(reference.spec.name);
    const Result<model::Model> model = model::compile(with_formulas(reference.spec));
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    Eigen::VectorXd expected;
    for (std::uint32_t key = 0; key < 3; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      Workspace work(system);
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      evaluate(system, 0.4, q, v, work);
      const Eigen::VectorXd found = body_accelerations(system, work);
      if (key == 0) expected = found;
      EXPECT_LT((found - expected).norm(), 1e-7 * (1 + expected.norm())) << "tree " << key;
    }
  }
}

TEST(Formulas, GiveTheBitsOfSingleStatesInABatch) {
  const ReferenceModel& reference = reference_models()[1];
  const Result<model::Model> model = model::compile(with_formulas(reference.spec));
  ASSERT_TRUE(model) << model.error().message;
  const plan::Mechanism mechanism = plan::make_mechanism(*model);
  const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
  const System system = make_system(*model, mechanism, random_plan(network, 1));
  std::vector<double> q, v;
  gather_state(system, reference.state, q, v);
  Workspace single(system);
  evaluate(system, 0, q, v, single);
  BatchWorkspace batch(system, single.dropped());
  std::vector<Lanes> all_q(q.size()), all_v(v.size()), expected(v.size());
  Lanes time;
  for (int lane = 0; lane < kBatch; ++lane) {
    std::vector<double> lane_v = v;
    for (double& number : lane_v) number *= 1 + 0.1 * lane;
    set_lane(q, lane, all_q);
    set_lane(lane_v, lane, all_v);
    time.of[to_index(lane)] = 0.1 * lane;
    evaluate(system, time.of[to_index(lane)], q, lane_v, single);
    set_lane({single.qdd().data(), v.size()}, lane, expected);
  }
  EXPECT_TRUE(evaluate_batch(system, time, all_q, all_v, batch));
  for (std::size_t k = 0; k < v.size(); ++k) EXPECT_EQ(batch.qdd()[k].of, expected[k].of);
}

// A plan cuts the hinge that a formula of another joint names: it stays in the tree, so that it counts its turns. Its
// rate alone it has where it is cut.
TEST(Formulas, ANamedHingeStaysInTheTree) {
  for (const bool rate : {false, true}) {
    model::ModelSpec spec = reference_models()[1].spec;
    const std::string named = spec.joints[0].name;
    spec.forces.push_back({"",
                           model::LoadSpec{true,
                                           "",
                                           spec.bodies.back().name,
                                           {},
                                           false,
                                           {*model::parse_expression((rate ? "v(" : "q(") + named + ")"),
                                            model::constant_expression(0), model::constant_expression(0)}},
                           {}});
    const Result<model::Model> model = model::compile(spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    plan::PlanOptions options;
    options.cut = {0};
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    const System system = make_system(*model, mechanism, *plan::make_plan(network, options));
    EXPECT_EQ(system->link_of[0] >= 0, !rate);
  }
}

// Two blocks welded in one link, the outer one pulled by a formula of the hinge: the weld carries it, with all turns.
TEST(Formulas, WeldsCarryWhatFormulasPut) {
  model::ModelSpec spec = arm();
  spec.gravity.setZero();
  spec.bodies.push_back(make_body("tool", 1, {0, 0, 0}, {0.1, 0.1, 0.1}));
  spec.joints.push_back(make_joint("weld", JointType::kFixed, "arm", "tool"));
  model::LoadSpec load;
  load.torque = true;
  load.body = "tool";
  load.value = {model::constant_expression(0), *model::parse_expression("4*q(pin)"), model::constant_expression(0)};
  spec.forces.push_back({"", load, {}});
  const System system = planned_system(spec);
  Workspace work(system);
  const double q = 8 * std::numbers::pi, v = 0;
  evaluate(system, 0, {&q, 1}, {&v, 1}, work);
  update_links(system, work);
  Reactions reactions(system);
  find_reactions(system, 0, {&q, 1}, {&v, 1}, work, reactions);
  // Of the torque the tool keeps what accelerates it.
  const double all = 0.2 + 2 * 0.25 + 0.1;
  EXPECT_NEAR(reactions.on_b()[1][1], 4 * q * (0.1 / all - 1), 1e-9);
}

}  // namespace
}  // namespace espalier::dynamics
