#include "espalier/draw/pages.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tinyxml2.h>

#include "espalier/draw/detail/plan_layout.hpp"
#include "espalier/draw/detail/plan_words.hpp"
#include "tests/support/expect.hpp"

namespace espalier::draw {
namespace {

using plan::Network;
using plan::Plan;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A plan by hand: vertex v > 0 hangs on parent[v]; the links are cut.
Plan make(const std::vector<int>& parent, const std::vector<std::pair<int, int>>& links) {
  Plan plan;
  Network& network = plan.network;
  network.graph.vertices = static_cast<int>(parent.size());
  plan.tree.parent = parent;
  for (int v = 0; v < network.graph.vertices; ++v) {
    plan.tree.order.push_back(v);
    plan.tree.parent_edge.push_back(parent[v] < 0 ? -1 : static_cast<int>(network.graph.edges.size()));
    if (parent[v] < 0) {
      plan.roots.push_back(v);
    } else {
      network.graph.edges.push_back({parent[v], v});
    }
  }
  for (const auto& [a, b] : links) {
    plan.cut.push_back(static_cast<int>(network.graph.edges.size()));
    network.graph.edges.push_back({a, b});
  }
  plan.tree.root = plan.roots.front();
  network.weight.assign(network.graph.edges.size(), 1);
  network.length = network.weight;
  const std::vector<double> distance = detail::root_distances(plan);
  plan.measure = {*std::max_element(distance.begin(), distance.end()),
                  static_cast<double>(network.graph.edges.size() - plan.cut.size())};
  plan.cost = plan.lower_bound = plan.measure.length + plan.measure.weight;
  plan.optimal = true;
  return plan;
}

//  ground --A-- crank --B-- coupler
//       \--D-- rocker - - C - -/
Plan four_bar() {
  Plan plan = make({-1, 0, 1, 0}, {{2, 3}});
  plan.network.vertex_names = {"ground", "crank", "coupler", "rocker"};
  plan.network.edge_names = {"A", "B", "D", "C"};
  plan.network.ground = 0;
  plan.network.freedom = {1, 1, 1, 1};
  return plan;
}

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

TEST(PlanPicture, NothingStandsOnABoxOrAName) {
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

TEST(PlanPicture, LinksOverlapNowhereAlongTheirLines) {
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

TEST(PlanPicture, FourBarShowsThreeBranchesAndOneCut) {
  const std::string svg = draw_plan_svg(four_bar());
  EXPECT_EQ(occurrences(svg, "data-v="), 3u + 4u);
  EXPECT_EQ(occurrences(svg, "<g class=\"cut\" data-k="), 1u);
  for (const char* name : {">ground<", ">crank<", ">coupler<", ">rocker<", ">A<", ">B<", ">C<", ">D<"})
    EXPECT_MENTIONS(svg, name);
  EXPECT_MENTIONS(svg, "'C' is cut, between 'coupler' and 'rocker': weight 1, length 1, closes a loop of 4");
  EXPECT_MENTIONS(svg, "3 bodies, 4 joints: 3 in the tree, 1 cut");
  EXPECT_MENTIONS(svg, "critical branch L = 2, weight W = 3; cost L + W = 5");
  EXPECT_MENTIONS(svg, "optimal: proved that no tree costs less");
  // Two branches and three bodies on the way to the coupler.
  EXPECT_EQ(occurrences(svg, "<g class=\"branch critical\" data-v"), 2u);
  EXPECT_EQ(occurrences(svg, " critical\" data-v"), 2u + 3u);
}

TEST(PlanPicture, AGapIsNotCalledOptimal) {
  Plan plan = four_bar();
  plan.optimal = false;
  plan.lower_bound = 4;
  plan.proof = "the search ended early";
  const std::string svg = draw_plan_svg(plan);
  EXPECT_MENTIONS(svg, "lower bound 4: at most 25 % above the optimum");
  EXPECT_MENTIONS(svg, "the search ended early");
  EXPECT_EQ(occurrences(svg, "optimal"), 0u);
}

TEST(PlanPicture, DecisionsAreAnswered) {
  Plan plan = four_bar();
  plan.objective = plan::Objective::kBcbbwst;
  EXPECT_MENTIONS(draw_plan_svg(plan), "not known");
  plan.feasible = true;
  EXPECT_MENTIONS(draw_plan_svg(plan), "feasible");
  plan.feasible = false;
  plan.tree = {};
  plan.cut.clear();
  EXPECT_MENTIONS(draw_plan_svg(plan), "no tree keeps both limits");
  EXPECT_MENTIONS(draw_plan_html(plan), "no tree keeps both limits");
}

TEST(PlanPicture, WellFormedWhateverTheNames) {
  Plan plan = four_bar();
  plan.network.vertex_names = {"<ground>", "a&b \"quoted\"", std::string(300, 'x'), "\x01\xFF \xC3\xA9\xE2\x82\xAC"};
  plan.network.edge_names = {"]]>", "'", "", "</svg>"};
  plan.proof = "a < b & c";
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(draw_plan_svg(plan).c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
  EXPECT_EQ(occurrences(draw_plan_html(plan), "</svg>"), 1u);
}

TEST(PlanPicture, LongNamesKeepBothEnds) {
  EXPECT_EQ(detail::shortened("left_front_upper_wishbone_2", 9), "left\u2026ne_2");
  EXPECT_EQ(detail::shortened("\u00e9\u00e9\u00e9", 3), "\u00e9\u00e9\u00e9");
  EXPECT_EQ(detail::shortened("\u00e9\u00e8\u00e0\u00fc\u00f6", 3), "\u00e9\u2026\u00f6");
}

TEST(PlanPicture, HalvesOfACutBodyAreWelded) {
  Plan plan = make({-1, 0, 1, 0}, {});
  plan.network.vertex_names = {"ground", "crank", "rocker (half)", "rocker"};
  plan.network.ground = 0;
  plan.half_bodies.push_back({2, 3, 1});
  const std::string svg = draw_plan_svg(plan);
  EXPECT_EQ(occurrences(svg, "<g class=\"weld\" data-k=\"w0\" data-a=\"2\" data-b=\"3\">"), 1u);
  EXPECT_EQ(occurrences(svg, " half\" data-v=\"2\""), 1u);
  // The half is no body of its own.
  EXPECT_MENTIONS(svg, "2 bodies, 3 joints: 3 in the tree, 0 cut");
  EXPECT_MENTIONS(draw_plan_html(plan), "6 equations");
}

TEST(PlanPicture, EveryTreeOfAForestHasItsRoot) {
  const std::string svg = draw_plan_svg(make({-1, 0, -1, 2, -1}, {{2, 3}}));
  EXPECT_EQ(occurrences(svg, "<g class=\"body root"), 3u);
}

Plan comb(int vertices) {
  std::vector<int> parent = {-1};
  for (int v = 1; v < vertices; ++v) parent.push_back(v % 2 == 0 ? v - 2 : v - 1);
  return make(parent, {{vertices - 1, vertices - 2}});
}

TEST(PlanPicture, NamesLeaveAsTheGraphGrows) {
  EXPECT_EQ(occurrences(draw_plan_svg(comb(150)), "too many"), 0u);
  EXPECT_EQ(occurrences(draw_plan_svg(comb(150)), "<text class=\"joint to\""), 149u);
  const std::string bodies = draw_plan_svg(comb(400));
  EXPECT_EQ(occurrences(bodies, "<text class=\"joint to\""), 0u);
  EXPECT_EQ(occurrences(bodies, "text-anchor=\"middle\""), 400u);
  EXPECT_MENTIONS(bodies, "too many to name the edges");
  const std::string dots = draw_plan_svg(comb(401));
  EXPECT_EQ(occurrences(dots, "<circle class=\"box\""), 401u);
  EXPECT_EQ(occurrences(dots, "text-anchor=\"middle\""), 0u);
  EXPECT_MENTIONS(dots, "too many to name");
}

// Root, then two a level: 0, 1 2, 3 4, ...
TEST(PlanPicture, OfVeryManyTheLevelsAreCounted) {
  const std::string svg = draw_plan_svg(comb(5001));
  EXPECT_MENTIONS(svg, "too many to draw one by one (more than 5000)");
  EXPECT_EQ(occurrences(svg, "data-v"), 0u);
  // 2501 levels in groups of 26: the first holds the root and 25 pairs.
  EXPECT_MENTIONS(svg, ">0 to 25<");
  EXPECT_MENTIONS(svg, ">51</text>");
}

TEST(PlanPicture, ThePageNeedsNoOtherFile) {
  const std::string page = draw_plan_html(four_bar());
  EXPECT_EQ(occurrences(page, "http"), occurrences(page, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(occurrences(page, "src="), 0u);
  EXPECT_EQ(occurrences(page, "href="), 0u);
  EXPECT_MENTIONS(page, "const parent=[-1,0,1,0];");
  EXPECT_MENTIONS(page, "prefers-color-scheme:dark");
  // The cut joint in picture and table go by one key.
  EXPECT_EQ(occurrences(page, "data-k=\"3\" data-a=\"2\" data-b=\"3\""), 2u);
  EXPECT_MENTIONS(page, "<td>crank</td><td>ground</td><td>A</td>");
}

}  // namespace
}  // namespace espalier::draw
