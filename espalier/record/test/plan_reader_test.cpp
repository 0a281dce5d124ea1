#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "espalier/formats/formats.hpp"
#include "espalier/record/plan_file.hpp"
#include "espalier/record/run_folder.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/source_dir.hpp"

namespace espalier::record {
namespace {

using nlohmann::ordered_json;
using plan::Network;
using plan::Plan;

Network network_of(const std::string& name) {
  const auto model = model::compile(*formats::read_model(source_dir() + "/models/" + name + ".yaml"));
  return plan::make_network(*model, plan::make_mechanism(*model), plan::Weights::kLiu);
}

ordered_json written(const Network& network, const plan::PlanOptions& options = {}) {
  return ordered_json::parse(*plan_json(*plan::make_plan(network, options), {}));
}

Error error_of(const ordered_json& document, const std::string& model = "four_bar") {
  const Result<Plan> plan = read_plan_text(document.dump(1), "p.json", network_of(model));
  EXPECT_FALSE(plan.has_value()) << document.dump(1);
  return plan ? Error() : plan.error();
}

// All of the document but the time it took.
void expect_round_trip(const Network& network, const plan::PlanOptions& options) {
  ordered_json before = written(network, options);
  const Result<Plan> plan = read_plan_text(before.dump(1), "p.json", network);
  ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
  ordered_json after = ordered_json::parse(*plan_json(*plan, {}));
  for (const char* key : {"seconds", "nodes", "rounds", "exchanges"}) {
    before.erase(key);
    after.erase(key);
  }
  EXPECT_EQ(before, after);
  EXPECT_EQ(plan_hash(*plan), plan_hash(*plan::make_plan(network, options)));
}

TEST(PlanReader, GivesBackThePlansOfShippedMechanisms) {
  for (const char* name : {"four_bar", "governor", "stewart", "strandbeest", "bricard", "double_wishbone"}) {
    SCOPED_TRACE(name);
    const Network network = network_of(name);
    expect_round_trip(network, {});
    plan::PlanOptions options;
    options.objective = plan::Objective::kSequential;
    expect_round_trip(network, options);
    options = {};
    options.free_root = true;
    expect_round_trip(network, options);
  }
}

TEST(PlanReader, GivesBackBodiesWithoutAnyJoint) { expect_round_trip(network_of("boxes"), {}); }

TEST(PlanReader, GivesBackBodiesCutInTwo) {
  plan::PlanOptions options;
  options.cut_body = {1};
  expect_round_trip(network_of("four_bar"), options);
}

TEST(PlanReader, ReadsThePlanInARunRecord) {
  const Network network = network_of("four_bar");
  const ordered_json run = {{"espalier_run", 1}, {"plan", written(network)}, {"outcome", "done"}};
  const Result<Plan> plan = read_plan_text(run.dump(1), "run.json", network);
  ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
  EXPECT_EQ(plan->tree, plan::make_plan(network)->tree);
}

TEST(PlanReader, NamesWithEscapesAreFound) {
  Network network = network_of("four_bar");
  network.edge_names[0] = "a \"b\"\\ \n\t \xC3\xA4";
  expect_round_trip(network, {});
}

TEST(PlanReader, AProofIsKeptOnlyWithTheCostItSpeaksOf) {
  const Network network = network_of("four_bar");
  ordered_json document = written(network);
  ASSERT_TRUE(document["optimal"].get<bool>());
  EXPECT_TRUE(read_plan_text(document.dump(), "p.json", network)->optimal);
  document["cost"] = 1e-3;
  const Result<Plan> plan = read_plan_text(document.dump(), "p.json", network);
  EXPECT_FALSE(plan->optimal);
  EXPECT_EQ(plan->lower_bound, 0);
  EXPECT_MENTIONS(plan->proof, "given");
}

// Predicted times are millionths: a proof of another machine's times does not pass as one of this plan's.
TEST(PlanReader, TimesAreComparedByTheirSize) {
  const Network network = network_of("four_bar");
  plan::PlanOptions options;
  options.objective = plan::Objective::kTime;
  ordered_json document = written(network, options);
  const Result<Plan> same = read_plan_text(document.dump(), "p.json", network);
  ASSERT_TRUE(same.has_value()) << to_string(same.error());
  EXPECT_EQ(same->objective, plan::Objective::kTime);
  EXPECT_EQ(same->proof, document["proof"].get<std::string>());
  document["cost"] = 1.001 * document["cost"].get<double>();
  EXPECT_MENTIONS(read_plan_text(document.dump(), "p.json", network)->proof, "given");
}

TEST(PlanReader, SaysWhatDoesNotFit) {
  const ordered_json good = written(network_of("four_bar"));
  ordered_json bad = good;
  bad["tree"][0]["joint"] = "Q";
  EXPECT_MENTIONS(error_of(bad).message, "'Q'");
  EXPECT_GT(error_of(bad).where.line, 1);
  bad = good;
  bad["tree"].erase(0);
  EXPECT_MENTIONS(error_of(bad).message, "says nothing of joint");
  bad = good;
  bad["cut"].push_back(bad["tree"][0]["joint"]);
  EXPECT_MENTIONS(error_of(bad).message, "stands twice");
  bad = good;
  bad["cut"].push_back(bad["tree"][0]["joint"]);
  bad["tree"].erase(0);
  EXPECT_MENTIONS(error_of(bad).message, "does not reach");
  bad = good;
  bad["tree"].push_back({{"joint", bad["cut"][0]}});
  bad["cut"].erase(0);
  EXPECT_MENTIONS(error_of(bad).message, "closes a loop");
  bad = good;
  bad["roots"] = {"crank", "rocker"};
  EXPECT_MENTIONS(error_of(bad).message, "both roots");
  bad["roots"] = {"crnk"};
  EXPECT_MENTIONS(error_of(bad).message, "did you mean 'crank'?");
  bad = good;
  bad.erase("tree");
  EXPECT_MENTIONS(error_of(bad).message, "not a plan");
  bad = good;
  bad["tree"] = "A";
  EXPECT_MENTIONS(error_of(bad).message, "a list under `tree`");
  EXPECT_MENTIONS(error_of(good, "governor").message, "another model");
  EXPECT_MENTIONS(error_of(ordered_json::array()).message, "a plan as");
}

TEST(PlanReader, BrokenFilesAreRefusedWithALine) {
  const Network network = network_of("four_bar");
  const std::string text = written(network).dump(1);
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const Result<Plan> plan = read_plan_text(text.substr(0, length), "p.json", network);
    ASSERT_FALSE(plan.has_value()) << length;
    EXPECT_GE(plan.error().where.line, 1);
  }
  EXPECT_MENTIONS(read_plan("/nowhere/p.json", network).error().message, "no such file");
}

}  // namespace
}  // namespace espalier::record
