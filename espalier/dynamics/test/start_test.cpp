#include "espalier/dynamics/start.hpp"

#include <gtest/gtest.h>

#include "espalier/dynamics/assembly.hpp"
#include "espalier/dynamics/detail/joint_state.hpp"
#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/test/four_bar.hpp"
#include "espalier/dynamics/test/random_trees.hpp"
#include "espalier/dynamics/test/reference_models.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::dynamics {
namespace {

using detail::joint_state;

// A four-bar as it stands closed, joints A B C D.
FourBar closed_bar() {
  FourBar bar;
  const Eigen::Vector2d b(bar.crank * std::cos(bar.at_crank), bar.crank * std::sin(bar.at_crank));
  const Eigen::Vector2d c = bar.closed_c(-1);
  bar.at_coupler = std::atan2(c.y() - b.y(), c.x() - b.x());
  bar.at_rocker = std::atan2(c.y(), c.x() - bar.ground);
  return bar;
}

// Rate of the rocker over that of the crank: what both give C along the coupler is the same.
double rocker_rate(const FourBar& bar) {
  return bar.crank * std::sin(bar.at_crank - bar.at_coupler) / (bar.rocker * std::sin(bar.at_rocker - bar.at_coupler));
}

double rate_of(const System& system, const Start& start, model::JointId joint) {
  Workspace work(system);
  update_kinematics(system, 0, start.state.q, start.state.v, work);
  double position = 0, velocity = 0;
  joint_state(system, joint, work.links(), {&position, 1}, {&velocity, 1});
  return velocity;
}

double largest_rate(const System& system, const Start& start) {
  Workspace work(system);
  update_kinematics(system, 0, start.state.q, start.state.v, work);
  return work.rate().size() == 0 ? 0 : work.rate().cwiseAbs().maxCoeff();
}

// One velocity is enough: the other joints follow, whichever is cut.
TEST(FitVelocities, CrankKeepsItsSpeedAndTheRockerFollows) {
  const FourBar bar = closed_bar();
  model::ModelSpec spec = bar.spec();
  spec.joints[0].velocity = {2};
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(spec, {cut});
    const Start start = find_start(system);
    EXPECT_TRUE(start.velocity.changed.empty());
    EXPECT_LT(largest_rate(system, start), 1e-12);
    EXPECT_NEAR(rate_of(system, start, kA), 2, 1e-12) << "cut " << cut;
    EXPECT_NEAR(rate_of(system, start, kD), 2 * rocker_rate(bar), 1e-11) << "cut " << cut;
  }
}

// The crank says 2, the rocker says it rests: the least squares are met halfway.
TEST(FitVelocities, NamesVelocitiesThatContradictTheLoop) {
  const FourBar bar = closed_bar();
  model::ModelSpec spec = bar.spec();
  spec.joints[0].velocity = {2};
  spec.joints[3].velocity = {0};
  const double ratio = rocker_rate(bar);
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(spec, {cut});
    const Start start = find_start(system);
    ASSERT_EQ(start.velocity.changed.size(), 2U);
    EXPECT_LT(largest_rate(system, start), 1e-12);
    EXPECT_NEAR(rate_of(system, start, kA), 2 / (1 + ratio * ratio), 1e-9) << "cut " << cut;
    for (const VelocityChange& change : start.velocity.changed)
      EXPECT_NEAR(change.taken, rate_of(system, start, change.joint), 1e-12);
  }
}

// The motion is at 0.5 rad/s when the run starts, whatever the drawing says.
TEST(FindStart, DrivenJointsMoveAsTheirMotionSays) {
  const FourBar bar = closed_bar();
  model::ModelSpec spec = bar.spec();
  model::MotionSpec motion;
  motion.joint = "A";
  motion.value = *model::parse_expression("1.2 + 0.5*t");
  spec.forces.emplace_back().law = motion;
  spec.joints[3].velocity = {7};
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(spec, {cut});
    const Start start = find_start(system);
    EXPECT_LT(largest_rate(system, start), 1e-12);
    EXPECT_NEAR(rate_of(system, start, kA), 0.5, 1e-12) << "cut " << cut;
    ASSERT_EQ(start.velocity.changed.size(), 1U);
    EXPECT_EQ(start.velocity.changed[0].joint, kD);
    EXPECT_NEAR(start.velocity.changed[0].taken, 0.5 * rocker_rate(bar), 1e-11);
  }
}

TEST(FitVelocities, JointsThatSayNothingRest) {
  model::ModelSpec spec = *model::generate_chain(5);
  spec.joints[1].velocity = {3};
  const System system = system_of(spec);
  const Start start = find_start(system);
  for (int j = 0; j < 5; ++j) EXPECT_NEAR(rate_of(system, start, model::JointId(j)), j == 1 ? 3 : 0, 1e-12);
}

// Bodies of the references give their velocities, all of them consistent.
TEST(FindStart, MovesReferencesAsTheirBodiesSay) {
  for (const std::filesystem::path& file : reference_files()) {
    const ReferenceModel reference = read_reference(file);
    SCOPED_TRACE(reference.name);
    const Result<model::Model> model = model::compile(reference.spec);
    const plan::Mechanism mechanism = plan::make_mechanism(*model);
    const plan::Network network = plan::make_network(*model, mechanism, plan::Weights::kLiu);
    for (std::uint32_t key = 0; key < 3; ++key) {
      const System system = make_system(*model, mechanism, random_plan(network, key));
      const Start start = find_start(system);
      EXPECT_EQ(start.assembly.outcome, Assembly::Outcome::kClosed);
      EXPECT_TRUE(start.velocity.changed.empty()) << "tree " << key;
      std::vector<double> q, v;
      gather_state(system, reference.state, q, v);
      for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(start.state.v[k], v[k], 1e-6 * (1 + std::abs(v[k])));
    }
  }
}

// The keyframe says B and C; whichever joint is cut, the start is the same.
TEST(FindStart, KeyframeMeansTheSameOnEveryTree) {
  model::Keyframe keyframe;
  keyframe.positions = {{kA, {0.9}}, {kB, {-0.7}}};
  std::vector<math::Pose> first;
  for (int cut = 0; cut < 4; ++cut) {
    const System system = system_of(FourBar{}.spec(), {cut});
    StartOptions options;
    options.keyframe = &keyframe;
    options.assembly.pins = {kA};
    const Start start = find_start(system, options);
    EXPECT_EQ(start.assembly.outcome, Assembly::Outcome::kClosed);
    EXPECT_EQ(start.gaps.front().joint == kC || start.gaps.front().joint == kD, true);
    const std::vector<math::Pose> body = body_poses(system, start.state.q);
    if (cut == 0) first = body;
    for (std::size_t b = 0; b < body.size(); ++b) {
      const math::PoseGap gap = math::gap_between(body[b], first[b]);
      EXPECT_LT(std::max(gap.distance, gap.angle), 1e-11) << "cut " << cut;
    }
  }
}

}  // namespace
}  // namespace espalier::dynamics
