#include "espalier/contact/detail/gather.hpp"

#include <gtest/gtest.h>

#include "espalier/contact/test/stack.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// A ball at rest on the ground: the force is its weight, the energy that of its height.
TEST(GatherFrame, ShowsWeightAndHeightOfABallAtRest) {
  Settings settings = fine_settings(1e-3, 1e-13);
  settings.correction = 0;
  Trial run(ball_stack(1), settings);
  run.one();
  FrameArrays arrays;
  const model::RankLoad load = load_of(run.comm, run.domain, run.last.times);
  EXPECT_EQ(load.bodies, 1);
  EXPECT_EQ(load.contacts, 1);
  const model::Frame frame = gather_frame(run.comm, run.domain, load, arrays);
  EXPECT_EQ(frame.steps, 1);
  EXPECT_DOUBLE_EQ(frame.time, 1e-3);
  const double weight = 10 * kBallMass;
  ASSERT_EQ(frame.contacts.size(), 1u);
  EXPECT_EQ(frame.contacts[0].master, 1);
  EXPECT_LT((Vector3d(frame.contacts[0].force.data()) - Vector3d(0, 0, weight)).norm(), 1e-9 * weight);
  EXPECT_EQ(frame.contacts[0].normal, (std::array<double, 3>{0, 0, 1}));
  EXPECT_NEAR(frame.potential, weight * (0.5 - kOverlap), 1e-9 * weight);
  EXPECT_NEAR(frame.kinetic, 0, 1e-12);
  ASSERT_EQ(frame.body_pose.size(), 14u);
  EXPECT_NEAR(frame.body_pose[9], 0.5 - kOverlap, 1e-12);
  EXPECT_EQ(frame.body_pose[10], 1);
  EXPECT_EQ(frame.owner.size(), 2u);
}

// A body is shown where its Model has its origin, moving as that point does: v - w x r.
TEST(GatherFrame, ShowsTheOriginThatTheModelHas) {
  model::ModelSpec spec = empty_space();
  spec.gravity = Vector3d::Zero();
  model::BodySpec& body = add_body(spec, "a", sphere_shape(0.1), {1, 2, 3});
  body.mass = 2;
  body.inertia = Vector3d(1, 1, 0.5).asDiagonal();
  body.com = Vector3d(0, 0.5, 0);
  body.velocity = model::VelocitySpec{{1, 0, 0}, {0, 0, 2}};
  Trial run(spec, {});
  FrameArrays arrays;
  const model::Frame frame = gather_frame(run.comm, run.domain, {}, arrays);
  EXPECT_LT((Vector3d(frame.body_pose.data() + 7) - Vector3d(1, 2, 3)).norm(), 1e-15);
  EXPECT_LT((Vector3d(frame.body_velocity.data() + 6) - Vector3d(1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((Vector3d(frame.body_velocity.data() + 9) - Vector3d(0, 0, 2)).norm(), 1e-15);
  // The centre of mass stands still: all is spin, J w^2 / 2.
  EXPECT_DOUBLE_EQ(frame.kinetic, 1);
}

TEST(GatherState, KeepsTheImpulsesByTheirKeys) {
  Trial run(ball_stack(2), fine_settings(1e-3, 1e-13));
  run.one();
  const RunState state = gather_state(run.comm, run.domain, 7);
  EXPECT_EQ(state.outputs, 7);
  EXPECT_EQ(state.steps, 1);
  EXPECT_EQ(state.bodies.size(), 3u);
  ASSERT_EQ(state.reactions.size(), 2u);
  EXPECT_EQ(state.reactions[0].key.slave, 0);
  EXPECT_EQ(state.reactions[1].key.slave, 2);
  // The ground carries both balls for a step, the lower ball one.
  EXPECT_NEAR(state.reactions[0].R[2], 2 * kBallMass * 10 * 1e-3, 1e-8);
  EXPECT_NEAR(state.reactions[1].R[2], kBallMass * 10 * 1e-3, 1e-8);
}

}  // namespace
}  // namespace espalier::contact::detail
