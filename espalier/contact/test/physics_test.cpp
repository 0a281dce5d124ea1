// Laws of mechanics, each against a closed form.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"
#include "espalier/math/rotation.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// A top of mass 2 on a ball joint at the origin, its centre 0.5 from it on the axis z of the body, tilted by 0.7.
//
//          o
//         /      0.1 about the axis, 0.2 + m l^2 across it
//        x
struct Top {
  static constexpr double kMass = 2, kArm = 0.5, kAlong = 0.1, kAcross = 0.2, kTilt = 0.7;

  static model::ModelSpec spec(const Vector3d& spin) {
    model::ModelSpec spec = empty_space();
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(kTilt, Vector3d::UnitY()));
    const Vector3d centre = turn * Vector3d(0, 0, kArm);
    model::BodySpec& top = add_body(spec, "top", sphere_shape(0.1), centre);
    top.mass = kMass;
    top.inertia = Vector3d(kAcross, kAcross, kAlong).asDiagonal();
    top.pose.rotation = turn;
    top.velocity = model::VelocitySpec{spin.cross(centre), spin};
    add_joint(spec, model::JointType::kSpherical, model::kGround, "top");
    return spec;
  }
};

TEST(Physics, ATopOnABallJointKeepsItsVerticalAngularMomentumExactly) {
  Trial run(Top::spec({1, -2, 12}), fine_settings(2e-3, 1e-13));
  const Vector3d before = momentum(run.body(1))[1];
  double lowest = 1;
  for (int k = 0; k < 2000; ++k) {
    run.one();
    lowest = std::min(lowest, run.at(1).z() / Top::kArm);
  }
  EXPECT_NEAR(momentum(run.body(1))[1].z(), before.z(), 1e-12 * before.norm());
  EXPECT_LT(lowest, 0.7) << "it did not nod";
  EXPECT_NEAR(run.at(1).norm(), Top::kArm, 1e-4);
}

// Steady precession at the rate W: m g l = C w W - A W^2 cos(tilt), w the spin along the axis, A about the joint.
TEST(Physics, ATopPrecessesSteadily) {
  const double A = Top::kAcross + Top::kMass * Top::kArm * Top::kArm, rate = 1.5;
  const double w = (Top::kMass * 10 * Top::kArm + A * rate * rate * std::cos(Top::kTilt)) / (Top::kAlong * rate);
  const Vector3d axis(std::sin(Top::kTilt), 0, std::cos(Top::kTilt));
  const Vector3d spin = (w - rate * std::cos(Top::kTilt)) * axis + rate * Vector3d::UnitZ();
  double error_before = 0;
  for (const double h : {1e-3, 5e-4}) {
    Trial run(Top::spec(spin), fine_settings(h, 1e-12));
    run.to(1);
    const Vector3d expected =
        Top::kArm * Vector3d(std::sin(Top::kTilt) * std::cos(rate), std::sin(Top::kTilt) * std::sin(rate), axis.z());
    const double error = (run.at(1) - expected).norm();
    EXPECT_LT(error, 4e-3);
    if (error_before > 0) {
      EXPECT_NEAR(error_before / error, 4, 0.5);
    }
    error_before = error;
  }
}

// At rest before and after but for the impact: v+ = -e v- in the step of the impact, to rounding, with a slanting
// approach along a floor without friction.
TEST(Physics, AnImpactGivesBackItsShareOfTheSpeed) {
  for (const double e : {0.0, 0.5, 1.0}) {
    model::ModelSpec spec = ground_spec(0, e);
    spec.gravity = Vector3d::Zero();
    model::BodySpec& ball = add_body(spec, "ball", sphere_shape(0.1), {0, 0, 0.1005});
    ball.velocity = model::VelocitySpec{{0.3, 0, -1}, Vector3d::Zero()};
    Trial run(spec, fine_settings(1e-3, 1e-14));
    run.to(0.01);
    EXPECT_NEAR(run.speed(1).z(), e, 1e-13) << "e = " << e;
    EXPECT_NEAR(run.speed(1).x(), 0.3, 1e-13);
  }
}

model::ModelSpec incline(double slope, double mu) {
  model::ModelSpec spec = ground_spec(mu, 0, slope);
  spec.contact->margin = 1e-3;
  const Eigen::AngleAxisd tilt(slope, Vector3d::UnitY());
  add_body(spec, "block", box_shape({0.4, 0.4, 0.2}), tilt * Vector3d(0, 0, 0.1)).pose.rotation = tilt;
  return spec;
}

