#include "espalier/plan/detail/list_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "espalier/base/index.hpp"
#include "espalier/base/numbers.hpp"

namespace espalier::plan::detail {
namespace {

// Steps of these costs, and pairs of them of which the second waits for the first; the latter has the lower number.
Steps steps_of(const std::vector<double>& cost, const std::vector<std::pair<int, int>>& order) {
  Steps steps(cost.size());
  steps.cost = cost;
  for (const auto& [before, after] : order) {
    steps.after[before].push_back(after);
    ++steps.before[after];
  }
  for (std::size_t v = cost.size(); v-- > 0;) {
    for (const int next : steps.after[v]) steps.ahead[v] = std::max(steps.ahead[v], steps.ahead[next]);
    steps.ahead[v] += cost[v];
    if (steps.before[v] == 0) steps.first.push_back(static_cast<int>(v));
  }
  return steps;
}

TEST(ListSchedule, OfEqualStepsThatWaitForNothingTakesTheCeiling) {
  for (const int workers : {1, 2, 3, 7, 20}) {
    const Turns turns = list_schedule(steps_of(std::vector<double>(13, 2.0), {}), workers);
    EXPECT_EQ(turns.size(), to_index(workers));
    EXPECT_EQ(end_of(turns), 2.0 * ((13 + workers - 1) / workers));
  }
}

TEST(ListSchedule, OfAChainTakesTheSumOnAnyNumberOfWorkers) {
  const Steps chain = steps_of({1, 2, 4}, {{0, 1}, {1, 2}});
  for (const int workers : {1, 3}) EXPECT_EQ(end_of(list_schedule(chain, workers)), 7);
}

// 2 takes 1 and 3, which waits for it, 5. By number 0 and 1 would go first on two workers, and 3 would end at 9.
TEST(ListSchedule, TheLongestWayAheadGoesFirst) {
  const Turns turns = list_schedule(steps_of({3, 3, 1, 5}, {{2, 3}}), 2);
  EXPECT_EQ(turns[0].front().vertex, 2);
  EXPECT_EQ(end_of(turns), 6);
}

TEST(ListSchedule, EqualStepsGoByNumberToTheLowestWorker) {
  const Turns turns = list_schedule(steps_of({2, 2, 2, 2}, {}), 2);
  for (const int step : {0, 1, 2, 3}) EXPECT_EQ(turns[step % 2][step / 2].vertex, step);
}

// Steps that end together free what waits for both before anybody chooses.
TEST(ListSchedule, EqualEndsAreOneMoment) {
  const Turns turns = list_schedule(steps_of({1, 1, 1, 4}, {{0, 2}, {1, 3}}), 2);
  EXPECT_EQ(turns[0][1].vertex, 3);
  EXPECT_EQ(turns[0][1].start, 1);
}

TEST(ListSchedule, KeepsOrderAndGrahamsBoundOnRandomSteps) {
  for (std::uint32_t key = 0; key < 50; ++key) {
    Random random(3, key);
    std::vector<double> cost(20);
    for (double& c : cost) c = 1 + random.below(9);
    std::vector<std::pair<int, int>> order;
    for (int v = 1; v < 20; ++v) {
      if (random.below(3) > 0) order.emplace_back(random.below(v), v);
    }
    const Steps steps = steps_of(cost, order);
    const double total = std::accumulate(cost.begin(), cost.end(), 0.0);
    const double path = *std::max_element(steps.ahead.begin(), steps.ahead.end());
    for (const int workers : {1, 2, 3}) {
      std::vector<double> start(20), end(20);
      const Turns turns = list_schedule(steps, workers);
      double work = 0;
      for (const std::vector<Turn>& mine : turns) {
        for (std::size_t k = 0; k < mine.size(); ++k) {
          if (k > 0) {
            EXPECT_GE(mine[k].start, mine[k - 1].end);
          }
          start[to_index(mine[k].vertex)] = mine[k].start;
          end[to_index(mine[k].vertex)] = mine[k].end;
          work += mine[k].end - mine[k].start;
        }
      }
      EXPECT_EQ(work, total);
      for (const auto& [before, after] : order) EXPECT_GE(start[to_index(after)], end[to_index(before)]);
      // [Graham69]
      EXPECT_LE(end_of(turns), total / workers + (1 - 1.0 / workers) * path + 1e-12);
      EXPECT_GE(end_of(turns), std::max(path, total / workers) - 1e-12);
    }
  }
}

TEST(EndOf, OfNothingIsZero) { EXPECT_EQ(end_of(Turns(3)), 0); }

}  // namespace
}  // namespace espalier::plan::detail
