#include <gtest/gtest.h>

#include "espalier/model/notes.hpp"
#include "espalier/study/check.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

CheckAnswer eight_loops() {
  CheckAnswer answer;
  answer.file = "m.yaml";
  answer.name = "machine";
  answer.count.loops = 8;
  for (int k = 0; k < 8; ++k) answer.loops.push_back({"A", "B" + std::to_string(k)});
  return answer;
}

// Six of eight are shown; the door words how to see the other two.
TEST(CheckText, ShowsAFewItemsAndCountsTheOthers) {
  TextOptions options;
  options.wording.option = [](std::string_view field, std::string_view) { return "--" + std::string(field); };
  const std::string few = to_text(eight_loops(), options);
  EXPECT_MENTIONS(few, "machine (native)");
  EXPECT_MENTIONS(few, "- A, B5\n  ... and 2 more (--all shows them)\n");
  options.all = true;
  const std::string all = to_text(eight_loops(), options);
  EXPECT_MENTIONS(all, "- A, B7");
  EXPECT_EQ(all.find("more ("), std::string::npos);
}

TEST(CheckText, SaysWhatANoteChangesAndTheWordThatAcceptsIt) {
  CheckAnswer answer;
  answer.file = "m.xml";
  answer.notes = {model::make_note("a tendon", {"m.xml", 3, 0}, {"tendon", model::Effect::kForces}),
                  model::make_note("a mask", {"m.xml", 4, 0}, {"contype", model::Effect::kContact})};
  const std::string text = to_text(answer, {100});
  EXPECT_MENTIONS(text, "- line 3: a tendon (changes motion and modes: `accept` tendon)");
  EXPECT_MENTIONS(text, "- line 4: a mask (changes contact: `accept` contype)");
}

}  // namespace
}  // namespace espalier::study
