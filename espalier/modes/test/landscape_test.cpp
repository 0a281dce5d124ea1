#include "espalier/modes/tracking.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/modes.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

// det of one mass on a spring is k - m omega^2 but for a factor.
TEST(SampleLandscape, FollowsTheDeterminantAlongTheAxis) {
  const Structure structure = spring_chain({200}, {2});
  const Tree tree = plan_tree(structure).value();
  for (const Method method : {Method::kAuto, Method::kRecursive}) {
    const Landscape land = sample_landscape(structure, tree, method, {0, 0, 0, 20}, 7, 21).value();
    ASSERT_EQ(land.log10_size.size(), 21u);
    const auto exact = [](double omega) { return std::log10(std::abs(200 - 2 * omega * omega)); };
    for (std::size_t k = 1; k < 21; ++k) {
      if (k == 10) continue;
      EXPECT_NEAR(land.log10_size[k] - land.log10_size[1], exact(static_cast<double>(k)) - exact(1), 1e-9) << k;
      EXPECT_EQ(land.sign[k] * land.sign[1], k < 10 ? 1 : -1);
    }
  }
}

// The smallest sample of a plane stands in the cell of the eigenvalue -0.75 + 9.97i.
TEST(SampleLandscape, HasItsPitAtTheEigenvalue) {
  Structure structure = spring_chain({200}, {2});
  std::get<Hinge>(structure.elements[0].law).damping[0] = 3;
  const Tree tree = plan_tree(structure).value();
  for (const Method method : {Method::kAuto, Method::kRecursive}) {
    const Landscape land = sample_landscape(structure, tree, method, {-2, 0, 0, 20}, 20, 40).value();
    ASSERT_EQ(land.log10_size.size(), 800u);
    EXPECT_TRUE(land.sign.empty());
    const auto lowest = std::min_element(land.log10_size.begin(), land.log10_size.end()) - land.log10_size.begin();
    EXPECT_NEAR(-2 + (lowest % 20 + 0.5) * 0.1, -0.75, 0.06);
    EXPECT_NEAR((lowest / 20 + 0.5) * 0.5, std::sqrt(100 - 0.75 * 0.75), 0.26);
  }
}

}  // namespace
}  // namespace espalier::modes
