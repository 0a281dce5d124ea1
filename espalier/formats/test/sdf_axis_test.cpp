#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/test/sdf_support.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using Eigen::Vector3d;
using model::ModelSpec;

TEST(SdfAxis, AxesStandInTheFrameTheVersionSays) {
  const std::string before = "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis>";
  const auto axis_in_world = [&](const std::string& axis, const std::string& version) -> Vector3d {
    const ModelSpec spec = read(two_links(before + axis + "</axis></joint>", version));
    return body(spec, "b").pose.rotation * (joint(spec, "j").in_b.rotation * Vector3d::UnitZ());
  };
  // Link b is turned by a quarter about z: its x is y of the model.
  expect_near(axis_in_world("<xyz>1 0 0</xyz>", "1.4"), {1, 0, 0});
  expect_near(axis_in_world("<xyz>1 0 0</xyz>", "1.6"), {0, 1, 0});
  expect_near(axis_in_world("<xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", "1.6"), {1, 0, 0});
  expect_near(axis_in_world("<xyz>1 0 0</xyz>", "1.9"), {0, 1, 0});
  expect_near(axis_in_world("<xyz expressed_in='__model__'>1 0 0</xyz>", "1.9"), {1, 0, 0});
  expect_near(axis_in_world("<xyz expressed_in='a'>0 -1 0</xyz>", "1.9"), {0, -1, 0});
  expect_near(axis_in_world("<xyz>0 1e-300 0</xyz>", "1.9"), {-1, 0, 0});
  expect_near(axis_in_world("<xyz>0 1e300 0</xyz>", "1.9"), {-1, 0, 0});
}

TEST(SdfAxis, OwnPositionIsAddedToWhatSdfMeasuresFromTheDrawnPose) {
  const std::string limit = "<limit><lower>-1</lower><upper>inf</upper></limit>";
  const std::string spring = "<dynamics><spring_stiffness>3</spring_stiffness></dynamics>";
  const std::string mimic = "<mimic joint='k'><multiplier>2</multiplier><offset>0.5</offset></mimic>";
  const auto hinge = [](const char* name, const std::string& axis, double position) {
    return fmt::format(
        "<joint name='{}' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>{}</axis>"
        "<espalier:position>{}</espalier:position></joint>",
        name, axis, position);
  };
  const ModelSpec spec = read(two_links(hinge("j", limit + spring + mimic, 0.25) + hinge("k", "", 4)));
  EXPECT_EQ(joint(spec, "j").limits, (std::vector<std::array<double, 2>>{{-0.75, 1e16}}));
  EXPECT_EQ(joint(spec, "j").rest, std::vector<double>{0.25});
  EXPECT_TRUE(joint(spec, "k").limits.empty());
  EXPECT_TRUE(joint(spec, "k").rest.empty());
  // j - 0.25 = 2 (k - 4) + 0.5
  ASSERT_EQ(spec.couplings.size(), 1u);
  EXPECT_EQ(spec.couplings[0].offset, 0.5 + 0.25 - 2 * 4);
}

TEST(SdfAxis, LimitsOfNothingAreNoLimits) {
  for (const char* none : {"", "<lower>-1e16</lower><upper>1e16</upper>", "<lower>-inf</lower><upper>+Inf</upper>",
                           "<effort>-1</effort><velocity>-1</velocity>", "<effort>inf</effort>"}) {
    const ModelSpec spec =
        read(two_links(fmt::format("<joint name='j' type='prismatic'><parent>a</parent><child>b</child><axis><xyz>0 0 "
                                   "1</xyz><limit>{}</limit></axis></joint>",
                                   none)));
    EXPECT_TRUE(joint(spec, "j").limits.empty()) << none;
    EXPECT_FALSE(joint(spec, "j").effort_limit.has_value()) << none;
    EXPECT_FALSE(joint(spec, "j").velocity_limit.has_value()) << none;
  }
}

}  // namespace
}  // namespace espalier::formats
