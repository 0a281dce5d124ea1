// Laws of joints, springs, drives and loads, each against a closed form.

#include "espalier/contact/detail/joints.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::contact::detail {
namespace {

using Eigen::Vector3d;
using model::JointType;

// A body of mass 2 and inertia (1, 1, 0.5), its centre at `centre`.
model::BodySpec& add_lump(model::ModelSpec& spec, const std::string& name, const Vector3d& centre) {
  model::BodySpec& body = add_body(spec, name, sphere_shape(0.1), centre);
  body.mass = 2;
  body.inertia = Vector3d(1, 1, 0.5).asDiagonal();
  return body;
}

model::ModelSpec weightless() {
  model::ModelSpec spec = empty_space();
  spec.gravity = Vector3d::Zero();
  return spec;
}

double angle_about_z(const Trial& run, int id) {
  const Eigen::Quaterniond R = rotation(run.body(id).state.q);
  return 2 * std::atan2(R.z(), R.w());
}

void add_load(model::ModelSpec& spec, const model::LoadSpec& load) {
  model::ForceSpec force;
  force.law = load;
  spec.forces.push_back(force);
}

void add_motion(model::ModelSpec& spec, const std::string& joint, bool is_velocity, const std::string& text) {
  model::ForceSpec force;
  force.law = model::MotionSpec{joint, is_velocity, formula(text)};
  spec.forces.push_back(force);
}

// A wheel of inertia 0.5 on a hinge with spring and damper, thrown with 2 rad/s: J q'' + d q' + k (q - rest) = 0.
TEST(Joints, ASpringAndADamperMakeADampedSwing) {
  const double J = 0.5, k = 8, d = 0.6, rest = 0.3;
  const double decay = d / (2 * J), omega = std::sqrt(k / J - decay * decay);
  // q - rest = exp(-decay t) (A cos + B sin), from q = 0 and q' = 2.
  const double A = -rest, B = (2 + decay * A) / omega, t = 1.2;
  const double expected = rest + std::exp(-decay * t) * (A * std::cos(omega * t) + B * std::sin(omega * t));
  std::vector<double> errors;
  for (const double h : {1e-2, 5e-3}) {
    model::ModelSpec spec = weightless();
    add_lump(spec, "wheel", Vector3d::Zero()).velocity = model::VelocitySpec{Vector3d::Zero(), {0, 0, 2}};
    model::JointSpec& joint = add_joint(spec, JointType::kRevolute, model::kGround, "wheel");
    joint.stiffness = {k};
    joint.damping = {d};
    joint.rest = {rest};
    Trial run(spec, fine_settings(h, 1e-13));
    run.to(t);
    errors.push_back(std::abs(angle_about_z(run, 1) - expected));
  }
  EXPECT_LT(errors[1], 2e-4);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.3);
}

// omega h = 60: far beyond what an explicit step bears.
TEST(Joints, StiffSpringsStayStableInLongSteps) {
  for (const JointType type : {JointType::kRevolute, JointType::kPrismatic}) {
    model::ModelSpec spec = weightless();
    add_lump(spec, "body", Vector3d::Zero()).velocity = model::VelocitySpec{{0, 0, 1}, {0, 0, 1}};
    model::JointSpec& joint = add_joint(spec, type, model::kGround, "body");
    const double inertia = type == JointType::kRevolute ? 0.5 : 2;
    joint.stiffness = {inertia * 3.6e7};
    Trial run(spec, fine_settings(1e-2, 1e-12));
    double most = 0;
    for (int k = 0; k < 500; ++k) {
      run.one();
      most = std::max({most, std::abs(run.speed(1).z()), std::abs(run.spin(1).z())});
    }
    EXPECT_LT(most, 1 + 1e-6);
    EXPECT_LT(std::abs(run.at(1).z()), 1e-2);
  }
}

