#include <gtest/gtest.h>

#include "espalier/study/convert.hpp"
#include "espalier/study/text.hpp"
#include "tests/support/expect.hpp"

namespace espalier::study {
namespace {

TEST(ConvertText, ElementsThatChangeInTheSameWayShareARow) {
  ConvertAnswer answer;
  answer.written = "m.urdf";
  answer.format = formats::Format::kUrdf;
  answer.conversion.changes = {{"body", "a", "mass", "1", "2"},
                               {"body", "b", "mass", "1", "2"},
                               {"body", "c", "mass", "1", "2"},
                               {"force", "rope", "", "spring", ""}};
  const std::string text = to_text(answer);
  EXPECT_MENTIONS(text, "Wrote m.urdf (URDF)\nread back, 4 things have changed:\n");
  EXPECT_MENTIONS(text, "body     a and 2 more  mass: 1 -> 2\n");
  EXPECT_MENTIONS(text, "force    rope          left out\n");
}

TEST(ConvertText, SaysThatNothingIsLost) {
  EXPECT_EQ(to_text(ConvertAnswer()), "nothing is lost: read back, it is the same model\n");
}

// Four notes are told, those that change an answer first.
TEST(ConvertText, CountsTheNotesThatAreNotTold) {
  ConvertAnswer answer;
  answer.reader.file = "m.xml";
  for (int k = 0; k < 6; ++k) answer.reader.notes.push_back({"note " + std::to_string(k), {"m.xml", k + 1, 0}});
  answer.reader.notes[5] = model::make_note("a tendon", {"m.xml", 6, 0}, {"tendon", model::Effect::kForces});
  const std::string text = to_text(answer);
  EXPECT_MENTIONS(text, "note: line 6: a tendon\nnote: line 1: note 0\n");
  EXPECT_MENTIONS(text, "note: 2 more notes of the reader: check(m.xml, all = true)\n");
  EXPECT_EQ(text.find("note 3"), std::string::npos);
}

}  // namespace
}  // namespace espalier::study
