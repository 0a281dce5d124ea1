#include "espalier/dynamics/start.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/poses.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/test/four_bar.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::dynamics {
namespace {

using detail::joint_pose;
using detail::positions_at;
using math::Pose;
using model::JointId;
using Outcome = Assembly::Outcome;

double worst(const std::vector<JointGap>& gaps) {
  double worst = 0;
  for (const JointGap& gap : gaps) worst = std::max({worst, gap.distance, gap.angle});
  return worst;
}

Eigen::Vector2d tip_of_rocker(const FourBar& bar, const System& system, const std::vector<double>& q) {
  return (body_poses(system, q)[3] * Eigen::Vector3d(bar.rocker, 0, 0)).head<2>();
}

TEST(Assemble, FourBarDrawnOpenClosesWhereTheCirclesMeet) {
  for (const double elbow : {1.0, -1.0}) {
    FourBar bar;
    if (elbow > 0) bar.at_coupler = -1.2, bar.at_rocker = 4;  // drawn hanging below the line from D to B
    for (int cut = 0; cut < 4; ++cut) {
      const System system = system_of(bar.spec(), {cut});
      AssemblyOptions options;
      options.pins = {kA};
      const Assembly assembly = assemble(system, options);
      EXPECT_EQ(assembly.outcome, Outcome::kClosed) << "cut " << cut;
      EXPECT_LT(worst(assembly.after), 1e-12);
      EXPECT_LT((tip_of_rocker(bar, system, assembly.q) - bar.closed_c(elbow)).norm(), 1e-11) << "cut " << cut;
    }
  }
}

TEST(Assemble, ReportsGapAndMovedJoints) {
  const System system = system_of(FourBar{}.spec(), {2});
  const Assembly assembly = assemble(system);
  ASSERT_EQ(assembly.before.size(), 1U);
  EXPECT_EQ(assembly.before[0].joint, kC);
  const Eigen::Vector2d end_of_coupler(std::cos(1.2) + 2 * std::cos(0.3), std::sin(1.2) + 2 * std::sin(0.3));
  const Eigen::Vector2d end_of_rocker(2.5 + 1.8 * std::cos(1.7), 1.8 * std::sin(1.7));
  EXPECT_NEAR(assembly.before[0].distance, (end_of_coupler - end_of_rocker).norm(), 1e-14);
  EXPECT_GT(assembly.iterations, 0);
  ASSERT_FALSE(assembly.moved.empty());
  EXPECT_EQ(assembly.outcome, Outcome::kClosed);
  EXPECT_TRUE(assembly.limits.empty());
}

TEST(Assemble, ClosedStartDoesNotMove) {
  const Result<model::ModelSpec> spec = model::generate_strandbeest(6);
  const System system = system_of(*spec);
  const Assembly first = assemble(system);
  const Assembly second = assemble(system, first.q);
  EXPECT_EQ(second.iterations, 0);
  EXPECT_EQ(second.q, first.q);
  EXPECT_TRUE(second.moved.empty());
}

// Links of 1 m and 1.2 m cannot span the 3 m that the ground and a rocker of 0.5 m leave: 0.3 m stay open.
TEST(Assemble, LinksThatAreTooShortLeaveTheirGap) {
  FourBar bar;
  bar.coupler = 1.2, bar.rocker = 0.5, bar.ground = 3;
  const System system = system_of(bar.spec(), {2});
  const Assembly assembly = assemble(system);
  EXPECT_EQ(assembly.outcome, Outcome::kOpen);
  ASSERT_EQ(assembly.after.size(), 1U);
  EXPECT_EQ(assembly.after[0].joint, kC);
  EXPECT_NEAR(assembly.after[0].distance, 0.3, 1e-6);
}

// All links in line, the coupler folded back over the crank: no small motion changes the gap, a larger one closes it.
TEST(Assemble, LeavesAStartWithoutSlope) {
  FourBar bar;
  bar.at_crank = 0, bar.at_coupler = 0, bar.at_rocker = std::numbers::pi;
  bar.crank = 1, bar.coupler = 2, bar.rocker = 1.5, bar.ground = 3;  // 1 + 2 passes 3 - 1.5 by 1.5
  const System system = system_of(bar.spec(), {2});
  const Assembly assembly = assemble(system);
  EXPECT_NEAR(assembly.before[0].distance, 1.5, 1e-14);
  EXPECT_EQ(assembly.outcome, Outcome::kClosed);
}

TEST(Assemble, StaysWithinLimitsWhereLoopsAllowIt) {
  FourBar bar;
  model::ModelSpec spec = bar.spec();
  const Assembly free = assemble(system_of(spec, {2}));
  const double crank = free.q[0];
  ASSERT_GT(std::abs(crank - bar.at_crank), 1e-3);
  // The limit stands between the drawn angle and the one the crank would take.
  const double middle = (crank + bar.at_crank) / 2;
  spec.joints[0].limits = {{std::min(bar.at_crank, middle) - 1e-6, std::max(bar.at_crank, middle)}};
  const Assembly held = assemble(system_of(spec, {2}));
  EXPECT_EQ(held.outcome, Outcome::kClosed);
  EXPECT_TRUE(held.limits.empty());
  EXPECT_GE(held.q[0], spec.joints[0].limits[0][0]);
  EXPECT_LE(held.q[0], spec.joints[0].limits[0][1]);
}

TEST(Assemble, NamesTheLimitThatStandsInTheWay) {
  FourBar bar;
  model::ModelSpec spec = bar.spec();
  spec.joints[0].limits = {{bar.at_crank - 1e-3, bar.at_crank + 1e-3}};
  spec.joints[3].limits = {{bar.at_rocker - 1e-3, bar.at_rocker + 1e-3}};
  const Assembly assembly = assemble(system_of(spec, {2}));
  EXPECT_EQ(assembly.outcome, Outcome::kClosed);
  ASSERT_FALSE(assembly.limits.empty());
  for (const LimitBreak& broken : assembly.limits) {
    EXPECT_TRUE(broken.joint == kA || broken.joint == kD);
    EXPECT_TRUE(broken.blocks);
    EXPECT_TRUE(broken.value < broken.low || broken.value > broken.high);
  }
}

TEST(Assemble, PinnedJointsStayWhetherCutOrNot) {
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(FourBar{}.spec(), {cut});
    for (const JointId pin : {kA, kB, kC, kD}) {
      const std::vector<Pose> before = body_poses(system, system.drawn());
      AssemblyOptions options;
      options.pins = {pin};
      const Assembly assembly = assemble(system, options);
      EXPECT_EQ(assembly.outcome, Outcome::kClosed) << "cut " << cut << " pin " << pin.index();
      const model::Joint& joint = system.model().joint(pin);
      const double was = model::joint_position(joint.type, 0, joint_pose(joint, before)).front();
      const double is = model::joint_position(joint.type, 0, joint_pose(joint, body_poses(system, assembly.q))).front();
      EXPECT_NEAR(was, is, 1e-11) << "cut " << cut << " pin " << pin.index();
    }
  }
}

