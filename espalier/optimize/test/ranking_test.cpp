#include "espalier/optimize/detail/ranking.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "espalier/optimize/test/problems.hpp"

namespace espalier::optimize::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Design> with_goals(const std::vector<std::vector<double>>& goals) {
  std::vector<Design> designs;
  for (const std::vector<double>& values : goals) designs.push_back({{}, values});
  return designs;
}

//   3 |  a     e
//   2 |     b     d
//   1 |        c
//     +--1--2--3--4
TEST(Ranking, PeelsFronts) {
  const Ranking ranking = rank_designs(with_goals({{1, 3}, {2, 2}, {3, 1}, {4, 2}, {3, 3}}));
  EXPECT_EQ(ranking.front, (std::vector<int>{0, 0, 0, 1, 1}));
  EXPECT_EQ(ranking.crowding[0], kInfinity);
  EXPECT_EQ(ranking.crowding[1], 2) << "the whole front in both goals";
  EXPECT_EQ(ranking.crowding[2], kInfinity);
  EXPECT_EQ(best_first(ranking), (std::vector<int>{0, 2, 1, 3, 4}));
}

TEST(Ranking, PutsWhatIsNoNumberBehindAll) {
  EXPECT_EQ(rank_designs(with_goals({{kNan, 0}, {1, 1}, {2, 2}})).front, (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(rank_designs(with_goals({{kNan}, {3}, {1}, {3}})).front, (std::vector<int>{2, 1, 0, 1}));
  EXPECT_TRUE(is_better({{}, {kInfinity}}, {{}, {kNan}}));
  EXPECT_FALSE(is_better({{}, {kNan}}, {{}, {kNan}}));
}

bool beats(const Design& a, const Design& b) {
  return a.goals[0] <= b.goals[0] && a.goals[1] <= b.goals[1] && a.goals != b.goals;
}

TEST(Ranking, EveryDesignIsBeatenByOneOfTheFrontBefore) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Design> designs;
    for (const auto& [x, y] : *rc::gen::container<std::vector<std::pair<int, int>>>(
             rc::gen::pair(rc::gen::inRange(0, 9), rc::gen::inRange(0, 9)))) {
      designs.push_back({{}, {static_cast<double>(x), static_cast<double>(y)}});
    }
    const Ranking ranking = rank_designs(designs);
    for (std::size_t b = 0; b < designs.size(); ++b) {
      bool by_front_before = ranking.front[b] == 0;
      for (std::size_t a = 0; a < designs.size(); ++a) {
        if (!beats(designs[a], designs[b])) continue;
        RC_ASSERT(ranking.front[a] < ranking.front[b]);
        by_front_before = by_front_before || ranking.front[a] + 1 == ranking.front[b];
      }
      RC_ASSERT(by_front_before);
    }
  }));
}

TEST(Ranking, FirstFrontIsSortedAndWithoutRepetitions) {
  const std::vector<Design> front = first_front(with_goals({{2, 2}, {3, 1}, {kNan, 0}, {2, 2}, {1, 3}, {3, 3}}));
  EXPECT_EQ(front, with_goals({{1, 3}, {2, 2}, {3, 1}}));
}

}  // namespace
}  // namespace espalier::optimize::detail
