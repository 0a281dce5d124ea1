#include <string>

#include <gtest/gtest.h>

#include "espalier/formats/test/native_support.hpp"
#include "tests/support/expect.hpp"

namespace espalier::formats {
namespace {

using namespace native_test;
using Eigen::Vector3d;

// One body with these fields beside its name.
model::BodySpec body_with(const std::string& fields, const std::string& units = "") {
  return read("espalier: 1\n" + units + "bodies:\n  - {name: a, " + fields + "}\n").bodies.at(0);
}
std::string body_error(const std::string& fields) {
  return error_of("espalier: 1\nbodies:\n  - {name: a, " + fields + "}\n");
}

// A beam of millimetres: each power of the length has its own factor.
TEST(NativeBodies, BeamsAreMeasuredInPowersOfTheLength) {
  const std::string section = "section: {area: 100, Iy: 10, Iz: [20, 30], J: 40}";
  const model::BeamSpec beam =
      *body_with(
           "kind: beam, from: [0, 0, 0], to: [1000, 0, 0], foundation: 3e-6, damping: {viscous: 2e-6}, " + section,
           "units: {length: mm}\n")
           .beam;
  EXPECT_DOUBLE_EQ(beam.to.x(), 1);
  EXPECT_EQ(beam.section.kind, model::SectionKind::kGeneral);
  EXPECT_DOUBLE_EQ(beam.section.area[0], 100e-6);
  EXPECT_DOUBLE_EQ(beam.section.Iy[1], 10e-12);
  EXPECT_DOUBLE_EQ(beam.section.Iz[0], 20e-12);
  EXPECT_DOUBLE_EQ(beam.section.Iz[1], 30e-12);
  EXPECT_DOUBLE_EQ(beam.foundation, 3);
  EXPECT_DOUBLE_EQ(beam.viscous, 2);
}

TEST(NativeBodies, TubesHaveAWall) {
  const std::string beam = "kind: beam, from: [0, 0, 0], to: [1000, 0, 0], section: ";
  const model::SectionSpec square =
      body_with(beam + "{b: 50, h: 40, t: [3, 2]}", "units: {length: mm}\n").beam->section;
  EXPECT_EQ(square.kind, model::SectionKind::kRectangle);
  EXPECT_DOUBLE_EQ(square.wall[0], 0.003);
  EXPECT_DOUBLE_EQ(square.wall[1], 0.002);
  const model::SectionSpec round = body_with(beam + "{d: 50, t: 4}", "units: {length: mm}\n").beam->section;
  EXPECT_EQ(round.kind, model::SectionKind::kCircle);
  EXPECT_DOUBLE_EQ(round.radius[1], 0.025);
  EXPECT_DOUBLE_EQ(round.inner_radius[0], 0.021);
  EXPECT_DOUBLE_EQ(body_with(beam + "{d: 0.05}").beam->section.inner_radius[0], 0) << "a solid bar";
  EXPECT_MENTIONS(body_error(beam + "{d: 1, t: 0.6}"), "`t` must be at most half of `d`");
  EXPECT_MENTIONS(body_error(beam + "{b: 1, h: 1, t: 0}"), "`t` must be above 0");
  EXPECT_MENTIONS(body_error(beam + "{radius: 1, t: 0.1}"), "a section is {b, h}");
}

TEST(NativeBodies, InertiaIsADiagonalOrAllSixNumbers) {
  Eigen::Matrix3d expected;
  expected << 1, 4, 5, 4, 2, 6, 5, 6, 3;
  EXPECT_EQ(*body_with("mass: 1, inertia: [1, 2, 3, 4, 5, 6]").inertia, expected);
  EXPECT_EQ(body_with("mass: 1, inertia: [1, 2, 3]").inertia->diagonal(), Vector3d(1, 2, 3));
  EXPECT_MENTIONS(body_error("mass: 1, inertia: [1, 2]"), "`inertia` is [ixx, iyy, izz] or [ixx,");
}

TEST(NativeBodies, MistakesNameTheFieldAndItsWords) {
  EXPECT_MENTIONS(body_error("kind: rigit"), "unknown kind 'rigit'; it is rigid, point, beam");
  EXPECT_MENTIONS(body_error("shapes: [{sphere: {radius: 1}, box: {size: [1, 1, 1]}}]"),
                  "must be exactly one of sphere");
  EXPECT_MENTIONS(body_error("shapes: [{sphere: {}}]"), "sphere needs `radius`");
  EXPECT_MENTIONS(body_error("mass: 1, from: [0, 0, 0]"), "has no field 'from'") << "only elastic bodies have ends";
  EXPECT_MENTIONS(body_error("kind: beam, from: [0, 0, 0], to: [1, 0, 0], section: {b: 1, h: 1, radius: 1}"),
                  "a section is {b, h}, {b, h, t}, {radius, inner_radius}, {d, t} or {area, Iy, Iz, J}");
}

}  // namespace
}  // namespace espalier::formats
