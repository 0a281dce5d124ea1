#include "espalier/contact/detail/balance.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "espalier/contact/test/scenes.hpp"

namespace espalier::contact::detail {
namespace {

// Two balls that touch each other, one on the ground, the other held by a ball joint alone. By hand: either has two
// constraints, and the joint goes with its ball.
TEST(Weights, AreThoseOfTheFormula) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  add_body(spec, "a", sphere_shape(0.5), {0, 0, 0.4999});
  add_body(spec, "b", sphere_shape(0.5), {0.9999, 0, 0.4999});
  add_joint(spec, model::JointType::kSpherical, model::kGround, "b", at_point({1.2, 0, 0.5}));
  const comm::Comm comm = comm::Comm::serial();
  Domain domain = make_domain(comm, compile_scene(spec), {});
  ASSERT_EQ(step(comm, domain).contacts, 2);
  for (const double factor : {0.0, 0.25, 1.0}) {
    std::vector<double> weights;
    for (const WeightedPoint& point : weigh_by_formula(domain, 0, factor)) weights.push_back(point.weight);
    std::sort(weights.begin(), weights.end());
    const double ball = 6 + 6 * factor;  // d + factor d (s - 1)
    std::vector<double> known = {ball, ball + ball, 6, 6 + ball};
    std::sort(known.begin(), known.end());
    EXPECT_EQ(weights, known) << factor;
  }
}

TEST(Weights, CountBodiesAndConstraints) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  for (int k = 0; k < 5; ++k) {
    add_body(spec, "ball" + std::to_string(k), sphere_shape(0.5), {2.0 * k, 0, k < 3 ? 0.4999 : 5});
  }
  const comm::Comm comm = comm::Comm::serial();
  Settings settings;
  settings.weighing = Weighing::kCounted;
  Domain domain = make_domain(comm, compile_scene(spec), settings);
  step(comm, domain);
  const std::vector<WeightedPoint> points = weigh(comm, domain);
  EXPECT_EQ(points.size(), 8u);
  for (const WeightedPoint& point : points) EXPECT_EQ(point.weight, 1);
}

// All that was measured comes back as weights.
TEST(Weights, AddUpToTheMeasuredTime) {
  model::ModelSpec spec = ground_spec(0.5, 0);
  for (int k = 0; k < 30; ++k) {
    add_body(spec, "ball" + std::to_string(k), sphere_shape(0.5), {0.99 * k, 0, 0.4999});
    add_body(spec, "box" + std::to_string(k), box_shape({0.9, 0.9, 0.9}), {1.0 * k, 3, 0.4499});
  }
  const comm::Comm comm = comm::Comm::serial();
  Settings settings;
  settings.solve.solver = Solver::kGaussSeidel;
  Domain domain = make_domain(comm, compile_scene(spec), settings);
  step(comm, domain);
  const Workload& load = domain.load;
  double sum = 0;
  for (const WeightedPoint& point : weigh(comm, domain)) sum += point.weight;
  EXPECT_NEAR(sum, load.bodies + load.detect + load.rows, 1e-12);
  EXPECT_GT(load.rows, 0);
}

// Slower by a half on one of two ranks, and cutting anew costs as much as four such steps lose.
TEST(Balance, IsSoughtAnewOnceItHasCostAsMuch) {
  Domain domain;
  domain.settings.balance_every = 3;
  domain.load.cost = 1;
  const std::vector<Effort> even = {{0, 0, 0, 1, 0}, {0, 0, 0, 1, 0}};
  const std::vector<Effort> uneven = {{0, 0, 0, 1.5, 0}, {0, 0, 0, 1, 0}};
  for (int k = 0; k < 10; ++k) note_efforts(even, domain);
  EXPECT_FALSE(is_out_of_balance(domain));
  domain.load.steps = 0;
  domain.load.most = domain.load.mean = 0;
  for (int k = 0; k < 4; ++k) {
    EXPECT_FALSE(is_out_of_balance(domain)) << k;
    note_efforts(uneven, domain);
  }
  EXPECT_FALSE(is_out_of_balance(domain));
  note_efforts(uneven, domain);
  EXPECT_TRUE(is_out_of_balance(domain));
  domain.settings.imbalance = 1.3;
  EXPECT_FALSE(is_out_of_balance(domain));
}

}  // namespace
}  // namespace espalier::contact::detail
