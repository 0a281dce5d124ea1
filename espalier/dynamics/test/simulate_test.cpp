#include "espalier/dynamics/dynamics.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"
#include "espalier/dynamics/test/reference_run.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::dynamics {
namespace {

using model::JointType;
using Outcome = model::Outcome;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ReferenceModel reference_model(const std::string& name) {
  return read_reference(std::filesystem::path(source_dir() + "/espalier/dynamics/test/data") / (name + ".json"));
}

const model::Sink kNoSink = [](const model::Frame&) { return true; };

// A point mass at distance 1 m from a hinge about y, at rest at an angle from its lowest position.
System pendulum(double angle) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("bob", 2, {std::sin(angle), 0, -std::cos(angle)}, {0, 0, 0}));
  spec.impossible_inertia_allowed = true;
  const math::Pose about_y{Eigen::Vector3d::Zero(),
                           Eigen::Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Eigen::Vector3d::UnitX()))};
  spec.joints.push_back(make_joint("hinge", JointType::kRevolute, "ground", "bob", about_y));
  return planned_system(spec);
}

// Quarter of the period of a pendulum, by the arithmetic-geometric mean.
double quarter_period(double angle, double g) {
  double a = 1, b = std::cos(angle / 2);
  for (int k = 0; k < 20; ++k) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a) / std::sqrt(g);
}

double lowest_point_error(Integrator integrator, double tolerance, double step) {
  const double angle = 2;
  const System system = pendulum(angle);
  SimulateOptions options;
  options.integrator = integrator;
  options.tolerance = tolerance;
  options.step = step;
  options.run.end_time = quarter_period(angle, 9.81);
  options.run.output_step = options.run.end_time;
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, options);
  EXPECT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_EQ(run.end.state.time, options.run.end_time);
  return std::abs(std::abs(run.end.state.q[0]) - angle);
}

TEST(Simulate, PendulumIsLowestAfterAQuarterOfItsPeriod) {
  EXPECT_LT(lowest_point_error(Integrator::kRunge, 1e-12, 0), 1e-10);
  EXPECT_LT(lowest_point_error(Integrator::kRunge, 1e-6, 0), 1e-4);
  EXPECT_LT(lowest_point_error(Integrator::kImplicit, 1e-10, 0), 1e-7);
}

