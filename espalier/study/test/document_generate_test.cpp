#include <string>

#include <gtest/gtest.h>

#include "espalier/study/documents.hpp"
#include "espalier/study/generate.hpp"
#include "espalier/study/test/documents_support.hpp"

namespace espalier::study {
namespace {

TEST(GenerateDocument, CountsTheModel) {
  GenerateAnswer answer;
  answer.kind = "ladder";
  answer.count = {.bodies = 11, .groups = 10, .movable_joints = 16, .loops = 5};
  answer.text = "espalier: 1";
  expect_parts(to_json(answer), {R"({"kind": "ladder","written": "","bodies": 11,"movable_joints": 16)",
                                 R"("loop_count": 5,)", R"("text": "espalier: 1"})"});
  answer.written = "ladder.yaml";
  expect_no_part(to_json(answer), R"("text")");
}

// n = 3 variables and q = 1 clause are 2 n + q + 2 vertices and 3 n + 3 q + 1 edges; K1 = 3 n + 3 q + 5 and K2 = 5 of
// [Liu99] 5.2.
TEST(GenerateDocument, OfAFormulaHasItsTwoLimits) {
  GenerateAnswer answer;
  answer.kind = "3sat";
  answer.sat = plan::make_sat_problem({3, {{1, -2, 3}}});
  expect_parts(to_json(answer), {R"("vertices": 9,"edges": 13,"max_weight": 17.0,"max_length": 5.0)"});
  expect_no_part(to_json(answer), R"("bodies")");
}

}  // namespace
}  // namespace espalier::study
