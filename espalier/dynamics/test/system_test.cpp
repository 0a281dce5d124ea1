#include "espalier/dynamics/system.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "espalier/dynamics/evaluation.hpp"
#include "espalier/dynamics/test/four_bar.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

// An arm of 2 kg, its centre 0.5 m from the pin: 0.1 + 2 0.5^2 = 0.6 kg m^2 about it.
System arm() {
  model::ModelSpec spec;
  spec.gravity.setZero();
  spec.bodies = {make_body("arm", 2, {0.5, 0, 0}, {0.1, 0.1, 0.1})};
  spec.joints = {make_joint("pin", model::JointType::kRevolute, "ground", "arm")};
  return planned_system(spec);
}

double acceleration(const System& system, double effort) {
  Workspace work(system);
  work.input()[0] = effort;
  EXPECT_TRUE(evaluate(system, 0, system.drawn(), system.drawn_rate(), work));
  return work.qdd()[0];
}

TEST(System, CopiesAreIndependentOfEachOther) {
  const System still = arm();
  System pushed = still;
  pushed.set_callback([](double, LinkArrays& links) { links.force[1][2] += 3; });
  EXPECT_NEAR(acceleration(pushed, 0), 5, 1e-13);
  EXPECT_EQ(acceleration(still, 0), 0);
  pushed = still;
  EXPECT_EQ(acceleration(pushed, 0), 0);
}

TEST(System, MovesWithAllItHolds) {
  System from = arm();
  const System to = std::move(from);
  EXPECT_EQ(to.model().bodies[1].name, "arm");
  EXPECT_NEAR(acceleration(to, 1.2), 2, 1e-13);
}

TEST(System, IsEmptyUntilItIsAssignedTo) {
  System system;
  EXPECT_EQ(system.position_size() + system.velocity_size() + system.rows(), 0);
  EXPECT_TRUE(system.links().empty());
  system = arm();
  EXPECT_EQ(system.links().size(), 2U);
}

TEST(System, ShowsTheTreeOfAFourBar) {
  const System system = system_of(FourBar().spec(), {2});
  ASSERT_EQ(system.links().size(), 4U);
  ASSERT_EQ(system.closures().size(), 1U);
  EXPECT_EQ(system.closures()[0].joint, kC);
  EXPECT_EQ(system.rows(), 5);
  EXPECT_EQ(system.velocity_size(), 3);
  EXPECT_EQ(system.drawn().size(), 3U);
  // Crank and rocker hang on the ground, the coupler on the crank.
  for (std::size_t body = 1; body < system.body_places().size(); ++body) {
    const Link& link = system.links()[to_index(system.body_places()[body].link)];
    EXPECT_EQ(link.parent, body == 2 ? system.body_places()[1].link : 0) << system.model().bodies[body].name;
  }
}

TEST(Workspace, MovesWithWhatItHasComputed) {
  const System system = arm();
  Workspace from(system);
  from.input()[0] = 0.6;
  ASSERT_TRUE(evaluate(system, 0, system.drawn(), system.drawn_rate(), from));
  const Workspace to = std::move(from);
  EXPECT_NEAR(to.qdd()[0], 1, 1e-14);
  EXPECT_EQ(to.effort()[0], 0.6);
  EXPECT_EQ(to.massless(), -1);
  EXPECT_EQ(to.threads(), 1);
}

}  // namespace
}  // namespace espalier::dynamics
