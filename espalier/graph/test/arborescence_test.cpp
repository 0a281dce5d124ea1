#include "espalier/graph/arborescence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::graph {
namespace {

struct Digraph {
  int vertices = 0;
  std::vector<Arc> arcs;
  std::vector<double> weight;
};

Digraph random_digraph(std::uint64_t key) {
  Random random(key);
  const auto below = [&](int n) { return random.below(n); };
  Digraph digraph;
  digraph.vertices = 2 + below(4);
  for (int arcs = 3 + below(9); arcs > 0; --arcs) {
    const int from = below(digraph.vertices);
    digraph.arcs.push_back({from, (from + 1 + below(digraph.vertices - 1)) % digraph.vertices});
    digraph.weight.push_back(below(10) - 3);
  }
  return digraph;
}

bool reaches_all(const Digraph& digraph, unsigned set, int root) {
  std::vector<int> entered(to_index(digraph.vertices), 0);
  std::vector<char> reached(to_index(digraph.vertices), 0);
  reached[root] = 1;
  for (int round = 0; round < digraph.vertices; ++round) {
    for (std::size_t a = 0; a < digraph.arcs.size(); ++a) {
      if ((set >> a & 1u) && reached[digraph.arcs[a].from]) reached[digraph.arcs[a].to] = 1;
    }
  }
  return std::all_of(reached.begin(), reached.end(), [](char r) { return r != 0; });
}

// Calls `use` with every arborescence of the root and its weight.
template <class Use>
void for_each_arborescence(const Digraph& digraph, int root, const Use& use) {
  for (unsigned set = 0; set < (1u << digraph.arcs.size()); ++set) {
    if (__builtin_popcount(set) != digraph.vertices - 1 || !reaches_all(digraph, set, root)) continue;
    double weight = 0;
    for (std::size_t a = 0; a < digraph.arcs.size(); ++a) weight += (set >> a & 1u) ? digraph.weight[a] : 0;
    use(set, weight);
  }
}

TEST(MinimumArborescence, WeighsWhatEnumerationFinds) {
  for (std::uint64_t key = 0; key < 2000; ++key) {
    SCOPED_TRACE(key);
    const Digraph digraph = random_digraph(key);
    double least = std::numeric_limits<double>::infinity();
    for_each_arborescence(digraph, 0, [&](unsigned, double weight) { least = std::min(least, weight); });
    MinimumArborescence arborescence(digraph.vertices, digraph.arcs);
    const std::vector<char> usable(digraph.arcs.size(), 1);
    ASSERT_EQ(arborescence.run(digraph.weight, usable, 0), least);
    if (std::isinf(least)) continue;
    unsigned chosen = 0;
    for (const int a : arborescence.entering()) chosen |= a < 0 ? 0 : 1u << a;
    EXPECT_TRUE(reaches_all(digraph, chosen, 0));
    for (std::size_t a = 0; a < digraph.arcs.size(); ++a) {
      EXPECT_TRUE(digraph.arcs[a].to == 0 || arborescence.reduced()[a] >= 0);
    }
    // What the dual promises of every other arborescence.
    for_each_arborescence(digraph, 0, [&](unsigned set, double weight) {
      double promised = least;
      for (std::size_t a = 0; a < digraph.arcs.size(); ++a) promised += (set >> a & 1u) ? arborescence.reduced()[a] : 0;
      EXPECT_GE(weight, promised - 1e-9);
    });
  }
}

//   0 -> 1 (10), 1 <-> 2 (1 each way), 0 -> 2 (12): the pair is entered once, at the cheaper side.
TEST(MinimumArborescence, EntersACycleWhereItIsCheapest) {
  const std::vector<Arc> arcs = {{0, 1}, {1, 2}, {2, 1}, {0, 2}};
  const std::vector<double> weight = {10, 1, 1, 12};
  MinimumArborescence arborescence(3, arcs);
  EXPECT_EQ(arborescence.run(weight, std::vector<char>(4, 1), 0), 11);
  EXPECT_EQ(arborescence.entering()[1], 0);
  EXPECT_EQ(arborescence.entering()[2], 1);
  EXPECT_EQ(arborescence.reduced()[3], 2);
}

TEST(MinimumArborescence, EqualWeightsGoToTheLowerArc) {
  // A cycle 1 <-> 2 of weight 0, entered from 0 at either vertex for 5; then three equal arcs into 3.
  const std::vector<Arc> arcs = {{1, 2}, {2, 1}, {0, 2}, {0, 1}, {2, 3}, {0, 3}, {1, 3}};
  MinimumArborescence arborescence(4, arcs);
  EXPECT_EQ(arborescence.run(std::vector<double>{0, 0, 5, 5, 1, 1, 1}, std::vector<char>(7, 1), 0), 6);
  EXPECT_EQ(arborescence.entering()[2], 2);
  EXPECT_EQ(arborescence.entering()[1], 1);
  EXPECT_EQ(arborescence.entering()[3], 4);
}

TEST(MinimumArborescence, AnArcThatIsNotUsableDoesNotExist) {
  const std::vector<Arc> arcs = {{0, 1}, {1, 2}, {0, 2}};
  MinimumArborescence arborescence(3, arcs);
  EXPECT_EQ(arborescence.run(std::vector<double>{1, 1, 5}, std::vector<char>{1, 0, 1}, 0), 6);
  EXPECT_TRUE(std::isinf(arborescence.run(std::vector<double>{1, 1, 5}, std::vector<char>{1, 0, 0}, 0)));
}

}  // namespace
}  // namespace espalier::graph
