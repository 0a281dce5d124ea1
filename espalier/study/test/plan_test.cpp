#include "espalier/study/plan.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/dynamics/run_tree.hpp"
#include "espalier/files/text_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/test/shipped.hpp"

namespace espalier::study {
namespace {

std::string root_of(const PlanAnswer& answer) { return plan::vertex_name(answer.plan.network, answer.plan.tree.root); }

std::vector<std::string> cut_of(const PlanAnswer& answer) {
  std::vector<std::string> names;
  for (const int e : answer.plan.cut) names.push_back(plan::edge_name(answer.plan.network, e));
  return names;
}

TEST(PlanVerb, IsThePlanOfTheRoomPlan) {
  const LoadedModel loaded = shipped("stewart");
  const Result<PlanAnswer> answer = plan(loaded);
  ASSERT_TRUE(answer) << to_string(answer.error());
  const plan::Plan direct = plan::make_plan(loaded.model).value();
  EXPECT_EQ(answer->plan.cut, direct.cut);
  EXPECT_EQ(answer->plan.cost, direct.cost);
}

TEST(PlanVerb, TakesNamesOfBodiesAndJoints) {
  PlanningOptions options;
  options.root = "rocker";
  options.cut = {"B"};
  const Result<PlanAnswer> answer = plan(shipped("four_bar"), options);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(root_of(*answer), "rocker");
  EXPECT_EQ(cut_of(*answer), std::vector<std::string>{"B"});
  EXPECT_EQ(given_text(answer->options), " given your cut and your root");
}

TEST(PlanVerb, AnErrorOfANameTellsItsOption) {
  PlanningOptions options;
  options.pin = {"nothing like it"};
  const Result<PlanAnswer> answer = plan(shipped("four_bar"), options);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().option, "pin");
  EXPECT_EQ(answer.error().message.rfind("`pin`: no joint is called", 0), 0u) << answer.error().message;
}

TEST(PlanVerb, TriesToCloseTheLoopsFromAKeyframe) {
  LoadedModel loaded = shipped("four_bar");
  loaded.model.keyframes.push_back({"up", {{model::JointId(0), {0.1}}}});
  PlanningOptions options;
  options.keyframe = "up";
  const Result<PlanAnswer> closed = plan(loaded, options);
  ASSERT_TRUE(closed) << to_string(closed.error());
  EXPECT_EQ(closed->open, "");
  EXPECT_EQ(cut_of(*closed), cut_of(*plan(loaded)));
  // A rocker that is far too long.
  loaded.model.joints[2].X_BM.position += Eigen::Vector3d(0, 0, 10);
  EXPECT_NE(plan(loaded, options)->open, "");
  options.keyframe = "upp";
  EXPECT_EQ(plan(loaded, options).error().option, "keyframe");
}

TEST(PlanVerb, StartAndSweepAskForTheMethodOfExchanges) {
  PlanningOptions options;
  options.sweep = plan::Sweep::kNear;
  EXPECT_EQ(plan(shipped("governor"), options)->options.method, plan::Method::kExchange);
  options.method = plan::Method::kExact;
  EXPECT_EQ(plan(shipped("governor"), options).error().option, "start");
}

TEST(PlanVerb, WeightsOfAFileNeedAJointThatGivesThem) {
  PlanningOptions options;
  options.weights = EdgeWeights::kFile;
  EXPECT_EQ(plan(shipped("four_bar"), options).error().option, "weights");
  LoadedModel weighed = shipped("four_bar");
  weighed.model.joints[1].spec.weight = 100;
  const Result<PlanAnswer> answer = plan(weighed, options);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->plan.cut.size(), 1u);
  EXPECT_EQ(plan::edge_name(answer->plan.network, answer->plan.cut[0]), weighed.model.joints[1].name)
      << "the heaviest joint of the only loop is cut";
}

TEST(PlanVerb, NeedsAWorker) {
  PlanningOptions options;
  options.workers = 0;
  EXPECT_EQ(plan(shipped("four_bar"), options).error().option, "workers");
}

class PlanFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::string file = testing::TempDir() + "/plan_verb_graph.json";
    EXPECT_TRUE(files::write_text_file(file, text));
    return file;
  }
};

TEST_F(PlanFile, OfATriangleCutsTheHeaviestEdgeForTheLightestTree) {
  PlanningOptions options;
  options.objective = plan::Objective::kMwst;
  const std::string file = write(R"({"vertices": 3, "edges": [[1, 2, 1], [2, 3, 5], [3, 1, 2]]})");
  const Result<PlanAnswer> answer = plan_file(file, {}, options);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->plan.cut, std::vector<int>{1});
  EXPECT_EQ(answer->plan.cost, 3);
  EXPECT_EQ(answer->name, file);
}

