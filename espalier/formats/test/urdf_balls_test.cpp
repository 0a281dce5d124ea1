#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/formats.hpp"
#include "espalier/formats/test/urdf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace urdf_test;
using Eigen::Vector3d;
using model::JointType;
using model::ModelSpec;

TEST(UrdfBalls, MakesBallJointsOfHingesWithAWordInTheirNames) {
  const std::string content = kTwo + R"(<link name="c"/>
    <joint name="hip_spherical_x" type="revolute"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
    <origin xyz="0 0 2"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
    <joint name="knee" type="revolute"><parent link="b"/><child link="c"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>)";
  const ModelSpec spec = read(content, {.base = Base::kFixed, .spherical = "spherical"});
  EXPECT_EQ(joint(spec, "hip_spherical_x").type, JointType::kSpherical);
  EXPECT_TRUE(joint(spec, "hip_spherical_x").limits.empty());
  EXPECT_EQ(body(spec, "b").pose.position, Vector3d(0, 0, 2));
  EXPECT_EQ(joint(spec, "knee").type, JointType::kRevolute);
  EXPECT_TRUE(has_note(spec, "hinges with 'spherical' in their names are read as ball joints ('hip_spherical_x')"));
  EXPECT_TRUE(model::compile(spec));

  const Result<ModelSpec> none = read_model_text(robot(content), "r.urdf", {.base = {}, .spherical = "nee_"});
  ASSERT_FALSE(none);
  EXPECT_EQ(to_string(none.error()),
            "r.urdf: `spherical` 'nee_': no hinge has this in its name; hinges here: 'hip_spherical_x', 'knee'");
}

}  // namespace
}  // namespace espalier::formats