// The order of a method: half the step, error divided by 2^order.
TEST(Simulate, FixedStepsAreOfFourthOrder) {
  const double h = quarter_period(2, 9.81) / 32;
  const double coarse = lowest_point_error(Integrator::kFixed, 1, h);
  const double fine = lowest_point_error(Integrator::kFixed, 1, h / 2);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

TEST(Simulate, FramesBetweenStepsAreAsGoodAsSteps) {
  const System system = pendulum(2);
  SimulateOptions options;
  options.integrator = Integrator::kRunge;
  options.run.end_time = 3;
  options.run.output_step = 0.01;
  std::vector<double> tight;
  const model::Sink keep = [&](const model::Frame& frame) {
    tight.push_back(frame.q[0]);
    EXPECT_NEAR(frame.kinetic + frame.potential, -2 * 9.81 * std::cos(2.0), 1e-9);
    return true;
  };
  options.tolerance = 1e-12;
  simulate(system, start_run(system, drawn_state(system)), keep, options);
  ASSERT_EQ(tight.size(), 301u);
  for (const Integrator integrator : {Integrator::kRunge, Integrator::kImplicit}) {
    double worst = 0;
    std::size_t k = 0;
    const model::Sink compare = [&](const model::Frame& frame) {
      worst = std::max(worst, std::abs(frame.q[0] - tight[k++]));
      return true;
    };
    options.integrator = integrator;
    options.tolerance = 1e-7;
    const RunStatus run = simulate(system, start_run(system, drawn_state(system)), compare, options);
    EXPECT_LT(run.steps, 1000);
    EXPECT_LT(worst, 2e-5);
  }
}

TEST(Simulate, FollowsTheReferences) {
  struct Case {
    const char* name;
    double end_time;
  };
  for (const Case& c :
       {Case{"planar_triple_pendulum", 1}, Case{"spatial_chain_spherical_5", 0.3}, Case{"two_pucks_planar_joints", 0.5},
        Case{"spatial_slider_crank_variant", 0.5}, Case{"lead_screw_nut", 2}, Case{"rccc_spatial_four_bar", 2},
        Case{"a04_bricard", 2}, Case{"a03_andrews_squeezer_testset", 0.01}, Case{"stewart_6ups", 0.2},
        Case{"vehicle_double_wishbone", 0.1}, Case{"scissor_lift_N5", 0.3}}) {
    SCOPED_TRACE(c.name);
    const ReferenceModel reference = reference_model(c.name);
    const System system = reference_system(reference);
    SimulateOptions options;
    options.tolerance = 1e-9;
    options.integrator = Integrator::kRunge;
    const ReferenceRun run = run_reference(reference, system, options, c.end_time);
    EXPECT_EQ(run.status.outcome, Outcome::kDone) << run.status.message;
    EXPECT_GE(run.outputs, 2u);
    EXPECT_LT(run.position_error, 1e-6);
    EXPECT_LT(run.status.energy_error, 1e-6 * run.status.energy_scale);
    EXPECT_LT(run.status.loop_distance, 1e-11);
    EXPECT_LT(run.status.loop_angle, 1e-11);
  }
}

// The bars of A02 all lie in one line after about 0.7 s: there the mechanism could go on as another one.
TEST(Simulate, PassesSingularPositions) {
  const ReferenceModel reference = reference_model("a02_n_four_bar_N2");
  const System system = reference_system(reference);
  for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
    SimulateOptions options;
    options.tolerance = tolerance;
    options.integrator = Integrator::kRunge;
    const ReferenceRun run = run_reference(reference, system, options, 3);
    EXPECT_EQ(run.status.outcome, Outcome::kDone) << run.status.message;
    EXPECT_EQ(run.outputs, 7u);
    EXPECT_LT(run.position_error, 1e3 * tolerance);
    EXPECT_LT(run.status.steps, 2000);
  }
}

// Explicit steps need 4400 a second here, whatever the tolerance.
TEST(Simulate, FindsStiffForcesAndTakesLongSteps) {
  const ReferenceModel reference = reference_model("a05_stiff_flyball_governor");
  const System system = reference_system(reference);
  SimulateOptions options;
  options.tolerance = 1e-6;
  const ReferenceRun run = run_reference(reference, system, options, 2);
  EXPECT_EQ(run.status.outcome, Outcome::kDone) << run.status.message;
  ASSERT_TRUE(run.status.stiff_since.has_value());
  EXPECT_LT(*run.status.stiff_since, 0.2);
  EXPECT_EQ(run.status.end.integrator, Integrator::kImplicit);
  EXPECT_LT(run.status.steps, 1000);
  EXPECT_LT(run.position_error, 1e-5);
}

TEST(Simulate, StaysExplicitWhereForcesAreSoft) {
  const ReferenceModel reference = reference_model("two_pucks_planar_joints");
  const System system = reference_system(reference);
  SimulateOptions options;
  options.tolerance = 1e-6;
  const ReferenceRun run = run_reference(reference, system, options, 3);
  EXPECT_FALSE(run.status.stiff_since.has_value());
  EXPECT_EQ(run.status.end.integrator, Integrator::kRunge);
}

TEST(Simulate, ImplicitStepsFollowTheReferencesToo) {
  // Quaternions, closed loops, dampers.
  for (const char* name : {"spatial_slider_crank_iftomm", "stewart_6ups", "lead_screw_nut"}) {
    SCOPED_TRACE(name);
    const ReferenceModel reference = reference_model(name);
    const System system = reference_system(reference);
    SimulateOptions options;
    options.tolerance = 1e-8;
    options.integrator = Integrator::kImplicit;
    const ReferenceRun run = run_reference(reference, system, options, 0.2);
    EXPECT_EQ(run.status.outcome, Outcome::kDone) << run.status.message;
    EXPECT_LT(run.position_error, 1e-6);
    EXPECT_LT(run.status.energy_error, 1e-6 * run.status.energy_scale);
    EXPECT_LT(run.status.loop_distance, 1e-11);
  }
}

