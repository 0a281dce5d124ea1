#include "espalier/model/detail/parts.hpp"

#include <gtest/gtest.h>

#include "espalier/math/rotation.hpp"

namespace espalier::model::detail {
namespace {

using Eigen::Vector3d;

const Vector3d kFrom(1, 2, 0.5), kTo(-1, 3, 2.5), kNormal(0.2, 0.9, 0.4);  // the bar is 3 m long
const BarStock kStock{"steel", 0.05};

TEST(Bar, RunsAlongXBetweenItsEndsWithYTowardsTheNormal) {
  const BodySpec made = bar("b", kFrom, kTo, kNormal, kStock);
  EXPECT_LT((made.pose * Vector3d(-1.5, 0, 0) - kFrom).norm(), 1e-14);
  EXPECT_LT((made.pose * Vector3d(1.5, 0, 0) - kTo).norm(), 1e-14);
  const Vector3d y = made.pose.rotation * Vector3d::UnitY();
  EXPECT_GT(y.dot(kNormal), 0);
  EXPECT_NEAR((made.pose.rotation * Vector3d::UnitZ()).dot(kNormal), 0, 1e-14);
  ASSERT_EQ(made.shapes.size(), 1u);
  EXPECT_LT((made.shapes[0].size - Vector3d(3, 0.05, 0.05)).norm(), 1e-14);
  EXPECT_EQ(made.shapes[0].pose.position, Vector3d::Zero());
  EXPECT_EQ(made.material, "steel");
}

// The same bar as a part of a body that stands elsewhere.
TEST(BarShape, StandsWhereTheBodyPutsIt) {
  const math::Pose X_WB{{0.3, -1, 2}, math::rotation_exp({0.5, 0.2, -0.9})};
  const ShapeSpec shape = bar_shape(kFrom, kTo, kNormal, kStock, X_WB);
  EXPECT_LT((X_WB * (shape.pose * Vector3d(-1.5, 0, 0)) - kFrom).norm(), 1e-14);
  EXPECT_LT((X_WB * (shape.pose * Vector3d(1.5, 0, 0)) - kTo).norm(), 1e-14);
}

TEST(PinAt, TurnsAboutItsAxisAtItsPlace) {
  const Vector3d axis = Vector3d(1, -2, 2) / 3;
  const JointSpec pin = pin_at("p", "left", "right", kFrom, axis);
  EXPECT_EQ(pin.type, JointType::kRevolute);
  EXPECT_EQ(pin.a, "left");
  EXPECT_EQ(pin.b, "right");
  ASSERT_TRUE(pin.at);
  EXPECT_EQ(pin.at->position, kFrom);
  EXPECT_LT((pin.at->rotation * Vector3d::UnitZ() - axis).norm(), 1e-15);
}

TEST(CheckRange, HoldsBothEnds) {
  EXPECT_TRUE(check_range("n", 1, 1, 5));
  EXPECT_TRUE(check_range("n", 5, 1, 5));
  EXPECT_FALSE(check_range("n", 0, 1, 5));
  ASSERT_FALSE(check_range("n", 6, 1, 5));
  EXPECT_EQ(check_range("n", 6, 1, 5).error().message, "n = 6 must lie between 1 and 5");
}

}  // namespace
}  // namespace espalier::model::detail
