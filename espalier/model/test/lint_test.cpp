#include "espalier/model/notes.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "espalier/math/rotation.hpp"
#include "espalier/model/test/support.hpp"

namespace espalier::model {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

BodySpec ball(const std::string& name, double mass = 1) {
  BodySpec spec;
  spec.name = name;
  spec.mass = mass;
  spec.inertia = mass * Eigen::Matrix3d::Identity();
  return spec;
}

//  ground --J0-- A --J1-- B --J2-- C      all frames at the origin, all joints at 0
ModelSpec chain() {
  ModelSpec spec;
  spec.bodies = {ball("A"), ball("B"), ball("C")};
  spec.joints = {joint("J0", kGround, "A"), joint("J1", "A", "B"), joint("J2", "B", "C")};
  for (std::size_t k = 0; k < 3; ++k) {
    spec.bodies[k].where.line = 10 + static_cast<int>(k);
    spec.joints[k].where.line = 20 + static_cast<int>(k);
  }
  spec.impossible_inertia_allowed = true;
  return spec;
}

std::vector<Finding> findings_of(const ModelSpec& spec) { return lint(compiled(spec)); }

// The only finding, which must be of this kind.
Finding only(const ModelSpec& spec, const std::string& kind) {
  const std::vector<Finding> findings = findings_of(spec);
  EXPECT_EQ(findings.size(), 1u);
  if (findings.empty()) return {};
  EXPECT_EQ(findings[0].kind, kind) << findings[0].message;
  return findings[0];
}

TEST(Lint, FindsNothingInASoundModel) { EXPECT_TRUE(findings_of(chain()).empty()); }

TEST(Lint, TellsRoundedFromImpossibleInertia) {
  ModelSpec spec = chain();
  spec.bodies[0].inertia = Vector3d(1, 1, 2).asDiagonal();
  EXPECT_TRUE(findings_of(spec).empty());
  spec.bodies[0].inertia = Vector3d(1, 1, 2.0005).asDiagonal();
  Finding finding = only(spec, "inertia");
  EXPECT_MENTIONS(finding.message, "'A': moments of inertia break the triangle inequality, by up to 0.025 %");
  EXPECT_MENTIONS(finding.message, "taken for rounding");
  EXPECT_EQ(finding.where.line, 10);
  spec.bodies[0].inertia = Vector3d(1, 1, 4).asDiagonal();
  spec.bodies[2].inertia = Vector3d(1, 2.5, 1).asDiagonal();
  finding = only(spec, "inertia");
  EXPECT_MENTIONS(finding.message, "'A', 'C'");
  EXPECT_MENTIONS(finding.message, "by up to 50 %");
  EXPECT_MENTIONS(finding.message, "no rigid body has such moments");
  spec.bodies[2].inertia = Vector3d(1, 1, 2.0005).asDiagonal();
  EXPECT_EQ(findings_of(spec).size(), 2u);
}

TEST(Lint, TellsHeavyAndLightBodies) {
  ModelSpec spec = chain();
  spec.bodies[1] = ball("B", 9.9e3);
  spec.bodies[2] = ball("C", 1 / 9.9e3);
  EXPECT_TRUE(findings_of(spec).empty());
  spec.bodies[1] = ball("B", 2e4);
  spec.bodies[2] = ball("C");
  EXPECT_MENTIONS(only(spec, "mass").message, "1 body is far heavier than the model's median of 1 kg (2e+04 kg): 'B'");
  spec.bodies[1] = ball("B", 5e-5);
  EXPECT_MENTIONS(only(spec, "mass").message, "1 body is far lighter than the model's median of 1 kg (5e-05 kg): 'B'");
}

TEST(Lint, NamesAtMostFourOfMany) {
  ModelSpec spec;
  for (int k = 0; k < 20; ++k) {
    const std::string name = "L" + std::to_string(k);
    spec.bodies.push_back(ball(name, k < 6 ? 1e-6 * (k + 1) : 1));
    spec.joints.push_back(joint("J" + name, kGround, name));
  }
  EXPECT_MENTIONS(only(spec, "mass").message, "6 bodies are far lighter than the model's median of 1 kg");
  EXPECT_MENTIONS(only(spec, "mass").message, "(1e-06 kg and more): 'L0', 'L1', 'L2', 'L3' and 2 more");
}

TEST(Lint, TellsAMasslessLeafButNotAMasslessLink) {
  ModelSpec spec = chain();
  spec.bodies[1] = ball("B", 0);
  EXPECT_TRUE(findings_of(spec).empty());
  spec.bodies[1] = ball("B");
  spec.bodies[2] = ball("C", 0);
  EXPECT_MENTIONS(only(spec, "massless").message, "1 body without mass at the end of a branch");
  EXPECT_MENTIONS(only(spec, "massless").message, "'C'");
}

//  ground --J0-- A --J1-- B ==J2== C       the weld J2 makes B and C one body: massless together, or not
TEST(Lint, SeesAMasslessLeafBehindAWeld) {
  ModelSpec spec = chain();
  spec.joints[2].type = JointType::kFixed;
  spec.bodies[2] = ball("C", 0);
  EXPECT_TRUE(findings_of(spec).empty());
  spec.bodies[1] = ball("B", 0);
  only(spec, "massless");
  // Welded to the ground nothing needs to move it.
  spec.joints[0].type = spec.joints[1].type = JointType::kFixed;
  EXPECT_TRUE(findings_of(spec).empty());
}

//  ground --J0-- A ==J1== B ==J2== C,  A --extra-- C
TEST(Lint, TellsAJointBlockedByWelds) {
  ModelSpec spec = chain();
  spec.joints[1].type = JointType::kFixed;
  spec.joints.push_back(joint("extra", "A", "C"));
  EXPECT_TRUE(findings_of(spec).empty());
  spec.joints[2].type = JointType::kFixed;
  EXPECT_MENTIONS(only(spec, "blocked").message, "joint 'extra' cannot move: 'A' and 'C' are welded together");
}

TEST(Lint, TellsOpenJointsInMillimetresAndDegrees) {
  ModelSpec spec = chain();
  math::Pose& frame = spec.joints[1].in_b;
  frame.position = {5e-7, 0, 0};
  EXPECT_TRUE(findings_of(spec).empty());
  frame.position = {0.002, 0, 0};
  EXPECT_MENTIONS(only(spec, "open").message, "joint 'J1' is open by 2 mm in");
  EXPECT_EQ(only(spec, "open").where.line, 21);
  frame.position = {0, 0.25, 0};
  EXPECT_MENTIONS(only(spec, "open").message, "open by 0.25 m in");
  frame.rotation = math::rotation_exp({3 * pi / 180, 0, 0});
  EXPECT_MENTIONS(only(spec, "open").message, "open by 0.25 m and 3 deg in");
  frame.position.setZero();
  EXPECT_MENTIONS(only(spec, "open").message, "open by 3 deg in");
  // About the hinge's own axis nothing opens.
  frame.rotation = math::rotation_exp({0, 0, 0.3});
  EXPECT_TRUE(findings_of(spec).empty());
}

TEST(Lint, TellsADrawnPositionOutsideItsLimits) {
  ModelSpec spec = chain();
  spec.joints[1].in_b.rotation = math::rotation_exp({0, 0, 0.5});
  spec.joints[1].limits = {{-1, 0.5}};
  EXPECT_TRUE(findings_of(spec).empty());
  spec.joints[1].limits = {{-1, 0.4}};
  EXPECT_MENTIONS(only(spec, "limits").message,
                  "joint 'J1' stands at 0.5 in the drawn pose, outside its limits [-1, 0.4]");
  spec.joints[1].limits = {{0.6, 1}};
  EXPECT_MENTIONS(only(spec, "limits").message, "outside its limits [0.6, 1]");
}

// A rope from the ground to a body that is drawn 0.5 m farther away than it reaches.
TEST(Lint, TellsASpringDrawnLongerOrShorterThanItMayBe) {
  ModelSpec spec = chain();
  SpringSpec rope;
  rope.a = kGround;
  rope.b = spec.bodies.back().name;
  rope.in_world = true;
  rope.point_b = Vector3d(0, 0, 2);
  rope.limits = {{0, 2}};
  spec.forces.push_back({"rope", rope, {"m.yaml", 31, 0}});
  EXPECT_TRUE(findings_of(spec).empty());
  SpringSpec& law = std::get<SpringSpec>(spec.forces.back().law);
  law.limits = {{0, 1.5}};
  EXPECT_MENTIONS(only(spec, "limits").message,
                  "spring 'rope' is 2 m long in the drawn pose, outside its limits [0, 1.5]");
  EXPECT_EQ(only(spec, "limits").where.line, 31);
  law.limits = {{2.5, 2.5}};
  EXPECT_MENTIONS(only(spec, "limits").message, "outside its limits [2.5, 2.5]");
}

// 7 rad are seldom meant; two turns are, in whatever digits, and so is a limit of 400 degrees that was converted.
TEST(Lint, TellsLimitsBeyondATurnThatAreNoWholeDegrees) {
  ModelSpec spec = chain();
  for (const double meant : {2 * pi, 4 * pi, 12.5664, 400 * pi / 180, 6.3, 1e16}) {
    spec.joints[1].limits = {{-meant, meant}};
    EXPECT_TRUE(findings_of(spec).empty()) << meant;
  }
  for (const double doubtful : {7.0, 22.0, 90.0, 35.4}) {
    spec.joints[1].limits = {{-1, doubtful}};
    EXPECT_MENTIONS(only(spec, "degrees").message, "limits of 'J1' lie beyond a turn: [-1, ");
  }
  spec.joints[1].limits = {{-35, 50}};
  EXPECT_MENTIONS(only(spec, "degrees").message, "[-35, 50] rad; if degrees are meant, write [-0.610865, 0.872665]");
  EXPECT_EQ(only(spec, "degrees").where.line, 21);
}

// The second number of a cylindrical joint is its angle; its first and a lead screw's only one are none to suspect.
TEST(Lint, SuspectsAnglesAlone) {
  ModelSpec spec = chain();
  spec.joints[1].type = JointType::kCylindrical;
  spec.joints[1].limits = {{-90, 90}, {-1, 1}};
  EXPECT_TRUE(findings_of(spec).empty());
  spec.joints[1].limits = {{-1, 1}, {-90, 90}};
  only(spec, "degrees");
  spec.joints[1].type = JointType::kScrew;
  spec.joints[1].pitch = 0.01;
  spec.joints[1].limits = {{-90, 90}};
  EXPECT_TRUE(findings_of(spec).empty());
}

TEST(Lint, TellsAKeyframeInDegreesOnce) {
  ModelSpec spec = chain();
  spec.keyframes = {{"up", {{"J0", {0.5}}, {"J1", {45}}, {"J2", {90}}}, {}}, {"down", {{"J1", {2 * pi}}}, {}}};
  EXPECT_MENTIONS(only(spec, "degrees").message,
                  "keyframe 'up' turns joint 'J1' by 45 rad, more than a turn; if degrees are meant, write 0.785398");
}

TEST(Lint, TellsABrokenCoupling) {
  ModelSpec spec = chain();
  spec.joints[0].in_b.rotation = math::rotation_exp({0, 0, 0.5});
  spec.joints[1].in_b.rotation = math::rotation_exp({0, 0, 0.3});
  spec.couplings = {{"", {"J0", "J1"}, {1, -2}, 0.5 - 0.6, {}, {}}};
  EXPECT_TRUE(findings_of(spec).empty());
  spec.couplings[0].offset = 0.5;
  EXPECT_MENTIONS(only(spec, "coupling").message, "a coupling of 'J0' is off by -0.6 in the drawn pose");
}

// J0 = 0.5 and J1 = 0.3; the law J0 = c + 2 J1^2.
TEST(Lint, TellsABrokenPolynomialCoupling) {
  ModelSpec spec = chain();
  spec.joints[0].in_b.rotation = math::rotation_exp({0, 0, 0.5});
  spec.joints[1].in_b.rotation = math::rotation_exp({0, 0, 0.3});
  spec.couplings = {{"", {"J0", "J1"}, {}, 0, {0.5 - 0.18, 0, 2}, {}}};
  EXPECT_TRUE(findings_of(spec).empty());
  spec.couplings[0].polynomial = {0.2, 0, 2};
  EXPECT_MENTIONS(only(spec, "coupling").message, "off by 0.12");
  // Of one joint: it stands where the polynomial says.
  spec.couplings = {{"", {"J0"}, {}, 0, {0.5}, {}}};
  EXPECT_TRUE(findings_of(spec).empty());
  spec.couplings[0].polynomial = {0.4};
  EXPECT_MENTIONS(only(spec, "coupling").message, "off by 0.1");
}

TEST(Lint, ReportsKindByKind) {
  ModelSpec spec = chain();
  spec.bodies[0].inertia = Vector3d(1, 1, 4).asDiagonal();
  spec.bodies[2] = ball("C", 0);
  spec.joints[1].in_b.position = {0.5, 0, 0};
  spec.joints[0].limits = {{1, 2}};
  std::string kinds;
  for (const Finding& finding : findings_of(spec)) kinds += finding.kind + " ";
  EXPECT_EQ(kinds, "inertia massless open limits ");
}

}  // namespace
}  // namespace espalier::model
