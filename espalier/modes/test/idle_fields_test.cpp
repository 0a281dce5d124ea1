#include "espalier/modes/detail/idle_fields.hpp"

#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes::detail {
namespace {

constexpr SectionOf kSteel = {4e-4, 2e-8, 1e-8, 2.5e-8, 2.1e11, 8.1e10, 7850};

// A cantilever along `tip` whose end moves in some directions.
Beam carried_by(const Eigen::Vector3d& tip, const Directions& moves) {
  Structure structure;
  structure.vertices = {vertex_at(Eigen::Vector3d::Zero(), kSupport), vertex_at(tip, moves)};
  add_beam(structure, 0, 1, kSteel, Eigen::Vector3d::UnitZ());
  return std::get<Beam>(without_idle_fields(structure).elements[0].law);
}

// Along x, its y axis along z of the world.
TEST(WithoutIdleFields, LeavesWhatTheEndsReach) {
  const Beam along_x = carried_by({1, 0, 0}, kAlongX);
  EXPECT_TRUE(along_x.axial);
  EXPECT_FALSE(along_x.torsion || along_x.bend_y || along_x.bend_z);
  const Beam bending = carried_by({1, 0, 0}, kBending);
  EXPECT_TRUE(bending.bend_z);
  EXPECT_FALSE(bending.axial || bending.torsion || bending.bend_y);
  // A displacement along x reaches a beam at an angle along it and across it.
  const Beam skew = carried_by({1, 1, 0}, kAlongX);
  EXPECT_TRUE(skew.axial && skew.bend_z);
  EXPECT_FALSE(skew.torsion || skew.bend_y);
}

TEST(WithoutIdleFields, ABeamBetweenSupportsKeepsAll) {
  const Beam held = carried_by({1, 0, 0}, kSupport);
  EXPECT_TRUE(held.axial && held.torsion && held.bend_y && held.bend_z);
}

}  // namespace
}  // namespace espalier::modes::detail
