#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/test/sdf_support.hpp"
#include "espalier/math/rotation.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using Eigen::Vector3d;
using model::ModelSpec;

TEST(SdfFrames, PosesFollowTheirFrames) {
  const ModelSpec spec = read(model_text(R"(
    <pose>0 0 10 0 0 0</pose>
    <frame name='f' attached_to='a'><pose>0 0 1 0 0 0</pose></frame>
    <frame name='g' attached_to='f'><pose relative_to='b'>1 0 0 0 0 0</pose></frame>
    <link name='a'><pose degrees='true'>1 0 0 0 0 90</pose></link>
    <link name='b'><pose relative_to='f'>1 0 0 0 0 0</pose></link>
    <link name='c'><pose relative_to='j'>0 0 0 0 0 0</pose></link>
    <link name='d'><pose rotation_format='quat_xyzw' relative_to='g'>0 0 5 0 0 2 0</pose></link>
    <link name='e'><pose relative_to='world'/></link>
    <joint name='j' type='fixed'><parent>a</parent><child>b</child><pose>0 0 0.5 0 0 0</pose></joint>
    <joint name='k' type='fixed'><parent>b</parent><child>c</child></joint>
    <joint name='l' type='fixed'><parent>c</parent><child>d</child></joint>
    <joint name='m' type='fixed'><parent>d</parent><child>e</child></joint>)"));
  const Eigen::Quaterniond quarter = math::rotation_from_rpy({0, 0, kPi / 2});
  expect_near(body(spec, "a").pose, {Vector3d(1, 0, 10), quarter});
  expect_near(body(spec, "b").pose, {Vector3d(1, 1, 11), quarter});
  expect_near(body(spec, "c").pose, {Vector3d(1, 1, 11.5), quarter});
  expect_near(body(spec, "d").pose, {Vector3d(1, 2, 16), math::rotation_from_rpy({0, 0, -kPi / 2})});
  expect_near(body(spec, "e").pose, {Vector3d(0, 0, 0), Eigen::Quaterniond::Identity()});
}

// Chains of frames are followed without recursion, and names are found in constant time.
TEST(SdfFrames, LongChainOfFramesIsReadInOnePass) {
  std::string inside = "<link name='a'/><link name='b'><pose relative_to='f0'/></link>";
  constexpr int kCount = 20000;
  for (int k = 0; k < kCount; ++k) {
    inside += fmt::format("<frame name='f{}' attached_to='{}'><pose>0.001 0 0 0 0 0</pose></frame>", k,
                          k + 1 < kCount ? fmt::format("f{}", k + 1) : "a");
  }
  const ModelSpec spec =
      read(model_text(inside + "<joint name='j' type='fixed'><parent>f0</parent><child>b</child></joint>"));
  expect_near(body(spec, "b").pose.position, {kCount * 0.001, 0, 0}, 1e-9);
  EXPECT_EQ(joint(spec, "j").a, "a");
}

}  // namespace
}  // namespace espalier::formats
