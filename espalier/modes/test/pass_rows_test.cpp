#include <gtest/gtest.h>

#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;

// Two bodies in space, joined by one hinge or by the same hinge `joints` times.
Structure pair_of_bodies(int joints) {
  Structure out;
  for (const double x : {0.0, 1.0}) {
    out.vertices.push_back(vertex_at(Vector3d(x, 0, 0), kAll));
    out.vertices.back().mass = rigid_mass(1, Vector3d::Zero(), Eigen::Matrix3d::Identity());
  }
  Hinge hinge;
  hinge.kind[5] = Hinge::Kind::kReleased;
  const Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  for (int k = 0; k < joints; ++k) {
    out.elements.push_back(
        {"hinge", hinge, {0, 1}, {port(axes, Vector3d(0.5, 0, 0)), port(axes, Vector3d(-0.5, 0, 0))}});
  }
  return out;
}

Pass pass_of(const Structure& structure) { return make_pass(structure, Tree{{-1, 0}, {-1, 0}}, 10).value(); }

// Six of both together and the swing of the hinge.
TEST(SettleRows, DropRowsThatOthersImply) {
  EXPECT_EQ(pass_of(pair_of_bodies(1)).motions, 7);
  const Pass twice = pass_of(pair_of_bodies(2));
  EXPECT_EQ(twice.motions, 7);
  EXPECT_EQ(twice.open_rows, 0);
}

// A second hinge beside the first one holds the swing as well.
TEST(SettleRows, KeepRowsThatHoldSomething) {
  Structure structure = pair_of_bodies(2);
  const Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  structure.elements[1].to_local = {port(axes, Vector3d(0.5, 0.3, 0)), port(axes, Vector3d(-0.5, 0.3, 0))};
  const Pass found = pass_of(structure);
  EXPECT_EQ(found.motions, 6);
  EXPECT_EQ(found.open_rows, 1);
}

TEST(SettleRows, NameWhatHasNeitherInertiaNorStiffness) {
  Structure structure = spring_chain({1}, {1});
  structure.vertices.push_back(vertex_at(Vector3d(2, 0, 0), kAlongX));
  structure.vertices.back().name = "ghost";
  const Result<Pass> found = make_pass(structure, Tree{{-1, -1, -1}, {-1, -1, -1}}, 10);
  ASSERT_FALSE(found.has_value());
  EXPECT_TRUE(found.error().message.starts_with("'ghost' can move in a direction")) << found.error().message;
}

}  // namespace
}  // namespace espalier::modes
