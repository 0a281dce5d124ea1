// Nothing passes through what is thin, however fast it is.

#include "espalier/contact/detail/sweep.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// A wall of 2 cm across x at 5 m, of 2 m x 2 m.
model::ModelSpec wall(double restitution) {
  model::ModelSpec spec = empty_space();
  spec.gravity = Vector3d::Zero();
  spec.contact->restitution = restitution;
  spec.contact->friction = 0;
  model::ShapeSpec box = box_shape({0.02, 2, 2});
  box.pose.position = {5, 0, 0};
  spec.bodies.front().shapes = {box};
  return spec;
}

// From 20 starts, so that every phase of the step is among them, straight and at a slant.
TEST(Sweep, ABallOfAHundredMetresPerSecondDoesNotPassAWallOfTwoCentimetres) {
  for (const double e : {0.0, 0.6}) {
    for (int phase = 0; phase < 20; ++phase) {
      model::ModelSpec spec = wall(e);
      const Vector3d speed(100, phase % 2 == 0 ? 0 : 10, 0);
      add_body(spec, "ball", sphere_shape(0.1), {0.1 * phase / 20, -0.2, 0}).velocity =
          model::VelocitySpec{speed, Vector3d::Zero()};
      Trial run(spec, fine_settings(1e-3));
      run.to(0.1);
      EXPECT_LT(run.at(1).x(), 4.89 + 1e-4) << phase;
      EXPECT_NEAR(run.speed(1).x(), -100 * e, 1e-9) << phase;
      EXPECT_NEAR(run.speed(1).y(), speed.y(), 1e-9) << "nothing holds it along the wall";
    }
  }
}

// Beside the wall, a hair from its edge, and away from it: no meeting is invented.
TEST(Sweep, WhatPassesAThinWallIsNotHindered) {
  for (const double e : {0.0, 0.6}) {
    for (int phase = 0; phase < 20; ++phase) {
      model::ModelSpec spec = wall(e);
      add_body(spec, "ball", sphere_shape(0.1), {0.1 * phase / 20, 1.101, 0}).velocity =
          model::VelocitySpec{{100, 0, 0}, Vector3d::Zero()};
      add_body(spec, "other", sphere_shape(0.1), {4.5, 0, 0.3 + 0.01 * phase}).velocity =
          model::VelocitySpec{{-100, 3, 0}, Vector3d::Zero()};
      Trial run(spec, fine_settings(1e-3));
      run.to(0.1);
      EXPECT_EQ(run.speed(1), Vector3d(100, 0, 0)) << phase;
      EXPECT_EQ(run.speed(2), Vector3d(-100, 3, 0)) << phase;
    }
  }
}

// Two balls of 60 m/s each that meet head on would miss each other's skins by 12 cm per step.
TEST(Sweep, FastBallsMeet) {
  model::ModelSpec spec = empty_space();
  spec.gravity = Vector3d::Zero();
  spec.contact->restitution = 1;
  add_body(spec, "a", sphere_shape(0.02), {0, 0, 0}).velocity = model::VelocitySpec{{60, 0, 0}, Vector3d::Zero()};
  add_body(spec, "b", sphere_shape(0.02), {3, 0, 0}).velocity = model::VelocitySpec{{-60, 0, 0}, Vector3d::Zero()};
  Trial run(spec, fine_settings(1e-3));
  run.to(0.05);
  EXPECT_NEAR(run.speed(1).x(), -60, 1e-9);
  EXPECT_NEAR(run.speed(2).x(), 60, 1e-9);
}

TEST(Sweep, FirstTouchIsWhereTheGapCloses) {
  const geometry::Geometry ball{geometry::Geometry::Kind::kSphere, {0.5, 0, 0}, nullptr, nullptr};
  std::vector<geometry::Touch> touches;
  const auto at = [](double x, double y) { return math::Pose{{x, y, 0}, Eigen::Quaterniond::Identity()}; };
  const Moving still{ball, at(0, 0), Vector3d::Zero()};
  // At y = 0.6 the centres are sqrt(1 - 0.36) = 0.8 apart along x when they touch.
  const std::optional<double> share = first_touch({ball, at(-5, 0.6), {10, 0, 0}}, still, 0, touches);
  ASSERT_TRUE(share);
  EXPECT_NEAR(*share, 0.42, 1e-6);
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_NEAR(touches[0].normal.x(), -0.8, 1e-4);
  EXPECT_FALSE(first_touch({ball, at(-5, 1.001), {10, 0, 0}}, still, 0, touches));
  EXPECT_FALSE(first_touch({ball, at(-5, 0), {3.9, 0, 0}}, still, 0, touches));
}

}  // namespace
}  // namespace espalier::contact::detail
