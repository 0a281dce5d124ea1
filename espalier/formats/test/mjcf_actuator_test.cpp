// Actuators as drives: without a control, at the controls of a keyframe, and written back.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/mjcf_round_trip.hpp"
#include "espalier/formats/test/mjcf_support.hpp"

namespace espalier::formats {
namespace {

using namespace mjcf_test;

TEST(MjcfActuators, AMotorLimitsTheEffortOfItsJointByGearAndRange) {
  const auto effort = [](const std::string& motor) {
    const ModelSpec spec = read(in_world(kTwo, "<actuator>" + motor + "</actuator>"));
    EXPECT_TRUE(spec.joints[0].actuated) << motor;
    EXPECT_FALSE(spec.joints[1].actuated) << motor;
    return spec.joints[0].effort_limit;
  };
  EXPECT_EQ(effort("<motor joint='i' gear='-5' ctrlrange='-2 2'/>"), 10);
  EXPECT_EQ(effort("<motor joint='i' gear='5' ctrlrange='-2 2' forcerange='-3 3'/>"), 15);
  EXPECT_EQ(effort("<motor joint='i' ctrlrange='-2 2' ctrllimited='false'/>"), std::nullopt);
  // The control of a servo is a position: its range is no force.
  EXPECT_EQ(effort("<position joint='i' ctrlrange='-2 2'/>"), std::nullopt);
  EXPECT_EQ(effort("<motor joint='i' forcerange='-3 3'/><motor joint='i' forcerange='-8 8'/>"), 8);
}

// The effort at q = 0.2 and v = 3 of the actuator of joint i.
double effort_of(const std::string& actuator) {
  const ModelSpec spec = read(in_world(kTwo, "<actuator>" + actuator + "</actuator>"));
  EXPECT_EQ(spec.forces.size(), 1u) << actuator;
  if (spec.forces.empty()) return 0;
  const auto& load = std::get<model::LoadSpec>(spec.forces[0].law);
  EXPECT_EQ(load.joint, spec.joints[0].name);
  std::vector<double> inputs;
  for (const model::Expression::Input& input : load.value[0].inputs) inputs.push_back(input.is_rate ? 3 : 0.2);
  return model::evaluate(load.value[0], 0, inputs);
}

// MuJoCo: gear (gain control + bias_0 + bias_1 gear q + bias_2 gear v), each force held to its range, by hand.
TEST(MjcfActuators, ServosAreDrivesWithoutControl) {
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='100' kv='5'/>"), -100 * 0.2 - 5 * 3);
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='10' gear='-2'/>"), -4 * 10 * 0.2);
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='10' ctrlrange='0.5 1'/>"), 10 * (0.5 - 0.2));
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='100' forcerange='-1 7'/>"), -1);
  EXPECT_DOUBLE_EQ(effort_of("<position joint='i' kp='100' gear='-1' forcerange='-7 1'/>"), -1 * std::min(1.0, 20.0));
  EXPECT_DOUBLE_EQ(effort_of("<velocity joint='i' kv='4'/>"), -12);
  EXPECT_DOUBLE_EQ(effort_of("<general joint='i' gainprm='2' biastype='affine' biasprm='7 -10 -1'/>"), 7 - 2 - 3);
}

TEST(MjcfActuators, WhatHasNoControlOrAnotherLawIsNoDrive) {
  for (const char* actuator : {"<motor joint='i'/>", "<general joint='i' gainprm='5'/>", "<muscle joint='i'/>",
                               "<position joint='i' kp='5' timeconst='0.1'/>",
                               "<general joint='i' dyntype='filter' biastype='affine' biasprm='0 -1 0'/>"}) {
    EXPECT_TRUE(read(in_world(kTwo, std::string("<actuator>") + actuator + "</actuator>")).forces.empty()) << actuator;
  }
}

// kTwo with these actuators and one key.
ModelSpec keyed(const std::string& actuators, const std::string& ctrl) {
  return read(in_world(kTwo, "<actuator>" + actuators + "</actuator><keyframe><key name='home' qpos='0.1 0.2' ctrl='" +
                                 ctrl + "'/></keyframe>"));
}

// What the loads on joint i give at q = 0.2 and v = 3, as drawn and in keyframe `home`.
std::pair<double, double> efforts_of(const std::string& actuator, const std::string& ctrl) {
  const Model model = compiled(keyed(actuator, ctrl));
  const auto sum = [](const Model& some) {
    double effort = 0;
    for (const model::Force& force : some.forces) {
      std::vector<double> inputs;
      for (const model::Watched& watched : some.watched) inputs.push_back(watched.is_rate ? 3 : 0.2);
      effort += model::evaluate(std::get<model::Load>(force.law).value[0], 0, inputs);
    }
    return effort;
  };
  return {sum(model), sum(model::with_loads(model, model.keyframes.at(0)))};
}

TEST(MjcfActuators, AKeyframeHasControlsOfItsOwn) {
  using Pair = std::pair<double, double>;
  const auto expect = [](const std::string& actuator, const std::string& ctrl, const Pair& wanted) {
    const Pair found = efforts_of(actuator, ctrl);
    EXPECT_DOUBLE_EQ(found.first, wanted.first) << actuator;
    EXPECT_DOUBLE_EQ(found.second, wanted.second) << actuator;
  };
  expect("<position joint='i' kp='100' kv='5'/>", "0.7", {-100 * 0.2 - 5 * 3, 100 * (0.7 - 0.2) - 5 * 3});
  expect("<position joint='i' kp='10' gear='-2'/>", "0.5", {-4 * 10 * 0.2, -2 * 10 * (0.5 + 2 * 0.2)});
  expect("<position joint='i' kp='10' ctrlrange='-1 0.3'/>", "7", {-10 * 0.2, 10 * (0.3 - 0.2)});
  expect("<velocity joint='i' kv='4'/>", "2", {-12, 4 * (2 - 3)});
  // What nobody controls does nothing, until a keyframe does.
  expect("<motor joint='i' gear='5' ctrlrange='-2 2'/>", "1.5", {0, 7.5});
  expect("<motor joint='i' gear='5' ctrlrange='-2 2'/>", "9", {0, 10});
  expect("<general joint='i' gainprm='3'/>", "2", {0, 6});
  expect("<motor joint='i'/>", "0", {0, 0});
}

TEST(MjcfActuators, ControlsStandInTheOrderOfTheFile) {
  const ModelSpec spec = keyed("<motor joint='k' name='m'/><position joint='i' kp='10'/><motor joint='i'/>", "0 0.5 2");
  ASSERT_EQ(spec.keyframes.size(), 1u);
  const auto& loads = spec.keyframes[0].loads;
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].first, "i_actuator");
  EXPECT_EQ(loads[0].second[0].text, "5 - 10*q(i)");
  EXPECT_EQ(loads[1].first, "i_actuator_2") << "each has a name of its own";
  EXPECT_EQ(loads[1].second[0].text, "2");
  EXPECT_TRUE(model::compile(spec));
}

