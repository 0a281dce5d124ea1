#include "espalier/modes/test/model_parts.hpp"
#include "espalier/modes/test/structure_support.hpp"

namespace espalier::modes {
namespace {

// Their squares would leave the range of numbers, and what is left looks like something without mass.
TEST(CheckMagnitudes, HugeNumbersAreRefusedByName) {
  const auto on_a_spring = [](double mass, double inertia, double stiffness) {
    model::ModelSpec spec = weightless("mass on a spring", {"x", "rz"});
    spec.bodies = {rigid("block", mass, {1, 0, 0}, {inertia, inertia, inertia})};
    join(spec, model::JointType::kPrismatic, "ground", "block", {1, 0, 0}, {1, 0, 0});
    spec.joints.back().stiffness = {stiffness};
    return error_of(spec);
  };
  EXPECT_EQ(on_a_spring(1e99, 1, 200), "");
  EXPECT_EQ(on_a_spring(1e300, 1, 200),
            "'block' has a mass of 1e+300 kg; modes are computed with numbers up to 1e+100: is one of the model's "
            "numbers wrong, or not in SI units?");
  EXPECT_TRUE(on_a_spring(1, 1e120, 200).starts_with("'block' has a moment of inertia of 1e+120 kg m^2; modes"));
  EXPECT_TRUE(on_a_spring(1, 1, 1e200).starts_with("'ground_block_0' has a stiffness of 1e+200 N/m; modes"));
}

}  // namespace
}  // namespace espalier::modes
