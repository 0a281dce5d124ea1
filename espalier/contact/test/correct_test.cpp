// Overlaps and limits that are passed come back without any speed.

#include "espalier/contact/detail/correct.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"
#include "espalier/model/generate.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;

double lowest_gap(const Trial& run) {
  double lowest = 0;
  for (const Constraint& constraint : run.domain.constraints) {
    if (constraint.law == Law::kContact) lowest = std::min(lowest, constraint.gap);
  }
  return lowest;
}

double kinetic(const Trial& run) {
  double sum = 0;
  for (const LocalBody& local : run.domain.bodies) sum += energy(local.body).kinetic;
  return sum;
}

// In the step in which it arrives at 14 m/s a box goes up to 14 h into the floor.
TEST(CorrectPositions, ABoxThatFellTenMetresRestsOnTheFloor) {
  for (const double h : {1e-3, 5e-3}) {
    for (const double margin : {0.0, 1e-3}) {
      model::ModelSpec spec = ground_spec(0.5, 0);
      spec.contact->margin = margin;
      add_body(spec, "box", box_shape({1, 1, 1}), {0, 0, 10.5});
      Trial run(spec, fine_settings(h, 1e-8));
      run.to(2.45);
      EXPECT_NEAR(run.at(1).z(), 0.5, 1e-4) << h;
      EXPECT_LT(run.speed(1).norm(), 1e-9) << h;
    }
  }
}

// Two cubes that start 0.1 into each other in empty space, in pairs with mass 1 to 1 and 1 to 8.
TEST(CorrectPositions, PartsWhatStartsInEachOtherWithoutSpeed) {
  for (const double size : {1.0, 2.0}) {
    model::ModelSpec spec = empty_space();
    spec.gravity = Vector3d::Zero();
    add_body(spec, "a", box_shape({1, 1, 1}), {0, 0, 0});
    add_body(spec, "b", box_shape({size, size, size}), {0, 0, (1 + size) / 2 - 0.1});
    Trial run(spec, fine_settings(1e-3));
    const double m = 1, M = size * size * size;
    const double centre = (m * run.at(1).z() + M * run.at(2).z()) / (m + M);
    run.to(0.1);
    EXPECT_GT(run.at(2).z() - run.at(1).z(), (1 + size) / 2 - 1e-4);
    EXPECT_LT(run.at(2).z() - run.at(1).z(), (1 + size) / 2 + 1e-12) << "no farther than they touch";
    EXPECT_NEAR((m * run.at(1).z() + M * run.at(2).z()) / (m + M), centre, 1e-12);
    EXPECT_LT(kinetic(run), 1e-20);
  }
}

// A pile that has come down: no overlap above a thousandth of a body, and they shrink.
TEST(CorrectPositions, OverlapsOfAPileDoNotStay) {
  Settings settings;
  settings.step = 2e-3;
  Trial run(pile(24), settings);
  const auto go_to = [&](double time) {
    // A step may end above the tolerance: overlaps must not stay for it.
    while (run.domain.time < time) run.last = step(run.comm, run.domain);
  };
  go_to(2);
  EXPECT_GT(lowest_gap(run), -3e-4);
  go_to(3);
  EXPECT_GT(lowest_gap(run), -1e-4);
  EXPECT_GT(run.last.contacts, 40);
}

// A rope of 1 m that is drawn 2 m long, and a slide drawn half a metre beyond its limit.
TEST(CorrectPositions, WhatIsDrawnBeyondItsLimitComesBackWithoutBeingShot) {
  model::ModelSpec spec = empty_space();
  spec.gravity = Vector3d::Zero();
  add_body(spec, "ball", sphere_shape(0.1), {0, 0, 0});
  add_body(spec, "sled", sphere_shape(0.1), {5, 0, 1});
  model::SpringSpec rope;
  rope.a = model::kGround;
  rope.b = "ball";
  rope.in_world = true;
  rope.point_a = Vector3d(0, 0, 2);
  rope.limits = {{0, 1}};
  spec.forces.push_back({"rope", rope, {}});
  model::JointSpec& slide = add_joint(spec, model::JointType::kPrismatic, model::kGround, "sled", at_point({5, 0, 1}));
  slide.limits = {{-2, -0.5}};
  Trial run(spec, fine_settings(1e-3));
  run.to(0.2);
  EXPECT_NEAR(run.at(1).z(), 1, 1e-6);
  EXPECT_NEAR(run.at(2).z(), 0.5, 1e-6);
  EXPECT_LT(kinetic(run), 1e-20);
}

TEST(CorrectPositions, NothingMovesWhereItIsTurnedOff) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "box", box_shape({1, 1, 1}), {0, 0, 0.45});
  Settings settings = fine_settings(1e-3);
  settings.correction = 0;
  Trial run(spec, settings);
  run.to(0.1);
  EXPECT_NEAR(run.at(1).z(), 0.45, 1e-12);
}

}  // namespace
}  // namespace espalier::contact::detail
