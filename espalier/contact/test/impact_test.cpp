// Impacts with restitution: the speed that they give back, and the energy that they may not make.

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/contact/test/trial.hpp"
#include "espalier/math/rotation.hpp"

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

double kinetic(const Trial& run) {
  double sum = 0;
  for (const LocalBody& local : run.domain.bodies) sum += energy(local.body).kinetic;
  return sum;
}

// Kane's pendulum: two rods of 1 m and 1 kg on hinges, the tip of the second strikes the floor while it swings.
model::ModelSpec kane(const std::array<double, 2>& angle, const std::array<double, 2>& rate, double mu, double e) {
  constexpr double kTip = 0.01;
  model::ModelSpec spec = ground_spec(mu, e);
  spec.gravity = Vector3d::Zero();
  Vector3d end(0, 0, std::cos(angle[0]) + std::cos(angle[1]) + kTip), speed = Vector3d::Zero();
  std::string last = model::kGround;
  for (std::size_t k = 0; k < 2; ++k) {
    const Vector3d along(std::sin(angle[k]), 0, -std::cos(angle[k]));
    const Vector3d spin(0, -rate[k], 0);
    model::ShapeSpec tip = sphere_shape(kTip);
    tip.pose.position = {0, 0, -0.5};
    const std::string name = "rod" + std::to_string(k);
    model::BodySpec& rod = add_body(spec, name, tip, end + along / 2);
    if (k == 0) rod.shapes.clear();
    rod.pose.rotation = Eigen::AngleAxisd(-angle[k], Vector3d::UnitY());
    rod.mass = 1;
    rod.inertia = Vector3d(1.0 / 12, 1.0 / 12, 1e-3).asDiagonal();
    rod.velocity = model::VelocitySpec{speed + spin.cross(along / 2), spin};
    add_joint(spec, model::JointType::kRevolute, last, name, {end, math::rotation_with_z(Vector3d::UnitY())});
    end += along;
    speed += spin.cross(along);
    last = name;
  }
  return spec;
}

// Newton's restitution and Coulomb's friction together would multiply the energy in many of these impacts.
TEST(Impact, OfKanesPendulumMakesNoEnergy) {
  Random random(11);
  int struck = 0, kept = 0;
  for (int k = 0; k < 200; ++k) {
    const std::array<double, 2> angle = {1.2 * random.uniform(), 1.2 * random.uniform()};
    const std::array<double, 2> rate = {2 * random.uniform() - 1, 2 * random.uniform() - 1};
    const double e = 0.5 + 0.5 * random.uniform();
    Trial run(kane(angle, rate, 0.7, e), fine_settings(1e-6, 1e-10));
    const double before = kinetic(run);
    run.one();
    const double R = run.domain.constraints.empty() ? 0 : run.domain.constraints.front().R[2];
    if (R == 0) continue;
    ++struck;
    EXPECT_LE(kinetic(run), before * (1 + 1e-8)) << angle[0] << " " << angle[1] << " " << rate[0] << " " << rate[1];
    // The bound is no more than is needed.
    if (kinetic(run) > 0.9 * before) ++kept;
  }
  EXPECT_GT(struck, 60);
  EXPECT_GT(kept, 5);
}

// Boxes and balls without weight, thrown at each other and at the floor with spin.
TEST(Impact, OfManyBodiesNeverMakesEnergy) {
  for (const double e : {0.3, 0.7, 1.0}) {
    model::ModelSpec spec = ground_spec(0.8, e);
    spec.gravity = Vector3d::Zero();
    spec.contact->margin = 1e-3;
    Random random(3);
    const auto vector = [&] {
      return Vector3d(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
    };
    for (int k = 0; k < 12; ++k) {
      const Vector3d place(0.5 * (k % 3), 0.5 * (k / 3 % 2), 0.3 + 0.45 * (k / 6));
      model::BodySpec& body = add_body(spec, "b" + std::to_string(k),
                                       k % 2 == 0 ? box_shape({0.35, 0.25, 0.2}) : sphere_shape(0.15), place);
      body.velocity = model::VelocitySpec{4 * vector() - Vector3d(place.x() - 0.5, place.y() - 0.25, 1), 8 * vector()};
    }
    Trial run(spec, fine_settings(2e-3, 1e-8));
    const double start = kinetic(run);
    int impacts = 0;
    while (run.domain.time < 1.5) {
      const double before = kinetic(run);
      run.last = step(run.comm, run.domain);
      // Free bodies that spin trade some 1e-5 of it with the step (section 5 of the theory).
      EXPECT_LE(kinetic(run), before * (1 + 1e-7) + 1e-4 * (run.last.contacts == 0 ? before : 0)) << run.domain.time;
      if (run.last.contacts > 0) ++impacts;
    }
    EXPECT_GE(impacts, 15);
    EXPECT_LE(kinetic(run), start);
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
