#include "espalier/modes/detail/tapered.hpp"

#include <gtest/gtest.h>

namespace espalier::modes::detail {
namespace {

model::SectionSpec square(double from, double to) {
  model::SectionSpec section;
  section.kind = model::SectionKind::kRectangle;
  section.b = section.h = {from, to};
  return section;
}

// A frustum of squares b0 and b1: A = (b0^2 + b0 b1 + b1^2) / 3, and a square of that area has I = A^2 / 12.
TEST(SegmentSections, AreSquaresOfTheFrustumsVolume) {
  const std::vector<model::SectionValues> found = segment_sections(square(0.04, 0.02), 4);
  ASSERT_EQ(found.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const double b0 = 0.04 - 0.005 * static_cast<double>(k), b1 = b0 - 0.005;
    const double A = (b0 * b0 + b0 * b1 + b1 * b1) / 3;
    EXPECT_NEAR(found[k].area, A, 1e-15 * A + 1e-18);
    EXPECT_NEAR(found[k].Iy / (A * A / 12), 1, 1e-14);
    EXPECT_NEAR(found[k].Iz / (A * A / 12), 1, 1e-14);
  }
}

TEST(SegmentSections, OfAUniformBodyAreAllItsOwn) {
  EXPECT_FALSE(is_tapered(square(0.03, 0.03)));
  EXPECT_TRUE(is_tapered(square(0.03, 0.02)));
  const std::vector<model::SectionValues> found = segment_sections(square(0.03, 0.03), 3);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_NEAR(found[2].area, 9e-4, 1e-18);
}

// [Cowper66] with Poisson's ratio 0.3: rectangle, full circle, and 2 (1 + nu) / (4 + 3 nu) of a thin tube.
TEST(ShearFactors, AreCowpers) {
  const double E = 2.6, G = 1;
  EXPECT_NEAR((*shear_factors(square(1, 1), E, G))[0], 13 / 15.3, 1e-14);
  model::SectionSpec circle;
  circle.kind = model::SectionKind::kCircle;
  circle.radius = {2, 2};
  circle.inner_radius = {0, 0};
  EXPECT_NEAR((*shear_factors(circle, E, G))[1], 7.8 / 8.8, 1e-14);
  circle.inner_radius = {2, 2};
  EXPECT_NEAR((*shear_factors(circle, E, G))[0], 2.6 / 4.9, 1e-14);
  model::SectionSpec given;
  given.kind = model::SectionKind::kGeneral;
  EXPECT_FALSE(shear_factors(given, E, G).has_value());
}

}  // namespace
}  // namespace espalier::modes::detail
