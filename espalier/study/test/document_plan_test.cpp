#include <string>

#include <gtest/gtest.h>

#include "espalier/record/plan_file.hpp"
#include "espalier/study/documents.hpp"
#include "espalier/study/plan.hpp"
#include "espalier/study/test/documents_support.hpp"
#include "espalier/study/test/shipped.hpp"

namespace espalier::study {
namespace {

TEST(PlanDocument, IsReadBackAsThePlanThatItIsOf) {
  const PlanAnswer answer = plan(shipped("stewart")).value();
  const Result<plan::Plan> again = record::read_plan_text(to_json(answer), "plan.json", answer.plan.network);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->cut, answer.plan.cut);
  EXPECT_EQ(again->tree.root, answer.plan.tree.root);
  EXPECT_EQ(again->cost, answer.plan.cost);
}

TEST(PlanDocument, NamesWhatItWasMadeForAndWhyItsLoopsStayOpen) {
  PlanAnswer answer = plan(shipped("four_bar")).value();
  answer.file = "bar.yaml";
  answer.reader.accepted = {"tendon"};
  expect_parts(to_json(answer), {R"({"file": "bar.yaml",)", R"(["tendon"])"});
  expect_no_part(to_json(answer), "\"open\"");
  answer.open = "too short";
  expect_parts(to_json(answer), {R"("open": "too short")"});
}

}  // namespace
}  // namespace espalier::study
