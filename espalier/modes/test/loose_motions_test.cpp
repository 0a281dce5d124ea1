#include "espalier/modes/detail/loose_motions.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Vector3d;

//  ground (0, 0) --hinge about z-- vertex at (2, 0)
Structure door() {
  Structure out;
  out.vertices = {vertex_at(Vector3d::Zero(), kSupport), vertex_at(Vector3d(2, 0, 0), kAll)};
  Hinge hinge;
  hinge.kind[5] = Hinge::Kind::kReleased;
  out.elements.push_back(
      {"hinge", hinge, {0, 1}, {Matrix6::Identity(), port(Eigen::Matrix3d::Identity(), Vector3d(-2, 0, 0))}});
  return out;
}

TEST(LooseMotions, ADoorSwingsAboutItsHinge) {
  const Structure structure = door();
  const Blocks blocks = make_blocks(structure);
  ASSERT_EQ(blocks.count, 1);
  ASSERT_EQ(blocks.loose.size(), 1u);
  const LooseMotions found = loose_motions(structure, blocks);
  ASSERT_EQ(found.motions.cols(), 1);
  const Eigen::Matrix<double, 6, 1> u = vertex_motion(structure, blocks, 1, found.motions.col(0));
  EXPECT_GT(std::abs(u[5]), 0.1);
  EXPECT_NEAR(u[1] / u[5], 2, 1e-13);
  for (const int k : {0, 2, 3, 4}) EXPECT_NEAR(u[k], 0, 1e-14) << k;
}

TEST(MakeBlocks, ASpringHoldsAndADamperOnlyWhereItIsAsked) {
  Structure structure = door();
  Hinge& hinge = std::get<Hinge>(structure.elements[0].law);
  hinge.kind[5] = Hinge::Kind::kElastic;
  hinge.damping[5] = 1;
  EXPECT_EQ(make_blocks(structure).count, 1);
  EXPECT_EQ(make_blocks(structure, HeldBy::kStiffnessOrDamping).count, 0);
  hinge.stiffness[5] = 1e-6;
  EXPECT_EQ(make_blocks(structure).count, 0);
}

// Two springs in a plane at an angle of 1e-3: the second holds by its sine beside the first.
TEST(LooseMotions, SayHowLittleTheLastConditionHolds) {
  Structure structure;
  structure.vertices = {vertex_at(Vector3d::Zero(), kSupport),
                        vertex_at(Vector3d::Zero(), {true, true, false, false, false, false})};
  for (const double angle : {0.0, 1e-3}) {
    add_spring(structure, 0, 1, 1);
    const Eigen::Matrix3d axes =
        axes_along(Vector3d(std::cos(angle), std::sin(angle), 0), Vector3d(-std::sin(angle), std::cos(angle), 0));
    Hinge& hinge = std::get<Hinge>(structure.elements.back().law);
    hinge.kind = {Hinge::Kind::kElastic,  Hinge::Kind::kReleased, Hinge::Kind::kReleased,
                  Hinge::Kind::kReleased, Hinge::Kind::kReleased, Hinge::Kind::kReleased};
    structure.elements.back().to_local.fill(port(axes, Vector3d::Zero()));
  }
  const Blocks blocks = make_blocks(structure);
  ASSERT_EQ(blocks.count, 1);
  const LooseMotions found = loose_motions(structure, blocks);
  EXPECT_EQ(found.motions.cols(), 0);
  EXPECT_NEAR(found.least_hold, std::sin(1e-3), 1e-12);
}

}  // namespace
}  // namespace espalier::modes::detail
