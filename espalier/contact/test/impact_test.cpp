// Impacts with restitution: the speed that they give back, and the energy that they may not make.

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// However far the ball is from the floor when a step begins, within the margin or beyond.
TEST(Restitution, GivesBackItsShareWhateverThePhaseOfTheStep) {
  for (const double h : {1e-3, 2.5e-4, 4e-3}) {
    for (const double e : {0.3, 1.0}) {
      for (int phase = 0; phase < 23; ++phase) {
        model::ModelSpec spec = ground_spec(0.5, e);
        spec.gravity = Vector3d::Zero();
        spec.contact->margin = 1e-3;
        const double start = 0.1 + 1e-2 * (phase + 0.31) / 23;
        add_body(spec, "ball", sphere_shape(0.1), {0, 0, start}).velocity =
            model::VelocitySpec{{0, 0, -1}, Vector3d::Zero()};
        Trial run(spec, fine_settings(h, 1e-12));
        run.to(0.03);
        EXPECT_NEAR(run.speed(1).z(), e, 1e-9) << "h " << h << ", e " << e << ", from " << start;
      }
    }
  }
}

// A ball that falls from 0.3 m comes up to e^2 of it, to first order in the step; with e = 1 for ten times.
TEST(Restitution, ABallComesUpToTheSquareOfItsShareOfTheHeight) {
  for (const double e : {0.5, 0.8, 1.0}) {
    model::ModelSpec spec = ground_spec(0.5, e);
    spec.contact->margin = 1e-3;
    add_body(spec, "ball", sphere_shape(0.1), {0, 0, 0.4});
    Trial run(spec, fine_settings(2.5e-4, 1e-12));
    const double fall = std::sqrt(2 * 0.3 / 10);
    run.to(fall + e * fall);
    EXPECT_NEAR(run.at(1).z() - 0.1, e * e * 0.3, 2e-3) << e;
    if (e < 1) continue;
    run.to(20 * fall);
    const double height = run.at(1).z() - 0.1 + run.speed(1).squaredNorm() / 20;
    EXPECT_NEAR(height, 0.3, 1e-9);
  }
}

// What rebounds a little comes to rest on the floor, not above it or in it.
TEST(Restitution, ABallComesToRest) {
  model::ModelSpec spec = ground_spec(0.5, 0.5);
  spec.contact->margin = 1e-3;
  add_body(spec, "ball", sphere_shape(0.1), {0, 0, 0.2});
  Trial run(spec, fine_settings(1e-3, 1e-10));
  run.to(2);
  EXPECT_NEAR(run.at(1).z(), 0.1, 2e-5);
  EXPECT_LT(run.speed(1).norm(), 1e-9);
}

}  // namespace
}  // namespace espalier::contact::detail