// Thrown along its slide against the limit at 0.25 at 1 m/s; weight pulls it there and holds it.
TEST(Joints, ASliderStopsAtItsLimitAndRests) {
  for (const bool upwards : {false, true}) {
    model::ModelSpec spec = empty_space();
    spec.gravity = {0, 0, upwards ? 10.0 : -10.0};
    add_lump(spec, "slider", Vector3d::Zero()).velocity =
        model::VelocitySpec{{0, 0, upwards ? 1.0 : -1.0}, Vector3d::Zero()};
    add_joint(spec, JointType::kPrismatic, model::kGround, "slider").limits = {{-0.25, 0.25}};
    Trial run(spec, fine_settings(1e-3, 1e-13));
    run.to(1);
    EXPECT_NEAR(std::abs(run.at(1).z()), 0.25, 1e-9);
    EXPECT_NEAR(run.speed(1).z(), 0, 1e-12);
    // The stop carries the weight.
    int stops = 0;
    for (const Constraint& row : run.domain.constraints) {
      if (row.law != Law::kSpring) continue;
      EXPECT_NEAR(std::abs(row.R[2]), 1e-3 * 2 * 10, 1e-12);
      ++stops;
    }
    EXPECT_EQ(stops, 1);
  }
}

// Limits more than half a turn apart, one of them beyond pi.
TEST(Joints, LimitsOfAnglesHoldAcrossTheWrap) {
  model::ModelSpec spec = weightless();
  add_lump(spec, "arm", Vector3d::Zero()).velocity = model::VelocitySpec{Vector3d::Zero(), {0, 0, 2}};
  add_joint(spec, JointType::kRevolute, model::kGround, "arm").limits = {{-1, 4}};
  Trial run(spec, fine_settings(1e-3, 1e-13));
  run.to(3);
  EXPECT_NEAR(std::remainder(angle_about_z(run, 1) - 4, 2 * std::numbers::pi), 0, 1e-9);
  EXPECT_NEAR(run.spin(1).z(), 0, 1e-12);
}

// m v' = -f until it stands after m v / f.
TEST(Joints, FrictionSlowsASliderAndHoldsIt) {
  model::ModelSpec spec = weightless();
  add_lump(spec, "slider", Vector3d::Zero()).velocity = model::VelocitySpec{{0, 0, 1}, Vector3d::Zero()};
  add_joint(spec, JointType::kPrismatic, model::kGround, "slider").friction = {4};
  add_load(spec, {.torque = false, .joint = "joint0", .body = "", .at = {}, .in_body = false, .value = {formula("1")}});
  Trial run(spec, fine_settings(1e-3, 1e-13));
  run.to(0.3);
  EXPECT_NEAR(run.speed(1).z(), 1 - (4 - 1) / 2.0 * 0.3, 1e-12);
  run.to(1);
  EXPECT_EQ(run.speed(1).z(), 0);
  EXPECT_NEAR(run.at(1).z(), 1 / (2 * 1.5), 1e-3);
}

TEST(Joints, AnArmatureIsInertiaOfTheCoordinate) {
  model::ModelSpec spec = empty_space();
  add_lump(spec, "slider", Vector3d::Zero());
  add_joint(spec, JointType::kPrismatic, model::kGround, "slider").armature = {3};
  Trial run(spec, fine_settings(1e-2, 1e-13));
  run.to(0.5);
  EXPECT_NEAR(run.speed(1).z(), -10.0 * 2 / (2 + 3) * 0.5, 1e-12);
}

// It falls and turns: (m + J (2 pi / p)^2) a = -m g.
TEST(Joints, AScrewTurnsAsItFalls) {
  const double pitch = 0.5, ratio = 2 * std::numbers::pi / pitch;
  model::ModelSpec spec = empty_space();
  add_lump(spec, "nut", {0, 0, 0});
  model::JointSpec& joint = add_joint(spec, JointType::kScrew, model::kGround, "nut");
  joint.pitch = pitch;
  Trial run(spec, fine_settings(2e-3, 1e-13));
  run.to(1);
  const double a = -2 * 10 / (2 + 0.5 * ratio * ratio);
  EXPECT_NEAR(run.speed(1).z(), a, 1e-9);
  EXPECT_NEAR(run.spin(1).z(), a * ratio, 1e-8);
  EXPECT_NEAR(run.at(1).z(), a / 2, 1e-9);
  EXPECT_LT(run.at(1).head<2>().norm(), 1e-12);
}

// The same with a limit, whose angle is more than a turn away: 10 rad.
TEST(Joints, AScrewCountsItsTurns) {
  model::ModelSpec spec = empty_space();
  add_lump(spec, "nut", {0, 0, 0});
  model::JointSpec& joint = add_joint(spec, JointType::kScrew, model::kGround, "nut");
  joint.pitch = 0.5;
  joint.limits = {{-10, 1}};
  Trial run(spec, fine_settings(2e-3, 1e-12));
  run.to(4);
  EXPECT_NEAR(run.at(1).z(), -10 * 0.5 / (2 * std::numbers::pi), 1e-6);
  EXPECT_NEAR(run.spin(1).z(), 0, 1e-9);
}

