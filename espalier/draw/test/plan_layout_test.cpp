#include "espalier/draw/detail/plan_layout.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "espalier/draw/test/plans.hpp"

namespace espalier::draw {
namespace {

// A random tree with random links, some of them parallel to branches, some from a vertex to itself.
Plan random_plan(int most) {
  const int vertices = *rc::gen::inRange(2, most);
  const bool forest = *rc::gen::weightedElement<bool>({{4, false}, {1, true}});
  std::vector<int> parent = {-1};
  for (int v = 1; v < vertices; ++v) {
    const bool root = forest && *rc::gen::weightedElement<bool>({{7, false}, {1, true}});
    parent.push_back(root ? -1 : *rc::gen::inRange(std::max(0, v - 6), v));
  }
  std::vector<std::pair<int, int>> links;
  const int count = *rc::gen::inRange(0, 2 * vertices);
  for (int k = 0; k < count; ++k) {
    const int a = *rc::gen::inRange(0, vertices);
    links.emplace_back(a, (a + *rc::gen::inRange(0, vertices)) % vertices);
  }
  return make(parent, links);
}

struct Rectangle {
  double left, top, right, bottom;
  bool meets(const Rectangle& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

Rectangle of(const detail::Box& box) {
  return {box.x, box.y - box.height / 2, box.x + box.width, box.y + box.height / 2};
}

// As thin as a line, as long as it takes.
Rectangle row_line(double x0, double x1, double y) { return {x0, y - 0.1, x1, y + 0.1}; }

// The parts of a link: along the row of a, along the lane, along the row of b.
std::vector<Rectangle> lines_of(const detail::Arc& arc) {
  const auto [low, high] = std::minmax(arc.ya, arc.yb);
  return {row_line(arc.xa + 0.1, arc.lane, arc.ya),
          {arc.lane - 0.1, low, arc.lane + 0.1, high},
          row_line(arc.xb + 0.1, arc.lane, arc.yb)};
}

Rectangle label_of(const Network& network, const detail::Arc& arc) {
  const double y = arc.label_at_b ? arc.yb : arc.ya;
  const double width = detail::text_width(detail::joint_label(network, arc.edge), detail::kJointFont);
  return {arc.label_x, y - 4 - 0.7 * detail::kJointFont, arc.label_x + width, y - 4};
}

TEST(PlanLayout, NothingStandsOnABoxOrAName) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = random_plan(30);
    const detail::PlanLayout layout = detail::lay_out(plan);
    std::vector<Rectangle> taken;
    for (const detail::Box& box : layout.boxes) taken.push_back(of(box));
    for (const detail::Arc& arc : layout.arcs) taken.push_back(label_of(plan.network, arc));
    for (std::size_t p = 0; p < taken.size(); ++p) {
      for (std::size_t q = 0; q < p; ++q) RC_ASSERT(!taken[p].meets(taken[q]));
      for (const detail::Arc& arc : layout.arcs) {
        for (const Rectangle& line : lines_of(arc)) RC_ASSERT(!taken[p].meets(line));
      }
      for (const detail::Branch& branch : layout.branches)
        RC_ASSERT(!taken[p].meets(row_line(branch.x1, branch.x2 - 0.1, branch.y1)));
    }
  }));
}

TEST(PlanLayout, LinksOverlapNowhereAlongTheirLines) {
  EXPECT_TRUE(rc::check([] {
    const detail::PlanLayout layout = detail::lay_out(random_plan(30));
    for (std::size_t p = 0; p < layout.arcs.size(); ++p) {
      for (std::size_t q = 0; q < p; ++q) {
        const std::vector<Rectangle> first = lines_of(layout.arcs[p]);
        const std::vector<Rectangle> second = lines_of(layout.arcs[q]);
        RC_ASSERT(!first[1].meets(second[1]));
        for (const int k : {0, 2}) {
          for (const int j : {0, 2}) RC_ASSERT(!first[k].meets(second[j]));
        }
      }
    }
  }));
}

TEST(PlanLayout, LongNamesKeepBothEnds) {
  EXPECT_EQ(detail::shortened("left_front_upper_wishbone_2", 9), "left\u2026ne_2");
  EXPECT_EQ(detail::shortened("\u00e9\u00e9\u00e9", 3), "\u00e9\u00e9\u00e9");
  EXPECT_EQ(detail::shortened("\u00e9\u00e8\u00e0\u00fc\u00f6", 3), "\u00e9\u2026\u00f6");
}

//  ground - crank - coupler
//        \- rocker     |        the cut joint leaves the coupler and comes back to the rocker
TEST(PlanLayout, OfAFourBarHasThreeColumnsAndTwoRows) {
  const detail::PlanLayout layout = detail::lay_out(four_bar());
  EXPECT_EQ(layout.detail, detail::Detail::kNames);
  EXPECT_EQ(layout.level, (std::vector<int>{0, 1, 2, 1}));
  EXPECT_EQ(layout.boxes[1].x, layout.boxes[3].x);
  EXPECT_LT(layout.boxes[0].x + layout.boxes[0].width, layout.boxes[1].x);
  EXPECT_LT(layout.boxes[1].x + layout.boxes[1].width, layout.boxes[2].x);
  // The way to the coupler is straight; the ground stands in the middle of its children.
  EXPECT_EQ(layout.boxes[1].y, layout.boxes[2].y);
  EXPECT_DOUBLE_EQ(layout.boxes[0].y, (layout.boxes[1].y + layout.boxes[3].y) / 2);
  ASSERT_EQ(layout.arcs.size(), 1u);
  EXPECT_EQ(layout.arcs[0].edge, 3);
  EXPECT_EQ(layout.arcs[0].ya, layout.boxes[2].y);
  EXPECT_EQ(layout.arcs[0].yb, layout.boxes[3].y);
  EXPECT_GT(layout.arcs[0].lane, layout.boxes[2].x + layout.boxes[2].width);
}

// Neighbouring lanes can be told apart.
TEST(PlanLayout, LinesSideBySideHaveDifferentColours) {
  const detail::PlanLayout layout = detail::lay_out(make({-1, 0, 0, 0, 0}, {{1, 2}, {1, 3}, {1, 4}, {2, 4}}));
  for (std::size_t p = 0; p < layout.arcs.size(); ++p) {
    for (std::size_t q = 0; q < p; ++q) EXPECT_NE(layout.arcs[p].colour, layout.arcs[q].colour) << p << " " << q;
  }
}

}  // namespace
}  // namespace espalier::draw
