#include "espalier/model/model.hpp"

#include <gtest/gtest.h>

#include "espalier/model/test/support.hpp"

namespace espalier::model {
namespace {

// Ground, a hinge to an arm, a slider to a carriage.
ModelSpec make_spec() {
  ModelSpec spec;
  for (const char* name : {"arm", "carriage"}) {
    BodySpec body;
    body.name = name;
    body.mass = 1;
    body.inertia = Eigen::Matrix3d::Identity();
    spec.bodies.push_back(body);
  }
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.a = kGround;
  hinge.b = "arm";
  spec.joints.push_back(hinge);
  JointSpec slider = hinge;
  slider.name = "slider";
  slider.type = JointType::kPrismatic;
  slider.b = "carriage";
  spec.joints.push_back(slider);
  return spec;
}

ForceSpec load_on(const char* joint, bool torque, const char* value) {
  LoadSpec load;
  load.joint = joint;
  load.torque = torque;
  load.value = {*parse_expression(value, {})};
  return {"", load, {}};
}

ForceSpec motion_of(const char* joint, const char* value) {
  MotionSpec motion;
  motion.joint = joint;
  motion.value = *parse_expression(value, {});
  return {"", motion, {}};
}

Laws laws_of(const ModelSpec& spec) {
  const Result<Model> model = compile(spec);
  EXPECT_TRUE(model) << model.error().message;
  return resolve_laws(*model);
}

TEST(ResolveLaws, OfPlainJointsAreNone) {
  const Laws laws = laws_of(make_spec());
  ASSERT_EQ(laws.joints.size(), 2u);
  for (const JointLaw& joint : laws.joints) {
    EXPECT_TRUE(joint.coordinates.empty());
    EXPECT_FALSE(joint.is_driven());
  }
  EXPECT_TRUE(laws.efforts.empty());
  EXPECT_TRUE(laws.equations.empty());
}

TEST(ResolveLaws, FillsWhatAJointDoesNotSayWithZeros) {
  ModelSpec spec = make_spec();
  spec.joints[0].type = JointType::kUniversal;
  spec.joints[0].stiffness = {0, 5};
  const Laws laws = laws_of(spec);
  ASSERT_EQ(laws.joints[0].coordinates.size(), 2u);
  EXPECT_EQ(laws.joints[0].coordinates[1].stiffness, 5);
  EXPECT_EQ(laws.joints[0].coordinates[1].rest, 0);
  EXPECT_EQ(laws.joints[0].coordinates[0].damping, 0);
  EXPECT_FALSE(laws.joints[0].coordinates[0].limits);
}

// Robot files write a number without meaning where there is no limit.
TEST(ResolveLaws, LimitsOfAMillionAreNone) {
  ModelSpec spec = make_spec();
  spec.joints[0].limits = {{-1e6, 1e16}};
  spec.joints[1].limits = {{-1e6, 2}};
  const Laws laws = laws_of(spec);
  EXPECT_TRUE(laws.joints[0].coordinates.empty());
  ASSERT_EQ(laws.joints[1].coordinates.size(), 1u);
  EXPECT_EQ((*laws.joints[1].coordinates[0].limits)[1], 2);
}

TEST(ResolveLaws, LoadsOnOneJointAreOneEffortHeldToItsLimit) {
  ModelSpec spec = make_spec();
  spec.joints[0].effort_limit = 3;
  spec.forces = {load_on("hinge", true, "2 * t"), load_on("slider", false, "7"), load_on("hinge", true, "-1")};
  const Laws laws = laws_of(spec);
  ASSERT_EQ(laws.efforts.size(), 2u);
  EXPECT_EQ(laws.joints[0].effort, 0);
  EXPECT_EQ(laws.joints[1].effort, 1);
  for (const double time : {-5.0, 0.0, 0.5, 1.5, 2.0, 9.0}) {
    EXPECT_EQ(evaluate(laws.efforts[0], time, {}), std::clamp(2 * time - 1, -3.0, 3.0)) << time;
    EXPECT_EQ(evaluate(*as_expression(laws.efforts[0]), time), evaluate(laws.efforts[0], time, {})) << time;
  }
  EXPECT_EQ(as_expression(laws.efforts[1])->text, "7");
}

// Watched by the order of their first use: q(slider), v(hinge), q(hinge).
TEST(ResolveLaws, FormulasShareTheCoordinatesTheyName) {
  ModelSpec spec = make_spec();
  spec.joints[0].effort_limit = 100;
  spec.forces = {load_on("slider", false, "7*q(slider) - v(hinge)"), load_on("hinge", true, "q(hinge) + 10*v(hinge)"),
                 load_on("hinge", true, "t*q(slider)")};
  const Result<Model> model = compile(spec);
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_EQ(model->watched.size(), 3u);
  EXPECT_EQ(model->watched[1].joint, JointId(0));
  EXPECT_TRUE(model->watched[1].is_rate);
  const Laws laws = resolve_laws(*model);
  EXPECT_TRUE(laws.joints[0].named[0]);
  EXPECT_TRUE(laws.joints[1].named[0]);
  const double inputs[] = {2, 3, 5};
  EXPECT_EQ(evaluate(laws.efforts[0], 4, inputs), 7 * 2 - 3);
  EXPECT_EQ(evaluate(laws.efforts[1], 4, inputs), 5 + 10 * 3 + 4 * 2);
  EXPECT_EQ(evaluate(*as_expression(laws.efforts[1]), 4, inputs), 5 + 10 * 3 + 4 * 2);
}

TEST(ResolveLaws, ARateAloneNeedsNoPosition) {
  ModelSpec spec = make_spec();
  spec.forces = {load_on("hinge", true, "-v(hinge)")};
  EXPECT_FALSE(laws_of(spec).joints[0].named[0]);
}

std::string refusal(const char* value, JointType type = JointType::kRevolute) {
  ModelSpec spec = make_spec();
  spec.joints[0].type = type;
  spec.forces = {load_on("slider", false, value)};
  spec.forces[0].where = {"m.yaml", 7, 0};
  const Result<Model> model = compile(spec);
  EXPECT_FALSE(model) << value;
  return model ? "" : to_string(model.error());
}

TEST(Compile, RefusesCoordinatesThatAreNotThere) {
  EXPECT_NE(refusal("q(hing)").find("m.yaml:7"), std::string::npos) << refusal("q(hing)");
  EXPECT_NE(refusal("q(hing)").find("did you mean 'hinge'"), std::string::npos) << refusal("q(hing)");
  EXPECT_NE(refusal("q(hinge, 2)").find("has 1 coordinate"), std::string::npos) << refusal("q(hinge, 2)");
  EXPECT_NE(refusal("v(hinge)", JointType::kSpherical).find("no coordinates of its own"), std::string::npos);
  EXPECT_NE(refusal("v(hinge)", JointType::kFixed).find("does not move"), std::string::npos);
}

TEST(Compile, RefusesAMotionByCoordinates) {
  ModelSpec spec = make_spec();
  spec.forces = {motion_of("hinge", "q(slider)")};
  spec.forces[0].where = {"m.yaml", 7, 0};
  const Result<Model> model = compile(spec);
  ASSERT_FALSE(model);
  EXPECT_NE(to_string(model.error()).find("m.yaml:7"), std::string::npos);
  EXPECT_NE(model.error().message.find("function of time alone"), std::string::npos) << model.error().message;
}

TEST(ResolveLaws, MotionsComeBeforeCouplings) {
  ModelSpec spec = make_spec();
  CouplingSpec gear;
  gear.name = "gear";
  gear.joints = {"hinge", "slider"};
  gear.ratio = {1, -0.5};
  gear.offset = 0.25;
  spec.couplings.push_back(gear);
  spec.forces = {motion_of("slider", "sin(t)")};
  const Laws laws = laws_of(spec);
  ASSERT_EQ(laws.equations.size(), 2u);
  EXPECT_EQ(laws.joints[1].motions, std::vector<int>{0});
  EXPECT_EQ(laws.joints[0].couplings, std::vector<int>{1});
  EXPECT_EQ(laws.joints[1].couplings, std::vector<int>{1});
  EXPECT_TRUE(laws.joints[0].is_driven());
  EXPECT_EQ(laws.equations[0].value.text, "sin(t)");
  EXPECT_EQ(laws.equations[1].terms[1].ratio, -0.5);
  EXPECT_EQ(laws.equations[1].offset, 0.25);
}

TEST(LengthRange, OfARopeHasNoLowerEnd) {
  Spring spring;
  EXPECT_FALSE(length_range(spring));
  spring.limits = {{0, 2}};
  EXPECT_LT((*length_range(spring))[0], -1e300);
  EXPECT_EQ((*length_range(spring))[1], 2);
  spring.limits = {{2, 2}};
  EXPECT_EQ((*length_range(spring))[0], 2);
}

}  // namespace
}  // namespace espalier::model
