#include "espalier/draw/pages.hpp"

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include "espalier/draw/test/plans.hpp"
#include "tests/support/expect.hpp"

namespace espalier::draw {
namespace {

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
}

TEST(PlanPicture, WellFormedWhateverTheNames) {
  Plan plan = four_bar();
  plan.network.vertex_names = {"<ground>", "a&b \"quoted\"", std::string(300, 'x'), "\x01\xFF \xC3\xA9\xE2\x82\xAC"};
  plan.network.edge_names = {"]]>", "'", "", "</svg>"};
  plan.proof = "a < b & c";
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(draw_plan_svg(plan).c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
  EXPECT_EQ(occurrences(draw_plan_svg(plan), "</svg>"), 1u);
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
}

TEST(PlanPicture, EveryTreeOfAForestHasItsRoot) {
  const std::string svg = draw_plan_svg(make({-1, 0, -1, 2, -1}, {{2, 3}}));
  EXPECT_EQ(occurrences(svg, "<g class=\"body root"), 3u);
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

}  // namespace
}  // namespace espalier::draw