TEST(MjcfActuators, SaysWhichControlsItCannotRead) {
  const std::string end = "</actuator><keyframe><key name='home' ctrl='1'/></keyframe>";
  const ModelSpec two = read(in_world(kTwo, "<actuator><motor joint='i'/><motor joint='k'/>" + end));
  EXPECT_TRUE(has_note(two, "ctrl of keyframe 'home' has 1 number, and there are 2 actuators: not read"));
  const ModelSpec spec = read(in_world(kTwo, "<actuator><muscle name='m' joint='i'/>" + end));
  EXPECT_TRUE(has_note(spec, "keyframe 'home' controls <muscle> 'm', whose control law is not read"));
  EXPECT_TRUE(spec.keyframes[0].loads.empty());
}

// A hinge and a slide with these loads.
ModelSpec driven(const std::string& hinge, const std::string& slide) {
  Draw draw(5);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints = {make_joint(spec, "pin", JointType::kRevolute, -1, 0, draw),
                 make_joint(spec, "rail", JointType::kPrismatic, 0, 1, draw)};
  const auto add = [&](const std::string& joint, bool torque, const std::string& text) {
    if (text.empty()) return;
    model::LoadSpec load;
    load.torque = torque;
    load.joint = joint;
    load.value = {*model::parse_expression(text)};
    spec.forces.push_back({joint + "_drive", load, {}});
  };
  for (JointSpec& joint : spec.joints) {
    joint.actuated = true;
    joint.effort_limit = 40;
    joint.limits.clear();
  }
  add("pin", true, hinge);
  add("rail", false, slide);
  return spec;
}