model::ForceSpec motion_of(const char* joint, const char* value, bool is_velocity = false) {
  model::MotionSpec motion;
  motion.joint = joint;
  motion.is_velocity = is_velocity;
  motion.value = *model::parse_expression(value);
  model::ForceSpec force;
  force.name = "motion";
  force.law = motion;
  return force;
}

TEST(Assemble, DrivenJointsStandWhereTheirMotionSays) {
  FourBar bar;
  model::ModelSpec spec = bar.spec();
  spec.forces = {motion_of("A", "0.9 + 0.1*t")};
  bar.at_crank = 1.1;
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(spec, {cut});
    AssemblyOptions options;
    options.time = 2;
    const Assembly assembly = assemble(system, options);
    EXPECT_EQ(assembly.outcome, Outcome::kClosed) << "cut " << cut;
    EXPECT_LT((tip_of_rocker(bar, system, assembly.q) - bar.closed_c(-1)).norm(), 1e-11) << "cut " << cut;
  }
}

TEST(Assemble, NamesTheMotionThatTheLoopForbids) {
  FourBar bar;
  bar.ground = 3.5, bar.rocker = 1;  // the crank cannot turn over to the far side
  model::ModelSpec spec = bar.spec();
  spec.forces = {motion_of("A", "3.14")};
  const Assembly assembly = assemble(system_of(spec, {2}));
  EXPECT_EQ(assembly.outcome, Outcome::kOpen);
  EXPECT_EQ(assembly.after.size(), 2U);
  EXPECT_TRUE(assembly.after[0].drive == 0 || assembly.after[1].drive == 0);
}

