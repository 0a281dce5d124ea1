#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/urdf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

TEST(UrdfTree, LetsTheRootFloatOrFixesIt) {
  const ModelSpec floating = read(two_with("continuous", ""));
  EXPECT_EQ(floating.joints.size(), 1u);
  EXPECT_TRUE(has_note(floating, "the root link 'a' floats; a fixed base would weld it"));
  const ModelSpec fixed = read(two_with("continuous", ""), {.base = Base::kFixed});
  ASSERT_EQ(fixed.joints.size(), 2u);
  const model::JointSpec& base = joint(fixed, "base_fixed");
  EXPECT_EQ(base.type, JointType::kFixed);
  EXPECT_EQ(base.a, model::kGround);
  EXPECT_EQ(base.b, "a");
  EXPECT_FALSE(has_note(fixed, "floats"));
  EXPECT_TRUE(model::compile(fixed));
}

TEST(UrdfTree, TakesALinkCalledWorldForTheGround) {
  const std::string content = R"(<link name="world"><visual><geometry><sphere radius="1"/></geometry></visual></link>
    <link name="a"/><joint name="j" type="continuous"><parent link="world"/><child link="a"/>
    <origin xyz="0 0 2"/></joint>)";
  for (const Base base : {Base::kFloating, Base::kFixed}) {
    const ModelSpec spec = read(content, {.base = base});
    EXPECT_EQ(joint(spec, "j").a, model::kGround);
    EXPECT_EQ(body(spec, model::kGround).shapes.size(), 1u);
    EXPECT_EQ(body(spec, "a").pose.position, Vector3d(0, 0, 2));
    EXPECT_EQ(spec.joints.size(), 1u);
    EXPECT_FALSE(has_note(spec, "floats"));
    EXPECT_TRUE(model::compile(spec));
  }
  expect_problem(R"(<link name="world"/><link name="a"/>
    <joint name="j" type="fixed"><parent link="a"/><child link="world"/></joint>)",
                 "cannot be a joint's child");
}

TEST(UrdfTree, RenamesALinkCalledGroundThatMoves) {
  const ModelSpec spec = read(R"(<link name="a"/><link name="ground"/>
    <joint name="j" type="continuous"><parent link="a"/><child link="ground"/></joint>)");
  EXPECT_EQ(joint(spec, "j").b, "ground_link");
  EXPECT_TRUE(has_note(spec, "is read as 'ground_link'"));
  EXPECT_TRUE(model::compile(spec));
}

// a - b - d and a - c - d: d has two parents.
TEST(UrdfTree, ClosesALoopByTheSecondParent) {
  const ModelSpec spec = read(R"(<link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="ab" type="continuous"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>
    <joint name="ac" type="continuous"><parent link="a"/><child link="c"/><origin xyz="0 1 0"/></joint>
    <joint name="bd" type="continuous"><parent link="b"/><child link="d"/><origin xyz="0 1 0"/></joint>
    <joint name="cd" type="continuous"><parent link="c"/><child link="d"/><origin xyz="1 0 0"/></joint>)");
  EXPECT_FALSE(joint(spec, "bd").closure);
  EXPECT_TRUE(joint(spec, "cd").closure);
  EXPECT_EQ(body(spec, "d").pose.position, Vector3d(1, 1, 0));
  EXPECT_TRUE(has_note(spec, "child of several joints"));
  const Result<model::Model> compiled = model::compile(spec);
  ASSERT_TRUE(compiled);
  EXPECT_LT(model::drawn_gap(*compiled, compiled->joints[3]).distance, 1e-15);
}

// The ring b - c - d is entered by root-b, though b's first joint comes from the ring.
TEST(UrdfTree, EntersARingFromTheRoot) {
  const ModelSpec spec = read(R"(<link name="root"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="db" type="continuous"><parent link="d"/><child link="b"/></joint>
    <joint name="bc" type="continuous"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/></joint>
    <joint name="cd" type="continuous"><parent link="c"/><child link="d"/><origin xyz="1 0 0"/></joint>
    <joint name="rb" type="continuous"><parent link="root"/><child link="b"/><origin xyz="0 5 0"/></joint>)");
  EXPECT_TRUE(joint(spec, "db").closure);
  EXPECT_FALSE(joint(spec, "rb").closure);
  EXPECT_EQ(body(spec, "d").pose.position, Vector3d(2, 5, 0));
}

TEST(UrdfTree, StandsAChainOfTwentyThousandLinks) {
  std::string content = "<link name=\"l0\"/>";
  constexpr int kLinks = 20000;
  for (int i = 1; i < kLinks; ++i) {
    content += fmt::format(
        "<link name=\"l{0}\"/><joint name=\"j{0}\" type=\"continuous\"><parent link=\"l{1}\"/>"
        "<child link=\"l{0}\"/><origin xyz=\"1 0 0\"/></joint>\n",
        i, i - 1);
  }
  const ModelSpec spec = read(content);
  ASSERT_EQ(spec.bodies.size(), to_index(kLinks));
  EXPECT_EQ(spec.bodies.back().pose.position.x(), kLinks - 1);
}

}  // namespace
}  // namespace espalier::formats
