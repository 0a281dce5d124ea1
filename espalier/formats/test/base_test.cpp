#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/mjcf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using model::JointType;
using model::ModelSpec;

ModelSpec read_with(const std::string& text, std::optional<Base> base) {
  const Result<ModelSpec> spec = read_model_text(text, "test.xml", {base, ""});
  EXPECT_TRUE(spec) << to_string(spec.error());
  return spec.value_or(ModelSpec());
}

const std::string kRobot = mjcf_test::in_world(
    mjcf_test::body("trunk", "<freejoint name='root'/>" + mjcf_test::body("leg", "<joint name='hip'/>"),
                    "pos='0 0 2'") +
        mjcf_test::body("box", "<freejoint name='loose'/>", "pos='3 0 0'"),
    "<keyframe><key name='home' qpos='0 0 1 1 0 0 0 0.5 0 0 0 1 0 0 0'/></keyframe>");

TEST(SetBase, FixesTheRootOfAnMjcfRobot) {
  const ModelSpec spec = read_with(kRobot, Base::kFixed);
  EXPECT_EQ(joint(spec, "root").type, JointType::kFixed);
  EXPECT_EQ(joint(spec, "root").in_a.position, Eigen::Vector3d(0, 0, 2));
  EXPECT_EQ(joint(spec, "hip").type, JointType::kRevolute);
  EXPECT_EQ(joint(spec, "loose").type, JointType::kFree) << "a single body beside the robot is an object";
  const Result<model::Model> model = model::compile(spec);
  ASSERT_TRUE(model) << to_string(model.error()) << ": the keyframe has no place for the root";
  EXPECT_FALSE(has_note(spec, "floats"));
}

TEST(SetBase, ANoteTellsOfTheOption) {
  const ModelSpec spec = read_with(kRobot, std::nullopt);
  EXPECT_EQ(joint(spec, "root").type, JointType::kFree);
  EXPECT_TRUE(has_note(spec, "the root link 'trunk' floats; a fixed base would weld it to the ground"));
  EXPECT_FALSE(has_note(spec, "'box'"));
  EXPECT_FALSE(has_note(read_with(kRobot, Base::kFloating), "floats"));
}

TEST(SetBase, HoldsAnSdfModelThatNothingHolds) {
  const std::string text = R"(<sdf version='1.9'><model name='m'>
    <link name='a'><pose>1 2 3 0 0 0</pose></link><link name='b'/>
    <joint name='base_fixed' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
  </model></sdf>)";
  const ModelSpec spec = read_with(text, Base::kFixed);
  ASSERT_EQ(spec.joints.size(), 2u);
  EXPECT_EQ(spec.joints[1].name, "base_fixed_2");
  EXPECT_EQ(spec.joints[1].type, JointType::kFixed);
  EXPECT_EQ(spec.joints[1].b, "a");
  EXPECT_EQ(spec.joints[1].in_a.position, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(model::compile(spec).has_value());
  EXPECT_TRUE(has_note(read_with(text, std::nullopt), "the root link 'a' floats"));
}

TEST(SetBase, LeavesWhatTheGroundHolds) {
  const std::string text = mjcf_test::in_world(mjcf_test::body("arm", "<joint name='j'/>"));
  EXPECT_EQ(read_with(text, Base::kFixed).joints.size(), 1u);
  EXPECT_FALSE(has_note(read_with(text, std::nullopt), "floats"));
}

TEST(SetBase, ANativeModelSaysItself) {
  const Result<ModelSpec> spec = read_model_text("espalier: 1\nbodies: []\n", "m.yaml", {Base::kFixed, ""});
  ASSERT_FALSE(spec);
  EXPECT_MENTIONS(spec.error().message, "`base` is for URDF, SDF and MJCF; this is a model of format native");
}

}  // namespace
}  // namespace espalier::formats
