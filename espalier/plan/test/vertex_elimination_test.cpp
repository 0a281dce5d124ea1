#include "espalier/plan/detail/vertex_elimination.hpp"

#include <set>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::plan::detail {
namespace {

using Ints = std::vector<int>;

TEST(VertexElimination, ALoopThatComesInTwiceHasBothEndsBelow) {
  VertexElimination vertex(9);
  vertex.add_branch(Ints{7, 2});
  vertex.add_branch(Ints{2, 5});
  vertex.add_end(5);
  Ints loops, ends;
  for (const VertexElimination::Present& present : vertex.present()) {
    loops.push_back(present.loop);
    ends.push_back(present.ends);
  }
  EXPECT_EQ(loops, (Ints{2, 5, 7}));
  EXPECT_EQ(ends, (Ints{2, 2, 1}));
}

// Branches {0, 1} and {1, 2}: 1 is coupled to both, the others to 1 alone. With 3, 1, 2 rows, 0 (1 row beside it) goes
// before 2 (1 row as well, the higher number), and nothing is left for 1.
TEST(VertexElimination, TheOneCoupledToTheFewestRowsGoesFirst) {
  VertexElimination vertex(3);
  const Ints equations = {3, 1, 2};
  vertex.add_branch(Ints{0, 1});
  vertex.add_branch(Ints{1, 2});
  vertex.present();
  std::vector<Ints> coupled;
  const auto closed = vertex.close(Ints{0, 1, 2}, equations, &coupled);
  ASSERT_EQ(closed.size(), 3U);
  EXPECT_EQ(closed[0].loop, 0);
  EXPECT_EQ(closed[0].rows, 1);
  EXPECT_EQ(closed[0].blocks, 1);
  EXPECT_EQ(coupled[0], Ints{1});
  const int last = closed[2].loop;
  EXPECT_EQ(closed[2].rows, 0);
  EXPECT_EQ(coupled[1], Ints{last});
}

// Eliminating the middle of a star couples its neighbours.
TEST(VertexElimination, EliminatingALoopCouplesItsNeighbours) {
  VertexElimination vertex(4);
  const Ints equations(4, 1);
  vertex.add_branch(Ints{0, 1});
  vertex.add_branch(Ints{0, 2, 3});
  vertex.present();
  std::vector<Ints> coupled;
  const auto closed = vertex.close(Ints{0}, equations, &coupled);
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].rows, 3);
  EXPECT_EQ(coupled[0], (Ints{1, 2, 3}));
}

// The elimination game on pairs, in the order that was chosen, finds the same couplings.
TEST(VertexElimination, CouplingsAreThoseOfTheGameOnPairs) {
  for (std::uint32_t key = 0; key < 100; ++key) {
    Random random(9, key);
    const int loops = 3 + random.below(8);
    Ints equations(to_index(loops));
    for (int& rows : equations) rows = 1 + random.below(6);
    VertexElimination vertex(to_index(loops));
    std::vector<std::set<int>> beside(to_index(loops));
    for (int branch = 1 + random.below(4); branch > 0; --branch) {
      Ints open;
      for (int loop = 0; loop < loops; ++loop) {
        if (random.below(2) == 0) open.push_back(loop);
      }
      vertex.add_branch(open);
      for (const int a : open) {
        for (const int b : open) {
          if (a != b) beside[to_index(a)].insert(b);
        }
      }
    }
    Ints closing;
    for (const VertexElimination::Present& present : vertex.present()) {
      if (random.below(3) > 0) closing.push_back(present.loop);
    }
    std::vector<Ints> coupled;
    const auto closed = vertex.close(closing, equations, &coupled);
    ASSERT_EQ(closed.size(), closing.size()) << key;
    for (std::size_t k = 0; k < closed.size(); ++k) {
      const std::set<int> around = beside[to_index(closed[k].loop)];
      EXPECT_EQ(std::set<int>(coupled[k].begin(), coupled[k].end()), around) << key;
      int rows = 0;
      for (const int a : around) {
        rows += equations[to_index(a)];
        beside[to_index(a)].erase(closed[k].loop);
        for (const int b : around) {
          if (a != b) beside[to_index(a)].insert(b);
        }
      }
      EXPECT_EQ(closed[k].rows, rows) << key;
      EXPECT_EQ(closed[k].blocks, static_cast<int>(around.size())) << key;
    }
  }
}

TEST(VertexElimination, IsClearedForTheNextVertex) {
  VertexElimination vertex(3);
  vertex.add_branch(Ints{0, 2});
  vertex.present();
  vertex.close(Ints{0}, Ints{1, 1, 1});
  vertex.clear();
  EXPECT_TRUE(vertex.present().empty());
  vertex.add_end(2);
  vertex.present();
  const auto closed = vertex.close(Ints{2}, Ints{1, 1, 1});
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0].rows, 0);
}

}  // namespace
}  // namespace espalier::plan::detail