// One part in a thousand on either side of tan(slope) = mu.
TEST(Physics, ABlockSticksUpToTheLimitOfFrictionAndSlidesBeyond) {
  const double slope = 0.4, limit = std::tan(slope);
  const Vector3d downhill(std::cos(slope), 0, -std::sin(slope));
  for (const double mu : {1.001 * limit, 0.999 * limit, 0.5 * limit}) {
    Trial run(incline(slope, mu), fine_settings(2e-3, 1e-12));
    run.to(0.1);
    const double before = run.speed(1).dot(downhill);
    run.to(0.5);
    const double expected = std::max(0.0, 10 * (std::sin(slope) - mu * std::cos(slope)));
    EXPECT_NEAR((run.speed(1).dot(downhill) - before) / 0.4, expected, 1e-8) << "mu / limit " << mu / limit;
  }
}

// From 2 rad at rest: T = 4 sqrt(I / (m g l)) K(sin(1)). The error falls as the square of the step.
TEST(Physics, AWideSwingTakesItsEllipticPeriod) {
  const double amplitude = 2, g = 10, length = 1, inertia = length * length + 0.4 * 0.01;
  const double period = 4 * std::sqrt(inertia / (g * length)) * std::comp_ellint_1(std::sin(amplitude / 2));
  std::vector<double> errors;
  for (const double h : {8e-3, 4e-3, 2e-3}) {
    model::ModelSpec spec = empty_space();
    add_body(spec, "bob", sphere_shape(0.1), {std::sin(amplitude), 0, -std::cos(amplitude)});
    const Eigen::Quaterniond axis = math::rotation_with_z(Vector3d::UnitY());
    add_joint(spec, model::JointType::kRevolute, model::kGround, "bob", {Vector3d::Zero(), axis});
    Trial run(spec, fine_settings(h, 1e-13));
    double found = 0;
    // It comes through the lowest point to the right for the first time after 3/4 of the period.
    while (found == 0 && run.domain.time < 2 * period) {
      const double before = run.at(1).x();
      run.one();
      const double after = run.at(1).x();
      if (before < 0 && after >= 0) found = run.domain.time - h * after / (after - before);
    }
    errors.push_back(std::abs(found - 0.75 * period) / period);
    EXPECT_NEAR(run.at(1).norm(), 1, 40 * h * h);
  }
  EXPECT_LT(errors[2], 1e-4);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.6);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.6);
}

// A wheel rolls along a floor without loss, and down a slope with two thirds of g sin(slope).
TEST(Physics, AWheelRollsAsACylinderDoes) {
  model::ShapeSpec drum;
  drum.kind = model::ShapeKind::kCylinder;
  drum.size = {0.3, 0.2, 0};
  for (const double slope : {0.0, 0.2}) {
    model::ModelSpec spec = ground_spec(0.8, 0, slope);
    spec.contact->margin = 1e-3;
    const Eigen::AngleAxisd tilt(slope, Vector3d::UnitY());
    model::BodySpec& wheel = add_body(spec, "wheel", drum, tilt * Vector3d(0, 0, 0.3));
    wheel.pose.rotation = tilt * Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitX());
    const Vector3d downhill = tilt * Vector3d::UnitX();
    const double start = slope == 0 ? 3 : 0;
    wheel.velocity = model::VelocitySpec{start * downhill, {0, start / 0.3, 0}};
    Trial run(spec, fine_settings(1e-3, 1e-10));
    run.to(2);
    const double expected = start + 2 * 10 * std::sin(slope) / 1.5;
    EXPECT_NEAR(run.speed(1).dot(downhill), expected, 1e-3 * expected) << slope;
  }
}

// Two cards that lean against each other by 25 degrees need tan(25 degrees) / 2 = 0.233 at their feet, less by what
// their thickness does, whatever friction there is where they meet.
TEST(Physics, TwoCardsStandByHalfTheTangentOfTheirLean) {
  const double lean = 25 * std::numbers::pi / 180;
  const auto stands = [&](double mu) {
    model::ModelSpec spec = ground_spec(mu, 0);
    spec.contact->margin = 1e-3;
    const double thick = 0.02, tall = 1;
    for (const double side : {-1.0, 1.0}) {
      const Eigen::AngleAxisd tilt(-side * lean, Vector3d::UnitY());
      // The inner upper edges meet over the origin, and the inner lower ones stand on the floor.
      const Vector3d top = tilt * Vector3d(-side * thick / 2, 0, tall / 2);
      const Vector3d foot = tilt * Vector3d(-side * thick / 2, 0, -tall / 2);
      add_body(spec, side < 0 ? "left" : "right", box_shape({thick, 0.6, tall}), {-top.x(), 0, -foot.z()})
          .pose.rotation = tilt;
    }
    Settings settings;
    settings.step = 2e-3;
    Trial run(spec, settings);
    const double height = run.at(1).z();
    while (run.domain.time < 1) run.last = step(run.comm, run.domain);
    return run.at(1).z() > height - 0.02;
  };
  EXPECT_TRUE(stands(0.3));
  EXPECT_TRUE(stands(0.25));
  EXPECT_FALSE(stands(0.2));
}

