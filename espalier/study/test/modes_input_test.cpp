#include "espalier/study/detail/modes_input.hpp"

#include <string>

#include <gtest/gtest.h>

#include "espalier/study/test/modes_support.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

// A support and two masses, a spring to each; the tree hangs both masses on the support.
TEST(MakeModesInput, OfTwoMassesHasAnElementForEachSpring) {
  const Result<detail::ModesInput> input = detail::make_modes_input(loaded_of(kMasses));
  ASSERT_TRUE(input) << to_string(input.error());
  EXPECT_EQ(input->structure.vertices.size(), 3u);
  ASSERT_EQ(input->structure.elements.size(), 2u);
  EXPECT_EQ(input->structure.elements[0].name, "spring");
  EXPECT_EQ(input->tree.parent.size(), 3u);
  EXPECT_EQ(input->reader.file, "model.yaml");
}

// A tendon pulls, so that every frequency is another one without it.
constexpr const char* kWithTendon = R"(<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="hinge" type="hinge" axis="0 0 1" stiffness="10"/>
      <geom type="sphere" size="0.1" mass="1"/>
    </body>
  </worldbody>
  <tendon><fixed stiffness="10"><joint joint="hinge" coef="1"/></fixed></tendon>
</mujoco>
)";

TEST(MakeModesInput, RefusesAModelWhoseReaderLeftOutASpring) {
  const Result<detail::ModesInput> input = detail::make_modes_input(*load_text(kWithTendon, "arm.xml"));
  ASSERT_FALSE(input);
  EXPECT_MENTIONS(input.error().message, "tendon");
  const Result<detail::ModesInput> accepted =
      detail::make_modes_input(*load_text(kWithTendon, "arm.xml", {.accept = {"tendon"}}));
  ASSERT_TRUE(accepted) << to_string(accepted.error());
  EXPECT_EQ(accepted->reader.accepted, std::vector<std::string>{"tendon"});
}

}  // namespace
}  // namespace espalier::study