// Coordinates shaken by up to 0.05 rad, or m: every tree leads to a closed pose.
TEST(Assemble, ClosesEveryReferenceFromBesideOnEveryTree) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    const ReferenceModel reference = read_reference(file);
    const Result<model::Model> model = model::compile(reference.spec);
    ASSERT_TRUE(model) << model.error().message;
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    for (std::uint32_t key = 0; key < 4; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      Random random(3, key);
      for (double& rate : v) rate = random.uniform(-0.05, 0.05);
      move_positions(system, q, v, 1);
      const Assembly assembly = assemble(system, q);
      EXPECT_EQ(assembly.outcome, Outcome::kClosed) << "tree " << key << " gap " << worst(assembly.after);
      EXPECT_LT(worst(assembly.after), 1e-11) << "tree " << key;
    }
  }
}

TEST(Assemble, LongLadderClosesFromBeside) {
  const Result<model::ModelSpec> spec = model::generate_ladder(500);
  const System system = system_of(*spec);
  std::vector<double> q = system.drawn();
  Random random(5);
  for (double& angle : q) angle += random.uniform(-0.02, 0.02);
  const Assembly assembly = assemble(system, q);
  EXPECT_EQ(assembly.outcome, Outcome::kClosed);
  EXPECT_GT(worst(assembly.before), 1e-3);
  EXPECT_LT(assembly.iterations, 20);
}

TEST(KeyframePoses, StandAsNamedJointsSay) {
  const Result<model::Model> model = model::compile(FourBar{}.spec());
  model::Keyframe keyframe;
  keyframe.positions = {{kB, {0.25}}, {kC, {-2.0}}};  // the rocker hangs on the coupler, D is open
  const std::vector<Pose> body = keyframe_poses(*model, keyframe);
  for (const auto& [joint, q] : keyframe.positions) {
    const Pose X_FM = joint_pose(model->joint(joint), body);
    EXPECT_LT(X_FM.position.norm(), 1e-14);
    EXPECT_NEAR(model::joint_position(model::JointType::kRevolute, 0, X_FM).front(), q.front(), 1e-14);
  }
  EXPECT_NEAR(model::joint_position(model::JointType::kRevolute, 0, joint_pose(model->joints[0], body)).front(), 1.2,
              1e-14);
  EXPECT_EQ(joint_gaps(*model, body).front().joint, kD);
}

TEST(PositionsAt, GiveBackWhatBodyPosesMade) {
  for (const std::filesystem::path& file : reference_files()) {
    SCOPED_TRACE(file.stem().string());
    const ReferenceModel reference = read_reference(file);
    const Result<model::Model> model = model::compile(reference.spec);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    for (std::uint32_t key = 0; key < 3; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      const std::vector<Pose> body = body_poses(system, q);
      const std::vector<Pose> again = body_poses(system, positions_at(system, body));
      for (std::size_t b = 1; b < body.size(); ++b) {
        const math::PoseGap gap = math::gap_between(body[b], again[b]);
        EXPECT_LT(std::max(gap.distance, gap.angle), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace espalier::dynamics