TEST(Physics, AStackOfBoxesStandsForTenSeconds) {
  const Result<model::ModelSpec> spec = model::generate_stack(4);
  ASSERT_TRUE(spec);
  Trial run(*spec, fine_settings(1e-2, 1e-8));
  run.to(10);
  for (int k = 0; k < 4; ++k) {
    EXPECT_LT((run.at(k + 1) - Vector3d(0, 0, 0.25 + 0.5 * k)).norm(), 1e-4) << k;
    EXPECT_LT(run.speed(k + 1).norm(), 1e-5) << k;
  }
}

// Step by step: weight and the ground's impulses make the change of linear and angular momentum of all bodies, whatever
// contacts and joints between them do.
TEST(Physics, OnlyTheGroundAndTheWeightChangeMomentum) {
  model::ModelSpec spec = ground_spec(0.4, 0.2);
  for (int k = 0; k < 10; ++k) {
    model::BodySpec& body =
        add_body(spec, "b" + std::to_string(k), k % 2 == 0 ? box_shape({0.5, 0.4, 0.3}) : sphere_shape(0.2),
                 {0.3 * (k % 3), 0.25 * (k % 2), 0.2 + 0.35 * k});
    body.velocity = model::VelocitySpec{{0.5 - 0.1 * k, 0.2, 0}, {1, 0.3 * k, -1}};
  }
  add_joint(spec, model::JointType::kRevolute, "b8", "b9", {Vector3d(0, 0.2, 3.2), Eigen::Quaterniond::Identity()});
  add_joint(spec, model::JointType::kPrismatic, "b6", "b7", {Vector3d(0.1, 0.2, 2.5), Eigen::Quaterniond::Identity()});
  const double h = 5e-3;
  Settings settings = fine_settings(h, 1e-7);
  // What is displaced keeps its momentum, at another place.
  settings.correction = 0;
  Trial run(spec, settings);
  const auto sum = [&] {
    std::array<Vector3d, 2> all = {Vector3d::Zero(), Vector3d::Zero()};
    for (int id = 1; id <= 10; ++id) {
      for (std::size_t k = 0; k < 2; ++k) all[k] += momentum(run.body(id))[k];
    }
    return all;
  };
  int touching = 0;
  double largest = 0;
  while (run.domain.time < 1) {
    const std::array<Vector3d, 2> before = sum();
    std::array<Vector3d, 2> given = {Vector3d::Zero(), Vector3d::Zero()};
    run.one();
    for (int id = 1; id <= 10; ++id) {
      const Vector3d weight = h * run.body(id).constants.mass * run.scene.gravity;
      given[0] += weight;
      given[1] += position(run.body(id).q_mid).cross(weight);
    }
    for (const Constraint& contact : run.domain.constraints) {
      if (contact.key.slave != 0) continue;
      const Vector3d R = axes(contact).transpose() * Vector3d(contact.R.data());
      given[0] += R;
      given[1] += Vector3d(contact.point.data()).cross(R);
      ++touching;
    }
    const std::array<Vector3d, 2> after = sum();
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_LT((after[k] - before[k] - given[k]).norm(), 1e-11 * (before[k].norm() + given[k].norm() + 1));
      largest = std::max(largest, given[k].norm());
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(largest, 100);
}

// A soft cube on the floor, Poisson's number 0: its own weight presses it until F (F^2 - 1) E / 2 = -rho g h / 2, and
// it stands on corners that have come up.
TEST(Physics, ASoftCubeSinksUnderItsOwnWeight) {
  const double E = 2e5, side = 0.8;
  model::ModelSpec spec = ground_spec(0.5, 0);
  spec.contact->margin = 1e-3;
  spec.materials[0].young = E;
  spec.materials[0].shear = E / 2;
  add_body(spec, "cube", box_shape({side, side, side}), {0, 0, side / 2}).kind = model::BodyKind::kPseudoRigid;
  double F = 1;
  for (int k = 0; k < 50; ++k) F -= (F * (F * F - 1) * E / 2 + 1000 * 10 * side / 2) / ((3 * F * F - 1) * E / 2);
  ASSERT_LT(F, 0.98);
  Trial run(spec, fine_settings(5e-3, 1e-9));
  Body& cube = run.domain.bodies[1].body;
  cube.state.q[11] = 0.9 + 0.1 * F;
  cube.state.q[2] = cube.state.q[11] * side / 2;
  cube.constants.damping = 0.01;
  run.to(2);
  EXPECT_NEAR(run.body(1).state.q[11], F, 1e-6);
  EXPECT_NEAR(run.at(1).z(), F * side / 2, 1e-4);
  EXPECT_EQ(run.last.contacts, 4);
}

}  // namespace
}  // namespace espalier::contact::detail
