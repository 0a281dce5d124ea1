// Steps: the first one, those past a singular position, and the last one before an end.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/dynamics.hpp"
#include "espalier/dynamics/start.hpp"
#include "espalier/dynamics/test/reference_run.hpp"
#include "espalier/plan/plan.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::dynamics {
namespace {

using Outcome = model::Outcome;

constexpr double kGravity = 9.81;  // [m/s^2]

System planned(const model::ModelSpec& spec) {
  const model::Model model = *model::compile(spec);
  return make_system(model, plan::make_mechanism(model), *plan::make_plan(model));
}

model::BodySpec bar(const std::string& name, const math::Pose& pose) {
  model::BodySpec body;
  body.name = name;
  body.mass = 1;
  body.com = Eigen::Vector3d(0.5, 0, 0);
  body.inertia = Eigen::Vector3d(0.001, 1.0 / 12, 1.0 / 12).asDiagonal();
  body.pose = pose;
  return body;
}
model::JointSpec hinge(const std::string& name, const std::string& a, const std::string& b, double x, double y) {
  model::JointSpec joint;
  joint.name = name;
  joint.a = a;
  joint.b = b;
  joint.at = math::Pose{{x, y, 0}, Eigen::Quaterniond::Identity()};
  return joint;
}

// [Gonzalez06] problem A02:  B0---B1---B2   N windows of bars of 1 m and 1 kg that stand upright and fall to the right;
//                            |    |    |    with all bars in one line the mechanism could go on as another one.
//                            A0   A1   A2
System ladder(int windows) {
  model::ModelSpec spec;
  spec.gravity = {0, -kGravity, 0};
  const Eigen::Quaterniond upright(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
  for (int k = 0; k <= windows; ++k) {
    const std::string crank = "crank" + std::to_string(k);
    spec.bodies.push_back(bar(crank, {{static_cast<double>(k), 0, 0}, upright}));
    spec.bodies.back().velocity = model::VelocitySpec{Eigen::Vector3d::Zero(), {0, 0, -1}};
    spec.joints.push_back(hinge("A" + std::to_string(k), "ground", crank, k, 0));
  }
  for (int k = 0; k < windows; ++k) {
    const std::string coupler = "coupler" + std::to_string(k);
    spec.bodies.push_back(bar(coupler, {{static_cast<double>(k), 1, 0}, Eigen::Quaterniond::Identity()}));
    spec.bodies.back().velocity = model::VelocitySpec{{1, 0, 0}, Eigen::Vector3d::Zero()};
    spec.joints.push_back(hinge("B" + std::to_string(k), "crank" + std::to_string(k), coupler, k, 1));
    spec.joints.push_back(hinge("C" + std::to_string(k), coupler, "crank" + std::to_string(k + 1), k + 1, 1));
  }
  return planned(spec);
}

// While all cranks stay parallel the ladder is one pendulum: angle'' = -pull cos(angle), from the x axis. Mass moments:
// each crank 1/3, each coupler 1 about its hinge; weights at 1/2 and at 1.
double pendulum_angle(int windows, double time) {
  const double pull = kGravity * ((windows + 1) / 2.0 + windows) / ((windows + 1) / 3.0 + windows);
  const int steps = 200000;
  const double h = time / steps;
  double angle = std::numbers::pi / 2, rate = -1;
  const auto slope = [&](double at) { return -pull * std::cos(at); };
  for (int k = 0; k < steps; ++k) {
    const double a1 = slope(angle), v1 = rate;
    const double a2 = slope(angle + h / 2 * v1), v2 = rate + h / 2 * a1;
    const double a3 = slope(angle + h / 2 * v2), v3 = rate + h / 2 * a2;
    const double a4 = slope(angle + h * v3), v4 = rate + h * a3;
    angle += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return angle;
}

const model::Sink kNoSink = [](const model::Frame&) { return true; };

struct LadderRun {
  RunStatus status;
  double angle = 0;  // of the first crank against its start [rad]
};
LadderRun run_ladder(const System& system, const RunState& start, const SimulateOptions& options) {
  LadderRun run;
  const model::Sink sink = [&](const model::Frame& frame) { return run.angle = frame.joint_position[0], true; };
  run.status = simulate(system, start, sink, options);
  return run;
}

TEST(Steps, ImplicitOnesPassSingularPositions) {
  for (const int windows : {1, 2}) {
    const System system = ladder(windows);
    const double end = windows == 1 ? 1.2 : 0.8;
    const RunState start = start_run(system, find_start(system).state);
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      SCOPED_TRACE(std::to_string(windows) + " windows, tolerance " + std::to_string(tolerance));
      SimulateOptions options;
      options.run.end_time = end;
      options.run.output_step = 0.5;
      options.integrator = Integrator::kImplicit;
      options.tolerance = tolerance;
      options.max_steps = 2000;
      const LadderRun run = run_ladder(system, start, options);
      EXPECT_EQ(run.status.outcome, Outcome::kDone) << run.status.message;
      EXPECT_LT(run.status.energy_error, tolerance * run.status.energy_scale);
      EXPECT_LT(run.status.rejected, 20);
      const double expected = pendulum_angle(windows, end) - std::numbers::pi / 2;
      EXPECT_NEAR(run.angle, expected, 100 * tolerance);
    }
  }
}

// Forty windows, from just before the bars lie in line to just behind: all loops become singular at once.
TEST(Steps, ImplicitOnesPassTheSingularPositionOfFortyLoops) {
  const System system = ladder(40);
  SimulateOptions options;
  options.integrator = Integrator::kRunge;
  options.tolerance = 1e-10;
  options.run.output_step = 1;
  options.run.end_time = 0.715;
  const RunStatus before = simulate(system, start_run(system, find_start(system).state), kNoSink, options);
  ASSERT_EQ(before.outcome, Outcome::kDone) << before.message;
  RunState start = start_run(system, before.end.state);
  options.integrator = Integrator::kImplicit;
  options.tolerance = 1e-8;
  options.run.end_time = 0.73;
  const LadderRun run = run_ladder(system, start, options);
  EXPECT_EQ(run.status.outcome, Outcome::kDone) << run.status.message;
  EXPECT_LT(run.status.steps, 20);
  EXPECT_LT(run.status.energy_error, 1e-8 * run.status.energy_scale);
  EXPECT_LT(run.angle, -std::numbers::pi / 2);  // they have passed the line
  EXPECT_NEAR(run.angle, pendulum_angle(40, 0.73) - std::numbers::pi / 2, 1e-7);
}

// A pendulum 1 m long at rest, 1e-16 rad from the line it was drawn in: it must not take that for its size.
TEST(Steps, TheFirstIsNotAsShortAsTheCoordinatesAreSmall) {
  for (const double turn : {1e-3, 1e-8, 1e-13, 1e-16, 1e-20, 1e-100}) {
    model::ModelSpec spec;
    spec.gravity = {0, -kGravity, 0};
    spec.bodies.push_back(bar("b", {{0, 0, 0}, Eigen::Quaterniond::Identity()}));
    spec.joints.push_back(hinge("s", "ground", "b", 0, 0));
    const System system = planned(spec);
    State state = find_start(system).state;
    state.q[0] = turn;
    for (const double tolerance : {1e-6, 1e-12}) {
      SimulateOptions options;
      options.tolerance = tolerance;
      options.run.output_step = 1;
      double first = 0;
      options.on_step = [&](const RunState& run) { first = first > 0 ? first : run.state.time; };
      const RunStatus run = simulate(system, start_run(system, state), kNoSink, options);
      EXPECT_EQ(run.outcome, Outcome::kDone) << run.message;
      EXPECT_GT(first, 1e-9) << turn;
      EXPECT_LT(run.steps, 20000);
      EXPECT_LT(run.energy_error, 10 * tolerance * run.energy_scale);
    }
  }
}

// Frames as bits, without those behind `outputs`.
using Frames = std::vector<std::vector<double>>;
std::vector<double> numbers_of(const model::Frame& frame) {
  std::vector<double> all = {frame.time, frame.kinetic, frame.exchanged};
  for (const std::span<const double> part : {frame.q, frame.v, frame.body_acceleration, frame.reaction})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

void expect_longer_run_is_the_same(const std::string& name, Integrator integrator, double end) {
  SCOPED_TRACE(name);
  const ReferenceModel reference = read_reference(source_dir() + "/espalier/dynamics/test/data/" + name + ".json");
  const System system = reference_system(reference);
  SimulateOptions options;
  options.integrator = integrator;
  options.run.output_step = 0.03;
  options.step = 0.0071;
  options.run.end_time = 2 * end;
  Frames whole, parts;
  const auto into = [](Frames& frames) {
    return [&frames](const model::Frame& frame) { return frames.push_back(numbers_of(frame)), true; };
  };
  const RunStatus all = simulate(system, reference_start(reference, system), into(whole), options);
  ASSERT_EQ(all.outcome, Outcome::kDone) << all.message;
  options.run.end_time = end;
  const RunStatus first = simulate(system, reference_start(reference, system), into(parts), options);
  EXPECT_EQ(first.end.state.time, end);
  EXPECT_LT(first.resume.state.time, end);
  // The same end once more, from what is kept for a restart.
  const RunStatus again = simulate(system, first.resume, kNoSink, options);
  EXPECT_EQ(again.end.state.q, first.end.state.q);
  EXPECT_EQ(again.end.memory, first.end.memory);
  parts.resize(to_index(first.resume.outputs));
  options.run.end_time = 2 * end;
  const RunStatus second = simulate(system, first.resume, into(parts), options);
  ASSERT_EQ(parts.size(), whole.size());
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(parts[k], whole[k]) << "frame " << k;
  EXPECT_EQ(second.end.state.q, all.end.state.q);
  EXPECT_EQ(second.end.state.v, all.end.state.v);
  EXPECT_EQ(second.end.memory, all.end.memory);
}

TEST(Simulate, ALongerRunGivesTheSameBits) {
  // Ends on an output, between two, and where a fixed step must be cut.
  for (const double end : {0.12, 0.1}) {
    expect_longer_run_is_the_same("spatial_slider_crank_iftomm", Integrator::kRunge, end);
    expect_longer_run_is_the_same("spatial_chain_spherical_5", Integrator::kAuto, end);
    expect_longer_run_is_the_same("a04_bricard", Integrator::kFixed, end);
    expect_longer_run_is_the_same("lead_screw_nut", Integrator::kImplicit, end);
  }
}

TEST(Steps, ImplicitOnesRefuseWhatTheirMatricesDoNotHold) {
  model::ModelSpec spec;
  for (int k = 0; k < 1700; ++k) {
    const std::string name = "b" + std::to_string(k);
    spec.bodies.push_back(bar(name, {}));
    spec.joints.push_back(hinge("j" + std::to_string(k), "ground", name, 0, 0));
    spec.joints.back().type = model::JointType::kFree;
  }
  const System system = planned(spec);
  ASSERT_GT(system.velocity_size(), 10000);
  SimulateOptions options;
  options.integrator = Integrator::kImplicit;
  const RunStatus run = simulate(system, start_run(system, drawn_state(system)), kNoSink, options);
  EXPECT_EQ(run.outcome, Outcome::kFailed);
  EXPECT_NE(run.message.find("at most 10000 coordinates"), std::string::npos) << run.message;
  EXPECT_NE(run.message.find("runge"), std::string::npos);
}

}  // namespace
}  // namespace espalier::dynamics
