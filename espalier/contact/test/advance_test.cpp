#include "espalier/contact/detail/advance.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

// A ball dropped from 1 m comes back to e^2 of it.
TEST(Contact, ABallBouncesToTheSquareOfRestitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    model::ModelSpec spec = ground_spec(0, e);
    add_body(spec, "ball", sphere_shape(0.1), {0, 0, 1.1});
    Trial run(spec, fine_settings(1e-3));
    double highest = 0;
    bool touched = false;
    for (int k = 0; k < 900; ++k) {
      run.to(run.domain.time + 1e-3);
      touched = touched || run.last.contacts > 0;
      if (touched && run.speed(1).z() > 0) highest = std::max(highest, run.at(1).z() - 0.1);
    }
    EXPECT_TRUE(touched);
    EXPECT_NEAR(highest, e * e, 6e-3) << "e = " << e;
  }
}

// It sticks where tan(slope) < mu, and else slides with g (sin - mu cos).
TEST(Contact, ABlockOnAnInclineSticksOrSlides) {
  for (const double slope : {0.2, 0.4, 0.6}) {
    const double mu = 0.5;
    model::ModelSpec spec = ground_spec(mu, 0, slope);
    model::BodySpec& block = add_body(spec, "block", box_shape({0.4, 0.4, 0.2}),
                                      Eigen::AngleAxisd(slope, Vector3d::UnitY()) * Vector3d(0, 0, 0.1));
    block.pose.rotation = Eigen::AngleAxisd(slope, Vector3d::UnitY());
    Trial run(spec, fine_settings(1e-3));
    run.to(0.5);
    const Vector3d downhill(std::cos(slope), 0, -std::sin(slope));
    const double expected = std::tan(slope) < mu ? 0 : 10 * (std::sin(slope) - mu * std::cos(slope)) * 0.5;
    EXPECT_NEAR(run.speed(1).dot(downhill), expected, 2e-2 * expected + 1e-9) << "slope " << slope;
    EXPECT_EQ(run.last.contacts, 4);
  }
}

TEST(Contact, AStackStaysAtRest) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  spec.contact->margin = 1e-3;
  for (int k = 0; k < 10; ++k)
    add_body(spec, "box" + std::to_string(k), box_shape({1, 1, 0.5}), {0, 0, 0.25 + 0.5 * k});
  Settings fine = fine_settings(1e-2, 1e-8);
  fine.solve.max_sweeps = 100000;
  Trial run(spec, fine);
  run.to(2);
  for (int k = 0; k < 10; ++k) {
    EXPECT_LT((run.at(k + 1) - Vector3d(0, 0, 0.25 + 0.5 * k)).norm(), 1e-3) << k;
    EXPECT_LT(run.speed(k + 1).norm(), 1e-4) << k;
  }
}

// A ball on a massless rod: a rigid pendulum of length 1 from a ball joint, small swings.
TEST(Contact, APendulumKeepsItsPeriodAndEnergy) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  spec.bodies.front().shapes.clear();
  add_body(spec, "bob", sphere_shape(0.1), {0.05, 0, -std::sqrt(1 - 0.05 * 0.05)});
  add_joint(spec, model::JointType::kSpherical, model::kGround, "bob");
  Trial run(spec, fine_settings(1e-3));
  const double I = 1 + 0.4 * 0.01;  // of unit mass about the pivot
  const double period = 2 * std::acos(-1) * std::sqrt(I / 10) * (1 + 0.05 * 0.05 / 16);
  double crossing = 0;
  int crossings = 0;
  while (crossings < 3) {
    const double before = run.at(1).x(), t = run.domain.time;
    run.to(t + 1e-3);
    if (before > 0 && run.at(1).x() <= 0) {
      crossing = t + 1e-3 * before / (before - run.at(1).x());
      ++crossings;
    }
    ASSERT_LT(t, 10);
  }
  EXPECT_NEAR(crossing, 2.25 * period, 1e-4 * period);
  EXPECT_NEAR(run.at(1).norm(), 1, 1e-6);
}