TEST(Joints, AMotionIsFollowed) {
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3}) {
    model::ModelSpec spec = empty_space();
    add_lump(spec, "arm", {0.4, 0, 0});
    const Eigen::Quaterniond axis = math::rotation_with_z(-Vector3d::UnitY());
    add_joint(spec, JointType::kRevolute, model::kGround, "arm", {Vector3d::Zero(), axis});
    add_motion(spec, "joint0", false, "5*t + sin(3*t)");
    Trial run(spec, fine_settings(h, 1e-12));
    run.to(2);
    const double angle = 10 + std::sin(6);
    errors.push_back((run.at(1) - 0.4 * Vector3d(std::cos(angle), 0, std::sin(angle))).norm());
    EXPECT_NEAR(run.spin(1).y(), -(5 + 3 * std::cos(6)), 40 * h * h);
  }
  EXPECT_LT(errors[1], 3e-5);
  EXPECT_GT(errors[0] / errors[1], 3.6);
}

TEST(Joints, AMotionOfVelocityIsTheVelocity) {
  model::ModelSpec spec = empty_space();
  add_lump(spec, "slider", Vector3d::Zero());
  add_joint(spec, JointType::kPrismatic, model::kGround, "slider");
  add_motion(spec, "joint0", true, "cos(t)");
  Trial run(spec, fine_settings(1e-3, 1e-12));
  run.to(1);
  EXPECT_NEAR(run.speed(1).z(), std::cos(1), 1e-12);
  // It starts at rest: half a step of cos(0) is missing.
  EXPECT_NEAR(run.at(1).z(), std::sin(1) - 0.5e-3, 1e-6);
}

// A crank of 1, a coupler of 3, a rocker of 2.5 and a base of 3, all hinges along z. The crank is driven.
//
//          C
//      B  / |
//     /     |           A origin, D = (3, 0)
//    A      D
TEST(Joints, ADrivenFourBarMovesItsRockerAsTheLoopSays) {
  const double crank = 1, coupler = 3, rocker = 2.5, base = 3;
  const auto knee = [&](double angle) {
    const Vector3d B(crank * std::cos(angle), crank * std::sin(angle), 0), D(base, 0, 0);
    const double l = (D - B).norm(), x = (l * l + coupler * coupler - rocker * rocker) / (2 * l);
    const Vector3d e = (D - B) / l, n(-e.y(), e.x(), 0);
    return Vector3d(B + x * e + std::sqrt(coupler * coupler - x * x) * n);
  };
  const Vector3d B(0, crank, 0), D(base, 0, 0), C = knee(std::numbers::pi / 2);
  model::ModelSpec spec = empty_space();
  spec.gravity = {0, -10, 0};
  add_lump(spec, "crank", B / 2);
  add_lump(spec, "coupler", (B + C) / 2);
  add_lump(spec, "rocker", (C + D) / 2);
  const auto at = [](const Vector3d& p) { return math::Pose{p, Eigen::Quaterniond::Identity()}; };
  add_joint(spec, JointType::kRevolute, model::kGround, "crank", at(Vector3d::Zero()));
  add_joint(spec, JointType::kRevolute, "crank", "coupler", at(B));
  add_joint(spec, JointType::kSpherical, "coupler", "rocker", at(C));
  add_joint(spec, JointType::kRevolute, model::kGround, "rocker", at(D));
  add_motion(spec, "joint0", false, "2*t^2");
  Trial run(spec, fine_settings(2e-3, 1e-10));
  run.to(1.5);
  const double angle = std::numbers::pi / 2 + 2 * 1.5 * 1.5;
  EXPECT_LT((run.at(1) - Vector3d(std::cos(angle), std::sin(angle), 0) / 2).norm(), 1e-4);
  EXPECT_LT((run.at(3) - (knee(angle) + D) / 2).norm(), 2e-4);
}

model::SpringSpec spring(const std::string& a, const std::string& b, const Vector3d& on_a, const Vector3d& on_b) {
  model::SpringSpec made;
  made.a = a;
  made.b = b;
  made.point_a = on_a;
  made.point_b = on_b;
  return made;
}

