#include "espalier/record/plan_file.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/expect.hpp"

namespace espalier::record {
namespace {

using nlohmann::json;

//  1 --e1-- 2       the tree by hand: e1, e2, e3 from vertex 1 on; e4 is cut and closes the loop
//  e3       e2
//  4 --e4-- 3
plan::Plan square() {
  plan::Plan plan;
  plan.network.graph.vertices = 4;
  plan.network.graph.edges = {{0, 1}, {1, 2}, {0, 3}, {2, 3}};
  plan.network.weight = {1, 2, 3, 4};
  plan.network.length = {1, 1, 1, 1};
  plan.tree.root = 0;
  plan.tree.order = {0, 1, 2, 3};
  plan.tree.parent = {-1, 0, 1, 0};
  plan.tree.parent_edge = {-1, 0, 1, 2};
  plan.roots = {0};
  plan.cut = {3};
  plan.measure = {2, 6};
  plan.cost = 8;
  plan.lower_bound = 7;
  return plan;
}

json document_of(const plan::Plan& plan, const PlanDocument& document = {}) {
  const Result<std::string> text = plan_json(plan, document);
  EXPECT_TRUE(text.has_value()) << (text ? "" : to_string(text.error()));
  return text ? json::parse(*text) : json();
}

TEST(PlanJson, TreeAndCutNameEveryJointOnce) {
  const json document = document_of(square());
  ASSERT_EQ(document["tree"].size(), 3u);
  const json second = document["tree"][1];
  EXPECT_EQ(second["parent"], document["tree"][0]["vertex"]);
  EXPECT_EQ(document["tree"][0]["parent"], document["root"]);
  std::vector<std::string> joints = document["cut"];
  for (const json& step : document["tree"]) joints.push_back(step["joint"]);
  std::sort(joints.begin(), joints.end());
  EXPECT_EQ(joints, (std::vector<std::string>{"e1", "e2", "e3", "e4"}));
  EXPECT_EQ(document["cut"], (std::vector<std::string>{"e4"}));
}

TEST(PlanJson, NumbersAreThoseOfThePlan) {
  const json document = document_of(square());
  EXPECT_EQ(document["length"], 2.0);
  EXPECT_EQ(document["weight"], 6.0);
  EXPECT_EQ(document["cost"], 8.0);
  EXPECT_EQ(document["lower_bound"], 7.0);
  EXPECT_EQ(document["optimal"], false);
  // A plain graph has no equations, and null is not 0.
  EXPECT_TRUE(document["equations"].is_null());
  EXPECT_EQ(document["loops"][0].size(), 4u);
  EXPECT_EQ(document["critical_branch"].size(), 3u);
}

// Keys that most plans would leave empty are there only where they say something.
TEST(PlanJson, WhatIsNotAskedForIsLeftOut) {
  plan::Plan plan = square();
  for (const char* key : {"half_bodies", "front", "matrices", "explanation", "trace", "comparison", "optimal_given",
                          "open", "feasible", "time_workers", "reader_notes"}) {
    EXPECT_FALSE(document_of(plan).contains(key)) << key;
  }
  plan.front = {{2, 6}, {3, 5}};
  plan.objective = plan::Objective::kBcbbwst;
  PlanDocument document;
  document.matrices = true;
  document.given = " given your cuts";
  const json full = document_of(plan, document);
  EXPECT_EQ(full["front"], (std::vector<std::vector<double>>{{2, 6}, {3, 5}}));
  EXPECT_TRUE(full["feasible"].is_null());
  EXPECT_EQ(full["optimal_given"], "given your cuts");
  EXPECT_EQ(full["matrices"]["edges"].size(), 4u);
}

// Each worker's slots follow each other, and the longest of them is the makespan.
TEST(PlanJson, TheScheduleEndsWithItsMakespan) {
  PlanDocument two;
  two.workers = 2;
  const json schedule = document_of(square(), two)["schedule"];
  EXPECT_EQ(schedule["workers"], 2);
  double end = 0;
  for (const json& worker : schedule["forward"]) {
    double last = 0;
    for (const json& slot : worker) {
      EXPECT_LE(last, slot["start"].get<double>());
      last = slot["end"];
    }
    end = std::max(end, last);
  }
  EXPECT_EQ(schedule["makespan"], end);
}

TEST(PlanJson, NamesThatAreNoUtf8DoNotEndIt) {
  plan::Plan plan = square();
  plan.network.vertex_names = {"\xff", "b", "c", "d"};
  EXPECT_EQ(document_of(plan)["root"], "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace espalier::record
