#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "espalier/formats/test/sdf_support.hpp"
#include "espalier/model/model.hpp"

namespace espalier::formats {
namespace {

using namespace sdf_test;
using model::ModelSpec;

TEST(SdfCoupling, MimicAndGearboxBecomeCouplings) {
  const std::string hinge =
      "<joint name='{}' type='continuous'><parent>{}</parent><child>{}</child>"
      "<axis><xyz>0 0 {}</xyz>{}</axis></joint>";
  const auto text = [&](const char* name, const char* parent, const char* child, int z, const char* more) {
    return fmt::format(fmt::runtime(hinge), name, parent, child, z, more);
  };
  const ModelSpec spec = read(
      two_links(text("ja", "base", "a", 1, "") + text("jb", "b", "base", 1, "") + "<link name='base'/>" +
                text("jc", "base", "c", 1,
                     "<mimic joint='ja'><multiplier>3</multiplier><offset>1</offset><reference>2</reference></mimic>") +
                "<link name='c'/><joint name='gear' type='gearbox'><parent>a</parent><child>b</child>"
                "<gearbox_reference_body>base</gearbox_reference_body><gearbox_ratio>5</gearbox_ratio>"
                "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>"));
  ASSERT_EQ(spec.couplings.size(), 2u);
  // qc = 3 (qa - 2) + 1.
  EXPECT_EQ(spec.couplings[0].joints, (std::vector<std::string>{"jc", "ja"}));
  EXPECT_EQ(spec.couplings[0].ratio, (std::vector<double>{1, -3}));
  EXPECT_EQ(spec.couplings[0].offset, -5);
  // theta_b = -5 theta_a; jb runs from b to the base, so theta_b = -q_b: -q_b + 5 q_a = 0.
  EXPECT_EQ(spec.couplings[1].joints, (std::vector<std::string>{"ja", "jb"}));
  EXPECT_EQ(spec.couplings[1].ratio, (std::vector<double>{5, -1}));
  EXPECT_EQ(spec.joints.size(), 3u);
  EXPECT_TRUE(model::compile(spec).has_value());
}

}  // namespace
}  // namespace espalier::formats