void add_spring(model::ModelSpec& spec, const model::SpringSpec& law) {
  model::ForceSpec force;
  force.law = law;
  spec.forces.push_back(force);
}

// Two bodies pull each other along the line of their centres: the distance swings with the reduced mass 1.
TEST(Springs, TwoBodiesSwingAgainstEachOther) {
  const double k = 50, c = 0.4, length = 1, tension = 2, reduced = 1;
  const double decay = c / (2 * reduced), omega = std::sqrt(k / reduced - decay * decay);
  model::ModelSpec spec = weightless();
  add_lump(spec, "a", {0, 0, 0}).velocity = model::VelocitySpec{{0.1, 0.2, 0.3}, Vector3d::Zero()};
  add_lump(spec, "b", {0, 1.3, 0}).velocity = model::VelocitySpec{{0.1, 0.2, 0.3}, Vector3d::Zero()};
  model::SpringSpec law = spring("a", "b", Vector3d::Zero(), Vector3d::Zero());
  law.stiffness = k, law.damping = c, law.length = length, law.tension = tension;
  add_spring(spec, law);
  Trial run(spec, fine_settings(1e-3, 1e-13));
  run.to(2);
  const double middle = length - tension / k, A = 1.3 - middle, B = decay * A / omega;
  const double expected = middle + std::exp(-decay * 2) * (A * std::cos(omega * 2) + B * std::sin(omega * 2));
  EXPECT_NEAR((run.at(2) - run.at(1)).norm(), expected, 2e-5);
  EXPECT_LT(((run.at(1) + run.at(2)) / 2 - Vector3d(0.2, 1.05, 0.6)).norm(), 1e-12);
}

// Springs off the centres turn the bodies, and make no momentum.
TEST(Springs, KeepBothMomentaAndTheEnergy) {
  model::ModelSpec spec = weightless();
  add_lump(spec, "a", {0, 0, 0});
  add_lump(spec, "b", {1, 0, 0}).velocity = model::VelocitySpec{{0, 1, 0.5}, {1, 2, 3}};
  model::SpringSpec law = spring("a", "b", {0.2, 0.1, 0}, {-0.1, 0.3, 0.2});
  law.stiffness = 40;
  law.length = 0.5;
  add_spring(spec, law);
  Trial run(spec, fine_settings(1e-3, 1e-13));
  const auto sum = [&](std::size_t k) { return Vector3d(momentum(run.body(1))[k] + momentum(run.body(2))[k]); };
  const auto total = [&] {
    Body a = run.body(1), b = run.body(2);
    a.q_mid = a.state.q;
    b.q_mid = b.state.q;
    return energy(a).kinetic + energy(b).kinetic + energy_of_link(run.scene.links[0], a, b);
  };
  const Vector3d linear = sum(0), angular = sum(1);
  const double before = total();
  run.to(2);
  EXPECT_LT((sum(0) - linear).norm(), 1e-12);
  EXPECT_LT((sum(1) - angular).norm(), 1e-12);
  EXPECT_NEAR(total(), before, 2e-4 * before);
}

// A rod of a massless kind: the bob on it swings like a point, from a right angle. A ball joint on a body would add the
// body's own inertia, which the rod does not turn.
TEST(Springs, ARodKeepsItsLengthAndItsPeriod) {
  std::vector<double> errors;
  const double length = 1, period = 4 * std::sqrt(length / 10) * std::comp_ellint_1(std::sin(std::numbers::pi / 4));
  for (const double h : {4e-3, 2e-3}) {
    model::ModelSpec spec = empty_space();
    add_lump(spec, "bob", {length, 0, 0});
    model::SpringSpec law = spring(model::kGround, "bob", Vector3d::Zero(), Vector3d::Zero());
    law.limits = {length, length};
    add_spring(spec, law);
    Trial run(spec, fine_settings(h, 1e-12));
    double found = 0;
    while (found == 0 && run.domain.time < 2) {
      const double before = run.at(1).x();
      run.one();
      const double after = run.at(1).x();
      EXPECT_NEAR(run.at(1).norm(), length, 1e-10);
      if (before < 0 && after >= 0) found = run.domain.time - h * after / (after - before);
    }
    errors.push_back(std::abs(found - 0.75 * period));
  }
  EXPECT_LT(errors[1], 1e-4);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.6);
}

