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