TEST(MjcfActuators, ServosAreWrittenBack) {
  const auto expect = [](const std::string& formula, const std::string& element) {
    const RoundTrip trip = round_trip(driven(formula, ""));
    EXPECT_EQ(trip.differences, "") << formula << "\n" << trip.text;
    EXPECT_NE(trip.text.find(element), std::string::npos) << formula << "\n" << trip.text;
    // One drive, one actuator: a motor beside it would drive twice.
    EXPECT_EQ(trip.text.find("<motor name=\"pin\""), std::string::npos) << trip.text;
    EXPECT_NE(trip.text.find("<motor name=\"rail\""), std::string::npos) << trip.text;
  };
  expect("-100*q(pin)", "<position name=\"pin_drive\" joint=\"pin\" kp=\"100\"/>");
  expect("100*(0 - q(pin)) - 5*v(pin)", "kp=\"100\" kv=\"5\"/>");
  expect("-5*v(pin)", "<velocity name=\"pin_drive\" joint=\"pin\" kv=\"5\"/>");
  expect("100*(0.5 - q(pin)) - 5*v(pin)",
         "<general name=\"pin_drive\" joint=\"pin\" biastype=\"affine\" gainprm=\"100\" biasprm=\"50 -100 -5\"/>");
  expect("max(-3, min(40, -100*q(pin)))", "kp=\"100\" forcerange=\"-3 40\"/>");
  expect("7", "biasprm=\"7 0 0\"/>");
}

TEST(MjcfActuators, WhatIsNoServoIsListedAsLost) {
  for (const char* formula : {"sin(t)", "-q(pin)^3", "q(rail)", "max(0, q(pin))"}) {
    const RoundTrip trip = round_trip(driven(formula, "-3*q(rail)"));
    EXPECT_EQ(trip.differences, "force pin_drive : present -> \n") << formula;
  }
}

TEST(MjcfActuators, KeyframesKeepTheirControls) {
  ModelSpec spec = driven("-100*q(pin) - 5*v(pin)", "4 - 10*v(rail)");
  const auto value = [](const char* text) { return std::vector{*model::parse_expression(text)}; };
  spec.keyframes = {{"home", {}, {}, {{"pin_drive", value("50 - 100*q(pin) - 5*v(pin)")}}},
                    {"run", {}, {}, {{"rail_drive", value("-1 - 10*v(rail)")}}},
                    {"still", {}, {}, {}}};
  RoundTrip trip = round_trip(spec);
  EXPECT_NE(trip.text.find("ctrl=\"0.5 0\""), std::string::npos) << trip.text;
  EXPECT_NE(trip.text.find("ctrl=\"0 -0.5\""), std::string::npos) << trip.text;
  // Positions that a keyframe left as drawn are written out.
  EXPECT_EQ(trip.differences.find("load"), std::string::npos) << trip.differences;
  // Another gain is no other control.
  spec.keyframes[0].loads[0].second = value("-20*q(pin)");
  trip = round_trip(spec);
  EXPECT_NE(trip.differences.find("keyframe home load: pin_drive -> "), std::string::npos) << trip.differences;
}

// A loop closes at a hinge with a servo: it keeps its coordinate.
TEST(MjcfActuators, AServoAtALoopKeepsItsJoint) {
  Draw draw(9);
  ModelSpec spec = pair_of_bodies(draw);
  spec.joints = {make_joint(spec, "one", JointType::kRevolute, -1, 0, draw),
                 make_joint(spec, "two", JointType::kSpherical, 0, 1, draw),
                 make_joint(spec, "three", JointType::kRevolute, 1, -1, draw)};
  for (JointSpec& joint : spec.joints) {
    joint.limits.clear();
    joint.stiffness.clear();
    joint.rest.clear();
  }
  for (const std::string joint : {"one", "three"}) {
    model::LoadSpec load;
    load.torque = true;
    load.joint = joint;
    load.value = {*model::parse_expression("-3*q(" + joint + ")")};
    spec.forces.push_back({"", load, {}});
  }
  const RoundTrip trip = round_trip(spec);
  EXPECT_EQ(trip.after.forces.size(), 2u) << trip.text;
  EXPECT_EQ(trip.differences.find("force"), std::string::npos) << trip.differences;
}

}  // namespace
}  // namespace espalier::formats
