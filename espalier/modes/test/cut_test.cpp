#include <gtest/gtest.h>

#include "espalier/modes/results.hpp"
#include "espalier/modes/test/structures.hpp"

namespace espalier::modes {
namespace {

using Eigen::Vector3d;

constexpr SectionOf kSteel = {4e-4, 2e-8, 1e-8, 2.5e-8, 2.1e11, 8.1e10, 7850};

// support (0, 0) ====== (0, 2), whose end stands 0.5 beyond the vertex at (0, 1.5).
Structure upright() {
  Structure out;
  out.vertices = {vertex_at(Vector3d::Zero(), kSupport), vertex_at(Vector3d(0, 1.5, 0), kAll)};
  add_beam(out, 0, 1, kSteel, Vector3d::UnitZ(), Vector3d::Zero(), Vector3d(0, 0.5, 0));
  return out;
}

TEST(CutBeams, PutsVerticesAlongTheBeam) {
  const CutStructure cut = cut_beams(upright(), Tree{{-1, -1}, {-1, -1}}, std::vector<int>{4});
  EXPECT_EQ(cut.whole_vertices, 2);
  ASSERT_EQ(cut.structure.vertices.size(), 5u);
  ASSERT_EQ(cut.slices, (std::vector<std::vector<int>>{{0, 1, 2, 3}}));
  for (int k = 0; k < 4; ++k) {
    const Element& slice = cut.structure.elements[static_cast<std::size_t>(k)];
    EXPECT_NEAR(std::get<Beam>(slice.law).length, 0.5, 1e-15);
    const auto ends = end_points(cut.structure, slice);
    EXPECT_LT((ends[0] - Vector3d(0, 0.5 * k, 0)).norm(), 1e-14);
    // Along the beam, and z of the world across it.
    EXPECT_LT((beam_axes(cut, slice).row(0) - Eigen::RowVector3d(0, 1, 0)).norm(), 1e-15);
    EXPECT_LT((beam_axes(cut, slice).row(1) - Eigen::RowVector3d(0, 0, 1)).norm(), 1e-15);
  }
  EXPECT_LT((end_points(cut.structure, cut.structure.elements[3])[1] - Vector3d(0, 2, 0)).norm(), 1e-14);
  // From the support's side up to the vertex that moves.
  EXPECT_EQ(cut.tree.parent, (std::vector<int>{-1, -1, 3, 4, 1}));
  EXPECT_EQ(cut.tree.element, (std::vector<int>{-1, -1, 1, 2, 3}));
}

TEST(SliceCounts, GrowWithTheRootOfTheFrequency) {
  const Structure beam = stepped_beam(1, 0);
  EXPECT_EQ(slice_counts(beam, 1e-6), (std::vector<int>{1}));
  EXPECT_EQ(slice_counts(beam, 1e-6, 5), (std::vector<int>{5}));
  const int some = slice_counts(beam, 1e4)[0], twice = slice_counts(beam, 4e4)[0];
  EXPECT_NEAR(twice, 2 * some, 2);
  EXPECT_GT(some, 5);
  EXPECT_EQ(slice_counts(spring_chain({1}, {1}), 1e4), (std::vector<int>{1}));
}

// Cut or not, a structure has the same frequencies.
TEST(CutBeams, KeepsTheCount) {
  for (const Structure& structure : {stepped_beam(5, 0), rod_chain({1, 0.5})}) {
    const int last = static_cast<int>(structure.vertices.size()) - 1;
    const Tree tree = chain_tree(structure, last);
    const double upto = 3000;
    const Pass whole = make_pass(structure, tree, upto).value();
    const CutStructure cut = cut_beams(structure, tree, upto, 5);
    const Pass fine = make_pass(cut.structure, cut.tree, upto).value();
    PassWorkspace a(whole), b(fine);
    for (double omega = 10; omega < upto; omega *= 1.3) {
      EXPECT_EQ(count_below(whole, omega, a).below, count_below(fine, omega, b).below) << omega;
    }
  }
}

}  // namespace
}  // namespace espalier::modes
