#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/native_support.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {
namespace {

using namespace native_test;

// Two bodies, 100 mm and degrees, and this joint between them.
std::string with_joint(const std::string& fields, const std::string& rest = "") {
  return "espalier: 1\nunits: {length: mm, angle: deg}\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\njoints:\n"
         "  - {name: j, between: [ground, a], " +
         fields + "}\n" + rest;
}

TEST(NativeJoints, EachCoordinateHasItsOwnUnit) {
  const model::JointSpec j =
      read(with_joint(
               "type: cylindrical, at: {}, limits: [[-10, 10], [-90, 90]], velocity: [1000, 180], armature: [3, 4e6]"))
          .joints.at(0);
  ASSERT_EQ(j.limits.size(), 2u);
  EXPECT_DOUBLE_EQ(j.limits[0][1], 0.01);
  EXPECT_DOUBLE_EQ(j.limits[1][0], -std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(j.velocity[0], 1);
  EXPECT_DOUBLE_EQ(j.velocity[1], std::numbers::pi);
  // Kilograms along the axis, kilogram square metres about it.
  EXPECT_DOUBLE_EQ(j.armature[0], 3);
  EXPECT_DOUBLE_EQ(j.armature[1], 4);
}

// q0 = 1 + 2 q1 + 3 q1^2 in degrees and millimetres is the same curve in radians and metres.
TEST(NativeJoints, PolynomialsOfCouplingsKeepTheirCurve) {
  const std::string rest =
      "  - {name: k, type: prismatic, between: [ground, a], at: {}}\n"
      "couplings: [{joints: [j, k], polynomial: [1, 2, 3]}]\n";
  const std::vector<double> c = read(with_joint("type: revolute, at: {}", rest)).couplings.at(0).polynomial;
  ASSERT_EQ(c.size(), 3u);
  const double mm = 7, metres = 0.007;
  EXPECT_NEAR(c[0] + c[1] * metres + c[2] * metres * metres, (1 + 2 * mm + 3 * mm * mm) * std::numbers::pi / 180,
              1e-12);
}

TEST(NativeJoints, QuaternionsOfKeyframesHaveNoUnit) {
  const model::KeyframeSpec keyframe =
      read(with_joint("type: free, at: {}", "keyframes: [{name: k, positions: {j: [1000, 0, 0, 0.6, 0.8, 0, 0]}}]\n"))
          .keyframes.at(0);
  EXPECT_EQ(keyframe.positions.at(0).second, (std::vector<double>{1, 0, 0, 0.6, 0.8, 0, 0}));
}

TEST(NativeJoints, PlaceEndsAndTypeAreAskedFor) {
  EXPECT_MENTIONS(error_of(with_joint("type: revolute")), "needs its place: either `at`");
  EXPECT_MENTIONS(error_of(with_joint("type: revolute, at: {}, in: {}")), "needs its place: either `at`");
  EXPECT_MENTIONS(error_of(with_joint("type: revolut, at: {}")), "did you mean 'revolute'?");
  EXPECT_MENTIONS(error_of(with_joint("type: revolute, in: {ground: {}, b: {}}")), "needs `a`");
  EXPECT_MENTIONS(error_of(with_joint("type: revolute, at: {}, limits: [1, 2, 3]")), "is [low, high], or a list");
}

const std::string kThree =
    "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}, "
    "{name: c, mass: 1, inertia: [1, 1, 1]}]\njoints:\n";

TEST(NativeJoints, OneWeldHoldsSeveralBodies) {
  const ModelSpec spec = read(kThree +
                              "  - {name: corner, type: fixed, between: [a, b, c], at: {position: [1, 2, 3]}}\n"
                              "  - {name: mount, type: fixed, between: [ground, a], at: {}}\n");
  ASSERT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.joints[0].name, "corner");
  EXPECT_EQ(spec.joints[1].name, "corner.c");
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(spec.joints[k].a, "a");
    EXPECT_EQ(spec.joints[k].b, k == 0 ? "b" : "c");
    EXPECT_EQ(spec.joints[k].at->position, Eigen::Vector3d(1, 2, 3));
  }
  const std::string text = write_model(spec, Format::kNative)->text;
  EXPECT_MENTIONS(text, "{name: corner, type: fixed, between: [a, b, c], at: {position: [1, 2, 3]}}");
  EXPECT_MENTIONS(text, "{name: mount, type: fixed, between: [ground, a]");
  EXPECT_EQ(write_model(read(text), Format::kNative)->text, text);
}

TEST(NativeJoints, AWeldOfSeveralBodiesMayHaveAFrameInEach) {
  const ModelSpec spec = read(kThree +
                              "  - {name: corner, type: fixed, between: [a, b, c], in: {a: {position: [1, 0, 0]}, "
                              "b: {position: [2, 0, 0]}, c: {position: [3, 0, 0]}}}\n"
                              "  - {name: mount, type: fixed, between: [ground, a], at: {}}\n");
  ASSERT_EQ(spec.joints.size(), 3u);
  EXPECT_EQ(spec.joints[1].in_a.position.x(), 1);
  EXPECT_EQ(spec.joints[0].in_b.position.x(), 2);
  EXPECT_EQ(spec.joints[1].in_b.position.x(), 3);
  EXPECT_MENTIONS(write_model(spec, Format::kNative)->text, "c: {position: [3, 0, 0]}");
}

TEST(NativeJoints, OnlyAFixedJointHoldsSeveralBodies) {
  EXPECT_MENTIONS(error_of(kThree + "  - {name: j, type: revolute, between: [a, b, c], at: {}}\n"),
                  "`between` names two bodies, not 3; only a fixed joint welds more");
  EXPECT_MENTIONS(error_of(kThree + "  - {name: j, type: fixed, between: [a, b, a], at: {}}\n"), "joins 'a' to itself");
  EXPECT_MENTIONS(error_of(kThree + "  - {name: j, type: fixed, between: [a], at: {}}\n"), "two bodies, not 1");
}

TEST(NativeJoints, WeightsForPlanComeBack) {
  const ModelSpec spec = read(with_joint("type: revolute, at: {}, weight: 2.5, length: 3"));
  EXPECT_EQ(spec.joints[0].weight, 2.5);
  EXPECT_EQ(spec.joints[0].length, 3);
  EXPECT_MENTIONS(write_model(spec, Format::kNative)->text, "weight: 2.5, length: 3");
  const Result<Conversion> urdf = convert(spec, Format::kUrdf);
  ASSERT_TRUE(urdf);
  EXPECT_TRUE(std::any_of(urdf->changes.begin(), urdf->changes.end(),
                          [](const model::Difference& change) { return change.field == "weight"; }));
  ModelSpec wrong = spec;
  wrong.joints[0].length = 0;
  EXPECT_MENTIONS(model::compile(wrong).error().message, "joint 'j': length = 0 must be positive and at most 1e12");
}

}  // namespace
}  // namespace espalier::formats
