#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/native_support.hpp"
#include "espalier/formats/test/support.hpp"
#include "espalier/formats/tuning.hpp"
#include "espalier/formats/variants.hpp"
#include "espalier/model/model.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {
namespace {

using namespace native_test;
using model::ModelSpec;

const char* const kModel = R"M(espalier: 1
constants:
  k: 1e4
  t: 0.002
  twice: 2*k
bodies:
  - {name: arm, mass: k/5e3, com: [t, 0, -t], inertia: [1, 1, "max(t, 1)"]}
joints:
  - {name: pin, type: revolute, between: [ground, arm], at: {axis: [0, 1, 0]}, stiffness: 2*k, limits: [-pi/2, pi/2]}
forces:
  - {name: motor, torque: {joint: pin, value: "twice*sin(2*pi*t)"}}
)M";

std::string written(const ModelSpec& spec) { return write_model(spec, Format::kNative)->text; }

const model::Expression& law_of(const ModelSpec& spec) {
  return std::get<model::LoadSpec>(spec.forces[0].law).value[0];
}

TEST(NativeConstants, StandForTheirNumbersInFormulas) {
  const ModelSpec spec = read(kModel);
  EXPECT_EQ(body(spec, "arm").mass, 2);
  EXPECT_EQ(*body(spec, "arm").com, Eigen::Vector3d(0.002, 0, -0.002));
  EXPECT_EQ((*body(spec, "arm").inertia)(2, 2), 1);
  EXPECT_EQ(joint(spec, "pin").stiffness[0], 2e4);
  EXPECT_EQ(joint(spec, "pin").limits[0][1], std::numbers::pi / 2);
  EXPECT_TRUE(spec.notes.size() == 1 && spec.notes[0].message.find("`t` is the time") != std::string::npos);
}

TEST(NativeConstants, ALawKeepsTAsTheTime) {
  const ModelSpec spec = read(kModel);
  EXPECT_NEAR(model::evaluate(law_of(spec), 0.25), 2e4, 1e-9);
  EXPECT_NEAR(model::evaluate(law_of(spec), 0.5), 0, 1e-9);
  EXPECT_EQ(law_of(spec).text.find("twice"), std::string::npos) << "engines know no constants";
}

TEST(NativeConstants, AFormulaIsInTheUnitsOfTheFile) {
  const ModelSpec spec = read(R"(espalier: 1
units: {length: mm, angle: deg}
constants: {L: 500, v: 3}
bodies: [{name: a, mass: 1, com: [2*L, 0, 0], inertia: [1e6, 1e6, 1e6]}]
joints: [{name: p, type: prismatic, between: [ground, a], at: {}, stiffness: v, limits: [-L, L]}]
forces: [{motion: {joint: p, position: "v*t"}}]
)");
  EXPECT_EQ(body(spec, "a").com->x(), 1);
  EXPECT_EQ(joint(spec, "p").stiffness[0], 3 / 0.001);
  EXPECT_EQ(joint(spec, "p").limits[0][1], 0.5);
  const ModelSpec again = read(written(spec));
  EXPECT_EQ(body(again, "a").com->x(), 1);
  EXPECT_EQ(joint(again, "p").limits[0][1], 0.5);
  EXPECT_MENTIONS(written(spec), "limits: [\"(-L)*0.001\", \"(L)*0.001\"]");
}

TEST(NativeConstants, AreWrittenBackWithTheFormulas) {
  const std::string text = written(read(kModel));
  EXPECT_MENTIONS(text, "constants:\n  k: 10000");
  EXPECT_MENTIONS(text, "twice: \"2*k\"");
  EXPECT_MENTIONS(text, "mass: k/5e3");
  EXPECT_MENTIONS(text, "stiffness: 2*k");
  EXPECT_MENTIONS(text, "value: \"twice*sin(2*pi*t)\"");
  EXPECT_EQ(written(read(text)), text);
}

TEST(NativeConstants, ANumberThatIsWrittenOtherwiseIsNamed) {
  // The writer gives an axis the length 1, and an angle as a quaternion.
  const ModelSpec spec = read(R"(espalier: 1
constants: {a: 2}
bodies: [{name: b, mass: a, inertia: [1, 1, 1], pose: {rpy: [0, 0, a/4]}}]
joints: [{name: pin, type: revolute, between: [ground, b], at: {axis: [0, a, 0]}}]
)");
  const Result<Conversion> native = convert(spec, Format::kNative);
  ASSERT_TRUE(native);
  std::vector<std::string> lost;
  for (const model::Difference& change : native->changes) lost.push_back(change.name);
  EXPECT_EQ(lost, (std::vector<std::string>{"bodies.b.pose.rpy.2", "joints.pin.at.axis.1"}));
  EXPECT_MENTIONS(native->written.text, "mass: \"a\"");
}

TEST(NativeConstants, OtherFormatsLoseThem) {
  const Result<Conversion> urdf = convert(read(kModel), Format::kUrdf);
  ASSERT_TRUE(urdf) << to_string(urdf.error());
  int constants = 0;
  for (const model::Difference& change : urdf->changes) constants += change.element == "constant";
  EXPECT_EQ(constants, 3);
}

std::string problem(const std::string& constants, const std::string& mass) {
  return error_of("espalier: 1\nconstants: " + constants + "\nbodies:\n  - {name: a, mass: " + mass +
                  ", inertia: [1, 1, 1]}\n");
}

