#include "espalier/modes/detail/free_motions.hpp"

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

using Eigen::Vector3d;

Hinge damper_along_x(double damping) {
  Hinge hinge;
  hinge.kind.fill(Hinge::Kind::kReleased);
  hinge.kind[0] = Hinge::Kind::kElastic;
  hinge.damping[0] = damping;
  return hinge;
}

// (1 kg) -- spring -- (2 kg), on a rail without friction.
Structure free_pair() {
  Structure out;
  out.vertices = {vertex_at(Vector3d::Zero(), kAlongX), vertex_at(Vector3d::UnitX(), kAlongX)};
  out.vertices[0].mass(0, 0) = 1;
  out.vertices[1].mass(0, 0) = 2;
  add_spring(out, 0, 1, 5);
  return out;
}

TEST(FindFreeMotions, AFreePairMovesAsOne) {
  const FreeMotions found = find_free_motions(free_pair());
  EXPECT_TRUE(found.known);
  ASSERT_EQ(found.motions(), 1);
  EXPECT_EQ(found.roots(), 2);
  EXPECT_NEAR(std::abs(found.shapes[0][0][0]), 1, 1e-14);
  EXPECT_NEAR(std::abs(found.shapes[0][0][0] - found.shapes[0][1][0]), 0, 1e-14);
}

// A damper to the ground makes of the double root at 0 a simple one.
TEST(FindFreeMotions, ADamperHoldsOneOfTwoRoots) {
  Structure structure = free_pair();
  structure.vertices.push_back(vertex_at(Vector3d::Zero(), kSupport));
  structure.elements.push_back({"damper", damper_along_x(3), {2, 0}, {Matrix6::Identity(), Matrix6::Identity()}});
  const FreeMotions found = find_free_motions(structure);
  EXPECT_EQ(found.motions(), 1);
  EXPECT_EQ(found.undamped, 0);
  EXPECT_EQ(found.roots(), 1);
  // Between the two it damps nothing of what both do together.
  structure.elements.back().vertex = {0, 1};
  EXPECT_EQ(find_free_motions(structure).roots(), 2);
}

TEST(FindFreeMotions, ABodyInSpaceHasSixAndAHeldOneNone) {
  Structure body;
  body.vertices = {vertex_at(Vector3d(1, 2, 3), kAll)};
  EXPECT_EQ(find_free_motions(body).motions(), 6);
  body.vertices[0].stiffness = Matrix6::Identity();
  EXPECT_EQ(find_free_motions(body).motions(), 0);
}

}  // namespace
}  // namespace espalier::modes::detail
