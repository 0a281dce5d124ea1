#include <gtest/gtest.h>

#include "espalier/contact/test/stack.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST(ContactAxes, AreRightHandedWithTheNormalLast) {
  for (const Vector3d& n : {Vector3d(0, 0, 1), Vector3d(0, -1, 0), Vector3d(1, 0, 0), Vector3d(1, 1, 1).normalized(),
                            Vector3d(-0.6, 0, 0.8), Vector3d(1e-9, 1, -1e-9).normalized()}) {
    const Matrix3d axes = contact_axes(n);
    EXPECT_LT((axes * axes.transpose() - Matrix3d::Identity()).norm(), 1e-15);
    EXPECT_NEAR(axes.determinant(), 1, 1e-15);
    EXPECT_EQ(Vector3d(axes.row(2)), n);
  }
}

std::vector<Constraint> constraints_of(const model::ModelSpec& spec) {
  Trial run(spec, {});
  prepare_step(run.comm, run.domain);
  return run.domain.constraints;
}

// What stands is the slave; the point lies half way into the overlap.
TEST(FindConstraints, ABallOnTheGroundIsItsMaster) {
  const std::vector<Constraint> found = constraints_of(ball_stack(1, 0.3));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key.master, 1);
  EXPECT_EQ(found[0].key.slave, 0);
  EXPECT_NEAR(found[0].gap, -kOverlap, 1e-15);
  EXPECT_EQ(found[0].friction, 0.3);
  EXPECT_LT((Vector3d(found[0].point.data()) - Vector3d(0, 0, -kOverlap / 2)).norm(), 1e-15);
  EXPECT_LT((Vector3d(axes(found[0]).row(2)) - Vector3d(0, 0, 1)).norm(), 1e-15);
  // The same point in both bodies.
  EXPECT_LT((Vector3d(found[0].on_master.data()) - Vector3d(0, 0, -0.5 + kOverlap / 2)).norm(), 1e-15);
}

TEST(FindConstraints, WithinTheMarginAGapMakesAContact) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "ball", sphere_shape(0.5), {0, 0, 0.5005});
  EXPECT_EQ(constraints_of(spec).size(), 0u);
  spec.contact->margin = 1e-3;
  const std::vector<Constraint> found = constraints_of(spec);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gap, 5e-4, 1e-15);
}

TEST(FindConstraints, PairsThatAreExcludedDoNotTouch) {
  model::ModelSpec spec = ball_stack(2);
  EXPECT_EQ(constraints_of(spec).size(), 2u);
  spec.contact->exclude = {{"ball1", "ball0"}};
  const std::vector<Constraint> found = constraints_of(spec);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key.slave, 0);
}

// The impulse of the last step is found by its key: the next iterations start from it.
TEST(FindConstraints, StartFromTheImpulseOfTheLastStep) {
  Trial run(ball_stack(1), {});
  prepare_step(run.comm, run.domain);
  run.domain.reactions = {{run.domain.constraints[0].key, {1, 2, 3}}};
  find_constraints(run.comm, run.domain);
  EXPECT_EQ(run.domain.constraints[0].R, (std::array<double, 3>{1, 2, 3}));
  run.domain.reactions[0].key.feature += 1;
  find_constraints(run.comm, run.domain);
  EXPECT_EQ(run.domain.constraints[0].R, (std::array<double, 3>{0, 0, 0}));
}

}  // namespace
}  // namespace espalier::contact::detail