// The heaviest lies on top: what sweeps alone hardly solve.
TEST(Contact, AThousandfoldWeightRestsOnAStack) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  spec.contact->margin = 1e-3;
  for (int k = 0; k < 6; ++k) {
    add_body(spec, "box" + std::to_string(k), box_shape({1, 1, 0.5}), {0, 0, 0.25 + 0.5 * k});
  }
  spec.bodies.back().mass = 500000;
  spec.bodies.back().inertia = 50000 * Eigen::Matrix3d::Identity();
  Trial run(spec, fine_settings(1e-2, 1e-8));
  run.to(1);
  for (int k = 0; k < 6; ++k) EXPECT_LT((run.at(k + 1) - Vector3d(0, 0, 0.25 + 0.5 * k)).norm(), 1e-4) << k;
}

model::ModelSpec arch(double ratio) {
  Result<model::ModelSpec> spec = model::generate_arch(27, ratio);
  EXPECT_TRUE(spec);
  return *spec;
}

// Milankovitch: an arch of dry stones stands from a thickness of 0.1075 of its radius on.
TEST(Contact, AnArchStandsIfItIsThickEnough) {
  for (const double ratio : {0.12, 0.09}) {
    Trial run(arch(ratio), fine_settings(5e-3, 1e-7));
    const double crown = run.at(14).z();
    run.to(1);
    const double fallen = crown - run.at(14).z();
    if (ratio > 0.1) {
      EXPECT_LT(fallen, 0.01);
    } else {
      EXPECT_GT(fallen, 0.3);
    }
  }
}

// R stays in the cone in every contact and step.
TEST(Contact, FrictionNeverLeavesItsCone) {
  model::ModelSpec spec = ground_spec(0.3, 0);
  for (int k = 0; k < 12; ++k) {
    add_body(spec, "b" + std::to_string(k), k % 2 == 0 ? box_shape({0.5, 0.4, 0.3}) : sphere_shape(0.2),
             {0.3 * (k % 3), 0.25 * (k % 2), 0.2 + 0.35 * k});
  }
  Trial run(spec, fine_settings(5e-3, 1e-8));
  int seen = 0;
  while (run.domain.time < 1.5) {
    run.to(run.domain.time + 5e-3);
    for (const Constraint& contact : run.domain.constraints) {
      const Vector3d R(contact.R.data());
      EXPECT_LE(R.head<2>().norm(), contact.friction * R.z() * (1 + 1e-9) + 1e-12);
      EXPECT_GE(R.z(), 0);
      ++seen;
    }
  }
  EXPECT_GT(seen, 1000);
}

// A door: hinge about z, pushed by gravity along y. A pendulum that turns about a fixed axis and keeps the others.
TEST(Contact, AHingeLeavesOneDirection) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  spec.bodies.front().shapes.clear();
  spec.gravity = {0, -10, -10};
  add_body(spec, "door", box_shape({1, 0.1, 2}), {0.5, 0, 0});
  add_joint(spec, model::JointType::kRevolute, model::kGround, "door");
  Trial run(spec, fine_settings(1e-3));
  run.to(0.3);
  // I a'' = -m g l cos(a): energy gives the rate.
  const Vector3d at = run.at(1);
  const double angle = std::atan2(at.y(), at.x());
  const double inertia = 0.25 + (1 + 0.01) / 12;
  const double rate = -std::sqrt(2 * 10 * 0.5 * std::sin(-angle) / inertia);
  EXPECT_NEAR(run.body(1).state.u[5], rate, 1e-4 * std::abs(rate));
  EXPECT_LT(angle, -0.3);
  EXPECT_NEAR(at.z(), 0, 1e-9);
  // The joint drifts by what is of second order in the step.
  EXPECT_NEAR(std::hypot(at.x(), at.y()), 0.5, 1e-6 * rate * rate * 0.5);
}

}  // namespace
}  // namespace espalier::contact::detail
