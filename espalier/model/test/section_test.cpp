#include "espalier/model/spec.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace espalier::model {
namespace {

using std::numbers::pi;

TEST(SectionAt, RectangleBendsStifferAcrossItsHeight) {
  SectionSpec section;
  section.b = {0.2, 0.2};  // along z
  section.h = {0.3, 0.3};  // along y
  const SectionValues v = section_at(section, 0.7);
  EXPECT_NEAR(v.area, 0.06, 1e-15);
  EXPECT_NEAR(v.Iy, 0.3 * std::pow(0.2, 3) / 12, 1e-15);
  EXPECT_NEAR(v.Iz, 0.2 * std::pow(0.3, 3) / 12, 1e-15);
  EXPECT_NEAR(v.polar, v.Iy + v.Iz, 1e-15);
}

// Saint-Venant's series, tabulated in every textbook: J = beta a c^3.
TEST(SectionAt, RectangleTwistsAsSaintVenantsSeries) {
  SectionSpec section;
  for (const auto& [ratio, beta] : {std::pair(1.0, 0.1406), std::pair(2.0, 0.2287), std::pair(10.0, 0.3123)}) {
    section.b = {1, 1};
    section.h = {ratio, ratio};
    EXPECT_NEAR(section_at(section, 0).J, beta * ratio, 0.005 * beta * ratio) << ratio;
    std::swap(section.b, section.h);
    EXPECT_NEAR(section_at(section, 0).J, beta * ratio, 0.005 * beta * ratio) << ratio;
  }
}

SectionSpec tube(double b, double h, double t) {
  SectionSpec section;
  section.b = {b, b};
  section.h = {h, h};
  section.wall = {t, t};
  return section;
}

TEST(SectionAt, ATubeIsARectangleWithoutItsInside) {
  const SectionValues v = section_at(tube(0.2, 0.3, 0.01), 0.3);
  SectionSpec solid = tube(0.2, 0.3, 0);
  const SectionValues outer = section_at(solid, 0);
  const SectionValues inner = section_at(tube(0.18, 0.28, 0), 0);
  EXPECT_NEAR(v.area, outer.area - inner.area, 1e-16);
  EXPECT_NEAR(v.Iy, outer.Iy - inner.Iy, 1e-16);
  EXPECT_NEAR(v.Iz, outer.Iz - inner.Iz, 1e-16);
  EXPECT_EQ(v.polar, v.Iy + v.Iz);
}

// Finite differences of Saint-Venant's equation on the section itself, extrapolated.
TEST(SectionAt, ATubeTwistsNearlyAsSaintVenantSays) {
  EXPECT_NEAR(section_at(tube(1, 1, 0.02), 0).J / 0.018999, 1, 0.01);
  EXPECT_NEAR(section_at(tube(1, 1, 0.1), 0).J / 0.077101, 1, 0.04);
  EXPECT_NEAR(section_at(tube(1, 1, 0.25), 0).J / 0.129215, 1, 0.063);
  EXPECT_NEAR(section_at(tube(1, 2, 0.1), 0).J / 0.216510, 1, 0.03);
  EXPECT_NEAR(section_at(tube(4, 1, 0.4), 0).J / 1.099402, 1, 0.03);
}

TEST(SectionAt, TheWallOfATubeMayTaper) {
  SectionSpec section = tube(0.2, 0.3, 0.01);
  section.wall[1] = 0.03;
  EXPECT_NEAR(section_at(section, 0.5).area, section_at(tube(0.2, 0.3, 0.02), 0).area, 1e-16);
}

TEST(SectionAt, CircleMayBeHollow) {
  SectionSpec section;
  section.kind = SectionKind::kCircle;
  section.radius = {0.5, 0.5};
  section.inner_radius = {0.3, 0.3};
  const SectionValues v = section_at(section, 0);
  EXPECT_NEAR(v.area, pi * (0.25 - 0.09), 1e-15);
  const double I = pi / 4 * (0.0625 - 0.0081);
  EXPECT_NEAR(v.Iy, I, 1e-15);
  EXPECT_NEAR(v.Iz, I, 1e-15);
  EXPECT_NEAR(v.J, 2 * I, 1e-15);
  EXPECT_NEAR(v.polar, 2 * I, 1e-15);
}

TEST(SectionAt, GeneralValuesArePassedOn) {
  SectionSpec section;
  section.kind = SectionKind::kGeneral;
  section.area = {1, 3};
  section.Iy = {2, 6};
  section.Iz = {4, 12};
  section.J = {5, 15};
  const SectionValues v = section_at(section, 0.5);
  EXPECT_EQ(v.area, 2);
  EXPECT_EQ(v.Iy, 4);
  EXPECT_EQ(v.Iz, 8);
  EXPECT_EQ(v.J, 10);
  EXPECT_EQ(v.polar, 12);
  section.polar = SectionSpec::Ends{7, 9};
  EXPECT_EQ(section_at(section, 0.5).polar, 8);
}

TEST(SectionAt, TaperInterpolatesMeasuresNotAreas) {
  SectionSpec section;
  section.b = {0.2, 0.4};
  section.h = {1, 3};
  EXPECT_NEAR(section_at(section, 0).area, 0.2, 1e-15);
  EXPECT_NEAR(section_at(section, 1).area, 1.2, 1e-15);
  EXPECT_NEAR(section_at(section, 0.25).area, 0.25 * 1.5, 1e-15);
  section.kind = SectionKind::kCircle;
  section.radius = {1, 2};
  section.inner_radius = {0, 0.4};
  EXPECT_NEAR(section_at(section, 0.5).area, pi * (2.25 - 0.04), 1e-14);
}

}  // namespace
}  // namespace espalier::model
