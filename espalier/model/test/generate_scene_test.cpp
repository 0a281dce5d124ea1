#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "espalier/model/generate.hpp"
#include "espalier/model/model.hpp"

namespace espalier::model {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kStone = 2000;  // [kg/m^3]

Model compiled(const Result<ModelSpec>& spec) {
  EXPECT_TRUE(spec) << to_string(spec.error());
  const Result<Model> model = compile(*spec);
  EXPECT_TRUE(model) << to_string(model.error());
  return *model;
}

// The radius of a ball around the body's only shape, which stands in its middle.
double reach(const Body& body) {
  const ShapeSpec& shape = body.shapes[0].spec;
  return shape.kind == ShapeKind::kSphere ? shape.size[0] : shape.size.norm() / 2;
}

TEST(GenerateStack, BricksLieOnEachOther) {
  const Model model = compiled(generate_stack(7));
  ASSERT_EQ(model.bodies.size(), 8u);
  for (std::size_t k = 1; k < model.bodies.size(); ++k) {
    EXPECT_DOUBLE_EQ(model.bodies[k].X_WB.position.z(), 0.5 * static_cast<double>(k) - 0.25);
    EXPECT_NEAR(model.bodies[k].inertia.mass, kStone * 0.5, 1e-10);
  }
  ASSERT_TRUE(model.contact);
  EXPECT_EQ(model.bodies[0].shapes[0].spec.kind, ShapeKind::kPlane);
}

// Spheres touch neither each other nor the boards.
TEST(GeneratePile, GrainsHangApartInsideTheTray) {
  const Model model = compiled(generate_pile(60, Grain::kSphere, 5));
  ASSERT_EQ(model.bodies.size(), 61u);
  double wall = 0;
  for (const Shape& board : model.bodies[0].shapes) {
    if (board.spec.kind != ShapeKind::kBox) continue;
    const double inner = std::abs(board.spec.pose.position.x()) - board.spec.size.x() / 2;
    if (board.spec.pose.position.x() != 0) wall = inner;
  }
  for (std::size_t a = 1; a < model.bodies.size(); ++a) {
    const Vector3d& at = model.bodies[a].X_WB.position;
    EXPECT_GT(at.z(), reach(model.bodies[a]));
    EXPECT_LT(std::max(std::abs(at.x()), std::abs(at.y())) + reach(model.bodies[a]), wall);
    for (std::size_t b = 1; b < a; ++b) {
      EXPECT_GT((at - model.bodies[b].X_WB.position).norm(), reach(model.bodies[a]) + reach(model.bodies[b]));
    }
  }
}

TEST(GeneratePile, MixedHasEveryOtherGrainRound) {
  const Model model = compiled(generate_pile(20, Grain::kMixed, 2));
  for (std::size_t k = 1; k < model.bodies.size(); ++k) {
    EXPECT_EQ(model.bodies[k].shapes[0].spec.kind, k % 2 == 1 ? ShapeKind::kSphere : ShapeKind::kBox);
  }
}

TEST(GeneratePile, TheSeedDecides) {
  const auto place = [](std::uint64_t seed) {
    return generate_pile(5, Grain::kBox, seed)->bodies.back().pose.position;
  };
  EXPECT_EQ(place(1), place(1));
  EXPECT_NE(place(1), place(2));
}

// The eight corners of a voussoir span (polygon of the ring) x depth: its volume is that of a prism over a trapezoid.
TEST(GenerateArch, VoussoirsAreAHalfCircleOfEqualStones) {
  const int blocks = 9;
  const double ratio = 0.12, inner = 10 - 0.6, outer = 10 + 0.6, depth = 2;
  const Model model = compiled(generate_arch(blocks, ratio));
  ASSERT_EQ(model.bodies.size(), 10u);
  const double area = (outer * outer - inner * inner) * std::sin(pi / blocks) / 2;
  for (std::size_t k = 1; k < model.bodies.size(); ++k) {
    const math::Inertia& inertia = model.bodies[k].inertia;
    EXPECT_NEAR(inertia.mass, kStone * area * depth, 1e-8 * inertia.mass);
    // From the right springer to the left one.
    const double angle = (static_cast<double>(k) - 0.5) * pi / blocks;
    EXPECT_NEAR(std::atan2(inertia.com.z(), inertia.com.x()), angle, 1e-12);
  }
  EXPECT_FALSE(generate_arch(9, 0.005));
  EXPECT_FALSE(generate_arch(2, 0.1));
}

TEST(GenerateBeads, HangsEachBeadOnTheOneBefore) {
  const Model model = compiled(generate_beads(4));
  ASSERT_EQ(model.joints.size(), 4u);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(model.joints[j].type, JointType::kSpherical);
    EXPECT_EQ(model.joints[j].a, BodyId(static_cast<int>(j)));
    EXPECT_EQ(model.joints[j].b, BodyId(static_cast<int>(j) + 1));
    EXPECT_LT(drawn_gap(model, model.joints[j]).distance, 1e-14);
    // Neighbours do not overlap: a knot is farther from the middle of its bead than the bead is thick.
    EXPECT_GT(model.joints[j].X_BM.position.norm(), reach(model.bodies[j + 1]));
  }
}

// Four planks at 45 degrees and four walls, each a quarter of a turn further.
TEST(GenerateSilo, PlanksFallTowardsTheHole) {
  const Model model = compiled(generate_silo(200, 1));
  int tilted = 0;
  for (const Shape& board : model.bodies[0].shapes) {
    if (board.spec.kind != ShapeKind::kBox) continue;
    const Vector3d up = board.spec.pose.rotation * Vector3d::UnitZ();
    if (up.z() > 0.99) continue;
    EXPECT_NEAR(up.z(), std::sqrt(0.5), 1e-14);
    const Vector3d outwards(board.spec.pose.position.x(), board.spec.pose.position.y(), 0);
    EXPECT_LT(up.dot(outwards), 0) << "grains roll inwards";
    ++tilted;
  }
  EXPECT_EQ(tilted, 4);
  EXPECT_EQ(model.bodies.size(), 201u);
}

}  // namespace
}  // namespace espalier::model