// Everything of a frame, bit for bit.
std::vector<double> bits_of(const model::Frame& frame) {
  std::vector<double> all = {frame.time,      frame.kinetic,       frame.potential,
                             frame.exchanged, frame.loop_distance, frame.loop_angle};
  for (const std::span<const double> part :
       {frame.q, frame.v, frame.joint_position, frame.joint_velocity, frame.body_pose, frame.body_velocity,
        frame.body_acceleration, frame.reaction}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void expect_same_after_restart(const std::string& name, const SimulateOptions& asked, std::int64_t stop_after) {
  SCOPED_TRACE(name);
  const ReferenceModel reference = reference_model(name);
  const System system = reference_system(reference);
  std::vector<std::vector<double>> whole, parts;
  SimulateOptions options = asked;
  const RunStatus all = simulate(
      system, reference_start(reference, system),
      [&](const model::Frame& frame) { return whole.push_back(bits_of(frame)), true; }, options);
  ASSERT_EQ(all.outcome, Outcome::kDone) << all.message;
  ASSERT_GT(all.steps, stop_after + 2);

  std::atomic<bool> stop = false;
  std::int64_t steps = 0;
  options.run.stop = &stop;
  options.on_step = [&](const RunState&) { stop = ++steps == stop_after; };
  const model::Sink sink = [&](const model::Frame& frame) { return parts.push_back(bits_of(frame)), true; };
  const RunStatus first = simulate(system, reference_start(reference, system), sink, options);
  EXPECT_EQ(first.outcome, Outcome::kStopped);
  EXPECT_EQ(first.steps, stop_after);
  options.run.stop = nullptr;
  const RunStatus second = simulate(system, first.end, sink, options);
  EXPECT_EQ(second.outcome, Outcome::kDone);
  EXPECT_EQ(first.steps + second.steps, all.steps);
  ASSERT_EQ(parts.size(), whole.size());
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(parts[k], whole[k]) << "frame " << k;
  EXPECT_EQ(second.end.state.q, all.end.state.q);
  EXPECT_EQ(second.end.state.v, all.end.state.v);
  EXPECT_EQ(second.end.step, all.end.step);
  EXPECT_EQ(second.end.memory, all.end.memory);
}

TEST(Simulate, ARestartedRunGivesTheSameBits) {
  SimulateOptions options;
  options.run.end_time = 0.4;
  options.run.output_step = 0.037;
  options.integrator = Integrator::kRunge;
  expect_same_after_restart("spatial_slider_crank_iftomm", options, 17);
  expect_same_after_restart("spatial_chain_spherical_5", options, 20);
  options.integrator = Integrator::kFixed;
  options.step = 0.01;
  expect_same_after_restart("a04_bricard", options, 13);
  options.integrator = Integrator::kImplicit;
  expect_same_after_restart("lead_screw_nut", options, 3);
  // Stopped before, at and after the change to implicit steps.
  options.integrator = Integrator::kAuto;
  for (const std::int64_t steps : {120, 150, 151, 170})
    expect_same_after_restart("a05_stiff_flyball_governor", options, steps);
}

TEST(Simulate, OutputTimesAreCountedNotAddedUp) {
  const System system = pendulum(0.1);
  SimulateOptions options;
  options.run.output_step = 0.1;
  options.run.end_time = 10.05;
  for (const Integrator integrator : {Integrator::kRunge, Integrator::kFixed, Integrator::kImplicit}) {
    options.integrator = integrator;
    std::vector<double> times;
    simulate(
        system, start_run(system, drawn_state(system)),
        [&](const model::Frame& frame) { return times.push_back(frame.time), true; }, options);
    ASSERT_EQ(times.size(), 102u);
    for (int k = 0; k <= 100; ++k) EXPECT_EQ(times[to_index(k)], k * 0.1);
    EXPECT_EQ(times.back(), 10.05);
  }
}

TEST(Simulate, GoesOnFromWhereARunEnded) {
  const System system = pendulum(1);
  SimulateOptions options;
  options.run.output_step = 0.25;
  options.run.end_time = 1.1;
  std::vector<double> times;
  const model::Sink sink = [&](const model::Frame& frame) { return times.push_back(frame.time), true; };
  const RunStatus first = simulate(system, start_run(system, drawn_state(system)), sink, options);
  options.run.end_time = 1.5;
  simulate(system, first.end, sink, options);
  EXPECT_EQ(times, (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.1, 1.25, 1.5}));
}

TEST(Simulate, StopsWhereTheSinkSaysSo) {
  const System system = pendulum(1);
  int frames = 0;
  const RunStatus run =
      simulate(system, start_run(system, drawn_state(system)), [&](const model::Frame&) { return ++frames < 5; }, {});
  EXPECT_EQ(run.outcome, Outcome::kStopped);
  EXPECT_EQ(frames, 5);
  EXPECT_LT(run.end.state.time, 0.2);
}

TEST(Simulate, NamesTheJointWhoseForceBroke) {
  System system = pendulum(1);
  system.set_callback([](double time, LinkArrays& links) { links.force[1][0] = time < 0.3 ? 0 : kInfinity; });
  for (const Integrator integrator : {Integrator::kRunge, Integrator::kFixed, Integrator::kImplicit}) {
    SimulateOptions options;
    options.integrator = integrator;
    const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, options);
    EXPECT_EQ(run.outcome, Outcome::kFailed);
    EXPECT_NEAR(run.end.state.time, 0.3, 0.002);
    EXPECT_TRUE(std::isfinite(run.end.state.q[0]));
    EXPECT_NE(run.message.find("'hinge'"), std::string::npos) << run.message;
  }
}