TEST_F(PlanFile, OfAGraphInTwoPartsIsRefused) {
  const std::string file = write(R"({"vertices": 4, "edges": [[1, 2, 1], [3, 4, 1], [4, 3, 1]]})");
  EXPECT_EQ(plan_file(file).error().code, ErrorCode::kTopology);
}

TEST_F(PlanFile, OfAGraphRefusesWhatIsForMechanisms) {
  const std::string file = write(R"({"vertices": 2, "edges": [[1, 2, 1]]})");
  PlanningOptions options;
  options.weights = EdgeWeights::kWang;
  EXPECT_EQ(plan_file(file, {}, options).error().option, "weights");
  EXPECT_EQ(plan_file(file, {.read = {.base = formats::Base::kFixed}}).error().option, "base");
}

TEST_F(PlanFile, OfAModelIsThePlanOfThatModel) {
  const LoadedModel loaded = shipped("governor");
  EXPECT_EQ(plan_file(loaded.file)->plan.cut, plan(loaded)->plan.cut);
}

// A prescribed motion acts on a coordinate, which only a joint of the tree has.
TEST(PlanForRun, KeepsDrivenJointsInTheTree) {
  int driven = 0;
  for (const char* name : {"stewart", "strandbeest", "slider_crank", "delta"}) {
    const LoadedModel loaded = shipped(name);
    const plan::Mechanism mechanism = plan::make_mechanism(loaded.model);
    const std::vector<int> kept = dynamics::options_for_run(loaded.model, mechanism, {}).pin;
    const plan::Plan made = plan_for_run(loaded.model, mechanism).value();
    for (const int e : kept) EXPECT_EQ(std::count(made.cut.begin(), made.cut.end(), e), 0) << name;
    driven += static_cast<int>(kept.size());
  }
  EXPECT_GT(driven, 0);
}

// The loop of a four-bar opens at any of its four joints.
TEST(PlanVerb, CountsAndListsTheTreesOfAFourBar) {
  PlanningOptions options;
  options.all_trees = true;
  const PlanAnswer answer = plan(shipped("four_bar"), options).value();
  EXPECT_EQ(answer.trees->digits, "4");
  ASSERT_EQ(answer.all_trees->size(), 4u);
  EXPECT_EQ(answer.all_trees->front().cost, answer.plan.cost);
  options.pin = {"B"};
  EXPECT_EQ(plan(shipped("four_bar"), options)->all_trees->size(), 3u);
  const auto document = nlohmann::json::parse(to_json(answer));
  EXPECT_EQ(document["spanning_trees"], "4");
  EXPECT_NEAR(document["spanning_trees_log10"], 0.60206, 1e-5);
  EXPECT_EQ(document["all_trees"].size(), 4u);
  EXPECT_EQ(document["all_trees"][0]["cut"][0], cut_of(answer)[0]);
}

TEST_F(PlanFile, WithTooManyTreesListsNoneAndSaysHowMany) {
  std::string edges;
  for (int a = 1; a <= 8; ++a) {
    for (int b = a + 1; b <= 8; ++b)
      edges += (edges.empty() ? "[" : ", [") + std::to_string(a) + ", " + std::to_string(b) + ", 1]";
  }
  const std::string file = write(R"({"vertices": 8, "edges": [)" + edges + "]}");
  EXPECT_EQ(plan_file(file)->trees->digits, "262144") << "Cayley's 8^6";
  PlanningOptions options;
  options.all_trees = true;
  const Error error = plan_file(file, {}, options).error();
  EXPECT_EQ(error.option, "all_trees");
  EXPECT_EQ(error.message.rfind("`all_trees`: there are 262144 spanning trees; at most 10000 are listed", 0), 0u);
}

TEST(PlanDocument, TellsWhatWasGivenAndWhatWasAsked) {
  PlanningOptions options;
  options.root = "rocker";
  options.explain = true;
  options.compare = true;
  const PlanAnswer answer = plan(shipped("four_bar"), options).value();
  const auto document = nlohmann::json::parse(to_json(answer));
  EXPECT_EQ(document["root"], "rocker");
  EXPECT_EQ(document["optimal_given"], "given your root");
  EXPECT_EQ(document["explanation"].size(), 1u);
  EXPECT_EQ(document["comparison"]["methods"].size(), answer.comparison->methods.size());
  EXPECT_FALSE(document.contains("matrices"));
}

}  // namespace
}  // namespace espalier::study