// It falls 0.2 freely until the rope of 1 is taut, and hangs there.
TEST(Springs, ARopeIsSlackUntilItIsTaut) {
  model::ModelSpec spec = empty_space();
  add_lump(spec, "weight", {0, 0, -0.8});
  model::SpringSpec law = spring(model::kGround, "weight", Vector3d::Zero(), Vector3d::Zero());
  law.limits = {0, 1};
  add_spring(spec, law);
  Trial run(spec, fine_settings(1e-3, 1e-12));
  run.to(0.1);
  EXPECT_NEAR(run.at(1).z(), -0.8 - 10 * 0.01 / 2, 1e-12);
  run.to(0.5);
  EXPECT_NEAR(run.at(1).z(), -1, 1e-9);
  EXPECT_NEAR(run.speed(1).z(), 0, 1e-12);
}

// A bushing of unlike stiffnesses: along each axis and about each axis a swing of its own, if small.
TEST(Bushings, SwingAlongAndAboutEachAxis) {
  const std::array<double, 6> stiffness = {20, 30, 40, 5, 6, 7};
  const std::array<double, 6> inertia = {2, 2, 2, 1, 1, 0.5};
  for (std::size_t k = 0; k < 6; ++k) {
    model::ModelSpec spec = weightless();
    model::VelocitySpec velocity;
    const double small = k < 3 ? 1.0 : 1e-3;
    (k < 3 ? velocity.linear : velocity.angular)[static_cast<int>(k % 3)] = small;
    add_lump(spec, "block", {1, 2, 3}).velocity = velocity;
    model::BushingSpec law;
    law.a = model::kGround;
    law.b = "block";
    law.frame.position = {1, 2, 3};
    law.in_world = true;
    law.stiffness = stiffness;
    law.damping[k] = 0.3;
    model::ForceSpec force;
    force.law = law;
    spec.forces.push_back(force);
    Trial run(spec, fine_settings(1e-3, 1e-12));
    run.to(0.7);
    const double decay = 0.3 / (2 * inertia[k]), omega = std::sqrt(stiffness[k] / inertia[k] - decay * decay);
    const double expected = small * std::exp(-decay * 0.7) * std::sin(omega * 0.7) / omega;
    const Vector3d turned = math::rotation_log(rotation(run.body(1).state.q));
    const double found = k < 3 ? (run.at(1) - Vector3d(1, 2, 3))[static_cast<int>(k)] : turned[static_cast<int>(k - 3)];
    EXPECT_NEAR(found, expected, 1e-5 * small) << k;
  }
}

// Unlike stiffnesses about the axes have a potential: what a large turn takes from the motion it gives back.
TEST(Bushings, KeepTheEnergyOfLargeTurns) {
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3}) {
    model::ModelSpec spec = weightless();
    add_lump(spec, "block", {0, 0, 0}).velocity = model::VelocitySpec{{0.5, 0, 0}, {2, 3, 1}};
    model::JointSpec& joint = add_joint(spec, JointType::kFree, model::kGround, "block");
    joint.stiffness = {20, 30, 40, 5, 6, 7};
    Trial run(spec, fine_settings(h, 1e-12));
    const auto total = [&] {
      Body a = run.body(0), b = run.body(1);
      a.q_mid = a.state.q;
      b.q_mid = b.state.q;
      double sum = energy(b).kinetic;
      for (const Link& link : run.scene.links) sum += energy_of_link(link, a, b);
      return sum;
    };
    const double before = total();
    double most = 0, turned = 0;
    while (run.domain.time < 3) {
      run.one();
      most = std::max(most, std::abs(total() - before));
      turned = std::max(turned, math::rotation_log(rotation(run.body(1).state.q)).norm());
    }
    EXPECT_GT(turned, 0.8);
    EXPECT_LT(most, 2e-2 * before);
    errors.push_back(most);
  }
  EXPECT_GT(errors[0] / errors[1], 1.8);
}

