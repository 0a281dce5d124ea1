#include "espalier/modes/detail/body_damping.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

// wall -- c0 -- (m0) -- c1 -- (m1), each damper with a spring of 1 beside it.
Structure damped_chain(const std::vector<double>& damping, const std::vector<double>& mass) {
  Structure out = spring_chain(std::vector<double>(mass.size(), 1), mass);
  for (std::size_t k = 0; k < damping.size(); ++k) std::get<Hinge>(out.elements[k].law).damping[0] = damping[k];
  return out;
}

// C = [2 -1; -1 1] over masses of 1 has the eigenvalues (3 -+ sqrt 5) / 2, over masses of 2 half of them.
TEST(BoundBodyDamping, IsTheRangeOfEigenvalues) {
  for (const double mass : {1.0, 2.0}) {
    const BodyDamping found = bound_body_damping(damped_chain({1, 1}, {mass, mass}), DamperBy::kMass);
    EXPECT_TRUE(found.bounded);
    EXPECT_EQ(found.motions, 2);
    const double low = (3 - std::sqrt(5)) / 2 / mass, high = (3 + std::sqrt(5)) / 2 / mass;
    EXPECT_NEAR(found.low / low, 1, 1e-8);
    EXPECT_NEAR(found.high / high, 1, 1e-8);
    EXPECT_LE(found.low, low);
    EXPECT_GE(found.high, high);
  }
}

TEST(BoundBodyDamping, LeavesDampersToTheirSprings) {
  const Structure chain = damped_chain({1, 1}, {1, 1});
  const BodyDamping found = bound_body_damping(chain, DamperBy::kStiffness);
  EXPECT_TRUE(found.bounded);
  EXPECT_EQ(found.high, 0);
}

TEST(BoundBodyDamping, HasNoBoundWhereNothingWeighs) {
  EXPECT_FALSE(bound_body_damping(damped_chain({0, 1}, {1, 0}), DamperBy::kMass).bounded);
  EXPECT_TRUE(bound_body_damping(damped_chain({1, 0}, {1, 0}), DamperBy::kMass).bounded);
}

// The damper of a point without mass is 13 decades weaker than one elsewhere: it acts on what has no mass all the same.
//   wall -- k, c -- (1e8 kg)      wall -- k, c -- (0) -- k -- (1 kg)
TEST(BoundBodyDamping, SeesAWeakDamperWithoutMassBesideAStrongOne) {
  Structure two = spring_chain({1e-4, 1e-4}, {0, 1});
  std::get<Hinge>(two.elements[0].law).damping[0] = 1e-5;
  EXPECT_FALSE(bound_damping(two, DamperBy::kMass).bounded);
  two.vertices.push_back(vertex_at(Eigen::Vector3d(9, 0, 0), kAlongX));
  two.vertices.back().mass(0, 0) = 1e8;
  add_spring(two, 0, 3, 1e10, 1e8);
  EXPECT_FALSE(bound_damping(two, DamperBy::kMass).bounded);
  ModesOptions options;
  options.max_frequency = options.max_decay = 30;
  const Result<ModeSet> set = find_modes(comm::Comm::serial(), two, plan_tree(two).value(), options);
  ASSERT_TRUE(set.has_value());
  // (1e-5 s + 2e-4) (s^2 + 1e-4) = 1e-8 has a real root beside -20.
  EXPECT_EQ(set->found, 5) << set->certificate;
  EXPECT_NE(set->certainty, Certainty::kNone) << set->certificate;
}

}  // namespace
}  // namespace espalier::modes::detail
