#include "espalier/dynamics/system.hpp"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/dynamics/detail/laws.hpp"
#include "espalier/dynamics/detail/system_data.hpp"
#include "espalier/dynamics/robotics.hpp"
#include "espalier/dynamics/test/four_bar.hpp"
#include "espalier/dynamics/test/mechanisms.hpp"

namespace espalier::dynamics {
namespace {

using detail::CoordinateLaw;
using detail::JointLaw;
using detail::kLimitDamping;
using detail::kLimitFrequency;
using model::JointType;

// The inertia an effort on coordinate i feels while the others are free to follow: 1 / (M^-1)_ii, where loops take from
// M^-1 what they forbid. From matrices; the laws put a unit effort on a copy of the system and look.
double seen_inertia(const System& system, Eigen::Index i) {
  const Eigen::MatrixXd inverse = mass_matrix(system, system.drawn()).inverse();
  if (system.rows() == 0) return 1 / inverse(i, i);
  const Eigen::MatrixXd G = constraint_jacobian(system, 0, system.drawn());
  const Eigen::MatrixXd GM = G * inverse;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> mobility(G * inverse * G.transpose());
  mobility.setThreshold(1e-9);
  return 1 / (inverse(i, i) - GM.col(i).dot(mobility.solve(GM.col(i))));
}

const CoordinateLaw& law_of(const System& system, model::JointId joint, std::size_t k) {
  for (const JointLaw& law : system->laws.joints) {
    if (law.place.joint == joint) return law.coordinate[k];
  }
  ADD_FAILURE() << "the joint has no law";
  return system->laws.joints.front().coordinate[0];
}

void expect_limits(const System& system, model::JointId joint, int k) {
  const int link = system->link_of[joint.index()];
  ASSERT_GE(link, 0);
  const double inertia = seen_inertia(system, system.links()[to_index(link)].velocity + k);
  const CoordinateLaw& law = law_of(system, joint, to_index(k));
  const double stiffness = inertia * kLimitFrequency * kLimitFrequency;
  EXPECT_NEAR(law.limit_stiffness, stiffness, 1e-9 * stiffness) << "joint " << joint.index() << ", coordinate " << k;
  EXPECT_NEAR(law.limit_damping, 2 * kLimitDamping * inertia * kLimitFrequency, 1e-9 * stiffness);
}

// A chain with limits on one joint at a time, so that nothing but the probe's own effort acts on any link.
TEST(MakeLaws, LimitsFeelTheInertiaOfAllThatFollows) {
  const math::Pose tilted{{0.3, 0.1, -0.2}, Eigen::Quaterniond(Eigen::AngleAxisd(0.8, Eigen::Vector3d::UnitX()))};
  const math::Pose far{{0.9, 0.2, 0.4}, Eigen::Quaterniond(Eigen::AngleAxisd(-1.1, Eigen::Vector3d::UnitY()))};
  for (const std::size_t limited : {0, 1, 2}) {
    model::ModelSpec spec;
    spec.bodies = {make_body("one", 2, {0.2, 0, 0.1}, {0.2, 0.3, 0.4}),
                   make_body("two", 3, {0.6, 0.3, 0}, {0.1, 0.5, 0.5}),
                   make_body("three", 1.5, {1.2, 0.1, 0.6}, {0.3, 0.2, 0.2})};
    spec.joints = {make_joint("base", JointType::kRevolute, "ground", "one"),
                   make_joint("tube", JointType::kCylindrical, "one", "two", tilted),
                   make_joint("tip", JointType::kPrismatic, "two", "three", far)};
    spec.joints[limited].limits.assign(limited == 1 ? 2 : 1, {-1, 1});
    const System system = planned_system(spec);
    expect_limits(system, model::JointId(limited), 0);
    if (limited == 1) expect_limits(system, model::JointId(limited), 1);
  }
}

// A limit at the crank's pin feels the whole four-bar, and the same on every tree: also on that where the pin is cut.
TEST(MakeLaws, LimitsFeelTheLoopOnEveryTree) {
  FourBar bar;
  const Eigen::Vector2d c = bar.closed_c(1);
  bar.at_coupler = std::atan2(c.y() - bar.crank * std::sin(bar.at_crank), c.x() - bar.crank * std::cos(bar.at_crank));
  bar.at_rocker = std::atan2(c.y(), c.x() - bar.ground);
  model::ModelSpec spec = bar.spec();
  spec.joints[0].limits = {{-1, 1}};
  const System open = system_of(spec, {1});
  expect_limits(open, kA, 0);
  for (int cut = 0; cut < 4; ++cut) {
    const double stiffness = law_of(open, kA, 0).limit_stiffness;
    EXPECT_NEAR(law_of(system_of(spec, {cut}), kA, 0).limit_stiffness, stiffness, 1e-8 * stiffness) << cut;
  }
}

// A caller's law may come after the workspace was made, and reach links that no law of the model touches.
TEST(MakeLaws, ACallersLawReachesEveryLink) {
  model::ModelSpec spec;
  spec.gravity.setZero();
  spec.bodies = {make_body("arm", 2, {0.5, 0, 0}, {0.1, 0.1, 0.1})};
  spec.joints = {make_joint("pin", JointType::kRevolute, "ground", "arm")};
  System system = planned_system(spec);
  Workspace work(system);
  ASSERT_TRUE(evaluate(system, 0, system.drawn(), system.drawn_rate(), work));
  EXPECT_EQ(work.qdd()[0], 0);
  system.set_callback([](double, LinkArrays& links) { links.force[1] += math::SpatialVector::Unit(2); });
  ASSERT_TRUE(evaluate(system, 0, system.drawn(), system.drawn_rate(), work));
  EXPECT_NEAR(work.qdd()[0], 1 / (0.1 + 2 * 0.25), 1e-12);
}

}  // namespace
}  // namespace espalier::dynamics
