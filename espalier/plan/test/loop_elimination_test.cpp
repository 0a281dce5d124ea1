#include "espalier/plan/loop_elimination.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::plan {
namespace {

using Ints = std::vector<int>;
using Lists = std::vector<Ints>;

// A random forest on the world, and loops between two of its vertices, some of them the world; one in eight has three
// ends or one, as equations on single joints have.
struct Case {
  Ints parent;
  Ints order;
  std::vector<LoopEnds> loops;
};

Case random_case(std::uint32_t key) {
  Random random(77, key);
  const int n = 1 + random.below(14);
  Case made;
  // Vertices are numbered at random, parents first in `order`.
  for (int v = 0; v < n; ++v) made.order.push_back(v);
  for (int k = n - 1; k > 0; --k) std::swap(made.order[k], made.order[random.below(k + 1)]);
  made.parent.assign(n, -1);
  const bool deep = random.below(2) == 0;
  for (int k = 0; k < n; ++k) {
    const int up = deep ? k - 1 - random.below(std::min(k + 1, 2)) : random.below(k + 1) - 1;
    made.parent[made.order[k]] = up < 0 ? -1 : made.order[up];
  }
  for (int loops = random.below(9); loops > 0; --loops) {
    LoopEnds loop;
    const int kind = random.below(16);
    for (int ends = kind == 0 ? 1 : kind == 1 ? 3 : 2; ends > 0; --ends) loop.ends.push_back(random.below(n + 1) - 1);
    loop.equations = 1 + random.below(6);
    made.loops.push_back(loop);
  }
  return made;
}

Ints way_up(const Case& made, int vertex) {
  Ints way;
  for (; vertex >= 0; vertex = made.parent[vertex]) way.push_back(vertex);
  way.push_back(-1);
  return way;
}

// The lowest vertex on the ways of all ends; -1 is the world.
int meeting_point(const Case& made, const LoopEnds& loop) {
  for (const int v : way_up(made, loop.ends.front())) {
    const bool common = std::all_of(loop.ends.begin(), loop.ends.end(), [&](int end) {
      const Ints way = way_up(made, end);
      return std::find(way.begin(), way.end(), v) != way.end();
    });
    if (common) return v;
  }
  return -1;
}

std::size_t slot(const Case& made, int vertex) {
  return vertex < 0 ? made.parent.size() : to_index(vertex);
}

TEST(EliminateLoops, ClosesEachLoopWhereItsWaysMeet) {
  for (std::uint32_t key = 0; key < 500; ++key) {
    const Case made = random_case(key);
    const LoopElimination found = eliminate_loops(made.parent, made.order, made.loops);
    Lists closing(made.parent.size() + 1);
    Lists open(made.parent.size() + 1);
    for (std::size_t l = 0; l < made.loops.size(); ++l) {
      const int top = meeting_point(made, made.loops[l]);
      closing[slot(made, top)].push_back(static_cast<int>(l));
      std::set<int> passed;
      for (const int end : made.loops[l].ends) {
        for (int v = end; v != top; v = made.parent[v]) passed.insert(v);
      }
      for (const int v : passed) open[slot(made, v)].push_back(static_cast<int>(l));
    }
    EXPECT_EQ(found.open, open) << key;
    for (std::size_t v = 0; v < closing.size(); ++v) {
      Ints sorted = found.closing[v];
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(sorted, closing[v]) << key;
    }
  }
}

// The matrix of accelerations (one block a vertex) and multipliers (one a loop): a vertex is coupled to its parent, a
// loop to the vertices at its ends; the world is no unknown. Eliminating a block couples all that it is coupled to.
// Returns by loop what it is coupled to as it is eliminated, loops alone.
std::vector<std::set<int>> eliminate_by_definition(const Case& made, const LoopElimination& found) {
  const auto n = static_cast<int>(made.parent.size());
  std::vector<std::set<int>> near(made.parent.size() + made.loops.size());
  const auto couple = [&](int a, int b) {
    if (a == b) return;
    near[a].insert(b);
    near[b].insert(a);
  };
  for (int v = 0; v < n; ++v) {
    if (made.parent[v] >= 0) couple(v, made.parent[v]);
  }
  for (std::size_t l = 0; l < made.loops.size(); ++l) {
    for (const int end : made.loops[l].ends) {
      if (end >= 0) couple(n + static_cast<int>(l), end);
    }
  }
  std::vector<std::set<int>> coupled(made.loops.size());
  const auto eliminate = [&](int block) {
    const std::set<int> others = near[block];
    for (const int a : others) {
      near[a].erase(block);
      for (const int b : others) couple(a, b);
      if (block >= n && a >= n) coupled[block - n].insert(a - n);
    }
  };
  for (auto v = made.order.rbegin(); v != made.order.rend(); ++v) {
    for (const int loop : found.closing[*v]) eliminate(n + loop);
    eliminate(*v);
  }
  for (const int loop : found.closing.back()) eliminate(n + loop);
  return coupled;
}

TEST(EliminateLoops, FindsTheCouplingsOfTheSymbolicFactorisation) {
  std::size_t pairs = 0;
  for (std::uint32_t key = 0; key < 2000; ++key) {
    const Case made = random_case(key);
    const LoopElimination found = eliminate_loops(made.parent, made.order, made.loops);
    const std::vector<std::set<int>> expected = eliminate_by_definition(made, found);
    for (std::size_t l = 0; l < made.loops.size(); ++l) {
      EXPECT_EQ(std::set<int>(found.coupled[l].begin(), found.coupled[l].end()), expected[l]) << key << " loop " << l;
      EXPECT_EQ(found.coupled[l].size(), expected[l].size()) << "a loop is listed twice";
      pairs += expected[l].size();
    }
  }
  EXPECT_GT(pairs, 2000u) << "the cases are too easy";
}

TEST(EliminateLoops, ListsThoseThatCloseAtTheSameVertexFirst) {
  for (std::uint32_t key = 0; key < 500; ++key) {
    const Case made = random_case(key);
    const LoopElimination found = eliminate_loops(made.parent, made.order, made.loops);
    for (const Ints& closing : found.closing) {
      for (std::size_t k = 0; k < closing.size(); ++k) {
        Ints expected;
        const Ints& coupled = found.coupled[closing[k]];
        for (std::size_t later = k + 1; later < closing.size(); ++later) {
          if (std::find(coupled.begin(), coupled.end(), closing[later]) != coupled.end())
            expected.push_back(closing[later]);
        }
        const std::size_t here = expected.size();
        for (const int other : std::set<int>(coupled.begin(), coupled.end())) {
          if (std::find(closing.begin(), closing.end(), other) == closing.end()) expected.push_back(other);
        }
        EXPECT_EQ(coupled, expected) << key << ": " << here << " close here";
      }
    }
  }
}

// Each loop of a ladder cut next to the ground ends at two neighbouring cranks: a tridiagonal matrix has no fill,
// whatever the numbers of the loops.
//   world - 0  1  2  3  4  cranks; loop k between cranks k and k + 1
TEST(EliminateLoops, FillsNothingInARowOfNeighbours) {
  constexpr int kLoops = 3000;
  const Ints parent(kLoops + 1, -1);
  Ints order;
  for (int v = 0; v <= kLoops; ++v) order.push_back(v);
  std::vector<LoopEnds> loops;
  for (int k = 0; k < kLoops; ++k) loops.push_back({{k, k + 1}, 2});
  const LoopElimination found = eliminate_loops(parent, order, loops);
  std::size_t pairs = 0;
  for (const Ints& coupled : found.coupled) pairs += coupled.size();
  EXPECT_EQ(pairs, kLoops - 1u);
  EXPECT_EQ(found.closing.back().size(), to_index(kLoops));
}

// Loops that are local close where they are and leave the chain below alone.
//   world - 0 - 1 - 2 - ...; loop k between 2k and 2k + 2
TEST(EliminateLoops, KeepsLocalLoopsOfAChainApart) {
  constexpr int kLoops = 40;
  Ints parent;
  Ints order;
  for (int v = 0; v <= 2 * kLoops; ++v) {
    parent.push_back(v - 1);
    order.push_back(v);
  }
  std::vector<LoopEnds> loops;
  for (int k = 0; k < kLoops; ++k) loops.push_back({{2 * k, 2 * k + 2}, 5});
  const LoopElimination found = eliminate_loops(parent, order, loops);
  for (int k = 0; k < kLoops; ++k) {
    EXPECT_TRUE(found.coupled[k].empty());
    EXPECT_EQ(found.closing[2 * k], Ints{k});
    EXPECT_EQ(found.open[2 * k + 1], Ints{k});
  }
}

TEST(EliminateLoops, OfNothingIsNothing) {
  const LoopElimination found = eliminate_loops({}, {}, {});
  EXPECT_EQ(found.closing.size(), 1u);
  EXPECT_TRUE(found.coupled.empty());
}

}  // namespace
}  // namespace espalier::plan