TEST(NativeConstants, AnUnknownNameIsToldWithTheLineAndTheNearestOne) {
  const std::string message = problem("{stiff: 1}", "2*stif");
  EXPECT_MENTIONS(message, "test.yaml:4");
  EXPECT_MENTIONS(message, "'stif' in '2*stif' is no constant; did you mean 'stiff'?");
  EXPECT_MENTIONS(problem("", "2*k"), "`constants: {k: ...}`");
  EXPECT_MENTIONS(problem("", "heavy"), "must be a number, not 'heavy'");
  EXPECT_MENTIONS(problem("{k: 1}", "k*t"), "'t' in 'k*t' is no constant");
}

TEST(NativeConstants, CirclesAndWhatStandsBelowAreRefused) {
  EXPECT_MENTIONS(problem("{a: b, b: 1}", "a"), "constant 'a' uses 'b', which stands below it");
  EXPECT_MENTIONS(problem("{a: 2*b, b: c, c: a+1}", "a"), "in a circle: a -> b -> c -> a");
  EXPECT_MENTIONS(problem("{a: a}", "a"), "in a circle: a -> a");
}

TEST(NativeConstants, WhatIsNoFiniteNumberIsRefused) {
  EXPECT_MENTIONS(problem("{a: 0}", "1/a"), "'1/a' is inf; it must be a finite number");
  EXPECT_MENTIONS(problem("{a: sqrt(-1)}", "1"), "must be a finite number");
  EXPECT_MENTIONS(problem("{a: 1}", "a+"), "found the end");
  EXPECT_MENTIONS(problem("{a: 1}", "\"1\""), "must be a number");
  EXPECT_MENTIONS(problem("{sin: 1}", "1"), "cannot be called 'sin'");
  EXPECT_MENTIONS(problem("{a-b: 1}", "1"), "cannot be called 'a-b'");
  EXPECT_MENTIONS(problem("[1]", "1"), "must be a map");
}

TEST(NativeConstants, OneThatNobodyUsesIsANote) {
  const ModelSpec spec =
      read("espalier: 1\nconstants:\n  a: 1\n  b: 2\n  c: a\nbodies:\n  - {name: x, mass: b, inertia: [1, 1, 1]}\n");
  ASSERT_EQ(spec.notes.size(), 1u);
  EXPECT_EQ(spec.notes[0].message, "constant 'c' is used by no number");
  EXPECT_EQ(spec.notes[0].where.line, 5);
}

TEST(NativeConstants, VaryingOneChangesEveryNumberThatUsesIt) {
  const Result<ModelVariants> variants = ModelVariants::read_text(kModel, "m.yaml");
  ASSERT_TRUE(variants);
  const Result<ModelSpec> spec = variants->with(std::vector<FieldValue>{{"constants.k", 5e3}});
  ASSERT_TRUE(spec) << to_string(spec.error());
  EXPECT_EQ(body(*spec, "arm").mass, 1);
  EXPECT_EQ(joint(*spec, "pin").stiffness[0], 1e4);
  EXPECT_NEAR(model::evaluate(law_of(*spec), 0.25), 1e4, 1e-9) << "by way of `twice`";
  EXPECT_EQ(**variants->value("constants.twice"), 2e4);
  EXPECT_EQ(**variants->value("joints.pin.stiffness"), 2e4);
  EXPECT_EQ(joint(*variants->with(std::vector<FieldValue>{{"joints.pin.stiffness", 7}}), "pin").stiffness[0], 7);
}

// q(pin) is the joint, pin the constant.
TEST(NativeConstants, AJointMayBeCalledAsOneIs) {
  const Result<ModelSpec> spec = read_model_text(R"M(espalier: 1
constants: {pin: 3, k: 100}
bodies: [{name: arm, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: pin, type: revolute, between: [ground, arm], at: {axis: [0, 1, 0]}}]
forces: [{torque: {joint: pin, value: "k*(0.5 - q( pin )) - 5*v('pin') + pin"}}]
)M",
                                                 "m.yaml");
  ASSERT_TRUE(spec) << to_string(spec.error());
  const auto& load = std::get<model::LoadSpec>(spec->forces.at(0).law);
  ASSERT_EQ(load.value.at(0).inputs.size(), 2u);
  EXPECT_EQ(load.value[0].inputs[0].joint, "pin");
  EXPECT_EQ(load.value[0].inputs[1].joint, "pin");
  EXPECT_DOUBLE_EQ(model::evaluate(load.value[0], 0, std::vector<double>{0.25, 2}), 100 * 0.25 - 10 + 3);
}

TEST(NativeConstants, AVariedOneMustBeThere) {
  const Result<ModelVariants> variants = ModelVariants::read_text(kModel, "m.yaml");
  const Result<ModelSpec> spec = variants->with(std::vector<FieldValue>{{"constants.twise", 5e3}});
  ASSERT_FALSE(spec);
  EXPECT_MENTIONS(spec.error().message, "did you mean 'twice'?");
}

TEST(NativeConstants, TuningHasThemToo) {
  const Result<Tuning> tuning = read_tuning_text(
      "espalier: 1\nconstants: {f: 25}\ntune:\n  vary: {m: {path: bodies.a.mass, range: [f/5, f]}}\n"
      "  goals: [{avoid: [f-1, f+1]}]\n",
      "m.yaml");
  ASSERT_TRUE(tuning) << to_string(tuning.error());
  EXPECT_EQ(tuning->parameters[0].low, 5);
  EXPECT_EQ(tuning->goals[0].high, 26);
}

}  // namespace
}  // namespace espalier::formats
