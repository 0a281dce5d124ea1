#include <gtest/gtest.h>

#include "espalier/study/generate.hpp"
#include "espalier/study/text.hpp"

namespace espalier::study {
namespace {

TEST(GenerateText, CountsWhatWasWritten) {
  GenerateAnswer answer;
  answer.kind = "ladder";
  answer.written = "ladder.yaml";
  answer.count.bodies = 7;
  answer.count.groups = 7;
  answer.count.movable_joints = 10;
  answer.count.loops = 1;
  EXPECT_EQ(to_text(answer), "Wrote ladder.yaml: 7 bodies, 10 movable joints, 1 loop\n");
  answer.written.clear();
  EXPECT_EQ(to_text(answer), "") << "the model itself is on its way to the reader";
}

// A formula is satisfiable where a tree keeps both limits: the call that asks for it has them.
TEST(GenerateText, AGraphOfAFormulaLeadsToItsPlan) {
  const Result<GenerateAnswer> answer = generate("3sat", {.sizes = {3, 2}});
  ASSERT_TRUE(answer) << to_string(answer.error());
  Advice asked;
  TextOptions options;
  options.wording.call = [&](const Advice& advice) { return asked = advice, std::string("a call"); };
  EXPECT_EQ(to_text(*answer, options), "Next: a call\n");
  EXPECT_EQ(asked.verb, "plan");
  EXPECT_EQ(asked.model, "FILE");
  ASSERT_EQ(asked.options.size(), 3u);
  EXPECT_EQ(asked.options[0], (std::pair<std::string, std::string>("objective", "bcbbwst")));
  EXPECT_EQ(asked.options[1].first, "max_weight");
  EXPECT_EQ(std::stod(asked.options[1].second), answer->sat->max_weight);
  EXPECT_EQ(asked.options[2].first, "max_length");
  EXPECT_EQ(std::stod(asked.options[2].second), answer->sat->max_length);
}

}  // namespace
}  // namespace espalier::study
