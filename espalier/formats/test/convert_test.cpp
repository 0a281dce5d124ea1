#include "espalier/formats/formats.hpp"

#include <gtest/gtest.h>

namespace espalier::formats {
namespace {

//  ground --pin-- arm, pulled by a spring, which no robot format can say
model::ModelSpec arm() {
  model::ModelSpec spec;
  spec.name = "arm";
  spec.bodies.resize(1);
  spec.bodies[0].name = "arm";
  spec.bodies[0].mass = 2;
  spec.bodies[0].inertia = Eigen::Matrix3d::Identity();
  spec.joints.resize(1);
  spec.joints[0].name = "pin";
  spec.joints[0].a = model::kGround;
  spec.joints[0].b = "arm";
  model::SpringSpec spring;
  spring.a = model::kGround;
  spring.b = "arm";
  spring.point_b = {1, 0, 0};
  spring.stiffness = 5;
  spec.forces = {{"pull", spring, {}}};
  return spec;
}

TEST(Convert, ToTheNativeFormatLosesNothing) {
  const Result<Conversion> conversion = convert(arm(), Format::kNative);
  ASSERT_TRUE(conversion.has_value()) << to_string(conversion.error());
  EXPECT_TRUE(conversion->changes.empty());
  EXPECT_EQ(*detect_format(conversion->written.text, "f"), Format::kNative);
}

TEST(Convert, TellsWhatDidNotComeBack) {
  const Result<Conversion> conversion = convert(arm(), Format::kUrdf);
  ASSERT_TRUE(conversion.has_value()) << to_string(conversion.error());
  bool told = false;
  for (const model::Difference& change : conversion->changes)
    told = told || (change.element == "force" && change.name == "pull" && change.before == "present");
  EXPECT_TRUE(told);
  EXPECT_EQ(*detect_format(conversion->written.text, "f"), Format::kUrdf);
}

TEST(Convert, RefusesAModelThatDoesNotCompile) {
  model::ModelSpec spec = arm();
  spec.joints[0].b = "leg";
  EXPECT_EQ(convert(spec, Format::kSdf).error().code, ErrorCode::kName);
}

}  // namespace
}  // namespace espalier::formats