TEST(Simulate, SaysWhatHasNoInertia) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("ghost", 0, {0, 0, 0}, {0, 0, 0}));
  spec.impossible_inertia_allowed = true;
  spec.joints.push_back(make_joint("hinge", JointType::kRevolute, "ground", "ghost"));
  const System system = planned_system(spec);
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, {});
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_NE(run.message.find("'hinge' has no inertia"), std::string::npos) << run.message;
}

// ground --shoulder-- arm --wrist-- tip: the tip alone has no inertia.
TEST(Simulate, NamesTheJointThatFailsAndNotTheOnesBelow) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("arm", 1, {0.5, 0, 0}, {1, 1, 1}));
  spec.bodies.push_back(make_body("tip", 0, {0, 0, 0}, {0, 0, 0}));
  spec.impossible_inertia_allowed = true;
  spec.joints.push_back(make_joint("shoulder", JointType::kRevolute, "ground", "arm"));
  spec.joints.push_back(make_joint("wrist", JointType::kRevolute, "arm", "tip"));
  const System system = planned_system(spec);
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, {});
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_NE(run.message.find("'wrist' has no inertia"), std::string::npos) << run.message;
}

// Loops and drives are closed with the masses: where there are none, that is what is said.
TEST(Simulate, SaysWhatHasNoInertiaWhereEquationsHold) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("base", 0, {0, 0, 0}, {0, 0, 0}));
  spec.bodies.push_back(make_body("arm", 0, {0, 0, 0}, {0, 0, 0}));
  spec.impossible_inertia_allowed = true;
  spec.joints.push_back(make_joint("float", JointType::kFree, "ground", "base"));
  spec.joints.push_back(make_joint("hinge", JointType::kRevolute, "base", "arm"));
  spec.forces.push_back({"turn", model::MotionSpec{"hinge", true, model::constant_expression(1)}, {}});
  const System system = planned_system(spec);
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, {});
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_NE(run.message.find("'hinge' has no inertia"), std::string::npos) << run.message;
}

TEST(Simulate, NamesTheForceWhoseFormulaFails) {
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("wheel", 1, {0, 0, 0}, {1, 1, 1}));
  spec.joints.push_back(make_joint("hinge", JointType::kRevolute, "ground", "wheel"));
  model::LoadSpec load;
  load.torque = true;
  load.joint = "hinge";
  load.value = {*model::parse_expression("sqrt(0.5 - t)")};
  spec.forces.push_back({"push", load, {}});
  const System system = planned_system(spec);
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, {});
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_NEAR(run.end.state.time, 0.5, 1e-9);
  EXPECT_NE(run.message.find("'sqrt(0.5 - t)' of force 'push'"), std::string::npos) << run.message;
}

