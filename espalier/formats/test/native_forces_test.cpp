#include <array>
#include <string>

#include <gtest/gtest.h>

#include <numbers>

#include "espalier/formats/test/native_support.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {
namespace {

using namespace native_test;
using Eigen::Vector3d;

// A model of one body in millimetres with this force.
std::string with_force(const std::string& force) {
  return "espalier: 1\nunits: {length: mm}\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\nforces:\n  - {" + force +
         "}\n";
}
template <class Law>
Law law_of(const std::string& force) {
  return std::get<Law>(read(with_force(force)).forces.at(0).law);
}

TEST(NativeForces, SpringsAreNewtonsPerLength) {
  const auto spring = law_of<model::SpringSpec>(
      "spring: {between: [ground, a], in: {a: [1000, 0, 0], ground: [0, 2000, 0]}, stiffness: 5, damping: 6, tension: "
      "7}");
  EXPECT_FALSE(spring.in_world);
  EXPECT_EQ(spring.a, "ground");
  EXPECT_EQ(spring.point_a, Vector3d(0, 2, 0)) << "ends are found by their body, not by their order";
  EXPECT_EQ(spring.point_b, Vector3d(1, 0, 0));
  EXPECT_DOUBLE_EQ(spring.stiffness, 5000);
  EXPECT_DOUBLE_EQ(spring.damping, 6000);
  EXPECT_DOUBLE_EQ(spring.tension, 7);
}

TEST(NativeForces, BushingsPushAndTurnInTheirOwnUnits) {
  const auto bushing =
      law_of<model::BushingSpec>("bushing: {between: [ground, a], at: {}, stiffness: [1, 2, 3, 1000, 2000, 3000]}");
  EXPECT_TRUE(bushing.in_world);
  EXPECT_DOUBLE_EQ(bushing.stiffness[2], 3000);
  EXPECT_DOUBLE_EQ(bushing.stiffness[3], 1);
  EXPECT_EQ(bushing.damping, (std::array<double, 6>{}));
}

TEST(NativeForces, AForceIsNewtonsAndATorqueNewtonsTimesLength) {
  const auto force = law_of<model::LoadSpec>("force: {body: a, value: [0, 0, \"2*t\"], frame: body}");
  EXPECT_TRUE(force.in_body);
  EXPECT_DOUBLE_EQ(model::evaluate(force.value.at(2), 3), 6);
  const auto torque = law_of<model::LoadSpec>("torque: {body: a, value: [0, 0, \"2*t\"]}");
  EXPECT_TRUE(torque.torque);
  EXPECT_DOUBLE_EQ(model::evaluate(torque.value.at(2), 3), 0.006);
}

// In millimetres and degrees: 1 degree on the hinge and 1 mm on the rail are 1 in the formula.
TEST(NativeForces, FormulasTakeCoordinatesInUnitsOfTheFile) {
  const model::ModelSpec spec = read(
      "espalier: 1\nunits: {length: mm, angle: deg}\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: "
      "1, inertia: [1, 1, 1]}]\njoints:\n  - {name: pin, type: revolute, between: [ground, a], at: {}}\n  - {name: "
      "rail, "
      "type: prismatic, between: [ground, b], at: {}}\nforces:\n  - {force: {joint: rail, value: \"2*q(rail) + 3*v(pin)"
      "\"}}\n");
  const model::Expression value = std::get<model::LoadSpec>(spec.forces.at(0).law).value.at(0);
  const double inputs[] = {0.005, std::numbers::pi / 90};
  EXPECT_NEAR(model::evaluate(value, 0, inputs), 2 * 5 + 3 * 2, 1e-12);
}

TEST(NativeForces, OneForceHasOneLaw) {
  EXPECT_MENTIONS(error_of(with_force("name: f")), "exactly one of spring, bushing, force, torque, motion");
  EXPECT_MENTIONS(error_of(with_force("force: {joint: j, value: 1, frame: body}")), "belong to a force on a body");
  EXPECT_MENTIONS(error_of(with_force("motion: {joint: j, position: 1, velocity: 1}")),
                  "either `position` or `velocity`");
  EXPECT_MENTIONS(error_of(with_force("force: {body: a, value: 1, frame: ground}")), "`frame` is world or body");
}

}  // namespace
}  // namespace espalier::formats
