#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/formats/test/support.hpp"
#include "espalier/formats/variants.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {
namespace {

const char* const kModel = R"(espalier: 1
units: {length: mm}
gravity: [0, 0, -9810]
bodies:
  - {name: arm, mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}
  - {name: a.b, mass: 2, inertia: [1, 1, 1]}
joints:
  - {name: pin, type: revolute, between: [ground, arm], at: {position: [0, 0, 0]}}
  - {name: q, type: revolute, between: [arm, a.b], at: {position: [0, 0, 0]}}
forces:
  - {name: motor, torque: {joint: pin, value: 2}}
  - {spring: {between: [ground, arm], at: [[0, 0, 0], [1, 0, 0]], stiffness: 8}}
)";

model::ModelSpec with(const std::vector<FieldValue>& values) {
  const Result<ModelVariants> variants = ModelVariants::read_text(kModel, "m.yaml");
  EXPECT_TRUE(variants.has_value());
  const Result<model::ModelSpec> spec = variants->with(values);
  EXPECT_TRUE(spec.has_value()) << to_string(spec.error());
  return spec.value_or(model::ModelSpec());
}

Error error_of(const std::string& path) {
  const Result<model::ModelSpec> spec =
      ModelVariants::read_text(kModel, "m.yaml")->with(std::vector<FieldValue>{{path, 1}});
  EXPECT_FALSE(spec.has_value()) << path;
  return spec ? Error() : spec.error();
}

TEST(ModelVariants, SetsNumbersByTheirPath) {
  const model::ModelSpec spec = with({{"bodies.arm.mass", 3.5},
                                      {"bodies.a.b.mass", 4},
                                      {"bodies.0.com.1", 7},
                                      {"gravity.2", -1000},
                                      {"forces.motor.torque.value", 9},
                                      {"forces.1.spring.stiffness", 11}});
  EXPECT_EQ(body(spec, "arm").mass, 3.5);
  EXPECT_EQ(body(spec, "a.b").mass, 4);
  EXPECT_EQ(body(spec, "arm").com->y(), 0.007) << "in the units of the file";
  EXPECT_EQ(spec.gravity.z(), -1);
}

TEST(ModelVariants, AddsAFieldThatTheFileLeavesOut) {
  EXPECT_TRUE(joint(with({}), "pin").velocity.empty());
  EXPECT_EQ(joint(with({{"joints.pin.velocity", 2.5}}), "pin").velocity, std::vector{2.5});
}

// The numbers beside the one that is set keep their defaults.
TEST(ModelVariants, ReachesNumbersInListsAndMapsThatTheFileLeavesOut) {
  const char* const text = R"(espalier: 1
units: {length: mm}
bodies:
  - {name: arm, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: knee, type: universal, between: [ground, arm], at: {}}
)";
  const ModelVariants variants = ModelVariants::read_text(text, "m.yaml").value();
  const std::vector<FieldValue> values = {{"bodies.arm.velocity.angular.1", 3},
                                          {"bodies.arm.pose.position.0", 500},
                                          {"joints.knee.damping.1", 2}};
  const model::ModelSpec spec = variants.with(values).value();
  EXPECT_EQ(body(spec, "arm").velocity->angular, Eigen::Vector3d(0, 3, 0));
  EXPECT_EQ(body(spec, "arm").velocity->linear, Eigen::Vector3d::Zero());
  EXPECT_EQ(body(spec, "arm").pose.position, Eigen::Vector3d(0.5, 0, 0));
  EXPECT_EQ(joint(spec, "knee").damping[0], 0);
  EXPECT_NE(joint(spec, "knee").damping[1], 0);
  const std::vector<FieldValue> sideways = {{"gravity.0", 1000}};
  EXPECT_LT((variants.with(sideways)->gravity - Eigen::Vector3d(1, 0, -9.81)).norm(), 1e-12);
  EXPECT_NEAR(variants.value("gravity.2")->value(), -9810, 1e-9);
}

TEST(ModelVariants, SetsAllThatAPatternNames) {
  const model::ModelSpec spec = with({{"bodies.a*.mass", 7}});
  EXPECT_EQ(body(spec, "arm").mass, 7);
  EXPECT_EQ(body(spec, "a.b").mass, 7);
}

TEST(ModelVariants, LeavesTheModelItWasReadFromAlone) {
  const Result<ModelVariants> variants = ModelVariants::read_text(kModel, "m.yaml");
  ASSERT_TRUE(variants->with(std::vector<FieldValue>{{"bodies.arm.mass", 3.5}}).has_value());
  EXPECT_EQ(body(*variants->with({}), "arm").mass, 1);
}

TEST(ModelVariants, SaysWhereAPathEnds) {
  EXPECT_MENTIONS(error_of("bodies.arn.mass").message, "did you mean 'arm'?");
  EXPECT_MENTIONS(error_of("bodes.arm.mass").message, "did you mean 'bodies'?");
  EXPECT_MENTIONS(error_of("springs.s.stiffness").message, "its sections are espalier, units, gravity, bodies, joints");
  EXPECT_MENTIONS(error_of("bodies.arm.maas").message, "maas");
  EXPECT_MENTIONS(error_of("bodies.arm.com").message, "a list of 3 stands there, not a number");
  EXPECT_MENTIONS(error_of("bodies.arm.name").message, "not a number");
  EXPECT_MENTIONS(error_of("gravity.3").message, "'gravity.3'");
  EXPECT_MENTIONS(error_of("gravity").message, "not a number");
  EXPECT_MENTIONS(error_of("").message, "''");
  EXPECT_MENTIONS(error_of("bodies.").message, "nothing is called");
  EXPECT_EQ(error_of("bodies.arn.mass").where.line, 5);
}

const char* const kPatterns = R"(espalier: 1
bodies:
  - {name: arm.1, mass: 1, com: [1, 2, 3], inertia: [1, 1, 1]}
  - {name: arm.2, mass: 2, inertia: [1, 1, 1]}
  - {name: leg, mass: 3, inertia: [1, 1, 1]}
)";

TEST(ModelVariants, PatternsNameFieldsInTheOrderOfTheFile) {
  const Result<ModelVariants> model = ModelVariants::read_text(kPatterns, "m.yaml");
  ASSERT_TRUE(model.has_value());
  using Paths = std::vector<std::string>;
  EXPECT_EQ(*model->match("bodies.*.mass"), (Paths{"bodies.arm.1.mass", "bodies.arm.2.mass", "bodies.leg.mass"}));
  EXPECT_EQ(*model->match("bodies.arm*.mass"), (Paths{"bodies.arm.1.mass", "bodies.arm.2.mass"}));
  EXPECT_EQ(*model->match("bodies.l*g.inertia.*"),
            (Paths{"bodies.leg.inertia.0", "bodies.leg.inertia.1", "bodies.leg.inertia.2"}));
  EXPECT_EQ(*model->match("bodies.leg.mass"), (Paths{"bodies.leg.mass"}));
  EXPECT_FALSE(model->match("bodies.foot*.mass").has_value());
  EXPECT_FALSE(model->match("bodies.*.name").has_value());
  EXPECT_EQ(*model->value("bodies.arm.2.mass"), 2);
  EXPECT_EQ(*model->value("bodies.arm.1.com.2"), 3);
  EXPECT_EQ(*model->value("bodies.leg.velocity"), std::nullopt);
  EXPECT_FALSE(model->value("bodies.foot.mass").has_value());
}

}  // namespace
}  // namespace espalier::formats
