#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST(MidPose, OfASoftBodyIsTheRotationNearestToF) {
  const Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3).toRotationMatrix();
  Body body;
  body.constants.kind = Kind::kPseudoRigid;
  Eigen::Map<Vector3d>(body.q_mid.data()) = Vector3d(1, 2, 3);
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(body.q_mid.data() + 3) =
      turn * Vector3d(2, 1, 0.5).asDiagonal();
  EXPECT_EQ(mid_pose(body).position, Vector3d(1, 2, 3));
  EXPECT_LT((mid_pose(body).rotation.toRotationMatrix() - turn).norm(), 1e-14);
}

TEST(FindBody, ByItsNumberWhateverItsPlace) {
  Domain domain;
  for (const std::int64_t id : {0, 3, 7}) {
    domain.bodies.emplace_back();
    domain.bodies.back().body.id = id;
  }
  EXPECT_EQ(find_body(domain, 0), 0);
  EXPECT_EQ(find_body(domain, 7), 2);
  EXPECT_EQ(find_body(domain, 4), -1);
  EXPECT_EQ(find_body(domain, 8), -1);
}

// A ball of half a metre at x = 0, thrown with 2 m/s, and held at a point to which it does not reach.
TEST(BeginBodies, ReachIsThatOfTheShapesAndJointsAtMidStep) {
  model::ModelSpec spec = empty_space();
  spec.contact->margin = 0.01;
  add_body(spec, "free", sphere_shape(0.5), {0, 0, 5}).velocity = model::VelocitySpec{{2, 0, 0}, Vector3d::Zero()};
  add_body(spec, "held", sphere_shape(0.5), {0, 9, 5});
  add_joint(spec, model::JointType::kSpherical, model::kGround, "held", at_point({0, 9, 7}));
  Settings settings;
  settings.step = 0.1;
  Trial run(spec, settings);
  begin_bodies(run.comm, run.domain);
  const geometry::Box& free = run.domain.bodies[1].reach;
  EXPECT_LT((free.low - Vector3d(0.1 - 0.51, -0.51, 4.49)).norm(), 1e-8);
  EXPECT_LT((free.high - Vector3d(0.1 + 0.51, 0.51, 5.51)).norm(), 1e-8);
  const geometry::Box& held = run.domain.bodies[2].reach;
  EXPECT_NEAR(held.low.z(), 4.49, 1e-8);
  EXPECT_GE(held.high.z(), 7);
  // Free velocities have the weight of the whole step.
  EXPECT_NEAR(run.domain.bodies[1].body.u_free[2], -10 * 0.1, 1e-12);
}

// On one rank everybody stays, and everybody is this rank's.
TEST(PlaceBodies, OneRankKeepsAll) {
  Trial run(pile(6), {});
  begin_bodies(run.comm, run.domain);
  place_bodies(run.comm, run.domain, true);
  ASSERT_EQ(run.domain.bodies.size(), 7u);
  for (const LocalBody& local : run.domain.bodies) {
    EXPECT_EQ(local.owner, 0);
    EXPECT_EQ(local.ranks, std::vector<int>{0});
  }
}

}  // namespace
}  // namespace espalier::contact::detail
