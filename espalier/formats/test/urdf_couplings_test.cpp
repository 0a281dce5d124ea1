#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/test/urdf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using model::ModelSpec;

TEST(UrdfCouplings, ReadsMimicAsACoupling) {
  const ModelSpec spec = read(two_with("continuous", "") + R"(<link name="c"/>
    <joint name="k" type="continuous"><parent link="b"/><child link="c"/>
      <mimic joint="j" multiplier="2" offset="0.5"/></joint>)");
  ASSERT_EQ(spec.couplings.size(), 1u);
  EXPECT_EQ(spec.couplings[0].joints, (std::vector<std::string>{"k", "j"}));
  EXPECT_EQ(spec.couplings[0].ratio, (std::vector<double>{1, -2}));
  EXPECT_EQ(spec.couplings[0].offset, 0.5);
  EXPECT_TRUE(has_note(spec, "<mimic>: read as a coupling"));
  EXPECT_TRUE(model::compile(spec));
}

TEST(UrdfCouplings, MarksJointsOfATransmissionAsActuated) {
  const ModelSpec spec = read(two_with("continuous", "") + R"(
    <transmission name="t"><type>x</type><joint name="j"/><actuator name="m"><drake:rotor_inertia value="3e-5"/>
    <drake:gear_ratio value="10"/></actuator></transmission>)");
  EXPECT_TRUE(joint(spec, "j").actuated);
  ASSERT_EQ(joint(spec, "j").armature.size(), 1u);
  EXPECT_NEAR(joint(spec, "j").armature[0], 3e-3, 1e-15);
}

// The file of one joint and this transmission.
ModelSpec with_transmission(const std::string& transmission) { return read(two_with("continuous", "") + transmission); }

std::string simple(const std::string& inside) {
  return "<transmission name=\"drive\"><type>transmission_interface/SimpleTransmission</type>" + inside +
         "</transmission>";
}

TEST(UrdfCouplings, ReadsTheReductionAndTheInterfaceOfAMotor) {
  const auto of = [](const std::string& inside) { return joint(with_transmission(simple(inside)), "j").transmission; };
  using model::MotorInterface;
  const auto expect = [&](const std::string& inside, double reduction, MotorInterface interface) {
    const std::optional<model::TransmissionSpec> read = of(inside);
    ASSERT_TRUE(read) << inside;
    EXPECT_EQ(read->name, "drive");
    EXPECT_EQ(read->reduction, reduction) << inside;
    EXPECT_EQ(read->interface, interface) << inside;
  };
  expect(
      "<joint name=\"j\"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>"
      "<actuator name=\"m\"><mechanicalReduction>50</mechanicalReduction></actuator>",
      50, MotorInterface::kEffort);
  expect(
      "<joint name=\"j\"><hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface></joint>"
      "<actuator name=\"m\"/>",
      1, MotorInterface::kPosition);
  expect(
      "<joint name=\"j\"/><actuator name=\"m\"><hardwareInterface> VelocityJointInterface </hardwareInterface>"
      "<mechanicalReduction>-2.5</mechanicalReduction></actuator>",
      -2.5, MotorInterface::kVelocity);
  // As the first robots had it.
  const ModelSpec old = with_transmission(
      "<transmission name=\"drive\" type=\"pr2_mechanism_model/SimpleTransmission\"><actuator name=\"m\"/>"
      "<joint name=\"j\"/><mechanicalReduction>79.25</mechanicalReduction></transmission>");
  ASSERT_TRUE(joint(old, "j").transmission);
  EXPECT_EQ(joint(old, "j").transmission->reduction, 79.25);
}

// Without gains a motor to a position is no drive, and the joint is free: that must be said.
TEST(UrdfCouplings, SaysWhatATransmissionLeavesOpen) {
  const std::string inside = "<joint name=\"j\"><hardwareInterface>{}</hardwareInterface></joint>";
  const auto noted = [&](const std::string& word, const std::string& note) {
    const ModelSpec spec = with_transmission(simple(fmt::format(fmt::runtime(inside), word)));
    EXPECT_TRUE(joint(spec, "j").actuated);
    EXPECT_TRUE(spec.forces.empty());
    return has_note(spec, note);
  };
  EXPECT_TRUE(noted("PositionJointInterface", "URDF has no gains, so that nothing drives its joint"));
  EXPECT_FALSE(noted("EffortJointInterface", "URDF has no gains"));
  EXPECT_TRUE(noted("PosVelJointInterface", "hardware interface 'PosVelJointInterface': read as that of efforts"));
  const ModelSpec two = with_transmission(simple("<joint name=\"j\"/>") + simple("<joint name=\"j\"/>"));
  EXPECT_TRUE(has_note(two, "a second <transmission> of a joint"));
  const ModelSpec shared = with_transmission(
      "<transmission name=\"wrist\"><type>transmission_interface/DifferentialTransmission</type><joint name=\"j\"/>"
      "</transmission>");
  EXPECT_TRUE(joint(shared, "j").actuated);
  EXPECT_FALSE(joint(shared, "j").transmission);
  EXPECT_TRUE(has_note(shared, "<transmission> of type DifferentialTransmission"));
  expect_problem(two_with("continuous", "") +
                     simple("<joint name=\"j\"/><actuator name=\"m\"><mechanicalReduction>x</mechanicalReduction>"
                            "</actuator>"),
                 "<mechanicalReduction> must be a number, not 'x'");
}

// base - p1 - p2 and base - s1: two chains, coupled at their ends.
TEST(UrdfCouplings, CouplesAllJointsOnThePathsOfACoupling) {
  const ModelSpec spec = read(R"(<link name="base"/><link name="p1"/><link name="p2"/><link name="s1"/>
    <joint name="jp1" type="continuous"><parent link="base"/><child link="p1"/></joint>
    <joint name="jp2" type="continuous"><parent link="p1"/><child link="p2"/></joint>
    <joint name="js1" type="continuous"><parent link="base"/><child link="s1"/></joint>
    <coupling name="c"><predecessor link="p2"/><successor link="s1"/><ratio value="3"/></coupling>)");
  ASSERT_EQ(spec.couplings.size(), 1u);
  EXPECT_EQ(spec.couplings[0].joints, (std::vector<std::string>{"jp1", "jp2", "js1"}));
  EXPECT_EQ(spec.couplings[0].ratio, (std::vector<double>{3, 3, -1}));
  EXPECT_TRUE(model::compile(spec));
}

TEST(UrdfCouplings, BoundsWhatCouplingsMayRepeat) {
  std::string content = "<link name=\"l0\"/>";
  for (int i = 1; i < 2000; ++i) {
    content += fmt::format(
        "<link name=\"l{0}\"/><joint name=\"j{0}\" type=\"continuous\"><parent link=\"l{1}\"/>"
        "<child link=\"l{0}\"/></joint>\n",
        i, i - 1);
  }
  for (int i = 0; i < 2000; ++i)
    content += "<coupling><predecessor link=\"l0\"/><successor link=\"l1999\"/></coupling>";
  expect_problem(content, "more than 1000000 joints");
}

}  // namespace
}  // namespace espalier::formats
