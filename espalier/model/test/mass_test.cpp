#include "espalier/model/detail/mass.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "espalier/model/test/chain.hpp"

namespace espalier::model {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// Two boxes of a body, one turned a quarter about z:
//
//        +---+                 box 1: 2 x 1 x 1 m, density 3,  at (1, 0, 0)
//   +----+   | box 2           box 2: 1 x 4 x 1 m, density 5,  at (0, 2, 0), turned: 4 along x
//   +--------+
TEST(BodyInertia, ComesFromShapesAndTheirDensities) {
  ModelSpec spec = chain();
  spec.materials = {{"light", 3.0, {}, {}, {}, {}, {}}, {"dense", 5.0, {}, {}, {}, {}, {}}};
  BodySpec& b = spec.bodies[0];
  b.mass.reset();
  b.com.reset();
  b.inertia.reset();
  b.material = "light";
  ShapeSpec one, two, seen;
  one.kind = two.kind = seen.kind = ShapeKind::kBox;
  one.size = {2, 1, 1};
  one.pose.position = {1, 0, 0};
  two.size = {1, 4, 1};
  two.pose = {{0, 2, 0}, math::rotation_exp({0, 0, pi / 2})};
  two.material = "dense";
  seen.size = {9, 9, 9};
  seen.role = ShapeRole::kVisual;
  b.shapes = {one, two, seen};

  const math::Inertia inertia = compiled(spec).bodies[1].inertia;
  const double m1 = 6, m2 = 20;
  EXPECT_NEAR(inertia.mass, m1 + m2, 1e-13);
  const Vector3d com = (m1 * Vector3d(1, 0, 0) + m2 * Vector3d(0, 2, 0)) / (m1 + m2);
  EXPECT_LT((inertia.com - com).norm(), 1e-14);
  // Steiner: own moments, then m d^2 about the common centre.
  const double izz = m1 / 12 * (4 + 1) + m2 / 12 * (16 + 1) + m1 * (Vector3d(1, 0, 0) - com).squaredNorm() +
                     m2 * (Vector3d(0, 2, 0) - com).squaredNorm();
  const double ixx = m1 / 12 * (1 + 1) + m2 / 12 * (1 + 1) + m1 * com.y() * com.y() + m2 * std::pow(2 - com.y(), 2);
  const double ixy = -m1 * (1 - com.x()) * (0 - com.y()) - m2 * (0 - com.x()) * (2 - com.y());
  EXPECT_NEAR(inertia.about_com(2, 2), izz, 1e-12);
  EXPECT_NEAR(inertia.about_com(0, 0), ixx, 1e-12);
  EXPECT_NEAR(inertia.about_com(0, 1), ixy, 1e-12);
  EXPECT_NEAR(inertia.about_com(0, 2), 0, 1e-12);
}

BodySpec box_body(const std::string& name, const Vector3d& size) {
  BodySpec spec;
  spec.name = name;
  ShapeSpec box;
  box.kind = ShapeKind::kBox;
  box.size = size;
  box.pose.position = {0.5, 0, 0};
  spec.shapes = {box};
  return spec;
}

TEST(BodyInertia, GivenWithoutInertiaScalesTheShapes) {
  ModelSpec spec = chain();
  spec.bodies[0] = box_body("A", {1, 2, 3});
  spec.bodies[0].mass = 24;
  const math::Inertia inertia = compiled(spec).bodies[1].inertia;
  EXPECT_DOUBLE_EQ(inertia.mass, 24);
  EXPECT_EQ(inertia.com, Vector3d(0.5, 0, 0));
  EXPECT_NEAR(inertia.about_com(0, 0), 2 * (4 + 9), 1e-12);
  EXPECT_NEAR(inertia.about_com(1, 1), 2 * (1 + 9), 1e-12);
  spec.bodies[0].com = Vector3d(0, 0, 1);
  EXPECT_MENTIONS(error_of(spec), "has a `com` but no `inertia`");
}

TEST(BodyInertia, GivenWithShapesOfNoDensityStaysFinite) {
  ModelSpec spec = chain();
  spec.materials = {{"air", 0.0, {}, {}, {}, {}, {}}};
  spec.bodies[0] = box_body("A", {1, 2, 3});
  spec.bodies[0].material = "air";
  spec.bodies[0].mass = 24;
  const math::Inertia inertia = compiled(spec).bodies[1].inertia;
  EXPECT_DOUBLE_EQ(inertia.mass, 24);
  EXPECT_NEAR(inertia.about_com(0, 0), 2 * (4 + 9), 1e-12);
  spec.bodies[0].mass.reset();
  const math::Inertia nothing = compiled(spec).bodies[1].inertia;
  EXPECT_EQ(nothing.mass, 0);
  EXPECT_TRUE(nothing.com.allFinite());
}

TEST(BodyInertia, OfAHullIsThatOfItsBox) {
  ModelSpec spec = chain();
  spec.bodies[0] = box_body("A", {1, 2, 3});
  spec.bodies[1] = box_body("B", {1, 2, 3});
  ShapeSpec& hull = spec.bodies[1].shapes[0];
  hull.kind = ShapeKind::kHull;
  hull.size.setZero();
  for (int k = 0; k < 8; ++k) hull.points.push_back({k & 1 ? 0.5 : -0.5, k & 2 ? 1.0 : -1.0, k & 4 ? 1.5 : -1.5});
  spec.materials = {{"m", 10.0, {}, {}, {}, {}, {}}};
  spec.bodies[0].material = spec.bodies[1].material = "m";
  const Model model = compiled(spec);
  EXPECT_NEAR(model.bodies[1].inertia.mass, 60, 1e-12);
  EXPECT_NEAR(model.bodies[2].inertia.mass, 60, 1e-12);
  EXPECT_LT((model.bodies[1].inertia.com - model.bodies[2].inertia.com).norm(), 1e-14);
  EXPECT_LT((model.bodies[1].inertia.about_com - model.bodies[2].inertia.about_com).norm(), 1e-12);
}

TEST(BodyInertia, MissingSaysWhatToGive) {
  ModelSpec spec = chain();
  spec.bodies[0].mass.reset();
  EXPECT_MENTIONS(error_of(spec), "body 'A' has an inertia but no mass");
  spec.bodies[0].inertia.reset();
  EXPECT_MENTIONS(error_of(spec), "body 'A' has no mass");
  spec.bodies[0] = box_body("A", {1, 1, 1});
  EXPECT_MENTIONS(error_of(spec), "a `material` with a `density`");
  spec.bodies[0] = body("A");
  spec.bodies[0].mass = -1;
  EXPECT_MENTIONS(error_of(spec), "negative mass");
  spec.bodies[0].mass = 0;
  EXPECT_MENTIONS(error_of(spec), "has an inertia but no mass");
}

TEST(BodyInertia, ImpossibleInertiaIsRefusedUnlessAllowed) {
  ModelSpec spec = chain();
  spec.bodies[0].inertia = Vector3d(1, 1, 3).asDiagonal();
  EXPECT_MENTIONS(error_of(spec), "no mass distribution has the principal moments 1, 1, 3");
  spec.impossible_inertia_allowed = true;
  EXPECT_EQ(compiled(spec).bodies[1].inertia.about_com(2, 2), 3);
  spec.bodies[0].inertia = Vector3d(-1, 1, 1).asDiagonal();
  EXPECT_MENTIONS(error_of(spec), "no mass distribution");
  // A rod rounded to four digits passes.
  spec.impossible_inertia_allowed = false;
  spec.bodies[0].inertia = Vector3d(1, 1, 2.0005).asDiagonal();
  EXPECT_EQ(error_of(spec), "compiled");
}

// A square beam that tapers from 0.2 m to 0.1 m over 3 m:  A(x) = (0.2 - 0.1 x/L)^2.
TEST(BodyInertia, OfABeamHasTheMassOfItsIntegral) {
  ModelSpec spec;
  spec.materials = {{"steel", 7850.0, 2.1e11, 8e10, {}, {}, {}}};
  BodySpec beam;
  beam.name = "beam";
  beam.kind = BodyKind::kBeam;
  beam.material = "steel";
  beam.beam = BeamSpec();
  beam.beam->from = {0, 1, 0};
  beam.beam->to = {0, 4, 0};
  beam.beam->section.b = beam.beam->section.h = {0.2, 0.1};
  spec.bodies = {beam};
  const math::Inertia inertia = compiled(spec).bodies[1].inertia;
  // Simpson in many steps, as the second method.
  const int n = 2000;
  double volume = 0, first = 0, second = 0, across = 0, polar = 0;
  for (int k = 0; k <= n; ++k) {
    const double x = static_cast<double>(k) / n;
    const double w = (k == 0 || k == n ? 1.0 : k % 2 == 1 ? 4.0 : 2.0) * 3.0 / (3.0 * n);
    const double s = 0.2 - 0.1 * x;
    volume += w * s * s;
    first += w * s * s * (1 + 3 * x);
    second += w * s * s * std::pow(1 + 3 * x, 2);
    across += w * std::pow(s, 4) / 12;
    polar += w * std::pow(s, 4) / 6;
  }
  const double y = first / volume;
  EXPECT_NEAR(inertia.mass, 7850 * volume, 1e-9 * inertia.mass);
  EXPECT_LT((inertia.com - Vector3d(0, y, 0)).norm(), 1e-10);
  EXPECT_NEAR(inertia.about_com(0, 0), 7850 * (second - volume * y * y + across), 1e-9 * inertia.about_com(0, 0));
  EXPECT_NEAR(inertia.about_com(1, 1), 7850 * polar, 1e-9 * inertia.about_com(1, 1));
}

}  // namespace
}  // namespace espalier::model