// A slope that grows beyond all bounds at 0.5 s.
TEST(Simulate, EndsWhereStepsBecomeTooShort) {
  System system = pendulum(1);
  system.set_callback([](double time, LinkArrays& links) { links.force[1][1] = 1 / std::pow(0.5 - time, 3); });
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, {});
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_NEAR(run.end.state.time, 0.5, 1e-3);
  EXPECT_NE(run.message.find("the step fell to"), std::string::npos) << run.message;
}

TEST(Simulate, EndsAfterTheMostSteps) {
  const System system = pendulum(1);
  for (const Integrator integrator : {Integrator::kRunge, Integrator::kFixed, Integrator::kImplicit}) {
    SimulateOptions options;
    options.max_steps = 7;
    options.run.end_time = 100;
    options.integrator = integrator;
    const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, options);
    EXPECT_EQ(run.outcome, Outcome::kFailed);
    EXPECT_LE(run.steps + run.rejected, 7);
    EXPECT_NE(run.message.find("7 steps"), std::string::npos) << run.message;
  }
}

TEST(Simulate, RefusesAnOpenStart) {
  const ReferenceModel reference = reference_model("a04_bricard");
  const System system = reference_system(reference);
  RunState start = reference_start(reference, system);
  start.state.q[0] += 0.1;
  const RunStatus run = simulate(system, start, kNoSink, {});
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_NE(run.message.find("assemble"), std::string::npos) << run.message;
}

// A damped spring at rest under a force that rises with time: friction, loads and drives all count as exchanged.
TEST(Simulate, EnergyBalancesWithDampersLoadsAndDrives) {
  model::ModelSpec spec = reference_model("stewart_6ups").spec;
  model::LoadSpec load;
  load.body = spec.bodies.front().name;
  load.value = {*model::parse_expression("5*sin(7*t)"), *model::parse_expression("3"),
                *model::parse_expression("20*t")};
  spec.forces.push_back({"push", load, {}});
  for (model::JointSpec& joint : spec.joints) {
    if (joint.type == JointType::kPrismatic) joint.damping = {3}, joint.friction = {0.5}, joint.stiffness = {40};
  }
  ReferenceModel reference = reference_model("stewart_6ups");
  reference.spec = spec;
  const System system = reference_system(reference);
  SimulateOptions options;
  options.tolerance = 1e-9;
  options.run.end_time = 0.3;
  double exchanged = 0;
  const RunStatus run = simulate(
      system, reference_start(reference, system),
      [&](const model::Frame& frame) { return exchanged = frame.exchanged, true; }, options);
  EXPECT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_GT(std::abs(exchanged), 0.01 * run.energy_scale);
  EXPECT_LT(run.energy_error, 1e-6 * run.energy_scale);
}

// A crank driven at constant speed against gravity: the drive does all the work.
TEST(Simulate, DrivesDoTheWorkTheyAreAskedFor) {
  System system = pendulum(0);
  model::ModelSpec spec;
  spec.bodies.push_back(make_body("bob", 2, {0, 0, -1}, {0, 0, 0}));
  spec.impossible_inertia_allowed = true;
  const math::Pose about_y{Eigen::Vector3d::Zero(),
                           Eigen::Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Eigen::Vector3d::UnitX()))};
  spec.joints.push_back(make_joint("hinge", JointType::kRevolute, "ground", "bob", about_y));
  spec.forces.push_back({"drive", model::MotionSpec{"hinge", false, *model::parse_expression("2*t")}, {}});
  system = planned_system(spec);
  State state = drawn_state(system);
  state.v[0] = 2;
  SimulateOptions options;
  options.run.end_time = std::numbers::pi / 2;
  options.tolerance = 1e-10;
  double exchanged = 0;
  const RunStatus run = simulate(
      system, start_run(system, state), [&](const model::Frame& frame) { return exchanged = frame.exchanged, true; },
      options);
  EXPECT_EQ(run.outcome, Outcome::kDone) << run.message;
  EXPECT_NEAR(run.end.state.q[0], std::numbers::pi, 1e-12);
  EXPECT_NEAR(exchanged, 2 * 9.81 * 2, 1e-7);
  EXPECT_LT(run.energy_error, 1e-7);
}

}  // namespace
}  // namespace espalier::dynamics
