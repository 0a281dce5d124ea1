#include "espalier/study/detail/mechanism_tree.hpp"

#include <string>

#include <gtest/gtest.h>

#include "espalier/study/test/shipped.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

class FourBar : public ::testing::Test {
 protected:
  std::string difference(const TreeOptions& options, const plan::Plan& used, const std::vector<int>& kept = {}) const {
    return detail::tree_difference(options, loaded_, mechanism_, used, kept);
  }
  plan::Plan chosen(const TreeOptions& options) const {
    Result<plan::Plan> plan = detail::choose_plan(loaded_, mechanism_, options);
    EXPECT_TRUE(plan) << to_string(plan.error());
    return plan.value_or(plan::Plan());
  }

  LoadedModel loaded_ = shipped("four_bar");
  plan::Mechanism mechanism_ = plan::make_mechanism(loaded_.model);
  // As study::plan() makes it without options.
  plan::Plan printed_ =
      *plan::make_plan(plan::make_network(loaded_.model, mechanism_, plan::Weights::kLiu), plan::PlanOptions());
};

TEST_F(FourBar, IsRunOnTheTreeOfLeastTime) {
  EXPECT_EQ(chosen({}).objective, plan::Objective::kTime);
  TreeOptions options;
  options.objective = plan::Objective::kMccst;
  options.root = "coupler";
  const plan::Plan plan = chosen(options);
  EXPECT_EQ(plan.objective, plan::Objective::kMccst);
  EXPECT_EQ(plan::vertex_name(plan.network, plan.tree.root), "coupler");
}

TEST_F(FourBar, IsCutWhereItIsSaid) {
  for (const char* joint : {"A", "B", "C", "D"}) {
    TreeOptions options;
    options.cut = {joint};
    const plan::Plan plan = chosen(options);
    ASSERT_EQ(plan.cut.size(), 1u);
    EXPECT_EQ(plan::edge_name(plan.network, plan.cut[0]), joint);
    options.cut.clear();
    options.pin = {"A", "B", "C", "D"};
    std::erase(options.pin, joint);
    EXPECT_EQ(plan::edge_name(plan.network, chosen(options).cut[0]), joint);
  }
  TreeOptions unknown;
  unknown.cut = {"E"};
  const Result<plan::Plan> refused = detail::choose_plan(loaded_, mechanism_, unknown);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().option, "cut");
}

TEST_F(FourBar, WithTheTreeOfPlanNeedsNoWord) {
  EXPECT_EQ(difference({}, printed_), "");
  TreeOptions usual;
  usual.objective = plan::PlanOptions().objective;
  plan::Plan other = printed_;
  other.cut = {printed_.cut[0] == 0 ? 1 : 0};
  EXPECT_EQ(difference(usual, other), "") << "nothing was asked for that could be the reason";
}

TEST_F(FourBar, WithAnotherTreeSaysWhichPlanPrintsAndWhyItIsAnother) {
  plan::Plan other = printed_;
  other.cut = {printed_.cut[0] == 0 ? 1 : 0};
  const std::string cut = plan::edge_name(printed_.network, printed_.cut[0]);
  EXPECT_EQ(difference({}, other), "The tree is not the one `espalier plan` prints (root ground, cut " + cut +
                                       "): a run takes the objective time, a plan mccst.");
  TreeOptions rooted;
  rooted.root = "coupler";
  rooted.objective = plan::PlanOptions().objective;
  EXPECT_MENTIONS(difference(rooted, other), ": a root was given.");
  EXPECT_MENTIONS(difference(rooted, other, {2}), "and C stays in the tree for laws");
}

TEST_F(FourBar, OnATreeFromAFileNeedsNoExplanation) {
  TreeOptions options;
  options.file = "plan.json";
  plan::Plan other = printed_;
  other.cut = {printed_.cut[0] == 0 ? 1 : 0};
  EXPECT_EQ(difference(options, other), "");
}

}  // namespace
}  // namespace espalier::study