// A formula of its own coordinate is as implicit as the joint's own spring and damper, to rounding; held to a limit it
// is what it can give.
TEST(Loads, AServoIsASpringAndADamper) {
  std::vector<double> angles;
  for (const bool servo : {true, false}) {
    model::ModelSpec spec = weightless();
    add_lump(spec, "wheel", Vector3d::Zero()).velocity = model::VelocitySpec{Vector3d::Zero(), {0, 0, 2}};
    model::JointSpec& joint = add_joint(spec, JointType::kRevolute, model::kGround, "wheel");
    if (servo) {
      add_load(spec, {.torque = true,
                      .joint = "joint0",
                      .body = "",
                      .at = {},
                      .in_body = false,
                      .value = {formula("5000*(0.3 - q(joint0)) - 400*v(joint0)")}});
    } else {
      joint.stiffness = {5000};
      joint.rest = {0.3};
      joint.damping = {400};
    }
    Trial run(spec, fine_settings(1e-2, 1e-12));
    run.to(0.05);
    angles.push_back(angle_about_z(run, 1));
    run.to(1);
    EXPECT_NEAR(angle_about_z(run, 1), 0.3, 1e-4);
  }
  EXPECT_NEAR(angles[0], angles[1], 1e-9);
}

// The second wheel is pulled by what the first one does, q = 2 t: J w' = 3 q - 0.5 v + 4 = 6 t + 3.
TEST(Loads, AFormulaNamesOtherJoints) {
  model::ModelSpec spec = weightless();
  add_lump(spec, "first", Vector3d::Zero()).velocity = model::VelocitySpec{Vector3d::Zero(), {0, 0, 2}};
  add_lump(spec, "second", {1, 0, 0});
  add_joint(spec, JointType::kRevolute, model::kGround, "first");
  model::LoadSpec couple;
  couple.torque = true;
  couple.body = "second";
  couple.value = {formula("0"), formula("0"), formula("3*q(joint0) - 0.5*v(joint0) + 4")};
  add_load(spec, couple);
  Trial run(spec, fine_settings(1e-2, 1e-12));
  run.to(1);
  EXPECT_NEAR(run.spin(2).z(), (3 + 3) / 0.5, 1e-9);
}

TEST(Loads, AForceAtAPointPushesAndTurns) {
  model::ModelSpec spec = weightless();
  add_lump(spec, "body", {1, 0, 0});
  model::LoadSpec load;
  load.body = "body";
  load.at = Vector3d(0, 0.5, 0);
  load.in_body = true;
  load.value = {formula("1"), formula("0"), formula("0")};
  add_load(spec, load);
  model::LoadSpec couple;
  couple.torque = true;
  couple.body = "body";
  couple.value = {formula("0"), formula("0"), formula("0.5 + 6*t")};
  add_load(spec, couple);
  Trial run(spec, fine_settings(1e-3, 1e-12));
  run.to(1);
  // About z: -0.5 of the force and the couple; at the centre the force turns with the body by t^3 / (0.5) ...
  EXPECT_NEAR(run.spin(1).z(), 3 / 0.5, 1e-9);
  EXPECT_NEAR(angle_about_z(run, 1), 1 / 0.5, 1e-5);
  // v = integral of (cos, sin)(2 t^3) / 2, by Simpson's rule.
  Vector3d v = Vector3d::Zero();
  const int n = 1000;
  for (int k = 0; k <= n; ++k) {
    const double t = static_cast<double>(k) / n, weight = (k == 0 || k == n ? 1 : k % 2 == 0 ? 2 : 4) / (3.0 * n);
    v += weight / 2 * Vector3d(std::cos(2 * t * t * t), std::sin(2 * t * t * t), 0);
  }
  EXPECT_LT((run.speed(1) - v).norm(), 1e-6);
}

// + on the second body, - on the first: two wheels on one axle turn against each other.
TEST(Loads, ATorqueOnAJointActsOnBothBodies) {
  model::ModelSpec spec = weightless();
  add_lump(spec, "a", {0, 0, 0});
  add_lump(spec, "b", {0, 0, 0.5});
  add_joint(spec, JointType::kRevolute, "a", "b");
  add_load(spec,
           {.torque = true, .joint = "joint0", .body = "", .at = {}, .in_body = false, .value = {formula("2*t")}});
  add_load(spec, {.torque = true, .joint = "joint0", .body = "", .at = {}, .in_body = false, .value = {formula("1")}});
  Trial run(spec, fine_settings(1e-2, 1e-12));
  run.to(1);
  EXPECT_NEAR(run.spin(1).z(), -2 / 0.5, 1e-10);
  EXPECT_NEAR(run.spin(2).z(), 2 / 0.5, 1e-10);
}

}  // namespace
}  // namespace espalier::contact::detail
