#include "espalier/draw/detail/plan_rows.hpp"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "espalier/draw/test/plans.hpp"

namespace espalier::draw {
namespace {

int total_span(const detail::Rows& rows) {
  int total = 0;
  for (const detail::Link& link : rows.links) total += std::abs(rows.row[link.a] - rows.row[link.b]);
  return total;
}

// Four leaves of one root in every order: 24 pictures.
int shortest_span(const detail::Rows& rows) {
  std::vector<int> order = {1, 2, 3, 4};
  int least = 1000;
  do {
    int total = 0;
    const auto place = [&](int v) { return std::find(order.begin(), order.end(), v) - order.begin(); };
    for (const detail::Link& link : rows.links) total += static_cast<int>(std::abs(place(link.a) - place(link.b)));
    least = std::min(least, total);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

// The root has no link, stands between its children and takes no row of its own.
TEST(PlanRows, OfFourLeavesLinksAreAsShortAsAnyOrderHasThem) {
  for (const auto& links : std::vector<std::vector<std::pair<int, int>>>{
           {{1, 4}}, {{1, 3}, {2, 4}}, {{1, 3}, {1, 4}, {1, 2}}}) {
    const detail::Rows rows = detail::find_rows(make({-1, 0, 0, 0, 0}, links));
    EXPECT_EQ(rows.count, 4);
    EXPECT_EQ(rows.owns_row[0], 0);
    EXPECT_EQ(total_span(rows), shortest_span(rows)) << links.size();
  }
}

// The ends of the cut joint have rows; the crank's only child stands in its row, and the ground between the two.
TEST(PlanRows, OfAFourBarAreTwo) {
  const detail::Rows rows = detail::find_rows(four_bar());
  EXPECT_EQ(rows.count, 2);
  EXPECT_EQ(rows.owns_row, (std::vector<char>{0, 0, 1, 1}));
  EXPECT_EQ(rows.links_at[2], std::vector<int>{0});
  EXPECT_EQ(rows.links_at[3], std::vector<int>{0});
  EXPECT_NE(rows.row[2], rows.row[3]);
}

TEST(PlanRows, TreesOfAForestStandBelowEachOther) {
  const detail::Rows rows = detail::find_rows(make({-1, 0, 0, -1, 3}, {}));
  EXPECT_EQ(rows.piece, (std::vector<int>{0, 0, 1}));
  EXPECT_LT(std::max(rows.row[1], rows.row[2]), rows.row[4]);
}

}  // namespace
}  // namespace espalier::draw
